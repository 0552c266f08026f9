//! The server's API description (`/openapi.json`), and the validation of responses against it.

mod schema;

use serde_json::Value;

use crate::response::Response;
use schema::Schemas;

#[derive(Debug)]
pub struct Contract {
    document: Value,
}

#[derive(Clone, Copy, Debug)]
pub struct Operation<'c> {
    pub method: &'c str,
    /// =
    pub address: &'c str,
    pub spec: &'c Value,
}

impl Contract {
    #[must_use]
    pub fn new(document: Value) -> Self {
        Self { document }
    }

    /// An empty description, against which nothing is validated.
    #[must_use]
    pub fn none() -> Self {
        Self::new(Value::Null)
    }

    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let addresses = self.document["paths"].as_object().into_iter().flatten();
        addresses.flat_map(|(address, item)| {
            let methods = ["get", "post", "put", "patch", "delete"].into_iter().zip(METHODS);
            methods.filter_map(move |(key, method)| Some(Operation { method, address, spec: item.get(key)? }))
        })
    }

    /// The operation for a request. A literal path precedes one with a parameter.
    #[must_use]
    pub fn operation(&self, method: &str, path: &str) -> Option<Operation<'_>> {
        let path = path.split('?').next().unwrap_or_default();
        let matching =
            self.operations().filter(|operation| operation.method == method && matches(operation.address, path));
        matching.min_by_key(|operation| operation.address.matches('{').count())
    }

    #[track_caller]
    pub(crate) fn check(&self, method: &str, path: &str, response: &Response) {
        if self.document.is_null() {
            return;
        }
        assert!(response.header("x-request-id").is_some(), "no X-Request-Id; {}", response.describe());
        let violations = match self.operation(method, path) {
            Some(operation) => self.violations(operation, response),
            None => self.problem_violations(response),
        };
        assert!(violations.is_empty(), "the response violates /openapi.json: {violations:#?}\n{}", response.describe());
    }

    fn violations(&self, operation: Operation<'_>, response: &Response) -> Vec<String> {
        let schemas = Schemas::of(&self.document);
        let responses = &operation.spec["responses"];
        let keys = [response.status.to_string(), format!("{}XX", response.status / 100)];
        let documented = keys.iter().map(|status| &responses[status]).find(|response| !response.is_null());
        let documented = documented.map_or(&Value::Null, |response| schemas.resolved(response));
        if documented.is_null() {
            return vec![format!(
                "{} {} does not document status {}",
                operation.method, operation.address, response.status
            )];
        }
        let mut violations = Vec::new();
        let headers = documented["headers"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let missing = headers.filter(|name| *name != "Link" && response.header(name).is_none());
        violations.extend(missing.map(|name| format!("the header {name} is missing")));
        match documented["content"].as_object() {
            None if response.body.is_empty() => {}
            None => violations.push("the body is not documented".to_owned()),
            Some(content) => match content.iter().find(|(kind, _)| has_media_type(response, kind)) {
                None => violations.push(format!("the body is {:?}", response.header("content-type"))),
                Some((kind, content)) if kind.contains("json") => {
                    schemas.check(&content["schema"], &response.json(), "body", &mut violations);
                }
                Some(_) => {}
            },
        }
        violations
    }

    /// A response of an undocumented address must be a problem.
    fn problem_violations(&self, response: &Response) -> Vec<String> {
        let mut violations = Vec::new();
        if !has_media_type(response, "application/problem+json") {
            return vec![format!("the address is not documented, and the response is not a problem")];
        }
        let problem = serde_json::json!({"$ref": "#/components/schemas/Problem"});
        Schemas::of(&self.document).check(&problem, &response.json(), "body", &mut violations);
        violations
    }
}

/// The violations of a self-contained schema, such as a tool's.
#[must_use]
pub fn schema_violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut violations = Vec::new();
    Schemas::of(schema).check(schema, value, "value", &mut violations);
    violations
}

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

fn matches(address: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let all = address.split('/').all(|wanted| {
        let part = parts.next();
        part.is_some_and(|part| wanted == part || wanted.starts_with('{'))
    });
    all && parts.next().is_none()
}

fn has_media_type(response: &Response, kind: &str) -> bool {
    let essence = |text: &str| text.split(';').next().unwrap_or_default().trim().to_owned();
    // the console's and documentation's files have several media types
    kind == "text/html" || response.header("content-type").is_some_and(|given| essence(given) == essence(kind))
}
