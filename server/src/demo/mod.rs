//! The demo organisation: a company of 59 agents, with what they remember, as `POST /orgs/import` takes it.
//!
//! Its texts are in `server/demo/`, one file for each department; `server/demo/README.md` says who is who. Two fields of
//! theirs only make sense when it is known what time it is and who is who: an `age` becomes `created_at`, the `target`
//! of an episode becomes its `target_id`.

mod age;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use orgmem_types::ImportNode;
use serde_json::Value;

/// The root, and each department below it in the order in which the tree shows them.
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

/// What is wrong with the demo files; tests see to it that nothing is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// A file is not YAML.
    #[error("a demo file cannot be read: {0}")]
    Yaml(#[from] serde_saphyr::Error),
    /// An age has no such form.
    #[error("`{0}` is no age; one looks like `39d6h48m`")]
    Age(String),
    /// An episode points at a workspace that is not there.
    #[error("no workspace of the demo is named `{0}`")]
    Target(String),
    /// The result is not what an import takes.
    #[error("the demo is not what an import takes: {0}")]
    Form(#[from] serde_json::Error),
}

/// The demo organisation as it looks at `now`: everything happened as long ago as the files say.
///
/// # Errors
/// [`DemoError`], when a file is not as it should be.
pub fn organisation(now: DateTime<Utc>) -> Result<ImportNode, DemoError> {
    let mut root: Value = serde_saphyr::from_str(ROOT)?;
    let departments = DEPARTMENTS.iter().map(|text| serde_saphyr::from_str(text)).collect::<Result<Vec<Value>, _>>()?;
    root["children"] = Value::Array(departments);
    let ids = ids(&root);
    let mut waiting = vec![&mut root];
    while let Some(node) = waiting.pop() {
        for memory in rows(node, "initial_memories") {
            place_in_time(memory, now)?;
        }
        for episode in rows(node, "episodes") {
            place_in_time(episode, now)?;
            point_at_target(episode, &ids)?;
        }
        waiting.extend(rows(node, "children"));
    }
    Ok(serde_json::from_value(root)?)
}

/// The elements of the list `name` of a node, none when it has no such list.
fn rows<'a>(node: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    node.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Puts `created_at` in the place of `age`.
fn place_in_time(row: &mut Value, now: DateTime<Utc>) -> Result<(), DemoError> {
    if let Some(age) = row.as_object_mut().and_then(|row| row.remove("age")) {
        let wrong = || DemoError::Age(age.to_string());
        let age = age.as_str().and_then(age::span).ok_or_else(wrong)?;
        row["created_at"] = Value::String((now - age).to_rfc3339());
    }
    Ok(())
}

/// Puts `target_id` in the place of `target`.
fn point_at_target(episode: &mut Value, ids: &BTreeMap<String, Value>) -> Result<(), DemoError> {
    if let Some(target) = episode.as_object_mut().and_then(|episode| episode.remove("target")) {
        let name = target.as_str().unwrap_or_default();
        episode["target_id"] = ids.get(name).cloned().ok_or_else(|| DemoError::Target(name.to_owned()))?;
    }
    Ok(())
}

/// The id of each workspace by its name.
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
        let mut at = 0;
        while let Some(node) = found.get(at).copied() {
            found.extend(&node.children);
            at += 1;
        }
        found
    }

    #[test]
    fn it_is_a_company_and_not_a_toy() {
        let (root, _) = demo();
        let nodes = all(&root);
        assert!(nodes.len() >= 40, "{}", nodes.len());
        let memories: usize = nodes.iter().map(|node| node.initial_memories.len()).sum();
        assert!(memories >= 300, "{memories}");
    }

    #[test]
    fn everything_happened_before_now() {
        let (root, now) = demo();
        for node in all(&root) {
            let memories = node.initial_memories.iter().map(|memory| memory.created_at);
            let episodes = node.episodes.iter().map(|episode| episode.created_at);
            assert!(memories.chain(episodes).all(|time| time.is_some_and(|time| time < now)), "{}", node.name);
        }
    }

    #[test]
    fn an_age_is_counted_from_now() {
        let (root, _) = demo();
        let travel = root.initial_memories.iter().find(|memory| memory.content.starts_with("Travel:"));
        let created_at = travel.and_then(|memory| memory.created_at).map(|time| time.to_rfc3339());
        assert_eq!(created_at.as_deref(), Some("2026-01-15T09:22:00+00:00"), "309d5h38m before");
    }

    #[test]
    fn episodes_point_at_workspaces_of_the_company() {
        let (root, _) = demo();
        let nodes = all(&root);
        let targets: Vec<_> =
            nodes.iter().flat_map(|node| &node.episodes).filter_map(|episode| episode.activity.target_id).collect();
        assert!(!targets.is_empty());
        assert!(targets.iter().all(|target| nodes.iter().any(|node| node.id == Some(*target))));
    }
}
