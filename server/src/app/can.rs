//! Permissions of a caller on a memory, by the functions that also decide the operations.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{EditPass, ForgetPass, RedactPass, Refusal};
use orgmem_store::ReadTx;
use orgmem_types as wire;

use super::AppError;
use super::call::Call;

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The permissions of the caller, acting as the workspace of this call, on the memories of `author`.
    pub(super) fn can(&mut self, author: WorkspaceId) -> Result<wire::MemoryPermissions, AppError> {
        let workspace = self.workspace;
        let tree = self.tx.tree(self.org)?;
        let caller = &self.caller;
        let why_not = wire::DenialReasons {
            edit: refusal(EditPass::grant(caller, &tree, workspace, author)),
            delete: refusal(ForgetPass::grant(caller, &tree, workspace, author)),
            redact: refusal(RedactPass::grant(caller, &tree, workspace, author)),
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
