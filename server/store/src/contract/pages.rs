//! Pages: the compressed view of episodes, and the work of their compaction.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A workspace, or one of its subjects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageThreads {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The subject; empty for the workspace's own work. `None` means all.
    pub subject: Option<String>,
}

/// The due compaction of one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageWork {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The subject; empty for the workspace's own work.
    pub subject: String,
    /// The threads to compact. An empty thread means the tiers of the subject.
    pub threads: Vec<String>,
    /// Changes with every change of the work.
    pub marks: Vec<(String, Uuid)>,
}

/// A page as the compactor needs it to place it again. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFacts {
    /// Id of the page.
    pub id: Uuid,
    /// Session or correlation id.
    pub thread: String,
    /// Time of the first episode.
    pub first_at: i64,
    /// Time of the last episode.
    pub last_at: i64,
    /// The largest salience of the episodes.
    pub salience: f64,
    /// Correlation ids and outcomes, as JSON.
    pub links: String,
    /// Tokens of the near-verbatim text.
    pub hot_tokens: i64,
    /// Tokens of the short text.
    pub warm_tokens: i64,
    /// What the episodes state about records: a JSON array.
    pub claims: Option<String>,
    /// The tier and the support of the page.
    pub placement: PagePlacement,
}

/// The tier of a page and what supports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePlacement {
    /// Id of the page.
    pub id: Uuid,
    /// `hot`, `warm` or `cold`.
    pub tier: &'static str,
    /// Time of the last supporting episode in microseconds since 1970.
    pub effective_at: i64,
    /// Supporting sessions.
    pub sessions: i64,
    /// Supporting successes.
    pub successes: i64,
    /// Supporting failures.
    pub failures: i64,
}

/// A page to write.
#[derive(Clone, Debug, PartialEq)]
pub struct PageWrite {
    /// The facts for later placements.
    pub facts: PageFacts,
    /// The near-verbatim text.
    pub hot: String,
    /// The short text.
    pub warm: String,
    /// The kinds of the episodes.
    pub kinds: Vec<String>,
    /// The last declared outcome.
    pub outcome: Option<&'static str>,
    /// The episodes, oldest first.
    pub sources: Vec<Uuid>,
    /// The maker of the texts.
    pub made_by: &'static str,
}

/// The result of a compaction of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct PageChange {
    /// The work that it completes.
    pub work: PageWork,
    /// The pages of its threads.
    pub pages: Vec<PageWrite>,
    /// New tiers of other pages of the subject.
    pub moved: Vec<PagePlacement>,
    /// When the tiers change by age.
    pub due_at: Option<DateTime<Utc>>,
}

/// A stored page.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPage {
    /// Id of the page.
    pub id: Uuid,
    /// The workspace of the episodes.
    pub workspace: WorkspaceId,
    /// The subject; empty for the workspace's own work.
    pub subject: String,
    /// Session or correlation id.
    pub thread: String,
    /// The tier and the support of the page.
    pub placement: PagePlacement,
    /// The text of its tier; empty for a cold page.
    pub content: String,
    /// Tokens of the content.
    pub tokens: i64,
    /// The kinds of the episodes.
    pub kinds: Vec<String>,
    /// The last declared outcome.
    pub outcome: Option<String>,
    /// Time of the first episode.
    pub first_at: DateTime<Utc>,
    /// Time of the last episode.
    pub last_at: DateTime<Utc>,
    /// The episodes, oldest first.
    pub sources: Vec<Uuid>,
    /// Grows with every change of the page.
    pub version: i64,
    /// Time of the last change.
    pub compacted_at: DateTime<Utc>,
    /// The maker of the text.
    pub made_by: String,
    /// What the episodes state about records: a JSON array.
    pub claims: Option<String>,
}

impl StoredPage {
    /// The cursor position of the page.
    #[must_use]
    pub fn place(&self) -> PageCursor {
        PageCursor(self.last_at, self.id)
    }
}

/// A position in a list of pages: the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageCursor(pub(crate) DateTime<Utc>, pub(crate) Uuid);

impl PageCursor {
    /// The time in the position.
    #[must_use]
    pub fn last_at(&self) -> DateTime<Utc> {
        self.0
    }
}

/// Numbers of episodes without a correlation id, which reach no page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UncorrelatedEpisodes {
    /// Redacted or erased.
    pub redacted: usize,
    /// Written by the server.
    pub server: usize,
    /// All others.
    pub others: usize,
}

/// Conditions on pages; all of them must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFilter {
    /// Pages about this subject; empty for the workspace's own work.
    pub subject: Option<String>,
    /// Pages of these tiers.
    pub tiers: Vec<&'static str>,
    /// Pages of this session or correlation id.
    pub thread: Option<String>,
}
