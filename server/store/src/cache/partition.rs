//! A cached partition: its index, and the changes that its next read applies.

use std::collections::HashSet;
use std::sync::Arc;

use orgmem_recall::{Doc, PartitionIndex};
use parking_lot::Mutex;
use uuid::Uuid;

use super::index::{Effect, IndexChange};

/// A partition that is loading, or loaded with changes to apply.
///
/// Writers lock only `state`, for an instant. Changes are applied without that lock, so a writer never waits for them.
#[derive(Default)]
pub(crate) struct CachedPartition {
    state: Mutex<PartitionState>,
    /// Held while changes are applied. Locked before `state`.
    applying: Mutex<()>,
}

#[derive(Default)]
struct PartitionState {
    /// None while it is loading.
    index: Option<Arc<PartitionIndex>>,
    /// The org version of the last change in `index`, or of the last one that is being applied.
    version: i64,
    /// The org version of the last change that removed a document.
    removed_at: i64,
    /// Changes to apply, in ascending order of versions.
    pending: Vec<IndexChange>,
    /// Whether changes are being applied, which are neither in `index` nor in `pending`.
    is_applying: bool,
}

/// The result of a cache lookup for a snapshot.
pub(crate) enum Served {
    With(Arc<PartitionIndex>),
    /// The partition may lack documents that the snapshot has.
    TooNew,
    /// The partition is not cached or still loading.
    Absent,
}

impl CachedPartition {
    /// Maximum number of pending changes. A partition with more is unused.
    const MAX_PENDING: usize = 10_000;

    /// The partition for the snapshot of `version`; none if changes have to be applied first.
    pub(super) fn serve_at_once(&self, version: i64) -> Option<Served> {
        let state = self.state.lock();
        let is_applied = !state.is_applying && state.count_until(version) == 0;
        (is_applied || state.index.is_none()).then(|| state.serve(version))
    }

    /// The partition for the snapshot of `version`, with the pending changes up to that version. Also returns the size
    /// of the index if it changed. Waits while another thread applies changes.
    pub(super) fn serve(&self, version: i64) -> (Served, Option<usize>) {
        let _applying = self.applying.lock();
        let bytes = self.apply_until(version);
        (self.state.lock().serve(version), bytes)
    }

    /// The number of changes that a read of the snapshot of `version` has to apply; none if it has to wait for another
    /// thread that applies changes.
    pub(super) fn pending_until(&self, version: i64) -> Option<usize> {
        let state = self.state.lock();
        (!state.is_applying).then(|| state.count_until(version))
    }

    /// Fills the partition with an index loaded at the snapshot of `version`. Returns whether changes are pending that
    /// removed content permanently.
    pub(super) fn fill(&self, index: Arc<PartitionIndex>, version: i64) -> bool {
        let mut state = self.state.lock();
        state.pending.retain(|update| update.org_version > version);
        state.index = Some(index);
        state.version = version;
        state.removed_at = state.removed_at.max(version);
        state.pending.iter().any(|update| matches!(update.effect, Effect::Purge(_)))
    }

    /// Queues a change. Returns false if too many are pending.
    pub(super) fn push(&self, update: IndexChange) -> bool {
        let mut state = self.state.lock();
        if state.pending.len() >= Self::MAX_PENDING {
            return false;
        }
        if let Effect::Purge(memory) = update.effect {
            state.forget_pending(memory, update.org_version);
        }
        if update.org_version > state.version {
            state.pending.push(update);
        }
        true
    }

    /// Frees the content of removed memories. Returns the size of the index; none while it is loading.
    ///
    /// Segments are rewritten without any lock. Those that changed meanwhile adopt their rewrite and stay changed.
    pub(super) fn purge(&self) -> Option<usize> {
        {
            let _applying = self.applying.lock();
            self.apply_until(i64::MAX);
        }
        let before = self.state.lock().index.clone()?;
        let rewrites = before.rewrites();
        drop(before);
        let _applying = self.applying.lock();
        let mut state = self.state.lock();
        let index = Arc::make_mut(state.index.as_mut()?);
        index.apply_rewrites(rewrites);
        Some(index.size_bytes())
    }

    #[cfg(test)]
    pub(super) fn block(&self) -> parking_lot::MutexGuard<'_, ()> {
        self.applying.lock()
    }

    /// Applies pending changes up to `version`. Returns the size of the index if there were any. `applying` is locked.
    fn apply_until(&self, version: i64) -> Option<usize> {
        let (mut index, changes) = {
            let mut state = self.state.lock();
            if state.is_applying {
                // an earlier attempt panicked and lost its changes: the partition has to be loaded again
                *state = PartitionState::default();
            }
            let count = state.count_until(version);
            let index = state.index.clone().filter(|_| count > 0)?;
            state.is_applying = true;
            let changes: Vec<IndexChange> = state.pending.drain(..count).collect();
            state.version = changes.last().map_or(state.version, |last| last.org_version);
            (index, changes)
        };
        let removed_at = apply(Arc::make_mut(&mut index), changes);
        let bytes = index.size_bytes();
        let mut state = self.state.lock();
        state.index = Some(index);
        state.removed_at = state.removed_at.max(removed_at);
        state.is_applying = false;
        Some(bytes)
    }
}

impl PartitionState {
    fn count_until(&self, version: i64) -> usize {
        self.pending.partition_point(|update| update.org_version <= version)
    }

    fn serve(&self, version: i64) -> Served {
        match &self.index {
            None => Served::Absent,
            Some(_) if self.is_too_new_for(version) => Served::TooNew,
            Some(index) => Served::With(Arc::clone(index)),
        }
    }

    /// Removes the content of a memory, which was removed at `org_version`, from the pending changes. Older snapshots,
    /// which may have it, cannot be served any more.
    fn forget_pending(&mut self, memory: Uuid, org_version: i64) {
        let before = self.pending.len();
        self.pending.retain(|update| !matches!(&update.effect, Effect::Add(doc) if doc.meta.id == memory));
        if self.pending.len() < before {
            self.removed_at = self.removed_at.max(org_version);
        }
    }

    /// Whether the snapshot of `version` has, or may have, documents that are missing here: they were removed since, or
    /// a pending change does not show their state at `version`.
    fn is_too_new_for(&self, version: i64) -> bool {
        self.removed_at > version || self.pending.iter().any(|update| update.since < version)
    }
}

/// Applies `changes` to `index`. Returns the org version of the last change that removed a document, or may have done.
pub(crate) fn apply(index: &mut PartitionIndex, changes: Vec<IndexChange>) -> i64 {
    let (mut added, mut added_ids): (Vec<Doc>, HashSet<Uuid>) = Default::default();
    let mut removed_at = 0;
    for update in changes {
        let removed = match update.effect {
            Effect::Add(doc) => {
                added_ids.insert(doc.meta.id);
                added.push(*doc);
                continue;
            }
            Effect::Remove(memory) | Effect::Purge(memory) => memory,
            // drops the partition instead of being queued
            Effect::PurgeAll => continue,
        };
        if added_ids.contains(&removed) {
            index.extend(added.drain(..));
            added_ids.clear();
        }
        if index.remove(removed) || update.org_version - update.since > 1 {
            removed_at = update.org_version;
        }
    }
    index.extend(added);
    removed_at
}
