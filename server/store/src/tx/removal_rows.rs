//! The removals that a database records, page by page.

use std::collections::HashMap;

use diesel::prelude::*;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Conn;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{ErasedPart, MemoryStatus, Removal, Removed};
use crate::engine::RowContext;
use crate::schema::{documents, entries, episodes, erasures, grants, memories, redactions, revocations, workspaces};
use crate::transfer::{RemovalKind, RemovalPosition};

/// Rows of a page.
const PAGE: usize = 500;

/// Name of an erased workspace, as `erasures.rs` writes it.
const ERASED_NAME: &str = "erased";

/// The reason of a redaction that has no record.
const NO_REASON: &str = "redacted earlier";

/// The next removals of a kind after a position, which moves on. Empty at the end.
pub(super) fn page(
    conn: &mut Conn,
    org: Id,
    kind: RemovalKind,
    at: &mut RemovalPosition,
) -> Result<Vec<Removal>, StoreError> {
    let removed = match kind {
        RemovalKind::Erasures => erasures_after(conn, org, at)?,
        RemovalKind::Memories => memories_after(conn, org, at)?,
        RemovalKind::Documents => documents_after(conn, org, at)?,
        RemovalKind::Episodes => episodes_after(conn, org, at)?,
        RemovalKind::Entries => entries_after(conn, org, at)?,
        RemovalKind::Tokens => tokens_after(conn, org, at)?,
        RemovalKind::TokensOfWorkspaces => tokens_of_workspaces_after(conn, org, at)?,
        RemovalKind::Grants => grants_after(conn, org, at)?,
    };
    Ok(removed.into_iter().map(|what| Removal { org: org.0, what }).collect())
}

fn memories_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let rows: Vec<(Id, TextEnum<MemoryStatus>, Time)> = memories::table
        .filter(memories::org_id.eq(org))
        .filter(memories::id.gt(Id(at.first)))
        .filter(
            memories::status
                .eq(TextEnum(MemoryStatus::Redacted))
                .or(memories::status.eq(TextEnum(MemoryStatus::Deleted))),
        )
        .order(memories::id)
        .limit(row_limit(PAGE))
        .select((memories::id, memories::status, memories::updated_at))
        .load(conn)
        .row_context("memories", "removed")?;
    at.first = rows.last().map_or(at.first, |row| row.0.0);
    removals_of(conn, org, rows)
}

/// Removed memories or documents, with the records of their redactions.
fn removals_of(
    conn: &mut Conn,
    org: Id,
    rows: Vec<(Id, TextEnum<MemoryStatus>, Time)>,
) -> Result<Vec<Removed>, StoreError> {
    let ids: Vec<Id> = rows.iter().map(|row| row.0).collect();
    let records: Vec<(Id, Time, String, String)> = redactions::table
        .filter(redactions::org_id.eq(org))
        .filter(redactions::memory_id.eq_any(&ids))
        .select((redactions::memory_id, redactions::redacted_at, redactions::redacted_by, redactions::reason))
        .load(conn)
        .row_context("redactions", org)?;
    let mut records: HashMap<Uuid, (Time, String, String)> =
        records.into_iter().map(|(Id(id), at, by, reason)| (id, (at, by, reason))).collect();
    let removed = |(Id(memory), TextEnum(status), updated_at): (Id, TextEnum<MemoryStatus>, Time)| {
        if status != MemoryStatus::Redacted {
            return Removed::Deletion { memory };
        }
        let unknown = || (updated_at, "orgmem".to_owned(), NO_REASON.to_owned());
        let (Time(at), by, reason) = records.remove(&memory).unwrap_or_else(unknown);
        Removed::Redaction { memory, at, by, reason }
    };
    Ok(rows.into_iter().map(removed).collect())
}

fn documents_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let rows: Vec<(Id, TextEnum<MemoryStatus>, Time)> = documents::table
        .filter(documents::org_id.eq(org))
        .filter(documents::id.gt(Id(at.first)))
        .filter(documents::status.ne(TextEnum(MemoryStatus::Live)))
        .order(documents::id)
        .limit(row_limit(PAGE))
        .select((documents::id, documents::status, documents::updated_at))
        .load(conn)
        .row_context("documents", "removed")?;
    at.first = rows.last().map_or(at.first, |row| row.0.0);
    removals_of(conn, org, rows)
}

fn episodes_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let (first, second) = (Id(at.first), Id(at.second));
    let rows: Vec<(Id, Id)> = episodes::table
        .filter(episodes::org_id.eq(org))
        .filter(episodes::workspace_id.gt(first).or(episodes::workspace_id.eq(first).and(episodes::id.gt(second))))
        .filter(episodes::redacted_at.is_not_null())
        .order((episodes::workspace_id, episodes::id))
        .limit(row_limit(PAGE))
        .select((episodes::workspace_id, episodes::id))
        .load(conn)
        .row_context("episodes", "redacted")?;
    if let Some((workspace, id)) = rows.last() {
        (at.first, at.second) = (workspace.0, id.0);
    }
    Ok(rows.into_iter().map(|(Id(workspace), Id(episode))| Removed::Episode { workspace, episode }).collect())
}

fn entries_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let first = Id(at.first);
    let rows: Vec<(Id, String, i64)> = entries::table
        .filter(entries::org_id.eq(org))
        .filter(
            entries::workspace_id.gt(first).or(entries::workspace_id.eq(first).and(entries::key.gt(at.key.clone()))),
        )
        .filter(entries::value.is_null())
        .order((entries::workspace_id, entries::key))
        .limit(row_limit(PAGE))
        .select((entries::workspace_id, entries::key, entries::version))
        .load(conn)
        .row_context("entries", "dropped")?;
    if let Some((workspace, key, _)) = rows.last() {
        (at.first, at.key) = (workspace.0, key.clone());
    }
    let removed = |(Id(workspace), key, version): (Id, String, i64)| Removed::Entry {
        workspace,
        key_sha256: hex::encode(Sha256::digest(key)),
        version,
    };
    Ok(rows.into_iter().map(removed).collect())
}

fn erasures_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let rows: Vec<(Id, String, Vec<u8>, String, String, Time)> = erasures::table
        .filter(erasures::org_id.eq(org))
        .filter(erasures::id.gt(Id(at.first)))
        .order(erasures::id)
        .limit(row_limit(PAGE))
        .select((
            erasures::id,
            erasures::what,
            erasures::about,
            erasures::reason,
            erasures::erased_by,
            erasures::erased_at,
        ))
        .load(conn)
        .row_context("erasures", org)?;
    at.first = rows.last().map_or(at.first, |row| row.0.0);
    let mut removed = Vec::with_capacity(rows.len());
    for (Id(receipt), what, about, reason, by, erased_at) in rows {
        let erased = match what.as_str() {
            "subject" => ErasedPart::Subject(hex::encode(about)),
            "workspace" => ErasedPart::Workspaces(purged(conn, org, &about, erased_at)?),
            "org" => ErasedPart::Org,
            _ => return Err(StoreError::unreadable("erasures", receipt, "an unknown word")),
        };
        removed.push(Removed::Erasure { receipt, erased, reason, by, at: erased_at.0 });
    }
    Ok(removed)
}

/// The workspaces of a purge: those that were removed in its transaction and have no name any more. `top` is the first.
fn purged(conn: &mut Conn, org: Id, top: &[u8], at: Time) -> Result<Vec<Uuid>, StoreError> {
    let top = Uuid::from_slice(top).map_err(|reason| StoreError::unreadable("erasures", org, reason))?;
    let rows: Vec<Id> = workspaces::table
        .filter(workspaces::org_id.eq(org))
        .filter(workspaces::removed_at.eq(Some(at)))
        .filter(workspaces::name.eq(ERASED_NAME))
        .filter(workspaces::id.ne(Id(top)))
        .order(workspaces::id)
        .select(workspaces::id)
        .load(conn)
        .row_context("workspaces", "purged")?;
    Ok([top].into_iter().chain(rows.into_iter().map(|id| id.0)).collect())
}

fn tokens_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let rows: Vec<(Id, Time, Time)> = revocations::table
        .filter(revocations::org_id.eq(org))
        .filter(revocations::jti.gt(Id(at.first)))
        .order(revocations::jti)
        .limit(row_limit(PAGE))
        .select((revocations::jti, revocations::revoked_at, revocations::expires_at))
        .load(conn)
        .row_context("revocations", org)?;
    at.first = rows.last().map_or(at.first, |row| row.0.0);
    let removed = |(Id(token), Time(at), Time(expires_at)): (Id, Time, Time)| Removed::Token { token, at, expires_at };
    Ok(rows.into_iter().map(removed).collect())
}

fn tokens_of_workspaces_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let rows: Vec<(Id, Option<Time>)> = workspaces::table
        .filter(workspaces::org_id.eq(org))
        .filter(workspaces::id.gt(Id(at.first)))
        .filter(workspaces::tokens_revoked_at.is_not_null())
        .order(workspaces::id)
        .limit(row_limit(PAGE))
        .select((workspaces::id, workspaces::tokens_revoked_at))
        .load(conn)
        .row_context("workspaces", "with revoked tokens")?;
    at.first = rows.last().map_or(at.first, |row| row.0.0);
    let removed = |(Id(workspace), at): (Id, Option<Time>)| at.map(|Time(at)| Removed::TokensOf { workspace, at });
    Ok(rows.into_iter().filter_map(removed).collect())
}

fn grants_after(conn: &mut Conn, org: Id, at: &mut RemovalPosition) -> Result<Vec<Removed>, StoreError> {
    let rows: Vec<(Id, Option<Time>)> = grants::table
        .filter(grants::org_id.eq(org))
        .filter(grants::id.gt(Id(at.first)))
        .filter(grants::revoked_at.is_not_null())
        .order(grants::id)
        .limit(row_limit(PAGE))
        .select((grants::id, grants::revoked_at))
        .load(conn)
        .row_context("grants", "revoked")?;
    at.first = rows.last().map_or(at.first, |row| row.0.0);
    let removed = |(Id(grant), at): (Id, Option<Time>)| at.map(|Time(at)| Removed::Grant { grant, at });
    Ok(rows.into_iter().filter_map(removed).collect())
}
