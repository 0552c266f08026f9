//! What changed: of memories that say the same about the same subject with another value, the newest comes first.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::lookup::TermLookup;
use super::page::{Order, SortKey};
use super::plan::{PlannedClause, plan};
use super::searcher::{Candidate, DocRef, Searcher};
use crate::index::Field;
use crate::query::{ClauseKind, Query};
use crate::text::{ContentFingerprint, ContentSketch, Language};
use crate::tuning::{CHANGE_CANDIDATES, CHANGE_SIMILARITY, CHANGE_WORDS, Scoring};

/// A short statement among the best candidates.
struct Statement<'a> {
    /// The words of the query that it contains, as bits.
    words: u128,
    author: u128,
    subject: &'a str,
    session: &'a str,
    created_at: i64,
    number: i64,
    is_about_speaker: bool,
    fingerprint: ContentFingerprint,
    sketch: ContentSketch,
}

impl Statement<'_> {
    /// Whether the other one may be a version of this one. Most pairs differ in their texts, and strings cost the most to
    /// compare.
    fn is_version_of(&self, other: &Self) -> bool {
        self.words == other.words
            && self.created_at != other.created_at
            && (self.author == other.author || !(self.is_about_speaker || other.is_about_speaker))
            && self.sketch.is_similar(&other.sketch, CHANGE_SIMILARITY)
            && self.fingerprint != other.fingerprint
            && (self.session.is_empty() || self.session != other.session)
            && self.subject == other.subject
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// Exchanges the scores of versions of one statement among the best candidates, so that the newest has the greatest.
    /// The older ones name it; see [`Hit::outdated_by`](crate::Hit::outdated_by).
    ///
    /// Two memories are versions of one statement if they are short, contain the same words of the query and most other
    /// words too, and are not of one session. The scores stay the same as a set, so no other memory changes its place.
    /// Nothing changes for a query with a date, or one that was not [understood](Self::understand).
    ///
    /// # Complexity
    /// O(candidates), plus O(words of the query × segments) for the best 64 of them.
    pub fn put_newest_first(&self, query: &Query, candidates: &mut [Candidate]) {
        if !query.is_newest_first || candidates.len() < 2 {
            return;
        }
        let key = |candidate: &Candidate| Order::Relevance.key(candidate.score, self.row(candidate.at));
        let mut best: Vec<(SortKey, usize)> = candidates.iter().map(key).zip(0..).collect();
        if best.len() > CHANGE_CANDIDATES {
            best.select_nth_unstable_by(CHANGE_CANDIDATES - 1, |one, other| other.cmp(one));
            best.truncate(CHANGE_CANDIDATES);
        }
        best.sort_unstable_by(|one, other| other.cmp(one));
        let best: Vec<usize> = best.into_iter().map(|(_, number)| number).collect();
        let statements = self.statements(query, best.iter().map(|&number| candidates[number].at));
        // the places of the versions of each statement, best first
        let mut changes: Vec<Vec<usize>> = Vec::new();
        for (place, statement) in statements.iter().enumerate() {
            let Some(statement) = statement else { continue };
            let is_version = |change: &&mut Vec<usize>| {
                statements[change[0]].as_ref().is_some_and(|first| first.is_version_of(statement))
            };
            match changes.iter_mut().find(is_version) {
                Some(change) => change.push(place),
                None => changes.push(vec![place]),
            }
        }
        for change in changes.into_iter().filter(|change| change.len() > 1) {
            let scores: Vec<f64> = change.iter().map(|&place| candidates[best[place]].score).collect();
            let mut by_time = change;
            let time = |place: &usize| statements[*place].as_ref().map(|it| (it.created_at, it.number));
            by_time.sort_by_key(|place| std::cmp::Reverse(time(place)));
            let newest = candidates[best[by_time[0]]].at;
            for (place, score) in by_time.into_iter().zip(scores) {
                let candidate = &mut candidates[best[place]];
                candidate.gain = score - candidate.score;
                candidate.score = score;
                candidate.newer = (candidate.at != newest).then_some(newest);
            }
        }
    }

    /// The short ones of these documents that contain enough words of the query.
    fn statements(&self, query: &Query, docs: impl Iterator<Item = DocRef>) -> Vec<Option<Statement<'_>>> {
        let docs: Vec<DocRef> = docs.collect();
        let (words, needed) = self.content_words(query, &docs);
        let statement = |&at: &DocRef| {
            let (view, row) = (self.view(at), self.row(at));
            let words = words.get(&at).copied().unwrap_or_default();
            let is_short = view.segment.passages.doc_words(at.doc) <= CHANGE_WORDS;
            (is_short && words != 0 && words.count_ones() >= needed).then(|| Statement {
                words,
                author: view.author.as_u128(),
                subject: view.segment.string(row.field(Field::Subject)),
                session: view.segment.string(row.field(Field::Session)),
                created_at: row.created_at(),
                number: row.number(),
                is_about_speaker: row.pronouns().first > 0,
                fingerprint: row.fingerprint(),
                sketch: row.sketch(),
            })
        };
        docs.iter().map(statement).collect()
    }

    /// For each document the content words of the query that it contains, as bits, and half their number.
    fn content_words(&self, query: &Query, docs: &[DocRef]) -> (HashMap<DocRef, u128, RandomState>, u32) {
        let query = query.with_its_words();
        let is_word = |number: usize| {
            matches!(query.clauses[number].kind, ClauseKind::Word(_))
                && !query.clauses[number].is_compound
                && query.is_content(number)
        };
        let numbers: Vec<usize> = (0..query.clauses.len()).filter(|number| is_word(*number)).take(128).collect();
        let mut found: HashMap<DocRef, u128, RandomState> = HashMap::default();
        let mut plans: [Option<Vec<PlannedClause<'_>>>; Language::ALL.len()] = Default::default();
        for (number, view) in (0..).zip(&self.views) {
            let of_view = docs.iter().filter(|at| at.view == number);
            let mut passages: Vec<u32> = of_view.flat_map(|at| view.segment.passages.of_doc(at.doc)).collect();
            if passages.is_empty() {
                continue;
            }
            passages.sort_unstable();
            for language in &view.segment.languages {
                let plan = || {
                    let mut clauses = plan(&query, language.language, &Scoring::default());
                    clauses.retain(|clause| numbers.contains(&clause.number));
                    clauses
                };
                let clauses = plans[language.language as usize].get_or_insert_with(plan);
                let lookup = TermLookup::new(view, language, clauses, &[], 0);
                for clause in clauses.iter() {
                    let Some(bit) = numbers.iter().position(|number| *number == clause.number) else { continue };
                    lookup.find(clause).1.among(&passages, |passage, _| {
                        let at = DocRef { view: number, doc: view.segment.passages.doc(passage) };
                        *found.entry(at).or_default() |= 1 << bit;
                    });
                }
            }
        }
        (found, numbers.len().div_ceil(2) as u32)
    }
}
