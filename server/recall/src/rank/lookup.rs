//! Look-up of the clauses of a query in a segment.

use std::ops::Range;

use super::matches::{Matches, PassageMatch};
use super::plan::{PlannedClause, Target, TermKey};
use super::searcher::SegmentView;
use crate::index::{Cursor, LanguageStems, Postings, TermRecord};
use crate::tuning::PASSAGE_WORDS;

/// The documents of one language in a view.
pub(super) struct TermLookup<'v, 'p, S> {
    view: &'v SegmentView<'p, S>,
    language: &'p LanguageStems,
    /// The clauses that name the author.
    author_clauses: &'v [usize],
    /// How often the name of the author is in each passage.
    author_frequency: u32,
    /// The postings of each clause that is a word; `None` if it does not occur.
    postings: Vec<Option<Postings<'p>>>,
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
        language: &'p LanguageStems,
        clauses: &[PlannedClause<'_>],
        author_clauses: &'v [usize],
        author_frequency: u32,
    ) -> Self {
        let mut postings = vec![None; clauses.iter().map(|clause| clause.number + 1).max().unwrap_or(0)];
        for clause in clauses {
            if let Target::Term(TermKey::Stem(stem)) = &clause.target {
                let record = view.segment.find_stem(language.stems.clone(), stem);
                postings[clause.number] = record.map(TermRecord::postings);
            }
        }
        TermLookup { view, language, author_clauses, author_frequency, postings }
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
            Target::Term(TermKey::Stem(_)) => match self.postings[clause.number] {
                Some(postings) => (self.visible_docs(postings), Matches::Postings(postings)),
                None => (0, Matches::Listed(Vec::new())),
            },
            Target::Term(key) => self.by_passage(self.positions(key)),
            Target::Pair(first, second) => match (self.postings[*first], self.postings[*second]) {
                (Some(first), Some(second)) => self.by_passage(self.adjacent(first, second)),
                _ => (0, Matches::Listed(Vec::new())),
            },
            Target::Phrase(words) => self.by_passage(self.phrase_starts(words)),
        }
    }

    /// The number of visible documents of a posting list.
    fn visible_docs(&self, postings: Postings<'p>) -> u64 {
        let hidden = self.view.hidden_count();
        if hidden == 0 {
            return u64::from(postings.docs);
        }
        let passages = &self.view.segment.passages;
        let mut cursor = postings.cursor();
        if hidden < postings.docs {
            // a look-up of the few invisible documents
            let mut is_in = |doc: u32| {
                let of_doc = passages.of_doc(doc);
                cursor.seek(of_doc.start).is_some_and(|(passage, _)| passage < of_doc.end)
            };
            let invisible = self.view.hidden().map(|(doc, _)| doc).filter(|doc| is_in(*doc)).count();
            return u64::from(postings.docs) - invisible as u64;
        }
        let (mut docs, mut next) = (0, 0);
        while let Some((passage, _)) = cursor.seek(next) {
            let doc = passages.doc(passage);
            docs += u64::from(self.view.is_visible(doc));
            next = passages.of_doc(doc).end;
        }
        docs
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
            if row.language() == self.language.language && segment.passages.doc_words(doc) > 0 {
                docs += 1;
                let by_author = |passage| PassageMatch { passage, frequency: self.author_frequency };
                matches.extend(segment.passages.of_doc(doc).map(by_author));
            }
        }
        // both lists are sorted by passage, and all passages with words are in the first
        let mut at = 0;
        in_text.for_each(|passage, frequency| {
            at += matches[at..].iter().take_while(|found| found.passage < passage).count();
            if let Some(found) = matches.get_mut(at).filter(|found| found.passage == passage) {
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
                if let Some(record) = segment.find_stem(self.language.stems.clone(), stem) {
                    self.add_positions(record.postings(), |_| true, &mut found);
                }
            }
            // a word may differ from its stem, so the forms are compared
            TermKey::Prefix(prefix) => {
                let mut has_prefix = Vec::new();
                for stem in segment.stems_of_prefix(self.language.stems.clone(), prefix) {
                    has_prefix.clear();
                    let record = segment.record(stem);
                    let postings = record.postings_with_forms(|form| has_prefix.push(form.starts_with(prefix)));
                    if has_prefix.contains(&true) {
                        self.add_positions(postings, |form| has_prefix[form as usize], &mut found);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Appends the positions of the wanted forms to `found`.
    fn add_positions(&self, postings: Postings<'p>, is_wanted: impl Fn(u32) -> bool, found: &mut Vec<DocPosition>) {
        let passages = &self.view.segment.passages;
        let mut cursor = postings.cursor();
        while let Some((passage, _)) = cursor.advance() {
            let doc = passages.doc(passage);
            cursor.positions(passages.first_position(doc, passage), |position, form| {
                found.extend(is_wanted(form).then_some(DocPosition { doc, position }));
            });
        }
    }

    /// The positions of `first` that are directly before one of `second`, sorted.
    fn adjacent(&self, first: Postings<'p>, second: Postings<'p>) -> Vec<DocPosition> {
        let passages = &self.view.segment.passages;
        let (mut found, mut firsts, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut first, mut second) = (first.cursor(), second.cursor());
        let mut next = 0;
        while let Some((passage, _)) = first.seek(next) {
            let doc = passages.doc(passage);
            let of_doc = passages.of_doc(doc);
            let Some((other, _)) = second.seek(of_doc.start) else { break };
            if other >= of_doc.end {
                next = passages.of_doc(passages.doc(other)).start;
                continue;
            }
            next = of_doc.end;
            read_positions(&mut first, of_doc.clone(), &mut firsts);
            read_positions(&mut second, of_doc, &mut seconds);
            let mut seconds = seconds.iter().peekable();
            for &position in &firsts {
                let Some(next) = u32::checked_add(position, 1) else { continue };
                while seconds.next_if(|other| **other < next).is_some() {}
                found.extend((seconds.peek() == Some(&&next)).then_some(DocPosition { doc, position }));
            }
        }
        // several forms can have the same position
        found.dedup();
        found
    }
}

/// Replaces `found` by the positions in the passages of a document, from the first of them that the cursor is at.
fn read_positions(cursor: &mut Cursor<'_>, of_doc: Range<u32>, found: &mut Vec<u32>) {
    found.clear();
    let mut at = cursor.seek(of_doc.start);
    while let Some((passage, _)) = at.filter(|(passage, _)| *passage < of_doc.end) {
        cursor.positions((passage - of_doc.start) * PASSAGE_WORDS, |position, _| found.push(position));
        at = cursor.advance();
    }
}
