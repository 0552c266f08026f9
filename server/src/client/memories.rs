//! Scoped memories, activity, and session search.

use orgmem_types::{
    AppendEpisode, CommitMemory, CommittedMemory, CountMemories, Episode, ListEpisodes, ListMemories, LoggedEpisode,
    Memory, MemoryCount, RecallExplanation, RecallQuery, SessionHit, SessionSearch,
};
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

    /// `GET /workspaces/{id}/memories`: one page of the readable memories, best first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn search_memories(&self, id: Uuid, query: &ListMemories) -> Result<Page<Memory>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces", &id.to_string(), "memories"])?.query(query)).await
    }

    /// `GET /workspaces/{id}/memories/count`: the number of matching readable memories.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn count_memories(&self, id: Uuid, query: &CountMemories) -> Result<MemoryCount, ClientError> {
        let path = ["workspaces", &id.to_string(), "memories", "count"];
        self.answer(self.request(Method::GET, &path)?.query(query)).await
    }

    /// `GET /workspaces/{id}/memories/{mid}/why`: the cause for which it is found or not.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn explain_memory(
        &self,
        id: Uuid,
        memory: Uuid,
        query: &RecallQuery,
    ) -> Result<RecallExplanation, ClientError> {
        self.answer(self.of_memory(Method::GET, id, memory, &["why"])?.query(query)).await
    }

    /// `POST /workspaces/{id}/activity`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn append_episode(&self, id: Uuid, episode: &AppendEpisode) -> Result<LoggedEpisode, ClientError> {
        self.answer(self.request(Method::POST, &["workspaces", &id.to_string(), "activity"])?.json(episode)).await
    }

    /// `GET /workspaces/{id}/activity`: one page, newest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn list_episodes(&self, id: Uuid, query: &ListEpisodes) -> Result<Page<Episode>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces", &id.to_string(), "activity"])?.query(query)).await
    }

    /// `GET /workspaces/{id}/session-search`: one page of episodes and own memories.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn search_session(&self, id: Uuid, query: &SessionSearch) -> Result<Page<SessionHit>, ClientError> {
        self.page(self.request(Method::GET, &["workspaces", &id.to_string(), "session-search"])?.query(query)).await
    }
}
