//! Rules in their compiled form.

use std::sync::Arc;

use serde::Deserialize;

use super::examined::ExaminedBytes;
use super::pattern::Pattern;
use super::shape::{Strictness, entropy};
use super::stand_in::StandIns;

/// Where a pattern is tried after a keyword match.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum At {
    /// At the keyword, at the beginning of a word.
    #[default]
    Keyword,
    /// At the keyword, anywhere.
    Inside,
    /// At the beginning of the word that contains the keyword.
    Word,
    /// After the name that contains the keyword.
    Name,
    /// Everywhere; the rule has no keywords.
    Anywhere,
}

/// Form of a credential of one kind.
pub(super) struct Rule {
    pub(super) kind: Arc<str>,
    pub(super) at: At,
    pub(super) names: Option<NamePatterns>,
    pub(super) pattern: Pattern,
    pub(super) shape: Strictness,
    pub(super) min_bytes: usize,
    /// Minimum, in bits per byte.
    pub(super) min_entropy: f64,
    /// Whether a number may be the credential.
    pub(super) numbers: bool,
    /// Whether the rule yields to harmless spans and to stronger rules.
    pub(super) weak: bool,
}

impl Rule {
    /// Compiles the patterns now.
    pub(super) fn check(&self) -> Result<(), regex::Error> {
        if let Some(NamePatterns { names, unless }) = &self.names {
            names.check()?;
            unless.iter().try_for_each(Pattern::check)?;
        }
        self.pattern.check()?;
        if self.pattern.find("", 0).is_some() {
            return Err(regex::Error::Syntax("`pattern` must not match the empty text".to_owned()));
        }
        Ok(())
    }

    /// Whether `value` satisfies the rule.
    ///
    /// # Complexity
    /// O(bytes of `value`).
    pub(super) fn judges(&self, value: &str, stand_ins: &StandIns, work: &ExaminedBytes) -> bool {
        work.add(value.len());
        value.len() >= self.min_bytes
            && self.shape.fits(value)
            && (self.shape != Strictness::Phrase || !stand_ins.reads_as_prose(value))
            && !stand_ins.covers(value, self.numbers, work)
            && (self.min_entropy <= 0.0 || entropy(value) >= self.min_entropy)
    }

    /// Whether the rule judges values under `name`.
    pub(super) fn names(&self, name: &str) -> bool {
        self.names.as_ref().is_some_and(|names| names.fit(name))
    }
}

/// Names that announce a credential.
pub(super) struct NamePatterns {
    pub(super) names: Pattern,
    pub(super) unless: Option<Pattern>,
}

impl NamePatterns {
    fn fit(&self, name: &str) -> bool {
        self.names.is_match(name) && !self.unless.as_ref().is_some_and(|unless| unless.is_match(name))
    }
}
