//! Responses of the server.

use reqwest::header::HeaderMap;
use serde_json::Value;
use uuid::Uuid;

#[derive(Clone, Debug)]
pub struct Response {
    /// Method and path of the request.
    pub to: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Response {
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.describe());
        self
    }

    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.describe());
        let problem = self.json();
        assert_eq!(problem["code"], code, "{}", self.describe());
        problem
    }

    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.describe()))
    }

    #[track_caller]
    #[must_use]
    pub fn items(&self) -> Vec<Value> {
        match self.json() {
            Value::Array(items) => items,
            other => panic!("a list is wanted, not {other}; {}", self.to),
        }
    }

    #[track_caller]
    #[must_use]
    pub fn ids(&self) -> Vec<Uuid> {
        self.items().iter().map(|item| id_of(item, "id")).collect()
    }

    #[track_caller]
    #[must_use]
    pub fn id(&self, member: &str) -> Uuid {
        id_of(&self.json(), member)
    }

    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    #[must_use]
    pub fn next(&self) -> Option<String> {
        let (address, relation) = self.header("link")?.split_once('>')?;
        assert_eq!(relation, "; rel=\"next\"", "{}", self.describe());
        Some(address.trim_start_matches('<').to_owned())
    }

    #[must_use]
    pub fn describe(&self) -> String {
        format!("{} answered {}: {}", self.to, self.status, String::from_utf8_lossy(&self.body))
    }
}

#[track_caller]
#[must_use]
pub fn id_of(object: &Value, member: &str) -> Uuid {
    let text = object[member].as_str().unwrap_or_else(|| panic!("there is no `{member}` in {object}"));
    text.parse().unwrap_or_else(|_| panic!("`{member}` of {object} is no id"))
}
