//! From a row to its group.

use sha2::{Digest, Sha256};

use crate::definition::{Dimension, Matching, Severity};
use crate::row::{Row, normalised};

/// Characters of a value of a dimension; longer ones are cut.
const VALUE_LENGTH: usize = 100;
/// One is a million: integers have the same sum in every order.
pub(crate) const MILLIONTHS: f64 = 1_000_000.0;

/// The values of a group, in the order of the dimensions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKey(Vec<String>);

impl GroupKey {
    /// The group with these values, in the order of the dimensions.
    #[must_use]
    pub fn new(values: Vec<String>) -> Self {
        Self(values)
    }

    /// The values, in the order of the dimensions.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.0
    }

    /// A name of fixed length for the group: 32 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        for value in &self.0 {
            hash.update((value.len() as u64).to_be_bytes());
            hash.update(value.as_bytes());
        }
        hex::encode(&hash.finalize()[..16])
    }
}

/// What a processor makes of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The group.
    pub group: GroupKey,
    /// The severity in millionths, at most 1,000,000.
    pub severity: u64,
}

/// The groups that a row touches: the one of its former assignment, if it had one, and the current one, if it has one.
///
/// A withdrawn row has no current group. A row that moves touches both; a row that stays touches its group once.
pub fn touched<'a>(
    before: Option<&'a GroupKey>,
    after: Option<&'a GroupKey>,
) -> impl Iterator<Item = &'a GroupKey> + use<'a> {
    before.into_iter().chain(after.filter(|after| before != Some(*after)))
}

/// The value of a dimension for a row.
pub(crate) fn value(dimension: &Dimension, row: &Row) -> Option<String> {
    let texts = dimension.columns.iter().flat_map(|column| row.texts(column));
    let found = texts.filter_map(|text| canonical(dimension, &text)).next();
    let found = found.or_else(|| dimension.default.as_deref().map(normalised))?;
    Some(found.chars().take(VALUE_LENGTH).collect())
}

fn canonical(dimension: &Dimension, text: &str) -> Option<String> {
    let mut listed = dimension.values.iter().map(|(name, spellings)| (normalised(name), spellings));
    let found = listed.find(|(name, spellings)| {
        let mut all = std::iter::once(name.clone()).chain(spellings.iter().map(|spelling| normalised(spelling)));
        match dimension.matching {
            Matching::Exact | Matching::Listed => all.any(|spelling| spelling == text),
            Matching::Words => all.any(|spelling| contains_words(text, &spelling)),
        }
    });
    match (found, dimension.matching) {
        (Some((name, _)), _) => Some(name),
        (None, Matching::Exact) => Some(text.to_owned()),
        (None, Matching::Listed | Matching::Words) => None,
    }
}

/// Whether the text has the words, not preceded or followed by a letter or a digit.
fn contains_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// The severity of a row in millionths.
pub(crate) fn severity(severity: &Severity, row: &Row) -> u64 {
    let texts = severity.columns.iter().flat_map(|column| row.texts(column));
    let found = texts.filter_map(|text| of_text(severity, &text)).next();
    (found.unwrap_or(severity.default) * MILLIONTHS).round() as u64
}

fn of_text(severity: &Severity, text: &str) -> Option<f64> {
    let listed = severity.values.iter().find(|(spelling, _)| normalised(spelling) == text);
    let listed = listed.map(|(_, value)| *value);
    listed.or_else(|| text.parse().ok().filter(|value| (0.0..=1.0).contains(value)))
}
