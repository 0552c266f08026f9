//! Arguments as models send them: empty strings for absent values, words in any letter case, numbers, lists and objects as
//! text, and the names of the equivalent REST parameters. Only unambiguous values are converted, by the schema of the tool.

use rmcp::model::JsonObject;
use serde_json::{Map, Number, Value};

/// Converts arguments to the types of `schema`. Values that no rule converts stay, so that the fault names them.
///
/// # Arguments
/// `other_names`: pairs of an accepted name and the name in the schema.
pub(super) fn normalise(arguments: &mut Map<String, Value>, schema: &JsonObject, other_names: &[(&str, &str)]) {
    for (other, name) in other_names {
        if !arguments.contains_key(*name)
            && let Some(value) = arguments.remove(*other)
        {
            arguments.insert((*name).to_owned(), value);
        }
    }
    let required = |name: &str| {
        schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|other| other == name))
    };
    let property = |name: &str| schema.get("properties").and_then(|properties| properties.get(name));
    arguments.retain(|name, value| required(name) || property(name).is_none() || !is_blank(value));
    for (name, value) in arguments {
        if let Some(property) = property(name) {
            convert(value, property);
        }
    }
}

fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn convert(value: &mut Value, schema: &Value) {
    let converted = match (schema["type"].as_str(), &*value) {
        (Some("integer"), Value::String(text)) => whole_number(text.trim()),
        (Some("integer"), Value::Number(number)) => whole_float(number),
        (Some("number"), Value::String(text)) => text.trim().parse().ok().and_then(Number::from_f64).map(Value::Number),
        (Some("boolean"), Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        (Some("string"), Value::String(text)) => schema["enum"].as_array().and_then(|words| word(text, words)),
        (Some("array"), Value::String(text)) => {
            Some(parsed(text, Value::is_array).unwrap_or_else(|| Value::Array(vec![Value::String(text.clone())])))
        }
        (Some("object"), Value::String(text)) => parsed(text, Value::is_object),
        _ => None,
    };
    if let Some(converted) = converted {
        *value = converted;
    }
    if let (Value::Array(items), Some(schema)) = (value, schema.get("items")) {
        items.retain(|item| !is_blank(item));
        items.iter_mut().for_each(|item| convert(item, schema));
    }
}

fn whole_number(text: &str) -> Option<Value> {
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok()
}

/// The integer of a number such as `5.0`.
#[expect(clippy::cast_possible_truncation, reason = "the number is whole and small")]
fn whole_float(number: &Number) -> Option<Value> {
    let exact = f64::from(u32::MAX);
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() <= exact)?;
    Some(Value::from(float as i64))
}

/// The word of `words` that equals `text` in another letter case.
fn word(text: &str, words: &[Value]) -> Option<Value> {
    words.iter().find(|word| word.as_str().is_some_and(|word| word.eq_ignore_ascii_case(text.trim()))).cloned()
}

fn parsed(text: &str, is_expected: fn(&Value) -> bool) -> Option<Value> {
    serde_json::from_str(text).ok().filter(is_expected)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn normalised(arguments: Value) -> Value {
        let schema = json!({
            "properties": {
                "content": {"type": "string"},
                "scope": {"type": "string", "enum": ["LOCAL", "TEAM"]},
                "limit": {"type": "integer"},
                "confidence": {"type": "number"},
                "pin": {"type": "boolean"},
                "namespaces": {"type": "array", "items": {"type": "string"}},
                "metadata": {"type": "object"},
                "value": {},
            },
            "required": ["content", "value"],
        });
        let (Value::Object(schema), Value::Object(mut arguments)) = (schema, arguments) else { panic!("objects") };
        normalise(&mut arguments, &schema, &[("namespace", "namespaces")]);
        Value::Object(arguments)
    }

    #[test]
    fn unambiguous_value_is_converted() {
        for (sent, expected) in [
            (json!({"scope": "team"}), json!({"scope": "TEAM"})),
            (json!({"scope": " Local "}), json!({"scope": "LOCAL"})),
            (json!({"limit": "5"}), json!({"limit": 5})),
            (json!({"limit": 5.0}), json!({"limit": 5})),
            (json!({"confidence": "0.8"}), json!({"confidence": 0.8})),
            (json!({"pin": "True"}), json!({"pin": true})),
            (json!({"namespaces": "ops"}), json!({"namespaces": ["ops"]})),
            (json!({"namespaces": "[\"ops\", \"dev\"]"}), json!({"namespaces": ["ops", "dev"]})),
            (json!({"namespaces": ["", "ops"]}), json!({"namespaces": ["ops"]})),
            (json!({"namespace": "ops"}), json!({"namespaces": ["ops"]})),
            (json!({"metadata": "{\"a\": 1}"}), json!({"metadata": {"a": 1}})),
        ] {
            assert_eq!(normalised(sent.clone()), expected, "{sent}");
        }
    }

    #[test]
    fn empty_string_is_absent_only_where_optional() {
        let sent = json!({"content": "", "scope": "", "limit": " ", "namespaces": "", "metadata": "", "value": ""});
        assert_eq!(normalised(sent), json!({"content": "", "value": ""}));
    }

    #[test]
    fn ambiguous_value_stays() {
        for sent in [
            json!({"scope": "TEAMS"}),
            json!({"limit": "many"}),
            json!({"limit": 1.5}),
            json!({"confidence": "high"}),
            json!({"pin": "yes"}),
            json!({"metadata": "[]"}),
            json!({"content": 5}),
            json!({"value": "5"}),
            json!({"unknown": ""}),
            json!({"namespace": "a", "namespaces": ["b"]}),
        ] {
            assert_eq!(normalised(sent.clone()), sent);
        }
    }
}
