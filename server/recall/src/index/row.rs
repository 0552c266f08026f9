//! The properties of the documents of a segment.

use uuid::Uuid;

use super::Doc;
use crate::text::{ContentFingerprint, ContentSketch, Language, Person};

pub(crate) const MICROSECONDS_PER_DAY: i64 = 86_400_000_000;

/// A string of a segment, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symbol(pub(super) u32);

impl Symbol {
    /// The absent string.
    pub(crate) const NONE: Symbol = Symbol(u32::MAX);
}

/// The string properties of a memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    Namespace,
    Kind,
    Source,
    Subject,
    Session,
    Run,
}

/// The properties of a memory, with symbols for strings.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: Uuid,
    pub(crate) seq: i64,
    pub(crate) number: i64,
    pub(crate) created_at: i64,
    /// `i64::MAX` for never.
    pub(crate) expires_at: i64,
    pub(crate) confidence: f64,
    /// By [`Field`].
    pub(super) fields: [Symbol; 6],
    /// End of its tags among those of the segment.
    pub(super) tags_end: u32,
    pub(crate) pinned: bool,
    pub(crate) language: Language,
    pub(crate) is_question: bool,
    pub(crate) pronouns: PronounStats,
    pub(crate) fingerprint: ContentFingerprint,
    pub(crate) sketch: ContentSketch,
}

impl Row {
    pub(crate) fn field(&self, field: Field) -> Symbol {
        self.fields[field as usize]
    }

    pub(crate) fn is_expired(&self, now: i64) -> bool {
        self.expires_at <= now && self.expires_at != i64::MAX
    }
}

/// How often a memory contains words of the first and of the second person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PronounStats {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

impl PronounStats {
    pub(super) fn of(doc: &Doc) -> Self {
        let mut stats = PronounStats::default();
        for term in doc.analysis.terms.iter() {
            let count = term.positions.len() as u32;
            match Person::of(term.word, doc.analysis.language) {
                Some(Person::First) => stats.first = stats.first.saturating_add(count),
                Some(Person::Second) => stats.second = stats.second.saturating_add(count),
                None => {}
            }
        }
        stats
    }
}

/// Sums of the [`PronounStats`] of some memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PronounTotals {
    pub(crate) first: u64,
    pub(crate) second: u64,
}

impl PronounTotals {
    pub(crate) fn add(&mut self, other: Self) {
        self.first += other.first;
        self.second += other.second;
    }

    /// Removes a memory that is part of the sums.
    pub(crate) fn subtract(&mut self, memory: PronounStats) {
        self.first -= u64::from(memory.first);
        self.second -= u64::from(memory.second);
    }
}

impl From<PronounStats> for PronounTotals {
    fn from(memory: PronounStats) -> Self {
        PronounTotals { first: memory.first.into(), second: memory.second.into() }
    }
}
