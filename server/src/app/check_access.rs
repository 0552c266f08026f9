//! The platform's question: may these two talk to each other?

use orgmem_hierarchy::{Relation, WorkspaceId};
use orgmem_policies::{Permission, ViewPass};
use orgmem_types as wire;

use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Whether `target_id` is `caller_id` itself, a sibling, above or below it in the same tree. A target of another
    /// tree and one that does not exist give the same answer.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it for `caller_id`.
    pub async fn check_access(
        &self,
        who: &VerifiedClaims,
        request: wire::CheckAccess,
    ) -> Result<wire::CheckAccessResponse, AppError> {
        let target = WorkspaceId::from(request.target_id);
        self.read(who.call(request.caller_id), move |call| {
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
