//! Frees content that was removed permanently from the cached partitions.
//!
//! A removed document is only marked at first, so that the next search does not wait for a rewrite of its segment.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use orgmem_recall::PartitionIndex;
use parking_lot::Mutex;

use super::index::{CachedPartition, PartitionCache, PartitionKey};

/// Delay before removed content is freed, so that successive removals share one rewrite.
const GATHER: Duration = Duration::from_millis(500);

/// How often a purge starts again because its partition changed meanwhile.
const ATTEMPTS: usize = 3;

/// Partitions with removed content, by the epoch of their org and their key.
#[derive(Default)]
pub(super) struct PurgeQueue {
    keys: HashSet<(u64, PartitionKey)>,
    /// Whether a thread works on the queue.
    is_running: bool,
}

impl PartitionCache {
    /// Queues a partition with removed content.
    pub(super) fn purge_soon(self: &Arc<Self>, key: (u64, PartitionKey)) {
        let mut purges = self.purges.lock();
        purges.keys.insert(key);
        if std::mem::replace(&mut purges.is_running, true) {
            return;
        }
        let partitions = Arc::clone(self);
        let work = move || while partitions.purge() {};
        if let Err(error) = std::thread::Builder::new().name("orgmem-index-purge".into()).spawn(work) {
            tracing::warn!(%error, "no thread to free removed memories; their partitions are loaded again");
            purges.keys.drain().for_each(|key| self.by_key.remove(&key));
            purges.is_running = false;
        }
    }

    /// Frees the removed content of all partitions in the queue. Returns false if there are none.
    fn purge(&self) -> bool {
        std::thread::sleep(GATHER);
        let keys = {
            let mut purges = self.purges.lock();
            purges.is_running = !purges.keys.is_empty();
            std::mem::take(&mut purges.keys)
        };
        for key in &keys {
            if let Some(partition) = self.by_key.peek(key)
                && !self.purge_one(key, &partition)
            {
                self.by_key.remove(key);
            }
        }
        !keys.is_empty()
    }

    /// Rewrites the segments of a partition that have removed documents. Returns false if it is still loading, or
    /// changes too often.
    fn purge_one(&self, key: &(u64, PartitionKey), partition: &Mutex<CachedPartition>) -> bool {
        for _ in 0..ATTEMPTS {
            let before = {
                let mut partition = partition.lock();
                partition.apply_until(i64::MAX);
                partition.segment.clone()
            };
            let Some(before) = before else { return false };
            let mut purged = PartitionIndex::clone(&before);
            purged.purge();
            let mut partition = partition.lock();
            if partition.segment.as_ref().is_some_and(|segment| Arc::ptr_eq(segment, &before)) {
                self.by_key.reweigh(key, size_of::<CachedPartition>() + purged.size_bytes());
                partition.segment = Some(Arc::new(purged));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
    use orgmem_recall::{Doc, Meta, analyze};
    use uuid::Uuid;

    use super::*;
    use crate::cache::{Effect, IndexChange, OrgIndex, Served};

    #[test]
    fn removed_content_leaves_the_cache_without_a_reload() {
        let partitions = Arc::new(PartitionCache::new(1 << 20));
        let index = OrgIndex::new(&partitions);
        let (org, author) = (OrgId::from(Uuid::from_u128(1)), WorkspaceId::from(Uuid::from_u128(2)));
        let key = PartitionKey { author, scope: Scope::Local, team: None };
        let doc = |id: u128, text| Doc {
            meta: Meta { id: Uuid::from_u128(id), seq: 1, ..Meta::default() },
            analysis: analyze(text),
            embeddings: None,
        };
        let mut state = index.lock();
        state.begin_at(&partitions, 1);
        partitions.expect(&state, key);
        let loaded = PartitionIndex::build([doc(1, "the limit is seven"), doc(2, "zanzibar")]);
        partitions.fill(&state, key, Arc::new(loaded), 1);
        let added = IndexChange::new(org, key, 2, Effect::Add(doc(3, "kilimanjaro")));
        let removed = [2, 3].map(|id| IndexChange::new(org, key, 3, Effect::Purge(Uuid::from_u128(id))));
        state.advance(&partitions, 1, 3, [added].into_iter().chain(removed));

        let cached = partitions.by_key.peek(&(state.epoch(), key)).expect("a cached partition");
        assert!(matches!(partitions.serve(&state, key, 2), Served::TooNew), "the snapshot has what was removed");
        assert!(partitions.purge_one(&(state.epoch(), key), &cached));
        let Served::With(segment) = partitions.serve(&state, key, 3) else { panic!("not served") };
        assert_eq!(segment.len(), 1);
        let content = format!("{segment:?}");
        assert_eq!(["seven", "zanzibar", "kilimanjaro"].map(|word| content.contains(word)), [true, false, false]);
    }
}
