//! The rows that text blocks are made of.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::RowKey;
use uuid::Uuid;

use super::text_rows::index_row;
use super::{Conn, one_of};
use crate::StoreError;
use crate::columns::{Id, PartitionScope, TextEnum, Time, row_limit};
use crate::contract::ItemType;
use crate::engine::RowContext;
use crate::schema::{episodes, memories, memory_index};

/// Changes of memories that are read at once; few are of workspaces with blocks.
const CHANGES: usize = 2_000;

/// Rows that enter blocks at once.
const ROWS: usize = 8_192;

/// Rows per statement.
const CHUNK: usize = 512;

/// The folded texts that enter blocks at once. With the last chunk of rows, they may have more.
const TEXT_BYTES: usize = 4 << 20;

/// The authors and ids of memories that changed after a version of the org, and the version up to which these are all.
pub(super) fn changed_memories(
    conn: &mut Conn,
    org: OrgId,
    after: i64,
    version: i64,
) -> Result<(Vec<(Id, Id)>, i64), StoreError> {
    let rows: Vec<(i64, Id, Id, TextEnum<PartitionScope>)> = memory_index::table
        .filter(memory_index::org_id.eq(Id::from(org)))
        .filter(memory_index::org_version.gt(after))
        .order(memory_index::org_version)
        .limit(row_limit(CHANGES))
        .select((memory_index::org_version, memory_index::author_id, memory_index::memory_id, memory_index::scope))
        .load(conn)
        .row_context("memory_index", org)?;
    // all changes of a version are handled at once; the last version may be incomplete
    let last = rows.last().map_or(version, |(last, ..)| *last);
    let is_whole = rows.len() < CHANGES;
    let until = if is_whole { version } else { (last - 1).max(after) };
    if until == after {
        let rows: Vec<(Id, Id, TextEnum<PartitionScope>)> = memory_index::table
            .filter(memory_index::org_id.eq(Id::from(org)))
            .filter(memory_index::org_version.gt(after))
            .filter(memory_index::org_version.le(last))
            .select((memory_index::author_id, memory_index::memory_id, memory_index::scope))
            .load(conn)
            .row_context("memory_index", org)?;
        let of_memories = rows.into_iter().filter(|(.., scope)| scope.0.items == ItemType::Memory);
        return Ok((of_memories.map(|(author, id, _)| (author, id)).collect(), last));
    }
    let rows = rows.into_iter().filter(|(at, .., scope)| *at <= until && scope.0.items == ItemType::Memory);
    Ok((rows.map(|(_, author, id, _)| (author, id)).collect(), until))
}

type MemoryText = (Id, Time, Option<String>);

/// The row of a memory that is in the index.
fn memory_text((id, at, folded): MemoryText) -> Option<(RowKey, String)> {
    let folded = folded.filter(|folded| !folded.is_empty())?;
    Some((RowKey { created_at: at.0.timestamp_micros(), id: id.0 }, folded))
}

/// The memories of `ids` that are in the index. Those of which only the row of the index has changed since the version `after`,
/// for example by embedding, leave `ids` instead: their texts are the same.
pub(super) fn changed_memory_texts(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    ids: &mut BTreeSet<Uuid>,
    after: i64,
) -> Result<Vec<(RowKey, String)>, StoreError> {
    let all: Vec<Id> = ids.iter().copied().map(Id).collect();
    let mut texts = Vec::with_capacity(all.len());
    for some in all.chunks(CHUNK) {
        let rows: Vec<(i64, MemoryText)> = memories::table
            .inner_join(memory_index::table.on(index_row!()))
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::author_id.eq(Id::from(workspace)))
            .filter(one_of(memories::id, some))
            .select((memories::org_version, (memories::id, memories::created_at, memory_index::folded)))
            .load(conn)
            .row_context("memories", workspace)?;
        for (org_version, row) in rows {
            let Some((key, folded)) = memory_text(row) else { continue };
            match org_version > after {
                true => texts.push((key, folded)),
                false => drop(ids.remove(&key.id)),
            }
        }
    }
    Ok(texts)
}

/// The memories of a workspace after a position, in order of creation, and whether there are no others.
pub(super) fn next_memory_texts(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    (mut at, mut id): (DateTime<Utc>, Uuid),
) -> Result<(Vec<(RowKey, String)>, bool), StoreError> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    while texts.len() < ROWS && bytes < TEXT_BYTES {
        let is_later = memories::created_at.eq(Time(at)).and(memories::id.gt(Id(id)));
        let rows: Vec<MemoryText> = memories::table
            .inner_join(memory_index::table.on(index_row!()))
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::author_id.eq(Id::from(workspace)))
            .filter(memories::created_at.ge(Time(at)))
            .filter(memories::created_at.gt(Time(at)).or(is_later))
            .filter(memory_index::folded.is_not_null())
            .order((memories::created_at, memories::id))
            .limit(row_limit(CHUNK))
            .select((memories::id, memories::created_at, memory_index::folded))
            .load(conn)
            .row_context("memories", workspace)?;
        let is_last = rows.len() < CHUNK;
        if let Some(last) = rows.last() {
            (id, at) = (last.0.0, last.1.0);
        }
        let rows = rows.into_iter().filter_map(memory_text);
        texts.extend(rows.inspect(|(_, folded)| bytes += folded.len()));
        if is_last {
            return Ok((texts, true));
        }
    }
    Ok((texts, false))
}

fn episode_text((Id(id), at, folded): (Id, Time, String)) -> (RowKey, String) {
    (RowKey { created_at: at.0.timestamp_micros(), id }, folded)
}

pub(super) fn changed_episode_texts(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    ids: &BTreeSet<Uuid>,
) -> Result<Vec<(RowKey, String)>, StoreError> {
    let ids: Vec<Id> = ids.iter().copied().map(Id).collect();
    let mut texts = Vec::with_capacity(ids.len());
    for ids in ids.chunks(CHUNK) {
        let rows: Vec<(Id, Time, String)> = episodes::table
            .filter(episodes::org_id.eq(Id::from(org)))
            .filter(episodes::workspace_id.eq(Id::from(workspace)))
            .filter(one_of(episodes::id, ids))
            .select((episodes::id, episodes::created_at, episodes::folded))
            .load(conn)
            .row_context("episodes", workspace)?;
        texts.extend(rows.into_iter().map(episode_text));
    }
    Ok(texts)
}

/// The episodes of a workspace between two ids, without the first, in order, and whether there are no others.
pub(super) fn next_episode_texts(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    (mut after, until): (Uuid, Uuid),
) -> Result<(Vec<(RowKey, String)>, bool), StoreError> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    while texts.len() < ROWS && bytes < TEXT_BYTES {
        let rows: Vec<(Id, Time, String)> = episodes::table
            .filter(episodes::org_id.eq(Id::from(org)))
            .filter(episodes::workspace_id.eq(Id::from(workspace)))
            .filter(episodes::id.gt(Id(after)).and(episodes::id.le(Id(until))))
            .order(episodes::id)
            .limit(row_limit(CHUNK))
            .select((episodes::id, episodes::created_at, episodes::folded))
            .load(conn)
            .row_context("episodes", workspace)?;
        let is_last = rows.len() < CHUNK;
        after = rows.last().map_or(after, |last| last.0.0);
        texts.extend(rows.into_iter().map(episode_text).inspect(|(_, folded)| bytes += folded.len()));
        if is_last {
            return Ok((texts, true));
        }
    }
    Ok((texts, false))
}

/// The newest episode of a workspace, if it is beyond an id.
pub(super) fn newest_episode(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    after: Id,
) -> Result<Option<Uuid>, StoreError> {
    let newest: Option<Id> = episodes::table
        .filter(episodes::org_id.eq(Id::from(org)))
        .filter(episodes::workspace_id.eq(Id::from(workspace)))
        .filter(episodes::id.gt(after))
        .order(episodes::id.desc())
        .select(episodes::id)
        .first(conn)
        .optional()
        .row_context("episodes", workspace)?;
    Ok(newest.map(|Id(id)| id))
}
