//! Which memories an alternative found.

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

use super::super::searcher::Searcher;
use crate::query::{Clause, Query};
use crate::tuning::Scoring;

impl<S: Copy> Searcher<'_, S> {
    /// Of each of `ids` that an alternative of an [understood](Self::understand) query found: the words of the query, and
    /// what they were understood as. Absent for all others.
    ///
    /// # Complexity
    /// O(ids × segments + alternatives × (segments + blocks of postings with one of the memories)).
    pub fn understood_in(&self, query: &Query, ids: &[Uuid]) -> HashMap<Uuid, BTreeMap<String, String>> {
        let mut found = HashMap::<Uuid, BTreeMap<String, String>>::new();
        if query.alternatives.is_empty() {
            return found;
        }
        // by view, the passages of the memories, ascending
        let mut passages: Vec<Vec<u32>> = Vec::with_capacity(self.views.len());
        for view in &self.views {
            let docs = ids.iter().filter_map(|&id| view.segment.find(id)).filter(|doc| view.is_visible(*doc));
            let mut of_view: Vec<u32> = docs.flat_map(|doc| view.segment.passages.of_doc(doc)).collect();
            of_view.sort_unstable();
            passages.push(of_view);
        }
        for alternative in &query.alternatives {
            let clauses: Vec<Clause> =
                alternative.clauses.iter().filter_map(|clause| query.clauses.get(*clause)).cloned().collect();
            let is_found_by = Query::of_clauses(clauses, query.language);
            let (matches, _) = self.matches(&Scoring::default(), &is_found_by);
            for matches in matches {
                let view = matches.at.0 as usize;
                matches.matches.among(&passages[view], |passage, _| {
                    let segment = self.views[view].segment;
                    let id = segment.row(segment.passages.doc(passage)).id();
                    let (written, meant) = (alternative.written.clone(), alternative.meant.clone());
                    found.entry(id).or_default().insert(written, meant);
                });
            }
        }
        found
    }
}
