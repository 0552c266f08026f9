//! The memories of one shelf, inverted.

mod bits;
mod builder;
mod dictionary;
mod gist;
mod pack;
mod passages;
mod postings;
mod sittings;
mod vectors;
mod voices;

use std::sync::Arc;

use std::collections::HashMap;
use uuid::Uuid;

pub(crate) use bits::Bits;
pub(crate) use pack::{Pack, Row, Symbol};
pub(crate) use passages::Passages;
pub(crate) use postings::{Postings, Record};
pub(crate) use sittings::{Seat, Sitting};
pub(crate) use vectors::Vectors;
pub(crate) use voices::Voice;

use crate::doc::Doc;
use builder::PackBuilder;

/// Docs that a pack holds at most; limits what one merge costs.
const MAX_PACK_DOCS: usize = 1 << 15;
/// Places of terms that a pack is built with at most, so that its offsets fit into 32 bits.
const MAX_PACK_OCCURRENCES: usize = 1 << 26;
/// So many packs of about one size are merged; each size is as many times larger than the one below.
const FAN_IN: u32 = 4;

/// The index of one shelf: the memories that always are readable together.
///
/// A value: cloning is cheap (the bulk is shared), and a clone does not see later changes of its original. So a reader
/// keeps one while a writer prepares the next.
///
/// Inside are a few *packs* that never change, and for each the docs of it that are gone. What is added makes a small
/// pack; packs of like size are merged, so that n memories lie in O(log n) packs and each is moved O(log n) times.
///
/// ```
/// use orgmem_recall::{Doc, Meta, Segment, analyze};
///
/// let doc = |id: u128, text| Doc { meta: Meta { id: uuid::Uuid::from_u128(id), ..Meta::default() }, analysis: analyze(text), embeddings: None };
/// let mut segment = Segment::build([doc(1, "rate limits"), doc(2, "retries")]);
/// segment.upsert(doc(2, "retries with backoff"));
/// segment.remove(uuid::Uuid::from_u128(1));
/// assert_eq!(segment.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Segment {
    parts: Vec<Part>,
}

/// A pack and which of its docs are gone.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) pack: Arc<Pack>,
    pub(crate) dead: Bits,
    pub(crate) live: u32,
}

impl Segment {
    /// The index of `docs`; of several with one id the last counts.
    pub fn build(docs: impl IntoIterator<Item = Doc>) -> Self {
        let mut segment = Segment::default();
        segment.extend(docs);
        segment
    }

    /// Adds `doc`, in place of the one with its id.
    ///
    /// Many at once are cheaper by [`extend`](Segment::extend).
    pub fn upsert(&mut self, doc: Doc) {
        self.extend([doc]);
    }

    /// Removes the memory `id`; says whether it was there.
    pub fn remove(&mut self, id: Uuid) -> bool {
        let found = self.parts.iter_mut().any(|part| part.remove(id));
        if found {
            self.settle();
        }
        found
    }

    /// Number of memories, expired ones included.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.live as usize).sum()
    }

    /// Whether it holds no memory.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Bytes of memory that it takes, shared ones included.
    pub fn size_bytes(&self) -> usize {
        let parts = self.parts.iter().map(|part| size_of::<Part>() + part.dead.size_bytes() + part.pack.size_bytes());
        size_of::<Segment>() + parts.sum::<usize>()
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Merges packs of like size, and drops what is mostly gone.
    fn settle(&mut self) {
        self.parts.retain(|part| part.live > 0);
        for part in &mut self.parts {
            if part.live < part.pack.len() / 2 {
                *part = Part::merged(std::slice::from_ref(part));
            }
        }
        while let Some(tier) = (0..u32::BITS).find(|&tier| self.of_tier(tier).count() >= FAN_IN as usize) {
            let merged: Vec<Part> = self.of_tier(tier).cloned().collect();
            self.parts.retain(|part| part.tier() != Some(tier));
            self.parts.push(Part::merged(&merged));
        }
    }

    fn of_tier(&self, tier: u32) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.tier() == Some(tier))
    }
}

impl Extend<Doc> for Segment {
    /// Adds `docs`, each in place of the one with its id; of several with one id the last counts.
    fn extend<I: IntoIterator<Item = Doc>>(&mut self, docs: I) {
        let mut newest = HashMap::new();
        for doc in docs {
            newest.insert(doc.meta.id, doc);
        }
        for &id in newest.keys() {
            self.parts.iter_mut().any(|part| part.remove(id));
        }
        let mut docs = newest.values().peekable();
        while docs.peek().is_some() {
            let mut builder = PackBuilder::default();
            while let Some(doc) = docs.next_if(|_| !builder.is_full()) {
                builder.add_doc(doc);
            }
            self.parts.push(Part::new(builder.finish()));
        }
        self.settle();
    }
}

impl Part {
    fn new(pack: Pack) -> Self {
        Part { live: pack.len(), pack: Arc::new(pack), dead: Bits::default() }
    }

    fn merged(parts: &[Part]) -> Self {
        let mut builder = PackBuilder::default();
        for part in parts {
            builder.add_pack(&part.pack, &part.dead);
        }
        Part::new(builder.finish())
    }

    /// Its size, as a power of [`FAN_IN`]; none when as many of that size would make too large a pack.
    fn tier(&self) -> Option<u32> {
        let fan_in = FAN_IN as usize;
        let is_final =
            self.live as usize * fan_in > MAX_PACK_DOCS || self.pack.occurrences() * fan_in > MAX_PACK_OCCURRENCES;
        (!is_final).then(|| self.live.ilog(FAN_IN))
    }

    fn remove(&mut self, id: Uuid) -> bool {
        let Some(doc) = self.pack.find(id) else { return false };
        let is_new = self.dead.insert(doc);
        self.live -= u32::from(is_new);
        is_new
    }
}
