//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Document, Page, RequestParts};

impl Client {
    /// Creates a workspace below a parent, or a new root.
    ///
    /// `POST /workspaces`
    pub async fn create_workspace(
        &self,
        body: &wire::CreateWorkspace,
        idempotency_key: Option<&str>,
    ) -> Result<wire::Workspace, ClientError> {
        let path = ["workspaces"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Imports an org from one document, atomically. A repeated import adds nothing twice.
    ///
    /// `POST /orgs/import`
    pub async fn import_org(
        &self,
        query: &wire::ImportQuery,
        body: Document<'_, wire::ImportNode>,
        idempotency_key: Option<&str>,
    ) -> Result<wire::ImportResponse, ClientError> {
        let path = ["orgs", "import"];
        let request = self.request(Method::POST, &path)?.query(query).document(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Imports an org from a template, for clients of an older platform. A repeated import adds nothing twice.
    ///
    /// `POST /org/import`
    pub async fn import_template(
        &self,
        body: Document<'_, wire::ImportTemplate>,
        idempotency_key: Option<&str>,
    ) -> Result<wire::ImportResponse, ClientError> {
        let path = ["org", "import"];
        let request = self.request(Method::POST, &path)?.document(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Lists the workspaces of the caller's trees as a flat list, by creation.
    ///
    /// `GET /workspaces`
    pub async fn list_workspaces(&self, query: &wire::ListWorkspaces) -> Result<Page<wire::Workspace>, ClientError> {
        let path = ["workspaces"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Finds the workspace of a profile or a memory by its id.
    ///
    /// `GET /lookup/{id}`
    pub async fn locate_item(&self, id: Uuid) -> Result<wire::Located, ClientError> {
        let path = ["lookup", &id.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Renames or moves a workspace, or changes its role or metadata.
    ///
    /// `PATCH /workspaces/{id}`
    pub async fn patch_workspace(
        &self,
        id: Uuid,
        query: &wire::DryRun,
        body: &wire::PatchWorkspace,
    ) -> Result<wire::PatchedWorkspace, ClientError> {
        let path = ["workspaces", &id.to_string()];
        let request = self.request(Method::PATCH, &path)?.query(query).json(body);
        self.answer(request).await
    }

    /// Reads the budgets that bind a workspace, with what is used of each.
    ///
    /// `GET /workspaces/{id}/budget`
    pub async fn read_budget(&self, id: Uuid) -> Result<wire::WorkspaceBudget, ClientError> {
        let path = ["workspaces", &id.to_string(), "budget"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reads the demo org as a document for `POST /orgs/import`, with times relative to now.
    ///
    /// `GET /orgs/demo`
    pub async fn read_demo(&self) -> Result<wire::ImportNode, ClientError> {
        let path = ["orgs", "demo"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reads a workspace with its descendants, nested.
    ///
    /// `GET /workspaces/{id}/tree`
    pub async fn read_tree(&self, id: Uuid, query: &wire::TreeQuery) -> Result<wire::TreeNode, ClientError> {
        let path = ["workspaces", &id.to_string(), "tree"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Reads a workspace: its position in the tree and its counts.
    ///
    /// `GET /workspaces/{id}`
    pub async fn read_workspace(&self, id: Uuid) -> Result<wire::Workspace, ClientError> {
        let path = ["workspaces", &id.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Removes the budget of a workspace. Those of the workspaces above it remain.
    ///
    /// `DELETE /workspaces/{id}/budget`
    pub async fn remove_budget(&self, id: Uuid) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "budget"];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }

    /// Removes a workspace. It then reads nothing, no workspace reads it, and its tokens are refused.
    ///
    /// `DELETE /workspaces/{id}`
    pub async fn remove_workspace(
        &self,
        id: Uuid,
        query: &wire::RemoveWorkspace,
    ) -> Result<wire::RemovedWorkspace, ClientError> {
        let path = ["workspaces", &id.to_string()];
        let request = self.request(Method::DELETE, &path)?.query(query);
        self.answer(request).await
    }

    /// Sets the budget of a workspace and everything below it.
    ///
    /// `PUT /workspaces/{id}/budget`
    pub async fn set_budget(&self, id: Uuid, body: &wire::BudgetLimits) -> Result<wire::WorkspaceBudget, ClientError> {
        let path = ["workspaces", &id.to_string(), "budget"];
        let request = self.request(Method::PUT, &path)?.json(body);
        self.answer(request).await
    }
}
