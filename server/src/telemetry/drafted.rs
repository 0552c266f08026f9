use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes of drafted requests, by the thread that drafted them. Clones share the numbers.
#[derive(Clone, Default)]
pub(crate) struct DraftedBytes(Arc<[AtomicU64; 2]>);

impl DraftedBytes {
    /// Counts a request that was drafted on the blocking pool, or on the thread of its connection.
    pub(crate) fn add(&self, is_pooled: bool, bytes: usize) {
        self.0[usize::from(is_pooled)].fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Those on threads of connections.
    pub(super) fn inline(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    /// Those on the blocking pool.
    pub(super) fn pooled(&self) -> u64 {
        self.0[1].load(Ordering::Relaxed)
    }
}
