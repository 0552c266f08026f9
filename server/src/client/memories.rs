//! Scoped memories, and what just happened.

use orgmem_types::{CommitMemory, CommittedMemory, ListMemories, Memory, SessionHit, SessionSearch};
use reqwest::Method;
use uuid::Uuid;

use super::{Client, ClientError, Page};

impl Client {
    /// `POST /workspaces/{id}/memories`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn commit_memory(&self, id: Uuid, memory: &CommitMemory) -> Result<CommittedMemory, ClientError> {
        self.answer(self.request(Method::POST, &["workspaces", &id.to_string(), "memories"])?.json(memory)).await
    }

    /// `GET /workspaces/{id}/memories`: one page of what the workspace can read, best first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn search_memories(&self, id: Uuid, query: &ListMemories) -> Result<Page<Memory>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces", &id.to_string(), "memories"])?.query(query)).await
    }

    /// `GET /workspaces/{id}/session-search`: one page of its episodes and own memories.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn search_session(&self, id: Uuid, query: &SessionSearch) -> Result<Page<SessionHit>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces", &id.to_string(), "session-search"])?.query(query)).await
    }
}
