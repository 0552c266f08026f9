//! Orgs other than the measured one.

use serde_json::{Value, json};

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::http::{Client, Lane, RequestBytes, request};
use crate::org;
use crate::org_shape::Shape;
use crate::token;

const ORGS: usize = 1_000;
pub(crate) const WORKSPACES: usize = 100;
const MEMORIES: usize = 1_000;

/// Concurrent imports.
const LANES: usize = 4;

/// Documents in memory at once; each has some hundred kilobytes.
const ORGS_IN_MEMORY: usize = 40;

/// The number of memories in all of them.
pub(crate) fn memories(setup: &Setup) -> usize {
    setup.sized(ORGS) * MEMORIES
}

pub(crate) fn shape(org: usize) -> Shape {
    Shape::new(WORKSPACES, 1_000 + org as u64)
}

/// Imports a thousand orgs of a hundred workspaces with ten memories each.
pub(crate) fn import(client: &mut Client, setup: &Setup) -> Outcome<()> {
    let admin = token::admin()?;
    let orgs: Vec<usize> = (0..setup.sized(ORGS)).collect();
    for chunk in orgs.chunks(ORGS_IN_MEMORY) {
        let requests = chunk.iter().map(|&org| -> RequestBytes {
            let document = org::document(&shape(org), |index| memories_of(setup, org, index));
            request("POST", "/orgs/import", &admin, Some(&document.to_string()))
        });
        let mut lanes: Vec<Vec<RequestBytes>> = vec![Vec::new(); LANES];
        requests.enumerate().for_each(|(index, wire)| lanes[index % LANES].push(wire));
        client.run(lanes.into_iter().map(Lane::once).collect())?;
    }
    Ok(())
}

fn memories_of(setup: &Setup, org: usize, index: usize) -> Vec<Value> {
    let each = MEMORIES / WORKSPACES;
    let memory = |number: usize| {
        let scope = match (index, number % 3) {
            (_, 0) => "LOCAL",
            (0, _) => "GLOBAL",
            _ => "TEAM",
        };
        let content = setup.texts.memory((org * WORKSPACES + index) * each + number);
        json!({"content": content, "scope": scope})
    };
    (0..each).map(memory).collect()
}
