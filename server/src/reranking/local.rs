//! A cross-encoder in a folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use orgmem_embed::CrossEncoder;
use orgmem_store::{FairTurn, OrgThreads};

use super::{RerankError, RerankerError};

/// Texts for each processor between two checks whether the search still waits.
const TEXTS_PER_STEP: usize = 4;

pub(super) struct LocalReranker {
    model: Arc<CrossEncoder>,
    processors: usize,
    threads: OrgThreads,
}

/// Ends the work when the search stops waiting for it.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl LocalReranker {
    pub(super) async fn open(folder: PathBuf, threads: OrgThreads) -> Result<Self, RerankerError> {
        let opened = tokio::task::spawn_blocking(move || CrossEncoder::open(&folder)).await;
        let model = opened.map_err(|error| RerankerError::Client(error.to_string()))??;
        // one processor is left to other work
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { model: Arc::new(model), processors: processors.saturating_sub(1).max(1), threads })
    }

    /// The score of each text. The turn ends with the work, which ends soon after the future is dropped.
    pub(super) async fn scores(
        &self,
        query: String,
        texts: Vec<String>,
        turn: FairTurn,
    ) -> Result<Vec<f64>, RerankError> {
        let (model, processors) = (Arc::clone(&self.model), self.processors);
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let _stop = StopOnDrop(Arc::clone(&is_abandoned));
        let work = move || {
            let mut scores = Vec::with_capacity(texts.len());
            for step in texts.chunks(processors * TEXTS_PER_STEP) {
                if is_abandoned.load(Ordering::Relaxed) {
                    return Err(RerankError::new("nothing waits for it"));
                }
                let step: Vec<&str> = step.iter().map(String::as_str).collect();
                let step = model.score_on(processors, &query, &step);
                let step = step.map_err(|error| RerankError::new(error.to_string()))?;
                scores.extend(step.into_iter().map(f64::from));
            }
            Ok(scores)
        };
        let scored = self.threads.run(turn, work).await;
        scored.map_err(|_| RerankError::new("the model panicked"))?
    }
}
