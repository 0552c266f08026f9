//! Scrubbing of stored text with changed rules. Nothing is refused: a key that matches a rule is replaced too.

use serde_json::{Map, Value};

use super::scrubber::Tally;
use super::{Redaction, Scrubber};

/// A stored text that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescrubbed {
    /// The text without credentials.
    pub text: String,
    /// The replacements by kind.
    pub redactions: Vec<Redaction>,
}

impl Scrubber {
    /// A stored text without what the rules find now; `None` if they find nothing.
    #[must_use]
    pub fn rescrub(&self, text: &str) -> Option<Rescrubbed> {
        let (scrubbed, redactions) = self.scrub(text);
        (!redactions.is_empty()).then(|| Rescrubbed { text: scrubbed.into_string(), redactions })
    }

    /// The same for JSON that is stored as text, under `name`. Text that is not JSON is scrubbed as text.
    #[must_use]
    pub fn rescrub_json(&self, name: Option<&str>, text: &str) -> Option<Rescrubbed> {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else { return self.rescrub(text) };
        let mut tally = Tally::default();
        self.replace_keys(&mut value, &mut tally);
        // no key matches a rule any more, so the walk is complete
        let walked = self.walk_under(name, &mut value, &mut tally);
        let redactions = tally.redactions();
        if walked.is_err() {
            return self.rescrub(text);
        }
        (!redactions.is_empty()).then(|| Rescrubbed { text: value.to_string(), redactions })
    }

    /// Replaces the keys that match a rule by their marker, with a number where several become equal.
    fn replace_keys(&self, value: &mut Value, tally: &mut Tally) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace_keys(item, tally)),
            Value::Object(fields) => {
                if fields.keys().any(|key| self.check_key(key).is_err()) {
                    *fields = self.with_safe_keys(std::mem::take(fields), tally);
                }
                fields.iter_mut().for_each(|(_, field)| self.replace_keys(field, tally));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn with_safe_keys(&self, fields: Map<String, Value>, tally: &mut Tally) -> Map<String, Value> {
        let mut safe = Map::with_capacity(fields.len());
        for (key, field) in fields {
            let key = match self.check_key(&key) {
                Ok(_) => key,
                Err(_) => self.scrub_into(&key, tally).into_string(),
            };
            let mut name = key.clone();
            let mut number = 2;
            while safe.contains_key(&name) {
                name = format!("{key} {number}");
                number += 1;
            }
            safe.insert(name, field);
        }
        safe
    }
}
