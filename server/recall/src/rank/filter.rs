//! Filters by the properties of memories.

use crate::index::{Field, Row, Segment, Symbol};

/// Conditions on the properties of a memory; all must hold. The default passes every memory.
///
/// A filter does not change scores: their statistics include all readable memories.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "a field without docs must equal that of the memory")]
pub struct Filter {
    /// Any of these; no condition if empty.
    pub namespaces: Vec<String>,
    /// Any of these; no condition if empty.
    pub kinds: Vec<String>,
    pub source: Option<String>,
    /// A tag that the memory must have.
    pub tag: Option<String>,
    pub subject: Option<String>,
    pub session_id: Option<String>,
    pub run_id: Option<String>,
    /// Committed at this time (µs since 1970) or later.
    pub since: Option<i64>,
    /// Committed before this time (µs since 1970).
    pub until: Option<i64>,
    /// Minimum confidence.
    pub min_confidence: Option<f64>,
    /// Only pinned memories, or only others.
    pub pinned: Option<bool>,
    pub tier: Option<Tier>,
}

/// How long a memory lives, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// It ends with its session.
    Session,
    /// It has a subject and does not end with its session.
    User,
    /// Any other.
    Tenant,
}

/// A filter in the symbols of one segment.
pub(super) struct CompiledFilter<'f> {
    filter: &'f Filter,
    /// Each field must have one of the symbols.
    fields: Vec<(Field, Vec<Symbol>)>,
    tag: Option<Symbol>,
}

impl Filter {
    /// The filter for the documents of `segment`; `None` if none of them can pass.
    pub(super) fn compile(&self, segment: &Segment) -> Option<CompiledFilter<'_>> {
        let conditions = [
            (Field::Namespace, &self.namespaces[..]),
            (Field::Kind, &self.kinds),
            (Field::Source, self.source.as_slice()),
            (Field::Subject, self.subject.as_slice()),
            (Field::Session, self.session_id.as_slice()),
            (Field::Run, self.run_id.as_slice()),
        ];
        let mut fields = Vec::new();
        for (field, strings) in conditions.into_iter().filter(|(_, strings)| !strings.is_empty()) {
            let symbols: Vec<Symbol> = strings.iter().filter_map(|string| segment.symbol(string)).collect();
            if symbols.is_empty() {
                return None;
            }
            fields.push((field, symbols));
        }
        let tag = match &self.tag {
            Some(tag) => Some(segment.symbol(tag)?),
            None => None,
        };
        Some(CompiledFilter { filter: self, fields, tag })
    }
}

impl CompiledFilter<'_> {
    pub(super) fn matches(&self, segment: &Segment, doc: u32) -> bool {
        let row = segment.row(doc);
        self.fields.iter().all(|(field, symbols)| symbols.contains(&row.field(*field)))
            && self.tag.is_none_or(|tag| row.tags().any(|own| own == tag))
            && self.filter.since.is_none_or(|since| row.created_at() >= since)
            && self.filter.until.is_none_or(|until| row.created_at() < until)
            && self.filter.min_confidence.is_none_or(|min| row.confidence() >= min)
            && self.filter.pinned.is_none_or(|pinned| row.pinned() == pinned)
            && self.filter.tier.is_none_or(|tier| tier == tier_of(row))
    }
}

fn tier_of(row: Row<'_>) -> Tier {
    match (row.is_session_only(), row.field(Field::Subject)) {
        (true, _) => Tier::Session,
        (false, Symbol::NONE) => Tier::Tenant,
        (false, _) => Tier::User,
    }
}
