//! What memories mean: which of them are not embedded yet, and their vectors once they are.

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_recall::Vector;
use uuid::Uuid;

/// A model that texts are embedded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddingModel {
    /// Stands for it in rows; vectors of two numbers cannot be compared.
    pub number: i32,
    /// What it is told apart by.
    pub name: String,
    /// Numbers in a vector.
    pub dimensions: usize,
}

/// An org in which something was written since all of it was embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The org.
    pub org: OrgId,
    /// Its version now.
    pub version: i64,
    /// What was written until this version is embedded.
    pub embedded: i64,
}

/// Memories that wait to be embedded.
#[derive(Clone, Debug, Default)]
pub struct Unembedded {
    /// Some of them, those that were written first.
    pub texts: Vec<WaitingText>,
    /// Once these are embedded, all is that was written until this version.
    pub until: i64,
}

/// The text of one memory.
#[derive(Clone, Debug)]
pub struct WaitingText {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
    /// The memory.
    pub memory: Uuid,
    /// The version of the org that it was written with.
    pub(crate) org_version: i64,
    /// What it says.
    pub content: String,
}

/// What became of a text.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The text.
    pub text: WaitingText,
    /// The vectors of its parts; none where the model can make nothing of it.
    pub vectors: Vec<Vector>,
}
