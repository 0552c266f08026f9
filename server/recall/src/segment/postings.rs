//! Where one stem occurs: its record in a pack.
//!
//! A record is the number of forms in which the stem is written, each as a change of the stem; the number of docs;
//! then for each doc, by number: the gap to the one before with a bit that says whether the stem occurs more than once,
//! if so how often, and the gaps between the places, each combined with the number of the form that stands there.

use super::passages::Passages;
use crate::bytes::{Reader, Writer};

/// One place of a stem: which doc, where, in which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    pub(super) stem: u32,
    pub(super) doc: u32,
    pub(super) position: u32,
    pub(super) form: u32,
}

/// Appends the record of a stem; `occurrences` are its own, sorted.
pub(super) fn write_record<'f>(
    out: &mut Writer,
    stem: &str,
    forms: impl ExactSizeIterator<Item = &'f str>,
    occurrences: &[Occurrence],
) {
    let form_count = forms.len() as u64;
    out.number(form_count);
    forms.for_each(|form| out.change(stem, form));
    let docs = || occurrences.chunk_by(|a, b| a.doc == b.doc);
    out.number(docs().count() as u64);
    let mut doc_before = 0;
    for in_doc in docs() {
        let doc = in_doc[0].doc;
        out.number(u64::from(doc - doc_before) << 1 | u64::from(in_doc.len() > 1));
        if in_doc.len() > 1 {
            out.number(in_doc.len() as u64);
        }
        let mut position_before = 0;
        for place in in_doc {
            out.number(u64::from(place.position - position_before) * form_count + u64::from(place.form));
            position_before = place.position;
        }
        doc_before = doc;
    }
}

/// A record being read.
///
/// INVARIANT: its bytes are those of [`write_record`], so the defaults for damaged bytes are never met.
#[derive(Clone, Copy)]
pub(crate) struct Record<'p> {
    stem: &'p str,
    bytes: Reader<'p>,
}

impl<'p> Record<'p> {
    pub(super) fn new(stem: &'p str, bytes: &'p [u8]) -> Self {
        Record { stem, bytes: Reader::new(bytes) }
    }

    /// Where the stem occurs, in whatever form.
    pub(crate) fn postings(mut self) -> Postings<'p> {
        let form_count = number(&mut self.bytes);
        for _ in 0..form_count {
            self.bytes.read_change().unwrap_or_default();
        }
        Postings::new(self.bytes, form_count)
    }

    /// The same, telling the forms first, in the order of their numbers.
    pub(crate) fn postings_and_forms(mut self, mut form: impl FnMut(Form<'p>)) -> Postings<'p> {
        let form_count = number(&mut self.bytes);
        for _ in 0..form_count {
            let (cut, added) = self.bytes.read_change().unwrap_or_default();
            let kept = self.stem.len().saturating_sub(cut);
            form(Form { kept: &self.stem.as_bytes()[..kept], added });
        }
        Postings::new(self.bytes, form_count)
    }
}

/// A form in which a stem is written: the beginning of the stem, and what comes after.
#[derive(Clone, Copy)]
pub(crate) struct Form<'p> {
    kept: &'p [u8],
    added: &'p [u8],
}

impl Form<'_> {
    pub(crate) fn starts_with(self, prefix: &str) -> bool {
        let prefix = prefix.as_bytes();
        match prefix.strip_prefix(self.kept) {
            Some(rest) => self.added.starts_with(rest),
            None => self.kept.starts_with(prefix),
        }
    }

    pub(crate) fn to_word(self) -> String {
        String::from_utf8([self.kept, self.added].concat()).unwrap_or_default()
    }
}

/// The docs that a stem occurs in, by number.
#[derive(Clone)]
pub(crate) struct Postings<'p> {
    bytes: Reader<'p>,
    form_count: u64,
    left: u64,
    doc: u32,
}

impl<'p> Postings<'p> {
    fn new(mut bytes: Reader<'p>, form_count: u64) -> Self {
        let left = number(&mut bytes);
        Postings { bytes, form_count, left, doc: 0 }
    }

    /// Number of docs.
    pub(crate) fn len(&self) -> u64 {
        self.left
    }
}

/// A doc and the places of a stem in it.
pub(crate) struct Posting<'p> {
    pub(crate) doc: u32,
    pub(crate) frequency: u32,
    places: Reader<'p>,
    form_count: u64,
}

impl<'p> Iterator for Postings<'p> {
    type Item = Posting<'p>;

    #[inline]
    fn next(&mut self) -> Option<Posting<'p>> {
        self.left = self.left.checked_sub(1)?;
        let code = number(&mut self.bytes);
        self.doc += (code >> 1) as u32;
        let frequency = if code & 1 == 1 { number(&mut self.bytes) as u32 } else { 1 };
        let places = self.bytes;
        for _ in 0..frequency {
            number(&mut self.bytes);
        }
        Some(Posting { doc: self.doc, frequency, places, form_count: self.form_count })
    }
}

impl<'p> Posting<'p> {
    /// Tells how often the stem occurs in which passages, in their order.
    #[inline]
    pub(crate) fn by_passage(self, passages: &Passages, mut tell: impl FnMut(u32, u32)) {
        let doc = self.doc;
        let of_doc = passages.of_doc(doc);
        if of_doc.len() == 1 {
            return tell(of_doc.start, self.frequency);
        }
        let mut told = (of_doc.start, 0);
        for (position, _) in self.places() {
            let passage = passages.at(doc, position);
            if passage != told.0 {
                if told.1 > 0 {
                    tell(told.0, told.1);
                }
                told = (passage, 0);
            }
            told.1 += 1;
        }
        tell(told.0, told.1);
    }

    /// Position and number of the form, by position.
    pub(crate) fn places(self) -> impl Iterator<Item = (u32, u32)> + use<'p> {
        let Posting { frequency, mut places, form_count, .. } = self;
        let mut position = 0;
        (0..frequency).map(move |_| {
            let code = number(&mut places);
            position += (code / form_count) as u32;
            (position, (code % form_count) as u32)
        })
    }
}

#[inline]
fn number(bytes: &mut Reader<'_>) -> u64 {
    bytes.number().unwrap_or_default()
}
