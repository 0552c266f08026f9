//! Runs: their memories are pending until the run finishes, and are dropped when it fails.

mod finish;
mod gating;
mod staging;

use orgmem_tests::{Caller, TestApp};
use serde_json::{Value, json};
use uuid::Uuid;

/// A unique text.
const MARK: &str = "archaeopteryx";

fn runs(workspace: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/runs{rest}")
}

async fn start(caller: &Caller, workspace: Uuid) -> Uuid {
    caller.post(&runs(workspace, ""), json!({})).await.expect(201).id("run_id")
}

async fn finish(caller: &Caller, workspace: Uuid, run: Uuid, status: &str) -> Value {
    let path = runs(workspace, &format!("/{run}/finish"));
    caller.post(&path, json!({"status": status})).await.expect(200).json()
}

fn in_run(run: Uuid, scope: &str, content: &str) -> Value {
    json!({"content": content, "scope": scope, "run_id": run})
}

/// Searches all tables for a text, as text and as bytes.
fn is_in_tables(app: &TestApp, text: &str) -> bool {
    let rows = app.dump().join("\n").to_lowercase();
    let bytes: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    rows.contains(text) || rows.contains(&bytes)
}
