//! A validator for the subset of JSON Schema in `/openapi.json`. It is stricter than the standard: an object may have
//! only the properties in its schema, unless the schema allows others explicitly.

use serde_json::Value;

/// The violations of `schema` in `value`, each with its path.
pub(super) fn violations(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let schema = resolved(document, schema);
    for keyword in ["oneOf", "anyOf"] {
        if let Some(options) = schema[keyword].as_array() {
            let fits = options.iter().any(|option| violations(document, option, value, path).is_empty());
            return if fits { Vec::new() } else { vec![format!("{path} fits no option of {keyword}: {value}")] };
        }
    }
    let parts = all_of(document, schema);
    let mut found: Vec<String> = parts.iter().flat_map(|part| object_violations(document, part, value, path)).collect();
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
            resolved(document, target.expect("a valid reference"))
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

fn object_violations(document: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !is_of_type(&schema["type"], value) {
        return vec![format!("{path} is {value}, not {}", schema["type"])];
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        found.push(format!("{path} is {value}, but must be one of {allowed:?}"));
    }
    if let (Some("uuid"), Some(text)) = (schema["format"].as_str(), value.as_str())
        && uuid::Uuid::try_parse(text).is_err()
    {
        found.push(format!("{path} is not a UUID: {text}"));
    }
    if let (Some("date-time"), Some(text)) = (schema["format"].as_str(), value.as_str())
        && (chrono::DateTime::parse_from_rfc3339(text).is_err() || !text.ends_with('Z'))
    {
        found.push(format!("{path} is not a time in UTC: {text}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{path}.{name} is missing"));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let described = &schema["properties"][name];
        if described.is_null() && schema["additionalProperties"] == false {
            found.push(format!("{path}.{name} is refused by a part of the schema"));
        }
        if !described.is_null() {
            found.extend(violations(document, described, member, &format!("{path}.{name}")));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(violations(document, &schema["items"], item, &format!("{path}[{index}]")));
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
