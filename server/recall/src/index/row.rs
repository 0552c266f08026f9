//! The documents of a segment: their properties, and the sessions in which they were written.

use uuid::Uuid;

use super::Doc;
use crate::text::{Analysis, Fnv, Language, Person};

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
}

impl Row {
    pub(crate) fn field(&self, field: Field) -> Symbol {
        self.fields[field as usize]
    }

    pub(crate) fn is_expired(&self, now: i64) -> bool {
        self.expires_at <= now && self.expires_at != i64::MAX
    }
}

/// How often some memories contain words of the first and of the second person.
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
                Some(Person::First) => stats.add(PronounStats { first: count, second: 0 }),
                Some(Person::Second) => stats.add(PronounStats { first: 0, second: count }),
                None => {}
            }
        }
        stats
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.first = self.first.saturating_add(other.first);
        self.second = self.second.saturating_add(other.second);
    }
}

/// A hash of the content of a memory, equal for texts that differ only in case, diacritics, inflection, white space and
/// punctuation without meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ContentFingerprint(pub(crate) u64);

impl ContentFingerprint {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let terms = analysis.terms.iter();
        let stems = terms.flat_map(|term| term.positions.iter().map(move |&position| (position, term.stem)));
        let mut stems: Vec<(u32, &str)> = stems.collect();
        stems.sort_unstable();
        let mut hash = Fnv::default();
        for (_, stem) in stems {
            hash.write(stem.as_bytes());
            hash.write(&[0]);
        }
        hash.write(&analysis.signs.to_le_bytes());
        ContentFingerprint(hash.0)
    }
}

/// The session of a memory within a segment; for a memory without session, its day (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SessionKey {
    Session(Symbol),
    /// Days since 1970.
    Day(i64),
}

/// A memory in the order of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionDoc {
    pub(crate) created_at: i64,
    pub(crate) number: i64,
    pub(crate) id: Uuid,
    pub(crate) doc: u32,
}

/// The sessions of a segment.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    /// Each session with the end of its documents, sorted.
    ends: Box<[(SessionKey, u32)]>,
    docs: Box<[SessionDoc]>,
}

impl Sessions {
    pub(super) fn of(rows: &[Row]) -> Self {
        let session_doc = |(doc, row): (u32, &Row)| {
            let session = match row.field(Field::Session) {
                Symbol::NONE => SessionKey::Day(row.created_at.div_euclid(MICROSECONDS_PER_DAY)),
                session => SessionKey::Session(session),
            };
            (session, SessionDoc { created_at: row.created_at, number: row.number, id: row.id, doc })
        };
        let mut docs: Vec<(SessionKey, SessionDoc)> = (0..).zip(rows).map(session_doc).collect();
        docs.sort_unstable();
        let mut end = 0;
        let ends = docs.chunk_by(|(a, _), (b, _)| a == b).map(|session| {
            end += session.len() as u32;
            (session[0].0, end)
        });
        Sessions { ends: ends.collect(), docs: docs.iter().map(|(_, doc)| *doc).collect() }
    }

    /// Each session with its documents in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (SessionKey, &[SessionDoc])> {
        (0..self.ends.len()).map(|number| (self.ends[number].0, self.at(number)))
    }

    /// The documents of one session, in order.
    pub(crate) fn find(&self, session: SessionKey) -> &[SessionDoc] {
        self.ends.binary_search_by_key(&session, |(other, _)| *other).map_or(&[], |number| self.at(number))
    }

    fn at(&self, number: usize) -> &[SessionDoc] {
        let start = number.checked_sub(1).map_or(0, |previous| self.ends[previous].1);
        &self.docs[start as usize..self.ends[number].1 as usize]
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.ends) + size_of_val(&*self.docs)
    }
}
