//! Where in a pack something occurs.

use std::ops::Range;

use super::plan::{Key, Look, Step};
use super::shelves::View;
use crate::segment::{Pack, Postings, Record};
use crate::text::Language;

/// A passage, by its number in the pack, and how often it holds what was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) passage: u32,
    pub(super) frequency: u32,
}

/// Where what was looked up stands.
pub(super) enum Found<'p> {
    /// At these postings, of which all docs are there.
    At(Postings<'p>),
    /// Where these of the listed matches say.
    Listed(Range<usize>),
}

/// The docs of one language in a view, and what is known of the words of a plan there.
pub(super) struct Here<'v, 'p, S> {
    view: &'v View<'p, S>,
    language: Language,
    /// The stems of that language.
    stems: Range<u32>,
    keys: &'v [Option<Key<'v>>],
    /// The units that name the author.
    named: &'v [usize],
    /// The record of each word, by the number of its unit; none where it does not occur.
    records: Vec<Option<Record<'p>>>,
}

impl<'v, 'p, S> Here<'v, 'p, S> {
    pub(super) fn new(
        view: &'v View<'p, S>,
        language: Language,
        stems: Range<u32>,
        keys: &'v [Option<Key<'v>>],
        named: &'v [usize],
    ) -> Self {
        let record = |key: &Option<Key<'_>>| match key {
            Some(Key::Stem(stem)) => view.pack.find_stem(stems.clone(), stem),
            Some(Key::Prefix(_)) | None => None,
        };
        Here { view, language, records: keys.iter().map(record).collect(), stems, keys, named }
    }

    /// Where what `step` looks for stands, and in how many docs; what no record tells is appended to `listed`.
    ///
    /// The name of its author stands in every passage of a doc so many times.
    pub(super) fn find(&self, step: &Step<'_>, author: u32, listed: &mut Vec<Match>) -> (u64, Found<'p>) {
        let is_name = author > 0 && self.named.contains(&step.unit);
        if let (Look::Word, Some(record), true, false) =
            (&step.look, self.records[step.unit], self.view.shows_all(), is_name)
        {
            let postings = record.postings();
            return (postings.len(), Found::At(postings));
        }
        let start = listed.len();
        let docs = match is_name {
            true => self.find_author(step, author, listed),
            false => self.find_in_text(step, listed),
        };
        (docs, Found::Listed(start..listed.len()))
    }

    fn find_author(&self, step: &Step<'_>, author: u32, found: &mut Vec<Match>) -> u64 {
        let view = self.view;
        let mut in_text = Vec::new();
        self.find_in_text(step, &mut in_text);
        let mut in_text = in_text.into_iter().peekable();
        let mut docs = 0;
        for (doc, row) in view.pack.rows() {
            if row.language != self.language || !view.shows(doc) || view.pack.passages.doc_length(doc) == 0 {
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

    fn find_in_text(&self, step: &Step<'_>, found: &mut Vec<Match>) -> u64 {
        let Self { view, stems, .. } = self;
        let mut finder = Finder { view, found, doc: None, docs: 0 };
        match &step.look {
            Look::Word => match (&self.keys[step.unit], self.records[step.unit]) {
                (_, Some(record)) => finder.add_postings(record),
                (Some(Key::Prefix(prefix)), None) => {
                    let mut places = Vec::new();
                    places_of_prefix(prefix, view.pack, stems.clone(), &mut |place| places.push(place));
                    places.sort_unstable();
                    finder.add_all(places);
                }
                (Some(Key::Stem(_)) | None, None) => {}
            },
            Look::Pair(first, second) => {
                if let (Some(first), Some(second)) = (self.records[*first], self.records[*second]) {
                    finder.add_neighbours(first, second);
                }
            }
            Look::Phrase(words) => finder.add_all(phrase_starts(words, view.pack, stems.clone())),
        }
        finder.docs
    }
}

/// Where something stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    doc: u32,
    position: u32,
}

/// Counts what it is told in order of docs and positions, of the docs that are there.
struct Finder<'f, S> {
    view: &'f View<'f, S>,
    found: &'f mut Vec<Match>,
    doc: Option<u32>,
    docs: u64,
}

impl<S> Finder<'_, S> {
    fn add(&mut self, doc: u32, position: u32, frequency: u32) {
        if !self.view.shows(doc) {
            return;
        }
        let is_new_doc = self.doc.replace(doc) != Some(doc);
        self.docs += u64::from(is_new_doc);
        let passage = self.view.pack.passages.at(doc, position);
        match self.found.last_mut() {
            Some(last) if !is_new_doc && last.passage == passage => {
                last.frequency = last.frequency.saturating_add(frequency)
            }
            _ => self.found.push(Match { passage, frequency }),
        }
    }

    fn add_all(&mut self, places: Vec<Place>) {
        places.into_iter().for_each(|place| self.add(place.doc, place.position, 1));
    }

    fn add_postings(&mut self, record: Record<'_>) {
        for posting in record.postings() {
            if self.view.shows(posting.doc) {
                self.docs += 1;
                let matches = |passage, frequency| self.found.push(Match { passage, frequency });
                posting.by_passage(&self.view.pack.passages, matches);
            }
        }
    }

    /// Where the second stands right after the first.
    fn add_neighbours(&mut self, first: Record<'_>, second: Record<'_>) {
        let mut seconds = second.postings().peekable();
        for posting in first.postings() {
            let doc = posting.doc;
            while seconds.next_if(|other| other.doc < doc).is_some() {}
            let Some(other) = seconds.next_if(|other| other.doc == doc) else { continue };
            let mut others = other.places().map(|(position, _)| position).peekable();
            let mut before = None;
            for (position, _) in posting.places() {
                let Some(next) = position.checked_add(1) else { continue };
                while others.next_if(|&other| other < next).is_some() {}
                // a word may stand there in several forms
                if others.peek() == Some(&next) && before.replace(position) != Some(position) {
                    self.add(doc, position, 1);
                }
            }
        }
    }
}

/// Where a phrase begins: where each of its words stands at its distance.
fn phrase_starts(words: &[(Key<'_>, u32)], pack: &Pack, stems: Range<u32>) -> Vec<Place> {
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

/// A word may go on otherwise than its stem, so its forms are looked at.
fn places_of_prefix(prefix: &str, pack: &Pack, stems: Range<u32>, add: &mut dyn FnMut(Place)) {
    let mut has_prefix = Vec::new();
    for stem in pack.stems_of_prefix(stems, prefix) {
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
