//! Partitions that are built from rows, of which few are decoded at a time.

use std::collections::HashMap;

use orgmem_recall::PartitionIndex;

use crate::cache::{IndexChange, PartitionKey, apply};

/// The changes that wait until they are applied. A decoded document has about ten times the size of its part of a segment.
const MAX_WAITING: usize = 1 << 14;

/// Partitions, and changes that are not applied to them yet.
#[derive(Default)]
pub(super) struct LoadingPartitions {
    indexes: HashMap<PartitionKey, PartitionIndex>,
    waiting: HashMap<PartitionKey, Vec<IndexChange>>,
    count: usize,
}

impl LoadingPartitions {
    /// The state of a partition before its changes; empty if it is not set.
    pub(super) fn begin_with(&mut self, key: PartitionKey, index: PartitionIndex) {
        self.indexes.insert(key, index);
    }

    /// Adds a change; those of a partition in their order.
    pub(super) fn push(&mut self, change: IndexChange) {
        self.waiting.entry(change.partition).or_default().push(change);
        self.count += 1;
        if self.count >= MAX_WAITING {
            self.apply_all();
        }
    }

    /// The partitions with all changes.
    pub(super) fn finish(mut self) -> HashMap<PartitionKey, PartitionIndex> {
        self.apply_all();
        self.indexes
    }

    fn apply_all(&mut self) {
        for (key, changes) in self.waiting.drain() {
            apply(self.indexes.entry(key).or_default(), changes);
        }
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use orgmem_hierarchy::{OrgId, Scope};
    use orgmem_recall::{Doc, Meta, analyze};
    use uuid::Uuid;

    use super::*;
    use crate::cache::Effect;
    use crate::contract::ItemType;

    /// The last change of a memory counts, also where the earlier one was applied long before.
    #[test]
    fn changes_are_applied_in_their_order() {
        let key = |author| PartitionKey {
            author: Uuid::from_u128(author).into(),
            scope: Scope::Local,
            team: None,
            items: ItemType::Memory,
        };
        let (one, other) = (key(1), key(2));
        let mut loading = LoadingPartitions::default();
        let first = Doc {
            meta: Meta { id: Uuid::from_u128(u128::MAX), ..Meta::default() },
            analysis: analyze("tide"),
            embeddings: None,
        };
        loading.begin_with(one, PartitionIndex::build([first]));
        let mut expected = BTreeSet::from([u128::MAX]);
        for number in 0..MAX_WAITING as u128 {
            let id = number * 7 % 9_000;
            let is_new = expected.insert(id);
            if !is_new {
                expected.remove(&id);
            }
            let meta = Meta { id: Uuid::from_u128(id), ..Meta::default() };
            let effect = if is_new {
                Effect::Add(Box::new(Doc { meta, analysis: analyze("tide"), embeddings: None }))
            } else {
                Effect::Remove(meta.id)
            };
            loading.push(IndexChange::new(OrgId::from(Uuid::nil()), one, number as i64, effect));
        }
        let effect = Effect::Remove(Uuid::from_u128(u128::MAX));
        loading.push(IndexChange::new(OrgId::from(Uuid::nil()), other, 0, effect));
        let found = loading.finish();
        assert_eq!((found[&one].len(), found[&other].len()), (expected.len(), 0));
        let mut index = found[&one].clone();
        assert!(expected.into_iter().all(|id| index.remove(Uuid::from_u128(id))));
    }
}
