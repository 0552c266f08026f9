//! Edits of memories, and their history.

use orgmem_types::{
    CommittedMemory, Deleted, ListVersions, MemoryVersion, PatchMemory, ReadMemory, RestoreMemory, RestoredMemory,
};
use reqwest::header::IF_MATCH;
use reqwest::{Method, RequestBuilder};
use uuid::Uuid;

use super::{Client, ClientError, Page};

impl Client {
    /// `GET /workspaces/{id}/memories/{mid}`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_memory(&self, id: Uuid, memory: Uuid) -> Result<ReadMemory, ClientError> {
        self.answer(self.of_memory(Method::GET, id, memory, &[])?).await
    }

    /// `PATCH /workspaces/{id}/memories/{mid}`, only on the version `if_match` if it is given.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn edit_memory(
        &self,
        id: Uuid,
        memory: Uuid,
        change: &PatchMemory,
        if_match: Option<i64>,
    ) -> Result<CommittedMemory, ClientError> {
        let request = self.of_memory(Method::PATCH, id, memory, &[])?;
        self.answer(with_condition(request, if_match).json(change)).await
    }

    /// `DELETE /workspaces/{id}/memories/{mid}`, only on the version `if_match` if it is given.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn forget_memory(&self, id: Uuid, memory: Uuid, if_match: Option<i64>) -> Result<Deleted, ClientError> {
        self.answer(with_condition(self.of_memory(Method::DELETE, id, memory, &[])?, if_match)).await
    }

    /// `GET /workspaces/{id}/memories/{mid}/history`: one page, the current version first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_versions(
        &self,
        id: Uuid,
        memory: Uuid,
        query: &ListVersions,
    ) -> Result<Page<MemoryVersion>, ClientError> {
        self.page(self.of_memory(Method::GET, id, memory, &["history"])?.query(query)).await
    }

    /// `POST /workspaces/{id}/memories/{mid}/restore`, only on the version `if_match` if it is given.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn restore_memory(
        &self,
        id: Uuid,
        memory: Uuid,
        version: i64,
        if_match: Option<i64>,
    ) -> Result<RestoredMemory, ClientError> {
        let request = self.of_memory(Method::POST, id, memory, &["restore"])?;
        self.answer(with_condition(request, if_match).json(&RestoreMemory { version })).await
    }

    pub(super) fn of_memory(
        &self,
        method: Method,
        id: Uuid,
        memory: Uuid,
        rest: &[&str],
    ) -> Result<RequestBuilder, ClientError> {
        let (id, memory) = (id.to_string(), memory.to_string());
        let path: Vec<&str> =
            ["workspaces", &id, "memories", &memory].into_iter().chain(rest.iter().copied()).collect();
        self.request(method, &path)
    }
}

fn with_condition(request: RequestBuilder, if_match: Option<i64>) -> RequestBuilder {
    match if_match {
        Some(version) => request.header(IF_MATCH, format!("\"{version}\"")),
        None => request,
    }
}
