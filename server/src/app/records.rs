//! Records: replace, merge, delete, read, list.

use std::collections::BTreeMap;

use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{RecordChange, RecordDraft, RecordInput, RecordValueInput, check_entity};
use orgmem_policies::rules::RecordPlan;
use orgmem_policies::{Permission, RecordPass, ViewPass};
use orgmem_store::{AuditRecord, ReadPlan, StoredRecord, key_hash};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::wire::redactions;
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Lines of one request.
pub(crate) const MAX_LINES: usize = 1_000;

impl App {
    /// Replaces the record of an entity.
    ///
    /// # Errors
    /// [`AppError::Draft`] for an invalid field; [`AppError::Forbidden`] below the root.
    ///
    /// # Source
    /// `docs/spec/records.md`.
    pub async fn put_record(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        entity: String,
        request: wire::PutRecord,
    ) -> Result<wire::WrittenRecord, AppError> {
        let wire::PutRecord { fields, as_of, source } = request;
        let fields = fields.into_iter().map(|(name, value)| (name, wire::NewRecordValue(Some(value)))).collect();
        at_least_one(&fields)?;
        let line = wire::RecordLine { entity, fields, as_of, source, merge: false };
        self.write_record(auth, workspace, line).await
    }

    /// Changes some fields of the record of an entity.
    ///
    /// # Errors
    /// As for [`App::put_record`].
    pub async fn patch_record(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        entity: String,
        request: wire::PatchRecord,
    ) -> Result<wire::WrittenRecord, AppError> {
        let wire::PatchRecord { fields, as_of, source } = request;
        at_least_one(&fields)?;
        let line = wire::RecordLine { entity, fields, as_of, source, merge: true };
        self.write_record(auth, workspace, line).await
    }

    /// Deletes the record of an entity. Values that held later remain.
    ///
    /// # Errors
    /// As for [`App::put_record`].
    pub async fn delete_record(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        entity: String,
        request: wire::DeleteRecord,
    ) -> Result<wire::WrittenRecord, AppError> {
        let as_of = request.as_of.unwrap_or_else(|| self.now());
        let line = wire::RecordLine { entity, fields: BTreeMap::new(), as_of, source: None, merge: false };
        self.write_record(auth, workspace, line).await
    }

    /// Writes records line by line, all or none.
    ///
    /// # Errors
    /// As for [`App::put_record`], with the number of the line; [`AppError::Field`] for too many lines.
    pub async fn write_records(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::PushRecords,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::WrittenRecords, AppError> {
        let wire::PushRecords { records: lines } = request;
        if !(1..=MAX_LINES).contains(&lines.len()) {
            return Err(AppError::Field { field: "records", expected: format!("1 to {MAX_LINES} records") });
        }
        let written = self.write_lines(auth, workspace, lines, idempotency).await?;
        let is_applied = |record: &wire::WrittenRecord| record.status == wire::RecordWriteStatus::Applied;
        let applied = written.iter().filter(|record| is_applied(record)).count();
        let others =
            written.into_iter().filter(|record| !is_applied(record) || !record.redactions.is_empty()).collect();
        Ok(wire::WrittenRecords { applied, others })
    }

    async fn write_record(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        line: wire::RecordLine,
    ) -> Result<wire::WrittenRecord, AppError> {
        let mut written = self.write_lines(auth, workspace, vec![line], None).await;
        if let Err(AppError::About { error, .. }) = written {
            // there is only one
            written = Err(*error);
        }
        written?.pop().ok_or(AppError::RECORD_NOT_FOUND)
    }

    async fn write_lines(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        lines: Vec<wire::RecordLine>,
        idempotency: Option<Idempotency>,
    ) -> Result<Vec<wire::WrittenRecord>, AppError> {
        let (now, caller) = (self.now(), auth.identity().subject.clone());
        let make = move |lines: Vec<wire::RecordLine>, with: &super::drafting::Drafting| {
            let draft = |(at, line): (usize, wire::RecordLine)| {
                let checked = RecordDraft::check(input(line), with.scrubber, &caller, now);
                checked.map_err(|fault| AppError::About {
                    what: format!("record {}", at + 1),
                    error: Box::new(fault.into()),
                })
            };
            lines.into_iter().enumerate().map(draft).collect::<Result<Vec<_>, _>>()
        };
        let drafts = self.draft(auth, workspace, Permission::WriteRecords, lines, make).await?;
        self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| RecordPass::grant(caller, tree, id))?;
            call.spend_writes(Permission::WriteRecords, drafts.len(), false)?;
            let plans = call.tx.write_records(&pass, &drafts)?;
            Ok(drafts.iter().zip(plans).map(|(draft, plan)| outcome(draft, plan)).collect())
        })
        .await
    }

    /// The record of an entity of the workspace's tree.
    ///
    /// # Errors
    /// [`AppError::NotFound`] without such a record.
    pub async fn read_record(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        entity: &str,
    ) -> Result<wire::Record, AppError> {
        let entity = check_entity(entity)?.to_owned();
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let pass = call.reads_records()?;
            let found = call.tx.stored_record(&pass, &entity)?.ok_or(AppError::RECORD_NOT_FOUND)?;
            let record = AuditRecord::new(AuditAction::ReadRecords, call.workspace)
                .context_field("entity_hash", key_hash(&entity));
            Ok((to_wire(found), record))
        })
        .await
    }

    /// The records of the workspace's tree, by entity.
    pub async fn list_records(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListRecords,
    ) -> Result<Listing<wire::Record>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after: Option<String> = cursor::decode("records", request.cursor.as_deref())?;
        let prefix = request.prefix.unwrap_or_default();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.reads_records()?;
            let rows = call.tx.list_records(&pass, &prefix, after.as_deref(), limit + 1)?;
            let page = Listing::cut(rows, limit, "records", |row| row.entity.clone()).map(to_wire);
            let record =
                AuditRecord::new(AuditAction::ReadRecords, call.workspace).context_field("records", page.items.len());
            Ok((page, record))
        })
        .await
    }
}

impl ReadCall<'_> {
    fn reads_records(&mut self) -> Result<ViewPass, AppError> {
        let id = self.workspace;
        self.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadRecords, tree, id))
    }
}

fn at_least_one<T>(fields: &BTreeMap<String, T>) -> Result<(), AppError> {
    if fields.is_empty() {
        let expected = "at least one field; use DELETE to delete the record".to_owned();
        return Err(AppError::Field { field: "fields", expected });
    }
    Ok(())
}

fn input(line: wire::RecordLine) -> RecordInput {
    let value = |value: wire::RecordValue| RecordValueInput { value: value.value, unit: value.unit };
    RecordInput {
        entity: line.entity,
        fields: line.fields.into_iter().map(|(name, field)| (name, field.0.map(value))).collect(),
        as_of: line.as_of,
        source: line.source,
        change: if line.merge { RecordChange::Merge } else { RecordChange::Replace },
    }
}

fn outcome(draft: &RecordDraft, plan: RecordPlan) -> wire::WrittenRecord {
    use wire::RecordWriteStatus as Status;
    let fields = draft.fields();
    let status = match (plan.is_void, plan.ignored.len()) {
        (true, _) => Status::Ignored,
        (false, 0) => Status::Applied,
        (false, ignored) if ignored == fields.fields.len() && fields.change == RecordChange::Merge => Status::Ignored,
        (false, _) => Status::Partial,
    };
    wire::WrittenRecord {
        entity: fields.entity.as_str().to_owned(),
        status,
        ignored: plan.ignored,
        redactions: redactions(&fields.redactions),
    }
}

fn to_wire(record: StoredRecord) -> wire::Record {
    let fields = record.state.live().map(|(name, state, field)| {
        let field = wire::RecordField {
            value: field.value.clone(),
            unit: field.unit.clone(),
            as_of: state.as_of,
            source: field.source.clone(),
        };
        (name.to_owned(), field)
    });
    let fields = fields.collect();
    wire::Record { entity: record.entity, fields, updated_at: record.updated_at }
}
