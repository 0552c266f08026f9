//! An LRU cache, bounded by the total weight of its values.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;
use parking_lot::Mutex;

/// A map that evicts the least recently used values when their total weight exceeds a maximum.
///
/// The most recently used value is never evicted, whatever its weight.
pub(crate) struct Bounded<K, V> {
    slots: Mutex<Slots<K, V>>,
    max_weight: usize,
}

struct Slots<K, V> {
    by_key: HashMap<K, Slot<V>, RandomState>,
    weight: usize,
    /// The number of uses, a logical clock.
    uses: u64,
}

struct Slot<V> {
    value: V,
    weight: usize,
    last_use: u64,
}

impl<K: Hash + Eq + Copy, V: Clone> Bounded<K, V> {
    pub(crate) fn new(max_weight: usize) -> Self {
        Self { slots: Mutex::new(Slots { by_key: HashMap::default(), weight: 0, uses: 0 }), max_weight }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut slots = self.slots.lock();
        slots.uses += 1;
        let now = slots.uses;
        let slot = slots.by_key.get_mut(key)?;
        slot.last_use = now;
        Some(slot.value.clone())
    }

    /// Like [`get`](Self::get), but not counted as a use.
    pub(crate) fn peek(&self, key: &K) -> Option<V> {
        self.slots.lock().by_key.get(key).map(|slot| slot.value.clone())
    }

    pub(crate) fn clear(&self) {
        let mut slots = self.slots.lock();
        slots.by_key.clear();
        slots.weight = 0;
    }

    /// The total weight of all values.
    pub(crate) fn weight(&self) -> usize {
        self.slots.lock().weight
    }

    pub(crate) fn remove(&self, key: &K) {
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.by_key.remove(key) {
            slots.weight -= slot.weight;
        }
    }

    pub(crate) fn remove_all(&self, predicate: impl Fn(&K) -> bool) {
        let slots = &mut *self.slots.lock();
        let mut removed_weight = 0;
        slots.by_key.retain(|key, slot| {
            let is_retained = !predicate(key);
            removed_weight += if is_retained { 0 } else { slot.weight };
            is_retained
        });
        slots.weight -= removed_weight;
    }

    /// The value at `key`. If it is absent, inserts the value and weight that `make` returns; it runs under the lock.
    pub(crate) fn get_or_insert_with(&self, key: &K, make: impl FnOnce() -> (V, usize)) -> V {
        if let Some(value) = self.get(key) {
            return value;
        }
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.by_key.get(key) {
            return slot.value.clone();
        }
        let (value, weight) = make();
        slots.put(*key, value.clone(), weight);
        slots.shrink(self.max_weight);
        value
    }

    pub(crate) fn insert(&self, key: K, value: V, weight: usize) {
        let mut slots = self.slots.lock();
        slots.put(key, value, weight);
        slots.shrink(self.max_weight);
    }

    /// Updates the weight of the value at `key`, if it is present.
    pub(crate) fn reweigh(&self, key: &K, weight: usize) {
        let mut slots = self.slots.lock();
        let Some(slot) = slots.by_key.get_mut(key) else { return };
        let before = std::mem::replace(&mut slot.weight, weight);
        slots.weight = slots.weight - before + weight;
        slots.shrink(self.max_weight);
    }
}

impl<K: Hash + Eq + Copy, V> Slots<K, V> {
    fn put(&mut self, key: K, value: V, weight: usize) {
        self.uses += 1;
        let slot = Slot { value, weight, last_use: self.uses };
        self.weight += weight;
        if let Some(old) = self.by_key.insert(key, slot) {
            self.weight -= old.weight;
        }
    }

    /// Evicts down to three quarters of the maximum, which amortises the sort over many insertions.
    fn shrink(&mut self, max_weight: usize) {
        if self.weight <= max_weight {
            return;
        }
        let mut by_use: Vec<(u64, K)> = self.by_key.iter().map(|(&key, slot)| (slot.last_use, key)).collect();
        by_use.sort_unstable_by_key(|&(last_use, _)| last_use);
        by_use.pop();
        for (_, key) in by_use {
            if self.weight <= max_weight / 4 * 3 {
                break;
            }
            if let Some(slot) = self.by_key.remove(&key) {
                self.weight -= slot.weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_values_are_evicted_first() {
        let cache = Bounded::new(4);
        for key in 0..4 {
            cache.insert(key, key, 1);
        }
        cache.get(&0);
        cache.insert(4, 4, 1);
        assert_eq!([0, 1, 2, 3, 4].map(|key| cache.get(&key).is_some()), [true, false, false, true, true]);
    }

    #[test]
    fn most_recently_used_value_is_retained_even_if_too_heavy() {
        let cache = Bounded::new(4);
        cache.insert(1, (), 1);
        cache.insert(2, (), 100);
        assert!(cache.get(&2).is_some());
        assert!(cache.get(&1).is_none());
    }
}
