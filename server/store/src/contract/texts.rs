//! Text blocks, in which session search finds the words of a query.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::{BlockHead, TextBlock};
use uuid::Uuid;

use crate::StoreError;
use crate::contract::SessionKind;

/// New text blocks of an org.
#[derive(Debug)]
pub struct TextUpdate {
    pub(crate) org: OrgId,
    /// The version of the blocks when they were read; none if there were none. The update is dropped if it has changed.
    pub(crate) progress: Option<i64>,
    pub(crate) change: TextChange,
    /// Whether more is to be done.
    pub(crate) has_more: bool,
}

#[derive(Debug)]
pub(crate) enum TextChange {
    /// Deletes all blocks of the org, because one is damaged.
    Reset,
    /// Episodes up to this id are about to enter blocks: their changes are noted from now on.
    RaiseBound(Uuid),
    Store {
        /// The version up to which the blocks will have all changes of memories.
        until: i64,
        workspaces: Vec<WorkspaceTexts>,
        /// The noted changes of episodes that the blocks will have: workspace and id.
        noted: Vec<(WorkspaceId, Uuid)>,
    },
}

/// New blocks of a workspace, and what its blocks will have.
#[derive(Debug)]
pub(crate) struct WorkspaceTexts {
    pub(crate) workspace: WorkspaceId,
    /// The version of the blocks when they were read; none for a workspace that gets its first ones. The update is dropped
    /// if it has changed.
    pub(crate) version: Option<i64>,
    pub(crate) coverage: TextCoverage,
    pub(crate) gone: Vec<(SessionKind, i64)>,
    pub(crate) added: Vec<NewBlock>,
    /// Whether text left the blocks that no other table may have, so that the files have to be cleaned.
    pub(crate) is_purged: bool,
}

impl WorkspaceTexts {
    /// Nothing new.
    pub(crate) fn of(workspace: WorkspaceId, version: Option<i64>, coverage: TextCoverage) -> Self {
        Self { workspace, version, coverage, gone: Vec::new(), added: Vec::new(), is_purged: false }
    }
}

#[derive(Debug)]
pub(crate) struct NewBlock {
    pub(crate) kind: SessionKind,
    pub(crate) number: i64,
    pub(crate) head: BlockHead,
    pub(crate) block: TextBlock,
}

/// The rows of a workspace that are in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextCoverage {
    /// All episodes up to this id, but those with a noted change.
    pub(crate) episodes_until: Uuid,
    /// The memories up to this time and id, in order of creation.
    pub(crate) memories_until: (DateTime<Utc>, Uuid),
    /// Whether all memories are in blocks.
    pub(crate) has_memories: bool,
}

impl TextUpdate {
    /// Whether more is to be done after this update.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }
}

transaction! {
    forward_text_reads

    /// The reads of text blocks.
    pub trait TextReads {
        /// Orgs whose text blocks may lack changes of memories, with their versions.
        fn orgs_behind_texts(&mut self) -> Result<Vec<(OrgId, i64)>, StoreError>;

        /// Orgs with noted changes of episodes.
        fn orgs_with_noted_episodes(&mut self) -> Result<Vec<OrgId>, StoreError>;

        /// The next step towards text blocks with all rows of `org`; `None` if there is nothing to do.
        fn text_work(&mut self, org: OrgId) -> Result<Option<TextUpdate>, StoreError>;
    }
}

transaction! {
    forward_text_writes

    /// The writes of text blocks.
    pub trait TextWrites {
        /// Stores new text blocks of this job's org. Returns false, and stores nothing, if the blocks have changed since they
        /// were read.
        fn put_texts(&mut self, update: &TextUpdate) -> Result<bool, StoreError>;
    }
}
