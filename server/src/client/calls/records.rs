//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Decides a review. The latest decision counts.
    ///
    /// `POST /workspaces/{id}/reviews/{rid}`
    pub async fn decide_review(
        &self,
        id: Uuid,
        rid: Uuid,
        body: &wire::DecideReview,
    ) -> Result<wire::DecidedReview, ClientError> {
        let path = ["workspaces", &id.to_string(), "reviews", &rid.to_string()];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Deletes a record of the tree with this root. Values that held later remain.
    ///
    /// `DELETE /workspaces/{id}/records/{entity}`
    pub async fn delete_record(
        &self,
        id: Uuid,
        entity: &str,
        query: &wire::DeleteRecord,
    ) -> Result<wire::WrittenRecord, ClientError> {
        let path = ["workspaces", &id.to_string(), "records", entity];
        let request = self.request(Method::DELETE, &path)?.query(query);
        self.answer(request).await
    }

    /// Lists the records of the workspace's tree by entity.
    ///
    /// `GET /workspaces/{id}/records`
    pub async fn list_records(&self, id: Uuid, query: &wire::ListRecords) -> Result<Page<wire::Record>, ClientError> {
        let path = ["workspaces", &id.to_string(), "records"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Lists the reviews of the workspace's memories and episodes, newest first.
    ///
    /// `GET /workspaces/{id}/reviews`
    pub async fn list_reviews(&self, id: Uuid, query: &wire::ListReviews) -> Result<Page<wire::Review>, ClientError> {
        let path = ["workspaces", &id.to_string(), "reviews"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Changes some fields of a record of the tree with this root; `null` removes a field.
    ///
    /// `PATCH /workspaces/{id}/records/{entity}`
    pub async fn patch_record(
        &self,
        id: Uuid,
        entity: &str,
        body: &wire::PatchRecord,
    ) -> Result<wire::WrittenRecord, ClientError> {
        let path = ["workspaces", &id.to_string(), "records", entity];
        let request = self.request(Method::PATCH, &path)?.json(body);
        self.answer(request).await
    }

    /// Replaces a record of the tree with this root. The newer `as_of` wins, in any order of arrival.
    ///
    /// `PUT /workspaces/{id}/records/{entity}`
    pub async fn put_record(
        &self,
        id: Uuid,
        entity: &str,
        body: &wire::PutRecord,
    ) -> Result<wire::WrittenRecord, ClientError> {
        let path = ["workspaces", &id.to_string(), "records", entity];
        let request = self.request(Method::PUT, &path)?.json(body);
        self.answer(request).await
    }

    /// Reads the record of an entity of the workspace's tree.
    ///
    /// `GET /workspaces/{id}/records/{entity}`
    pub async fn read_record(&self, id: Uuid, entity: &str) -> Result<wire::Record, ClientError> {
        let path = ["workspaces", &id.to_string(), "records", entity];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Writes many records of the tree with this root, all or none: `records`, or one record a line.
    ///
    /// `POST /workspaces/{id}/records`
    pub async fn write_records(
        &self,
        id: Uuid,
        body: &wire::PushRecords,
        idempotency_key: Option<&str>,
    ) -> Result<wire::WrittenRecords, ClientError> {
        let path = ["workspaces", &id.to_string(), "records"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }
}
