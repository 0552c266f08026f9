//! Records: which values a write changes.
//!
//! The newer `as_of` wins, in whatever order writes arrive, so redelivered and delayed writes of a source do no harm. Of two
//! writes with the same `as_of` the later one wins, so that a source can correct itself.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::drafts::{RecordChange, RecordDraft};

/// What is stored of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordState {
    /// The instant of the last replacement or deletion: older writes are without effect.
    pub replaced_as_of: Option<DateTime<Utc>>,
    /// The fields, removed ones included.
    pub fields: BTreeMap<String, FieldState>,
}

/// What is stored of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldState {
    /// The instant of the write.
    pub as_of: DateTime<Utc>,
    /// `None` if the field was removed.
    pub value: Option<FieldValue>,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValue {
    /// A string, a number or a boolean.
    pub value: Value,
    /// The unit.
    pub unit: Option<String>,
    /// The system that the value comes from.
    pub source: String,
}

/// The effect of a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordPlan {
    /// Set if the write replaces the record.
    pub replaced_as_of: Option<DateTime<Utc>>,
    /// Fields with new states.
    pub set: BTreeMap<String, FieldState>,
    /// Fields whose rows are no longer needed, because the replacement is newer.
    pub dropped: Vec<String>,
    /// Fields of the write that a newer write had set before.
    pub ignored: Vec<String>,
    /// Whether a newer replacement or deletion makes the whole write void.
    pub is_void: bool,
}

/// The effect of `draft` on a record in `state`.
///
/// Writes with different `as_of` commute: any order of arrival gives the same live fields.
///
/// # Source
/// `docs/spec/records.md`, "The newer value wins".
#[must_use]
pub fn plan_record(state: &RecordState, draft: &RecordDraft) -> RecordPlan {
    let write = draft.fields();
    let as_of = write.as_of;
    let mut plan = RecordPlan::default();
    if state.replaced_as_of.is_some_and(|replaced| replaced > as_of) {
        plan.is_void = true;
        plan.ignored = write.fields.keys().cloned().collect();
        return plan;
    }
    for (name, value) in &write.fields {
        if state.fields.get(name).is_some_and(|field| field.as_of > as_of) {
            plan.ignored.push(name.clone());
            continue;
        }
        let value = value.as_ref().map(|(value, unit)| FieldValue {
            value: value.clone(),
            unit: unit.as_ref().map(|unit| unit.as_str().to_owned()),
            source: write.source.as_str().to_owned(),
        });
        plan.set.insert(name.clone(), FieldState { as_of, value });
    }
    if write.change == RecordChange::Replace {
        plan.replaced_as_of = Some(as_of);
        let older = state.fields.iter().filter(|(name, field)| field.as_of <= as_of && !plan.set.contains_key(*name));
        plan.dropped = older.map(|(name, _)| name.clone()).collect();
    }
    plan
}

impl RecordState {
    /// The state after `plan`.
    #[must_use]
    pub fn after(mut self, plan: &RecordPlan) -> Self {
        self.replaced_as_of = plan.replaced_as_of.or(self.replaced_as_of);
        for name in &plan.dropped {
            self.fields.remove(name);
        }
        self.fields.extend(plan.set.iter().map(|(name, field)| (name.clone(), field.clone())));
        self
    }

    /// The fields that were not removed.
    pub fn live(&self) -> impl Iterator<Item = (&str, &FieldState, &FieldValue)> {
        self.fields.iter().filter_map(|(name, field)| Some((name.as_str(), field, field.value.as_ref()?)))
    }
}
