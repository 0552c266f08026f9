//! Memories in the making: ids, lengths and forms of labels.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::bounds::{KIND_CHARS, LABEL_CHARS, NAMESPACE_CHARS, TAGS};
use orgmem_types::{ExportedMemory, Object};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::record::time;
use super::{ForeignError, Output};

/// The longest content of a memory; a longer text becomes several. The server accepts 64 KiB by default.
const MAX_CONTENT: usize = 60 * 1024;

/// Where the memories go.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The author; only an array of a platform names authors itself.
    pub(crate) workspace: Option<Uuid>,
    pub(crate) scope: Scope,
    /// The time of the import.
    pub(crate) now: DateTime<Utc>,
}

impl Target {
    /// A memory of the target workspace.
    ///
    /// # Errors
    /// [`ForeignError`] without a workspace.
    pub(super) fn memory(&self, content: String) -> Result<ExportedMemory, ForeignError> {
        let workspace =
            self.workspace.ok_or_else(|| ForeignError::record("--workspace", "this format needs a workspace"))?;
        Ok(ExportedMemory::new(content, self.scope, workspace))
    }

    /// An id that depends on the workspace and the parts only, so that a repeated import has the same ids.
    pub(super) fn id_of(&self, parts: &[&str]) -> Uuid {
        let mut hash = Sha256::new();
        hash.update(self.workspace.unwrap_or_default().as_bytes());
        for part in parts {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let digest: [u8; 32] = hash.finalize().into();
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
        uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
    }

    /// Gives the memory to `output`: blank text is counted instead, expired text too, and a long text becomes several
    /// memories.
    pub(super) fn give(&self, at: &str, memory: ExportedMemory, output: &mut Output<'_>) -> Result<(), ForeignError> {
        if memory.content.trim().is_empty() {
            output.unmapped("records without text");
            return Ok(());
        }
        if memory.expires_at.is_some_and(|end| end <= self.now) {
            output.unmapped("records that have expired");
            return Ok(());
        }
        if memory.content.len() <= MAX_CONTENT {
            return output.memory(at, memory);
        }
        let parts = split(&memory.content);
        let first = memory.id.unwrap_or_else(|| self.id_of(&["text", &memory.content]));
        for (number, part) in (1..).zip(&parts) {
            let mut metadata = memory.metadata.clone().unwrap_or_default();
            metadata.insert("part".into(), json!({"number": number, "of": parts.len()}));
            let id = if number == 1 { first } else { self.id_of(&["part", &first.to_string(), &number.to_string()]) };
            let part = ExportedMemory {
                content: (*part).to_owned(),
                id: Some(id),
                metadata: Some(metadata),
                ..memory.clone()
            };
            output.memory(at, part)?;
        }
        Ok(())
    }
}

/// Parts of at most [`MAX_CONTENT`] bytes that end at a paragraph, a line or a word, if there is one in the second half.
fn split(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while text.len() > MAX_CONTENT {
        let most = text.floor_char_boundary(MAX_CONTENT);
        let ends = ["\n\n", "\n", " "].iter().filter_map(|end| text[..most].rfind(end).map(|at| at + end.len()));
        let end = ends.into_iter().find(|end| *end > most / 2).unwrap_or(most);
        parts.push(&text[..end]);
        text = &text[end..];
    }
    parts.push(text);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// A line of at most `most` characters.
fn line(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        None => line,
        Some(_) => line.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The fields of a memory whose forms are limited. A text that must be shortened remains whole in the metadata.
pub(super) trait Labels {
    fn set_title(&mut self, text: &str);
    fn set_namespace(&mut self, text: &str);
    fn set_kind(&mut self, text: &str);
    fn set_subject(&mut self, text: Option<&str>);
    fn set_session(&mut self, text: Option<&str>);
    fn add_tags<'t>(&mut self, tags: impl IntoIterator<Item = &'t str>);
    fn set_created_at(&mut self, text: Option<&str>);
    fn set_expires_at(&mut self, text: Option<&str>);
    /// Adds a member to the metadata under the name of the format.
    fn note(&mut self, format: &str, name: &str, value: impl Into<Value>);
}

/// The name under which [`Labels`] stores what it shortened.
const ORIGINAL: &str = "original";

impl Labels for ExportedMemory {
    fn set_title(&mut self, text: &str) {
        self.title = Some(line(text, LABEL_CHARS)).filter(|title| !title.is_empty());
        if self.title.as_deref().is_some_and(|title| title != text) {
            self.note(ORIGINAL, "title", text);
        }
    }

    fn set_namespace(&mut self, text: &str) {
        self.namespace = Some(line(text, NAMESPACE_CHARS)).filter(|namespace| !namespace.is_empty());
        if self.namespace.as_deref().is_some_and(|namespace| namespace != text) {
            self.note(ORIGINAL, "namespace", text);
        }
    }

    fn set_kind(&mut self, text: &str) {
        let word: String = text
            .trim()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .take(KIND_CHARS)
            .collect();
        let word = word.trim_matches('_');
        if word.starts_with(|c: char| c.is_ascii_lowercase()) {
            self.kind = Some(word.to_owned());
        }
        if self.kind.as_deref() != Some(text) {
            self.note(ORIGINAL, "kind", text);
        }
    }

    fn set_subject(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        self.subject = Some(line(text, LABEL_CHARS)).filter(|subject| !subject.is_empty());
        if self.subject.as_deref() != Some(text) {
            self.note(ORIGINAL, "subject", text);
        }
    }

    fn set_session(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        self.session_id = Some(line(text, LABEL_CHARS)).filter(|session| !session.is_empty());
        if self.session_id.as_deref() != Some(text) {
            self.note(ORIGINAL, "session_id", text);
        }
    }

    fn add_tags<'t>(&mut self, tags: impl IntoIterator<Item = &'t str>) {
        let mut changed = Vec::new();
        for text in tags {
            let tag = line(text, LABEL_CHARS);
            if tag != text || (self.tags.len() == TAGS && !self.tags.contains(&tag)) {
                changed.push(text);
            }
            if !tag.is_empty() && !self.tags.contains(&tag) && self.tags.len() < TAGS {
                self.tags.push(tag);
            }
        }
        if !changed.is_empty() {
            self.note(ORIGINAL, "tags", changed);
        }
    }

    fn set_created_at(&mut self, text: Option<&str>) {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return };
        self.created_at = time(text).filter(|time| *time >= DateTime::UNIX_EPOCH);
        if self.created_at.is_none() {
            self.note(ORIGINAL, "created_at", text);
        }
    }

    fn set_expires_at(&mut self, text: Option<&str>) {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return };
        self.expires_at = time(text);
        if self.expires_at.is_none() {
            self.note(ORIGINAL, "expires_at", text);
        }
    }

    fn note(&mut self, format: &str, name: &str, value: impl Into<Value>) {
        let metadata = self.metadata.get_or_insert_default();
        let notes = metadata.entry(format).or_insert_with(|| Value::Object(Object::new()));
        match notes {
            Value::Object(notes) => {
                notes.insert(name.to_owned(), value.into());
            }
            // the author's own metadata have this name
            _ => {
                metadata.insert(format!("{format}.{name}"), value.into());
            }
        }
    }
}
