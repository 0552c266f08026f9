//! Errors of rerankers.

use orgmem_embed::ModelError;

/// A reranker that cannot be used. Each message names the setting.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RerankerError {
    #[error("`reranker`: {0}")]
    Model(#[from] ModelError),
    /// The HTTP client or the thread cannot be created.
    #[error("`reranker`: {0}")]
    Client(String),
}

/// Why texts have no scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct RerankError(pub(crate) String);

impl RerankError {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}
