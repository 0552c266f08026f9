//! Memories: committing, reading, searching, forgetting.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via, WorkspaceId};
use orgmem_policies::Role;
use orgmem_policies::drafts::{MemoryDraft, Source};
use orgmem_recall::{Filter, PageRequest, Query, ScorePart, SortKey};
use uuid::Uuid;

use super::{Analysed, VersionConflict};

/// A memory as it is stored, live.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its id.
    pub id: Uuid,
    /// The workspace that wrote it.
    pub author: WorkspaceId,
    /// How far it is shared.
    pub scope: Scope,
    /// The team it is bound to.
    pub team: Option<WorkspaceId>,
    /// The text itself, not quoted.
    pub content: String,
    /// Where it is filed.
    pub namespace: String,
    /// Its kind.
    pub kind: String,
    /// Where it comes from, as its writer claimed.
    pub source: Source,
    /// The role that wrote it.
    pub role: Role,
    /// 0 to 1.
    pub confidence: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// A JSON object as text.
    pub metadata: Option<String>,
    /// The end user it is about.
    pub subject: Option<String>,
    /// The session it was made in.
    pub session_id: Option<String>,
    /// The run it belongs to.
    pub run_id: Option<Uuid>,
    /// The profile of its author that it belongs to; none for the default one.
    pub profile_id: Option<Uuid>,
    /// Whether it is listed before the others.
    pub pin: bool,
    /// The memory it replaced.
    pub supersedes: Option<Uuid>,
    /// 1, and one more for each change.
    pub version: i64,
    /// When it was first committed.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// From this instant on it is absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Where a memory stands among all that a search finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// From 1; none where it is not found.
    pub rank: Option<usize>,
    /// How well it matches.
    pub score: Option<f64>,
    /// What the score is made of; nothing where nothing was searched for.
    pub parts: Vec<(ScorePart, f64)>,
    /// How many are found.
    pub found: usize,
}

/// Why a search gives a memory where it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Where it stands among all that is found, from 1.
    pub rank: usize,
    /// What its score is made of; nothing where nothing was searched for.
    pub parts: Vec<(ScorePart, f64)>,
}

/// A draft made ready to be written. All that takes time is done here, before a writer holds the org.
#[derive(Clone, Debug)]
pub struct ReadyMemory {
    pub(crate) draft: MemoryDraft,
    pub(crate) analysed: Analysed,
    pub(crate) tags: String,
    pub(crate) metadata: Option<String>,
}

impl From<MemoryDraft> for ReadyMemory {
    fn from(draft: MemoryDraft) -> Self {
        let fields = draft.fields();
        let content = fields.content.as_str();
        let tags: Vec<&str> = fields.tags.iter().map(|tag| tag.as_str()).collect();
        Self {
            analysed: Analysed::of(content),
            tags: serde_json::Value::from(tags).to_string(),
            metadata: fields.metadata.as_ref().map(ToString::to_string),
            draft,
        }
    }
}

impl ReadyMemory {
    /// The draft that it was made from.
    #[must_use]
    pub fn draft(&self) -> &MemoryDraft {
        &self.draft
    }
}

/// What a commit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The memory's id.
    pub id: Uuid,
    /// 1 for a new memory, one more for each upsert.
    pub version: i64,
    /// When it was first committed.
    pub created_at: DateTime<Utc>,
    /// From this instant on it is absent.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What became of a memory that was to be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgetOutcome {
    /// It is gone.
    Done,
    /// There is none by the pass's author to take.
    NoMemory,
    /// It has another version than was asked for.
    Conflict(VersionConflict),
}

/// What is searched for, and which part of what is found is wanted.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The words; a blank query lists.
    pub query: Query,
    /// What else must hold.
    pub filter: Filter,
    /// Of these scopes; of all when empty.
    pub scopes: Vec<Scope>,
    /// By this author.
    pub author: Option<WorkspaceId>,
    /// The reader's own that belong to this profile.
    pub profile: Option<InProfile>,
    /// The order, and which part of it.
    pub cut: PageRequest,
    /// The org's version at the first page, so that later commits do not disturb the pages that follow.
    pub as_of: Option<i64>,
    /// Whether to say of each why it stands where it does.
    pub explain: bool,
    /// How many memories before and after each in its session come along.
    pub neighbours: u8,
}

/// A profile of the reader's, to search in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InProfile {
    /// Its id.
    pub id: Uuid,
    /// Whether it is the default one, to which belongs what names no other.
    pub is_default: bool,
}

/// A part of what a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The memories, in order.
    pub hits: Vec<FoundMemory>,
    /// Whether there are more after them.
    pub more: bool,
    /// The version of the org that they are of, for [`Search::as_of`] of the next part.
    pub as_of: i64,
}

/// A memory that was found.
#[derive(Clone, Debug)]
pub struct FoundMemory {
    /// The memory.
    pub memory: Memory,
    /// By which way it is in reach.
    pub via: Via,
    /// How well it matches; 0 where nothing was searched for.
    pub score: f64,
    /// The cosine of what it means and what the query means; none where no vector took part.
    pub similarity: Option<f64>,
    /// Where it stands, for [`PageRequest::after`] of the next part.
    pub key: SortKey,
    /// Why it stands there, where that was asked for.
    pub explanation: Option<Explanation>,
    /// What was committed just before and after in its session, in that order.
    pub neighbours: Vec<NearMemory>,
}

/// A memory that stands next to one that was found, whatever the search's filter says of it.
#[derive(Clone, Debug)]
pub struct NearMemory {
    /// How many memories after the one that was found; below 0 before it.
    pub offset: i32,
    /// The memory.
    pub memory: Memory,
    /// By which way it is in reach.
    pub via: Via,
}

/// Live memories of one author, by scope, and when one was last written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCounts {
    /// LOCAL.
    pub local: i64,
    /// TEAM, whichever team.
    pub team: i64,
    /// GLOBAL.
    pub global: i64,
    /// When a memory was last committed, live or not by now.
    pub last_write_at: Option<DateTime<Utc>>,
}

impl MemoryCounts {
    pub(crate) fn of(&mut self, scope: Scope) -> &mut i64 {
        match scope {
            Scope::Local => &mut self.local,
            Scope::Team => &mut self.team,
            Scope::Global => &mut self.global,
        }
    }
}

/// Live memories that one author shares in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionCount {
    /// Who wrote them.
    pub author: WorkspaceId,
    /// How far they are shared.
    pub scope: Scope,
    /// The team that they are bound to.
    pub team: Option<WorkspaceId>,
    /// How many.
    pub memories: i64,
}
