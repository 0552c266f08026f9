//! Deletion of memories.

use orgmem_policies::{Forbidden, ForgetPass, Namespace};
use orgmem_store::{ForgetOutcome, Memory};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

struct ForgetConditions {
    namespace: Option<String>,
    if_match: Option<i64>,
    /// Whether the workspace must be the author.
    own: bool,
}

/// Whether the name is the label of the memory or one of its namespaces.
fn is_filed_in(memory: &Memory, name: &str) -> bool {
    let label = &memory.authored.namespace;
    let is_in = |namespace: Namespace| namespace.contains(memory.scope, memory.team, memory.author, label);
    name == label || name.parse().is_ok_and(is_in)
}

impl App {
    /// Deletes a memory: its content is removed from every table and index. `namespace`, a label or a name of
    /// [`Namespace`], and `if_match`, if present, must match the memory. Only the author, or a caller whose role covers the
    /// author, may delete it.
    ///
    /// # Errors
    /// [`AppError::NotFound`] also if the caller may not delete it; [`AppError::MemoryConflict`] when the current
    /// version is another.
    pub async fn forget_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        namespace: Option<String>,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, AppError> {
        self.forget(auth, workspace, memory, ForgetConditions { namespace, if_match, own: false }).await
    }

    /// As [`forget_memory`](Self::forget_memory), for memories of the workspace itself only.
    ///
    /// # Errors
    /// [`AppError::NotFound`] also for a memory of another author.
    pub async fn forget_namespace_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, AppError> {
        self.forget(auth, workspace, memory, ForgetConditions { namespace: None, if_match, own: true }).await
    }

    async fn forget(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        conditions: ForgetConditions,
    ) -> Result<wire::Deleted, AppError> {
        let ForgetConditions { namespace, if_match, own } = conditions;
        let forgetting = self.write(auth.call(workspace), move |call| {
            let reader = call.workspace;
            let reads = call.reads(reader)?;
            let author = match call.tx.memory(&reads, memory)? {
                Some((found, _)) if namespace.as_ref().is_none_or(|namespace| is_filed_in(&found, namespace)) => {
                    found.author
                }
                // an author may delete its own memory although it can no longer read it, for example a superseded one
                None if namespace.is_none() => {
                    let location = call.tx.memory_location(call.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
                    if location.author == reader { reader } else { return Err(AppError::MEMORY_NOT_FOUND) }
                }
                Some(_) | None => return Err(AppError::MEMORY_NOT_FOUND),
            };
            if own && author != reader {
                return Err(AppError::MEMORY_NOT_FOUND);
            }
            let granted = call.pass(|caller, tree| ForgetPass::grant(caller, tree, reader, author));
            let pass = granted.map_err(|refused| match refused {
                // the response for a memory of another author is 404, even if the caller can read it
                AppError::Forbidden(Forbidden::OthersMemory) => AppError::MEMORY_NOT_FOUND,
                other => other,
            })?;
            match call.tx.forget_memory(&pass, memory, if_match)? {
                ForgetOutcome::Done => Ok(wire::Deleted::done()),
                ForgetOutcome::NoMemory => Err(AppError::MEMORY_NOT_FOUND),
                ForgetOutcome::Conflict(conflict) => {
                    Err(AppError::MemoryConflict { id: memory, expected: conflict.expected, current: conflict.current })
                }
            }
        });
        self.measured(MemoryOperation::Delete, forgetting).await
    }
}
