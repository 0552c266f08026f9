//! The end of sessions.

use orgmem_policies::drafts::check_session;
use orgmem_policies::{ActPass, Permission};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

impl App {
    /// Ends a session of the workspace: its memories that are session-only are gone, as by expiry. Ending it again, or one
    /// without such memories, changes nothing.
    ///
    /// # Errors
    /// [`AppError::Field`] for a session that no memory can have.
    ///
    /// # Source
    /// `docs/spec/tiers.md`, "Sessions".
    pub async fn end_session(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        session_id: String,
    ) -> Result<wire::EndedSession, AppError> {
        let session = check_session(&session_id, self.scrubber)?.to_string();
        let ending = async {
            let mut ended = 0;
            // in parts, so that the writes of others come between them
            loop {
                let (session, is_first) = (session.clone(), ended == 0);
                let part = self.write(auth.call(workspace), move |call| {
                    let author = call.workspace;
                    call.name(None, Some(&session))?;
                    let pass =
                        call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, author))?;
                    if is_first {
                        call.spend_writes(Permission::WriteMemories, 1, false)?;
                    }
                    Ok(call.tx.end_session(&pass, &session)?)
                });
                match part.await? {
                    0 => return Ok(ended),
                    part => ended += part,
                }
            }
        };
        let ended = self.measured(MemoryOperation::Delete, ending).await?;
        Ok(wire::EndedSession { session_id: session, ended })
    }
}
