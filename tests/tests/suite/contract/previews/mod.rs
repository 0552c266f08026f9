//! What a change would do, told before: nothing is changed, and what is told is what then happens.

mod tree;
mod what_goes;

use orgmem_tests::id_of;
use serde_json::Value;
use uuid::Uuid;

fn at(workspace: Uuid) -> String {
    format!("/workspaces/{workspace}")
}

fn of(preview: &Value, workspace: Uuid) -> Option<&Value> {
    preview["affected"].as_array()?.iter().find(|affected| id_of(affected, "workspace_id") == workspace)
}
