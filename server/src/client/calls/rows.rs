//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Deletes a collection of the workspace with its rows.
    ///
    /// `DELETE /workspaces/{id}/collections/{name}`
    pub async fn delete_collection(&self, id: Uuid, name: &str) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }

    /// Deletes a row.
    ///
    /// `DELETE /workspaces/{id}/collections/{name}/rows/{key}`
    pub async fn delete_row(&self, id: Uuid, name: &str, key: &str) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name, "rows", key];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }

    /// Lists the collections of the workspace by name.
    ///
    /// `GET /workspaces/{id}/collections`
    pub async fn list_collections(&self, id: Uuid) -> Result<Vec<wire::Collection>, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Lists the rows of a collection by key.
    ///
    /// `GET /workspaces/{id}/collections/{name}/rows`
    pub async fn list_rows(
        &self,
        id: Uuid,
        name: &str,
        query: &wire::ListRows,
    ) -> Result<Page<wire::Row>, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name, "rows"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Creates a collection of the workspace, or changes its settings.
    ///
    /// `PUT /workspaces/{id}/collections/{name}`
    pub async fn put_collection(
        &self,
        id: Uuid,
        name: &str,
        body: &wire::PutCollection,
    ) -> Result<wire::Collection, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name];
        let request = self.request(Method::PUT, &path)?.json(body);
        self.answer(request).await
    }

    /// Reads a collection of the workspace.
    ///
    /// `GET /workspaces/{id}/collections/{name}`
    pub async fn read_collection(&self, id: Uuid, name: &str) -> Result<wire::Collection, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Withdraws rows with a reason: deletes them, and lets the next runs of processors count again without them.
    ///
    /// `POST /workspaces/{id}/collections/{name}/rows/withdraw`
    pub async fn withdraw_rows(
        &self,
        id: Uuid,
        name: &str,
        body: &wire::WithdrawRows,
        idempotency_key: Option<&str>,
    ) -> Result<wire::RemovedRows, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name, "rows", "withdraw"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Stores rows by their keys: a JSON array, or one row a line. Bad rows are named by their line, and the good ones
    /// are stored.
    ///
    /// `POST /workspaces/{id}/collections/{name}/rows`
    pub async fn write_rows(
        &self,
        id: Uuid,
        name: &str,
        body: &[wire::NewRow],
        idempotency_key: Option<&str>,
    ) -> Result<wire::WrittenRows, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name, "rows"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }
}
