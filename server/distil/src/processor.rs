//! A validated definition, and the decisions that follow from it.

use std::collections::BTreeSet;

use crate::assign::{self, Assignment, GroupKey};
use crate::change::{Change, Guard, RollBack};
use crate::confidence::rounded;
use crate::definition::{Definition, Dimension, Matching};
use crate::error::DefinitionError;
use crate::fact::{Fact, day};
use crate::row::{Row, normalised};
use crate::schedule::Schedule;
use crate::tally::Tally;
use crate::template::{Template, cut};

const COLUMNS: usize = 20;
const VALUES: usize = 200;
const SPELLINGS: usize = 50;

/// A processor that can run: only [`Processor::new`] makes one, from a valid definition.
#[derive(Clone, Debug)]
pub struct Processor {
    definition: Definition,
    schedule: Schedule,
    template: Template,
}

impl Processor {
    /// Reads and validates a definition in JSON.
    ///
    /// # Errors
    ///
    /// The first fault, with its field and value.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        let unreadable = |error: serde_json::Error| DefinitionError::Unreadable(error.to_string());
        Self::new(serde_json::from_str(text).map_err(unreadable)?)
    }

    /// Validates a definition.
    ///
    /// # Errors
    ///
    /// The first fault, with its field and value.
    pub fn new(definition: Definition) -> Result<Self, DefinitionError> {
        check_texts(&definition)?;
        length("dimensions", definition.dimensions.len(), 2, 4)?;
        let mut names = BTreeSet::new();
        for dimension in &definition.dimensions {
            check_dimension(dimension)?;
            if !names.insert(&dimension.name) {
                return Err(duplicate("dimensions", &dimension.name));
            }
        }
        check_numbers(&definition)?;
        let schedule = Schedule::parse(&definition.schedule)?;
        let dimensions: Vec<_> = definition.dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
        let template = Template::parse(&definition.template, &dimensions)?;
        Ok(Self { schedule, template, definition })
    }

    /// The definition.
    #[must_use]
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// When it runs.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The group and the severity of a row; none if it lacks a dimension.
    #[must_use]
    pub fn assign(&self, row: &Row) -> Option<Assignment> {
        let values = self.definition.dimensions.iter().map(|dimension| assign::value(dimension, row));
        let group = GroupKey::new(values.collect::<Option<_>>()?);
        let severity = self.definition.severity.as_ref().map_or(0, |severity| assign::severity(severity, row));
        Some(Assignment { group, severity })
    }

    /// An empty tally with the limits of the definition.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::new(self.definition.max_sources)
    }

    /// The guard of one run.
    #[must_use]
    pub const fn guard(&self) -> Guard {
        Guard::new(self.definition.max_facts_per_run)
    }

    /// What happens to the fact of a touched group. `existing` is the fingerprint of its current fact.
    #[must_use]
    pub fn change(&self, group: &GroupKey, tally: &Tally, existing: Option<&str>) -> Change {
        if tally.count < self.definition.min_rows {
            let roll_back = RollBack { count: tally.count, min_rows: self.definition.min_rows };
            return existing.map_or(Change::Untouched, |_| Change::RollBack(roll_back));
        }
        let fact = self.fact(group, tally);
        match existing {
            None => Change::Insert(fact),
            Some(fingerprint) if fingerprint == fact.fingerprint() => Change::Untouched,
            Some(_) => Change::Update(fact),
        }
    }

    fn fact(&self, group: &GroupKey, tally: &Tally) -> Fact {
        let names = self.definition.dimensions.iter().map(|dimension| dimension.name.clone());
        let dimensions: Vec<_> = names.zip(group.values().iter().cloned()).collect();
        let mean_severity = tally.mean_severity();
        let confidence = self.definition.confidence.confidence(tally.count, mean_severity);
        let text = self.template.fill(|name| match name {
            "count" => tally.count.to_string(),
            "first_seen" => day(tally.first),
            "last_seen" => day(tally.last),
            "severity" => format!("{mean_severity:.2}"),
            "confidence" => format!("{:.2}", confidence.total),
            name => dimensions.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()).unwrap_or_default(),
        });
        let (text, was_cut) = cut(text, self.definition.max_fact_length);
        Fact {
            text,
            was_cut,
            dimensions,
            confidence,
            count: tally.count,
            mean_severity: rounded(mean_severity),
            first_seen: tally.first,
            last_seen: tally.last,
            source_row_keys: tally.sources(),
            digest: tally.digest,
        }
    }
}

fn check_texts(definition: &Definition) -> Result<(), DefinitionError> {
    let is_slug = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.len() <= 50
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let slug = "1 to 50 of `a-z`, `0-9` and `-`, beginning with a letter";
    text("name", &definition.name, slug, is_slug)?;
    text("collection", &definition.collection, slug, is_slug)?;
    text("kind", &definition.kind, "a lower-case word of at most 32 of `a-z` and `_`", is_word)?;
    text("namespace", &definition.namespace, "1 to 50 characters", |text| fits(text, 50))?;
    let description = definition.description.as_deref().unwrap_or("none");
    text("description", description, "1 to 1,000 characters", |text| fits(text, 1000))?;
    text("template", &definition.template, "1 to 2,000 characters", |text| fits(text, 2000))
}

fn check_dimension(dimension: &Dimension) -> Result<(), DefinitionError> {
    text("dimensions.name", &dimension.name, "a lower-case word of at most 32 of `a-z` and `_`", is_word)?;
    let reserved = ["count", "first_seen", "last_seen", "severity", "confidence"];
    let free = |name: &str| !reserved.contains(&name);
    text("dimensions.name", &dimension.name, "a name that no other part of the template has", free)?;
    let path = |member: &str| format!("dimensions.{}.{member}", dimension.name);
    check_columns(&path("columns"), &dimension.columns)?;
    let least = usize::from(dimension.matching != Matching::Exact);
    length(&path("values"), dimension.values.len(), least, VALUES)?;
    if let Some(default) = &dimension.default {
        text(&path("default"), default, "1 to 100 characters", |text| fits(text, 100))?;
    }
    let mut spellings = BTreeSet::new();
    for (name, others) in &dimension.values {
        length(&path("values"), others.len(), 0, SPELLINGS)?;
        // a value may list its own name
        let own: BTreeSet<_> = std::iter::once(name).chain(others).map(|spelling| normalised(spelling)).collect();
        for spelling in own {
            text(&path("values"), &spelling, "1 to 100 characters", |text| fits(text, 100))?;
            if !spellings.insert(spelling.clone()) {
                return Err(duplicate(&path("values"), &spelling));
            }
        }
    }
    Ok(())
}

fn check_numbers(definition: &Definition) -> Result<(), DefinitionError> {
    let weights = definition.confidence;
    number("confidence.baseline", weights.baseline, 0.0, 1.0)?;
    number("confidence.count_weight", weights.count_weight, 0.0, 1.0)?;
    number("confidence.severity_weight", weights.severity_weight, 0.0, 1.0)?;
    number("min_rows", definition.min_rows as f64, 2.0, 1e6)?;
    number("max_facts_per_run", definition.max_facts_per_run as f64, 1.0, 1e4)?;
    number("max_fact_length", definition.max_fact_length as f64, 40.0, 4e3)?;
    number("max_sources", definition.max_sources as f64, 1.0, 200.0)?;
    let Some(severity) = &definition.severity else { return Ok(()) };
    check_columns("severity.columns", &severity.columns)?;
    length("severity.values", severity.values.len(), 0, VALUES)?;
    let mut spellings = BTreeSet::new();
    for (spelling, value) in &severity.values {
        number(&format!("severity.values.{spelling}"), *value, 0.0, 1.0)?;
        if !spellings.insert(normalised(spelling)) {
            return Err(duplicate("severity.values", spelling));
        }
    }
    number("severity.default", severity.default, 0.0, 1.0)
}

fn check_columns(field: &str, columns: &[String]) -> Result<(), DefinitionError> {
    length(field, columns.len(), 1, COLUMNS)?;
    columns.iter().try_for_each(|column| text(field, column, "1 to 100 characters", |text| fits(text, 100)))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 32 && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

fn fits(text: &str, most: usize) -> bool {
    !text.trim().is_empty() && text.chars().count() <= most
}

fn text(field: &str, value: &str, rule: &'static str, holds: impl Fn(&str) -> bool) -> Result<(), DefinitionError> {
    let short = || value.chars().take(60).collect();
    holds(value).then_some(()).ok_or_else(|| DefinitionError::Text { field: field.to_owned(), value: short(), rule })
}

fn number(field: &str, value: f64, least: f64, most: f64) -> Result<(), DefinitionError> {
    let fail = || DefinitionError::Number { field: field.to_owned(), value, least, most };
    (least..=most).contains(&value).then_some(()).ok_or_else(fail)
}

fn length(field: &str, found: usize, least: usize, most: usize) -> Result<(), DefinitionError> {
    let fail = || DefinitionError::Length { field: field.to_owned(), found, least, most };
    (least..=most).contains(&found).then_some(()).ok_or_else(fail)
}

fn duplicate(field: &str, value: &str) -> DefinitionError {
    DefinitionError::Duplicate { field: field.to_owned(), value: value.chars().take(60).collect() }
}
