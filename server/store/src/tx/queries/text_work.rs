//! The job that writes text blocks: reads the rows that they lack, and builds blocks with them.
//!
//! Blocks have the memories of a workspace at a version of the org, and its episodes up to an id. Whatever changes later is found
//! by that version, as an episode beyond that id, or by a note in `episode_changes`. So commits need not know of blocks, except
//! for late and changed episodes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use diesel::prelude::*;
use diesel::upsert::excluded;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_recall::{BlockBuilder, BlockError, BlockRows, RowKey, TextBlock};
use uuid::Uuid;

use super::text_rows::{
    self, Fault, TextBlockHead, TextBlockRow, TextWorkspace, TextWorkspaceRow, first_memory, heads, is_long, name_of,
    progress, rows, words,
};
use super::text_sources::{
    changed_episode_texts, changed_memories, changed_memory_texts, newest_episode, next_episode_texts,
    next_memory_texts,
};
use super::{Conn, Tx};
use crate::StoreError;
use crate::columns::{Id, row_limit};
use crate::contract::{NewBlock, SessionKind, TextChange, TextCoverage, TextUpdate, WorkspaceTexts};
use crate::engine::RowContext;
use crate::schema::{episode_changes, orgs, text_blocks, text_progress, text_workspaces};

/// Noted changes of episodes that are handled at once.
const NOTES: usize = 1_000;

/// Without changes for the blocks, their version is raised by this many at once, so that searches need not look through them.
const VERSIONS: i64 = 500;

/// A block of this many rows or bytes is not merged.
const FULL_ROWS: i64 = 4_096;
const FULL_BYTES: i64 = 1 << 20;

/// What happened to the rows of a workspace, by kind.
#[derive(Default)]
struct Changed {
    memories: BTreeSet<Uuid>,
    episodes: BTreeSet<Uuid>,
}

impl Tx<'_> {
    pub(crate) fn orgs_behind_texts(&mut self) -> Result<Vec<(OrgId, i64)>, StoreError> {
        let behind: Vec<(Id, i64)> = orgs::table
            .inner_join(text_progress::table.on(text_progress::org_id.eq(orgs::org_id)))
            .filter(text_progress::org_version.lt(orgs::version))
            .select((orgs::org_id, orgs::version))
            .load(self.conn()?)
            .row_context("orgs", "behind their text blocks")?;
        Ok(behind.into_iter().map(|(org, version)| (org.org(), version)).collect())
    }

    pub(crate) fn orgs_with_noted_episodes(&mut self) -> Result<Vec<OrgId>, StoreError> {
        let noted: Vec<Id> = episode_changes::table
            .select(episode_changes::org_id)
            .distinct()
            .load(self.conn()?)
            .row_context("episode_changes", "all")?;
        Ok(noted.into_iter().map(Id::org).collect())
    }

    pub(crate) fn text_work(&mut self, org: OrgId) -> Result<Option<TextUpdate>, StoreError> {
        let progress = progress(self.conn()?, org)?;
        let update = |change: TextChange| TextUpdate { org, progress, change, has_more: true };
        if self.core.caches.text_backlog.lock().orgs.is_damaged(org) {
            return Ok(Some(update(TextChange::Reset)));
        }
        let step = match self.text_changes(org, progress) {
            Ok(None) => self.text_growth(org, progress),
            changes => changes,
        };
        match step {
            Ok(step) => Ok(step.map(update)),
            Err(Fault::Store(error)) => Err(error),
            Err(Fault::Block(error)) => {
                tracing::warn!(%error, %org, "a text block is damaged; the blocks of the org are written again");
                Ok(Some(update(TextChange::Reset)))
            }
        }
    }

    /// The changes of rows that are in blocks.
    fn text_changes(&mut self, org: OrgId, progress: Option<i64>) -> Result<Option<TextChange>, Fault> {
        let version = self.view(org)?.row.version;
        let conn = self.conn()?;
        let noted: Vec<(Id, Id, Id)> = episode_changes::table
            .filter(episode_changes::org_id.eq(Id::from(org)))
            .limit(row_limit(NOTES))
            .select((episode_changes::workspace_id, episode_changes::id, episode_changes::episode_id))
            .load(conn)
            .row_context("episode_changes", org)?;
        let after = progress.unwrap_or(version);
        let (memories, until) = match after < version {
            true => changed_memories(conn, org, after, version)?,
            false => (Vec::new(), version),
        };
        let known = text_rows::workspaces(conn, org)?;
        let mut changed: BTreeMap<WorkspaceId, Changed> = BTreeMap::new();
        for (author, Id(id)) in memories {
            changed.entry(author.workspace()).or_default().memories.insert(id);
        }
        for (workspace, _, Id(episode)) in &noted {
            changed.entry(workspace.workspace()).or_default().episodes.insert(*episode);
        }
        changed.retain(|workspace, _| known.contains_key(workspace));
        if changed.is_empty() && noted.is_empty() && until - after < VERSIONS {
            self.core.caches.text_backlog.lock().orgs.examined(org, version);
            return Ok(None);
        }
        let mut all = Vec::with_capacity(changed.len());
        for (workspace, changed) in changed {
            let Some(known) = known.get(&workspace) else { continue };
            all.push(self.changed_texts((org, workspace), known, changed, after)?);
        }
        let noted = noted.into_iter().map(|(workspace, Id(id), _)| (workspace.workspace(), id)).collect();
        Ok(Some(TextChange::Store { until, workspaces: all, noted }))
    }

    /// The blocks of a workspace after changes of its rows.
    fn changed_texts(
        &mut self,
        (org, workspace): (OrgId, WorkspaceId),
        known: &TextWorkspace,
        Changed { mut memories, mut episodes }: Changed,
        after: i64,
    ) -> Result<WorkspaceTexts, Fault> {
        // those beyond are in no block
        episodes.retain(|episode| *episode <= known.coverage.episodes_until);
        let conn = self.conn()?;
        let mut texts = WorkspaceTexts::of(workspace, Some(known.version), known.coverage);
        let rows = changed_memory_texts(conn, (org, workspace), &mut memories, after)?;
        revise(conn, &mut texts, (org, SessionKind::Memory), &memories, rows)?;
        let rows = changed_episode_texts(conn, (org, workspace), &episodes)?;
        revise(conn, &mut texts, (org, SessionKind::Activity), &episodes, rows)?;
        Ok(texts)
    }

    /// The next rows of a reported workspace that are in no block.
    fn text_growth(&mut self, org: OrgId, progress: Option<i64>) -> Result<Option<TextChange>, Fault> {
        loop {
            let reported = self.core.caches.text_backlog.lock().next_reported(org);
            let Some(workspace) = reported else { return Ok(None) };
            if let Some(change) = self.workspace_growth(org, workspace, progress)? {
                return Ok(Some(change));
            }
            self.core.caches.text_backlog.lock().finished(org, workspace);
        }
    }

    fn workspace_growth(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        progress: Option<i64>,
    ) -> Result<Option<TextChange>, Fault> {
        let (version, bound) = (self.view(org)?.row.version, self.episodes_bound(org)?.unwrap_or(Id::NIL));
        let conn = self.conn()?;
        let store = |texts: WorkspaceTexts| {
            let until = progress.unwrap_or(version);
            Some(TextChange::Store { until, workspaces: vec![texts], noted: Vec::new() })
        };
        let Some(known) = text_rows::workspace(conn, org, workspace)? else {
            // changes from now on are changes of blocks
            let nothing =
                TextCoverage { episodes_until: Uuid::nil(), memories_until: first_memory(), has_memories: false };
            return Ok(store(WorkspaceTexts::of(workspace, None, nothing)));
        };
        let mut texts = WorkspaceTexts::of(workspace, Some(known.version), known.coverage);
        let nothing = BTreeSet::new();
        if !known.coverage.has_memories {
            let (rows, is_last) = next_memory_texts(conn, (org, workspace), known.coverage.memories_until)?;
            if let Some(last) = rows.last() {
                let time = DateTime::from_timestamp_micros(last.0.created_at).unwrap_or_default();
                texts.coverage.memories_until = (time, last.0.id);
            }
            texts.coverage.has_memories = is_last;
            revise(conn, &mut texts, (org, SessionKind::Memory), &nothing, rows)?;
            return Ok(store(texts));
        }
        let until = known.coverage.episodes_until;
        let (rows, is_last) = next_episode_texts(conn, (org, workspace), (until, bound.0))?;
        if let Some(last) = rows.last() {
            // all later writes up to the bound are noted
            texts.coverage.episodes_until = if is_last { bound.0 } else { last.0.id };
            revise(conn, &mut texts, (org, SessionKind::Activity), &nothing, rows)?;
            return Ok(store(texts));
        }
        let newest = match is_long(conn, (org, workspace), until)? {
            true => newest_episode(conn, (org, workspace), bound)?,
            false => None,
        };
        Ok(newest.map(TextChange::RaiseBound))
    }

    pub(crate) fn put_texts(&mut self, update: &TextUpdate) -> Result<bool, StoreError> {
        let TextUpdate { org, progress: from, change, .. } = update;
        let org = *org;
        if progress(self.drained()?, org)? != *from {
            return Ok(false);
        }
        match change {
            TextChange::Reset => {
                text_rows::delete_blocks(self.writing()?, org.into())?;
                self.pending.deleted_from.push("text_blocks");
                self.core.caches.text_backlog.lock().orgs.repaired(org);
                Ok(true)
            }
            TextChange::RaiseBound(until) => {
                self.view(org)?.changes.row_delta.raise_episodes_bound(Id(*until));
                Ok(true)
            }
            TextChange::Store { until, workspaces, noted } => self.put_blocks(org, (*from, *until), workspaces, noted),
        }
    }

    fn put_blocks(
        &mut self,
        org: OrgId,
        (from, until): (Option<i64>, i64),
        workspaces: &[WorkspaceTexts],
        noted: &[(WorkspaceId, Uuid)],
    ) -> Result<bool, StoreError> {
        let org_id = Id::from(org);
        let known = text_rows::workspaces(self.drained()?, org)?;
        if workspaces.iter().any(|texts| known.get(&texts.workspace).map(|known| known.version) != texts.version) {
            return Ok(false);
        }
        let conn = self.writing()?;
        for texts in workspaces {
            let workspace = Id::from(texts.workspace);
            for (kind, number) in &texts.gone {
                let name = name_of(*kind);
                diesel::delete(text_blocks::table.find((org_id, workspace, name, *number))).execute(conn)?;
            }
            for new in &texts.added {
                let row = TextBlockRow::of(org, texts.workspace, new);
                diesel::insert_into(text_blocks::table).values(row).execute(conn)?;
            }
            let row = TextWorkspaceRow::of(org, texts.workspace, texts.version.map_or(0, |v| v + 1), &texts.coverage);
            match texts.version {
                None => diesel::insert_into(text_workspaces::table).values(row).execute(conn)?,
                Some(_) => diesel::update(text_workspaces::table.find((org_id, workspace))).set(row).execute(conn)?,
            };
        }
        for (workspace, id) in noted {
            let row = episode_changes::table.find((org_id, Id::from(*workspace), Id(*id)));
            diesel::delete(row).execute(conn)?;
        }
        if from.is_none() && workspaces.is_empty() {
            return Ok(true);
        }
        diesel::insert_into(text_progress::table)
            .values((text_progress::org_id.eq(org_id), text_progress::org_version.eq(until)))
            .on_conflict(text_progress::org_id)
            .do_update()
            .set(text_progress::org_version.eq(excluded(text_progress::org_version)))
            .execute(conn)?;
        if workspaces.iter().any(|texts| texts.is_purged) {
            self.pending.deleted_from.push("text_blocks");
        }
        Ok(true)
    }
}

/// Removes rows from the blocks of a kind, and adds rows. Blocks that are not full are merged with the new rows, from the latest
/// on, as long as they have at most twice the rows that are collected. So each has more than twice the rows of the next one.
fn revise(
    conn: &mut Conn,
    texts: &mut WorkspaceTexts,
    (org, kind): (OrgId, SessionKind),
    removed: &BTreeSet<Uuid>,
    added: Vec<(RowKey, String)>,
) -> Result<(), Fault> {
    if removed.is_empty() && added.is_empty() {
        return Ok(());
    }
    let of = (org, texts.workspace, kind);
    let mut heads = heads(conn, of)?;
    heads.sort_by_key(|head| head.number);
    let mut next = heads.last().map_or(0, |head| head.number + 1);
    let mut builder = BlockBuilder::default();
    added.iter().for_each(|(key, folded)| builder.add(*key, folded));
    let mut full = Vec::new();
    let mut rest = Vec::new();
    for head in heads {
        if removed.range(head.first_id.0..=head.last_id.0).next().is_none() {
            rest.push(head);
            continue;
        }
        let stored = rows(conn, of, &[head.number])?;
        let stored = stored.get(&head.number).ok_or(BlockError::Truncated)?;
        if !BlockRows::read(stored)?.keys().any(|key| removed.contains(&key.id)) {
            rest.push(head);
            continue;
        }
        let block = block(conn, of, head.number)?;
        texts.gone.push((kind, head.number));
        texts.is_purged = true;
        let is_retained = |key: RowKey| !removed.contains(&key.id);
        if is_full(&head) {
            let mut own = BlockBuilder::default();
            own.merge(&block, is_retained)?;
            full.extend(own.finish());
        } else {
            builder.merge(&block, is_retained)?;
        }
    }
    rest.retain(|head| !is_full(head));
    while let Some(head) = rest.pop_if(|head| head.row_count <= 2 * row_limit(builder.len())) {
        let block = block(conn, of, head.number)?;
        builder.merge(&block, |_| true)?;
        texts.gone.push((kind, head.number));
    }
    for block in full.into_iter().chain(builder.finish()) {
        let head = block.head()?;
        texts.added.push(NewBlock { kind, number: next, head, block });
        next += 1;
    }
    Ok(())
}

fn is_full(head: &TextBlockHead) -> bool {
    head.row_count >= FULL_ROWS || head.size_bytes >= FULL_BYTES
}

fn block(conn: &mut Conn, of: (OrgId, WorkspaceId, SessionKind), number: i64) -> Result<TextBlock, Fault> {
    let (mut words, mut rows) = (words(conn, of, &[number])?, rows(conn, of, &[number])?);
    let missing = || Fault::Block(BlockError::Truncated);
    Ok(TextBlock { words: words.remove(&number).ok_or_else(missing)?, rows: rows.remove(&number).ok_or_else(missing)? })
}
