//! Session search: one list of the episodes and the own memories of a workspace.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// An episode.
    Activity,
    /// An own memory of the workspace.
    Memory,
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionOrder {
    /// Newest first. A row must contain every word.
    #[default]
    Recent,
    /// Most words first, then newest. A row must contain at least one word. Without words, like
    /// [`Recent`](Self::Recent).
    Relevance,
}

/// The parameters of a session search; all conditions must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionQuery {
    /// Words, prefixes or parts of words in any text field, compared after [`orgmem_recall::fold_text`]. Without words
    /// all rows match. Only the first 32 words count, and only the first 1,000 bytes of a word.
    pub q: String,
    /// Only rows of this kind.
    pub kind: Option<SessionKind>,
    /// Only rows of this session.
    pub session_id: Option<String>,
    /// Order of the rows.
    pub order: SessionOrder,
    /// Inclusive start of the period.
    pub since: Option<DateTime<Utc>>,
    /// Exclusive end of the period.
    pub until: Option<DateTime<Utc>>,
}

/// A row of a session search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Episode or memory.
    pub kind: SessionKind,
    /// The id of the episode or memory.
    pub id: Uuid,
    /// The searched workspace.
    pub workspace: WorkspaceId,
    /// The scope of a memory; none for an episode.
    pub scope: Option<Scope>,
    /// The type of an episode; the scope of a memory.
    pub label: String,
    /// The kind of a memory; none for an episode.
    pub memory_kind: Option<String>,
    /// The summary of an episode, or else its error text; the content of a memory.
    pub content: String,
    /// The method of an episode.
    pub method: Option<String>,
    /// What it states about records: a JSON array.
    pub claims: Option<String>,
    /// The status of an episode.
    pub status: Option<String>,
    /// JSON as text; none for a memory.
    pub request_body: Option<String>,
    /// JSON as text; none for a memory.
    pub response_body: Option<String>,
    /// The session of the episode or memory.
    pub session_id: Option<String>,
    /// The run of a memory.
    pub run_id: Option<Uuid>,
    /// The memory or other item that the episode is about.
    pub target: Option<Uuid>,
    /// The latest episode that corrects this one.
    pub superseded_by: Option<Uuid>,
    /// Time of the episode, or of the first commit of the memory.
    pub created_at: DateTime<Utc>,
    /// Number of query words in the row if the order depends on it; else 0.
    pub words: i32,
}

impl SessionRow {
    /// The cursor position of the row.
    #[must_use]
    pub fn place(&self) -> SessionCursor {
        SessionCursor { words: self.words, created_at: self.created_at, id: self.id }
    }
}

/// A position in the list. New rows do not move it. The greatest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionCursor {
    pub(crate) words: i32,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) id: Uuid,
}

impl SessionCursor {
    /// The time of the row at this position.
    #[must_use]
    pub fn created_at(&self) -> DateTime<Utc> {
        self.created_at
    }
}
