//! The operations of the description that the client can call.

use orgmem_tests::Contract;
use serde_json::Value;

use crate::queries;

/// Headers that belong to every request, not to a call: the client does not send them.
const HEADERS_OF_ALL: [&str; 2] = ["X-Run-Id", "X-Audit-Context"];

/// An operation with types of `orgmem-types`.
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) tag: String,
    pub(crate) method: &'static str,
    pub(crate) address: String,
    pub(crate) path: Vec<PathParameter>,
    pub(crate) query: Option<&'static str>,
    pub(crate) body: Option<Body>,
    /// Optional headers, by name.
    pub(crate) headers: Vec<String>,
    pub(crate) response: Response,
}

pub(crate) struct PathParameter {
    pub(crate) name: String,
    pub(crate) is_id: bool,
}

pub(crate) enum Body {
    Json(String),
    /// A JSON array.
    List(String),
    /// JSON or YAML.
    Document(String),
}

pub(crate) enum Response {
    One(String),
    All(String),
    Page(String),
}

/// The operations, in the order of their names.
///
/// The client does not call what has no JSON response of a named type (files, streams, MCP) and the console's sessions.
pub(crate) fn operations(document: &Value) -> Vec<Operation> {
    let contract = Contract::new(document.clone());
    let all = contract.operations().filter(|operation| operation.spec["tags"][0] != "console");
    let mut operations: Vec<Operation> = all
        .filter_map(|operation| {
            let response = response(document, operation.spec)?;
            Some(of(operation.method, operation.address, operation.spec, response))
        })
        .collect();
    operations.sort_by(|one, other| one.name.cmp(&other.name));
    operations
}

fn of(method: &str, address: &str, spec: &Value, response: Response) -> Operation {
    let name = text(&spec["operationId"]);
    let headers = parameters(spec, "header").into_iter().map(|header| text(&header["name"]));
    Operation {
        summary: text(&spec["summary"]),
        tag: text(&spec["tags"][0]),
        method: method_constant(method),
        address: address.to_owned(),
        path: parameters(spec, "path").into_iter().map(path_parameter).collect(),
        query: queries::type_of(&name, &parameters(spec, "query")),
        body: body(spec),
        headers: headers.filter(|header| !HEADERS_OF_ALL.contains(&header.as_str())).collect(),
        response,
        name,
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("the description has this text").to_owned()
}

fn method_constant(method: &str) -> &'static str {
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    methods.into_iter().find(|known| *known == method).expect("a method of the description")
}

fn parameters<'s>(spec: &'s Value, place: &str) -> Vec<&'s Value> {
    spec["parameters"].as_array().into_iter().flatten().filter(|parameter| parameter["in"] == place).collect()
}

fn path_parameter(parameter: &Value) -> PathParameter {
    PathParameter { name: text(&parameter["name"]), is_id: parameter["schema"]["format"] == "uuid" }
}

/// The name of the type that a schema refers to.
fn named(schema: &Value) -> Option<String> {
    schema["$ref"].as_str()?.rsplit('/').next().map(str::to_owned)
}

fn body(spec: &Value) -> Option<Body> {
    let content = &spec["requestBody"]["content"];
    let schema = &content["application/json"]["schema"];
    if let Some(row) = named(&schema["items"]) {
        return Some(Body::List(row));
    }
    let name = named(schema)?;
    Some(if content["application/yaml"].is_null() { Body::Json(name) } else { Body::Document(name) })
}

fn response(document: &Value, spec: &Value) -> Option<Response> {
    let statuses = spec["responses"].as_object().expect("an operation has responses");
    let successes: Vec<&Value> =
        statuses.iter().filter(|(status, _)| status.starts_with('2')).map(|(_, success)| success).collect();
    let schemas = successes.iter().filter_map(|success| success["content"].get("application/json")?.get("schema"));
    let mut schemas: Vec<&Value> = schemas.collect();
    schemas.dedup();
    let schema = match schemas[..] {
        [] => return None,
        [schema] => schema,
        _ => return Some(Response::One(alternatives(document, &schemas))),
    };
    if let Some(row) = named(&schema["items"]) {
        let has_next = successes.iter().any(|success| !success["headers"]["Link"].is_null());
        return Some(if has_next { Response::Page(row) } else { Response::All(row) });
    }
    named(schema).map(Response::One)
}

/// The type with exactly these alternatives, for an operation whose statuses have different bodies.
fn alternatives(document: &Value, bodies: &[&Value]) -> String {
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let is_one_of = |schema: &Value| {
        let options = schema["oneOf"].as_array();
        options.is_some_and(|options| options.len() == bodies.len() && bodies.iter().all(|body| options.contains(body)))
    };
    let found = schemas.iter().find(|(_, schema)| is_one_of(schema)).map(|(name, _)| name.clone());
    found.unwrap_or_else(|| panic!("no response type has the alternatives {bodies:?}"))
}
