//! Dry runs: they change nothing and predict the result of the change.

mod deletions;
mod tree;

use orgmem_tests::id_of;
use serde_json::Value;
use uuid::Uuid;

fn at(workspace: Uuid) -> String {
    format!("/workspaces/{workspace}")
}

fn of(preview: &Value, workspace: Uuid) -> Option<&Value> {
    preview["affected"].as_array()?.iter().find(|affected| id_of(affected, "workspace_id") == workspace)
}
