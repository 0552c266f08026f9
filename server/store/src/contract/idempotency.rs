//! Idempotency keys: the first answer to a request, given again when the request is repeated.

use orgmem_hierarchy::{OrgId, WorkspaceId};

use crate::StoreError;

/// What a request was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The SHA-256 of the request; with another one it is another request.
    pub body_hash: [u8; 32],
    /// The answer: JSON as text.
    pub answer: String,
}

/// Looking up answers. Keys of different owners never meet.
///
/// Source: product.md, section 4, `Idempotency-Key`.
pub trait ReadAnswers {
    /// What the request that `owner` named `key` was answered in the last 24 hours.
    fn remembered(&mut self, org: OrgId, owner: &str, key: &str) -> Result<Option<Remembered>, StoreError>;
}

/// Keeping answers.
pub trait WriteAnswers {
    /// Keeps an answer for 24 hours, in the transaction of what it tells of.
    ///
    /// It goes with `about`, the workspace that it tells of, when that is erased. What it says outlives memories and
    /// tokens: it must hold nothing of what a memory says, nor a token.
    fn remember(
        &mut self,
        org: OrgId,
        owner: &str,
        key: &str,
        about: WorkspaceId,
        answer: Remembered,
    ) -> Result<(), StoreError>;
}
