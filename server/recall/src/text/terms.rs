//! The terms of one text: sorted, each once, with its positions.

use std::ops::Range;

/// One term of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term<'a> {
    /// What it is looked up by.
    pub stem: &'a str,
    /// How it is written, folded: what prefixes are compared with.
    pub word: &'a str,
    /// Where it stands, ascending; never empty. Their number is the term frequency.
    pub positions: &'a [u32],
}

/// The terms of a text in the order of their stems, then their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    text: String,
    spans: Vec<Span>,
    positions: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    stem: Range<u32>,
    word: Range<u32>,
    positions_end: u32,
}

impl Terms {
    /// Number of different terms.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the text has nothing that can be found.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The terms, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Term<'_>> {
        let mut start = 0;
        self.spans.iter().map(move |span| {
            let end = span.positions_end as usize;
            let positions = &self.positions[start..end];
            start = end;
            Term { stem: self.slice(&span.stem), word: self.slice(&span.word), positions }
        })
    }

    /// Adds a term that comes after all others.
    pub(crate) fn push(&mut self, stem: &str, word: &str, positions: impl IntoIterator<Item = u32>) {
        let stem_span = append(&mut self.text, stem);
        let word_span = match word.strip_prefix(stem) {
            Some(rest) => stem_span.start..append(&mut self.text, rest).end,
            None => append(&mut self.text, word),
        };
        self.positions.extend(positions);
        self.spans.push(Span { stem: stem_span, word: word_span, positions_end: self.positions.len() as u32 });
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }
}

/// Collects terms as they come and sorts them.
#[derive(Default)]
pub(crate) struct TermsBuilder {
    text: String,
    found: Vec<Found>,
}

struct Found {
    stem: Range<u32>,
    word: Range<u32>,
    position: u32,
}

impl TermsBuilder {
    pub(crate) fn add(&mut self, stem: &str, word: &str, position: u32) {
        let stem = append(&mut self.text, stem);
        let word = append(&mut self.text, word);
        self.found.push(Found { stem, word, position });
    }

    pub(crate) fn finish(self) -> Terms {
        let TermsBuilder { text, mut found } = self;
        let slice = |range: &Range<u32>| &text[range.start as usize..range.end as usize];
        let key = |found: &Found| (slice(&found.stem), slice(&found.word));
        found.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(a.position.cmp(&b.position)));
        let mut terms = Terms::default();
        for same in found.chunk_by(|a, b| key(a) == key(b)) {
            let (stem, word) = key(&same[0]);
            let mut before = None;
            let positions = same.iter().map(|found| found.position);
            terms.push(stem, word, positions.filter(|&position| before.replace(position) != Some(position)));
        }
        terms
    }
}

/// Appends `word` and says where it is.
fn append(text: &mut String, word: &str) -> Range<u32> {
    let start = text.len() as u32;
    text.push_str(word);
    start..text.len() as u32
}
