//! The passages that match a clause.

use crate::index::Postings;

/// A passage of a segment, and how often a clause matches in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassageMatch {
    pub(super) passage: u32,
    pub(super) frequency: u32,
}

/// The matches of a clause. Those of posting lists include invisible documents.
pub(super) enum Matches<'p> {
    Postings(Postings<'p>),
    Listed(Vec<PassageMatch>),
}

impl Matches<'_> {
    /// Number of passages.
    pub(super) fn len(&self) -> usize {
        match self {
            Matches::Postings(postings) => postings.len as usize,
            Matches::Listed(matches) => matches.len(),
        }
    }

    /// Passes each passage with its frequency to `sink`, in order.
    pub(super) fn for_each(&self, mut sink: impl FnMut(u32, u32)) {
        match self {
            Matches::Postings(postings) => postings.for_each(sink),
            Matches::Listed(matches) => matches.iter().for_each(|found| sink(found.passage, found.frequency)),
        }
    }

    /// Passes those of `passages`, which are sorted, that match to `sink`, in order.
    pub(super) fn among(&self, passages: &[u32], mut sink: impl FnMut(u32, u32)) {
        match self {
            Matches::Postings(postings) => postings.for_each_of(passages, sink),
            Matches::Listed(matches) => {
                let mut rest = matches.iter().peekable();
                for &passage in passages {
                    while rest.next_if(|found| found.passage < passage).is_some() {}
                    if let Some(found) = rest.next_if(|found| found.passage == passage) {
                        sink(passage, found.frequency);
                    }
                }
            }
        }
    }
}
