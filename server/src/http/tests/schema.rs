//! A small judge of JSON Schema: what `/openapi.json` uses of it, and stricter in one way: an object may have no
//! property that its schema does not name, unless it says that it may.

use serde_json::Value;

/// What is wrong with `value`, by its path; nothing when it is as `schema` says.
pub(super) fn faults(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let schema = resolved(document, schema);
    for (word, wanted) in [("oneOf", 1), ("anyOf", 1)] {
        if let Some(options) = schema[word].as_array() {
            let fits = options.iter().filter(|option| faults(document, option, value, path).is_empty()).count();
            return if fits < wanted { vec![format!("{path} fits none of {word}: {value}")] } else { Vec::new() };
        }
    }
    let parts = all_of(document, schema);
    let mut found: Vec<String> = parts.iter().flat_map(|part| plain_faults(document, part, value, path)).collect();
    if let Some(members) = value.as_object() {
        let is_free = parts.iter().any(|part| part["properties"].is_null() || !part["additionalProperties"].is_null());
        let is_named = |name: &str| parts.iter().any(|part| !part["properties"][name].is_null());
        let unnamed = members.keys().filter(|name| !is_free && !is_named(name));
        found.extend(unnamed.map(|name| format!("{path}.{name} is not described")));
    }
    found
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let target = document.pointer(reference.trim_start_matches('#'));
            resolved(document, target.expect("a reference that leads somewhere"))
        }
        None => schema,
    }
}

fn all_of<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    match schema["allOf"].as_array() {
        Some(parts) => parts.iter().flat_map(|part| all_of(document, resolved(document, part))).collect(),
        None => vec![schema],
    }
}

fn plain_faults(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !is_of_type(&schema["type"], value) {
        return vec![format!("{path} is {value}, not {}", schema["type"])];
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        found.push(format!("{path} is {value}, none of {allowed:?}"));
    }
    if let (Some("uuid"), Some(text)) = (schema["format"].as_str(), value.as_str())
        && uuid::Uuid::try_parse(text).is_err()
    {
        found.push(format!("{path} is no UUID: {text}"));
    }
    if let (Some("date-time"), Some(text)) = (schema["format"].as_str(), value.as_str())
        && (chrono::DateTime::parse_from_rfc3339(text).is_err() || !text.ends_with('Z'))
    {
        found.push(format!("{path} is no time in UTC: {text}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{path}.{name} is missing"));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let described = &schema["properties"][name];
        if described.is_null() && schema["additionalProperties"] == false {
            found.push(format!("{path}.{name} is refused by a part that it is made of"));
        }
        if !described.is_null() {
            found.extend(faults(document, described, member, &format!("{path}.{name}")));
        }
    }
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(document, &schema["items"], item, &format!("{path}[{at}]")));
    }
    found
}

fn is_of_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    };
    match wanted {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}
