//! Pending memories of open runs. They have a table of their own, so that no query on memories can return them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{AuthoredFields, StagedFields};
use orgmem_policies::rules::{StageFacts, StagePlan};
use orgmem_policies::{Role, WritePass};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Tx;
use super::runs::RunRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{AuditRecord, Committed, PendingMemory, PendingMemoryRef, ReadyMemory};
use crate::engine::RowContext;
use crate::schema::pending_memories;

/// Names the table in errors and in the clean-up of the files.
const TABLE: &str = "pending_memories";

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = pending_memories, treat_none_as_default_value = false)]
struct PendingRow {
    org_id: Id,
    run_id: Id,
    number: i64,
    memory_id: Id,
    workspace_id: Id,
    scope: TextEnum<Scope>,
    team_id: Id,
    writer_role: TextEnum<Role>,
    subject: Option<String>,
    draft: String,
    held_at: Time,
}

/// The JSON of the column `draft`.
#[derive(Serialize, Deserialize)]
struct StoredDraft {
    #[serde(flatten)]
    authored: AuthoredFields,
    supersedes: Option<Uuid>,
    #[serde(default)]
    profile_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    occurred_at: Option<DateTime<Utc>>,
}

impl StoredDraft {
    fn of(memory: &ReadyMemory) -> Self {
        let fields = memory.draft.fields();
        Self {
            authored: memory.authored.clone(),
            supersedes: fields.supersedes,
            profile_id: fields.profile_id,
            occurred_at: fields.occurred_at,
        }
    }
}

impl PendingRow {
    fn read(self) -> Result<PendingMemory, StoreError> {
        let stored: StoredDraft = serde_json::from_str(&self.draft)
            .map_err(|_| StoreError::unreadable(TABLE, (self.run_id.0, self.number), "its draft cannot be decoded"))?;
        let staged = StagedFields {
            authored: stored.authored,
            id: self.memory_id.0,
            run_id: self.run_id.0,
            profile_id: stored.profile_id,
            supersedes: stored.supersedes,
            occurred_at: stored.occurred_at,
        };
        Ok(PendingMemory {
            number: self.number,
            id: self.memory_id.0,
            scope: self.scope.0,
            team: self.team_id.team(),
            role: self.writer_role.0,
            staged,
            held_at: self.held_at.0,
        })
    }
}

impl Tx<'_> {
    pub(crate) fn pending_of_run(
        &mut self,
        org: OrgId,
        run: Uuid,
        after: i64,
        most: usize,
    ) -> Result<Vec<PendingMemory>, StoreError> {
        let rows: Vec<PendingRow> = pending_memories::table
            .filter(pending_memories::org_id.eq(Id::from(org)))
            .filter(pending_memories::run_id.eq(Id(run)))
            .filter(pending_memories::number.gt(after))
            .order(pending_memories::number)
            .limit(row_limit(most))
            .select(PendingRow::as_select())
            .load(self.conn()?)
            .row_context(TABLE, run)?;
        rows.into_iter().map(PendingRow::read).collect()
    }

    pub(crate) fn pending_by_memory(&mut self, org: OrgId, memory: Uuid) -> Result<Vec<PendingMemoryRef>, StoreError> {
        let rows: Vec<(Id, Id)> = pending_memories::table
            .filter(pending_memories::org_id.eq(Id::from(org)))
            .filter(pending_memories::memory_id.eq(Id(memory)))
            .order(pending_memories::run_id.desc())
            .select((pending_memories::run_id, pending_memories::workspace_id))
            .load(self.conn()?)
            .row_context(TABLE, memory)?;
        Ok(rows.into_iter().map(|(run, author)| PendingMemoryRef { run: run.0, author: author.workspace() }).collect())
    }

    pub(crate) fn stage_facts(
        &mut self,
        pass: &WritePass,
        run: Uuid,
        memory: &ReadyMemory,
        id: Uuid,
    ) -> Result<StageFacts, StoreError> {
        let org = pass.org();
        Ok(StageFacts {
            commit: self.commit_facts(pass, memory, id)?,
            write_count: self.staging_run(org, run)?.write_count,
            is_staged: self.staged_row(org, run, id)?.is_some(),
            supersedes_staged: match memory.draft.fields().supersedes {
                Some(old) => self.staged_row(org, run, old)?.is_some(),
                None => false,
            },
        })
    }

    fn staging_run(&mut self, org: OrgId, run: Uuid) -> Result<RunRow, StoreError> {
        self.run_row(org, run)?.ok_or_else(|| StoreError::unreadable("runs", run, "it does not exist"))
    }

    pub(crate) fn stage_memory(
        &mut self,
        pass: &WritePass,
        run: Uuid,
        memory: &ReadyMemory,
        plan: StagePlan,
    ) -> Result<Committed, StoreError> {
        let (org, id, fields) = (pass.org(), plan.id(), memory.draft.fields());
        let row = self.staging_run(org, run)?;
        let known = self.staged_row(org, run, id)?;
        self.touch(org)?;
        let draft = serde_json::to_string(&StoredDraft::of(memory))
            .map_err(|error| StoreError::unreadable(TABLE, id, error))?;
        let number = known.as_ref().map_or(row.write_count + 1, |known| known.number);
        let pending_row = PendingRow {
            org_id: org.into(),
            run_id: Id(run),
            number,
            memory_id: Id(id),
            workspace_id: pass.author().into(),
            scope: TextEnum(pass.scope()),
            team_id: Id::of_team(pass.team()),
            writer_role: TextEnum(pass.role()),
            subject: fields.subject.as_ref().map(|subject| subject.as_str().to_owned()),
            draft,
            held_at: Time(self.now),
        };
        match known {
            Some(_) => {
                self.pending.deleted_from.push(TABLE);
                diesel::delete(pending_memories::table.find((pending_row.org_id, pending_row.run_id, number)))
                    .execute(self.writing()?)?;
            }
            None => self.count_pending(&row, row.write_count + 1)?,
        }
        diesel::insert_into(pending_memories::table).values(&pending_row).execute(self.writing()?)?;
        let record = AuditRecord::new(AuditAction::HoldMemory, pass.author())
            .about([(id, 0)])
            .hashed(memory.analysed.content_hash.to_vec())
            .in_run(Some(run))
            // without `visible_to`: only callers that may read the run receive the event
            .event_field("run_id", run.to_string());
        self.record(record)?;
        Ok(Committed { id, version: 0, created_at: self.now, expires_at: fields.expires_at })
    }

    fn staged_row(&mut self, org: OrgId, run: Uuid, memory: Uuid) -> Result<Option<PendingRow>, StoreError> {
        pending_memories::table
            .filter(pending_memories::org_id.eq(Id::from(org)))
            .filter(pending_memories::memory_id.eq(Id(memory)))
            .filter(pending_memories::run_id.eq(Id(run)))
            .select(PendingRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context(TABLE, memory)
    }

    /// Deletes the pending memories of a run and queues the clean-up of the files. Returns the ids of those that were not
    /// committed.
    pub(crate) fn drop_pending(
        &mut self,
        org: OrgId,
        run: Uuid,
        any_dropped: bool,
        any_committed: bool,
    ) -> Result<Vec<Uuid>, StoreError> {
        let of_run = || {
            pending_memories::table
                .filter(pending_memories::org_id.eq(Id::from(org)))
                .filter(pending_memories::run_id.eq(Id(run)))
        };
        let mut dropped = Vec::new();
        if any_dropped {
            let rows: Vec<Id> =
                of_run().order(pending_memories::number).select(pending_memories::memory_id).load(self.conn()?)?;
            for Id(memory) in rows {
                if !(any_committed && self.was_written_now(org, memory)?) {
                    dropped.push(memory);
                }
            }
        }
        // also after the commit of all drafts: a later redaction must not leave a copy in this table
        self.pending.deleted_from.push(TABLE);
        diesel::delete(of_run()).execute(self.writing()?)?;
        Ok(dropped)
    }

    /// Whether this transaction has written the memory.
    fn was_written_now(&mut self, org: OrgId, memory: Uuid) -> Result<bool, StoreError> {
        Ok(self.memory_row(org, memory)?.is_some_and(|row| row.updated_at.0 == self.now))
    }

    /// Deletes the pending memories about an end user. Returns their number.
    pub(crate) fn erase_pending_about(&mut self, org: OrgId, subject: &str) -> Result<i64, StoreError> {
        let rows: Vec<(Id, Id, i64)> = pending_memories::table
            .filter(pending_memories::org_id.eq(Id::from(org)))
            .filter(pending_memories::subject.eq(subject))
            .select((pending_memories::workspace_id, pending_memories::run_id, pending_memories::number))
            .load(self.drained()?)
            .row_context(TABLE, org)?;
        self.delete_pending(org, &rows)
    }

    /// Deletes the pending versions of a memory. Returns their number.
    pub(crate) fn erase_pending_memory(&mut self, org: OrgId, memory: Uuid) -> Result<i64, StoreError> {
        let rows: Vec<(Id, Id, i64)> = pending_memories::table
            .filter(pending_memories::org_id.eq(Id::from(org)))
            .filter(pending_memories::memory_id.eq(Id(memory)))
            .select((pending_memories::workspace_id, pending_memories::run_id, pending_memories::number))
            .load(self.drained()?)
            .row_context(TABLE, memory)?;
        self.delete_pending(org, &rows)
    }

    fn delete_pending(&mut self, org: OrgId, rows: &[(Id, Id, i64)]) -> Result<i64, StoreError> {
        let runs: BTreeMap<Uuid, WorkspaceId> =
            rows.iter().map(|(workspace, run, ..)| (run.0, workspace.workspace())).collect();
        for (run, workspace) in runs {
            self.announce_run(workspace, run)?;
        }
        for (_, run, number) in rows {
            self.pending.deleted_from.push(TABLE);
            diesel::delete(pending_memories::table.find((Id::from(org), *run, *number))).execute(self.writing()?)?;
        }
        Ok(i64::try_from(rows.len()).unwrap_or(i64::MAX))
    }
}
