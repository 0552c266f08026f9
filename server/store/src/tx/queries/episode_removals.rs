//! Redaction of episodes, with the facts that were extracted from them.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ActPass;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::{MESSAGE, ReasonDraft};
use orgmem_policies::rules::{MEMORY_READ, WithdrawalCause};
use serde::Deserialize;
use uuid::Uuid;

use super::Tx;
use super::episodes::{EpisodeRow, Ids};
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{AuditRecord, RedactedEpisode};
use crate::engine::RowContext;
use crate::schema::{episodes, memory_versions};

/// Why content is removed, and who removes it.
#[derive(Clone, Copy)]
pub(super) struct Removal<'r> {
    pub(super) reason: &'r str,
    pub(super) by: &'r str,
}

/// The member of the metadata of a fact that names its message.
#[derive(Deserialize)]
struct Provenance {
    episode_id: Uuid,
}

impl Tx<'_> {
    pub(crate) fn redact_episode(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        reason: &ReasonDraft,
    ) -> Result<Option<RedactedEpisode>, StoreError> {
        let row = self.episode_row((pass.org().into(), pass.workspace().into(), Id(id)))?;
        let Some(row) = row else { return Ok(None) };
        if let Some(at) = row.redacted_at {
            return Ok(Some(RedactedEpisode { at: at.0, before: true, facts: Vec::new() }));
        }
        let by = self.actor.subject.to_string();
        let facts = self.redact_episode_row(row, Removal { reason: reason.as_str(), by: &by })?;
        Ok(Some(RedactedEpisode { at: self.now, before: false, facts }))
    }

    /// Redacts an episode that was redacted in another copy of the database. Returns false if it has no content here.
    pub(crate) fn repeat_episode_redaction(
        &mut self,
        org: OrgId,
        workspace: Uuid,
        id: Uuid,
        reason: &str,
    ) -> Result<bool, StoreError> {
        let row = self.episode_row((Id::from(org), Id(workspace), Id(id)))?;
        let Some(row) = row.filter(|row| row.redacted_at.is_none()) else { return Ok(false) };
        let by = self.actor.subject.to_string();
        self.redact_episode_row(row, Removal { reason, by: &by })?;
        Ok(true)
    }

    /// Returns the memories that were redacted with the episode.
    fn redact_episode_row(&mut self, row: EpisodeRow, removal: Removal<'_>) -> Result<Vec<Uuid>, StoreError> {
        let facts = self.remove_facts_of(&row, removal)?;
        let id = row.id.0.to_string();
        let record = AuditRecord::new(AuditAction::RedactEpisode, row.workspace_id.workspace())
            .context_field("episode_id", id.as_str())
            .context_field("reason", removal.reason)
            .event_field("id", id.as_str());
        let record = if facts.is_empty() { record } else { record.context_field("memories", facts.len()) };
        self.record(record)?;
        self.touch(row.org_id.org())?;
        self.empty_episode(row.clone())?;
        self.forget_pages_of(&row)?;
        Ok(facts)
    }

    /// Redacts all episodes about an end user, of every workspace of the org, with their facts. Returns the number of
    /// episodes and of facts.
    pub(super) fn erase_episodes_about(
        &mut self,
        org: OrgId,
        subject: &str,
        removal: Removal<'_>,
    ) -> Result<(usize, usize), StoreError> {
        let rows: Vec<EpisodeRow> = episodes::table
            .filter(episodes::org_id.eq(Id::from(org)))
            .filter(episodes::subject.eq(subject))
            .select(EpisodeRow::as_select())
            .load(self.drained()?)
            .row_context("episodes", "of a subject")?;
        let (count, mut facts) = (rows.len(), 0);
        for row in rows {
            // they name another end user by now, or the erasure has redacted them already
            facts += self.remove_facts_of(&row, removal)?.len();
            let fields = [("id", row.id.0.to_string().into())];
            let workspace = row.workspace_id.workspace();
            self.push_event(Time(self.now), EventKind::ActivityRedacted, workspace, None, None, &fields)?;
            self.empty_episode(row)?;
        }
        self.erase_pages_about(org, subject)?;
        Ok((count, facts))
    }

    /// Removes everything from an episode but its type, time and corrections, and queues the clean-up of the files.
    fn empty_episode(&mut self, row: EpisodeRow) -> Result<(), StoreError> {
        self.drop_reviews(row.org_id, row.id)?;
        self.withdraw_from_providers(row.org_id, row.id)?;
        self.pending.deleted_from.push("episodes");
        let emptied = EpisodeRow {
            supersedes: row.supersedes,
            superseded_by: row.superseded_by,
            created_at: row.created_at,
            recorded_at: row.recorded_at,
            redacted_at: Some(Time(self.now)),
            ..EpisodeRow::bare(row.org_id, row.workspace_id, row.id, row.activity_type)
        };
        let folded = emptied.folded();
        let key = (emptied.org_id, emptied.workspace_id, emptied.id);
        diesel::update(episodes::table.find(key))
            .set((&emptied, episodes::folded.eq(folded)))
            .execute(self.writing()?)?;
        self.note_episode(emptied.org_id, emptied.workspace_id, emptied.id)
    }

    /// Deletes the episodes of reads in a range of ids of a workspace. Returns their number.
    pub(super) fn delete_reads(&mut self, org: Id, workspace: Id, ids: Ids) -> Result<usize, StoreError> {
        let reads = || {
            let of_workspace = episodes::org_id.eq(org).and(episodes::workspace_id.eq(workspace));
            let in_range = episodes::id.ge(ids.from).and(episodes::id.lt(ids.below));
            episodes::table.filter(of_workspace.and(in_range)).filter(episodes::activity_type.eq(MEMORY_READ))
        };
        if let Some(bound) = self.episodes_bound(org.org())? {
            let noted: Vec<Id> = reads().filter(episodes::id.le(bound)).select(episodes::id).load(self.drained()?)?;
            noted.into_iter().try_for_each(|episode| self.note_episode(org, workspace, episode))?;
        }
        Ok(diesel::delete(reads()).execute(self.writing()?)?)
    }

    /// Removes what was extracted from a message of a turn: redacts the memories whose current version rests on it, and
    /// deletes the earlier versions of the others that do. Returns the redacted memories.
    fn remove_facts_of(&mut self, message: &EpisodeRow, removal: Removal<'_>) -> Result<Vec<Uuid>, StoreError> {
        if message.activity_type != MESSAGE {
            return Ok(Vec::new());
        }
        let mut redacted = Vec::new();
        for fact in self.facts_of_message(message)? {
            let row = self.memory_row(message.org_id.org(), fact)?;
            let is_of_turn = |row: &MemoryRow| row.content.is_some() && row.author_id == message.workspace_id;
            let Some(row) = row.filter(is_of_turn) else { continue };
            if self.rests_on(row.authored.metadata.as_deref(), message)? {
                self.redact_row(row, removal.reason, removal.by)?;
                redacted.push(fact);
            } else {
                self.delete_versions_of(&row, message)?;
            }
        }
        Ok(redacted)
    }

    /// Whether a fact of the turn rests on this message: its metadata name it, or none of the workspace any more, because an
    /// edit has changed them.
    fn rests_on(&mut self, metadata: Option<&str>, message: &EpisodeRow) -> Result<bool, StoreError> {
        let named = metadata.and_then(|metadata| serde_json::from_str(metadata).ok());
        let Some(Provenance { episode_id }) = named else { return Ok(true) };
        if episode_id == message.id.0 {
            return Ok(true);
        }
        let other = self.episode_row((message.org_id, message.workspace_id, Id(episode_id)))?;
        Ok(other.is_none_or(|other| other.activity_type != MESSAGE))
    }

    /// Deletes the earlier versions of a memory that rest on this message.
    fn delete_versions_of(&mut self, row: &MemoryRow, message: &EpisodeRow) -> Result<(), StoreError> {
        let earlier: Vec<(i64, Option<String>)> = memory_versions::table
            .filter(memory_versions::org_id.eq(row.org_id))
            .filter(memory_versions::memory_id.eq(row.id))
            .select((memory_versions::version, memory_versions::metadata))
            .load(self.drained()?)
            .row_context("memory_versions", row.id.0)?;
        let mut versions = Vec::new();
        for (version, metadata) in earlier {
            if self.rests_on(metadata.as_deref(), message)? {
                versions.push(version);
            }
        }
        if versions.is_empty() {
            return Ok(());
        }
        let org = row.org_id.org();
        self.touch(org)?;
        self.withdraw_skills_of(org, row.id.0, WithdrawalCause::SourceRemoved)?;
        let is_of_message = memory_versions::version.eq_any(versions.clone());
        self.uncount_versions(org, Box::new(memory_versions::memory_id.eq(row.id).and(is_of_message)))?;
        let rows = memory_versions::table
            .filter(memory_versions::org_id.eq(row.org_id))
            .filter(memory_versions::memory_id.eq(row.id))
            .filter(memory_versions::version.eq_any(versions));
        diesel::delete(rows).execute(self.writing()?)?;
        for table in ["memory_versions", "memory_segments"] {
            self.pending.deleted_from.push(table);
        }
        Ok(())
    }
}
