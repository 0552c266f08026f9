//! The rows of a collection, and the lookup of their columns.

use serde_json::{Map, Value};

/// A row of a collection, as a processor reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The key of the row; unique in its collection.
    pub key: String,
    /// The time of the row in microseconds since 1970, if the collection has a time column and the row a value in it.
    pub time: Option<i64>,
    /// All columns.
    pub values: Map<String, Value>,
}

impl Row {
    /// The values of a column: one for text, a number or a Boolean, several for a list. A name with dots reaches into objects.
    ///
    /// Names are compared without case, white space, `_`, `-` and `/`: `Component/s` is also `components`.
    pub(crate) fn texts(&self, column: &str) -> Vec<String> {
        let whole = find(&self.values, column);
        let found = whole.or_else(|| {
            let mut parts = column.split('.');
            let first = find(&self.values, parts.next()?)?;
            parts.try_fold(first, |value, part| find(value.as_object()?, part))
        });
        let Some(value) = found else { return Vec::new() };
        match value {
            Value::Array(items) => items.iter().filter_map(text).collect(),
            single => text(single).into_iter().collect(),
        }
    }
}

fn find<'a>(values: &'a Map<String, Value>, column: &str) -> Option<&'a Value> {
    if let Some(value) = values.get(column) {
        return Some(value);
    }
    let wanted = simplified(column);
    values.iter().find(|(name, _)| simplified(name) == wanted).map(|(_, value)| value)
}

/// The text of a value. Exports write many values as objects with a name, such as labels and users.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => normalised(text),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Object(members) => members.get("name").and_then(Value::as_str).map(normalised)?,
        Value::Null | Value::Array(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn simplified(name: &str) -> String {
    let significant = name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-' | '/'));
    significant.flat_map(char::to_lowercase).collect()
}

/// In lower case, with single spaces.
pub(crate) fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
