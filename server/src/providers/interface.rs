//! The seam: what a provider does, and how it fails.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_store::StoreError;
use uuid::Uuid;

use crate::outbound::FetchFault;

/// An engine that records items, compacts them, finds them again and accounts for them. A provider returns ids, never text.
pub(crate) trait MemoryProvider: Send + Sync {
    /// Records a memory or an episode, or withdraws it.
    fn record<'p>(&'p self, change: &'p ItemChange) -> BoxFuture<'p, Result<(), ProviderFault>>;

    /// Takes a page that was compacted, or withdraws it.
    fn compact<'p>(&'p self, change: &'p ItemChange) -> BoxFuture<'p, Result<(), ProviderFault>>;

    /// The ids of the memories that answer a query, best first.
    fn retrieve<'p>(&'p self, retrieval: &'p Retrieval) -> BoxFuture<'p, Result<Vec<Uuid>, ProviderFault>>;

    /// What the engine says of itself.
    fn audit(&self) -> BoxFuture<'_, Result<ProviderHealth, ProviderFault>>;
}

/// A change of what a provider has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ItemChange {
    /// Creates or replaces an item.
    Put(SentItem),
    /// Removes an item.
    Withdraw { id: Uuid, namespace: String },
}

/// An item on its way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SentItem {
    pub(crate) id: Uuid,
    pub(crate) namespace: String,
    /// Another namespace that it was in before.
    pub(crate) former: Option<String>,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) expires_at: Option<DateTime<Utc>>,
}

/// A query of one reader.
#[derive(Clone, Debug)]
pub(crate) struct Retrieval {
    pub(crate) org: OrgId,
    pub(crate) reader: WorkspaceId,
    pub(crate) query: String,
    /// The namespaces that the reader reads.
    pub(crate) namespaces: Vec<String>,
    pub(crate) limit: usize,
}

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderHealth {
    pub(crate) version: String,
    pub(crate) capabilities: Vec<String>,
}

/// Why a provider did not do its part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderFault {
    #[error(transparent)]
    Fetch(#[from] FetchFault),
    /// The engine understood, and refuses.
    #[error("it refuses with {0}")]
    Refused(u16),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProviderFault {
    /// The label in metrics.
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::Fetch(fault) => fault.label(),
            Self::Refused(_) => "refused",
            Self::Store(_) => "store",
        }
    }
}
