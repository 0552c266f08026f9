//! Uses of procedures by runs, and reports about them.
//!
//! A use is written with the audit row of the read, which can be shortly after the end of the run. The end of a run settles
//! the uses that are written by then; the others take their outcome from the row of the run.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::rules::{PROCEDURE, ProcedureUse, UseOutcome};
use orgmem_policies::{ActPass, RunStatus};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::runs::RunRow;
use super::{Tx, one_of};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{OutcomeReport, PendingAuditEntry, SourceRef, StoredUse};
use crate::engine::RowContext;
use crate::schema::{memories, memory_uses};

const TABLE: &str = "memory_uses";

/// `outcome` of a run whose end says nothing about the procedure.
const NO_OUTCOME: &str = "none";

/// Maximum number of ids in a statement.
const CHUNK: usize = 500;

#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = memory_uses, primary_key(org_id, memory_id, version, voice), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
struct UseRow {
    org_id: Id,
    memory_id: Id,
    version: i64,
    voice: Id,
    workspace_id: Id,
    session: Id,
    read_at: Time,
    ended_at: Option<Time>,
    outcome: Option<String>,
    reported: Option<TextEnum<UseOutcome>>,
    note: Option<String>,
}

impl UseRow {
    fn read(self, author: WorkspaceId) -> Result<StoredUse, StoreError> {
        let unreadable = |_| StoreError::unreadable(TABLE, self.memory_id.0, "an unknown outcome");
        let of_run = match self.outcome.as_deref() {
            None | Some(NO_OUTCOME) => None,
            Some(text) => Some(text.parse::<UseOutcome>().map_err(unreadable)?),
        };
        let workspace = self.workspace_id.workspace();
        let outcome = UseOutcome::merged(of_run, self.reported.map(|reported| reported.0));
        let used = outcome.map(|outcome| ProcedureUse {
            voice: self.voice.0,
            workspace,
            session: self.session.0.as_u128(),
            is_own: workspace == author,
            is_report: of_run.is_none(),
            outcome,
            at: self.ended_at.unwrap_or(self.read_at).0.timestamp_micros(),
        });
        let (version, is_open) = (self.version, self.outcome.is_none());
        Ok(StoredUse { version, used, is_open, workspace, read_at: self.read_at.0, note: self.note })
    }
}

/// Identifies a session. The runs of a workspace without a session share one.
fn session_of(workspace: Id, session: Option<&str>) -> Id {
    let digest = match session {
        Some(session) => Sha256::new().chain_update([1_u8]).chain_update(session).finalize(),
        None => Sha256::new().chain_update([0_u8]).chain_update(workspace.0.as_bytes()).finalize(),
    };
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Id(Uuid::from_bytes(bytes))
}

/// The stored outcome of a run with this status; `None` while it is open.
fn outcome_of(status: RunStatus) -> Option<String> {
    match status {
        RunStatus::Open => None,
        ended => Some(UseOutcome::of_run(ended).map_or(NO_OUTCOME, UseOutcome::as_str).to_owned()),
    }
}

impl Tx<'_> {
    /// Stores the uses of procedures by runs among these reads.
    ///
    /// # Complexity
    /// No statement without reads of runs; else one for each run, and one for each 500 memories.
    pub(crate) fn note_uses(&mut self, entries: &[PendingAuditEntry]) -> Result<(), StoreError> {
        let org = Id::from(self.org);
        let mut runs: HashMap<Uuid, Option<RunRow>> = HashMap::new();
        let mut reads = Vec::new();
        for PendingAuditEntry { actor, at, record } in entries {
            let Some(run) = record.run.or(actor.run) else { continue };
            if !record.action.uses_procedures() || record.memories.is_empty() {
                continue;
            }
            if let Entry::Vacant(unknown) = runs.entry(run) {
                unknown.insert(self.run_row(self.org, run)?);
            }
            let Some(row) = runs.get(&run).and_then(Option::as_ref) else { continue };
            let end = row.finished_at.unwrap_or(row.times_out_at);
            if row.workspace_id == record.workspace.into() && *at <= end.0 {
                let memories = record.memories.iter().copied();
                reads.extend(memories.map(|(memory, version)| (memory, version, run, *at)));
            }
        }
        if reads.is_empty() {
            return Ok(());
        }
        let procedures = self.procedures(org, reads.iter().map(|(memory, ..)| *memory).collect())?;
        reads.retain(|(memory, ..)| procedures.contains(memory));
        let mut settled = BTreeSet::new();
        for (memory, version, run, at) in reads {
            let Some(row) = runs.get(&run).and_then(Option::as_ref) else { continue };
            let outcome = outcome_of(row.status.0);
            if outcome.is_some() {
                settled.insert(memory);
            }
            let used = UseRow {
                org_id: org,
                memory_id: Id(memory),
                version,
                voice: Id(run),
                workspace_id: row.workspace_id,
                session: session_of(row.workspace_id, row.session_id.as_deref()),
                read_at: Time(crate::columns::whole_micros(at)),
                ended_at: row.finished_at.filter(|_| outcome.is_some()),
                outcome,
                reported: None,
                note: None,
            };
            diesel::insert_into(memory_uses::table).values(used).on_conflict_do_nothing().execute(self.writing()?)?;
        }
        self.assess_skills_of(&settled)
    }

    /// Those of the memories that are procedures and have content.
    fn procedures(&mut self, org: Id, memories: HashSet<Uuid>) -> Result<HashSet<Uuid>, StoreError> {
        let ids: Vec<Id> = memories.into_iter().map(Id).collect();
        let mut procedures = HashSet::new();
        for ids in ids.chunks(CHUNK) {
            let found: Vec<Id> = memories::table
                .filter(memories::org_id.eq(org))
                .filter(one_of(memories::id, ids))
                .filter(memories::kind.eq(PROCEDURE))
                .filter(memories::content.is_not_null())
                .select(memories::id)
                .load(self.drained()?)
                .row_context("memories", "procedures")?;
            procedures.extend(found.into_iter().map(|id| id.0));
        }
        Ok(procedures)
    }

    /// Gives the uses of a run the outcome of its end.
    pub(crate) fn settle_uses(&mut self, org: OrgId, run: Uuid, status: RunStatus) -> Result<(), StoreError> {
        let open = memory_uses::table
            .filter(memory_uses::org_id.eq(Id::from(org)))
            .filter(memory_uses::voice.eq(Id(run)))
            .filter(memory_uses::outcome.is_null());
        let settled = (memory_uses::outcome.eq(outcome_of(status)), memory_uses::ended_at.eq(Some(Time(self.now))));
        if diesel::update(open).set(settled).execute(self.writing()?)? == 0 || UseOutcome::of_run(status).is_none() {
            return Ok(());
        }
        let used: Vec<Id> = memory_uses::table
            .filter(memory_uses::org_id.eq(Id::from(org)))
            .filter(memory_uses::voice.eq(Id(run)))
            .select(memory_uses::memory_id)
            .load(self.conn()?)
            .row_context(TABLE, run)?;
        self.assess_skills_of(&used.into_iter().map(|id| id.0).collect())
    }

    pub(crate) fn uses_of(
        &mut self,
        org: OrgId,
        author: WorkspaceId,
        memory: Uuid,
    ) -> Result<Vec<StoredUse>, StoreError> {
        let rows: Vec<UseRow> = memory_uses::table
            .filter(memory_uses::org_id.eq(Id::from(org)))
            .filter(memory_uses::memory_id.eq(Id(memory)))
            .order((memory_uses::read_at, memory_uses::voice))
            .select(UseRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, memory)?;
        rows.into_iter().map(|row| row.read(author)).collect()
    }

    pub(crate) fn version_read(&mut self, org: OrgId, memory: Uuid, run: Uuid) -> Result<Option<i64>, StoreError> {
        memory_uses::table
            .filter(memory_uses::org_id.eq(Id::from(org)))
            .filter(memory_uses::memory_id.eq(Id(memory)))
            .filter(memory_uses::voice.eq(Id(run)))
            .select(diesel::dsl::max(memory_uses::version))
            .first(self.drained()?)
            .row_context(TABLE, memory)
    }

    pub(crate) fn report_outcome(&mut self, pass: &ActPass, report: &OutcomeReport) -> Result<(), StoreError> {
        let (org_id, workspace_id, now) = (Id::from(pass.org()), Id::from(pass.workspace()), Time(self.now));
        let OutcomeReport { memory, version, run, outcome, note } = report;
        let voice = run.map_or(workspace_id, Id);
        self.touch(pass.org())?;
        let reported = (
            memory_uses::reported.eq(Some(TextEnum(*outcome))),
            memory_uses::note.eq(note.as_deref()),
            memory_uses::ended_at.eq(Some(now)),
        );
        let known = memory_uses::table.find((org_id, Id(*memory), *version, voice));
        if diesel::update(known).set(reported).execute(self.writing()?)? == 0 && run.is_none() {
            let row = UseRow {
                org_id,
                memory_id: Id(*memory),
                version: *version,
                voice,
                workspace_id,
                session: session_of(workspace_id, None),
                read_at: now,
                ended_at: Some(now),
                outcome: Some(NO_OUTCOME.to_owned()),
                reported: Some(TextEnum(*outcome)),
                note: note.clone(),
            };
            diesel::insert_into(memory_uses::table).values(row).execute(self.writing()?)?;
        }
        self.assess_skills_of(&BTreeSet::from([*memory]))
    }

    pub(crate) fn used_procedures(&mut self, org: OrgId) -> Result<Vec<Uuid>, StoreError> {
        let success = UseOutcome::Success.as_str();
        let worked = memory_uses::outcome.eq(success).or(memory_uses::reported.eq(TextEnum(UseOutcome::Success)));
        let ids: Vec<Id> = memory_uses::table
            .filter(memory_uses::org_id.eq(Id::from(org)))
            .filter(worked)
            .select(memory_uses::memory_id)
            .distinct()
            .load(self.drained()?)
            .row_context(TABLE, org)?;
        Ok(ids.into_iter().map(|id| id.0).collect())
    }

    pub(crate) fn uses_of_version(&mut self, org: OrgId, source: SourceRef) -> Result<Vec<ProcedureUse>, StoreError> {
        let (memory, version) = source;
        let Some(location) = self.memory_location(org, memory)? else { return Ok(Vec::new()) };
        let rows: Vec<UseRow> = memory_uses::table
            .filter(memory_uses::org_id.eq(Id::from(org)))
            .filter(memory_uses::memory_id.eq(Id(memory)))
            .filter(memory_uses::version.eq(version))
            .select(UseRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, memory)?;
        let uses = rows.into_iter().map(|row| row.read(location.author));
        uses.filter_map(|stored| stored.map(|stored| stored.used).transpose()).collect()
    }

    /// Deletes the uses of all versions of a memory, with the texts of their reports.
    pub(crate) fn forget_uses(&mut self, org: Id, memory: Id) -> Result<(), StoreError> {
        let uses = memory_uses::table.filter(memory_uses::org_id.eq(org)).filter(memory_uses::memory_id.eq(memory));
        if diesel::delete(uses).execute(self.writing()?)? > 0 {
            self.pending.deleted_from.push(TABLE);
        }
        Ok(())
    }
}
