//! Workspaces and trees.

use orgmem_hierarchy::Scope;
use orgmem_types::{
    CreateWorkspace, DryRun, ListWorkspaces, PatchWorkspace, ReachResponse, RelationResponse, RemoveWorkspace,
    TreeNode, TreePreview, TreeQuery, Workspace, WorkspaceRemoval,
};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError, Page};

impl Client {
    /// `POST /workspaces`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn create_workspace(&self, workspace: &CreateWorkspace) -> Result<Workspace, ClientError> {
        self.answer(self.request(Method::POST, &["workspaces"])?.json(workspace)).await
    }

    /// `GET /workspaces`: one page of the workspaces of the caller's trees.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_workspaces(&self, query: &ListWorkspaces) -> Result<Page<Workspace>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces"])?.query(query)).await
    }

    /// `GET /workspaces/{id}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_workspace(&self, id: Uuid) -> Result<Workspace, ClientError> {
        self.answer(self.request(Method::GET, &["workspaces", &id.to_string()])?).await
    }

    /// `PATCH /workspaces/{id}`: renames, moves, changes role or metadata.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn patch_workspace(&self, id: Uuid, patch: &PatchWorkspace) -> Result<Workspace, ClientError> {
        self.answer(self.request(Method::PATCH, &["workspaces", &id.to_string()])?.json(patch)).await
    }

    /// `PATCH /workspaces/{id}?dry_run=true`: the effects on the memories that workspaces can read.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn preview_patch(&self, id: Uuid, patch: &PatchWorkspace) -> Result<TreePreview, ClientError> {
        let request = self.request(Method::PATCH, &["workspaces", &id.to_string()])?;
        self.answer(request.query(&DryRun { dry_run: Some(true) }).json(patch)).await
    }

    /// `DELETE /workspaces/{id}?dry_run=true`: the effects on the memories that workspaces can read.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn preview_removal(&self, id: Uuid, query: &RemoveWorkspace) -> Result<TreePreview, ClientError> {
        let query = RemoveWorkspace { dry_run: Some(true), ..query.clone() };
        self.answer(self.request(Method::DELETE, &["workspaces", &id.to_string()])?.query(&query)).await
    }

    /// `DELETE /workspaces/{id}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn remove_workspace(&self, id: Uuid, query: &RemoveWorkspace) -> Result<WorkspaceRemoval, ClientError> {
        self.answer(self.request(Method::DELETE, &["workspaces", &id.to_string()])?.query(query)).await
    }

    /// `GET /workspaces/{id}/tree`: the workspace and its descendants.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_tree(&self, id: Uuid, query: &TreeQuery) -> Result<TreeNode, ClientError> {
        self.answer(self.request(Method::GET, &["workspaces", &id.to_string(), "tree"])?.query(query)).await
    }

    /// `GET /workspaces/{id}/reach`: the workspaces it reads and those that read it.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_reach(&self, id: Uuid, scope: Option<Scope>) -> Result<ReachResponse, ClientError> {
        let request = self.request(Method::GET, &["workspaces", &id.to_string(), "reach"])?;
        self.answer(request.query(&[("scope", scope)])).await
    }

    /// `GET /workspaces/{id}/reach/{other}`: the relation of the two.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_relation(&self, id: Uuid, other: Uuid) -> Result<RelationResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "reach", &other.to_string()];
        self.answer(self.request(Method::GET, &path)?).await
    }
}
