//! Look-up of the clauses of a query in a segment.

use std::ops::Range;

use super::plan::{PlannedClause, Target, TermKey};
use super::searcher::SegmentView;
use crate::index::{Passages, Postings, TermRecord};
use crate::text::Language;

/// A passage of a segment, and how often a clause matches in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassageMatch {
    passage: u32,
    frequency: u32,
}

/// The matches of a clause.
pub(super) enum Matches<'p> {
    /// All documents of a posting list.
    Postings(Postings<'p>),
    Listed(Vec<PassageMatch>),
}

impl Matches<'_> {
    /// Passes each passage with its frequency to `sink`, in order.
    pub(super) fn for_each(&self, passages: &Passages, mut sink: impl FnMut(u32, u32)) {
        match self {
            Matches::Postings(postings) => {
                postings.clone().for_each(|posting| posting.by_passage(passages, &mut sink));
            }
            Matches::Listed(matches) => matches.iter().for_each(|found| sink(found.passage, found.frequency)),
        }
    }
}

/// The documents of one language in a view.
pub(super) struct TermLookup<'v, 'p, S> {
    view: &'v SegmentView<'p, S>,
    language: Language,
    /// The stems of the language.
    stems: Range<u32>,
    /// The clauses that name the author.
    author_clauses: &'v [usize],
    /// How often the name of the author is in each passage.
    author_frequency: u32,
    /// The record of each clause that is a word; `None` if it does not occur.
    records: Vec<Option<TermRecord<'p>>>,
}

/// A position in a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DocPosition {
    doc: u32,
    position: u32,
}

impl<'v, 'p, S> TermLookup<'v, 'p, S> {
    pub(super) fn new(
        view: &'v SegmentView<'p, S>,
        (language, stems): (Language, Range<u32>),
        clauses: &[PlannedClause<'_>],
        author_clauses: &'v [usize],
        author_frequency: u32,
    ) -> Self {
        let mut records = vec![None; clauses.iter().map(|clause| clause.number + 1).max().unwrap_or(0)];
        for clause in clauses {
            if let Target::Term(TermKey::Stem(stem)) = &clause.target {
                records[clause.number] = view.segment.find_stem(stems.clone(), stem);
            }
        }
        TermLookup { view, language, stems, author_clauses, author_frequency, records }
    }

    /// The matches of a clause, and the number of visible documents with one.
    pub(super) fn find(&self, clause: &PlannedClause<'_>) -> (u64, Matches<'p>) {
        if self.author_frequency > 0 && self.author_clauses.contains(&clause.number) {
            return self.with_author(self.find_in_text(clause).1);
        }
        self.find_in_text(clause)
    }

    fn find_in_text(&self, clause: &PlannedClause<'_>) -> (u64, Matches<'p>) {
        match &clause.target {
            Target::Term(TermKey::Stem(_)) => match self.records[clause.number] {
                Some(record) => self.in_record(record),
                None => (0, Matches::Listed(Vec::new())),
            },
            Target::Term(key) => self.by_passage(self.positions(key)),
            Target::Pair(first, second) => match (self.records[*first], self.records[*second]) {
                (Some(first), Some(second)) => self.by_passage(adjacent(first, second)),
                _ => (0, Matches::Listed(Vec::new())),
            },
            Target::Phrase(words) => self.by_passage(self.phrase_starts(words)),
        }
    }

    fn in_record(&self, record: TermRecord<'p>) -> (u64, Matches<'p>) {
        let postings = record.postings();
        if self.view.is_all_visible() {
            return (postings.len(), Matches::Postings(postings));
        }
        let (mut docs, mut matches) = (0, Vec::new());
        for posting in postings.filter(|posting| self.view.is_visible(posting.doc)) {
            docs += 1;
            let sink = |passage, frequency| matches.push(PassageMatch { passage, frequency });
            posting.by_passage(&self.view.segment.passages, sink);
        }
        (docs, Matches::Listed(matches))
    }

    /// Counts sorted positions by passage.
    fn by_passage(&self, positions: Vec<DocPosition>) -> (u64, Matches<'p>) {
        let (mut docs, mut matches) = (0, Vec::<PassageMatch>::new());
        for in_doc in positions.chunk_by(|a, b| a.doc == b.doc).filter(|in_doc| self.view.is_visible(in_doc[0].doc)) {
            docs += 1;
            let passage = |at: &DocPosition| self.view.segment.passages.at(at.doc, at.position);
            let passages = in_doc.chunk_by(|a, b| passage(a) == passage(b));
            matches.extend(passages.map(|in_passage| PassageMatch {
                passage: passage(&in_passage[0]),
                frequency: u32::try_from(in_passage.len()).unwrap_or(u32::MAX),
            }));
        }
        (docs, Matches::Listed(matches))
    }

    /// Adds the name of the author to each passage of the visible documents.
    fn with_author(&self, in_text: Matches<'p>) -> (u64, Matches<'p>) {
        let segment = self.view.segment;
        let (mut docs, mut matches) = (0, Vec::new());
        for (doc, row) in self.view.visible_rows() {
            if row.language == self.language && segment.passages.doc_words(doc) > 0 {
                docs += 1;
                let by_author = |passage| PassageMatch { passage, frequency: self.author_frequency };
                matches.extend(segment.passages.of_doc(doc).map(by_author));
            }
        }
        // both lists are sorted by passage, and all passages with words are in the first
        let mut at = 0;
        in_text.for_each(&segment.passages, |passage, frequency| {
            at += matches[at..].iter().take_while(|found| found.passage < passage).count();
            if let Some(found) = matches.get_mut(at) {
                found.frequency = found.frequency.saturating_add(frequency);
            }
        });
        (docs, Matches::Listed(matches))
    }

    /// The starts of a phrase: positions with each of its words at its distance.
    fn phrase_starts(&self, words: &[(TermKey<'_>, u32)]) -> Vec<DocPosition> {
        let mut common: Option<Vec<DocPosition>> = None;
        for (key, distance) in words {
            let start = |at: DocPosition| Some(DocPosition { position: at.position.checked_sub(*distance)?, ..at });
            let mut starts: Vec<DocPosition> = self.positions(key).into_iter().filter_map(start).collect();
            starts.dedup();
            if let Some(previous) = common {
                starts.retain(|start| previous.binary_search(start).is_ok());
            }
            if starts.is_empty() {
                return starts;
            }
            common = Some(starts);
        }
        common.unwrap_or_default()
    }

    /// The positions of a term, sorted.
    fn positions(&self, key: &TermKey<'_>) -> Vec<DocPosition> {
        let segment = self.view.segment;
        let mut found = Vec::new();
        match key {
            TermKey::Stem(stem) => {
                let record = segment.find_stem(self.stems.clone(), stem);
                for posting in record.into_iter().flat_map(TermRecord::postings) {
                    let doc = posting.doc;
                    found.extend(posting.positions().map(|(position, _)| DocPosition { doc, position }));
                }
            }
            // a word may differ from its stem, so the forms are compared
            TermKey::Prefix(prefix) => {
                let mut has_prefix = Vec::new();
                for stem in segment.stems_of_prefix(self.stems.clone(), prefix) {
                    has_prefix.clear();
                    let record = segment.record(stem);
                    let postings = record.postings_with_forms(|form| has_prefix.push(form.starts_with(prefix)));
                    for posting in postings.filter(|_| has_prefix.contains(&true)) {
                        let doc = posting.doc;
                        let positions = posting.positions().filter(|(_, form)| has_prefix[*form as usize]);
                        found.extend(positions.map(|(position, _)| DocPosition { doc, position }));
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// The positions of `first` that are directly before one of `second`, sorted.
fn adjacent(first: TermRecord<'_>, second: TermRecord<'_>) -> Vec<DocPosition> {
    let mut found = Vec::new();
    let mut seconds = second.postings().peekable();
    for posting in first.postings() {
        let doc = posting.doc;
        while seconds.next_if(|other| other.doc < doc).is_some() {}
        let Some(other) = seconds.next_if(|other| other.doc == doc) else { continue };
        let mut others = other.positions().map(|(position, _)| position).peekable();
        for (position, _) in posting.positions() {
            let Some(next) = position.checked_add(1) else { continue };
            while others.next_if(|&other| other < next).is_some() {}
            found.extend((others.peek() == Some(&next)).then_some(DocPosition { doc, position }));
        }
    }
    // several forms can have the same position
    found.dedup();
    found
}
