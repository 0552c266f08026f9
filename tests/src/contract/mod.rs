//! What the server says of itself in `/openapi.json`, and whether an answer is as it says.

mod schema;

use serde_json::Value;

use crate::answer::Answer;
use schema::Schemas;

/// The description of a server.
#[derive(Debug)]
pub struct Contract {
    document: Value,
}

/// One described operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'c> {
    /// GET, POST, …
    pub method: &'c str,
    /// Its address, such as `/workspaces/{id}`.
    pub address: &'c str,
    /// What is said of it.
    pub said: &'c Value,
}

impl Contract {
    /// The contract in this document.
    #[must_use]
    pub fn new(document: Value) -> Self {
        Self { document }
    }

    /// One that says nothing, for whoever reads the description itself.
    #[must_use]
    pub fn none() -> Self {
        Self::new(Value::Null)
    }

    /// The whole document.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Every operation that is described.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let addresses = self.document["paths"].as_object().into_iter().flatten();
        addresses.flat_map(|(address, item)| {
            let methods = ["get", "post", "put", "patch", "delete"].into_iter().zip(METHODS);
            methods.filter_map(move |(key, method)| Some(Operation { method, address, said: item.get(key)? }))
        })
    }

    /// The operation that answers such a request. A described address goes before one with a parameter.
    #[must_use]
    pub fn operation(&self, method: &str, path: &str) -> Option<Operation<'_>> {
        let path = path.split('?').next().unwrap_or_default();
        let fitting = self.operations().filter(|operation| operation.method == method && fits(operation.address, path));
        fitting.min_by_key(|operation| operation.address.matches('{').count())
    }

    /// Holds an answer to what is said.
    ///
    /// # Panics
    /// When it is not as it is said, which fails the test.
    #[track_caller]
    pub(crate) fn hold(&self, method: &str, path: &str, answer: &Answer) {
        if self.document.is_null() {
            return;
        }
        assert!(answer.header("x-request-id").is_some(), "there is no X-Request-Id; {}", answer.shown());
        let faults = match self.operation(method, path) {
            Some(operation) => self.faults(operation, answer),
            None => self.problem_faults(answer),
        };
        assert!(faults.is_empty(), "/openapi.json does not promise this: {faults:#?}\n{}", answer.shown());
    }

    /// What is not as it is said of this operation.
    fn faults(&self, operation: Operation<'_>, answer: &Answer) -> Vec<String> {
        let schemas = Schemas::of(&self.document);
        let responses = &operation.said["responses"];
        let said = [answer.status.to_string(), format!("{}XX", answer.status / 100)];
        let said = said.iter().map(|status| &responses[status]).find(|said| !said.is_null());
        let said = said.map_or(&Value::Null, |said| schemas.resolved(said));
        if said.is_null() {
            return vec![format!("{} {} says nothing of {}", operation.method, operation.address, answer.status)];
        }
        let mut faults = Vec::new();
        let promised = said["headers"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let missing = promised.filter(|name| *name != "Link" && answer.header(name).is_none());
        faults.extend(missing.map(|name| format!("the header {name} is missing")));
        match said["content"].as_object() {
            None if answer.body.is_empty() => {}
            None => faults.push("there is a body".to_owned()),
            Some(content) => match content.iter().find(|(kind, _)| is_of(answer, kind)) {
                None => faults.push(format!("the body is {:?}", answer.header("content-type"))),
                Some((kind, content)) if kind.contains("json") => {
                    schemas.check(&content["schema"], &answer.json(), "body", &mut faults);
                }
                Some(_) => {}
            },
        }
        faults
    }

    /// Where nothing is described, the answer is a problem.
    fn problem_faults(&self, answer: &Answer) -> Vec<String> {
        let mut faults = Vec::new();
        if !is_of(answer, "application/problem+json") {
            return vec![format!("nothing is said of this address, and the answer is no problem")];
        }
        let problem = serde_json::json!({"$ref": "#/components/schemas/Problem"});
        Schemas::of(&self.document).check(&problem, &answer.json(), "body", &mut faults);
        faults
    }
}

/// What is wrong with `value` by a schema that stands on its own, such as a tool's.
#[must_use]
pub fn faults_by(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    Schemas::of(schema).check(schema, value, "it", &mut faults);
    faults
}

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

fn fits(address: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let all = address.split('/').all(|wanted| {
        let part = parts.next();
        part.is_some_and(|part| wanted == part || wanted.starts_with('{'))
    });
    all && parts.next().is_none()
}

fn is_of(answer: &Answer, kind: &str) -> bool {
    let of = |text: &str| text.split(';').next().unwrap_or_default().trim().to_owned();
    // a page has files of many kinds
    kind == "text/html" || answer.header("content-type").is_some_and(|given| of(given) == of(kind))
}
