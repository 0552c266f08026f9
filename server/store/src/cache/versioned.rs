//! A cache of values that are valid for one version of an org.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::RwLock;

use super::Versioned;

/// The values that were read at one version, by key.
pub(crate) struct VersionedCache<K, V>(RwLock<Option<Versioned<HashMap<K, V>>>>);

impl<K, V> Default for VersionedCache<K, V> {
    fn default() -> Self {
        Self(RwLock::new(None))
    }
}

impl<K: Copy + Eq + Hash, V: Clone> VersionedCache<K, V> {
    /// The cached values of these keys at this version.
    pub(crate) fn known(&self, version: i64, keys: &[K]) -> HashMap<K, V> {
        let cached = self.0.read();
        let Some(cached) = cached.as_ref().filter(|cached| cached.version == version) else { return HashMap::new() };
        keys.iter().filter_map(|key| Some((*key, cached.value.get(key)?.clone()))).collect()
    }

    /// Caches values of this version. Drops values of older versions; does nothing if the cache is newer.
    pub(crate) fn keep(&self, version: i64, values: HashMap<K, V>) {
        let mut cached = self.0.write();
        match cached.as_mut() {
            Some(cached) if cached.version == version => cached.value.extend(values),
            Some(cached) if cached.version > version => {}
            _ => *cached = Some(Versioned { version, value: values }),
        }
    }

    pub(crate) fn forget(&self) {
        *self.0.write() = None;
    }

    pub(crate) fn len(&self) -> usize {
        self.0.read().as_ref().map_or(0, |cached| cached.value.len())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::VersionedCache;

    #[test]
    fn cached_values_are_returned_only_for_their_version() {
        let cache = VersionedCache::default();
        cache.keep(3, HashMap::from([('a', 1)]));
        cache.keep(3, HashMap::from([('b', 2)]));
        assert_eq!(cache.known(3, &['a', 'b', 'c']), HashMap::from([('a', 1), ('b', 2)]));
        assert_eq!(cache.known(2, &['a']), HashMap::new());
        cache.keep(4, HashMap::from([('a', 5)]));
        cache.keep(3, HashMap::from([('a', 1)]));
        assert_eq!(cache.known(3, &['a']), HashMap::new());
        assert_eq!((cache.known(4, &['a', 'b']), cache.len()), (HashMap::from([('a', 5)]), 1));
        cache.forget();
        assert_eq!((cache.known(4, &['a']), cache.len()), (HashMap::new(), 0));
    }
}
