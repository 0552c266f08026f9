//! Embeds memories soon after their commit, and all memories after the embedder was added or changed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use orgmem_hierarchy::OrgId;
use orgmem_recall::embedding_chunks;
use orgmem_store::{Embedded, EmbeddingBacklog, ReadPlan, Store, StoreError, Unembedded, WaitingText};
use tokio::sync::Mutex;

use super::JobError;
use crate::embedding::{EmbedError, Embedder, EmbeddingService, EmbeddingStatus, Urgency};

/// Interval between counts of the waiting memories: a count of many takes as long as the embedding of some.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// Memories of one batch.
const BATCH: usize = 32;
/// The first and the longest pause after a failure of the embedder.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// Number of versions without text to embed after which the progress is stored, so that a restart does not read them
/// again.
const WORTH_A_ROW: i64 = 1_000;

/// Embeds waiting memories of all orgs.
pub(crate) struct EmbedMemories {
    store: Store,
    embedder: Arc<Embedder>,
    status: Arc<EmbeddingStatus>,
    /// Locked by the one job only.
    progress: Mutex<ReadProgress>,
}

struct ReadProgress {
    /// The last version that was read, by org.
    read_until: HashMap<OrgId, i64>,
    counted_at: Option<Instant>,
    back_off: Duration,
}

enum Failure {
    Embedder(EmbedError),
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl EmbedMemories {
    pub(crate) fn new(store: Store, embedding: &EmbeddingService) -> Self {
        let progress = ReadProgress { read_until: HashMap::new(), counted_at: None, back_off: BACK_OFF.0 };
        let (embedder, status) = (Arc::clone(&embedding.embedder), Arc::clone(&embedding.status));
        Self { store, embedder, status, progress: Mutex::new(progress) }
    }

    /// Embeds all waiting memories.
    ///
    /// # Errors
    /// [`JobError`]; its pause grows while the embedder fails.
    pub(super) async fn run(&self) -> Result<(), JobError> {
        let mut progress = self.progress.lock().await;
        match self.embed_due(&mut progress).await {
            Ok(()) => {
                progress.back_off = BACK_OFF.0;
                Ok(())
            }
            Err(Failure::Store(error)) => Err(error.into()),
            Err(Failure::Embedder(error)) => {
                let pause = match &error {
                    EmbedError::Failing { wait: Some(wait), .. } => *wait,
                    EmbedError::Failing { .. } | EmbedError::Refused(_) => progress.back_off,
                };
                progress.back_off = (2 * progress.back_off).min(BACK_OFF.1);
                let is_new = self.status.fails(&error.to_string());
                Err(JobError::of(error).retry_after(pause.min(BACK_OFF.1)).logged_if(is_new))
            }
        }
    }

    async fn embed_due(&self, progress: &mut ReadProgress) -> Result<(), Failure> {
        let model = self.embedder.number();
        let behind: Vec<EmbeddingBacklog> = self.store.read(ReadPlan::Scan, move |tx| tx.orgs_to_embed(model)).await?;
        let is_due =
            |org: &EmbeddingBacklog| progress.read_until.get(&org.org).is_none_or(|until| *until < org.version);
        let behind: Vec<EmbeddingBacklog> = behind.into_iter().filter(is_due).collect();
        if behind.is_empty() {
            self.status.waits(0);
        }
        for org in behind {
            self.embed_org(progress, org).await?;
        }
        Ok(())
    }

    async fn embed_org(&self, progress: &mut ReadProgress, behind: EmbeddingBacklog) -> Result<(), Failure> {
        let EmbeddingBacklog { org, embedded, .. } = behind;
        let model = self.embedder.number();
        let mut after = embedded.max(progress.read_until.get(&org).copied().unwrap_or(0));
        loop {
            let waiting = self.store.read(ReadPlan::Scan, move |tx| tx.unembedded(org, model, after, BATCH));
            let Unembedded { texts, until } = waiting.await?;
            let is_last = texts.len() < BATCH;
            if texts.is_empty() {
                if until - embedded >= WORTH_A_ROW {
                    self.put(org, Vec::new(), until).await?;
                }
            } else {
                self.count(progress).await?;
                let done = self.embed(texts).await.map_err(Failure::Embedder)?;
                self.put(org, done, until).await?;
            }
            after = until;
            progress.read_until.insert(org, until);
            if is_last {
                return Ok(());
            }
        }
    }

    /// Updates the number of waiting memories, at most every [`COUNT_EVERY`].
    async fn count(&self, progress: &mut ReadProgress) -> Result<(), StoreError> {
        if progress.counted_at.is_none_or(|counted_at| counted_at.elapsed() >= COUNT_EVERY) {
            let model = self.embedder.number();
            let count =
                self.store.read(ReadPlan::Scan, move |tx| tx.unembedded_count(model, EmbeddingStatus::COUNTED)).await?;
            self.status.waits(count);
            progress.counted_at = Some(Instant::now());
        }
        Ok(())
    }

    async fn put(&self, org: OrgId, done: Vec<Embedded>, until: i64) -> Result<(), StoreError> {
        let dimensions = done.iter().find_map(|done| Some(done.vectors.first()?.dimensions()));
        let model = self.embedder.model(dimensions.unwrap_or(0));
        let refused = done.iter().filter(|done| done.vectors.is_empty()).count() as u64;
        let stored = self.store.write(org, move |tx| tx.put_embeddings(org, &model, &done, until)).await?;
        self.status.embedded((stored as u64).saturating_sub(refused), refused);
        Ok(())
    }

    /// Embeds texts together, each part by part. A refused batch is halved until the text at fault is found.
    async fn embed(&self, texts: Vec<WaitingText>) -> Result<Vec<Embedded>, EmbedError> {
        let mut done = Vec::with_capacity(texts.len());
        let mut waiting = vec![texts];
        while let Some(mut texts) = waiting.pop() {
            let parts: Vec<Vec<&str>> = texts.iter().map(|text| embedding_chunks(&text.content)).collect();
            let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
            let all = parts.concat().into_iter().map(str::to_owned).collect();
            match self.embedder.embed(all, Urgency::Background).await {
                Ok(vectors) => {
                    let mut vectors = vectors.into_iter();
                    let of_text = |(text, count)| {
                        let vectors = vectors.by_ref().take(count).flatten().collect();
                        Embedded { text, vectors }
                    };
                    done.extend(texts.into_iter().zip(counts).map(of_text));
                }
                Err(EmbedError::Refused(why)) => match texts.pop() {
                    Some(text) if texts.is_empty() => {
                        tracing::warn!(memory = %text.memory, why, "the embedder refused a memory, which is found by its words only");
                        done.push(Embedded { text, vectors: Vec::new() });
                    }
                    Some(text) => {
                        texts.push(text);
                        let half = texts.split_off(texts.len() / 2);
                        waiting.extend([texts, half]);
                    }
                    None => {}
                },
                Err(failing) => return Err(failing),
            }
        }
        Ok(done)
    }
}
