//! What a caller narrows a search to.

use crate::segment::{Pack, Symbol};

/// Narrows what is found; all conditions must hold. The default lets everything pass.
///
/// Filters do not change scores: these come from everything that is readable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Any of these; all when empty.
    pub namespaces: Vec<String>,
    /// Any of these; all when empty.
    pub kinds: Vec<String>,
    /// Who it comes from.
    pub source: Option<String>,
    /// A tag that it must have.
    pub tag: Option<String>,
    /// The end user it is about.
    pub subject: Option<String>,
    /// The session it was committed in.
    pub session_id: Option<String>,
    /// The run it was committed in.
    pub run_id: Option<String>,
    /// Committed at this time (µs) or later.
    pub since: Option<i64>,
    /// Committed before this time (µs).
    pub until: Option<i64>,
    /// With this confidence at least.
    pub min_confidence: Option<f64>,
}

/// A filter in the symbols of one pack.
pub(super) struct Sieve<'f> {
    filter: &'f Filter,
    /// Whether nothing was asked for, as in most searches.
    is_open: bool,
    namespaces: Vec<Symbol>,
    kinds: Vec<Symbol>,
    source: Option<Symbol>,
    tag: Option<Symbol>,
    subject: Option<Symbol>,
    session_id: Option<Symbol>,
    run_id: Option<Symbol>,
}

impl Filter {
    /// The filter for the docs of `pack`; none when no doc there can pass.
    pub(super) fn sieve(&self, pack: &Pack) -> Option<Sieve<'_>> {
        let one = |string: &Option<String>| match string {
            None => Some(None),
            Some(string) => pack.symbol(string).map(Some),
        };
        let any = |strings: &[String]| {
            let symbols: Vec<_> = strings.iter().filter_map(|string| pack.symbol(string)).collect();
            (strings.is_empty() || !symbols.is_empty()).then_some(symbols)
        };
        Some(Sieve {
            filter: self,
            is_open: *self == Filter::default(),
            namespaces: any(&self.namespaces)?,
            kinds: any(&self.kinds)?,
            source: one(&self.source)?,
            tag: one(&self.tag)?,
            subject: one(&self.subject)?,
            session_id: one(&self.session_id)?,
            run_id: one(&self.run_id)?,
        })
    }
}

impl Sieve<'_> {
    pub(super) fn lets_pass(&self, pack: &Pack, doc: u32) -> bool {
        if self.is_open {
            return true;
        }
        let row = pack.row(doc);
        let any = |wanted: &[Symbol], has| wanted.is_empty() || wanted.contains(&has);
        let one = |wanted: Option<Symbol>, has| wanted.is_none_or(|wanted| wanted == has);
        any(&self.namespaces, row.namespace)
            && any(&self.kinds, row.kind)
            && one(self.source, row.source)
            && one(self.subject, row.subject)
            && one(self.session_id, row.session_id)
            && one(self.run_id, row.run_id)
            && self.tag.is_none_or(|tag| pack.tags(doc).contains(&tag))
            && self.filter.since.is_none_or(|since| row.created_at >= since)
            && self.filter.until.is_none_or(|until| row.created_at < until)
            && self.filter.min_confidence.is_none_or(|least| row.confidence >= least)
    }
}
