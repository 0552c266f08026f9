//! What the server answered.

use reqwest::header::HeaderMap;
use serde_json::Value;
use uuid::Uuid;

/// An answer, wholly read.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The request in a few words, for whoever reads a failure.
    pub to: String,
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, as it came.
    pub body: Vec<u8>,
}

impl Answer {
    /// The same answer, which must have this status.
    ///
    /// # Panics
    /// When it has another: the test has failed.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.shown());
        self
    }

    /// The problem that it is, which must have this status and code.
    ///
    /// # Panics
    /// When it is another, or none.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.shown());
        let problem = self.json();
        assert_eq!(problem["code"], code, "{}", self.shown());
        problem
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.shown()))
    }

    /// The items of a list.
    ///
    /// # Panics
    /// When the body is no array.
    #[track_caller]
    #[must_use]
    pub fn items(&self) -> Vec<Value> {
        match self.json() {
            Value::Array(items) => items,
            other => panic!("a list is wanted, not {other}; {}", self.to),
        }
    }

    /// The ids of the items of a list, in their order.
    ///
    /// # Panics
    /// When an item has none.
    #[track_caller]
    #[must_use]
    pub fn ids(&self) -> Vec<Uuid> {
        self.items().iter().map(|item| id_of(item, "id")).collect()
    }

    /// The id in a member of the body.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    #[must_use]
    pub fn id(&self, member: &str) -> Uuid {
        id_of(&self.json(), member)
    }

    /// A header as text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Where the next page of a list is, from the `Link` header.
    #[must_use]
    pub fn next(&self) -> Option<String> {
        let (address, relation) = self.header("link")?.split_once('>')?;
        assert_eq!(relation, "; rel=\"next\"", "{}", self.shown());
        Some(address.trim_start_matches('<').to_owned())
    }

    /// The answer as a person would like to see it in a failed test.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{} answered {}: {}", self.to, self.status, String::from_utf8_lossy(&self.body))
    }
}

/// The id in a member of a JSON object.
///
/// # Panics
/// When there is none.
#[track_caller]
#[must_use]
pub fn id_of(object: &Value, member: &str) -> Uuid {
    let text = object[member].as_str().unwrap_or_else(|| panic!("there is no `{member}` in {object}"));
    text.parse().unwrap_or_else(|_| panic!("`{member}` of {object} is no id"))
}
