//! What a caller may do to a memory: asked of the code that decides when it is done.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{EditPass, ForgetPass, RedactPass, Refusal};
use orgmem_store::ReadTx;
use orgmem_types as wire;

use super::AppError;
use super::call::Call;

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// What the caller, acting as the workspace of this call, may do to what `author` wrote.
    pub(super) fn can(&mut self, author: WorkspaceId) -> Result<wire::MemoryPermissions, AppError> {
        let at = self.workspace;
        let tree = self.tx.tree(self.org)?;
        let caller = &self.caller;
        let why_not = wire::DenialReasons {
            edit: refusal(EditPass::grant(caller, &tree, at, author)),
            delete: refusal(ForgetPass::grant(caller, &tree, at, author)),
            redact: refusal(RedactPass::grant(caller, &tree, at, author)),
        };
        Ok(wire::MemoryPermissions {
            edit: why_not.edit.is_none(),
            delete: why_not.delete.is_none(),
            redact: why_not.redact.is_none(),
            why_not,
        })
    }
}

fn refusal<P>(granted: Result<P, Refusal>) -> Option<String> {
    granted.err().map(|refused| refused.to_string())
}
