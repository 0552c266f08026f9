//! Versions of memories, and edits.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::Role;
use orgmem_policies::drafts::{AuthoredFields, MemoryEdit};
use orgmem_policies::quote::Content;
use orgmem_policies::rules::MemoryChange;
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
    /// The fields that the author wrote.
    pub authored: AuthoredFields,
    /// Role of the writer.
    pub role: Role,
    /// Time of the write.
    pub written_at: DateTime<Utc>,
}

/// The versions of one memory that one reader can see.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The author of all versions.
    pub author: WorkspaceId,
    /// The requested versions, newest first.
    pub versions: Vec<MemoryVersion>,
}

/// Title and content of a memory, analysed for keyword search and for session search.
#[derive(Clone, Debug)]
pub(crate) struct Analysed {
    title: Option<String>,
    pub(crate) analysis: Analysis,
    pub(crate) folded: String,
    /// Of the content only.
    pub(crate) content_hash: [u8; 32],
}

impl Analysed {
    pub(crate) fn of(title: Option<&str>, content: &str) -> Self {
        let text = searchable(title, content);
        Self {
            title: title.map(str::to_owned),
            analysis: analyze(&text),
            folded: fold_text(&text),
            content_hash: Sha256::digest(content).into(),
        }
    }

    /// Whether the title was part of the analysis.
    pub(crate) fn has_title(&self, title: Option<&str>) -> bool {
        self.title.as_deref() == title
    }
}

/// The text that search looks at, by words and by meaning: the title in a line before the content.
pub(crate) fn searchable<'t>(title: Option<&str>, content: &'t str) -> Cow<'t, str> {
    match title {
        Some(title) => Cow::Owned(format!("{title}\n{content}")),
        None => Cow::Borrowed(content),
    }
}

/// An edit, analysed for its write. The expensive work happens here, before a writer locks the org.
#[derive(Clone, Debug)]
pub struct ReadyEdit {
    pub(crate) edit: MemoryEdit,
    /// None if the edit does not change the content. It has the title of the edit, which may differ from that of the
    /// memory.
    pub(crate) analysed: Option<Analysed>,
}

impl From<MemoryEdit> for ReadyEdit {
    fn from(edit: MemoryEdit) -> Self {
        let fields = edit.fields();
        let title = fields.title.as_ref().and_then(|title| title.as_ref());
        let analyse = |content: &Content| Analysed::of(title.map(|title| title.as_str()), content.as_str());
        let analysed = fields.content.as_ref().map(analyse);
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

/// A change that makes a new version of a memory.
#[derive(Clone, Debug)]
pub enum VersionChange {
    /// New fields.
    Edit(Box<ReadyEdit>),
    /// The fields of this earlier version, with the current scope, team, pin and expiry.
    Restore(i64),
}

impl VersionChange {
    pub(crate) fn kind(&self) -> MemoryChange {
        match self {
            Self::Edit(_) => MemoryChange::Edited,
            Self::Restore(_) => MemoryChange::Restored,
        }
    }

    pub(crate) fn analysed(&self) -> Option<&Analysed> {
        match self {
            Self::Edit(edit) => edit.analysed.as_ref(),
            Self::Restore(_) => None,
        }
    }
}

/// The reason why there is nothing to edit.
#[derive(Clone, Debug, PartialEq)]
pub enum NoEdit {
    /// The author has no live memory with this id.
    NoMemory,
    /// The memory has no such earlier version.
    NoVersion,
    /// The memory has another version than expected.
    Conflict(VersionConflict),
}
