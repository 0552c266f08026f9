//! Gated runs.

use orgmem_types::{FinishRun, ListRuns, ReadRun, Run, RunDetail, RunEnding, RunOutput, StagedOutput, StartRun};
use reqwest::{Method, RequestBuilder};
use uuid::Uuid;

use super::{Client, ClientError, Page};

impl Client {
    /// `POST /workspaces/{id}/runs`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn start_run(&self, id: Uuid, run: &StartRun) -> Result<Run, ClientError> {
        self.answer(self.of_runs(Method::POST, id, &[])?.json(run)).await
    }

    /// `GET /workspaces/{id}/runs`: one page, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_runs(&self, id: Uuid, query: &ListRuns) -> Result<Page<Run>, ClientError> {
        self.page(self.of_runs(Method::GET, id, &[])?.query(query)).await
    }

    /// `GET /workspaces/{id}/runs/{rid}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_run(&self, id: Uuid, run: Uuid, query: &ReadRun) -> Result<RunDetail, ClientError> {
        self.answer(self.of_runs(Method::GET, id, &[&run.to_string()])?.query(query)).await
    }

    /// `POST /workspaces/{id}/runs/{rid}/outputs`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn stage_output(&self, id: Uuid, run: Uuid, output: &RunOutput) -> Result<StagedOutput, ClientError> {
        self.answer(self.of_runs(Method::POST, id, &[&run.to_string(), "outputs"])?.json(output)).await
    }

    /// `POST /workspaces/{id}/runs/{rid}/finish`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn finish_run(&self, id: Uuid, run: Uuid, status: RunEnding) -> Result<Run, ClientError> {
        let request = self.of_runs(Method::POST, id, &[&run.to_string(), "finish"])?;
        self.answer(request.json(&FinishRun { status })).await
    }

    fn of_runs(&self, method: Method, id: Uuid, rest: &[&str]) -> Result<RequestBuilder, ClientError> {
        let id = id.to_string();
        let path: Vec<&str> = ["workspaces", &id, "runs"].into_iter().chain(rest.iter().copied()).collect();
        self.request(method, &path)
    }
}
