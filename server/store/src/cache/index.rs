//! The cache of the keyword index: one [`PartitionIndex`] for each partition, at the version of the org's row.
//!
//! The index of an org has one version. Commits queue their changes at the cached partitions, and a partition applies
//! them at its next read. A partition that is newer than the snapshot of its reader still serves it, because recall
//! skips documents that are too new. If documents were removed since the snapshot, it cannot, and the reader takes a
//! new snapshot.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_recall::{Doc, PartitionIndex};
use parking_lot::{Mutex, MutexGuard};
use uuid::Uuid;

use super::Bounded;
use super::purge::PurgeQueue;

/// The key of a partition: memories that are always readable together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PartitionKey {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
}

/// The change that a group of writes made to a partition.
#[derive(Clone, Debug)]
pub(crate) struct IndexChange {
    pub(crate) org: OrgId,
    pub(crate) partition: PartitionKey,
    /// The org version of the change.
    pub(crate) org_version: i64,
    /// The last earlier version at which the document is known. Rows show only the last change of a memory, so a change
    /// that was read from rows does not show the states between `since` and `org_version`.
    pub(crate) since: i64,
    pub(crate) effect: Effect,
}

#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// A new document.
    Add(Doc),
    /// A memory left the index, or a new document follows. Its content may remain in memory for a while.
    Remove(Uuid),
    /// The content of a memory was removed permanently, so that it must not remain in any cache.
    Purge(Uuid),
    /// The content of all memories of the partition was removed permanently.
    PurgeAll,
}

impl IndexChange {
    /// A change by a writer, which knows the previous version.
    pub(crate) fn new(org: OrgId, partition: PartitionKey, org_version: i64, effect: Effect) -> Self {
        Self { org, partition, org_version, since: org_version - 1, effect }
    }
}

/// The cached partitions of all orgs.
pub(crate) struct PartitionCache {
    pub(super) by_key: Bounded<(u64, PartitionKey), Arc<Mutex<CachedPartition>>>,
    pub(super) purges: Mutex<PurgeQueue>,
}

/// The version of the cached partitions of one org. They are dropped with it.
pub(crate) struct OrgIndex {
    state: Mutex<IndexState>,
    partitions: Arc<PartitionCache>,
}

pub(crate) struct IndexState {
    /// None until the first search.
    version: Option<i64>,
    /// Part of the keys of the org's partitions. A new epoch invalidates the partitions of the previous one.
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

/// A partition that is loading, or loaded with changes to apply.
#[derive(Default)]
pub(crate) struct CachedPartition {
    /// None while it is loading.
    pub(super) segment: Option<Arc<PartitionIndex>>,
    /// The org version of the last change in `segment`.
    version: i64,
    /// The org version of the last change that removed a document.
    removed_at: i64,
    /// Changes to apply, in ascending order of versions.
    pending: Vec<IndexChange>,
}

/// The result of a cache lookup for a snapshot.
pub(crate) enum Served {
    With(Arc<PartitionIndex>),
    /// The partition may lack documents that the snapshot has.
    TooNew,
    /// The partition is not cached or still loading.
    Absent,
}

impl PartitionCache {
    /// Maximum number of pending changes of a partition. A partition with more is unused and is dropped.
    const MAX_PENDING: usize = 10_000;

    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { by_key: Bounded::new(max_bytes), purges: Mutex::default() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.by_key.weight()
    }

    /// Drops all partitions of an epoch. Content that is removed from the database must not stay in memory after its
    /// partition has become unreachable.
    fn forget(&self, epoch: u64) {
        self.by_key.remove_all(|(of, _)| *of == epoch);
    }

    fn find(&self, state: &IndexState, key: PartitionKey) -> Option<Arc<Mutex<CachedPartition>>> {
        self.by_key.get(&(state.epoch, key))
    }

    /// Looks a partition up for the snapshot of `version` and applies its pending changes up to that version.
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

    /// Reserves the slot of a partition before it is loaded, so that changes from now on are queued for it.
    pub(crate) fn expect(&self, state: &IndexState, key: PartitionKey) {
        self.by_key.insert((state.epoch, key), Arc::default(), size_of::<CachedPartition>());
    }

    /// Fills the reserved slot with a partition loaded at the snapshot of `version`. Does nothing if the slot is gone.
    pub(crate) fn fill(&self, state: &IndexState, key: PartitionKey, segment: Arc<PartitionIndex>, version: i64) {
        let Some(partition) = self.find(state, key) else { return };
        let bytes = size_of::<CachedPartition>() + segment.size_bytes();
        let mut partition = partition.lock();
        partition.pending.retain(|update| update.org_version > version);
        partition.segment = Some(segment);
        partition.version = version;
        partition.removed_at = partition.removed_at.max(version);
        self.by_key.reweigh(&(state.epoch, key), bytes);
    }

    /// Queues a change if its partition is cached. Drops the partition instead if all its content was removed
    /// permanently, or if too many changes are pending.
    ///
    /// If content was removed permanently, it is freed soon: a search must not wait until its partition is rewritten.
    fn push_change(self: &Arc<Self>, state: &IndexState, update: IndexChange) {
        let key = (state.epoch, update.partition);
        let Some(partition) = self.by_key.peek(&key) else { return };
        let mut partition = partition.lock();
        if partition.pending.len() >= Self::MAX_PENDING || matches!(update.effect, Effect::PurgeAll) {
            self.by_key.remove(&key);
            return;
        }
        let purged = if let Effect::Purge(memory) = update.effect { Some(memory) } else { None };
        if let Some(memory) = purged {
            partition.forget_pending(memory, update.org_version);
        }
        if update.org_version > partition.version {
            partition.pending.push(update);
        }
        drop(partition);
        if purged.is_some() {
            self.purge_soon(key);
        }
    }
}

impl IndexState {
    pub(crate) fn version(&self) -> Option<i64> {
        self.version
    }

    #[cfg(test)]
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Restarts at `version` without any cached partition.
    pub(crate) fn begin_at(&mut self, partitions: &PartitionCache, version: i64) {
        partitions.forget(self.epoch);
        *self = Self { version: Some(version), epoch: EPOCHS.fetch_add(1, Ordering::Relaxed) };
    }

    /// Queues all changes between the versions `from` and `to`. Does nothing if the index is not at `from` any more.
    pub(crate) fn advance(
        &mut self,
        partitions: &Arc<PartitionCache>,
        from: i64,
        to: i64,
        changes: impl Iterator<Item = IndexChange>,
    ) {
        if self.version == Some(from) {
            changes.for_each(|update| partitions.push_change(self, update));
            self.version = Some(to);
        }
    }
}

impl CachedPartition {
    /// Removes the content of a memory, which was removed at `org_version`, from the pending changes. Older snapshots,
    /// which may have it, cannot be served any more.
    fn forget_pending(&mut self, memory: Uuid, org_version: i64) {
        let before = self.pending.len();
        self.pending.retain(|update| !matches!(&update.effect, Effect::Add(doc) if doc.meta.id == memory));
        if self.pending.len() < before {
            self.removed_at = self.removed_at.max(org_version);
        }
    }

    /// Applies pending changes up to `version`. Returns whether there were any.
    pub(super) fn apply_until(&mut self, version: i64) -> bool {
        let count = self.pending.partition_point(|update| update.org_version <= version);
        let Some(segment) = self.segment.as_mut().filter(|_| count > 0) else { return false };
        let segment = Arc::make_mut(segment);
        let (mut added, mut added_ids): (Vec<Doc>, HashSet<Uuid>) = Default::default();
        for update in self.pending.drain(..count) {
            self.version = update.org_version;
            let removed = match update.effect {
                Effect::Add(doc) => {
                    added_ids.insert(doc.meta.id);
                    added.push(doc);
                    continue;
                }
                Effect::Remove(memory) | Effect::Purge(memory) => memory,
                // drops the partition instead of being queued
                Effect::PurgeAll => continue,
            };
            if added_ids.contains(&removed) {
                segment.extend(added.drain(..));
                added_ids.clear();
            }
            if segment.remove(removed) || update.org_version - update.since > 1 {
                self.removed_at = update.org_version;
            }
        }
        segment.extend(added);
        true
    }

    /// Whether the snapshot of `version` has, or may have, documents that are missing here: they were removed since, or
    /// a pending change does not show their state at `version`.
    fn is_too_new_for(&self, version: i64) -> bool {
        self.removed_at > version || self.pending.iter().any(|update| update.since < version)
    }
}
