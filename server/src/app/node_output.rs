//! Finds the memories in the output of a node, at any depth.

use orgmem_types as wire;
use serde::Serialize;
use serde_json::{Map, Value};

use super::AppError;
use crate::decode;

/// The key of the memories.
const KEY: &str = "__lf_memory_writes";

/// A memory of an output.
#[derive(Serialize)]
pub(super) struct OutputMemory {
    /// Its path in the output, such as `result.__lf_memory_writes[0]`.
    pub(super) path: String,
    pub(super) fields: Map<String, Value>,
}

impl OutputMemory {
    /// Whether its scope is the word of other systems for the memories of one session.
    pub(super) fn is_of_conversation(&self) -> bool {
        self.fields.get("scope").and_then(Value::as_str).is_some_and(|scope| scope.eq_ignore_ascii_case("conversation"))
    }

    /// Files a memory of the conversation in the session, unless it names a session itself.
    pub(super) fn join_conversation(&mut self, session: &str) {
        let names_session = self.fields.get("session_id").is_some_and(|named| !named.is_null());
        if self.is_of_conversation() && !names_session {
            self.fields.insert("session_id".to_owned(), session.into());
        }
    }
}

/// The memories of an output, in the order of the keys on each level, a list before the values next to it.
///
/// The recursion is as deep as the output, whose nesting the limit of request bodies bounds.
///
/// # Errors
/// [`AppError::Item`] for a list that would be lost: it is malformed, within a memory or within a text, or its key is
/// misspelled.
pub(super) fn memories(output: wire::RunOutput) -> Result<Vec<OutputMemory>, AppError> {
    let mut found = Vec::new();
    if let Some(writes) = output.writes {
        take(KEY, writes, &mut found)?;
    }
    for (name, value) in output.rest {
        check_key(&name, &name)?;
        search(name, value, &mut found)?;
    }
    Ok(found)
}

fn search(path: String, value: Value, found: &mut Vec<OutputMemory>) -> Result<(), AppError> {
    match value {
        Value::Object(mut members) => {
            if let Some(writes) = members.remove(KEY) {
                take(&format!("{path}.{KEY}"), writes, found)?;
            }
            members.into_iter().try_for_each(|(name, value)| {
                let path = format!("{path}.{}", decode::shortened(&name));
                check_key(&name, &path)?;
                search(path, value, found)
            })
        }
        Value::Array(items) => {
            let mut items = items.into_iter().enumerate();
            items.try_for_each(|(index, item)| search(format!("{path}[{index}]"), item, found))
        }
        Value::String(text) if holds_list(&text) => {
            Err(AppError::Item(format!("`{path}` is JSON as text with `{KEY}` in it; send it as JSON")))
        }
        _ => Ok(()),
    }
}

fn take(path: &str, writes: Value, found: &mut Vec<OutputMemory>) -> Result<(), AppError> {
    let Value::Array(items) = writes else {
        return Err(AppError::Item(format!("`{path}` must be a list of memories, not {}", kind(&writes))));
    };
    for (index, item) in items.into_iter().enumerate() {
        let path = format!("{path}[{index}]");
        let Value::Object(fields) = item else {
            return Err(AppError::Item(format!(
                "`{path}` must be a memory, an object with `content`, not {}",
                kind(&item)
            )));
        };
        if fields.values().any(holds_key) {
            let reason =
                format!("`{path}` has a `{KEY}` within the memory; a list of memories stands next to the result");
            return Err(AppError::Item(reason));
        }
        found.push(OutputMemory { path, fields });
    }
    Ok(())
}

/// Refuses a key that differs from the right one only in `_`, `-`, case or a missing `s`.
fn check_key(name: &str, path: &str) -> Result<(), AppError> {
    let letters = |name: &str| name.replace(['_', '-'], "").to_lowercase().trim_end_matches('s').to_owned();
    if name != KEY && name.len() <= 2 * KEY.len() && letters(name) == letters(KEY) {
        return Err(AppError::Item(format!("unknown field `{path}`; did you mean `{KEY}`?")));
    }
    Ok(())
}

fn holds_key(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.contains_key(KEY) || members.values().any(holds_key),
        Value::Array(items) => items.iter().any(holds_key),
        _ => false,
    }
}

/// Whether the text is JSON with a list of memories.
fn holds_list(text: &str) -> bool {
    let is_json = text.trim_start().starts_with(['{', '[']) && text.contains(KEY);
    is_json && serde_json::from_str::<Value>(text).is_ok_and(|value| holds_key(&value))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(output: Value) -> Result<Vec<(String, String)>, String> {
        let output = serde_json::from_value(output).map_err(|error| error.to_string())?;
        let memories = memories(output).map_err(|error| error.to_string())?;
        let content = |memory: &OutputMemory| memory.fields["content"].as_str().unwrap_or_default().to_owned();
        Ok(memories.iter().map(|memory| (memory.path.clone(), content(memory))).collect())
    }

    #[test]
    fn memories_are_found_at_any_depth() {
        let writes = |content: &str| json!([{"content": content}]);
        let output = json!({
            "__lf_memory_writes": writes("top"),
            "result": {"text": "done", "__lf_memory_writes": writes("in a result"), "other": 1},
            "steps": [{"x": 1}, {"out": [{"__lf_memory_writes": writes("in a step")}]}],
            "said": "the key __lf_memory_writes holds memories",
        });
        let found = read(output).expect("valid");
        let expected = [
            ("__lf_memory_writes[0]", "top"),
            ("result.__lf_memory_writes[0]", "in a result"),
            ("steps[1].out[0].__lf_memory_writes[0]", "in a step"),
        ];
        assert_eq!(found, expected.map(|(path, content)| (path.to_owned(), content.to_owned())));
        assert!(read(json!({"result": {"__lf_memory_writes": []}})).expect("valid").is_empty());
    }

    #[test]
    fn lost_list_is_refused_with_its_path() {
        for (output, message) in [
            (json!({"__lf_memory_writes": {}}), "`__lf_memory_writes` must be a list of memories, not an object"),
            (json!({"__lf_memory_writes": null}), "`__lf_memory_writes` must be a list of memories, not null"),
            (
                json!({"a": [{"__lf_memory_writes": "x"}]}),
                "`a[0].__lf_memory_writes` must be a list of memories, not a string",
            ),
            (json!({"a": {"__lf_memory_writes": ["x"]}}), "`a.__lf_memory_writes[0]` must be a memory"),
            (
                json!({"__lf_memory_writes": [{"content": "x", "metadata": {"__lf_memory_writes": []}}]}),
                "within the memory",
            ),
            (json!({"a": {"text": "{\"__lf_memory_writes\": []}"}}), "`a.text` is JSON as text"),
            (json!({"a": {"_lf_memory_writes": []}}), "unknown field `a._lf_memory_writes`; did you mean"),
            (json!({"__lf_memory_write": []}), "did you mean `__lf_memory_writes`?"),
        ] {
            let refusal = read(output).expect_err(message);
            assert!(refusal.contains(message), "{refusal}");
        }
    }
}
