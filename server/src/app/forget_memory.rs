//! Deletion of memories.

use orgmem_policies::{Forbidden, ForgetPass};
use orgmem_store::ForgetOutcome;
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

impl App {
    /// Deletes a memory: its content is removed from every table and index. `namespace` and `if_match`, if present,
    /// must match the memory. Only the author, or a caller whose role covers the author, may delete it.
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
        let forgetting = self.write(auth.call(workspace), move |call| {
            let reader = call.workspace;
            let reads = call.reads(reader)?;
            let author = match call.tx.memory(&reads, memory)? {
                Some((found, _))
                    if namespace.as_ref().is_none_or(|namespace| *namespace == found.authored.namespace) =>
                {
                    found.author
                }
                // an author may delete its own memory although it can no longer read it, for example a superseded one
                None if namespace.is_none() => {
                    let location = call.tx.memory_location(call.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
                    if location.author == reader { reader } else { return Err(AppError::MEMORY_NOT_FOUND) }
                }
                Some(_) | None => return Err(AppError::MEMORY_NOT_FOUND),
            };
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
