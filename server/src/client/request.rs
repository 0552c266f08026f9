use reqwest::RequestBuilder;
use reqwest::header::{CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
use serde::Serialize;

/// A body that the server accepts as JSON and as YAML.
#[derive(Clone, Debug)]
pub enum Document<'d, T> {
    /// A value, sent as JSON.
    Value(&'d T),
    /// The text of a YAML or JSON file, sent unread.
    File(Vec<u8>),
}

/// The parts of requests that [`RequestBuilder`] lacks.
pub(super) trait RequestParts: Sized {
    fn document<T: Serialize>(self, body: Document<'_, T>) -> Self;

    /// The version that the resource must have; 0: it must not exist.
    fn if_match(self, version: Option<i64>) -> Self;

    fn if_none_match(self, tag: Option<&str>) -> Self;

    /// With the key of an earlier request, the server returns the response to that one.
    fn idempotency_key(self, key: Option<&str>) -> Self;
}

impl RequestParts for RequestBuilder {
    fn document<T: Serialize>(self, body: Document<'_, T>) -> Self {
        match body {
            Document::Value(value) => self.json(value),
            Document::File(text) => self.header(CONTENT_TYPE, "application/yaml").body(text),
        }
    }

    fn if_match(self, version: Option<i64>) -> Self {
        match version {
            Some(version) => self.header(IF_MATCH, format!("\"{version}\"")),
            None => self,
        }
    }

    fn if_none_match(self, tag: Option<&str>) -> Self {
        match tag {
            Some(tag) => self.header(IF_NONE_MATCH, tag),
            None => self,
        }
    }

    fn idempotency_key(self, key: Option<&str>) -> Self {
        match key {
            Some(key) => self.header("Idempotency-Key", key),
            None => self,
        }
    }
}
