//! Versions of memories, and edits.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::Role;
use orgmem_policies::drafts::{MemoryEdit, Source};
use orgmem_policies::rules::RuleViolation;
use orgmem_recall::{Analysis, analyze, fold_text};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::VersionConflict;

/// The state of a memory from one change to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryVersion {
    /// Number of the version, from 1.
    pub version: i64,
    /// Who could read it.
    pub scope: Scope,
    /// Lead of the team of a TEAM memory; none if it was not bound to one team.
    pub team: Option<WorkspaceId>,
    /// The text, not quoted.
    pub content: String,
    /// A label; `general` by default.
    pub namespace: String,
    /// A lower-case word; `fact` by default.
    pub kind: String,
    /// Origin, as the writer claimed.
    pub source: Source,
    /// Role of the writer.
    pub role: Role,
    /// From 0 to 1.
    pub confidence: f64,
    /// Labels for filters.
    pub tags: Vec<String>,
    /// A JSON object as text.
    pub metadata: Option<String>,
    /// Id of the end user that it was about.
    pub subject: Option<String>,
    /// Session of the write.
    pub session_id: Option<String>,
    /// Whether lists showed it before other memories.
    pub pin: bool,
    /// Time of the write.
    pub written_at: DateTime<Utc>,
    /// Inclusive instant of expiry: the version is absent from then on.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The versions of one memory that one reader can see.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The author of all versions.
    pub author: WorkspaceId,
    /// The requested versions, newest first.
    pub versions: Vec<MemoryVersion>,
}

/// A text, analysed for keyword search and for session search.
#[derive(Clone, Debug)]
pub(crate) struct Analysed {
    pub(crate) analysis: Analysis,
    pub(crate) folded: String,
    pub(crate) content_hash: [u8; 32],
}

impl Analysed {
    pub(crate) fn of(content: &str) -> Self {
        Self { analysis: analyze(content), folded: fold_text(content), content_hash: Sha256::digest(content).into() }
    }
}

/// An edit, analysed for its write. The expensive work happens here, before a writer locks the org.
#[derive(Clone, Debug)]
pub struct ReadyEdit {
    pub(crate) edit: MemoryEdit,
    /// None if the edit does not change the content.
    pub(crate) analysed: Option<Analysed>,
}

impl From<MemoryEdit> for ReadyEdit {
    fn from(edit: MemoryEdit) -> Self {
        let analysed = edit.fields().content.as_ref().map(|content| Analysed::of(content.as_str()));
        Self { edit, analysed }
    }
}

/// The memory after an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The new version; the previous one if the edit changed nothing.
    pub version: i64,
    /// Who can read it.
    pub scope: Scope,
    /// Lead of the team of a TEAM memory; none if it is not bound to one team.
    pub team: Option<WorkspaceId>,
    /// A label; `general` by default.
    pub namespace: String,
    /// A lower-case word; `fact` by default.
    pub kind: String,
    /// The run of the memory.
    pub run: Option<Uuid>,
    /// Time of the first commit.
    pub created_at: DateTime<Utc>,
    /// Inclusive instant of expiry: the memory is absent from then on.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The outcome of an edit or of the restoration of an earlier version.
#[derive(Clone, Debug, PartialEq)]
pub enum EditOutcome {
    /// The edit was written, or it changed nothing.
    Done(Edited),
    /// The author has no live memory with this id.
    NoMemory,
    /// The memory has no such earlier version.
    NoVersion,
    /// The memory has another version than expected. Nothing was written.
    Conflict(VersionConflict),
    /// A rule forbids the edited memory. Nothing was written.
    Refused(RuleViolation),
}
