//! The tables of text blocks.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::BlockError;
use uuid::Uuid;

use super::{Conn, one_of};
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{NewBlock, SessionKind, TextCoverage};
use crate::engine::RowContext;
use crate::schema::{episodes, memory_partitions, text_blocks, text_progress, text_workspaces};

/// Why a step with blocks failed.
pub(super) enum Fault {
    Store(StoreError),
    Block(BlockError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<BlockError> for Fault {
    fn from(error: BlockError) -> Self {
        Self::Block(error)
    }
}

/// A workspace with text blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextWorkspace {
    /// Grows with each change of its blocks.
    pub(super) version: i64,
    pub(super) coverage: TextCoverage,
}

/// A row of `text_workspaces`.
#[derive(Clone, Copy, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = text_workspaces, primary_key(org_id, workspace_id))]
pub(super) struct TextWorkspaceRow {
    org_id: Id,
    workspace_id: Id,
    version: i64,
    episodes_until: Id,
    memories_at: Time,
    memories_id: Id,
    has_memories: bool,
}

impl TextWorkspaceRow {
    pub(super) fn of(org: OrgId, workspace: WorkspaceId, version: i64, coverage: &TextCoverage) -> Self {
        let TextCoverage { episodes_until, memories_until: (at, id), has_memories } = *coverage;
        Self {
            org_id: org.into(),
            workspace_id: workspace.into(),
            version,
            episodes_until: Id(episodes_until),
            memories_at: Time(at),
            memories_id: Id(id),
            has_memories,
        }
    }

    fn read(self) -> (WorkspaceId, TextWorkspace) {
        let coverage = TextCoverage {
            episodes_until: self.episodes_until.0,
            memories_until: (self.memories_at.0, self.memories_id.0),
            has_memories: self.has_memories,
        };
        (self.workspace_id.workspace(), TextWorkspace { version: self.version, coverage })
    }
}

/// A block without its content.
#[derive(Clone, Copy, Debug, Queryable, Selectable)]
#[diesel(table_name = text_blocks)]
pub(super) struct TextBlockHead {
    pub(super) number: i64,
    pub(super) row_count: i64,
    pub(super) size_bytes: i64,
    pub(super) newest_at: Time,
    pub(super) oldest_at: Time,
    pub(super) first_id: Id,
    pub(super) last_id: Id,
}

/// A row of `text_blocks`.
#[derive(Debug, Insertable)]
#[diesel(table_name = text_blocks)]
pub(super) struct TextBlockRow<'b> {
    org_id: Id,
    workspace_id: Id,
    kind: &'static str,
    number: i64,
    row_count: i64,
    size_bytes: i64,
    newest_at: Time,
    oldest_at: Time,
    first_id: Id,
    last_id: Id,
    words: &'b [u8],
    rows: &'b [u8],
}

impl<'b> TextBlockRow<'b> {
    pub(super) fn of(org: OrgId, workspace: WorkspaceId, new: &'b NewBlock) -> Self {
        let NewBlock { kind, number, head, block } = new;
        let time = |micros: i64| Time(DateTime::<Utc>::from_timestamp_micros(micros).unwrap_or_default());
        Self {
            org_id: org.into(),
            workspace_id: workspace.into(),
            kind: name_of(*kind),
            number: *number,
            row_count: head.rows.into(),
            size_bytes: i64::try_from(block.words.len() + block.rows.len()).unwrap_or(i64::MAX),
            newest_at: time(head.newest.created_at),
            oldest_at: time(head.oldest.created_at),
            first_id: Id(head.min_id),
            last_id: Id(head.max_id),
            words: &block.words,
            rows: &block.rows,
        }
    }
}

/// The column `kind`.
pub(super) fn name_of(kind: SessionKind) -> &'static str {
    match kind {
        SessionKind::Activity => "activity",
        SessionKind::Memory => "memory",
    }
}

/// The version of the memories in the blocks of an org; none if it has no blocks.
pub(super) fn progress(conn: &mut Conn, org: OrgId) -> Result<Option<i64>, StoreError> {
    let progress = text_progress::table.find(Id::from(org)).select(text_progress::org_version);
    progress.first(conn).optional().row_context("text_progress", org)
}

pub(super) fn workspace(
    conn: &mut Conn,
    org: OrgId,
    workspace: WorkspaceId,
) -> Result<Option<TextWorkspace>, StoreError> {
    let row = text_workspaces::table.find((Id::from(org), Id::from(workspace)));
    let row: Option<TextWorkspaceRow> =
        row.select(TextWorkspaceRow::as_select()).first(conn).optional().row_context("text_workspaces", workspace)?;
    Ok(row.map(|row| row.read().1))
}

pub(super) fn workspaces(conn: &mut Conn, org: OrgId) -> Result<HashMap<WorkspaceId, TextWorkspace>, StoreError> {
    let rows: Vec<TextWorkspaceRow> = text_workspaces::table
        .filter(text_workspaces::org_id.eq(Id::from(org)))
        .select(TextWorkspaceRow::as_select())
        .load(conn)
        .row_context("text_workspaces", org)?;
    Ok(rows.into_iter().map(TextWorkspaceRow::read).collect())
}

/// Deletes all blocks of an org. Searches report its workspaces again.
pub(crate) fn delete_blocks(conn: &mut Conn, org: Id) -> Result<(), StoreError> {
    diesel::delete(text_blocks::table.filter(text_blocks::org_id.eq(org))).execute(conn)?;
    diesel::delete(text_workspaces::table.filter(text_workspaces::org_id.eq(org))).execute(conn)?;
    diesel::delete(text_progress::table.find(org)).execute(conn)?;
    Ok(())
}

/// The blocks of one kind, newest rows first.
pub(super) fn heads(
    conn: &mut Conn,
    (org, workspace, kind): (OrgId, WorkspaceId, SessionKind),
) -> Result<Vec<TextBlockHead>, StoreError> {
    let heads = text_blocks::table
        .filter(text_blocks::org_id.eq(Id::from(org)))
        .filter(text_blocks::workspace_id.eq(Id::from(workspace)))
        .filter(text_blocks::kind.eq(name_of(kind)))
        .order((text_blocks::newest_at.desc(), text_blocks::number.desc()))
        .select(TextBlockHead::as_select())
        .load(conn)
        .row_context("text_blocks", workspace)?;
    Ok(heads)
}

/// A column of some blocks, by number.
macro_rules! column_of_blocks {
    ($name:ident, $column:ident) => {
        pub(super) fn $name(
            conn: &mut Conn,
            (org, workspace, kind): (OrgId, WorkspaceId, SessionKind),
            numbers: &[i64],
        ) -> Result<HashMap<i64, Vec<u8>>, StoreError> {
            let rows: Vec<(i64, Vec<u8>)> = text_blocks::table
                .filter(text_blocks::org_id.eq(Id::from(org)))
                .filter(text_blocks::workspace_id.eq(Id::from(workspace)))
                .filter(text_blocks::kind.eq(name_of(kind)))
                .filter(one_of(text_blocks::number, numbers))
                .select((text_blocks::number, text_blocks::$column))
                .load(conn)
                .row_context("text_blocks", workspace)?;
            Ok(rows.into_iter().collect())
        }
    };
}

column_of_blocks!(words, words);
column_of_blocks!(rows, rows);

/// A position in the memories of a workspace before all of them.
pub(super) fn first_memory() -> (DateTime<Utc>, Uuid) {
    (DateTime::UNIX_EPOCH, Uuid::nil())
}

/// Rows of a workspace beyond its blocks that a search reads without a report.
const LONG: i64 = 256;

/// Whether a workspace has many episodes beyond an id.
pub(super) fn is_long(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    after: Uuid,
) -> Result<bool, StoreError> {
    let beyond: Option<Id> = episodes::table
        .filter(episodes::org_id.eq(Id::from(org)))
        .filter(episodes::workspace_id.eq(Id::from(workspace)))
        .filter(episodes::id.gt(Id(after)))
        .order(episodes::id)
        .offset(LONG)
        .select(episodes::id)
        .first(conn)
        .optional()
        .row_context("episodes", workspace)?;
    Ok(beyond.is_some())
}

/// Whether a workspace has many memories.
pub(super) fn has_many_memories(conn: &mut Conn, (org, workspace): (OrgId, WorkspaceId)) -> Result<bool, StoreError> {
    let counts: Vec<i64> = memory_partitions::table
        .filter(memory_partitions::org_id.eq(Id::from(org)))
        .filter(memory_partitions::author_id.eq(Id::from(workspace)))
        .select(memory_partitions::live_count)
        .load(conn)
        .row_context("memory_partitions", workspace)?;
    Ok(counts.iter().sum::<i64>() > LONG)
}

/// Joins a memory with its row of the index.
macro_rules! index_row {
    () => {
        memory_index::org_id
            .eq(memories::org_id)
            .and(memory_index::author_id.eq(memories::author_id))
            .and(memory_index::scope.eq(memories::scope))
            .and(memory_index::team_id.eq(memories::team_id))
            .and(memory_index::memory_id.eq(memories::id))
    };
}
pub(super) use index_row;
