//! Profiles: what a workspace reads, keeps and puts before its prompts.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::profiles::{ReadRules, Strategy};
use orgmem_policies::{ActPass, ViewPass};
use uuid::Uuid;

use crate::StoreError;

/// A profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Its id.
    pub id: Uuid,
    /// The workspace that it is of.
    pub workspace: WorkspaceId,
    /// What people call it.
    pub name: String,
    /// Whether it is the one that holds when none is named.
    pub is_default: bool,
    /// Memories of the workspace that are older are deleted.
    pub max_age_seconds: Option<i64>,
    /// Of more memories of the workspace than these the oldest are deleted.
    pub max_entries: Option<i64>,
    /// What it takes away from the workspace's reading.
    pub rules: ReadRules,
    /// How memories are chosen for a block.
    pub strategy: Strategy,
    /// How many go into a block at most.
    pub limit: i64,
    /// Of these scopes; of any when empty.
    pub scopes: Vec<Scope>,
    /// With at least this confidence.
    pub min_confidence: Option<f64>,
    /// How many tokens a block may take.
    pub token_budget: Option<i64>,
    /// Memories that were committed with it.
    pub seeds: Vec<Uuid>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
}

/// Reading profiles.
pub trait ReadProfiles {
    /// What the default profile of a workspace takes away from its reading; nothing where it has none.
    ///
    /// # Complexity
    /// Nothing is read where no workspace of the org has a profile.
    fn read_rules(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<ReadRules, StoreError>;

    /// The profiles of the pass's workspace, oldest first.
    fn profiles(&mut self, pass: &ViewPass) -> Result<Vec<Profile>, StoreError>;
}

/// Writing profiles.
pub trait WriteProfiles {
    /// Creates a profile of the pass's workspace, or changes the one with this id. The first one is the default, and one
    /// that becomes it takes its place.
    fn put_profile(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        draft: &ProfileDraft,
        is_default: bool,
        seeds: &[Uuid],
    ) -> Result<Profile, StoreError>;

    /// Deletes a profile of the pass's workspace; says whether there was one.
    fn drop_profile(&mut self, pass: &ActPass, id: Uuid) -> Result<bool, StoreError>;
}
