//! Scrubbing of JSON values, with the name of each string as context.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::examined::ExaminedBytes;
use super::scrubber::{Tally, marker};
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
        self.check_key_within("", key, &ExaminedBytes::default())?;
        Ok(Scrubbed::new(key.to_owned()))
    }

    fn check_key_within(&self, path: &str, key: &str, work: &ExaminedBytes) -> Result<(), CredentialKey> {
        match self.finder.find(key, work).first() {
            None => Ok(()),
            Some(credential) => {
                Err(CredentialKey { path: path.to_owned(), kind: Arc::clone(&self.finder.rule(credential.rule).kind) })
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

    /// As [`work`](Self::work), for a JSON value under `name`.
    #[must_use]
    pub fn work_json(&self, name: Option<&str>, mut value: Value) -> u64 {
        let mut tally = Tally::default();
        // a refused key ends the work early
        let _ = self.walk_under(name, &mut value, &mut tally);
        tally.work.total()
    }

    fn scrub_named(
        &self,
        name: Option<&str>,
        mut value: Value,
    ) -> Result<(ScrubbedJson, Vec<Redaction>), CredentialKey> {
        let mut tally = Tally::default();
        self.walk_under(name, &mut value, &mut tally)?;
        Ok((ScrubbedJson::new(value), tally.redactions()))
    }

    pub(super) fn walk_under(
        &self,
        name: Option<&str>,
        value: &mut Value,
        tally: &mut Tally,
    ) -> Result<(), CredentialKey> {
        let rules = name.map_or_else(Vec::new, |name| self.finder.rules_for(name, &tally.work));
        self.walk(value, &rules, &mut String::new(), tally)
    }

    /// `rules` judge the strings of `value` by its name. They are found once for each name, not for each string.
    fn walk(
        &self,
        value: &mut Value,
        rules: &[usize],
        path: &mut String,
        tally: &mut Tally,
    ) -> Result<(), CredentialKey> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => *text = self.scrub_value(rules, text, tally),
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.step(item, rules, &index.to_string(), path, tally)?;
                }
            }
            Value::Object(fields) => {
                let variable = variable_name(fields).map(|name| self.finder.rules_for(name, &tally.work));
                for (key, field) in fields.iter_mut() {
                    self.check_key_within(path, key, &tally.work)?;
                    match variable.as_deref().filter(|_| key.eq_ignore_ascii_case("value")) {
                        Some(rules) => self.step(field, rules, key, path, tally)?,
                        None if matches!(field, Value::String(_) | Value::Array(_)) => {
                            self.step(field, &self.finder.rules_for(key, &tally.work), key, path, tally)?;
                        }
                        None => self.step(field, &[], key, path, tally)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn step(
        &self,
        value: &mut Value,
        rules: &[usize],
        step: &str,
        path: &mut String,
        tally: &mut Tally,
    ) -> Result<(), CredentialKey> {
        let above = path.len();
        path.push('/');
        path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        self.walk(value, rules, path, tally)?;
        path.truncate(above);
        Ok(())
    }

    /// A string under a name that `rules` judge.
    fn scrub_value(&self, rules: &[usize], text: &str, tally: &mut Tally) -> String {
        // text around a marker is judged without the name; otherwise a second scrub would find less context
        let rules = if self.markers.is_match(text) { &[] } else { rules };
        let Some(credential) = self.finder.find_named(rules, text, &tally.work) else {
            return self.scrub_into(text, tally).into_string();
        };
        let Range { start, end } = credential.span;
        // a rule that recognises the value itself names the kind more precisely
        let known =
            self.finder.find(&text[start..end], &tally.work).into_iter().filter(|known| known.span == (0..end - start));
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
