//! Creation of an org on a server.

use orgmem_hierarchy::WorkspaceId;
use serde_json::{Value, json};

use crate::error::Outcome;
use crate::http::{Client, Lane, RequestBytes, request};
use crate::org_shape::Shape;
use crate::token;

const BATCH: usize = 500;

/// Concurrent batches.
const LANES: usize = 4;

pub(crate) struct Commit {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: &'static str,
    pub(crate) content: String,
}

/// Creates the workspaces of `shape` by one import.
pub(crate) fn create(client: &mut Client, shape: &Shape) -> Outcome<()> {
    let wire = request("POST", "/orgs/import", &token::admin()?, Some(&document(shape, |_| Vec::new()).to_string()));
    client.send(&wire).map(drop)
}

/// The document for `/orgs/import`, with the memories of each workspace by index.
pub(crate) fn document(shape: &Shape, memories: impl Fn(usize) -> Vec<Value>) -> Value {
    let mut nodes: Vec<Value> = shape
        .ids()
        .iter()
        .enumerate()
        .map(|(index, id)| {
            let name = format!("workspace {index}");
            json!({"name": name, "id": id.uuid(), "children": [], "initial_memories": memories(index)})
        })
        .collect();
    // children follow their parents, so the last node is complete when it is attached to its parent
    loop {
        let index = nodes.len() - 1;
        let node = nodes.pop().unwrap_or_default();
        match shape.parent_of(index).and_then(|parent| nodes.get_mut(parent)?["children"].as_array_mut()) {
            Some(children) => children.push(node),
            None => return node,
        }
    }
}

/// Commits all of these, grouped by author. `client` has at least [`LANES`] connections.
pub(crate) fn fill(client: &mut Client, mut commits: Vec<Commit>) -> Outcome<()> {
    let admin = token::admin()?;
    commits.sort_by_key(|commit| commit.author);
    let batches: Vec<RequestBytes> = commits
        .chunk_by(|a, b| a.author == b.author)
        .flat_map(|of_author| of_author.chunks(BATCH))
        .map(|batch| {
            let memories: Vec<Value> =
                batch.iter().map(|commit| json!({"scope": commit.scope, "content": commit.content})).collect();
            let path = format!("/workspaces/{}/memories/batch", batch[0].author.uuid());
            request("POST", &path, &admin, Some(&json!({"memories": memories}).to_string()))
        })
        .collect();
    let mut lanes: Vec<Vec<RequestBytes>> = vec![Vec::new(); LANES];
    for (index, batch) in batches.into_iter().enumerate() {
        lanes[index % LANES].push(batch);
    }
    let lane = |batches| Lane { expected: "\"refused\":0,", ..Lane::once(batches) };
    client.run(lanes.into_iter().map(lane).collect()).map(drop)
}
