//! The terms of one text: sorted, unique, with positions.

use std::ops::Range;

/// Short strings in one allocation, by number.
#[derive(Debug, Default)]
pub(crate) struct StringPool {
    text: String,
    ends: Vec<u32>,
}

impl StringPool {
    pub(crate) fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |previous| self.ends[previous] as usize);
        &self.text[start..self.ends[number] as usize]
    }

    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.get(number))
    }
}

impl<'s> FromIterator<&'s str> for StringPool {
    fn from_iter<I: IntoIterator<Item = &'s str>>(strings: I) -> Self {
        let mut pool = StringPool::default();
        strings.into_iter().for_each(|string| pool.push(string));
        pool.text.shrink_to_fit();
        pool.ends.shrink_to_fit();
        pool
    }
}

/// One term of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term<'a> {
    /// The key of a look-up.
    pub stem: &'a str,
    /// The folded spelling, which prefixes are compared with.
    pub word: &'a str,
    /// Ascending and never empty; their number is the term frequency.
    pub positions: &'a [u32],
}

/// The terms of a text, sorted by stem, then by word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    text: String,
    spans: Vec<TermSpan>,
    positions: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TermSpan {
    stem: Range<u32>,
    word: Range<u32>,
    positions_end: u32,
}

impl Terms {
    /// The terms, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Term<'_>> {
        let mut start = 0;
        self.spans.iter().map(move |span| {
            let end = span.positions_end as usize;
            let positions = &self.positions[start..end];
            start = end;
            Term { stem: slice(&self.text, &span.stem), word: slice(&self.text, &span.word), positions }
        })
    }

    /// Appends a term that sorts after all others.
    pub(crate) fn push(&mut self, stem: &str, word: &str, positions: impl IntoIterator<Item = u32>) {
        let stem_span = append(&mut self.text, stem);
        let word_span = match word.strip_prefix(stem) {
            Some(rest) => stem_span.start..append(&mut self.text, rest).end,
            None => append(&mut self.text, word),
        };
        self.positions.extend(positions);
        self.spans.push(TermSpan { stem: stem_span, word: word_span, positions_end: self.positions.len() as u32 });
    }
}

/// Collects terms in text order and sorts them.
#[derive(Default)]
pub(super) struct TermsBuilder {
    text: String,
    occurrences: Vec<TermOccurrence>,
}

struct TermOccurrence {
    stem: Range<u32>,
    word: Range<u32>,
    position: u32,
}

impl TermsBuilder {
    pub(super) fn add(&mut self, stem: &str, word: &str, position: u32) {
        let stem = append(&mut self.text, stem);
        let word = append(&mut self.text, word);
        self.occurrences.push(TermOccurrence { stem, word, position });
    }

    pub(super) fn finish(mut self) -> Terms {
        let key = |found: &TermOccurrence| (slice(&self.text, &found.stem), slice(&self.text, &found.word));
        self.occurrences.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(a.position.cmp(&b.position)));
        let mut terms = Terms::default();
        for same in self.occurrences.chunk_by(|a, b| key(a) == key(b)) {
            let (stem, word) = key(&same[0]);
            let mut previous = None;
            let positions = same.iter().map(|found| found.position);
            terms.push(stem, word, positions.filter(|&position| previous.replace(position) != Some(position)));
        }
        terms
    }
}

/// Appends `word`; returns its span.
fn append(text: &mut String, word: &str) -> Range<u32> {
    let start = text.len() as u32;
    text.push_str(word);
    start..text.len() as u32
}

fn slice<'t>(text: &'t str, span: &Range<u32>) -> &'t str {
    &text[span.start as usize..span.end as usize]
}
