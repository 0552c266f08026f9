//! Forgetting a memory.

use orgmem_policies::{Forbidden, ForgetPass};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::Operation;

impl App {
    /// Forgets a memory, if it is filed under `namespace` where one is given: its content leaves every table and index.
    /// For its author, or for a role that covers the author.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where there is none, or none that is theirs to forget.
    pub async fn forget_memory(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        namespace: Option<String>,
    ) -> Result<wire::Deleted, AppError> {
        let forgetting = self.write_as(who, workspace, None, move |call| {
            let reader = call.workspace;
            let reads = call.reads(reader)?;
            let author = match call.tx.memory(&reads, memory)? {
                Some((found, _)) if namespace.as_ref().is_none_or(|namespace| *namespace == found.namespace) => {
                    found.author
                }
                // what the workspace wrote itself is its to take away, though another memory has replaced it
                None if namespace.is_none() => {
                    let place = call.tx.memory_place(call.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
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
            if call.tx.forget_memory(&pass, memory)? {
                Ok(wire::Deleted::done())
            } else {
                Err(AppError::MEMORY_NOT_FOUND)
            }
        });
        self.measured(Operation::Delete, forgetting).await
    }
}
