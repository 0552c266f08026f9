//! Whether two workspaces may communicate, for the platform.

use orgmem_hierarchy::{Relation, WorkspaceId};
use orgmem_policies::{Permission, ViewPass};
use orgmem_types as wire;

use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Whether `target_id` is `caller_id` itself, a sibling, an ancestor or a descendant of it. The response is the
    /// same for a target in another tree and for one that does not exist.
    ///
    /// # Errors
    /// [`AppError`] by the caller's role and position, for `caller_id`.
    pub async fn check_access(
        &self,
        auth: &VerifiedClaims,
        request: wire::CheckAccess,
    ) -> Result<wire::CheckAccessResponse, AppError> {
        let target = WorkspaceId::from(request.target_id);
        self.read(auth.call(request.caller_id), move |call| {
            let caller_id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadReach, tree, caller_id))?;
            let relation = call.tx.tree(call.org)?.relation(caller_id, target);
            let allowed = match relation {
                Some(
                    Relation::Itself
                    | Relation::Parent
                    | Relation::Child
                    | Relation::Sibling
                    | Relation::Ancestor
                    | Relation::Descendant,
                ) => true,
                Some(Relation::Distant) | None => false,
            };
            Ok(wire::CheckAccessResponse { allowed })
        })
        .await
    }
}
