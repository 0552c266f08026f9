//! The keyword index in memory: segments of shelves, kept in step with the org's row.
//!
//! The index of an org is as of one version. What is committed is handed to the shelves that are here; a shelf applies
//! it when it is next read. A reader whose snapshot is older than the index takes the newer shelf all the same, and
//! recall passes over what is too new for it, unless something was taken away since: that cannot be undone, and the
//! reader takes another snapshot.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_recall::{Doc, PartitionIndex};
use parking_lot::{Mutex, MutexGuard};
use uuid::Uuid;

use super::Bounded;

/// Memories that are always readable together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PartitionKey {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
}

/// What a group of writes did to one memory's place in the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexChange {
    pub(crate) org: OrgId,
    pub(crate) partition: PartitionKey,
    pub(crate) memory: Uuid,
    /// The org's version with it.
    pub(crate) org_version: i64,
    /// The last version before it of which it is known what was in its place. Rows tell of the last change alone: of a
    /// memory that was written and changed since, they do not say what snapshots in between have.
    pub(crate) since: i64,
    /// Its new form; none when it left the index.
    pub(crate) doc: Option<Doc>,
    /// Whether it was taken out for good: then not even memory that nobody reads any more may have it.
    pub(crate) is_taken_out: bool,
}

impl IndexChange {
    /// What a writer did, who knows what was there before.
    pub(crate) fn new(org: OrgId, partition: PartitionKey, memory: Uuid, org_version: i64, doc: Option<Doc>) -> Self {
        Self { org, partition, memory, org_version, since: org_version - 1, doc, is_taken_out: false }
    }

    /// The same with nothing in its place.
    pub(crate) fn of_removal(&self) -> Self {
        let &Self { org, partition, memory, org_version, since, .. } = self;
        Self { org, partition, memory, org_version, since, doc: None, is_taken_out: false }
    }
}

/// The shelves of all orgs that are in memory.
pub(crate) struct PartitionCache {
    by_key: Bounded<(u64, PartitionKey), Arc<Mutex<CachedPartition>>>,
}

/// Which version the shelves of one org are of. They are forgotten with it.
pub(crate) struct OrgIndex {
    state: Mutex<IndexState>,
    partitions: Arc<PartitionCache>,
}

/// The same, held.
pub(crate) struct IndexState {
    /// None until the first search.
    version: Option<i64>,
    /// Names the shelves that are kept in step; those of other epochs are forgotten.
    epoch: u64,
}

static EPOCHS: AtomicU64 = AtomicU64::new(0);

impl Drop for OrgIndex {
    fn drop(&mut self) {
        self.partitions.forget(self.state.get_mut().epoch);
    }
}

impl OrgIndex {
    pub(crate) fn new(partitions: &Arc<PartitionCache>) -> Self {
        let state = IndexState { version: None, epoch: EPOCHS.fetch_add(1, Ordering::Relaxed) };
        Self { state: Mutex::new(state), partitions: Arc::clone(partitions) }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, IndexState> {
        self.state.lock()
    }
}

/// One shelf, on its way to being loaded or in step with the org.
#[derive(Default)]
pub(crate) struct CachedPartition {
    /// None while it is being loaded.
    segment: Option<Arc<PartitionIndex>>,
    /// The last change that is in `segment`.
    version: i64,
    /// The last change that took something away which was there before.
    taken_away_at: i64,
    /// Later changes, in order.
    waiting: Vec<IndexChange>,
}

/// How a shelf can serve a snapshot.
pub(crate) enum Served {
    /// Like this.
    With(Arc<PartitionIndex>),
    /// Not at all: something that the snapshot has is gone from it.
    TooNew,
    /// Not yet.
    Absent,
}

impl PartitionCache {
    /// So many changes may wait for a reader; a shelf that nobody reads is not worth more.
    const WAITING: usize = 10_000;

    /// None yet; they may grow to so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { by_key: Bounded::new(most) }
    }

    /// What all of them take.
    pub(crate) fn bytes(&self) -> usize {
        self.by_key.weight()
    }

    /// What was taken out of the database is not to stay here because nobody can ask for it any more.
    fn forget(&self, epoch: u64) {
        self.by_key.remove_all(|(of, _)| *of == epoch);
    }

    fn find(&self, state: &IndexState, key: PartitionKey) -> Option<Arc<Mutex<CachedPartition>>> {
        self.by_key.get(&(state.epoch, key))
    }

    /// The shelf as the snapshot of `version` sees it.
    pub(crate) fn serve(&self, state: &IndexState, key: PartitionKey, version: i64) -> Served {
        let Some(partition) = self.find(state, key) else { return Served::Absent };
        let mut partition = partition.lock();
        let applied = partition.apply_until(version);
        let Some(segment) = &partition.segment else { return Served::Absent };
        if applied {
            self.by_key.reweigh(&(state.epoch, key), segment.size_bytes());
        }
        if partition.is_too_new_for(version) { Served::TooNew } else { Served::With(Arc::clone(segment)) }
    }

    /// Makes room for a shelf that is about to be loaded, so that no change from here on passes it by.
    pub(crate) fn expect(&self, state: &IndexState, key: PartitionKey) {
        self.by_key.insert((state.epoch, key), Arc::default(), size_of::<CachedPartition>());
    }

    /// Puts a shelf, loaded at the snapshot of `version`, where it is expected; if it is not any more, it is forgotten.
    pub(crate) fn fill(&self, state: &IndexState, key: PartitionKey, segment: Arc<PartitionIndex>, version: i64) {
        let Some(partition) = self.find(state, key) else { return };
        let bytes = size_of::<CachedPartition>() + segment.size_bytes();
        let mut partition = partition.lock();
        partition.waiting.retain(|update| update.org_version > version);
        partition.segment = Some(segment);
        partition.version = version;
        partition.taken_away_at = version;
        self.by_key.reweigh(&(state.epoch, key), bytes);
    }

    fn hand_over(&self, state: &IndexState, update: IndexChange) {
        let key = (state.epoch, update.partition);
        let Some(partition) = self.by_key.peek(&key) else { return };
        let mut partition = partition.lock();
        if update.is_taken_out || partition.waiting.len() >= Self::WAITING {
            self.by_key.remove(&key);
        } else if update.org_version > partition.version {
            partition.waiting.push(update);
        }
    }
}

impl IndexState {
    pub(crate) fn version(&self) -> Option<i64> {
        self.version
    }

    /// Begins anew at `version`, with no shelf.
    pub(crate) fn begin_at(&mut self, partitions: &PartitionCache, version: i64) {
        partitions.forget(self.epoch);
        *self = Self { version: Some(version), epoch: EPOCHS.fetch_add(1, Ordering::Relaxed) };
    }

    /// Takes over all changes between two versions; says nothing when it is not at the first one any more.
    pub(crate) fn advance(
        &mut self,
        partitions: &PartitionCache,
        from: i64,
        to: i64,
        changes: impl Iterator<Item = IndexChange>,
    ) {
        if self.version == Some(from) {
            changes.for_each(|update| partitions.hand_over(self, update));
            self.version = Some(to);
        }
    }
}

impl CachedPartition {
    /// Applies what waits, up to `version`; says whether that was anything.
    fn apply_until(&mut self, version: i64) -> bool {
        let count = self.waiting.partition_point(|update| update.org_version <= version);
        let Some(segment) = self.segment.as_mut().filter(|_| count > 0) else { return false };
        let segment = Arc::make_mut(segment);
        let (mut fresh, mut fresh_ids): (Vec<Doc>, HashSet<Uuid>) = Default::default();
        for update in self.waiting.drain(..count) {
            self.version = update.org_version;
            if let Some(doc) = update.doc {
                fresh_ids.insert(doc.meta.id);
                fresh.push(doc);
                continue;
            }
            if fresh_ids.contains(&update.memory) {
                segment.extend(fresh.drain(..));
                fresh_ids.clear();
            }
            if segment.remove(update.memory) || update.org_version - update.since > 1 {
                self.taken_away_at = update.org_version;
            }
        }
        segment.extend(fresh);
        true
    }

    /// Whether the snapshot of `version` has, or may have, what is not here: it was taken away since, or what waits does
    /// not say how it was then.
    fn is_too_new_for(&self, version: i64) -> bool {
        self.taken_away_at > version || self.waiting.iter().any(|update| update.since < version)
    }
}
