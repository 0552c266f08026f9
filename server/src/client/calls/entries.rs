//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Drops one entry, optionally only on an expected version. Its version is not used again.
    ///
    /// `DELETE /workspaces/{id}/memory/{key}`
    pub async fn drop_entry(&self, id: Uuid, key: &str, if_match: Option<i64>) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "memory", key];
        let request = self.request(Method::DELETE, &path)?.if_match(if_match);
        self.answer(request).await
    }

    /// Lists live entries by key.
    ///
    /// `GET /workspaces/{id}/memory`
    pub async fn list_entries(&self, id: Uuid, query: &wire::ListEntries) -> Result<Page<wire::Entry>, ClientError> {
        let path = ["workspaces", &id.to_string(), "memory"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Puts one entry, optionally only on an expected version.
    ///
    /// `POST /workspaces/{id}/memory`
    pub async fn put_entry(
        &self,
        id: Uuid,
        body: &wire::PutEntry,
        idempotency_key: Option<&str>,
        if_match: Option<i64>,
        if_none_match: Option<&str>,
    ) -> Result<wire::PutEntryResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "memory"];
        let request = self
            .request(Method::POST, &path)?
            .json(body)
            .idempotency_key(idempotency_key)
            .if_match(if_match)
            .if_none_match(if_none_match);
        self.answer(request).await
    }

    /// Reads one entry; an expired entry is absent.
    ///
    /// `GET /workspaces/{id}/memory/{key}`
    pub async fn read_entry(&self, id: Uuid, key: &str) -> Result<wire::Entry, ClientError> {
        let path = ["workspaces", &id.to_string(), "memory", key];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }
}
