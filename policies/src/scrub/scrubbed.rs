//! Types that prove scrubbing.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::quote::{defuse, defuse_json};

/// Text without credentials. Only [`Scrubber::scrub`](super::Scrubber::scrub) creates it, or [`Scrubbed::fixed`] from a
/// literal.
///
/// ```compile_fail
/// let text = orgmem_policies::scrub::Scrubbed(String::from("not scrubbed"));
/// ```
///
/// ```compile_fail
/// let text = orgmem_policies::scrub::Scrubbed::from(String::from("not scrubbed"));
/// ```
///
/// ```compile_fail
/// let text: orgmem_policies::scrub::Scrubbed = serde_json::from_str("\"not scrubbed\"").expect("a string");
/// ```
///
/// ```compile_fail
/// let built_at_run_time = String::from("not scrubbed");
/// let text = orgmem_policies::scrub::Scrubbed::fixed(&built_at_run_time);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Scrubbed(String);

impl Scrubbed {
    /// A text literal of the program.
    #[must_use]
    pub fn fixed(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    /// Defuses imitated quotations.
    pub(crate) fn defused(self) -> Self {
        match defuse(&self.0) {
            Cow::Borrowed(_) => self,
            Cow::Owned(text) => Self(text),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The owned text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Scrubbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// JSON without credentials in its strings. Only [`Scrubber::scrub_json`](super::Scrubber::scrub_json) and
/// [`Scrubber::scrub_entry`](super::Scrubber::scrub_entry) create it. `Display` writes compact JSON.
///
/// ```compile_fail
/// let value = orgmem_policies::scrub::ScrubbedJson(serde_json::json!({"not": "scrubbed"}));
/// ```
///
/// ```compile_fail
/// let value = orgmem_policies::scrub::ScrubbedJson::from(serde_json::json!({"not": "scrubbed"}));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ScrubbedJson(Value);

impl ScrubbedJson {
    pub(super) fn new(value: Value) -> Self {
        Self(value)
    }

    /// Defuses imitated quotations, in keys too.
    pub(crate) fn defused(mut self) -> Self {
        defuse_json(&mut self.0);
        self
    }

    /// The scrubbed value.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// The owned value.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.0
    }
}

impl fmt::Display for ScrubbedJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The redactions of one kind in a write. The caller adds the name of the field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Redaction {
    /// The kind in the marker, such as `GITHUB_TOKEN`.
    pub kind: Arc<str>,
    /// Number of inserted markers.
    pub count: usize,
}
