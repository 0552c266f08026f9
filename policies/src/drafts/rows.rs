//! Drafts of collections and of their rows.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::field_scrubber::{FieldScrubber, within};
use super::{DraftFault, FieldRedaction};
use crate::instants::is_storable;
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

/// Characters of the name of a collection or of a processor.
pub(super) const MAX_SLUG: usize = 50;
/// Characters of the name of a column.
pub const MAX_COLUMN: usize = 200;
/// Characters of the key of a row.
pub const MAX_ROW_KEY: usize = 200;
/// Bytes of a schema or of the definition of a processor as JSON.
pub(super) const MAX_DEFINITION_BYTES: usize = 64 * 1024;

/// The unchecked settings of a collection.
#[derive(Clone, Debug)]
pub struct CollectionInput {
    /// Unique in the workspace.
    pub name: String,
    /// The column of the key.
    pub key: String,
    /// The column of the time.
    pub time: Option<String>,
    /// JSON Schema.
    pub schema: Option<Map<String, Value>>,
}

/// The settings of a collection.
#[derive(Clone, Debug)]
pub struct CollectionDraft(CollectionFields);

/// The fields of a [`CollectionDraft`].
#[derive(Clone, Debug)]
pub struct CollectionFields {
    /// Unique in the workspace.
    pub name: Scrubbed,
    /// The column of the key.
    pub key: Scrubbed,
    /// The column of the time.
    pub time: Option<Scrubbed>,
    /// JSON Schema.
    pub schema: Option<ScrubbedJson>,
}

impl CollectionDraft {
    /// Checks and scrubs the settings of a collection.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/rows.md`, "Collections".
    pub fn check(input: CollectionInput, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        check_slug("name", &input.name)?;
        Ok(Self(CollectionFields {
            name: scrub.line("name", &input.name, MAX_SLUG)?,
            key: scrub.line("key", &input.key, MAX_COLUMN)?,
            time: scrub.line_if("time", input.time.as_deref(), MAX_COLUMN)?,
            schema: scrub.object_if("schema", input.schema, MAX_DEFINITION_BYTES)?,
        }))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &CollectionFields {
        &self.0
    }
}

/// An unchecked row, whose form its collection has checked.
#[derive(Clone, Debug)]
pub struct RowInput {
    /// Unique in the collection.
    pub key: String,
    /// The instant in the column of the time.
    pub time: Option<DateTime<Utc>>,
    /// All columns.
    pub values: Map<String, Value>,
}

/// A row that may be stored.
#[derive(Clone, Debug)]
pub struct RowDraft(RowFields);

/// The fields of a [`RowDraft`].
#[derive(Clone, Debug)]
pub struct RowFields {
    /// Unique in the collection.
    pub key: Scrubbed,
    /// The instant in the column of the time.
    pub time: Option<DateTime<Utc>>,
    /// All columns.
    pub values: ScrubbedJson,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl RowDraft {
    /// Checks and scrubs a row.
    ///
    /// # Errors
    /// [`DraftFault`] of the first fault.
    ///
    /// # Source
    /// `docs/spec/rows.md`.
    pub fn check(input: RowInput, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let key = scrub.line("key", &input.key, MAX_ROW_KEY)?;
        // two rows must not become one
        if key.as_str() != input.key {
            let expected = "a text that is neither a credential nor the frame of a quotation";
            return Err(DraftFault::Form { field: "key", expected });
        }
        if input.time.is_some_and(|time| !is_storable(time)) {
            return Err(DraftFault::Form { field: "time", expected: "a time in the years 0 to 9999" });
        }
        let values = scrub.json("rows", Value::Object(input.values), usize::MAX)?;
        Ok(Self(RowFields { key, time: input.time, values, redactions: scrub.redactions() }))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &RowFields {
        &self.0
    }
}

/// The definition of a processor, whose meaning was checked.
#[derive(Clone, Debug)]
pub struct ProcessorDraft {
    name: Scrubbed,
    collection: Scrubbed,
    definition: ScrubbedJson,
}

impl ProcessorDraft {
    /// Checks and scrubs the definition of a processor.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/processors.md`, "Definition".
    pub fn check(
        name: &str,
        collection: &str,
        definition: Map<String, Value>,
        scrubber: &Scrubber,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        check_slug("name", name)?;
        check_slug("collection", collection)?;
        Ok(Self {
            name: scrub.line("name", name, MAX_SLUG)?,
            collection: scrub.line("collection", collection, MAX_SLUG)?,
            definition: scrub.json("definition", Value::Object(definition), MAX_DEFINITION_BYTES)?,
        })
    }

    /// Unique in the workspace.
    #[must_use]
    pub fn name(&self) -> &Scrubbed {
        &self.name
    }

    /// The collection whose rows it reads.
    #[must_use]
    pub fn collection(&self) -> &Scrubbed {
        &self.collection
    }

    /// The definition as it will be stored.
    #[must_use]
    pub fn definition(&self) -> &ScrubbedJson {
        &self.definition
    }
}

/// The values of the dimensions of a group, as a list of texts.
#[derive(Clone, Debug)]
pub struct GroupDraft(ScrubbedJson);

impl GroupDraft {
    /// Scrubs the values of a group. They come from scrubbed rows, but a cut or a lower-cased value may look like a credential.
    ///
    /// # Errors
    /// Never for texts.
    pub fn check(values: &[String], scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        scrub.json("dimensions", Value::from(values.to_vec()), usize::MAX).map(Self)
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> &ScrubbedJson {
        &self.0
    }
}

/// Checks the form of the key of a row in an address or a request.
///
/// # Errors
/// [`DraftFault`] for the field `key`.
pub fn check_row_key(key: &str) -> Result<(), DraftFault> {
    within("key", key.chars().count(), MAX_ROW_KEY, "characters")?;
    super::field_scrubber::no_nul("key", key)
}

fn check_slug(field: &'static str, name: &str) -> Result<(), DraftFault> {
    let is_slug = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= MAX_SLUG
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let expected = "1 to 50 of `a-z`, `0-9` and `-`, beginning with a letter";
    if is_slug { Ok(()) } else { Err(DraftFault::Form { field, expected }) }
}
