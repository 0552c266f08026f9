//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Commits up to 500 memories, each independently: a refused memory does not affect the others.
    ///
    /// `POST /workspaces/{id}/memories/batch`
    pub async fn commit_batch(
        &self,
        id: Uuid,
        body: &wire::CommitBatch,
        idempotency_key: Option<&str>,
    ) -> Result<wire::BatchResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "batch"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Commits one memory as the workspace. The next search finds it, unless it is pending in an open run.
    ///
    /// `POST /workspaces/{id}/memories`
    pub async fn commit_memory(
        &self,
        id: Uuid,
        body: &wire::CommitMemory,
        idempotency_key: Option<&str>,
    ) -> Result<wire::CommittedMemory, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Counts the matching memories that the workspace can read.
    ///
    /// `GET /workspaces/{id}/memories/count`
    pub async fn count_memories(
        &self,
        id: Uuid,
        query: &wire::CountMemories,
    ) -> Result<wire::MemoryCount, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "count"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Edits a memory as its author, optionally only on an expected version. The result is a new version.
    ///
    /// `PATCH /workspaces/{id}/memories/{mid}`
    pub async fn edit_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        body: &wire::PatchMemory,
        if_match: Option<i64>,
    ) -> Result<wire::CommittedMemory, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string()];
        let request = self.request(Method::PATCH, &path)?.json(body).if_match(if_match);
        self.answer(request).await
    }

    /// Explains why a query of the workspace finds a memory or does not: the single cause, computed by the code that
    /// searches.
    ///
    /// `GET /workspaces/{id}/memories/{mid}/why`
    pub async fn explain_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        query: &wire::RecallQuery,
    ) -> Result<wire::RecallExplanation, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "why"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Forgets one memory, optionally only on an expected version: its content is deleted from every table and index.
    ///
    /// `DELETE /workspaces/{id}/memories/{mid}`
    pub async fn forget_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string()];
        let request = self.request(Method::DELETE, &path)?.if_match(if_match);
        self.answer(request).await
    }

    /// Lists the distinct values of a member of the metadata of the memories that the workspace can read, in order.
    ///
    /// `GET /workspaces/{id}/memories/values`
    pub async fn list_metadata_values(
        &self,
        id: Uuid,
        query: &wire::ListMetadataValues,
    ) -> Result<Page<wire::MetadataValue>, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "values"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Lists the redactions of memories of this workspace and of the workspaces below it, newest first: who, when,
    /// why.
    ///
    /// `GET /workspaces/{id}/memories/redactions`
    pub async fn list_redactions(
        &self,
        id: Uuid,
        query: &wire::PageQuery,
    ) -> Result<Page<wire::RedactionEntry>, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "redactions"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Lists the versions of a memory, the current version first, each with its author and time.
    ///
    /// `GET /workspaces/{id}/memories/{mid}/history`
    pub async fn list_versions(
        &self,
        id: Uuid,
        mid: Uuid,
        query: &wire::ListVersions,
    ) -> Result<Page<wire::MemoryVersion>, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "history"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Reads one memory that the workspace can read. For a redacted memory that it could read, returns a tombstone.
    ///
    /// `GET /workspaces/{id}/memories/{mid}`
    pub async fn read_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        query: &wire::ReadMemoryQuery,
    ) -> Result<wire::ReadMemory, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string()];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Redacts up to 500 memories for one reason, each independently: a refused memory does not affect the others.
    ///
    /// `POST /workspaces/{id}/memories/redact`
    pub async fn redact_memories(
        &self,
        id: Uuid,
        query: &wire::DryRun,
        body: &wire::RedactMemories,
        idempotency_key: Option<&str>,
    ) -> Result<wire::RedactionResponse, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "redact"];
        let request = self.request(Method::POST, &path)?.query(query).json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Redacts one memory with a reason: its content and all earlier versions are deleted permanently.
    ///
    /// `POST /workspaces/{id}/memories/{mid}/redact`
    pub async fn redact_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        query: &wire::DryRun,
        body: &wire::RedactMemory,
        idempotency_key: Option<&str>,
    ) -> Result<wire::RedactedMemory, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "redact"];
        let request = self.request(Method::POST, &path)?.query(query).json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Restores the content of an earlier version of a memory, as its author. The result is a new version.
    ///
    /// `POST /workspaces/{id}/memories/{mid}/restore`
    pub async fn restore_memory(
        &self,
        id: Uuid,
        mid: Uuid,
        body: &wire::RestoreMemory,
        idempotency_key: Option<&str>,
        if_match: Option<i64>,
    ) -> Result<wire::RestoredMemory, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", &mid.to_string(), "restore"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key).if_match(if_match);
        self.answer(request).await
    }

    /// Runs a command of the memory tool on the files of the workspace. An error about a file is an answer with
    /// `is_error`.
    ///
    /// `POST /workspaces/{id}/memory-tool`
    pub async fn run_memory_tool(
        &self,
        id: Uuid,
        body: &wire::MemoryToolCommand,
    ) -> Result<wire::MemoryToolResult, ClientError> {
        let path = ["workspaces", &id.to_string(), "memory-tool"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Searches the memories that the workspace can read, best first; without `q` lists them, newest first.
    ///
    /// `GET /workspaces/{id}/memories`
    pub async fn search_memories(
        &self,
        id: Uuid,
        query: &wire::ListMemories,
    ) -> Result<Page<wire::Memory>, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Searches the memories of all workspaces that the caller may read, org by org, best first in each.
    ///
    /// `GET /search`
    pub async fn search_orgs(&self, query: &wire::SearchOrgs) -> Result<Page<wire::OrgMatches>, ClientError> {
        let path = ["search"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Sets the end of life of up to 500 memories of the workspace, without a new version; omits those that it cannot
    /// change.
    ///
    /// `POST /workspaces/{id}/memories/touch`
    pub async fn touch_memories(
        &self,
        id: Uuid,
        body: &wire::TouchMemories,
        idempotency_key: Option<&str>,
    ) -> Result<wire::TouchedMemories, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "touch"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }
}
