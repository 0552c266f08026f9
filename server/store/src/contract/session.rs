//! Session-search: "what just happened here?" One list over a workspace's episodes and its own memories.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// An episode.
    Activity,
    /// A memory of the workspace's own.
    Memory,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionOrder {
    /// Newest first; every word is there.
    #[default]
    Recent,
    /// Most words first, then newest; at least one is there. Without words, as [`Recent`](Self::Recent).
    Relevance,
}

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionQuery {
    /// Words, beginnings or parts of words, in any field of text; folded as [`orgmem_recall::fold_text`] does. All rows
    /// match where there are none. Words beyond the 32nd have no say, nor has what follows the first 1,000 bytes of one.
    pub q: String,
    /// Only rows of this kind.
    pub kind: Option<SessionKind>,
    /// Only rows of this session.
    pub session_id: Option<String>,
    /// The order.
    pub order: SessionOrder,
    /// At this instant or later.
    pub since: Option<DateTime<Utc>>,
    /// Before this instant.
    pub until: Option<DateTime<Utc>>,
}

/// One row of what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// What it is.
    pub kind: SessionKind,
    /// Its id.
    pub id: Uuid,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// How far a memory is shared; nothing of an episode.
    pub scope: Option<Scope>,
    /// The activity type, or a memory's scope and kind.
    pub label: String,
    /// The summary of an episode or else what went wrong; a memory's content.
    pub content: String,
    /// What was called.
    pub method: Option<String>,
    /// How it went.
    pub status: Option<String>,
    /// What was sent: JSON as text.
    pub request_body: Option<String>,
    /// What came back: JSON as text.
    pub response_body: Option<String>,
    /// The session that it belongs to.
    pub session_id: Option<String>,
    /// The run that a memory was written in.
    pub run_id: Option<Uuid>,
    /// When.
    pub created_at: DateTime<Utc>,
    /// How many words of the query are in it, where that decides on the order; else 0.
    pub words: i32,
}

impl SessionRow {
    /// Where it stands in the list.
    #[must_use]
    pub fn place(&self) -> SessionPlace {
        SessionPlace { words: self.words, created_at: self.created_at, id: self.id }
    }
}

/// A place in the list, which new rows do not change. Those that are greater come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionPlace {
    pub(crate) words: i32,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) id: Uuid,
}

impl SessionPlace {
    /// When the row was made that stands there.
    #[must_use]
    pub fn created_at(&self) -> DateTime<Utc> {
        self.created_at
    }
}
