//! A rule, ready to look with.

use std::sync::Arc;

use serde::Deserialize;

use super::pattern::Pattern;
use super::shape::{Strictness, entropy};
use super::stand_in::StandIns;

/// Where a pattern is tried once a keyword was seen.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum At {
    /// At the keyword, where it begins a word.
    #[default]
    Keyword,
    /// At the keyword, wherever it stands.
    Inside,
    /// At the beginning of the word that the keyword stands in.
    Word,
    /// Right after the name that the keyword is a part of.
    Name,
    /// At every place of the text; the rule has no keywords.
    Anywhere,
}

/// What a credential of one kind looks like.
pub(super) struct Rule {
    pub(super) kind: Arc<str>,
    pub(super) at: At,
    pub(super) names: Option<NamePatterns>,
    pub(super) pattern: Pattern,
    pub(super) shape: Strictness,
    pub(super) min_bytes: usize,
    /// In bits per byte.
    pub(super) min_entropy: f64,
    /// Whether it keeps out of harmless spans.
    pub(super) weak: bool,
}

impl Rule {
    /// Compiles its patterns now.
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

    /// Whether `value` is what this rule means by a credential.
    pub(super) fn judges(&self, value: &str, stand_ins: &StandIns) -> bool {
        value.len() >= self.min_bytes
            && self.shape.fits(value)
            && !stand_ins.hold(value)
            && (self.min_entropy <= 0.0 || entropy(value) >= self.min_entropy)
    }

    /// Whether a value under `name` is this rule's to judge.
    pub(super) fn names(&self, name: &str) -> bool {
        self.names.as_ref().is_some_and(|names| names.fit(name))
    }
}

/// Which names announce a credential.
pub(super) struct NamePatterns {
    pub(super) names: Pattern,
    pub(super) unless: Option<Pattern>,
}

impl NamePatterns {
    fn fit(&self, name: &str) -> bool {
        self.names.is_match(name) && !self.unless.as_ref().is_some_and(|unless| unless.is_match(name))
    }
}
