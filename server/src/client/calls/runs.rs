//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page, RequestParts};

impl Client {
    /// Ends a run: `completed` commits all pending memories at once, `failed` and `cancelled` drop them. A repeated
    /// call with the same status changes nothing.
    ///
    /// `POST /workspaces/{id}/runs/{rid}/finish`
    pub async fn finish_run(
        &self,
        id: Uuid,
        rid: Uuid,
        body: &wire::FinishRun,
        idempotency_key: Option<&str>,
    ) -> Result<wire::Run, ClientError> {
        let path = ["workspaces", &id.to_string(), "runs", &rid.to_string(), "finish"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Lists the runs of the workspace, newest first.
    ///
    /// `GET /workspaces/{id}/runs`
    pub async fn list_runs(&self, id: Uuid, query: &wire::ListRuns) -> Result<Page<wire::Run>, ClientError> {
        let path = ["workspaces", &id.to_string(), "runs"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Reads one run and a page of its pending memories, which no other call returns.
    ///
    /// `GET /workspaces/{id}/runs/{rid}`
    pub async fn read_run(&self, id: Uuid, rid: Uuid, query: &wire::ReadRun) -> Result<wire::RunDetail, ClientError> {
        let path = ["workspaces", &id.to_string(), "runs", &rid.to_string()];
        let request = self.request(Method::GET, &path)?.query(query);
        self.answer(request).await
    }

    /// Accepts the output of a node of the run, and stages every memory in its `__lf_memory_writes`, atomically.
    ///
    /// `POST /workspaces/{id}/runs/{rid}/outputs`
    pub async fn stage_output(
        &self,
        id: Uuid,
        rid: Uuid,
        body: &wire::RunOutput,
        idempotency_key: Option<&str>,
    ) -> Result<wire::StagedOutput, ClientError> {
        let path = ["workspaces", &id.to_string(), "runs", &rid.to_string(), "outputs"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Starts a run of the workspace: memories committed with its `run_id` are pending until it is completed.
    ///
    /// `POST /workspaces/{id}/runs`
    pub async fn start_run(
        &self,
        id: Uuid,
        body: &wire::StartRun,
        idempotency_key: Option<&str>,
    ) -> Result<wire::Run, ClientError> {
        let path = ["workspaces", &id.to_string(), "runs"];
        let request = self.request(Method::POST, &path)?.json(body).idempotency_key(idempotency_key);
        self.answer(request).await
    }
}
