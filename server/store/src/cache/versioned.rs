//! What was read of one version of an org, for as long as it is that version.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::RwLock;

use super::Versioned;

/// Values by key, all of one version; those that were asked for.
pub(crate) struct VersionedCache<K, V>(RwLock<Option<Versioned<HashMap<K, V>>>>);

impl<K, V> Default for VersionedCache<K, V> {
    fn default() -> Self {
        Self(RwLock::new(None))
    }
}

impl<K: Copy + Eq + Hash, V: Clone> VersionedCache<K, V> {
    /// The values of these keys at this version, as far as they are here.
    pub(crate) fn known(&self, version: i64, keys: &[K]) -> HashMap<K, V> {
        let kept = self.0.read();
        let Some(kept) = kept.as_ref().filter(|kept| kept.version == version) else { return HashMap::new() };
        keys.iter().filter_map(|key| Some((*key, kept.value.get(key)?.clone()))).collect()
    }

    /// Keeps values of this version, unless newer ones are here already. Older ones go.
    pub(crate) fn keep(&self, version: i64, values: HashMap<K, V>) {
        let mut kept = self.0.write();
        match kept.as_mut() {
            Some(kept) if kept.version == version => kept.value.extend(values),
            Some(kept) if kept.version > version => {}
            _ => *kept = Some(Versioned { version, value: values }),
        }
    }

    pub(crate) fn forget(&self) {
        *self.0.write() = None;
    }

    pub(crate) fn len(&self) -> usize {
        self.0.read().as_ref().map_or(0, |kept| kept.value.len())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::VersionedCache;

    #[test]
    fn values_are_those_of_the_version_that_is_asked_for() {
        let kept = VersionedCache::default();
        kept.keep(3, HashMap::from([('a', 1)]));
        kept.keep(3, HashMap::from([('b', 2)]));
        assert_eq!(kept.known(3, &['a', 'b', 'c']), HashMap::from([('a', 1), ('b', 2)]));
        assert_eq!(kept.known(2, &['a']), HashMap::new());
        kept.keep(4, HashMap::from([('a', 5)]));
        kept.keep(3, HashMap::from([('a', 1)]));
        assert_eq!(kept.known(3, &['a']), HashMap::new());
        assert_eq!((kept.known(4, &['a', 'b']), kept.len()), (HashMap::from([('a', 5)]), 1));
        kept.forget();
        assert_eq!((kept.known(4, &['a']), kept.len()), (HashMap::new(), 0));
    }
}
