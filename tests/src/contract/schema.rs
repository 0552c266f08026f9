//! Validation of JSON against a schema, for the subset of OpenAPI 3.1 that utoipa generates. A member that the schema
//! does not name is a violation unless the schema permits it, because an incomplete description is wrong.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use uuid::Uuid;

pub(super) struct Schemas<'d> {
    document: &'d Value,
}

impl<'d> Schemas<'d> {
    pub(super) fn of(document: &'d Value) -> Self {
        Self { document }
    }

    /// Follows a `$ref`; returns any other schema unchanged.
    pub(super) fn resolved<'v>(&self, schema: &'v Value) -> &'v Value
    where
        'd: 'v,
    {
        match schema["$ref"].as_str() {
            Some(pointer) => self.document.pointer(pointer.trim_start_matches('#')).unwrap_or(&Value::Null),
            None => schema,
        }
    }

    /// Adds the violations of `value`, whose path is `at`.
    pub(super) fn check(&self, schema: &Value, value: &Value, at: &str, violations: &mut Vec<String>) {
        let schema = self.resolved(schema);
        if schema.is_null() {
            return violations.push(format!("{at}: no schema"));
        }
        for choice in ["oneOf", "anyOf"] {
            if let Some(choices) = schema[choice].as_array() {
                self.check_choices(choices, value, at, violations);
            }
        }
        check_type(schema, value, at, violations);
        match value {
            Value::Object(members) => self.check_members(schema, members, at, violations),
            Value::Array(items) => {
                for (number, item) in items.iter().enumerate().filter(|_| !schema["items"].is_null()) {
                    self.check(&schema["items"], item, &format!("{at}[{number}]"), violations);
                }
            }
            _ => {}
        }
    }

    fn check_choices(&self, choices: &[Value], value: &Value, at: &str, violations: &mut Vec<String>) {
        let mut fewest: Option<Vec<String>> = None;
        for choice in choices {
            let mut found = Vec::new();
            self.check(choice, value, at, &mut found);
            if fewest.as_ref().is_none_or(|fewest| found.len() < fewest.len()) {
                fewest = Some(found);
            }
        }
        violations.extend(fewest.unwrap_or_default());
    }

    fn check_members(&self, schema: &Value, members: &Map<String, Value>, at: &str, violations: &mut Vec<String>) {
        let mut shape = Shape::default();
        self.gather(schema, &mut shape);
        for name in shape.required.iter().filter(|name| !members.contains_key(**name)) {
            violations.push(format!("{at}.{name} is missing"));
        }
        for (name, value) in members {
            let at = format!("{at}.{name}");
            if shape.closed.iter().any(|known| !known.is_some_and(|known| known.contains_key(name))) {
                violations.push(format!("{at} is rejected by one of the schema's parts"));
            }
            match (shape.members.get(name.as_str()), shape.others) {
                (Some(schema), _) => self.check(schema, value, &at, violations),
                (None, Some(Value::Bool(true))) => {}
                (None, Some(others @ Value::Object(_))) => self.check(others, value, &at, violations),
                (None, _) if shape.permits_any() => {}
                (None, _) => violations.push(format!("{at} is not described")),
            }
        }
    }

    /// Collects the members of the schema and of its parts (`allOf`).
    fn gather<'v>(&self, schema: &'v Value, shape: &mut Shape<'v>)
    where
        'd: 'v,
    {
        let schema = self.resolved(schema);
        let members = schema["properties"].as_object().into_iter().flatten();
        shape.members.extend(members.map(|(name, schema)| (name.as_str(), schema)));
        shape.required.extend(schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str));
        if !schema["additionalProperties"].is_null() {
            shape.others = Some(&schema["additionalProperties"]);
        }
        if schema["additionalProperties"] == false {
            shape.closed.push(schema["properties"].as_object());
        }
        shape.is_open |= NAMING.iter().all(|word| schema[*word].is_null());
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.gather(part, shape);
        }
        shape.has_choices |= ["oneOf", "anyOf"].iter().any(|choice| schema[choice].is_array());
    }
}

/// The keywords that name members. A schema without them permits any object.
const NAMING: [&str; 5] = ["properties", "additionalProperties", "allOf", "oneOf", "anyOf"];

#[derive(Default)]
struct Shape<'v> {
    members: BTreeMap<&'v str, &'v Value>,
    required: Vec<&'v str>,
    others: Option<&'v Value>,
    /// The members of each part with `"additionalProperties": false`.
    closed: Vec<Option<&'v Map<String, Value>>>,
    /// One of the parts permits any object.
    is_open: bool,
    has_choices: bool,
}

impl Shape<'_> {
    fn permits_any(&self) -> bool {
        self.is_open || self.has_choices
    }
}

fn check_type(schema: &Value, value: &Value, at: &str, violations: &mut Vec<String>) {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|wanted| is_a(wanted, value)) {
        return violations.push(format!("{at} is {value}, not {types:?}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        violations.push(format!("{at} is {value}, not one of {allowed:?}"));
    }
    if let (Some(format), Some(text)) = (schema["format"].as_str(), value.as_str())
        && !is_formatted(format, text)
    {
        violations.push(format!("{at} is {text}, not a valid {format}"));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        violations.push(format!("{at} is {number}, less than {least}"));
    }
}

fn is_a(wanted: &str, value: &Value) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn is_formatted(format: &str, text: &str) -> bool {
    match format {
        "uuid" => Uuid::try_parse(text).is_ok_and(|id| id.to_string() == text),
        // RFC 3339 in UTC
        "date-time" => chrono::DateTime::parse_from_rfc3339(text).is_ok() && text.ends_with('Z'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn closed_part_of_all_of_rejects_members_of_other_parts() {
        let part = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
        let mut closed = part("one");
        closed["additionalProperties"] = json!(false);
        let violations = |schema: Value| {
            let mut violations = Vec::new();
            Schemas::of(&Value::Null).check(&schema, &json!({"one": "", "other": ""}), "body", &mut violations);
            violations
        };
        assert!(violations(json!({"allOf": [part("one"), part("other")]})).is_empty());
        let refused = violations(json!({"allOf": [closed, part("other")]}));
        assert_eq!(refused, ["body.other is rejected by one of the schema's parts"]);
    }
}
