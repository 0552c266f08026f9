//! Choices from lists that are not known yet, and readable ids.

use proptest::prelude::*;
use uuid::Uuid;

/// A choice from a list that is not known yet. Small values choose early elements, so shrinking moves towards them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick(pub(crate) u32);

impl Pick {
    /// An index below `len`; `None` for an empty list.
    pub(crate) fn index(self, len: usize) -> Option<usize> {
        let index = (self.0 as u64 * len as u64) >> 32;
        (len > 0).then_some(index as usize)
    }

    pub(crate) fn of<T: Copy>(self, list: &[T]) -> Option<T> {
        self.index(list.len()).map(|index| list[index])
    }

    pub(crate) fn any() -> impl Strategy<Value = Self> + Clone {
        any::<u32>().prop_map(Self)
    }
}

/// A valid UUID (version 4, RFC variant) that shows the number `n`.
///
/// ```
/// let id = orgmem_model::generators::id(0x2a);
/// assert_eq!(id.to_string(), "00000000-0000-4000-8000-00000000002a");
/// ```
#[must_use]
pub const fn id(n: u64) -> Uuid {
    Uuid::from_u64_pair(0x4000, 0x8000_0000_0000_0000 | n)
}
