//! Workspaces: rows of the tree.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::{WorkspaceChange, WorkspaceDraft};
use orgmem_policies::{ActPass, ServerPass, TreePass};

use crate::StoreError;

/// A workspace as it is stored; where it stands among others is told by the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    /// Its org.
    pub org: OrgId,
    /// Its id.
    pub id: WorkspaceId,
    /// Its parent, or its last one once it was removed; none for a root.
    pub parent: Option<WorkspaceId>,
    /// What people call it.
    pub name: String,
    /// What it does in the organisation, in a word or two.
    pub role: Option<String>,
    /// A JSON object of the platform's own.
    pub metadata: Option<String>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When its row last changed.
    pub updated_at: DateTime<Utc>,
    /// When it was last moved or promoted.
    pub moved_at: Option<DateTime<Utc>>,
    /// When it was removed; none while it is live.
    pub removed_at: Option<DateTime<Utc>>,
}

/// Reading workspaces.
pub trait ReadWorkspaces {
    /// The rows of these workspaces of one org, live and removed, in the order asked; unknown ones are left out.
    fn workspaces(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<Vec<Workspace>, StoreError>;

    /// What these workspaces of one org, live and removed, are called now; unknown ones are left out.
    fn names(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<HashMap<WorkspaceId, String>, StoreError>;
}

/// Changing the tree.
pub trait WriteWorkspaces {
    /// Creates an org: its root workspace `root`, which gives the org its id.
    ///
    /// # Errors
    /// [`StoreError::WorkspaceTaken`] when there is, or was, a workspace with this id.
    fn create_org(
        &mut self,
        pass: &ServerPass,
        root: WorkspaceId,
        row: &WorkspaceDraft,
    ) -> Result<Workspace, StoreError>;

    /// Creates the workspace that `pass` is for.
    ///
    /// # Errors
    /// [`StoreError::WorkspaceTaken`] when there is, or was, a workspace with this id on the server.
    fn create_workspace(&mut self, pass: &TreePass, row: &WorkspaceDraft) -> Result<Workspace, StoreError>;

    /// Carries out a move or a removal: every row that `pass` names, in one statement for each kind of change.
    fn change_tree(&mut self, pass: &TreePass) -> Result<(), StoreError>;

    /// Changes the columns of one workspace that have no say in the tree.
    fn patch_workspace(&mut self, pass: &ActPass, change: &WorkspaceChange) -> Result<(), StoreError>;
}
