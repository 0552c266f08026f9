//! An LRU cache, bounded by the total weight of its values.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;
use parking_lot::Mutex;

/// A map that evicts the least recently used values when their total weight exceeds a maximum.
///
/// The most recently used value is never evicted, whatever its weight. An owner with more than half of the maximum evicts only
/// values of its own, unless a single one has more than half.
pub(crate) struct Bounded<K, V> {
    slots: Mutex<Slots<K, V>>,
    max_weight: usize,
    owner: fn(&K) -> u64,
}

/// A point in the order of all uses of a map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct UseMark(u64);

impl UseMark {
    const END: Self = Self(u64::MAX);
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
        Self::owned(max_weight, |_| 0)
    }

    /// A map whose values have owners.
    pub(crate) fn owned(max_weight: usize, owner: fn(&K) -> u64) -> Self {
        Self { slots: Mutex::new(Slots { by_key: HashMap::default(), weight: 0, uses: 0 }), max_weight, owner }
    }

    /// The end of the uses so far.
    pub(crate) fn mark(&self) -> UseMark {
        UseMark(self.slots.lock().uses)
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
        self.slots.lock().remove(key);
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
        self.shrink(&mut slots, key, UseMark::END);
        value
    }

    pub(crate) fn insert(&self, key: K, value: V, weight: usize) {
        self.insert_sparing(key, value, weight, UseMark::END);
    }

    /// The same without evicting values used since `mark`, as [`reweigh_sparing`](Self::reweigh_sparing) does.
    pub(crate) fn insert_sparing(&self, key: K, value: V, weight: usize, mark: UseMark) -> bool {
        let mut slots = self.slots.lock();
        slots.put(key, value, weight);
        self.has_room(&mut slots, &key, mark)
    }

    /// Updates the weight of the value at `key`, if it is present.
    pub(crate) fn reweigh(&self, key: &K, weight: usize) {
        self.reweigh_sparing(key, weight, UseMark::END);
    }

    /// The same without evicting values used since `mark`: a reader of more values than there is room for would evict each
    /// before it reads it again. Instead the value at `key` leaves the map. Returns whether it stays.
    ///
    /// A value of more than half of the maximum evicts all others, as those of one reader may be small.
    pub(crate) fn reweigh_sparing(&self, key: &K, weight: usize, mark: UseMark) -> bool {
        let mut slots = self.slots.lock();
        let Some(slot) = slots.by_key.get_mut(key) else { return false };
        let before = std::mem::replace(&mut slot.weight, weight);
        slots.weight = slots.weight - before + weight;
        let mark = if weight > self.max_weight / 2 { UseMark::END } else { mark };
        self.has_room(&mut slots, key, mark)
    }

    /// Evicts values for that at `newest`, which leaves the map if there are too few to evict.
    fn has_room(&self, slots: &mut Slots<K, V>, newest: &K, mark: UseMark) -> bool {
        self.shrink(slots, newest, mark);
        let has_room = slots.weight <= self.max_weight || mark == UseMark::END;
        if !has_room {
            slots.remove(newest);
        }
        has_room
    }

    /// Evicts down to three quarters of the maximum, which amortises the sort over many insertions.
    fn shrink(&self, slots: &mut Slots<K, V>, newest: &K, mark: UseMark) {
        if slots.weight <= self.max_weight {
            return;
        }
        let (owner, half) = ((self.owner)(newest), self.max_weight / 2);
        let is_own = |key: &K| (self.owner)(key) == owner;
        let own: usize = slots.by_key.iter().filter(|(key, _)| is_own(key)).map(|(_, slot)| slot.weight).sum();
        let is_heavy = slots.by_key.get(newest).is_some_and(|slot| slot.weight > half);
        let only_own = own > half && !is_heavy;
        let is_candidate =
            |key: &K, slot: &Slot<V>| key != newest && slot.last_use <= mark.0 && (!only_own || is_own(key));
        let candidates = slots.by_key.iter().filter(|(key, slot)| is_candidate(key, slot));
        let mut by_use: Vec<(u64, K)> = candidates.map(|(&key, slot)| (slot.last_use, key)).collect();
        by_use.sort_unstable_by_key(|&(last_use, _)| last_use);
        for (_, key) in by_use {
            if slots.weight <= self.max_weight / 4 * 3 {
                break;
            }
            slots.remove(&key);
        }
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

    fn remove(&mut self, key: &K) {
        if let Some(slot) = self.by_key.remove(key) {
            self.weight -= slot.weight;
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

    #[test]
    fn reader_of_too_many_values_retains_those_it_used() {
        let cache = Bounded::new(4);
        cache.insert(0, (), 1);
        let read = || {
            let mark = cache.mark();
            let found: Vec<u32> = (1..=6).filter(|key| cache.get(key).is_some()).collect();
            for key in (1..=6).filter(|key| !found.contains(key)) {
                cache.insert(key, (), 0);
                if !cache.reweigh_sparing(&key, 1, mark) {
                    break;
                }
            }
            found
        };
        assert_eq!(read(), [0; 0]);
        assert!(cache.get(&0).is_none(), "the values of earlier readers leave first");
        let found = read();
        assert_eq!(found, [1, 2, 3, 4]);
        assert_eq!((read(), cache.weight()), (found, 4));
    }

    #[test]
    fn heavy_value_evicts_small_ones_of_its_reader() {
        let cache = Bounded::new(4);
        let mark = cache.mark();
        cache.insert(1, (), 1);
        cache.insert(2, (), 0);
        assert!(cache.reweigh_sparing(&2, 4, mark));
        assert_eq!((cache.get(&1).is_some(), cache.get(&2).is_some()), (false, true));
    }

    #[test]
    fn owner_of_more_than_half_evicts_only_its_own_values() {
        let cache = Bounded::owned(8, |key: &(u64, u32)| key.0);
        for number in 0..3 {
            cache.insert((1, number), (), 1);
        }
        for number in 0..20 {
            cache.insert((2, number), (), 1);
        }
        let has = |owner, numbers: std::ops::Range<u32>| numbers.filter(|n| cache.peek(&(owner, *n)).is_some()).count();
        assert_eq!(has(1, 0..3), 3, "the other owner never has less than half");
        cache.insert((1, 3), (), 1);
        assert!(has(2, 0..20) >= 3 && cache.weight() <= 8);
        cache.insert((2, 20), (), 5);
        assert!(has(2, 20..21) == 1 && cache.weight() <= 8, "a heavy value does not exceed the maximum");
    }
}
