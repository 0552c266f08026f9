//! Many other orgs.

use serde_json::{Value, json};

use crate::error::Outcome;
use crate::http::{Client, Lane, Wire, request};
use crate::org;
use crate::setup::Setup;
use crate::shape::Shape;
use crate::token;

const ORGS: usize = 1_000;
pub(crate) const WORKSPACES: usize = 100;
const MEMORIES: usize = 1_000;

/// Orgs that are on their way at once.
const LANES: usize = 4;

/// Documents that are made at once, as each is some hundred kilobytes.
const PART: usize = 40;

/// How many memories all of them have together.
pub(crate) fn memories(setup: &Setup) -> usize {
    setup.sized(ORGS) * MEMORIES
}

/// The workspaces of one of the orgs.
pub(crate) fn shape(org: usize) -> Shape {
    Shape::new(WORKSPACES, 1_000 + org as u64)
}

/// Imports a thousand orgs, each of a hundred workspaces with ten memories each.
pub(crate) fn join(client: &mut Client, setup: &Setup) -> Outcome<()> {
    let admin = token::admin()?;
    let orgs: Vec<usize> = (0..setup.sized(ORGS)).collect();
    for part in orgs.chunks(PART) {
        let wires = part.iter().map(|&org| -> Wire {
            let document = org::document(&shape(org), |place| filled(setup, org, place));
            request("POST", "/orgs/import", &admin, Some(&document.to_string()))
        });
        let mut lanes: Vec<Vec<Wire>> = vec![Vec::new(); LANES];
        wires.enumerate().for_each(|(place, wire)| lanes[place % LANES].push(wire));
        client.run(lanes.into_iter().map(Lane::once).collect())?;
    }
    Ok(())
}

/// What the workspace at `place` remembers.
fn filled(setup: &Setup, org: usize, place: usize) -> Vec<Value> {
    let each = MEMORIES / WORKSPACES;
    let memory = |number: usize| {
        let scope = match (place, number % 3) {
            (_, 0) => "LOCAL",
            (0, _) => "GLOBAL",
            _ => "TEAM",
        };
        let content = setup.texts.memory((org * WORKSPACES + place) * each + number);
        json!({"content": content, "scope": scope})
    };
    (0..each).map(memory).collect()
}
