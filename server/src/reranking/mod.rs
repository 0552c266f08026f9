//! The configured reranker: scores of texts for a query, within a time budget, and its status.
//!
//! A search that has no scores in time has the order that it has without a reranker.
//!
//! Source: `docs/spec/search.md`, "Reranking".

mod endpoint;
mod error;
mod local;
mod service;
mod status;

pub(crate) use error::RerankError;
pub use error::RerankerError;
pub(crate) use service::{RerankRequest, Reranking, TextKey};
pub(crate) use status::{RerankerStatus, RerankingProgress};
