//! Drafts of records: the current values of operational truths, as a source of record pushes them.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value};

use super::claims::{MAX_CLAIM_NAME, check_name, check_value};
use super::field_scrubber::{FieldScrubber, within};
use super::{DraftFault, FieldRedaction};
use crate::instants::is_storable;
use crate::scrub::{Scrubbed, Scrubber};

/// Fields of one record.
pub const MAX_RECORD_FIELDS: usize = 64;
/// Characters of a unit.
pub const MAX_UNIT: usize = 32;
/// Characters of the name of a source.
const MAX_SOURCE: usize = 200;
/// Clock difference of a source that is accepted. A value from the future would hide all later ones until then.
const CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(5);

/// An unchecked value of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordValueInput {
    /// A string, a number or a boolean.
    pub value: Value,
    /// The unit of the value.
    pub unit: Option<String>,
}

/// What a write does with the fields of the record that it does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordChange {
    /// Removes them.
    Replace,
    /// Leaves them.
    Merge,
}

/// Unchecked input.
#[derive(Clone, Debug)]
pub struct RecordInput {
    /// The thing that the record describes.
    pub entity: String,
    /// Values by field; `None` removes the field.
    pub fields: BTreeMap<String, Option<RecordValueInput>>,
    /// The instant at which the values held.
    pub as_of: DateTime<Utc>,
    /// The system that the values come from; by default the name of the caller.
    pub source: Option<String>,
    /// What happens to other fields.
    pub change: RecordChange,
}

/// A checked write of a record.
#[derive(Clone, Debug)]
pub struct RecordDraft(RecordFields);

/// The fields of a [`RecordDraft`].
#[derive(Clone, Debug)]
pub struct RecordFields {
    /// The thing that the record describes.
    pub entity: Scrubbed,
    /// Values with their units, by field; `None` removes the field.
    pub fields: BTreeMap<String, Option<(Value, Option<Scrubbed>)>>,
    /// The instant at which the values held, in whole microseconds.
    pub as_of: DateTime<Utc>,
    /// The system that the values come from.
    pub source: Scrubbed,
    /// What happens to other fields.
    pub change: RecordChange,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl RecordDraft {
    /// Checks and scrubs input of `caller`, received at `now`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/records.md`, "Fields".
    pub fn check(
        input: RecordInput,
        scrubber: &Scrubber,
        caller: &str,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let entity = entity_of(&mut scrub, &input.entity)?;
        within("fields", input.fields.len(), MAX_RECORD_FIELDS, "fields")?;
        let source = scrub.line("source", input.source.as_deref().unwrap_or(caller), MAX_SOURCE)?;
        if !is_storable(input.as_of) || input.as_of > now + CLOCK_DIFFERENCE {
            let expected = "a time that is not in the future";
            return Err(DraftFault::Form { field: "as_of", expected });
        }
        let mut values = Map::new();
        let mut units = BTreeMap::new();
        for (name, value) in input.fields {
            let name = check_name("fields", &name)?.to_owned();
            if let Some(RecordValueInput { value, .. }) = &value {
                check_value("fields.value", value)?;
            }
            let (value, unit) = value.map_or((Value::Null, None), |field| (field.value, field.unit));
            units.insert(name.clone(), scrub.line_if("fields.unit", unit.as_deref(), MAX_UNIT)?);
            if values.insert(name, value).is_some() {
                return Err(DraftFault::Form { field: "fields", expected: "without two names that differ in blanks" });
            }
        }
        // the names go through the scrubber as keys: one that looks like a credential is refused
        let scrubbed = scrub.json("fields", Value::Object(values), usize::MAX)?.into_value();
        let Value::Object(scrubbed) = scrubbed else {
            return Err(DraftFault::Form { field: "fields", expected: "an object" });
        };
        let fields = scrubbed.into_iter().map(|(name, value)| {
            let unit = units.remove(&name).flatten();
            let value = (!value.is_null()).then_some((value, unit));
            (name, value)
        });
        Ok(Self(RecordFields {
            entity,
            fields: fields.collect(),
            as_of: whole_micros(input.as_of),
            source,
            change: input.change,
            redactions: scrub.redactions(),
        }))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &RecordFields {
        &self.0
    }
}

/// Checks the form of an entity: one visible line of at most 200 characters. Blanks around it do not count.
///
/// # Errors
/// [`DraftFault`] for the field `entity`.
pub fn check_entity(entity: &str) -> Result<&str, DraftFault> {
    check_name("entity", entity)
}

fn entity_of(scrub: &mut FieldScrubber<'_>, entity: &str) -> Result<Scrubbed, DraftFault> {
    let entity = check_entity(entity)?;
    scrub.line("entity", entity, MAX_CLAIM_NAME)
}

/// The precision of both databases; a finer `as_of` would be newer than what is stored of it.
fn whole_micros(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(time.timestamp_micros()).unwrap_or(time)
}
