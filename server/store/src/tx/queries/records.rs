//! Records: reads, writes by their plans, and erasure.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::{RecordChange, RecordDraft};
use orgmem_policies::rules::{FieldState, FieldValue, RecordPlan, RecordState, plan_record};
use orgmem_policies::{RecordPass, ViewPass};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::Tx;
use super::entries::prefix_end;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, StoredRecord, key_hash};
use crate::engine::RowContext;
use crate::schema::{events, record_fields, records};

const TABLE: &str = "record_fields";
/// Maximum number of entities in a statement.
const CHUNK: usize = 500;

#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = records, primary_key(org_id, entity), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
struct RecordRow {
    org_id: Id,
    entity: String,
    replaced_as_of: Option<Time>,
    live_fields: i64,
    updated_at: Time,
}

#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = record_fields, primary_key(org_id, entity, field), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
struct FieldRow {
    org_id: Id,
    entity: String,
    field: String,
    value: Option<String>,
    unit: Option<String>,
    source: Option<String>,
    as_of: Time,
}

impl FieldRow {
    fn of(org_id: Id, entity: &str, field: &str, state: &FieldState) -> Self {
        let value = state.value.as_ref();
        Self {
            org_id,
            entity: entity.to_owned(),
            field: field.to_owned(),
            value: value.map(|value| value.value.to_string()),
            unit: value.and_then(|value| value.unit.clone()),
            source: value.map(|value| value.source.clone()),
            as_of: Time(state.as_of),
        }
    }

    fn read(self) -> Result<((String, String), FieldState), StoreError> {
        let unreadable = || StoreError::unreadable(TABLE, (&self.entity, &self.field), "its value is not JSON");
        let value = match &self.value {
            Some(text) => Some(FieldValue {
                value: serde_json::from_str(text).map_err(|_| unreadable())?,
                unit: self.unit.clone(),
                source: self.source.clone().unwrap_or_default(),
            }),
            None => None,
        };
        Ok(((self.entity, self.field), FieldState { as_of: self.as_of.0, value }))
    }
}

impl Tx<'_> {
    pub(crate) fn stored_record(&mut self, pass: &ViewPass, entity: &str) -> Result<Option<StoredRecord>, StoreError> {
        if holds_nul(entity) {
            return Ok(None);
        }
        let row: Option<RecordRow> = records::table
            .find((Id::from(pass.org()), entity))
            .filter(records::live_fields.gt(0))
            .select(RecordRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("records", key_hash(entity))?;
        Ok(self.with_fields(pass.org(), row.into_iter().collect())?.pop())
    }

    pub(crate) fn list_records(
        &mut self,
        pass: &ViewPass,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StoredRecord>, StoreError> {
        if holds_nul(prefix) || after.is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let mut rows = records::table
            .filter(records::org_id.eq(Id::from(pass.org())))
            .filter(records::live_fields.gt(0))
            .order(records::entity)
            .limit(row_limit(limit))
            .select(RecordRow::as_select())
            .into_boxed();
        rows = match after {
            Some(after) if after >= prefix => rows.filter(records::entity.gt(after)),
            _ => rows.filter(records::entity.ge(prefix)),
        };
        if let Some(end) = prefix_end(prefix) {
            rows = rows.filter(records::entity.lt(end));
        }
        let rows = rows.load(self.drained()?).row_context("records", pass.org())?;
        self.with_fields(pass.org(), rows)
    }

    fn with_fields(&mut self, org: OrgId, rows: Vec<RecordRow>) -> Result<Vec<StoredRecord>, StoreError> {
        let entities: Vec<String> = rows.iter().map(|row| row.entity.clone()).collect();
        let mut fields: HashMap<String, BTreeMap<String, FieldState>> = HashMap::new();
        for ((entity, field), state) in self.record_fields_of(org, &entities)? {
            fields.entry(entity).or_default().insert(field, state);
        }
        let with_fields = rows.into_iter().map(|row| {
            let replaced_as_of = row.replaced_as_of.map(|at| at.0);
            let state = RecordState { replaced_as_of, fields: fields.remove(&row.entity).unwrap_or_default() };
            StoredRecord { entity: row.entity, state, updated_at: row.updated_at.0 }
        });
        Ok(with_fields.collect())
    }

    pub(crate) fn record_fields_of(
        &mut self,
        org: OrgId,
        entities: &[String],
    ) -> Result<HashMap<(String, String), FieldState>, StoreError> {
        let mut found = HashMap::new();
        for entities in entities.chunks(CHUNK) {
            let rows: Vec<FieldRow> = record_fields::table
                .filter(record_fields::org_id.eq(Id::from(org)))
                .filter(record_fields::entity.eq_any(entities.to_vec()))
                .select(FieldRow::as_select())
                .load(self.drained()?)
                .row_context(TABLE, org)?;
            for row in rows {
                let (key, state) = row.read()?;
                found.insert(key, state);
            }
        }
        Ok(found)
    }

    pub(crate) fn write_records(
        &mut self,
        pass: &RecordPass,
        drafts: &[RecordDraft],
    ) -> Result<Vec<RecordPlan>, StoreError> {
        let (org, org_id) = (pass.org(), Id::from(pass.org()));
        let mut states = self.states_of(org, drafts)?;
        let mut plans = Vec::with_capacity(drafts.len());
        let mut hash = Sha256::new();
        for draft in drafts {
            let entity = draft.fields().entity.as_str();
            let state = states.remove(entity).unwrap_or_default();
            let plan = plan_record(&state, draft);
            let after = state.after(&plan);
            if !plan.is_void && (!plan.set.is_empty() || !plan.dropped.is_empty() || plan.replaced_as_of.is_some()) {
                self.store_plan(org_id, entity, &plan, &after)?;
            }
            for (field, state) in &plan.set {
                hash.update(serde_json::json!([entity, field, state.value.as_ref().map(|v| &v.value)]).to_string());
            }
            states.insert(entity.to_owned(), after);
            plans.push(plan);
        }
        let record = self.record_of(pass, drafts, &plans).hashed(hash.finalize().to_vec());
        self.touch(org)?;
        self.record(record)?;
        Ok(plans)
    }

    fn states_of(&mut self, org: OrgId, drafts: &[RecordDraft]) -> Result<HashMap<String, RecordState>, StoreError> {
        let entities: Vec<String> = drafts.iter().map(|draft| draft.fields().entity.as_str().to_owned()).collect();
        let mut states: HashMap<String, RecordState> = HashMap::new();
        for entities in entities.chunks(CHUNK) {
            let rows: Vec<(String, Option<Time>)> = records::table
                .filter(records::org_id.eq(Id::from(org)))
                .filter(records::entity.eq_any(entities.to_vec()))
                .select((records::entity, records::replaced_as_of))
                .load(self.drained()?)
                .row_context("records", org)?;
            for (entity, replaced_as_of) in rows {
                states.entry(entity).or_default().replaced_as_of = replaced_as_of.map(|at| at.0);
            }
        }
        for ((entity, field), state) in self.record_fields_of(org, &entities)? {
            states.entry(entity).or_default().fields.insert(field, state);
        }
        Ok(states)
    }

    fn store_plan(
        &mut self,
        org_id: Id,
        entity: &str,
        plan: &RecordPlan,
        after: &RecordState,
    ) -> Result<(), StoreError> {
        let row = RecordRow {
            org_id,
            entity: entity.to_owned(),
            replaced_as_of: after.replaced_as_of.map(Time),
            live_fields: i64::try_from(after.live().count()).unwrap_or(i64::MAX),
            updated_at: Time(self.now),
        };
        let key = (records::org_id, records::entity);
        let insert = diesel::insert_into(records::table).values(&row).on_conflict(key).do_update().set(&row);
        insert.execute(self.writing()?)?;
        for (field, state) in &plan.set {
            let row = FieldRow::of(org_id, entity, field, state);
            let key = (record_fields::org_id, record_fields::entity, record_fields::field);
            let insert = diesel::insert_into(record_fields::table).values(&row).on_conflict(key).do_update().set(&row);
            insert.execute(self.writing()?)?;
        }
        if !plan.dropped.is_empty() {
            let gone = record_fields::table
                .filter(record_fields::org_id.eq(org_id))
                .filter(record_fields::entity.eq(entity.to_owned()))
                .filter(record_fields::field.eq_any(plan.dropped.clone()));
            diesel::delete(gone).execute(self.writing()?)?;
            self.pending.deleted_from.push(TABLE);
        }
        Ok(())
    }

    /// The audit log has a hash of the entity, the event the entity itself.
    fn record_of(&self, pass: &RecordPass, drafts: &[RecordDraft], plans: &[RecordPlan]) -> AuditRecord {
        let changed: usize = plans.iter().map(|plan| plan.set.len() + plan.dropped.len()).sum();
        let ignored: usize = plans.iter().map(|plan| plan.ignored.len()).sum();
        let record = AuditRecord::new(AuditAction::WriteRecords, pass.root())
            .context_field("records", drafts.len())
            .context_field("fields", changed)
            .context_field("ignored", ignored)
            .event_field("write_count", drafts.len());
        let ([draft], [plan]) = (drafts, plans) else { return record };
        let fields = draft.fields();
        let change = match (fields.change, fields.fields.is_empty()) {
            (RecordChange::Replace, true) => "deleted",
            (RecordChange::Replace, false) => "replaced",
            (RecordChange::Merge, _) => "merged",
        };
        let names: Vec<&String> = plan.set.keys().chain(&plan.dropped).collect();
        record
            .context_field("entity_hash", key_hash(fields.entity.as_str()))
            .context_field("change", change)
            .event_field("entity", fields.entity.as_str())
            .event_field("fields", serde_json::json!(names))
            .event_field("change", change)
    }

    /// Deletes the record of an entity, with the events that name it.
    pub(crate) fn erase_record(&mut self, org: OrgId, entity: &str) -> Result<(), StoreError> {
        let org_id = Id::from(org);
        let conn = self.writing()?;
        let fields = record_fields::table.filter(record_fields::org_id.eq(org_id));
        diesel::delete(fields.filter(record_fields::entity.eq(entity))).execute(conn)?;
        let gone = diesel::delete(records::table.find((org_id, entity))).execute(conn)?;
        if gone + self.drop_reviews_about(org_id, entity)? == 0 {
            return Ok(());
        }
        let of_records: Vec<(i64, String)> = events::table
            .filter(events::org_id.eq(org_id))
            .filter(
                events::kind
                    .eq(TextEnum(EventKind::RecordChanged))
                    .or(events::kind.eq(TextEnum(EventKind::RecordDisputed))),
            )
            .select((events::seq, events::details))
            .load(self.drained()?)
            .row_context("events", "of records")?;
        for (seq, details) in of_records {
            let named = serde_json::from_str::<EventOfRecord>(&details).map(|event| event.entity);
            if named.is_ok_and(|named| named == entity) {
                diesel::delete(events::table.find((org_id, seq))).execute(self.writing()?)?;
                self.pending.deleted_from.push("events");
            }
        }
        self.pending.deleted_from.push("records");
        self.pending.deleted_from.push(TABLE);
        Ok(())
    }
}

/// The entity in the details of an event.
#[derive(Deserialize)]
struct EventOfRecord {
    entity: String,
}
