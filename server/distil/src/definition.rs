//! The definition of a processor: data that a file or a request contains.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::confidence::Weights;

/// A definition as it is written. [`crate::Processor::new`] validates it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// 1 to 50 of `a-z`, `0-9` and `-`, beginning with a letter.
    pub name: String,
    /// For people; at most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The collection whose rows are read.
    pub collection: String,
    /// A cron expression of five fields, in UTC.
    #[serde(default = "every_six_hours")]
    pub schedule: String,
    /// 2 to 4; together they identify a group and its fact.
    pub dimensions: Vec<Dimension>,
    /// The rows that a group needs before it becomes a fact; at least 2.
    #[serde(default = "three")]
    pub min_rows: u64,
    /// The weights of the confidence.
    #[serde(default)]
    pub confidence: Weights,
    /// How bad a row is; without it every row has the severity 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The wording of a fact, with the names of dimensions, `count`, `first_seen`, `last_seen`, `severity` and `confidence` in
    /// braces.
    pub template: String,
    /// The kind of the memories: a lower-case word of at most 32 characters.
    #[serde(default = "pattern")]
    pub kind: String,
    /// The scope of the memories, as far as the workspace may write it.
    #[serde(default)]
    pub scope: Scope,
    /// The namespace of the memories; at most 50 characters.
    #[serde(default = "general")]
    pub namespace: String,
    /// Facts that one run inserts, updates or removes; 1 to 10,000. The next run continues.
    #[serde(default = "two_hundred")]
    pub max_facts_per_run: usize,
    /// Characters of a fact; 40 to 4,000. Longer texts are cut.
    #[serde(default = "five_hundred")]
    pub max_fact_length: usize,
    /// Keys of rows that a fact names, the newest; 1 to 200.
    #[serde(default = "twenty")]
    pub max_sources: usize,
}

/// One dimension of a group, mapped from the columns that an export may have.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// A lower-case word with `_`; at most 32 characters.
    pub name: String,
    /// The first of them with a usable value decides; 1 to 20.
    pub columns: Vec<String>,
    /// How values are compared with the spellings in `values`.
    #[serde(default, rename = "match")]
    pub matching: Matching,
    /// Canonical values with the spellings that mean them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Vec<String>>,
    /// The value of rows without a usable one. Without a default such rows belong to no group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// How the values of a column select a canonical value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// The whole value is a spelling; other values stay as they are.
    #[default]
    Exact,
    /// The whole value is a spelling; other values are not usable.
    Listed,
    /// The value contains a spelling as whole words; other values are not usable.
    Words,
}

/// The severity of a row, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Severity {
    /// The first of them with a usable value decides; 1 to 20.
    pub columns: Vec<String>,
    /// The severity of each spelling. A number from 0 to 1 in a column needs no entry.
    #[serde(default)]
    pub values: BTreeMap<String, f64>,
    /// The severity of rows without a usable value.
    #[serde(default)]
    pub default: f64,
}

/// The scope of the memories that a processor writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Scope {
    /// Readable by the workspace of the processor only.
    #[default]
    Local,
    /// Readable by the team.
    Team,
    /// Readable by the org; only a root may write it.
    Global,
}

fn every_six_hours() -> String {
    "0 */6 * * *".to_owned()
}

fn pattern() -> String {
    "pattern".to_owned()
}

fn general() -> String {
    "general".to_owned()
}

const fn three() -> u64 {
    3
}

const fn twenty() -> usize {
    20
}

const fn two_hundred() -> usize {
    200
}

const fn five_hundred() -> usize {
    500
}
