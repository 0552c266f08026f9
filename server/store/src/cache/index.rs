//! The cache of the keyword index: one [`PartitionIndex`] for each partition, at the version of the org's row.
//!
//! The index of an org has one version. Commits queue their changes at the cached partitions, and a partition applies
//! them at its next read. A partition that is newer than the snapshot of its reader still serves it, because recall
//! skips documents that are too new. If documents were removed since the snapshot, it cannot, and the reader takes a
//! new snapshot.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_recall::{Doc, PartitionIndex};
use parking_lot::{Mutex, MutexGuard};
use uuid::Uuid;

use super::partition::{CachedPartition, Served};
use super::purge::PurgeQueue;
use super::{Bounded, UseMark};
use crate::columns::{Id, PartitionScope, TextEnum};
use crate::contract::ItemType;

/// The key of a partition: memories that are always readable together, or passages of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PartitionKey {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
    /// What it contains, so that statistics of memories never count passages.
    pub(crate) items: ItemType,
}

impl PartitionKey {
    /// The key in the rows of a table of the index.
    pub(crate) fn of_row(author: Id, TextEnum(scope): TextEnum<PartitionScope>, team: Id) -> Self {
        Self { author: author.workspace(), scope: scope.scope, team: team.team(), items: scope.items }
    }

    pub(crate) fn of_memories(author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> Self {
        Self { author, scope, team, items: ItemType::Memory }
    }

    /// The value of the column `scope` in the tables of the index.
    pub(crate) fn row_scope(&self) -> TextEnum<PartitionScope> {
        TextEnum(PartitionScope { scope: self.scope, items: self.items })
    }
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
    Add(Box<Doc>),
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
    pub(super) by_key: Bounded<(u64, PartitionKey), Arc<CachedPartition>>,
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

/// A cached partition that a reader found, which stays usable when it leaves the cache.
pub(crate) struct FoundPartition {
    key: (u64, PartitionKey),
    partition: Arc<CachedPartition>,
}

impl PartitionCache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { by_key: Bounded::owned(max_bytes, |(epoch, _)| *epoch), purges: Mutex::default() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.by_key.weight()
    }

    /// Drops all partitions of an epoch. Content that is removed from the database must not stay in memory after its
    /// partition has become unreachable.
    fn forget(&self, epoch: u64) {
        self.by_key.remove_all(|(of, _)| *of == epoch);
    }

    /// Looks a partition up for a snapshot that is not newer than `state`. It has, or has queued, all changes up to that
    /// version.
    pub(crate) fn find(&self, state: &IndexState, key: PartitionKey) -> Option<FoundPartition> {
        let key = (state.epoch, key);
        self.by_key.get(&key).map(|partition| FoundPartition { key, partition })
    }

    /// Applies the pending changes of a partition up to the snapshot of `version`. The index of the org is not locked, so
    /// that its writer does not wait.
    pub(crate) fn serve(&self, found: &FoundPartition, version: i64) -> Served {
        let FoundPartition { key, partition } = found;
        if let Some(served) = partition.serve_at_once(version) {
            return served;
        }
        let (served, bytes) = partition.serve(version);
        if let Some(bytes) = bytes {
            self.reweigh(key, partition, bytes);
        }
        served
    }

    /// Updates the recorded size of a partition, unless another one has replaced it.
    pub(super) fn reweigh(&self, key: &(u64, PartitionKey), partition: &Arc<CachedPartition>, bytes: usize) {
        if self.by_key.peek(key).is_some_and(|cached| Arc::ptr_eq(&cached, partition)) {
            self.by_key.reweigh(key, size_of::<CachedPartition>() + bytes);
        }
    }

    /// Reserves the slot of a partition before it is loaded, so that changes from now on are queued for it. Without room
    /// next to the partitions used since `mark` there is no slot.
    pub(crate) fn expect(&self, state: &IndexState, key: PartitionKey, mark: UseMark) {
        self.by_key.insert_sparing((state.epoch, key), Arc::default(), size_of::<CachedPartition>(), mark);
    }

    /// The end of the uses so far.
    pub(crate) fn mark(&self) -> UseMark {
        self.by_key.mark()
    }

    /// Fills the reserved slot with a partition loaded at the snapshot of `version`. Does nothing if the slot is gone.
    /// Returns whether the partition stays in the cache next to those used since `mark`.
    pub(crate) fn fill(
        self: &Arc<Self>,
        state: &IndexState,
        key: PartitionKey,
        (index, version): (Arc<PartitionIndex>, i64),
        mark: UseMark,
    ) -> bool {
        let Some(FoundPartition { key, partition }) = self.find(state, key) else { return false };
        let bytes = index.size_bytes();
        let has_purges = partition.fill(index, version);
        let stays = self.by_key.reweigh_sparing(&key, size_of::<CachedPartition>() + bytes, mark);
        if has_purges && stays {
            self.purge_soon(key);
        }
        stays
    }

    /// Frees the reserved slot of a partition for which there is no room.
    pub(crate) fn give_up(&self, state: &IndexState, key: PartitionKey) {
        self.by_key.remove(&(state.epoch, key));
    }

    /// Queues a change if its partition is cached. Drops the partition instead if all its content was removed
    /// permanently, or if too many changes are pending.
    ///
    /// If content was removed permanently, it is freed soon: a search must not wait until its partition is rewritten.
    fn push_change(self: &Arc<Self>, state: &IndexState, update: IndexChange) {
        let key = (state.epoch, update.partition);
        let Some(partition) = self.by_key.peek(&key) else { return };
        let is_purge = matches!(update.effect, Effect::Purge(_));
        if matches!(update.effect, Effect::PurgeAll) || !partition.push(update) {
            self.by_key.remove(&key);
        } else if is_purge {
            self.purge_soon(key);
        }
    }
}

impl FoundPartition {
    /// The number of changes to apply for the snapshot of `version`; none if another thread is applying changes.
    pub(crate) fn pending_until(&self, version: i64) -> Option<usize> {
        self.partition.pending_until(version)
    }

    /// Blocks the application of changes, as a reader that applies some does.
    #[cfg(test)]
    pub(super) fn block(&self) -> parking_lot::MutexGuard<'_, ()> {
        self.partition.block()
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
