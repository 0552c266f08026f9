//! Claims against records: the record wins.
//!
//! ```
//! use orgmem_policies::claims::{Claim, ClaimStatus, check_claim};
//! use orgmem_policies::rules::{FieldState, FieldValue};
//! use serde_json::json;
//!
//! let claim = Claim { entity: "sku-1".into(), field: "price".into(), value: json!(19.5), item: None };
//! let value = FieldValue { value: json!(21), unit: Some("EUR".into()), source: "erp".into() };
//! let record = FieldState { as_of: chrono::DateTime::UNIX_EPOCH, value: Some(value) };
//! let checked = check_claim(claim, Some(&record));
//! assert_eq!(checked.status(), ClaimStatus::Stale);
//! assert_eq!(
//!     checked.record_line().as_deref(),
//!     Some("[MEMORY record=sku-1 price=21 EUR as_of=1970-01-01T00:00:00Z source=erp]")
//! );
//! ```
//!
//! Source: `docs/spec/records.md`, "Claims".

mod mention;

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::quote::is_invisible;
use crate::rules::{FieldState, FieldValue};
use mention::{mentions, sentences};

/// A statement about a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The thing that the record describes.
    pub entity: String,
    /// Field of the record.
    pub field: String,
    /// A string, a number or a boolean.
    pub value: Value,
    /// The episode that states it, for a claim of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Uuid>,
}

/// The outcome of a check, the best one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimStatus {
    /// The record has the same value.
    Agrees,
    /// No record answers.
    Unverified,
    /// The record has another value.
    Stale,
}

/// A claim with the record that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedClaim {
    claim: Claim,
    record: Option<(FieldValue, DateTime<Utc>)>,
    status: ClaimStatus,
}

/// Reads claims that are stored as a JSON array; nothing for damaged data.
#[must_use]
pub fn stored_claims(text: &str) -> Vec<Claim> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Checks a claim against the field of the record, if there is one. This is the only place that decides.
///
/// # Source
/// `docs/spec/records.md`, "Claims".
#[must_use]
pub fn check_claim(claim: Claim, record: Option<&FieldState>) -> CheckedClaim {
    let record = record.and_then(|field| Some((field.value.clone()?, field.as_of)));
    let status = match &record {
        None => ClaimStatus::Unverified,
        Some((field, _)) if agrees(&claim.value, field) => ClaimStatus::Agrees,
        Some(_) => ClaimStatus::Stale,
    };
    CheckedClaim { claim, record, status }
}

impl CheckedClaim {
    /// The claim.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The outcome.
    #[must_use]
    pub fn status(&self) -> ClaimStatus {
        self.status
    }

    /// The value of the record and the instant at which it held.
    #[must_use]
    pub fn record(&self) -> Option<(&FieldValue, DateTime<Utc>)> {
        self.record.as_ref().map(|(field, as_of)| (field, *as_of))
    }

    /// The value of the record as one line, in a frame that stored text cannot imitate (`docs/spec/secrets.md`, "Defusing").
    #[must_use]
    pub fn record_line(&self) -> Option<String> {
        let (field, as_of) = self.record()?;
        let unit = field.unit.as_deref().map(|unit| format!(" {}", framed(unit))).unwrap_or_default();
        Some(format!(
            "[MEMORY record={} {}={}{unit} as_of={} source={}]",
            framed(&self.claim.entity),
            framed(&self.claim.field),
            framed(&text(&field.value)),
            as_of.to_rfc3339_opts(SecondsFormat::Secs, true),
            framed(&field.source),
        ))
    }
}

/// A text in the frame: one line without brackets and hidden characters.
fn framed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_safe = |c: char| !is_invisible(c) && !c.is_control() && !matches!(c, '[' | ']' | '=' | '［' | '］');
    words.join(" ").chars().map(|c| if is_safe(c) { c } else { '_' }).collect()
}

/// The text with the record's line in place of each sentence that asserts the value of a stale claim. A text without such a
/// sentence, which may assert the value in other words, is replaced as a whole.
#[must_use]
pub fn corrected<'t>(text: &'t str, checked: &[CheckedClaim]) -> Cow<'t, str> {
    let stale: Vec<&CheckedClaim> = checked.iter().filter(|claim| claim.status == ClaimStatus::Stale).collect();
    if stale.is_empty() {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = stale.iter().filter_map(|claim| claim.record_line()).collect();
    let parts = sentences(text);
    let mentioning = |claim: &CheckedClaim| parts.iter().any(|part| mentions(part, &claim.claim.value));
    if !stale.iter().all(|claim| mentioning(claim)) {
        return Cow::Owned(lines.join(" "));
    }
    let mut said = vec![false; stale.len()];
    let mut corrected = String::with_capacity(text.len());
    for part in parts {
        let asserted: Vec<usize> = (0..stale.len()).filter(|&at| mentions(part, &stale[at].claim.value)).collect();
        if asserted.is_empty() {
            corrected.push_str(part);
            continue;
        }
        let sentence = part.trim_end();
        for at in asserted {
            if !std::mem::replace(&mut said[at], true) {
                let blank = !corrected.is_empty() && !corrected.ends_with(char::is_whitespace);
                corrected.push_str(if blank { " " } else { "" });
                corrected.push_str(lines.get(at).map_or("", String::as_str));
            }
        }
        // the line break after a sentence separates the speakers of a page
        corrected.push_str(&part[sentence.len()..]);
    }
    Cow::Owned(corrected)
}

/// A title with the record's line in place of the value of a stale claim; unlike a text, it may have nothing to do with the
/// claim.
#[must_use]
pub fn corrected_title<'t>(title: &'t str, checked: &[CheckedClaim]) -> Cow<'t, str> {
    let is_stale = |claim: &&CheckedClaim| claim.status == ClaimStatus::Stale && mentions(title, &claim.claim.value);
    let lines: Vec<String> = checked.iter().filter(is_stale).filter_map(CheckedClaim::record_line).collect();
    if lines.is_empty() { Cow::Borrowed(title) } else { Cow::Owned(lines.join(" ")) }
}

/// Whether the claim says what the record says: equal numbers whatever their form, equal texts without white space around
/// them, with or without the unit.
fn agrees(claim: &Value, record: &FieldValue) -> bool {
    let claimed = text(claim);
    let claimed = match &record.unit {
        Some(unit) => strip_unit(&claimed, unit),
        None => claimed.trim(),
    };
    let recorded = text(&record.value);
    match (number(claimed), number(recorded.trim())) {
        (Some(claimed), Some(recorded)) => claimed.total_cmp(&recorded).is_eq(),
        _ => claimed == recorded.trim(),
    }
}

fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

fn strip_unit<'t>(text: &'t str, unit: &str) -> &'t str {
    let text = text.trim();
    let without = text.strip_suffix(unit).or_else(|| text.strip_prefix(unit)).map(str::trim);
    without.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// A finite number in the form of JSON. Zero has no sign.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = text.parse::<f64>().ok().filter(|number| is_plain && number.is_finite())?;
    Some(if number == 0.0 { 0.0 } else { number })
}
