//! What memories mean: which of them are not embedded yet, and their vectors once they are.

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::ReadPass;
use orgmem_recall::{Query, Vector};
use uuid::Uuid;

use crate::StoreError;

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

/// Reading what is embedded.
pub trait ReadEmbeddings {
    /// Orgs in which something was written that this model has not come to.
    fn orgs_to_embed(&mut self, model: i32) -> Result<Vec<Behind>, StoreError>;

    /// Memories of `org` that this model has not come to, up to `most`, of those written after the version `after`.
    fn unembedded(&mut self, org: OrgId, model: i32, after: i64, most: usize) -> Result<Unembedded, StoreError>;

    /// How many memories of the orgs this model has not come to, no more than `most`.
    fn unembedded_count(&mut self, model: i32, most: i64) -> Result<i64, StoreError>;

    /// The models that memories of `org` are embedded by.
    fn models_of(&mut self, org: OrgId) -> Result<Vec<EmbeddingModel>, StoreError>;

    /// The models besides this one that memories of any org are embedded by.
    fn former_models(&mut self, model: i32) -> Result<Vec<EmbeddingModel>, StoreError>;

    /// The names of authors in reach that may stand in this query.
    fn authors_named(&mut self, pass: &ReadPass, query: &Query) -> Result<Vec<String>, StoreError>;
}

/// Writing vectors.
pub trait WriteEmbeddings {
    /// Keeps the vectors of those memories of this job's org that still say what was embedded, and that all is embedded
    /// that was written until the version `until`. When that is all there is, vectors of other models do not serve any
    /// longer. Says how many were kept.
    fn put_embeddings(
        &mut self,
        org: OrgId,
        model: &EmbeddingModel,
        embedded: &[Embedded],
        until: i64,
    ) -> Result<usize, StoreError>;
}
