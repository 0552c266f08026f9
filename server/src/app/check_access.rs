//! Whether two workspaces may communicate, for the platform.

use orgmem_hierarchy::{Relation, WorkspaceId};
use orgmem_policies::{Permission, ViewPass};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Whether `target_id` is `caller_id` itself, a sibling, an ancestor or a descendant of it. The response is the
    /// same for a target in another tree, for one that does not exist, and for a text that is no id.
    ///
    /// # Errors
    /// [`AppError`] by the caller's role and position, for `caller_id`.
    pub async fn check_access(
        &self,
        auth: &VerifiedClaims,
        request: wire::CheckAccess,
    ) -> Result<wire::CheckAccessResponse, AppError> {
        let target = Uuid::try_parse(&request.target_id).ok().map(WorkspaceId::from);
        self.read(auth.call(request.caller_id), move |call| {
            let caller_id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadReach, tree, caller_id))?;
            let tree = call.tx.tree(call.org)?;
            let relation = target.and_then(|target| tree.relation(caller_id, target));
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
