//! Memories, and the parameters and results of commits, searches and deletions.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via, WorkspaceId};
use orgmem_policies::drafts::{AuthoredFields, MemoryDraft};
use orgmem_policies::{MetadataFilter, Role};
use orgmem_recall::{Filter, PageRequest, Query, ScorePart, SortKey};
use uuid::Uuid;

use super::{Analysed, PassageRef, StoredPage, VersionConflict};

/// What a search finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemType {
    /// A memory.
    #[default]
    Memory,
    /// A passage of a document.
    Passage,
    /// A page that a compaction made of episodes.
    Page,
}

impl ItemType {
    pub(crate) const ALL: [Self; 3] = [Self::Memory, Self::Passage, Self::Page];
}

/// The items that a search is about, in one ranking. The default are memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchedItems {
    /// Memories.
    pub memories: bool,
    /// Passages of documents.
    pub documents: bool,
    /// Pages.
    pub pages: bool,
}

impl Default for SearchedItems {
    fn default() -> Self {
        Self::MEMORIES
    }
}

impl SearchedItems {
    const NOTHING: Self = Self { memories: false, documents: false, pages: false };
    /// Memories only.
    pub const MEMORIES: Self = Self { memories: true, ..Self::NOTHING };
    /// Passages of documents only.
    pub const DOCUMENTS: Self = Self { documents: true, ..Self::NOTHING };
    /// Pages only.
    pub const PAGES: Self = Self { pages: true, ..Self::NOTHING };

    /// Whether items of this type are searched.
    #[must_use]
    pub fn has(self, items: ItemType) -> bool {
        match items {
            ItemType::Memory => self.memories,
            ItemType::Passage => self.documents,
            ItemType::Page => self.pages,
        }
    }
}

/// A live memory, or another item that a search found: a passage of a live document, or a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Unique within the org.
    pub id: Uuid,
    /// The workspace that wrote it.
    pub author: WorkspaceId,
    /// Who can read it.
    pub scope: Scope,
    /// Lead of the team of a TEAM memory; none if the memory is not bound to one team.
    pub team: Option<WorkspaceId>,
    /// The fields that the author wrote. The expiry is the earlier of the author's and the profile's.
    pub authored: AuthoredFields,
    /// Role of the writer.
    pub role: Role,
    /// Run of the write.
    pub run_id: Option<Uuid>,
    /// Profile of the author; none for the default profile.
    pub profile_id: Option<Uuid>,
    /// The memory that it replaced.
    pub supersedes: Option<Uuid>,
    /// 1 for a new memory; incremented by each change.
    pub version: i64,
    /// When it happened: as its author declared, else the time of the first commit.
    pub created_at: DateTime<Utc>,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
    /// Where a passage is in its document; none for other items.
    pub passage: Option<PassageRef>,
    /// The page itself; none for other items.
    pub page: Option<Box<StoredPage>>,
}

/// The properties of a memory that profiles hide it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLabels {
    /// A lower-case word.
    pub kind: String,
    /// Profile of the author; none for the default profile.
    pub profile: Option<Uuid>,
    /// The end user that it is about.
    pub subject: Option<String>,
    /// The session of the write.
    pub session: Option<String>,
}

/// A request for another end of life of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The memory.
    pub id: Uuid,
    /// Only this version; any if absent.
    pub version: Option<i64>,
    /// The end of life, exclusive.
    pub expires_at: DateTime<Utc>,
}

/// The rank of a memory among all matches of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// From 1; none if the memory does not match.
    pub rank: Option<usize>,
    /// Greater is better; 0 without a query, none if the memory does not match.
    pub score: Option<f64>,
    /// The parts of the score; empty without a query.
    pub parts: Vec<(ScorePart, f64)>,
    /// The earlier match that the memory repeats.
    pub repeats: Option<Uuid>,
    /// Why the memory is not among the matches; none if it is.
    pub miss: Option<Miss>,
    /// Number of matches.
    pub found: usize,
}

/// Why a readable memory is not among the matches of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// It has none of the words of the query, nor enough of its meaning, nor a match next to it.
    NoMatch,
    /// It matches, with a score below the minimum.
    BelowMinimum,
    /// The search is collapsed, and this match has the same content.
    Collapsed(Uuid),
}

/// The explanation of the rank of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Rank among all matches, from 1.
    pub rank: usize,
    /// The parts of the score; empty without a query.
    pub parts: Vec<(ScorePart, f64)>,
    /// The earlier match that the memory repeats.
    pub repeats: Option<Uuid>,
}

/// A draft, analysed and serialised for a commit. The expensive work happens here, before a writer locks the org.
#[derive(Clone, Debug)]
pub struct ReadyMemory {
    pub(crate) draft: MemoryDraft,
    pub(crate) authored: AuthoredFields,
    pub(crate) analysed: Analysed,
}

impl From<MemoryDraft> for ReadyMemory {
    fn from(draft: MemoryDraft) -> Self {
        let authored = draft.fields().authored();
        Self { analysed: Analysed::of(authored.title.as_deref(), &authored.content), authored, draft }
    }
}

impl ReadyMemory {
    /// The source of the prepared memory.
    #[must_use]
    pub fn draft(&self) -> &MemoryDraft {
        &self.draft
    }
}

/// The result of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The id of the memory.
    pub id: Uuid,
    /// 1 for a new memory; incremented by each upsert; 0 for a pending memory.
    pub version: i64,
    /// Time of the first commit.
    pub created_at: DateTime<Utc>,
    /// Inclusive instant of expiry: the memory is absent from then on.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The outcome of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgetOutcome {
    /// The memory is deleted.
    Done,
    /// The pass's author has no such memory.
    NoMemory,
    /// The memory has another version than expected. Nothing was written.
    Conflict(VersionConflict),
}

/// The parameters of a search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The query; a blank one lists memories.
    pub query: Query,
    /// Further conditions.
    pub filter: Filter,
    /// Any of these scopes; no condition if empty.
    pub scopes: Vec<Scope>,
    /// Memories bound to the team of this lead.
    pub team: Option<WorkspaceId>,
    /// Memories of this author.
    pub author: Option<WorkspaceId>,
    /// The reader's own memories of this profile.
    pub profile: Option<ProfileFilter>,
    /// Only memories whose metadata match.
    pub metadata: Option<MetadataFilter>,
    /// Only these memories.
    pub ids: Option<HashSet<Uuid>>,
    /// What to search.
    pub items: SearchedItems,
    /// Kinds of episodes that reach no page by the configuration of the server, which hide a page at once.
    pub kinds_without_pages: Vec<String>,
    /// Order, position and size of the page.
    pub cut: PageRequest,
    /// The org version of the first page, so that later commits do not affect the following pages.
    pub as_of: Option<i64>,
    /// Whether each match has an explanation of its rank.
    pub explain: bool,
    /// Whether matches that repeat an earlier one are only named there.
    pub collapse: bool,
    /// Number of neighbours before and after each match in its session.
    pub neighbours: u8,
}

/// A condition on the profile of the reader's own memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileFilter {
    /// The id of the profile.
    pub id: Uuid,
    /// Whether it is the default profile, which includes memories without a profile.
    pub is_default: bool,
}

/// A page of matches.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The matches in the requested order.
    pub hits: Vec<FoundMemory>,
    /// Whether more matches follow.
    pub more: bool,
    /// The org version of the page, for [`Search::as_of`] of the next one.
    pub as_of: i64,
}

/// A match of a search.
#[derive(Clone, Debug)]
pub struct FoundMemory {
    /// The matching memory.
    pub memory: Memory,
    /// The relation through which it is in reach.
    pub via: Via,
    /// Greater is better; 0 without a query.
    pub score: f64,
    /// The cosine of the nearest embedding and the query; none if no vectors were compared.
    pub similarity: Option<f64>,
    /// The position of the match, for [`PageRequest::after`] of the next page.
    pub key: SortKey,
    /// Present if the search requested it.
    pub explanation: Option<Explanation>,
    /// The nearest memories before and after the match in its session, in the order of their commits.
    pub neighbours: Vec<NearMemory>,
    /// The words of the query that it does not contain, and what they were understood as instead.
    pub understood: BTreeMap<String, String>,
    /// The id of the newest memory in reach that says the same with another value.
    pub outdated_by: Option<Uuid>,
    /// In a collapsed search, the ids of the matches that repeat this one, in order.
    pub repetitions: Vec<Uuid>,
}

/// A neighbour of a match in its session. The filter of the search does not apply to it.
#[derive(Clone, Debug)]
pub struct NearMemory {
    /// Distance from the match; negative before it.
    pub offset: i32,
    /// The neighbour itself.
    pub memory: Memory,
    /// The relation through which it is in reach.
    pub via: Via,
}

/// The number of live memories of one author by scope, and the time of the last write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCounts {
    /// LOCAL.
    pub local: i64,
    /// TEAM, for any team.
    pub team: i64,
    /// GLOBAL.
    pub global: i64,
    /// Time of the last commit, whether or not that memory is still live.
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

/// The number of live memories of one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionCount {
    /// The author of the partition.
    pub author: WorkspaceId,
    /// The scope of the partition.
    pub scope: Scope,
    /// The lead of the team; none if the partition is not bound to one team.
    pub team: Option<WorkspaceId>,
    /// Number of live memories.
    pub memories: i64,
}
