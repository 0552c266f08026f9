//! The demo organisation: a company of 59 agents with their memories, as a document for `POST /orgs/import`.
//!
//! Its texts are in `server/demo/`, one file per department; `server/demo/README.md` lists the agents. Two fields are
//! resolved at load time: `age` becomes `created_at`, and the `target` of an episode its `target_id`.

mod age;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use orgmem_types::ImportNode;
use serde_json::Value;

/// The root, then the departments in the order of the tree.
const ROOT: &str = include_str!("../../demo/org.yaml");
const DEPARTMENTS: [&str; 8] = [
    include_str!("../../demo/engineering.yaml"),
    include_str!("../../demo/robotics.yaml"),
    include_str!("../../demo/care.yaml"),
    include_str!("../../demo/sales.yaml"),
    include_str!("../../demo/marketing.yaml"),
    include_str!("../../demo/finance.yaml"),
    include_str!("../../demo/legal.yaml"),
    include_str!("../../demo/operations.yaml"),
];

/// A fault in the demo files; tests check the files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// A file is not YAML.
    #[error("a demo file cannot be read: {0}")]
    Yaml(#[from] serde_saphyr::Error),
    /// An age of another form.
    #[error("`{0}` is not an age such as `39d6h48m`")]
    Age(String),
    /// An episode about an unknown workspace.
    #[error("no workspace of the demo is named `{0}`")]
    Target(String),
    /// The result is not an import document.
    #[error("the demo is not a valid import document: {0}")]
    Form(#[from] serde_json::Error),
}

/// The demo organisation with times relative to `now`.
///
/// # Errors
/// [`DemoError`] for an invalid file.
pub fn organisation(now: DateTime<Utc>) -> Result<ImportNode, DemoError> {
    let mut root: Value = serde_saphyr::from_str(ROOT)?;
    let departments = DEPARTMENTS.iter().map(|text| serde_saphyr::from_str(text)).collect::<Result<Vec<Value>, _>>()?;
    root["children"] = Value::Array(departments);
    let ids = ids(&root);
    let mut waiting = vec![&mut root];
    while let Some(node) = waiting.pop() {
        for memory in rows(node, "initial_memories") {
            resolve_age(memory, now)?;
        }
        for episode in rows(node, "episodes") {
            resolve_age(episode, now)?;
            resolve_target(episode, &ids)?;
        }
        waiting.extend(rows(node, "children"));
    }
    Ok(serde_json::from_value(root)?)
}

/// The elements of the list `name` of a node, if any.
fn rows<'a>(node: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    node.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Replaces `age` by `created_at`.
fn resolve_age(row: &mut Value, now: DateTime<Utc>) -> Result<(), DemoError> {
    if let Some(age) = row.as_object_mut().and_then(|row| row.remove("age")) {
        let invalid = || DemoError::Age(age.to_string());
        let age = age.as_str().and_then(age::span).ok_or_else(invalid)?;
        row["created_at"] = Value::String((now - age).to_rfc3339());
    }
    Ok(())
}

/// Replaces `target`, a name, by `target_id`.
fn resolve_target(episode: &mut Value, ids: &BTreeMap<String, Value>) -> Result<(), DemoError> {
    if let Some(target) = episode.as_object_mut().and_then(|episode| episode.remove("target")) {
        let name = target.as_str().unwrap_or_default();
        episode["target_id"] = ids.get(name).cloned().ok_or_else(|| DemoError::Target(name.to_owned()))?;
    }
    Ok(())
}

/// The ids of the workspaces by name.
fn ids(root: &Value) -> BTreeMap<String, Value> {
    let mut ids = BTreeMap::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if let (Some(name), Some(id)) = (node["name"].as_str(), node.get("id")) {
            ids.insert(name.to_owned(), id.clone());
        }
        waiting.extend(node["children"].as_array().into_iter().flatten());
    }
    ids
}

#[cfg(test)]
mod tests {
    use orgmem_types::ImportNode;

    use super::*;

    fn demo() -> (ImportNode, DateTime<Utc>) {
        let now: DateTime<Utc> = "2026-11-20T15:00:00Z".parse().expect("a time");
        (organisation(now).expect("the files are right"), now)
    }

    fn all(root: &ImportNode) -> Vec<&ImportNode> {
        let mut found = vec![root];
        let mut index = 0;
        while let Some(node) = found.get(index).copied() {
            found.extend(&node.children);
            index += 1;
        }
        found
    }

    #[test]
    fn demo_has_the_size_of_a_company() {
        let (root, _) = demo();
        let nodes = all(&root);
        assert!(nodes.len() >= 40, "{}", nodes.len());
        let memories: usize = nodes.iter().map(|node| node.initial_memories.len()).sum();
        assert!(memories >= 300, "{memories}");
    }

    #[test]
    fn all_times_are_in_the_past() {
        let (root, now) = demo();
        for node in all(&root) {
            let memories = node.initial_memories.iter().map(|memory| memory.created_at);
            let episodes = node.episodes.iter().map(|episode| episode.created_at);
            assert!(memories.chain(episodes).all(|time| time.is_some_and(|time| time < now)), "{}", node.name);
        }
    }

    #[test]
    fn age_is_relative_to_now() {
        let (root, _) = demo();
        let travel = root.initial_memories.iter().find(|memory| memory.content.starts_with("Travel:"));
        let created_at = travel.and_then(|memory| memory.created_at).map(|time| time.to_rfc3339());
        assert_eq!(created_at.as_deref(), Some("2026-01-15T09:22:00+00:00"), "309d5h38m before");
    }

    #[test]
    fn episode_targets_are_workspaces_of_the_company() {
        let (root, _) = demo();
        let nodes = all(&root);
        let targets: Vec<_> =
            nodes.iter().flat_map(|node| &node.episodes).filter_map(|episode| episode.activity.target_id).collect();
        assert!(!targets.is_empty());
        assert!(targets.iter().all(|target| nodes.iter().any(|node| node.id == Some(*target))));
    }
}
