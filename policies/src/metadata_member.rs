//! The values of one member of the metadata of memories, as they are listed.
//!
//! Source: `docs/spec/memories.md`, "Values of metadata".

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Maximum size of a listed value in bytes of its JSON text. Larger ones are omitted, so that a value fits into a cursor.
pub const MAX_VALUE_BYTES: usize = 4_000;

/// A member of metadata, and how much of its lists counts.
///
/// ```
/// use orgmem_policies::MetadataMember;
/// use serde_json::json;
///
/// let member = MetadataMember { name: "path".into(), depth: Some(1) };
/// let value = |metadata: serde_json::Value| member.of(metadata.as_object()).map(|value| value.as_json().clone());
/// assert_eq!(value(json!({"path": ["users", "ada"]})), Some(json!(["users"])));
/// assert_eq!(value(json!({"path": "users"})), Some(json!("users")));
/// assert_eq!(value(json!({"other": 1})), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataMember {
    /// The name.
    pub name: String,
    /// Number of items of a list that make a value; all if absent.
    pub depth: Option<usize>,
}

impl MetadataMember {
    /// The value of the member in these metadata; `None` if it is absent, `null` or too large.
    #[must_use]
    pub fn of(&self, metadata: Option<&Map<String, Value>>) -> Option<MetadataValue> {
        let value = metadata?.get(&self.name)?;
        let value = match (value, self.depth) {
            (Value::Null, _) => return None,
            (Value::Array(items), Some(depth)) => Value::Array(items.iter().take(depth).cloned().collect()),
            (value, _) => value.clone(),
        };
        (value.to_string().len() <= MAX_VALUE_BYTES).then_some(MetadataValue(value))
    }
}

/// A value in the order of lists of values: booleans, numbers, texts by code point, lists item by item, objects by their
/// JSON text.
#[derive(Clone, Debug)]
pub struct MetadataValue(Value);

impl MetadataValue {
    /// The value of a JSON text.
    #[must_use]
    pub fn from_json(value: Value) -> Self {
        Self(value)
    }

    /// The value as JSON.
    #[must_use]
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// The value as JSON.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.0
    }
}

impl Ord for MetadataValue {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

impl PartialOrd for MetadataValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for MetadataValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for MetadataValue {}

/// Metadata are nested less deep than the decoder of requests permits, so the recursion ends.
fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        // of equal floats the texts differ if the numbers do
        (Value::Number(a), Value::Number(b)) => {
            let [x, y] = [a, b].map(|number| number.as_f64().unwrap_or_default());
            x.total_cmp(&y).then_with(|| a.to_string().cmp(&b.to_string()))
        }
        (Value::String(one), Value::String(other)) => one.cmp(other),
        (Value::Array(one), Value::Array(other)) => {
            let differing = one.iter().zip(other).map(|(one, other)| compare(one, other)).find(|order| order.is_ne());
            differing.unwrap_or_else(|| one.len().cmp(&other.len()))
        }
        (Value::Object(_), Value::Object(_)) => one.to_string().cmp(&other.to_string()),
        _ => rank(one).cmp(&rank(other)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_ordered_by_type_and_then_by_value() {
        let ordered = [
            json!(false),
            json!(true),
            json!(-1),
            json!(2),
            json!(2.0),
            json!(10),
            json!("B"),
            json!("a"),
            json!([]),
            json!(["a"]),
            json!(["a", "b"]),
            json!(["b"]),
            json!({"a": 1}),
        ];
        let mut sorted: Vec<MetadataValue> = ordered.iter().rev().cloned().map(MetadataValue).collect();
        sorted.sort();
        assert_eq!(sorted.into_iter().map(MetadataValue::into_json).collect::<Vec<_>>(), ordered);
    }

    #[test]
    fn large_value_is_omitted() {
        let member = MetadataMember { name: "text".into(), depth: None };
        let of = |text: String| member.of(json!({"text": text}).as_object());
        assert!(of("x".repeat(MAX_VALUE_BYTES - 2)).is_some());
        assert!(of("x".repeat(MAX_VALUE_BYTES - 1)).is_none());
    }
}
