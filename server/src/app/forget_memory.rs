//! Forgetting a memory.

use orgmem_policies::{Forbidden, ForgetPass};
use orgmem_store::ForgetOutcome;
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

impl App {
    /// Forgets a memory, if it is filed under `namespace` where one is given, and on the version that was asked for if
    /// one was: its content leaves every table and index. For its author, or for a role that covers the author.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where there is none, or none that is theirs to forget; [`AppError::MemoryConflict`] when
    /// another version is there.
    pub async fn forget_memory(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        namespace: Option<String>,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, AppError> {
        let forgetting = self.write(who.call(workspace), move |call| {
            let reader = call.workspace;
            let reads = call.reads(reader)?;
            let author = match call.tx.memory(&reads, memory)? {
                Some((found, _)) if namespace.as_ref().is_none_or(|namespace| *namespace == found.namespace) => {
                    found.author
                }
                // what the workspace wrote itself is its to take away, though another memory has replaced it
                None if namespace.is_none() => {
                    let place = call.tx.memory_location(call.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
                    if place.author == reader { reader } else { return Err(AppError::MEMORY_NOT_FOUND) }
                }
                Some(_) | None => return Err(AppError::MEMORY_NOT_FOUND),
            };
            let granted = call.pass(|caller, tree| ForgetPass::grant(caller, tree, reader, author));
            let pass = granted.map_err(|refused| match refused {
                // what others wrote is absent to who would delete it
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
