//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Stores a turn of a conversation: each message as an episode. Where a language model is configured, the facts
    /// that the turn states become memories later; `GET …/turns/{tid}` says which.
    ///
    /// `POST /workspaces/{id}/turns`
    pub async fn add_turn(
        &self,
        id: Uuid,
        body: &wire::AddTurn,
        idempotency_key: Option<&str>,
    ) -> Result<wire::Turn, ClientError> {
        let path = ["workspaces", &id.to_string(), "turns"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Appends one episode to the workspace's activity. Episodes never change; a correction is a new episode that
    /// supersedes the wrong one.
    ///
    /// `POST /workspaces/{id}/activity`
    pub async fn append_episode(
        &self,
        id: Uuid,
        body: &wire::AppendEpisode,
        idempotency_key: Option<&str>,
    ) -> Result<wire::LoggedEpisode, ClientError> {
        let path = ["workspaces", &id.to_string(), "activity"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Ends a session of the workspace: its memories that are session-only are gone, as by expiry.
    ///
    /// `POST /workspaces/{id}/sessions/{sid}/end`
    pub async fn end_session(&self, id: Uuid, sid: &str) -> Result<wire::EndedSession, ClientError> {
        let path = ["workspaces", &id.to_string(), "sessions", sid, "end"];
        let request = self.request(Method::POST, &path)?;
        self.answer(request).await
    }

    /// Lists the workspace's episodes, newest first. The server itself records `memory_write`, `memory_read` (by
    /// agents), `memory_forget` and `memory_redact`.
    ///
    /// `GET /workspaces/{id}/activity`
    pub async fn list_episodes(
        &self,
        id: Uuid,
        query: &wire::ListEpisodes,
    ) -> Result<Page<wire::Episode>, ClientError> {
        let path = ["workspaces", &id.to_string(), "activity"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Reads what became of a turn.
    ///
    /// `GET /workspaces/{id}/turns/{tid}`
    pub async fn read_turn(&self, id: Uuid, tid: Uuid) -> Result<wire::Turn, ClientError> {
        let path = ["workspaces", &id.to_string(), "turns", &tid.to_string()];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Redacts one episode with a reason: its content is deleted permanently; its type, time and corrections remain.
    ///
    /// `POST /workspaces/{id}/activity/{eid}/redact`
    pub async fn redact_episode(
        &self,
        id: Uuid,
        eid: Uuid,
        body: &wire::RedactMemory,
        idempotency_key: Option<&str>,
    ) -> Result<wire::RedactedEpisode, ClientError> {
        let path = ["workspaces", &id.to_string(), "activity", &eid.to_string(), "redact"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Searches the workspace's episodes and its own memories as one list.
    ///
    /// `GET /workspaces/{id}/session-search`
    pub async fn search_session(
        &self,
        id: Uuid,
        query: &wire::SessionSearch,
    ) -> Result<Page<wire::SessionHit>, ClientError> {
        let path = ["workspaces", &id.to_string(), "session-search"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }
}
