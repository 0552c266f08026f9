//! Session search in text blocks: they give the keys of rows that contain the words, of which the rows are read.
//!
//! Rows that the blocks may lack or have with an earlier text are read and compared, as all rows are in a workspace without
//! blocks. A row that a block gives is compared too, so a block never makes a row appear.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{ReadPass, ViewPass};
use orgmem_recall::{BlockRows, BlockWords, Needles, RowKey, WordMatches};
use uuid::Uuid;

use super::session_criteria::{Among, Criteria};
use super::text_rows::{self, Fault, TextBlockHead, has_many_memories, is_long};
use super::{Conn, Tx};
use crate::StoreError;
use crate::columns::{Id, PartitionScope, TextEnum, row_limit};
use crate::contract::{ItemType, SessionKind, SessionRow};
use crate::engine::RowContext;
use crate::schema::{episode_changes, memory_index};

/// Changed rows that are compared one by one. With more of them, all rows are.
const CHANGED: usize = 2_000;

/// Ids per statement.
const CHUNK: usize = 500;

/// Blocks that are in memory at once.
const BLOCKS: usize = 8;

/// Rows that are read at first, if the page is smaller.
const FIRST_ROWS: usize = 16;

/// Reads those of some rows that meet all criteria, newest or best first.
type ReadRows<'r> = &'r mut dyn FnMut(&mut Tx<'_>, Among<'_>) -> Result<Vec<SessionRow>, StoreError>;

/// The rows of a workspace that its blocks may lack.
struct Changed {
    /// Among the rows that are in blocks otherwise.
    ids: BTreeSet<Uuid>,
    /// All episodes beyond this id, too.
    episodes_after: Option<Uuid>,
}

impl Tx<'_> {
    /// The rows of a kind that contain the words; none if the workspace has no blocks of the kind that can be used.
    pub(super) fn search_blocks(
        &mut self,
        (pass, reads): (&ViewPass, &ReadPass),
        kind: SessionKind,
        criteria: &Criteria,
    ) -> Result<Option<Vec<SessionRow>>, StoreError> {
        let of = (pass.org(), pass.workspace(), kind);
        let Some(changed) = self.changed_since_blocks(of)? else { return Ok(None) };
        let read: ReadRows<'_> = &mut |tx, among| match kind {
            SessionKind::Activity => tx.session_episodes(pass, reads, criteria, among),
            SessionKind::Memory => tx.session_memories(pass, reads, criteria, among),
        };
        let mut found = Vec::new();
        if let Some(after) = changed.episodes_after {
            found.extend(read(self, Among::After(after))?);
        }
        let ids: Vec<Id> = changed.ids.iter().copied().map(Id).collect();
        for ids in ids.chunks(CHUNK) {
            found.extend(read(self, Among::These(ids))?);
        }
        match self.rows_in_blocks(of, criteria, &changed.ids, read) {
            Ok(rows) => found.extend(rows),
            Err(Fault::Store(error)) => return Err(error),
            Err(Fault::Block(error)) => {
                tracing::warn!(%error, org = %of.0, workspace = %of.1, "a text block is damaged; all rows are read instead");
                self.core.caches.text_backlog.lock().orgs.report_damage(of.0);
                return Ok(None);
            }
        }
        found.sort_by_key(|row| std::cmp::Reverse(row.place()));
        Ok(Some(found))
    }

    /// The rows that the blocks of a workspace may lack; none if it has no blocks, or too many such rows. Reports a workspace
    /// whose rows should be in blocks.
    fn changed_since_blocks(
        &mut self,
        (org, workspace, kind): (OrgId, WorkspaceId, SessionKind),
    ) -> Result<Option<Changed>, StoreError> {
        let conn = self.drained()?;
        let known = text_rows::workspace(conn, org, workspace)?;
        let coverage = known.map(|known| known.coverage);
        let (changed, is_reported) = match kind {
            SessionKind::Activity => {
                let after = coverage.map_or(Uuid::nil(), |coverage| coverage.episodes_until);
                let ids = match coverage {
                    None => None,
                    Some(_) => noted_episodes(conn, (org, workspace), after)?,
                };
                (ids.map(|ids| Changed { ids, episodes_after: Some(after) }), is_long(conn, (org, workspace), after)?)
            }
            SessionKind::Memory => match coverage.filter(|coverage| coverage.has_memories) {
                None => (None, has_many_memories(conn, (org, workspace))?),
                Some(_) => {
                    let ids = changed_memories(conn, (org, workspace))?;
                    (ids.map(|ids| Changed { ids, episodes_after: None }), false)
                }
            },
        };
        if is_reported {
            self.core.caches.text_backlog.lock().report(org, workspace);
        }
        Ok(changed)
    }

    /// The rows that blocks give, without those that have changed.
    fn rows_in_blocks(
        &mut self,
        of: (OrgId, WorkspaceId, SessionKind),
        criteria: &Criteria,
        changed: &BTreeSet<Uuid>,
        read: ReadRows<'_>,
    ) -> Result<Vec<SessionRow>, Fault> {
        let needles = Needles::new(criteria.words());
        let heads = text_rows::heads(self.conn()?, of)?;
        let heads: Vec<TextBlockHead> = heads.into_iter().filter(|head| criteria.spans(head)).collect();
        let (mut found, mut candidates) = (Vec::new(), Vec::new());
        let (mut rest, mut most) = (heads.as_slice(), 1);
        while !rest.is_empty() {
            let some;
            (some, rest) = rest.split_at(most.min(rest.len()));
            // a search for frequent words ends in the newest blocks
            most = (most * 2).min(BLOCKS);
            let rows = matching(self.conn()?, of, some, (&needles, criteria))?;
            candidates.extend(rows.into_iter().filter(|(key, _)| criteria.includes(key) && !changed.contains(&key.id)));
            if criteria.is_ranked() {
                continue;
            }
            // all rows newer than the blocks that are left
            let newest_left = rest.first().map(|head| head.newest_at.0.timestamp_micros());
            candidates.sort_unstable_by_key(|(key, _)| *key);
            let at = newest_left.map_or(0, |left| candidates.partition_point(|(key, _)| key.created_at <= left));
            let ready: Vec<RowKey> = candidates.drain(at..).rev().map(|(key, _)| key).collect();
            if self.read_until_full(ready, criteria, &mut found, read)? {
                return Ok(found);
            }
        }
        candidates.sort_unstable_by_key(|(key, words)| std::cmp::Reverse((*words, *key)));
        let ready = candidates.into_iter().map(|(key, _)| key).collect();
        self.read_until_full(ready, criteria, &mut found, read)?;
        Ok(found)
    }

    /// Reads rows until the page is full; returns whether it is.
    fn read_until_full(
        &mut self,
        mut keys: Vec<RowKey>,
        criteria: &Criteria,
        found: &mut Vec<SessionRow>,
        read: ReadRows<'_>,
    ) -> Result<bool, StoreError> {
        // a row can be in two blocks, with the same text, if it changed while the first ones were written
        keys.dedup();
        let (mut rest, mut most) = (keys.as_slice(), criteria.limit().clamp(FIRST_ROWS, CHUNK));
        while !rest.is_empty() && found.len() < criteria.limit() {
            let some;
            (some, rest) = rest.split_at(most.min(rest.len()));
            most = (most * 2).min(CHUNK);
            let ids: Vec<Id> = some.iter().map(|key| Id(key.id)).collect();
            found.extend(read(self, Among::These(&ids))?);
        }
        Ok(found.len() >= criteria.limit())
    }
}

/// The rows of some blocks that contain the words, with the number of words.
fn matching(
    conn: &mut Conn,
    of: (OrgId, WorkspaceId, SessionKind),
    heads: &[TextBlockHead],
    (needles, criteria): (&Needles, &Criteria),
) -> Result<Vec<(RowKey, u32)>, Fault> {
    let numbers: Vec<i64> = heads.iter().map(|head| head.number).collect();
    let words = text_rows::words(conn, of, &numbers)?;
    let mut matches: HashMap<i64, WordMatches> = HashMap::new();
    for (number, bytes) in words {
        let found = BlockWords::read(&bytes)?.matching(needles);
        if found.found() >= criteria.least_words() {
            matches.insert(number, found);
        }
    }
    let numbers: Vec<i64> = matches.keys().copied().collect();
    let mut rows = Vec::new();
    if !numbers.is_empty() {
        for (number, bytes) in text_rows::rows(conn, of, &numbers)? {
            if let Some(matches) = matches.get(&number) {
                rows.extend(BlockRows::read(&bytes)?.matching(matches, criteria.least_words())?);
            }
        }
    }
    Ok(rows)
}

/// The episodes of a workspace up to an id with a noted change; none if there are too many.
fn noted_episodes(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
    until: Uuid,
) -> Result<Option<BTreeSet<Uuid>>, StoreError> {
    let noted: Vec<Id> = episode_changes::table
        .filter(episode_changes::org_id.eq(Id::from(org)))
        .filter(episode_changes::workspace_id.eq(Id::from(workspace)))
        .limit(row_limit(CHANGED + 1))
        .select(episode_changes::episode_id)
        .load(conn)
        .row_context("episode_changes", workspace)?;
    let ids = || noted.iter().map(|Id(id)| *id).filter(|id| *id <= until).collect();
    Ok((noted.len() <= CHANGED).then(ids))
}

/// The memories of a workspace that have changed since the blocks of the org were written; none if the org has too many.
fn changed_memories(
    conn: &mut Conn,
    (org, workspace): (OrgId, WorkspaceId),
) -> Result<Option<BTreeSet<Uuid>>, StoreError> {
    let Some(progress) = text_rows::progress(conn, org)? else { return Ok(None) };
    // with a condition on the author, the statement would read all rows of the author
    let rows: Vec<(Id, TextEnum<PartitionScope>, Id)> = memory_index::table
        .filter(memory_index::org_id.eq(Id::from(org)))
        .filter(memory_index::org_version.gt(progress))
        .limit(row_limit(CHANGED + 1))
        .select((memory_index::author_id, memory_index::scope, memory_index::memory_id))
        .load(conn)
        .row_context("memory_index", org)?;
    if rows.len() > CHANGED {
        return Ok(None);
    }
    let is_own = |author: &Id, scope: &TextEnum<PartitionScope>| {
        *author == Id::from(workspace) && scope.0.items == ItemType::Memory
    };
    Ok(Some(rows.into_iter().filter(|(author, scope, _)| is_own(author, scope)).map(|(.., Id(id))| id).collect()))
}
