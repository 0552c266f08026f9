//! Grants: the consent of end users that sessions are read.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::GrantDraft;
use orgmem_policies::rules::GrantPlan;
use orgmem_policies::{GrantPass, SessionGrant, ViewPass};
use uuid::Uuid;

use crate::StoreError;

/// A stored grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGrant {
    /// The grant as reads apply it.
    pub grant: SessionGrant,
    /// What the end user agreed to.
    pub evidence: String,
    /// The name of the token that gave it.
    pub granted_by: String,
    /// When it was given.
    pub created_at: DateTime<Utc>,
}

transaction! {
    forward_grant_reads

    /// The reads of grants. Expired ones are absent.
    pub trait GrantReads {
        /// The grants of this end user to the workspace `reader`.
        fn grants_to(&mut self, org: OrgId, reader: WorkspaceId, subject: &str) -> Result<Vec<SessionGrant>, StoreError>;

        /// At most `limit` grants of the pass's workspace with ids below `before`, newest first; those of one end user if
        /// `subject` is given.
        fn list_grants(
            &mut self,
            pass: &ViewPass,
            subject: Option<&str>,
            before: Option<Uuid>,
            limit: usize,
        ) -> Result<Vec<StoredGrant>, StoreError>;

        /// The number of grants of a workspace.
        fn grant_count(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<i64, StoreError>;
    }
}

transaction! {
    forward_grant_writes

    /// The writes of grants.
    pub trait GrantWrites {
        /// Stores a grant of the pass's workspace, with the actor of this job as the one who gave it.
        fn give_grant(
            &mut self,
            pass: &GrantPass,
            plan: GrantPlan,
            draft: &GrantDraft,
        ) -> Result<StoredGrant, StoreError>;

        /// Deletes a grant of the pass's workspace. Returns false if the pass permits no such grant.
        fn revoke_grant(&mut self, pass: &GrantPass, id: Uuid) -> Result<bool, StoreError>;
    }
}
