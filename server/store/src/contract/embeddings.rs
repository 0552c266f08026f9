//! Embeddings: the memories that a model has yet to embed, and their vectors.

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_recall::Vector;
use uuid::Uuid;

use super::ItemType;

/// An embedding model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddingModel {
    /// The key of the model in rows. Vectors of different models cannot be compared.
    pub number: i32,
    /// The unique name of the model.
    pub name: String,
    /// Length of its vectors.
    pub dimensions: usize,
}

/// An org with writes that a model has not embedded yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddingBacklog {
    /// The org.
    pub org: OrgId,
    /// The current version of the org.
    pub version: i64,
    /// All memories up to this version of the org are embedded.
    pub embedded: i64,
}

/// A batch of memories to embed.
#[derive(Clone, Debug, Default)]
pub struct Unembedded {
    /// The memories with the oldest writes.
    pub texts: Vec<WaitingText>,
    /// When this batch is embedded, all memories up to this version of the org are.
    pub until: i64,
}

/// The text of one memory or passage.
#[derive(Clone, Debug)]
pub struct WaitingText {
    pub(crate) items: ItemType,
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
    /// The id of the memory.
    pub memory: Uuid,
    /// The version of the org at the write.
    pub(crate) org_version: i64,
    /// The text to embed.
    pub content: String,
}

/// The vectors of a text.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The text.
    pub text: WaitingText,
    /// One vector for each part of the text; empty if the model cannot embed it.
    pub vectors: Vec<Vector>,
}
