//! The queue: memories are embedded soon after their commit, and all of them when the embedder appears or changes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use orgmem_hierarchy::OrgId;
use orgmem_recall::embedding_chunks;
use orgmem_store::{Behind, Embedded, ReadPlan, Store, StoreError, Unembedded, WaitingText};
use tokio_util::sync::CancellationToken;

use super::embedder::Haste;
use super::{EmbedError, Embedder, EmbeddingStatus};

/// How often memories are looked for.
const EVERY: Duration = Duration::from_millis(500);
/// How often those that wait are counted: where very many do, counting takes as long as embedding some.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// Memories that are embedded at once.
const BATCH: usize = 32;
/// How long the embedder is left alone after it failed: at first, and at most.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// Versions after which it is written down that there was nothing to embed, so that the next start need not look again.
const WORTH_A_ROW: i64 = 1_000;

/// Embeds what waits, of all orgs.
pub(crate) struct EmbeddingQueue {
    store: Store,
    embedder: Arc<Embedder>,
    status: Arc<EmbeddingStatus>,
    /// Until which version each org was looked at.
    looked: HashMap<OrgId, i64>,
    /// When what waits was counted last.
    counted: Option<Instant>,
}

/// Why the queue does not go on.
enum Stuck {
    Embedder(EmbedError),
    Store(StoreError),
}

impl From<StoreError> for Stuck {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl EmbeddingQueue {
    pub(super) fn new(store: Store, embedder: Arc<Embedder>, status: Arc<EmbeddingStatus>) -> Self {
        Self { store, embedder, status, looked: HashMap::new(), counted: None }
    }

    /// Embeds, now and then, until `stopping`. What is left then waits for the next start.
    pub(crate) async fn run(mut self, stopping: CancellationToken) {
        let mut pause = EVERY;
        let mut back_off = BACK_OFF.0;
        while stopping.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
            pause = EVERY;
            match stopping.run_until_cancelled(self.embed_due()).await {
                None | Some(Err(Stuck::Store(StoreError::Closed))) => return,
                Some(Ok(())) => back_off = BACK_OFF.0,
                Some(Err(Stuck::Store(error))) => tracing::warn!(%error, "memories to embed could not be looked for"),
                Some(Err(Stuck::Embedder(error))) => {
                    let wait = match &error {
                        EmbedError::Failing { wait, .. } => *wait,
                        EmbedError::Refused(_) => None,
                    };
                    pause = wait.unwrap_or(back_off).min(BACK_OFF.1);
                    back_off = (2 * back_off).min(BACK_OFF.1);
                    if self.status.fails(&error.to_string()) {
                        tracing::warn!(%error, embedder = self.embedder.name(), "memories cannot be embedded now; they wait");
                    }
                }
            }
        }
    }

    async fn embed_due(&mut self) -> Result<(), Stuck> {
        let model = self.embedder.number();
        let behind: Vec<Behind> = self.store.read(ReadPlan::Scan, move |tx| tx.orgs_to_embed(model)).await?;
        let behind =
            behind.into_iter().filter(|org| self.looked.get(&org.org).is_none_or(|looked| *looked < org.version));
        let behind: Vec<Behind> = behind.collect();
        if behind.is_empty() {
            self.status.waits(0);
        }
        for org in behind {
            self.embed_org(org).await?;
        }
        Ok(())
    }

    async fn embed_org(&mut self, Behind { org, embedded, .. }: Behind) -> Result<(), Stuck> {
        let model = self.embedder.number();
        let mut after = embedded.max(self.looked.get(&org).copied().unwrap_or(0));
        loop {
            let waiting = self.store.read(ReadPlan::Scan, move |tx| tx.unembedded(org, model, after, BATCH));
            let Unembedded { texts, until } = waiting.await?;
            let is_last = texts.len() < BATCH;
            if texts.is_empty() {
                if until - embedded >= WORTH_A_ROW {
                    self.put(org, Vec::new(), until).await?;
                }
            } else {
                self.count().await?;
                let done = self.embed(texts).await.map_err(Stuck::Embedder)?;
                self.put(org, done, until).await?;
            }
            after = until;
            self.looked.insert(org, until);
            if is_last {
                return Ok(());
            }
        }
    }

    /// Tells how many wait, unless it was told just now.
    async fn count(&mut self) -> Result<(), StoreError> {
        if self.counted.is_none_or(|counted| counted.elapsed() >= COUNT_EVERY) {
            let model = self.embedder.number();
            let count =
                self.store.read(ReadPlan::Scan, move |tx| tx.unembedded_count(model, EmbeddingStatus::COUNTED)).await?;
            self.status.waits(count);
            self.counted = Some(Instant::now());
        }
        Ok(())
    }

    async fn put(&self, org: OrgId, done: Vec<Embedded>, until: i64) -> Result<(), StoreError> {
        let dimensions = done.iter().find_map(|done| Some(done.vectors.first()?.dimensions()));
        let model = self.embedder.model(dimensions.unwrap_or(0));
        let refused = done.iter().filter(|done| done.vectors.is_empty()).count() as u64;
        let kept = self.store.write(org, move |tx| tx.put_embeddings(org, &model, &done, until)).await?;
        self.status.embedded((kept as u64).saturating_sub(refused), refused);
        Ok(())
    }

    /// Embeds texts together, each part by part; where that is refused, halves, until it is known which one is at fault.
    async fn embed(&self, texts: Vec<WaitingText>) -> Result<Vec<Embedded>, EmbedError> {
        let mut done = Vec::with_capacity(texts.len());
        let mut waiting = vec![texts];
        while let Some(mut texts) = waiting.pop() {
            let parts: Vec<Vec<&str>> = texts.iter().map(|text| embedding_chunks(&text.content)).collect();
            let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
            let all = parts.concat().into_iter().map(str::to_owned).collect();
            match self.embedder.embed(all, Haste::Meanwhile).await {
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
                        tracing::warn!(memory = %text.memory, why, "the embedder refuses a memory; it is found by its words alone");
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
