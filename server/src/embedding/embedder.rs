//! One embedder: a local model or an endpoint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use orgmem_embed::{Model, TextRole};
use orgmem_recall::Vector;
use orgmem_store::{EmbeddingModel, FairTurn, OrgThreads};
use sha2::{Digest, Sha256};

use super::background::Background;
use super::endpoint::EmbeddingEndpoint;
use super::{EmbedError, EmbedderError, hub};
use crate::config::{EmbedderSettings, EmbedderSource};

/// Texts of one request: some endpoints accept no more.
const AT_ONCE: usize = 32;

/// Queries that an endpoint embeds at once.
const ENDPOINT_PLACES: usize = 32;

pub(crate) struct Embedder {
    number: i32,
    name: String,
    backend: EmbedderBackend,
}

enum EmbedderBackend {
    Local { model: Arc<Model>, threads: OrgThreads, background: Background },
    Endpoint(EmbeddingEndpoint),
}

pub(crate) enum Urgency {
    /// A query, which waits for its vector. Its turn ends with the work, also where the query has given up.
    Query(FairTurn),
    /// Memories and documents; requests come first.
    Background,
}

impl Embedder {
    /// The configured embedder, if there is one.
    pub(super) async fn open(
        settings: &EmbedderSettings,
        data_dir: &Path,
        threads: &OrgThreads,
    ) -> Result<Option<Self>, EmbedderError> {
        Ok(Some(match &settings.source {
            None => return Ok(None),
            Some(EmbedderSource::Folder(folder)) => Self::local(folder.clone(), threads).await?,
            Some(EmbedderSource::Hub(model)) => {
                Self::local(hub::folder_of(settings, model, data_dir).await?, threads).await?
            }
            Some(EmbedderSource::Address(address)) => {
                let model = settings.model.as_deref().ok_or(EmbedderError::NoModelNamed)?;
                Self::endpoint(settings, address, model)?
            }
        }))
    }

    /// An embedder that was used before, if it is available and unchanged.
    pub(super) async fn reopen(
        settings: &EmbedderSettings,
        was: &EmbeddingModel,
        threads: &OrgThreads,
    ) -> Option<Self> {
        let reopened = match (was.name.split_once(' '), &settings.source) {
            (Some((address, model)), Some(EmbedderSource::Address(now))) if address == now => {
                Self::endpoint(settings, address, model).ok()
            }
            (None, _) => Self::local(PathBuf::from(&was.name), threads).await.ok(),
            _ => None,
        };
        reopened.filter(|reopened| reopened.number == was.number)
    }

    async fn local(folder: PathBuf, threads: &OrgThreads) -> Result<Self, EmbedderError> {
        let name = folder.display().to_string();
        let opened = tokio::task::spawn_blocking(move || Model::open(&folder)).await;
        let model = opened.map_err(|error| EmbedderError::Client(error.to_string()))??;
        let background =
            Background::start("orgmem-embedder").map_err(|error| EmbedderError::Client(error.to_string()))?;
        // the fingerprint stays the same when the folder moves
        Ok(Self {
            number: number(&format!("local {:016x}", model.fingerprint())),
            name,
            backend: EmbedderBackend::Local { model: Arc::new(model), threads: threads.clone(), background },
        })
    }

    fn endpoint(settings: &EmbedderSettings, address: &str, model: &str) -> Result<Self, EmbedderError> {
        let name = format!("{address} {model}");
        Ok(Self {
            number: number(&name),
            name,
            backend: EmbedderBackend::Endpoint(EmbeddingEndpoint::new(settings, address, model)?),
        })
    }

    /// The number of queries that it embeds at once: a local model leaves one processor to other work, and an endpoint has
    /// its own.
    pub(super) fn places(&self) -> usize {
        match self.backend {
            EmbedderBackend::Local { .. } => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                processors.saturating_sub(1).max(1)
            }
            EmbedderBackend::Endpoint(_) => ENDPOINT_PLACES,
        }
    }

    /// Its key in the database.
    pub(crate) fn number(&self) -> i32 {
        self.number
    }

    /// The folder, or the address and the model.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn model(&self, dimensions: usize) -> EmbeddingModel {
        EmbeddingModel { number: self.number, name: self.name.clone(), dimensions }
    }

    /// A vector for each text, in their order; `None` for a text without meaning.
    pub(crate) async fn embed(&self, texts: Vec<String>, urgency: Urgency) -> Result<Vec<Option<Vector>>, EmbedError> {
        let numbers = match &self.backend {
            EmbedderBackend::Local { model, threads, background } => {
                let model = Arc::clone(model);
                let role = match urgency {
                    Urgency::Query(_) => TextRole::Query,
                    Urgency::Background => TextRole::Passage,
                };
                let embed = move || model.embed(role, &texts.iter().map(String::as_str).collect::<Vec<_>>());
                let embedded = match urgency {
                    Urgency::Query(turn) => threads.run(turn, embed).await.ok(),
                    Urgency::Background => background.run(embed).await,
                };
                let embedded = embedded.ok_or_else(|| EmbedError::failing("the model panicked"))?;
                embedded.map_err(|error| EmbedError::Refused(error.to_string()))?
            }
            EmbedderBackend::Endpoint(endpoint) => {
                let _turn = urgency;
                let mut numbers = Vec::with_capacity(texts.len());
                for texts in texts.chunks(AT_ONCE) {
                    numbers.extend(endpoint.embed(texts).await?);
                }
                numbers
            }
        };
        Ok(numbers.iter().map(|numbers| Vector::of(numbers)).collect())
    }
}

/// A hash of 31 bits.
fn number(name: &str) -> i32 {
    let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(name));
    i32::from_be_bytes([a & 0x7f, b, c, d])
}
