//! The status of the reranker, for metrics, `doctor` and administrators.

use std::sync::atomic::{AtomicU64, Ordering};

use orgmem_types as wire;
use parking_lot::Mutex;

#[derive(Debug)]
pub(crate) struct RerankerStatus {
    /// The folder, or the address and the model.
    name: String,
    succeeded: AtomicU64,
    failed: AtomicU64,
    failing: Mutex<Option<String>>,
}

/// A copy of the numbers.
#[derive(Clone, Debug)]
pub(crate) struct RerankingProgress {
    /// Successful calls of the reranker.
    pub(crate) succeeded: u64,
    /// Calls that failed or were late.
    pub(crate) failed: u64,
    /// The error of the last call, if it failed.
    pub(crate) failing: Option<String>,
}

impl RerankerStatus {
    pub(super) fn of(name: String) -> Self {
        Self { name, succeeded: AtomicU64::new(0), failed: AtomicU64::new(0), failing: Mutex::new(None) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn progress(&self) -> RerankingProgress {
        RerankingProgress {
            succeeded: self.succeeded.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            failing: self.failing.lock().clone(),
        }
    }

    pub(crate) fn to_wire(&self) -> wire::RerankerStats {
        let RerankingProgress { succeeded, failed, failing } = self.progress();
        wire::RerankerStats { name: self.name.clone(), succeeded, failed, failing }
    }

    pub(super) fn works(&self) {
        self.succeeded.fetch_add(1, Ordering::Relaxed);
        self.failing.lock().take();
    }

    /// Records a failed call.
    ///
    /// # Returns
    /// Whether the last call did not fail in the same way.
    pub(super) fn fails(&self, why: &str) -> bool {
        self.failed.fetch_add(1, Ordering::Relaxed);
        self.failing.lock().replace(why.to_owned()).is_none_or(|before| before != why)
    }
}
