//! What a memory said before, and how it comes to say something else.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::Role;
use orgmem_policies::drafts::{MemoryEdit, Source};
use orgmem_policies::rules::RuleViolation;
use orgmem_recall::{Analysis, analyze, fold_text};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::VersionConflict;

/// A memory as it was from one change to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryVersion {
    /// Its number.
    pub version: i64,
    /// How far it was shared.
    pub scope: Scope,
    /// The team it was bound to.
    pub team: Option<WorkspaceId>,
    /// The text itself, not quoted.
    pub content: String,
    /// Where it was filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// Where it came from, as its writer claimed.
    pub source: Source,
    /// The role that wrote it.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// A JSON object as text.
    pub metadata: Option<String>,
    /// The end user it was about.
    pub subject: Option<String>,
    /// The session it was made in.
    pub session_id: Option<String>,
    /// Whether it was listed before the others.
    pub pin: bool,
    /// When it was written.
    pub written_at: DateTime<Utc>,
    /// From this instant on it is absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The history of one memory, as one reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Who wrote every version.
    pub author: WorkspaceId,
    /// The versions that were asked for, newest first.
    pub versions: Vec<MemoryVersion>,
}

/// A text made ready to be searched.
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

/// A change made ready to be written. What takes time is done here, before a writer holds the org.
#[derive(Clone, Debug)]
pub struct ReadyEdit {
    pub(crate) edit: MemoryEdit,
    /// Of a new text.
    pub(crate) analysed: Option<Analysed>,
}

impl From<MemoryEdit> for ReadyEdit {
    fn from(edit: MemoryEdit) -> Self {
        let analysed = edit.fields().content.as_ref().map(|content| Analysed::of(content.as_str()));
        Self { edit, analysed }
    }
}

/// What is there after a change: the memory as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The memory's version now; the same as before where the change changed nothing.
    pub version: i64,
    /// How far it is shared.
    pub scope: Scope,
    /// The team it is bound to.
    pub team: Option<WorkspaceId>,
    /// Where it is filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// The run that it belongs to.
    pub run: Option<Uuid>,
    /// When it was first committed.
    pub created_at: DateTime<Utc>,
    /// From this instant on it is absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What became of a change that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum EditOutcome {
    /// It is done.
    Done(Edited),
    /// There is no live memory of the author's with this id.
    NoMemory,
    /// The memory has no such version to go back to.
    NoVersion,
    /// The memory has another version than was named. Nothing was written.
    Conflict(VersionConflict),
    /// A rule forbids the new form. Nothing was written.
    Refused(RuleViolation),
}
