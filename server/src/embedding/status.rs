//! The status of the embedder, for metrics, `doctor` and administrators.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use orgmem_types as wire;
use parking_lot::Mutex;

use super::Embedder;

#[derive(Debug)]
pub(crate) struct EmbeddingStatus {
    /// The folder, or the address and the model.
    embedder: String,
    waiting: AtomicI64,
    embedded: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    failing: Mutex<Option<String>>,
}

/// A copy of the numbers.
#[derive(Clone, Debug)]
pub(crate) struct EmbeddingProgress {
    /// Memories that wait; counted up to [`EmbeddingStatus::COUNTED`].
    pub(crate) waiting: i64,
    /// Memories that this server embedded.
    pub(crate) embedded: u64,
    /// Memories that the embedder refused.
    pub(crate) refused: u64,
    /// Failed calls of the embedder, for memories and queries.
    pub(crate) failed: u64,
    /// The error of the last call, if it failed.
    pub(crate) failing: Option<String>,
}

impl EmbeddingStatus {
    /// The highest number of waiting memories that is counted.
    pub(crate) const COUNTED: i64 = 100_000;

    pub(super) fn of(embedder: &Embedder) -> Self {
        Self {
            embedder: embedder.name().to_owned(),
            waiting: AtomicI64::new(0),
            embedded: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            failing: Mutex::new(None),
        }
    }

    pub(crate) fn progress(&self) -> EmbeddingProgress {
        EmbeddingProgress {
            waiting: self.waiting.load(Ordering::Relaxed),
            embedded: self.embedded.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            failing: self.failing.lock().clone(),
        }
    }

    pub(crate) fn to_wire(&self) -> wire::EmbedderStats {
        let EmbeddingProgress { waiting, embedded, refused, failed, failing } = self.progress();
        wire::EmbedderStats { name: self.embedder.clone(), waiting, embedded, refused, failed, failing }
    }

    pub(crate) fn waits(&self, waiting: i64) {
        self.waiting.store(waiting, Ordering::Relaxed);
    }

    pub(crate) fn embedded(&self, embedded: u64, refused: u64) {
        self.embedded.fetch_add(embedded, Ordering::Relaxed);
        self.refused.fetch_add(refused, Ordering::Relaxed);
        self.works();
    }

    pub(crate) fn works(&self) {
        self.failing.lock().take();
    }

    /// Records a failed call.
    ///
    /// # Returns
    /// Whether the last call did not fail in the same way.
    pub(crate) fn fails(&self, why: &str) -> bool {
        self.failed.fetch_add(1, Ordering::Relaxed);
        self.failing.lock().replace(why.to_owned()).is_none_or(|before| before != why)
    }
}
