//! Merges the parts of composed types into one object schema.
//!
//! utoipa describes them with `allOf`. JSON Schema validates a value against each part separately, so a part that
//! refuses unknown members would refuse the members of the other parts, and no value would be valid.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::openapi::schema::{AdditionalProperties, AllOf, Object, Schema};
use utoipa::openapi::{Components, OpenApi, RefOr};

/// Merges every `allOf` schema with a part that refuses unknown members. The merged schemas of requests refuse unknown
/// members; those of responses allow them, because later releases may add members.
pub(super) fn flatten(api: &mut OpenApi) {
    let request_schemas = request_schemas(api);
    let Some(components) = &mut api.components else { return };
    let flat: Vec<(String, Object)> = components
        .schemas
        .iter()
        .filter_map(|(name, schema)| match schema {
            RefOr::T(Schema::AllOf(parts)) => {
                Some((name.clone(), merge(components, parts, request_schemas.contains(name))?))
            }
            _ => None,
        })
        .collect();
    components.schemas.extend(flat.into_iter().map(|(name, object)| (name, object.into())));
}

/// One object with the members of all parts; `None` if every part is open or one is not an object.
fn merge(components: &Components, parts: &AllOf, is_request: bool) -> Option<Object> {
    let objects = parts.items.iter().map(|part| object(components, part)).collect::<Option<Vec<_>>>()?;
    if !objects.iter().any(|object| is_closed(object)) {
        return None;
    }
    let mut whole = Object::new();
    whole.description.clone_from(&parts.description);
    for object in objects {
        whole.properties.extend(object.properties.clone());
        whole.required.extend(object.required.iter().cloned());
    }
    whole.additional_properties = is_request.then(|| Box::new(AdditionalProperties::FreeForm(false)));
    Some(whole)
}

fn object<'c>(components: &'c Components, part: &'c RefOr<Schema>) -> Option<&'c Object> {
    match part {
        RefOr::T(Schema::Object(object)) => Some(object),
        RefOr::T(_) => None,
        RefOr::Ref(reference) => object(components, components.schemas.get(name_in(&reference.ref_location)?)?),
    }
}

fn is_closed(object: &Object) -> bool {
    matches!(object.additional_properties.as_deref(), Some(AdditionalProperties::FreeForm(false)))
}

/// The names of the schemas reachable from request bodies.
fn request_schemas(api: &OpenApi) -> BTreeSet<String> {
    let operations = api.paths.paths.values().flat_map(|item| [&item.post, &item.put, &item.patch]);
    let bodies = operations.flatten().filter_map(|operation| operation.request_body.as_ref());
    let mut waiting: Vec<Value> = bodies.filter_map(|body| serde_json::to_value(body).ok()).collect();
    let mut found = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        if let Some(name) = value["$ref"].as_str().and_then(name_in)
            && found.insert(name.to_owned())
        {
            let schemas = api.components.iter().filter_map(|components| components.schemas.get(name));
            waiting.extend(schemas.filter_map(|schema| serde_json::to_value(schema).ok()));
        }
        match value {
            Value::Object(members) => waiting.extend(members.into_iter().map(|(_, member)| member)),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    found
}

fn name_in(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/components/schemas/")
}
