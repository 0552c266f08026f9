//! Frees content that was removed permanently from the cached partitions.
//!
//! A removed document is only marked at first, so that the next search does not wait for a rewrite of its segment.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::index::{PartitionCache, PartitionKey};

/// Delay before removed content is freed, so that successive removals share one rewrite.
const GATHER: Duration = Duration::from_millis(500);

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
        keys.iter().for_each(|key| self.purge_one(key));
        !keys.is_empty()
    }

    /// Rewrites the segments of a partition that have removed documents. If it is loading, it is queued again when it is
    /// loaded.
    fn purge_one(&self, key: &(u64, PartitionKey)) {
        let Some(partition) = self.by_key.peek(key) else { return };
        if let Some(bytes) = partition.purge() {
            self.reweigh(key, &partition, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
    use orgmem_recall::{Doc, Meta, PartitionIndex, analyze};
    use parking_lot::MutexGuard;
    use uuid::Uuid;

    use super::*;
    use crate::cache::index::IndexState;
    use crate::cache::{Effect, IndexChange, OrgIndex, Served};

    /// The index of an org with one cached partition.
    struct Cached {
        partitions: Arc<PartitionCache>,
        index: OrgIndex,
        key: PartitionKey,
    }

    fn doc(id: u128, text: &str) -> Doc {
        let meta = Meta { id: Uuid::from_u128(id), seq: 1, ..Meta::default() };
        Doc { meta, analysis: analyze(text), embeddings: None }
    }

    impl Cached {
        /// A partition that is loading at version 1.
        fn loading() -> Self {
            let partitions = Arc::new(PartitionCache::new(1 << 20));
            // the tests purge themselves
            partitions.purges.lock().is_running = true;
            let index = OrgIndex::new(&partitions);
            let author = WorkspaceId::from(Uuid::from_u128(2));
            let key = PartitionKey::of_memories(author, Scope::Local, None);
            let mut state = index.lock();
            state.begin_at(&partitions, 1);
            partitions.expect(&state, key, partitions.mark());
            drop(state);
            Self { partitions, index, key }
        }

        fn fill(&self, docs: impl IntoIterator<Item = Doc>) {
            let index = Arc::new(PartitionIndex::build(docs));
            self.partitions.fill(&self.index.lock(), self.key, (index, 1), self.partitions.mark());
        }

        fn advance(&self, state: &mut MutexGuard<'_, IndexState>, version: i64, effects: Vec<Effect>) {
            let org = OrgId::from(Uuid::from_u128(1));
            let change = |effect| IndexChange::new(org, self.key, version, effect);
            state.advance(&self.partitions, version - 1, version, effects.into_iter().map(change));
        }

        fn serve(&self, version: i64) -> Served {
            let found = self.partitions.find(&self.index.lock(), self.key).expect("a cached partition");
            self.partitions.serve(&found, version)
        }

        /// The content at `version`.
        fn content(&self, version: i64) -> String {
            let Served::With(index) = self.serve(version) else { panic!("not served") };
            format!("{index:?}")
        }

        fn purge(&self) {
            self.partitions.purge_one(&(self.index.lock().epoch(), self.key));
        }
    }

    #[test]
    fn removed_content_leaves_the_cache_without_a_reload() {
        let cached = Cached::loading();
        cached.fill([doc(1, "the limit is seven"), doc(2, "zanzibar")]);
        let purge = |id| Effect::Purge(Uuid::from_u128(id));
        cached.advance(&mut cached.index.lock(), 2, vec![Effect::Add(Box::new(doc(3, "kilimanjaro")))]);
        cached.advance(&mut cached.index.lock(), 3, vec![purge(2), purge(3)]);
        assert!(matches!(cached.serve(2), Served::TooNew), "the snapshot has what was removed");
        cached.purge();
        let content = cached.content(3);
        assert_eq!(["seven", "zanzibar", "kilimanjaro"].map(|word| content.contains(word)), [true, false, false]);
    }

    #[test]
    fn partition_that_loads_during_a_purge_stays_cached_and_is_purged_later() {
        let cached = Cached::loading();
        cached.advance(&mut cached.index.lock(), 2, vec![Effect::Purge(Uuid::from_u128(2))]);
        cached.partitions.purges.lock().keys.clear();
        cached.purge();
        assert!(matches!(cached.serve(2), Served::Absent), "it is loading");
        cached.fill([doc(1, "the limit is seven"), doc(2, "zanzibar")]);
        assert_eq!(cached.partitions.purges.lock().keys.len(), 1);
        cached.purge();
        let content = cached.content(2);
        assert_eq!(["seven", "zanzibar"].map(|word| content.contains(word)), [true, false]);
    }

    #[test]
    fn purged_partition_drops_all_its_content_at_once() {
        let cached = Cached::loading();
        cached.fill([doc(1, "the limit is seven")]);
        assert!(cached.partitions.bytes() > 0);
        cached.advance(&mut cached.index.lock(), 2, vec![Effect::PurgeAll]);
        assert_eq!(cached.partitions.bytes(), 0);
    }

    /// A reader applies changes while the writer of the org queues further ones.
    #[test]
    fn writer_does_not_wait_for_a_reader_that_applies_changes() {
        let cached = Cached::loading();
        cached.fill([doc(1, "the limit is seven")]);
        cached.advance(&mut cached.index.lock(), 2, vec![Effect::Add(Box::new(doc(2, "zanzibar")))]);
        let found = cached.partitions.find(&cached.index.lock(), cached.key).expect("a cached partition");
        assert_eq!(found.pending_until(2), Some(1));
        let applying = found.block();
        std::thread::scope(|scope| {
            let (done, written) = mpsc::channel();
            let cached = &cached;
            let reader = scope.spawn(|| cached.content(2));
            scope.spawn(move || {
                cached.advance(&mut cached.index.lock(), 3, vec![Effect::Add(Box::new(doc(3, "kilimanjaro")))]);
                done.send(()).ok();
            });
            written.recv().expect("the write completes while the reader cannot");
            assert!(!reader.is_finished());
            drop(applying);
            let content = reader.join().expect("no panic");
            assert_eq!(["zanzibar", "kilimanjaro"].map(|word| content.contains(word)), [true, false]);
        });
        assert!(cached.content(3).contains("kilimanjaro"));
    }
}
