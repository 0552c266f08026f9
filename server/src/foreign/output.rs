//! What a format yields: memories, and counts of everything that became none.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use orgmem_types::ExportedMemory;
use serde::Serialize;

use super::ForeignError;

/// Ids that an import compares; beyond that many, the server finds duplicates.
const MAX_IDS: usize = 1_000_000;

/// Counts of what a file has, in the words of its format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tally {
    /// Records by kind.
    pub(crate) read: BTreeMap<String, u64>,
    /// Memories that the records became.
    pub(crate) memories: u64,
    /// Records with the id and the content of an earlier one.
    pub(crate) duplicates: u64,
    /// Fields and records that no memory has, by their path.
    pub(crate) unmapped: BTreeMap<String, u64>,
}

/// A memory and its position in the file.
#[derive(Clone, Debug)]
pub(crate) struct ForeignMemory {
    pub(crate) at: String,
    pub(crate) memory: ExportedMemory,
}

/// Receives the memories of a file.
pub(crate) struct Output<'o> {
    tally: Tally,
    ids: HashMap<u128, u64>,
    give: &'o mut dyn FnMut(ForeignMemory) -> Result<(), ForeignError>,
}

impl<'o> Output<'o> {
    pub(crate) fn new(give: &'o mut dyn FnMut(ForeignMemory) -> Result<(), ForeignError>) -> Self {
        Self { tally: Tally::default(), ids: HashMap::new(), give }
    }

    pub(crate) fn into_tally(self) -> Tally {
        self.tally
    }

    /// Counts a record of this kind.
    pub(super) fn count(&mut self, kind: &str) {
        *self.tally.read.entry(kind.to_owned()).or_default() += 1;
    }

    /// Counts something that no memory has.
    pub(super) fn unmapped(&mut self, path: impl Into<String>) {
        self.unmapped_many(path, 1);
    }

    pub(super) fn unmapped_many(&mut self, path: impl Into<String>, count: u64) {
        *self.tally.unmapped.entry(path.into()).or_default() += count;
    }

    /// Gives a memory to the receiver, unless an earlier one is equal.
    ///
    /// # Errors
    /// [`ForeignError::Record`] when an earlier memory has its id and another content.
    pub(super) fn memory(&mut self, at: &str, memory: ExportedMemory) -> Result<(), ForeignError> {
        if let Some(id) = memory.id {
            let content = hash(&memory.content);
            match self.ids.get(&id.as_u128()) {
                Some(known) if *known == content => {
                    self.tally.duplicates += 1;
                    return Ok(());
                }
                Some(_) => {
                    let reason = format!("an earlier record with another text has the same id `{id}`");
                    return Err(ForeignError::record(at, reason));
                }
                None if self.ids.len() < MAX_IDS => {
                    self.ids.insert(id.as_u128(), content);
                }
                None => {}
            }
        }
        self.tally.memories += 1;
        (self.give)(ForeignMemory { at: at.to_owned(), memory })
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
