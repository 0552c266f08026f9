//! A map that forgets what was not used for longest.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;
use parking_lot::Mutex;

/// Holds values up to a total weight; beyond it, those that were not used for longest are dropped.
///
/// The value used last always stays, however heavy it is.
pub(crate) struct Bounded<K, V> {
    slots: Mutex<Slots<K, V>>,
    most: usize,
}

struct Slots<K, V> {
    by_key: HashMap<K, Slot<V>, RandomState>,
    weight: usize,
    uses: u64,
}

struct Slot<V> {
    value: V,
    weight: usize,
    used: u64,
}

impl<K: Hash + Eq + Copy, V: Clone> Bounded<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Self { slots: Mutex::new(Slots { by_key: HashMap::default(), weight: 0, uses: 0 }), most }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut slots = self.slots.lock();
        slots.uses += 1;
        let now = slots.uses;
        let slot = slots.by_key.get_mut(key)?;
        slot.used = now;
        Some(slot.value.clone())
    }

    /// The same without counting as a use.
    pub(crate) fn peek(&self, key: &K) -> Option<V> {
        self.slots.lock().by_key.get(key).map(|slot| slot.value.clone())
    }

    pub(crate) fn clear(&self) {
        let mut slots = self.slots.lock();
        slots.by_key.clear();
        slots.weight = 0;
    }

    /// What all values weigh together.
    pub(crate) fn weight(&self) -> usize {
        self.slots.lock().weight
    }

    pub(crate) fn remove(&self, key: &K) {
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.by_key.remove(key) {
            slots.weight -= slot.weight;
        }
    }

    pub(crate) fn remove_all(&self, is_meant: impl Fn(&K) -> bool) {
        let slots = &mut *self.slots.lock();
        let mut gone = 0;
        slots.by_key.retain(|key, slot| {
            let stays = !is_meant(key);
            gone += if stays { 0 } else { slot.weight };
            stays
        });
        slots.weight -= gone;
    }

    /// The value at `key`, made with its weight where there is none.
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
        slots.shrink(self.most);
        value
    }

    pub(crate) fn insert(&self, key: K, value: V, weight: usize) {
        let mut slots = self.slots.lock();
        slots.put(key, value, weight);
        slots.shrink(self.most);
    }

    /// Says what the value at `key`, if it is still there, weighs by now.
    pub(crate) fn reweigh(&self, key: &K, weight: usize) {
        let mut slots = self.slots.lock();
        let Some(slot) = slots.by_key.get_mut(key) else { return };
        let before = std::mem::replace(&mut slot.weight, weight);
        slots.weight = slots.weight - before + weight;
        slots.shrink(self.most);
    }
}

impl<K: Hash + Eq + Copy, V> Slots<K, V> {
    fn put(&mut self, key: K, value: V, weight: usize) {
        self.uses += 1;
        let slot = Slot { value, weight, used: self.uses };
        self.weight += weight;
        if let Some(old) = self.by_key.insert(key, slot) {
            self.weight -= old.weight;
        }
    }

    /// Drops down to three quarters at once, so that the sorting is paid for by many insertions.
    fn shrink(&mut self, most: usize) {
        if self.weight <= most {
            return;
        }
        let mut by_use: Vec<(u64, K)> = self.by_key.iter().map(|(&key, slot)| (slot.used, key)).collect();
        by_use.sort_unstable_by_key(|&(used, _)| used);
        by_use.pop();
        for (_, key) in by_use {
            if self.weight <= most / 4 * 3 {
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
    fn what_was_not_used_for_longest_goes_first() {
        let cache = Bounded::new(4);
        for key in 0..4 {
            cache.insert(key, key, 1);
        }
        cache.get(&0);
        cache.insert(4, 4, 1);
        assert_eq!([0, 1, 2, 3, 4].map(|key| cache.get(&key).is_some()), [true, false, false, true, true]);
    }

    #[test]
    fn what_was_used_last_stays_however_heavy() {
        let cache = Bounded::new(4);
        cache.insert(1, (), 1);
        cache.insert(2, (), 100);
        assert!(cache.get(&2).is_some());
        assert!(cache.get(&1).is_none());
    }
}
