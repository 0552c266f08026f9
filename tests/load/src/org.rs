//! An org on a server: planted as one document, filled batch by batch.

use orgmem_hierarchy::WorkspaceId;
use serde_json::{Value, json};

use crate::error::Outcome;
use crate::http::{Client, Lane, Wire, request};
use crate::shape::Shape;
use crate::token;

/// Memories of one batch.
const BATCH: usize = 500;

/// Batches that are under way at once.
const LANES: usize = 4;

/// One memory to commit.
pub(crate) struct Commit {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: &'static str,
    pub(crate) content: String,
}

/// Creates the workspaces of `shape`, all at once.
pub(crate) fn plant(client: &mut Client, shape: &Shape) -> Outcome<()> {
    let wire = request("POST", "/orgs/import", &token::admin()?, Some(&document(shape, |_| Vec::new()).to_string()));
    client.ask(&wire).map(drop)
}

/// The org as `/orgs/import` takes it, with what the workspace at each place remembers.
pub(crate) fn document(shape: &Shape, memories: impl Fn(usize) -> Vec<Value>) -> Value {
    let mut nodes: Vec<Value> = shape
        .ids()
        .iter()
        .enumerate()
        .map(|(place, id)| {
            let name = format!("workspace {place}");
            json!({"name": name, "id": id.uuid(), "children": [], "initial_memories": memories(place)})
        })
        .collect();
    // those below come after those above, so the last is complete when it is hung under its parent
    loop {
        let place = nodes.len() - 1;
        let node = nodes.pop().unwrap_or_default();
        match shape.parent_of(place).and_then(|parent| nodes.get_mut(parent)?["children"].as_array_mut()) {
            Some(children) => children.push(node),
            None => return node,
        }
    }
}

/// Commits all of these, grouped by their authors. `client` has at least [`LANES`] connections.
pub(crate) fn fill(client: &mut Client, mut commits: Vec<Commit>) -> Outcome<()> {
    let admin = token::admin()?;
    commits.sort_by_key(|commit| commit.author);
    let batches: Vec<Wire> = commits
        .chunk_by(|a, b| a.author == b.author)
        .flat_map(|of_one| of_one.chunks(BATCH))
        .map(|batch| {
            let memories: Vec<Value> =
                batch.iter().map(|commit| json!({"scope": commit.scope, "content": commit.content})).collect();
            let path = format!("/workspaces/{}/memories/batch", batch[0].author.uuid());
            request("POST", &path, &admin, Some(&json!({"memories": memories}).to_string()))
        })
        .collect();
    let mut lanes: Vec<Vec<Wire>> = vec![Vec::new(); LANES];
    for (place, batch) in batches.into_iter().enumerate() {
        lanes[place % LANES].push(batch);
    }
    let lane = |batches| Lane { expected: "\"refused\":0,", ..Lane::once(batches) };
    client.run(lanes.into_iter().map(lane).collect()).map(drop)
}
