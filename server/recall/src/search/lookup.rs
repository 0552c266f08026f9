//! Where in a pack something occurs.

use std::ops::Range;

use super::plan::{Key, Look, Step};
use super::shelves::View;
use crate::segment::Pack;
use crate::text::Language;

/// A passage, by its number in the pack, and how often it holds what was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) passage: u32,
    pub(super) frequency: u32,
}

/// Appends the passages of docs of `language` in `view` that hold what `step` looks for among `stems`, the stems of that
/// language; gives the number of their docs.
///
/// The name of its author stands in every passage of a doc so many times.
pub(super) fn find<S>(
    step: &Step,
    view: &View<'_, S>,
    (language, stems): (Language, Range<u32>),
    author: u32,
    found: &mut Vec<Match>,
) -> u64 {
    if author == 0 || !step.names(view.byline) {
        return find_in_text(&step.look, view, stems, found);
    }
    let mut in_text = Vec::new();
    find_in_text(&step.look, view, stems, &mut in_text);
    let mut in_text = in_text.into_iter().peekable();
    let mut docs = 0;
    for (doc, row) in view.pack.rows() {
        if row.language != language || !view.shows(doc) || view.pack.passages.doc_length(doc) == 0 {
            continue;
        }
        docs += 1;
        found.extend(view.pack.passages.of_doc(doc).map(|passage| {
            let more = in_text.next_if(|found| found.passage == passage).map_or(0, |found| found.frequency);
            Match { passage, frequency: author.saturating_add(more) }
        }));
    }
    docs
}

fn find_in_text<S>(look: &Look, view: &View<'_, S>, stems: Range<u32>, found: &mut Vec<Match>) -> u64 {
    let mut finder = Finder { pack: view.pack, found, doc: None, docs: 0 };
    match look {
        Look::Up(Key::Stem(stem)) => {
            let postings = view.pack.find_stem(stems, stem).into_iter().flat_map(|record| record.postings());
            for posting in postings.filter(|posting| view.shows(posting.doc)) {
                let doc = posting.doc;
                if view.pack.passages.of_doc(doc).len() == 1 {
                    finder.add(doc, 0, posting.frequency);
                } else {
                    posting.places().for_each(|(position, _)| finder.add(doc, position, 1));
                }
            }
        }
        Look::Up(Key::Prefix(prefix)) => {
            let mut places = Vec::new();
            places_of_prefix(prefix, view.pack, stems, &mut |place| places.push(place));
            places.sort_unstable();
            finder.add_all(places, view);
        }
        Look::Phrase(words) => finder.add_all(phrase_starts(words, view.pack, stems), view),
    }
    finder.docs
}

/// Where something stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    doc: u32,
    position: u32,
}

/// Counts what it is told in order of docs and positions.
struct Finder<'f> {
    pack: &'f Pack,
    found: &'f mut Vec<Match>,
    doc: Option<u32>,
    docs: u64,
}

impl Finder<'_> {
    fn add(&mut self, doc: u32, position: u32, frequency: u32) {
        let is_new_doc = self.doc.replace(doc) != Some(doc);
        self.docs += u64::from(is_new_doc);
        let passage = self.pack.passages.at(doc, position);
        match self.found.last_mut() {
            Some(last) if !is_new_doc && last.passage == passage => {
                last.frequency = last.frequency.saturating_add(frequency)
            }
            _ => self.found.push(Match { passage, frequency }),
        }
    }

    fn add_all<S>(&mut self, places: Vec<Place>, view: &View<'_, S>) {
        let shown = places.into_iter().filter(|place| view.shows(place.doc));
        shown.for_each(|place| self.add(place.doc, place.position, 1));
    }
}

/// Where a phrase begins: where each of its words stands at its distance.
fn phrase_starts(words: &[(Key, u32)], pack: &Pack, stems: Range<u32>) -> Vec<Place> {
    let mut common: Option<Vec<Place>> = None;
    for (key, distance) in words {
        let mut starts = Vec::new();
        let mut add = |place: Place| {
            let start = place.position.checked_sub(*distance);
            starts.extend(start.map(|position| Place { position, ..place }));
        };
        match key {
            Key::Stem(stem) => places_of_stem(stem, pack, stems.clone(), &mut add),
            Key::Prefix(prefix) => places_of_prefix(prefix, pack, stems.clone(), &mut add),
        }
        starts.sort_unstable();
        starts.dedup();
        if let Some(before) = common {
            starts.retain(|start| before.binary_search(start).is_ok());
        }
        if starts.is_empty() {
            return starts;
        }
        common = Some(starts);
    }
    common.unwrap_or_default()
}

fn places_of_stem(stem: &str, pack: &Pack, stems: Range<u32>, add: &mut dyn FnMut(Place)) {
    for posting in pack.find_stem(stems, stem).into_iter().flat_map(|record| record.postings()) {
        let doc = posting.doc;
        posting.places().for_each(|(position, _)| add(Place { doc, position }));
    }
}

/// A word may begin otherwise than its stem, so all stems are looked at.
fn places_of_prefix(prefix: &str, pack: &Pack, stems: Range<u32>, add: &mut dyn FnMut(Place)) {
    let mut has_prefix = Vec::new();
    for stem in stems {
        has_prefix.clear();
        let postings = pack.record(stem).postings_and_forms(|form| has_prefix.push(form.starts_with(prefix)));
        if !has_prefix.contains(&true) {
            continue;
        }
        for posting in postings {
            let doc = posting.doc;
            let places = posting.places().filter(|(_, form)| has_prefix[*form as usize]);
            places.for_each(|(position, _)| add(Place { doc, position }));
        }
    }
}
