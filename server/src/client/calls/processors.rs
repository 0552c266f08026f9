//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;
use uuid::Uuid;

use crate::client::{Client, ClientError, Page};

impl Client {
    /// Defines a processor of the workspace, or activates a built-in one. A changed definition computes all facts
    /// again.
    ///
    /// `POST /workspaces/{id}/processors`
    pub async fn define_processor(
        &self,
        id: Uuid,
        body: &wire::DefineProcessor,
    ) -> Result<wire::Processor, ClientError> {
        let path = ["workspaces", &id.to_string(), "processors"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Deletes a processor. Its facts are superseded.
    ///
    /// `DELETE /workspaces/{id}/processors/{name}`
    pub async fn delete_processor(&self, id: Uuid, name: &str) -> Result<wire::Deleted, ClientError> {
        let path = ["workspaces", &id.to_string(), "processors", name];
        let request = self.request(Method::DELETE, &path)?;
        self.answer(request).await
    }

    /// Finds the facts that bear on the files of a change, the most confident first.
    ///
    /// `POST /workspaces/{id}/patterns`
    pub async fn find_patterns(&self, id: Uuid, body: &wire::FindPatterns) -> Result<wire::Patterns, ClientError> {
        let path = ["workspaces", &id.to_string(), "patterns"];
        let request = self.request(Method::POST, &path)?.json(body);
        self.answer(request).await
    }

    /// Lists the last runs of a processor, newest first.
    ///
    /// `GET /workspaces/{id}/processors/{name}/runs`
    pub async fn list_processor_runs(
        &self,
        id: Uuid,
        name: &str,
        query: &wire::ListProcessorRuns,
    ) -> Result<Page<wire::ProcessorRun>, ClientError> {
        let path = ["workspaces", &id.to_string(), "processors", name, "runs"];
        let request = self.request(Method::GET, &path)?.query(query);
        self.page(request).await
    }

    /// Lists the processors of the workspace, and the built-in definitions that it can activate.
    ///
    /// `GET /workspaces/{id}/processors`
    pub async fn list_processors(&self, id: Uuid) -> Result<Vec<wire::Processor>, ClientError> {
        let path = ["workspaces", &id.to_string(), "processors"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reads a processor of the workspace, or a built-in definition.
    ///
    /// `GET /workspaces/{id}/processors/{name}`
    pub async fn read_processor(&self, id: Uuid, name: &str) -> Result<wire::Processor, ClientError> {
        let path = ["workspaces", &id.to_string(), "processors", name];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Runs a processor now, or reports what a run would do.
    ///
    /// `POST /workspaces/{id}/processors/{name}/run`
    pub async fn run_processor(
        &self,
        id: Uuid,
        name: &str,
        query: &wire::DryRun,
    ) -> Result<wire::ProcessorRun, ClientError> {
        let path = ["workspaces", &id.to_string(), "processors", name, "run"];
        let request = self.request(Method::POST, &path)?.query(query);
        self.answer(request).await
    }
}
