//! Scrubbing of JSON values, with the name of each string as context.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::scrubber::{ReplacementCounts, marker};
use super::{Redaction, Scrubbed, ScrubbedJson, Scrubber};

/// A key that looks like a credential. Keys are never rewritten, so the write is refused with 400.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key{} has the shape of a credential ({kind}); use another name", in_path(path))]
pub struct CredentialKey {
    /// JSON pointer of the object that contains the key, empty for the outermost; never the key itself.
    pub path: String,
    /// Kind of credential, such as `GITHUB_TOKEN`.
    pub kind: Arc<str>,
}

fn in_path(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" in `{path}`") }
}

impl Scrubber {
    /// Checks that a key is not a credential.
    ///
    /// # Errors
    /// [`CredentialKey`] with an empty path.
    pub fn check_key(&self, key: &str) -> Result<Scrubbed, CredentialKey> {
        match self.finder.find(key).first() {
            None => Ok(Scrubbed::new(key.to_owned())),
            Some(credential) => {
                Err(CredentialKey { path: String::new(), kind: Arc::clone(&self.finder.rule(credential.rule).kind) })
            }
        }
    }

    /// Scrubs every string in `value`. Returns the redactions by kind.
    ///
    /// A string under a name that announces a credential (`{"api_key": "…"}`, an element of `{"tokens": ["…"]}`, the
    /// value of `{"name": "API_KEY", "value": "…"}`) is judged like the same assignment in text and replaced as a
    /// whole. Numbers and booleans stay.
    ///
    /// # Errors
    /// [`CredentialKey`] when a key looks like a credential; nothing is rewritten then.
    ///
    /// # Source
    /// `docs/spec/secrets.md`, "Secrets never land".
    pub fn scrub_json(&self, value: Value) -> Result<(ScrubbedJson, Vec<Redaction>), CredentialKey> {
        self.scrub_named(None, value)
    }

    /// Checks the key of an entry and scrubs its value in the context of that key.
    ///
    /// # Errors
    /// [`CredentialKey`] when the key, or a key in the value, looks like a credential.
    pub fn scrub_entry(
        &self,
        key: &str,
        value: Value,
    ) -> Result<(Scrubbed, ScrubbedJson, Vec<Redaction>), CredentialKey> {
        let scrubbed_key = self.check_key(key)?;
        let (value, redactions) = self.scrub_named(Some(key), value)?;
        Ok((scrubbed_key, value, redactions))
    }

    fn scrub_named(
        &self,
        name: Option<&str>,
        mut value: Value,
    ) -> Result<(ScrubbedJson, Vec<Redaction>), CredentialKey> {
        let mut tally = ReplacementCounts::default();
        self.walk(&mut value, name, &mut String::new(), &mut tally)?;
        Ok((ScrubbedJson::new(value), tally.redactions()))
    }

    fn walk(
        &self,
        value: &mut Value,
        name: Option<&str>,
        path: &mut String,
        tally: &mut ReplacementCounts,
    ) -> Result<(), CredentialKey> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => *text = self.scrub_value(name, text, tally),
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.step(item, name, &index.to_string(), path, tally)?;
                }
            }
            Value::Object(fields) => {
                let variable = variable_name(fields).map(str::to_owned);
                for (key, field) in fields.iter_mut() {
                    self.check_key(key).map_err(|refused| CredentialKey { path: path.clone(), ..refused })?;
                    let name = variable.as_deref().filter(|_| key.eq_ignore_ascii_case("value")).unwrap_or(key);
                    self.step(field, Some(name), key, path, tally)?;
                }
            }
        }
        Ok(())
    }

    fn step(
        &self,
        value: &mut Value,
        name: Option<&str>,
        step: &str,
        path: &mut String,
        tally: &mut ReplacementCounts,
    ) -> Result<(), CredentialKey> {
        let above = path.len();
        path.push('/');
        path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        self.walk(value, name, path, tally)?;
        path.truncate(above);
        Ok(())
    }

    /// A string under `name`.
    fn scrub_value(&self, name: Option<&str>, text: &str, tally: &mut ReplacementCounts) -> String {
        // text around a marker is judged without the name; otherwise a second scrub would find less context
        let name = name.filter(|_| !self.markers.is_match(text));
        let Some(credential) = name.and_then(|name| self.finder.find_by_name(name, text)) else {
            return self.scrub_into(text, tally).into_string();
        };
        let Range { start, end } = credential.span;
        // a rule that recognises the value itself names the kind more precisely
        let known = self.finder.find(&text[start..end]).into_iter().filter(|known| known.span == (0..end - start));
        let rule = known.map(|known| known.rule).fold(credential.rule, usize::min);
        let kind = &self.finder.rule(rule).kind;
        let mut out = self.scrub_into(&text[..start], tally).into_string();
        out.push_str(&marker(kind));
        tally.count(kind);
        out.push_str(self.scrub_into(&text[end..], tally).as_str());
        out
    }
}

/// The name in `{"name": …, "value": …}`, the form of environment variables.
fn variable_name(fields: &Map<String, Value>) -> Option<&str> {
    ["name", "key", "Name", "Key"].iter().find_map(|field| fields.get(*field)?.as_str())
}
