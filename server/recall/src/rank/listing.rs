//! Lists without a query.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::filter::{CompiledFilter, Filter};
use super::page::{Order, PageRequest, SortKey};
use super::searcher::{Candidate, DocRef, Searcher};
use crate::index::Column;

/// The documents of a view from the next one that is visible and after the cursor, in order of a listing.
struct Stream<'v> {
    view: u32,
    docs: &'v Column,
    /// The place of the next one.
    next: u32,
    is_pinned: bool,
    filter: CompiledFilter<'v>,
}

impl Stream<'_> {
    fn first(&self) -> Option<u32> {
        (self.next < self.docs.len()).then(|| self.docs.narrow(self.next))
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// All memories that pass the filter.
    pub(super) fn listing(&self, filter: &Filter) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (number, view) in (0..).zip(&self.views) {
            let Some(filter) = filter.compile(view.segment) else { continue };
            let docs = view.visible_rows().map(|(doc, _)| doc).filter(|&doc| filter.matches(view.segment, doc));
            candidates.extend(docs.map(|doc| listed(DocRef { view: number, doc })));
        }
        candidates
    }

    /// The page of a blank query: the memories that pass the filter and `accepts`, pinned ones first, then the newest.
    pub(super) fn newest(
        &self,
        filter: &Filter,
        request: &PageRequest,
        accepts: &dyn Fn(&Candidate) -> bool,
    ) -> Vec<Candidate> {
        let mut streams = Vec::new();
        for (number, view) in (0..).zip(&self.views) {
            let newest = &view.segment.newest;
            for (docs, is_pinned) in [(newest.pinned(), true), (newest.all(), false)] {
                let is_before =
                    |doc| request.after.is_some_and(|after| self.key(number, doc as u32, is_pinned) >= after);
                let next = docs.partition_point(is_before);
                if let Some(filter) = filter.compile(view.segment).filter(|_| next < docs.len()) {
                    streams.push(Stream { view: number, docs, next, is_pinned, filter });
                }
            }
        }
        let key = |stream: &Stream<'_>| stream.first().map(|doc| self.key(stream.view, doc, stream.is_pinned));
        let mut next: BinaryHeap<(SortKey, Reverse<usize>)> =
            streams.iter().enumerate().filter_map(|(number, stream)| Some((key(stream)?, Reverse(number)))).collect();
        let mut page = Vec::new();
        while page.len() < request.limit
            && let Some((_, Reverse(number))) = next.pop()
        {
            let stream = &mut streams[number];
            let Some(doc) = stream.first() else { continue };
            stream.next += 1;
            next.extend(key(stream).map(|key| (key, Reverse(number))));
            let view = &self.views[stream.view as usize];
            let is_of_stream = view.segment.row(doc).pinned() == stream.is_pinned;
            let candidate = listed(DocRef { view: stream.view, doc });
            let passes = is_of_stream && view.is_visible(doc) && stream.filter.matches(view.segment, doc);
            page.extend(Some(candidate).filter(|candidate| passes && accepts(candidate)));
        }
        page
    }

    fn key(&self, view: u32, doc: u32, is_pinned: bool) -> SortKey {
        let key = Order::Recent.key(0.0, self.row(DocRef { view, doc }));
        SortKey { rank: f64::from(u8::from(is_pinned)), ..key }
    }
}

fn listed(at: DocRef) -> Candidate {
    Candidate { at, score: 0.0, is_match: true, similarity: None, gain: 0.0, newer: None }
}
