//! Processors: definitions, claims and runs.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::ProcessorDraft;
use orgmem_policies::rules::ProcessorPlan;
use orgmem_policies::{ActPass, ViewPass};
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, ProcessorRun, StoredProcessor};
use crate::engine::RowContext;
use crate::schema::{processor_groups, processor_runs, processors};

const TABLE: &str = "processors";
/// Runs of a processor whose reports are retained.
const MAX_RUNS: usize = 100;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = processors, treat_none_as_default_value = false)]
struct ProcessorRow {
    org_id: Id,
    workspace_id: Id,
    name: String,
    collection: String,
    definition: String,
    revision: i64,
    read_seq: i64,
    due_at: Time,
    claim: Option<Id>,
    claimed_until: Option<Time>,
    last_run_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

impl From<ProcessorRow> for StoredProcessor {
    fn from(row: ProcessorRow) -> Self {
        Self {
            name: row.name,
            collection: row.collection,
            definition: row.definition,
            revision: row.revision,
            read_seq: row.read_seq,
            due_at: row.due_at.0,
            claim: row.claim.zip(row.claimed_until).map(|(claim, until)| (claim.0, until.0)),
            last_run_at: row.last_run_at.map(|at| at.0),
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        }
    }
}

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = processor_runs, treat_none_as_default_value = false)]
struct RunRow {
    org_id: Id,
    workspace_id: Id,
    processor: String,
    id: Id,
    cause: String,
    started_at: Time,
    ended_at: Time,
    rows_read: i64,
    grouped: i64,
    inserted: i64,
    updated: i64,
    rolled_back: i64,
    untouched: i64,
    cut_texts: i64,
    capped: Option<String>,
    error: Option<String>,
}

impl From<RunRow> for ProcessorRun {
    fn from(row: RunRow) -> Self {
        Self {
            id: row.id.0,
            cause: row.cause,
            started_at: row.started_at.0,
            ended_at: row.ended_at.0,
            read: row.rows_read,
            grouped: row.grouped,
            inserted: row.inserted,
            updated: row.updated,
            rolled_back: row.rolled_back,
            untouched: row.untouched,
            cut_texts: row.cut_texts,
            capped: row.capped,
            error: row.error,
        }
    }
}

impl Tx<'_> {
    pub(crate) fn processors(&mut self, pass: &ViewPass) -> Result<Vec<StoredProcessor>, StoreError> {
        let rows: Vec<ProcessorRow> = processors::table
            .filter(processors::org_id.eq(Id::from(pass.org())))
            .filter(processors::workspace_id.eq(Id::from(pass.workspace())))
            .order(processors::name)
            .select(ProcessorRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, pass.workspace())?;
        Ok(rows.into_iter().map(StoredProcessor::from).collect())
    }

    pub(crate) fn processor(&mut self, pass: &ViewPass, name: &str) -> Result<Option<StoredProcessor>, StoreError> {
        self.stored_processor(pass.org(), pass.workspace(), name)
    }

    fn stored_processor(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        name: &str,
    ) -> Result<Option<StoredProcessor>, StoreError> {
        if holds_nul(name) {
            return Ok(None);
        }
        let row: Option<ProcessorRow> = processors::table
            .find((Id::from(org), Id::from(workspace), name))
            .select(ProcessorRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, name)?;
        Ok(row.map(StoredProcessor::from))
    }

    /// The names of the processors that read a collection.
    pub(super) fn processors_of(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        collection: &str,
    ) -> Result<Vec<String>, StoreError> {
        processors::table
            .filter(processors::org_id.eq(Id::from(org)))
            .filter(processors::workspace_id.eq(Id::from(workspace)))
            .filter(processors::collection.eq(collection))
            .order(processors::name)
            .select(processors::name)
            .load(self.drained()?)
            .row_context(TABLE, workspace)
    }

    pub(crate) fn orgs_with_due_processors(&mut self, now: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        let orgs: Vec<Id> = processors::table
            .filter(processors::due_at.le(Time(now)))
            .filter(processors::claimed_until.is_null().or(processors::claimed_until.le(Time(now))))
            .select(processors::org_id)
            .distinct()
            .load(self.drained()?)
            .row_context(TABLE, "that are due")?;
        Ok(orgs.into_iter().map(Id::org).collect())
    }

    pub(crate) fn due_processors(
        &mut self,
        org: OrgId,
        now: DateTime<Utc>,
    ) -> Result<Vec<(WorkspaceId, String)>, StoreError> {
        let due: Vec<(Id, String)> = processors::table
            .filter(processors::org_id.eq(Id::from(org)))
            .filter(processors::due_at.le(Time(now)))
            .filter(processors::claimed_until.is_null().or(processors::claimed_until.le(Time(now))))
            .order((processors::due_at, processors::workspace_id, processors::name))
            .select((processors::workspace_id, processors::name))
            .load(self.drained()?)
            .row_context(TABLE, org)?;
        Ok(due.into_iter().map(|(workspace, name)| (workspace.workspace(), name)).collect())
    }

    pub(crate) fn processor_runs(
        &mut self,
        pass: &ViewPass,
        processor: &str,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<ProcessorRun>, StoreError> {
        if holds_nul(processor) {
            return Ok(Vec::new());
        }
        let mut rows = processor_runs::table
            .filter(processor_runs::org_id.eq(Id::from(pass.org())))
            .filter(processor_runs::workspace_id.eq(Id::from(pass.workspace())))
            .filter(processor_runs::processor.eq(processor))
            .order(processor_runs::id.desc())
            .limit(row_limit(limit))
            .select(RunRow::as_select())
            .into_boxed();
        if let Some(before) = before {
            rows = rows.filter(processor_runs::id.lt(Id(before)));
        }
        let rows: Vec<RunRow> = rows.load(self.drained()?).row_context("processor_runs", processor)?;
        Ok(rows.into_iter().map(ProcessorRun::from).collect())
    }

    pub(crate) fn put_processor(
        &mut self,
        pass: &ActPass,
        draft: &ProcessorDraft,
        plan: ProcessorPlan,
        due_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let org = pass.org();
        let (name, definition) = (draft.name().as_str(), draft.definition().to_string());
        let key = (Id::from(org), Id::from(pass.workspace()), name);
        let change = if plan.is_new() { "created" } else { "changed" };
        if plan.is_new() {
            let row = ProcessorRow {
                org_id: key.0,
                workspace_id: key.1,
                name: name.to_owned(),
                collection: draft.collection().to_string(),
                definition,
                revision: 1,
                read_seq: 0,
                due_at: Time(due_at),
                claim: None,
                claimed_until: None,
                last_run_at: None,
                created_at: Time(self.now),
                updated_at: Time(self.now),
            };
            diesel::insert_into(processors::table).values(&row).execute(self.writing()?)?;
        } else {
            let changed = (
                processors::definition.eq(definition),
                processors::revision.eq(processors::revision + 1),
                processors::read_seq.eq(0),
                processors::due_at.eq(Time(due_at)),
                processors::claim.eq(None::<Id>),
                processors::claimed_until.eq(None::<Time>),
                processors::updated_at.eq(Time(self.now)),
            );
            diesel::update(processors::table.find(key)).set(changed).execute(self.writing()?)?;
            let seq = self.next_seq(org)?;
            // an empty digest equals no fact
            let facts = processor_groups::table
                .filter(processor_groups::org_id.eq(key.0))
                .filter(processor_groups::workspace_id.eq(key.1))
                .filter(processor_groups::processor.eq(name.to_owned()));
            diesel::update(facts)
                .set((processor_groups::touched.eq(seq), processor_groups::fingerprint.eq(None::<String>)))
                .execute(self.writing()?)?;
        }
        self.touch(org)?;
        self.record(
            processor_record(AuditAction::ChangeProcessor, pass.workspace(), name).context_field("change", change),
        )?;
        Ok(())
    }

    pub(crate) fn claim_processor(
        &mut self,
        pass: &ActPass,
        processor: &str,
        run: Uuid,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let now = Time(self.now);
        let found = processors::table
            .filter(processors::org_id.eq(Id::from(pass.org())))
            .filter(processors::workspace_id.eq(Id::from(pass.workspace())))
            .filter(processors::name.eq(processor.to_owned()))
            .filter(
                processors::claimed_until
                    .is_null()
                    .or(processors::claimed_until.le(now))
                    .or(processors::claim.eq(Id(run)).assume_not_null()),
            );
        let claimed = (processors::claim.eq(Some(Id(run))), processors::claimed_until.eq(Some(Time(until))));
        Ok(diesel::update(found).set(claimed).execute(self.writing()?)? > 0)
    }

    /// The processor, if this run works on it.
    pub(super) fn claimed_by(
        &mut self,
        pass: &ActPass,
        processor: &str,
        run: Uuid,
    ) -> Result<Option<StoredProcessor>, StoreError> {
        let found = self.stored_processor(pass.org(), pass.workspace(), processor)?;
        Ok(found.filter(|found| found.claim.is_some_and(|(claim, _)| claim == run)))
    }

    pub(crate) fn end_processor_run(
        &mut self,
        pass: &ActPass,
        processor: &str,
        run: &ProcessorRun,
        due_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        if self.claimed_by(pass, processor, run.id)?.is_none() {
            return Ok(false);
        }
        let (org_id, workspace_id) = (Id::from(pass.org()), Id::from(pass.workspace()));
        let ended = (
            processors::due_at.eq(Time(due_at)),
            processors::claim.eq(None::<Id>),
            processors::claimed_until.eq(None::<Time>),
            processors::last_run_at.eq(Some(Time(run.started_at))),
        );
        diesel::update(processors::table.find((org_id, workspace_id, processor)))
            .set(ended)
            .execute(self.writing()?)?;
        let row = RunRow {
            org_id,
            workspace_id,
            processor: processor.to_owned(),
            id: Id(run.id),
            cause: run.cause.clone(),
            started_at: Time(run.started_at),
            ended_at: Time(run.ended_at),
            rows_read: run.read,
            grouped: run.grouped,
            inserted: run.inserted,
            updated: run.updated,
            rolled_back: run.rolled_back,
            untouched: run.untouched,
            cut_texts: run.cut_texts,
            capped: run.capped.clone(),
            error: run.error.clone(),
        };
        diesel::insert_into(processor_runs::table).values(&row).execute(self.writing()?)?;
        let of_processor = || {
            processor_runs::table
                .filter(processor_runs::org_id.eq(org_id))
                .filter(processor_runs::workspace_id.eq(workspace_id))
                .filter(processor_runs::processor.eq(processor.to_owned()))
        };
        let oldest: Option<Id> = of_processor()
            .order(processor_runs::id.desc())
            .offset(row_limit(MAX_RUNS))
            .limit(1)
            .select(processor_runs::id)
            .first(self.drained()?)
            .optional()
            .row_context("processor_runs", processor)?;
        if let Some(oldest) = oldest {
            diesel::delete(of_processor().filter(processor_runs::id.le(oldest))).execute(self.writing()?)?;
        }
        self.touch(pass.org())?;
        let writes = run.inserted + run.updated + run.rolled_back;
        let mut record = processor_record(AuditAction::RunProcessor, pass.workspace(), processor)
            .context_field("rows", run.read)
            .context_field("inserted", run.inserted)
            .context_field("updated", run.updated)
            .context_field("rolled_back", run.rolled_back)
            .event_field("write_count", writes);
        if writes == 0 {
            record = record.event_kind(None);
        }
        self.record(record)?;
        Ok(true)
    }

    pub(crate) fn drop_processor(&mut self, pass: &ActPass, processor: &str) -> Result<bool, StoreError> {
        let (org_id, workspace_id) = (Id::from(pass.org()), Id::from(pass.workspace()));
        let gone =
            diesel::delete(processors::table.find((org_id, workspace_id, processor))).execute(self.writing()?)?;
        if gone == 0 {
            return Ok(false);
        }
        let runs = processor_runs::table
            .filter(processor_runs::org_id.eq(org_id))
            .filter(processor_runs::workspace_id.eq(workspace_id))
            .filter(processor_runs::processor.eq(processor));
        diesel::delete(runs).execute(self.writing()?)?;
        for table in ["processors", "processor_runs", "processor_groups", "processor_rows"] {
            self.pending.deleted_from.push(table);
        }
        self.touch(pass.org())?;
        let record = processor_record(AuditAction::ChangeProcessor, pass.workspace(), processor);
        self.record(record.context_field("change", "deleted"))?;
        Ok(true)
    }
}

fn processor_record(action: AuditAction, workspace: WorkspaceId, name: &str) -> AuditRecord {
    AuditRecord::new(action, workspace).context_field("processor", name).event_field("processor", name)
}
