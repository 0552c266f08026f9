//! JSON schemas of arguments and results, reduced to the part of JSON Schema that every client understands: no `$ref`, no
//! list of types, no `format` except `date-time`, no `additionalProperties`.
//!
//! Models pay for each listed byte, and some clients know single types and few formats only. The server refuses unknown
//! arguments and names the known ones.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

static INPUTS: LazyLock<Mutex<HashMap<TypeId, Arc<JsonObject>>>> = LazyLock::new(Mutex::default);

/// The schema of arguments.
pub(super) fn of_input<T: JsonSchema + 'static>() -> Arc<JsonObject> {
    let mut known = INPUTS.lock();
    let schema = known.entry(TypeId::of::<T>());
    Arc::clone(schema.or_insert_with(|| {
        let mut schema =
            Arc::unwrap_or_clone(generate::<T>(SchemaSettings::draft2020_12(), Simplify { side: Side::Input }));
        // clients read the member of every tool, also of one without arguments
        schema.entry("properties").or_insert_with(|| json!({}));
        Arc::new(schema)
    }))
}

/// The schema of arguments for the listing of a tool with an older name: only these members.
pub(super) fn of_older_name<T: JsonSchema + 'static>(members: &[&str]) -> Arc<JsonObject> {
    let mut schema = JsonObject::clone(&of_input::<T>());
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| members.contains(&name.as_str()));
    }
    Arc::new(schema)
}

/// The schema of a result: the types of the members that are always present. The documentation lists the others.
pub(super) fn of_output<T: JsonSchema + 'static>() -> Arc<JsonObject> {
    generate::<T>(SchemaSettings::draft2020_12().for_serialize(), Simplify { side: Side::Output })
}

/// The schema of a result that another tool describes.
pub(super) fn any_object() -> Arc<JsonObject> {
    Arc::new(JsonObject::from_iter([("type".to_owned(), json!("object"))]))
}

fn generate<T: JsonSchema>(settings: SchemaSettings, simplify: Simplify) -> Arc<JsonObject> {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.with_transform(simplify).into_generator().into_root_schema_for::<T>();
    let mut object = match Value::from(schema) {
        Value::Object(object) => object,
        // schemas of structs are objects
        _ => JsonObject::new(),
    };
    object.remove("description");
    Arc::new(object)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

#[derive(Clone, Debug)]
struct Simplify {
    side: Side,
}

impl Transform for Simplify {
    fn transform(&mut self, schema: &mut Schema) {
        if schema.as_bool() == Some(true) {
            // `true` is a valid schema, but some clients accept only objects
            schema.ensure_object();
        }
        schema.remove("additionalProperties");
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        without_null(object);
        words(object);
        object.remove("title");
        if object.get("default").is_some_and(Value::is_null) {
            object.remove("default");
        }
        if object.get("format").is_some_and(|format| format != "date-time") {
            for name in ["format", "minimum", "maximum"] {
                object.remove(name);
            }
        }
        if self.side == Side::Output {
            object.remove("description");
            object.remove("format");
            retain_required(object);
        }
    }
}

/// Removes the schemas of optional members, and reduces those of required words to their type.
fn retain_required(schema: &mut Map<String, Value>) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| required.contains(&json!(name)));
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.remove("enum");
        }
    }
}

/// Removes `null` from the accepted types. Absent members are the documented way to omit a value.
fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(variants)) = schema.get_mut("anyOf") {
        variants.retain(|variant| variant["type"] != "null");
        if let [Value::Object(only)] = variants.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (name, value) in only.into_iter().filter(|(name, _)| name != "description") {
                schema.entry(name).or_insert(value);
            }
        }
    }
}

/// Joins variants that are single words to one `enum`.
fn words(schema: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = schema.get("oneOf") else { return };
    let of_variant = |variant: &Value| match (&variant["const"], &variant["enum"]) {
        (Value::String(word), _) => Some(vec![json!(word)]),
        (_, Value::Array(words)) => Some(words.clone()),
        _ => None,
    };
    let Some(words) = variants.iter().map(of_variant).collect::<Option<Vec<_>>>() else { return };
    schema.remove("oneOf");
    schema.insert("type".to_owned(), json!("string"));
    schema.insert("enum".to_owned(), Value::Array(words.concat()));
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use orgmem_hierarchy::Scope;
    use serde::{Deserialize, Serialize};
    use uuid::Uuid;

    use super::*;

    #[derive(Deserialize, Serialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Sample {
        /// Its id.
        id: Uuid,
        scope: Option<Scope>,
        limit: Option<u64>,
        share: Option<f64>,
        at: Option<DateTime<Utc>>,
        any: Value,
        map: Option<Map<String, Value>>,
        parts: Option<Vec<Part>>,
    }

    #[derive(Deserialize, Serialize, JsonSchema)]
    struct Part {
        /// Its weight.
        weight: u8,
    }

    #[test]
    fn input_schema_has_single_types_and_known_formats() {
        let scope = json!({"type": "string", "enum": ["LOCAL", "TEAM", "GLOBAL"]});
        let expected = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "Its id."},
                "scope": scope,
                "limit": {"type": "integer"},
                "share": {"type": "number"},
                "at": {"type": "string", "format": "date-time"},
                "any": {},
                "map": {"type": "object"},
                "parts": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"weight": {"type": "integer", "description": "Its weight."}},
                    "required": ["weight"],
                }},
            },
            "required": ["id", "any"],
        });
        assert_eq!(Value::Object(JsonObject::clone(&of_input::<Sample>())), expected);
        let brief = of_older_name::<Sample>(&["id"]);
        assert_eq!(brief["properties"], json!({"id": {"type": "string", "description": "Its id."}}));
    }

    #[test]
    fn output_schema_has_the_types_of_required_members() {
        #[derive(Serialize, JsonSchema)]
        struct Output {
            /// Its scope.
            scope: Scope,
            #[serde(skip_serializing_if = "Option::is_none")]
            kind: Option<String>,
            parts: Vec<Part>,
        }
        let part = json!({"type": "object", "properties": {"weight": {"type": "integer"}}, "required": ["weight"]});
        let expected = json!({
            "type": "object",
            "properties": {"scope": {"type": "string"}, "parts": {"type": "array", "items": part}},
            "required": ["scope", "parts"],
        });
        assert_eq!(Value::Object(JsonObject::clone(&of_output::<Output>())), expected);
    }
}
