//! Groups of processors: their rows and facts, and what changes of rows touch.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{ActPass, ViewPass};
use uuid::Uuid;

use super::Tx;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{GroupRow, RowAssignment, StoredGroup};
use crate::engine::RowContext;
use crate::schema::{collection_rows, processor_groups, processor_rows, processors};

pub(super) const GROUPS: &str = "processor_groups";
pub(super) const ROWS: &str = "processor_rows";
/// Keys or groups of a statement.
pub(super) const CHUNK: usize = 500;

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = processor_rows, treat_none_as_default_value = false)]
struct AssignedRow {
    org_id: Id,
    workspace_id: Id,
    processor: String,
    key: String,
    group_id: String,
    severity: i64,
    row_time: Option<Time>,
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = processor_groups, treat_none_as_default_value = false)]
struct TouchedRow {
    org_id: Id,
    workspace_id: Id,
    processor: String,
    group_id: String,
    dimensions: String,
    touched: i64,
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = processor_groups)]
pub(super) struct FoundGroup {
    group_id: String,
    dimensions: String,
    touched: i64,
    memory_id: Option<Id>,
    fingerprint: Option<String>,
}

impl FoundGroup {
    pub(super) fn read(self) -> Result<StoredGroup, StoreError> {
        let unreadable = |_| StoreError::unreadable(GROUPS, &self.group_id, "its dimensions are not a list");
        Ok(StoredGroup {
            values: serde_json::from_str(&self.dimensions).map_err(unreadable)?,
            id: self.group_id,
            touched: self.touched,
            memory: self.memory_id.map(|id| id.0),
            fingerprint: self.fingerprint,
        })
    }
}

impl Tx<'_> {
    pub(crate) fn groups_of_rows(
        &mut self,
        pass: &ViewPass,
        processor: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, StoreError> {
        self.assigned(pass.org(), pass.workspace(), processor, keys)
    }

    pub(super) fn assigned(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        processor: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, StoreError> {
        let mut found = HashMap::new();
        for keys in keys.chunks(CHUNK) {
            let rows: Vec<(String, String)> = processor_rows::table
                .filter(processor_rows::org_id.eq(Id::from(org)))
                .filter(processor_rows::workspace_id.eq(Id::from(workspace)))
                .filter(processor_rows::processor.eq(processor))
                .filter(processor_rows::key.eq_any(keys.to_vec()))
                .select((processor_rows::key, processor_rows::group_id))
                .load(self.drained()?)
                .row_context(ROWS, workspace)?;
            found.extend(rows);
        }
        Ok(found)
    }

    pub(crate) fn touched_groups(
        &mut self,
        pass: &ViewPass,
        processor: &str,
        limit: usize,
    ) -> Result<Vec<StoredGroup>, StoreError> {
        let rows: Vec<FoundGroup> = processor_groups::table
            .filter(processor_groups::org_id.eq(Id::from(pass.org())))
            .filter(processor_groups::workspace_id.eq(Id::from(pass.workspace())))
            .filter(processor_groups::processor.eq(processor))
            .filter(processor_groups::touched.gt(0))
            .order((processor_groups::touched, processor_groups::group_id))
            .limit(row_limit(limit))
            .select(FoundGroup::as_select())
            .load(self.drained()?)
            .row_context(GROUPS, pass.workspace())?;
        rows.into_iter().map(FoundGroup::read).collect()
    }

    pub(crate) fn processor_group(
        &mut self,
        pass: &ViewPass,
        processor: &str,
        id: &str,
    ) -> Result<Option<StoredGroup>, StoreError> {
        self.stored_group(pass.org(), pass.workspace(), processor, id)
    }

    pub(super) fn stored_group(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        processor: &str,
        id: &str,
    ) -> Result<Option<StoredGroup>, StoreError> {
        if holds_nul(processor) || holds_nul(id) {
            return Ok(None);
        }
        let row: Option<FoundGroup> = processor_groups::table
            .find((Id::from(org), Id::from(workspace), processor, id))
            .select(FoundGroup::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(GROUPS, id)?;
        row.map(FoundGroup::read).transpose()
    }

    pub(crate) fn group_rows(
        &mut self,
        pass: &ViewPass,
        processor: &str,
        group: &str,
        after: &str,
        limit: usize,
    ) -> Result<Vec<GroupRow>, StoreError> {
        let rows: Vec<(String, Option<Time>, i64)> = processor_rows::table
            .filter(processor_rows::org_id.eq(Id::from(pass.org())))
            .filter(processor_rows::workspace_id.eq(Id::from(pass.workspace())))
            .filter(processor_rows::processor.eq(processor))
            .filter(processor_rows::group_id.eq(group))
            .filter(processor_rows::key.gt(after))
            .order(processor_rows::key)
            .limit(row_limit(limit))
            .select((processor_rows::key, processor_rows::row_time, processor_rows::severity))
            .load(self.drained()?)
            .row_context(ROWS, group)?;
        let row =
            |(key, time, severity): (String, Option<Time>, i64)| GroupRow { key, time: time.map(|at| at.0), severity };
        Ok(rows.into_iter().map(row).collect())
    }

    pub(crate) fn assign_rows(
        &mut self,
        pass: &ActPass,
        processor: &str,
        run: Uuid,
        upto: i64,
        rows: &[RowAssignment],
    ) -> Result<bool, StoreError> {
        let (org, workspace) = (pass.org(), pass.workspace());
        let Some(known) = self.claimed_by(pass, processor, run)? else { return Ok(false) };
        let (org_id, workspace_id) = (Id::from(org), Id::from(workspace));
        // what was deleted meanwhile must not come back, and what changed is read again
        let mut current: HashMap<String, i64> = HashMap::new();
        let keys: Vec<String> = rows.iter().map(|row| row.key.clone()).collect();
        for keys in keys.chunks(CHUNK) {
            let found: Vec<(String, i64)> = collection_rows::table
                .filter(collection_rows::org_id.eq(org_id))
                .filter(collection_rows::workspace_id.eq(workspace_id))
                .filter(collection_rows::collection.eq(&known.collection))
                .filter(collection_rows::key.eq_any(keys.to_vec()))
                .select((collection_rows::key, collection_rows::seq))
                .load(self.drained()?)
                .row_context("collection_rows", workspace)?;
            current.extend(found);
        }
        let before = self.assigned(org, workspace, processor, &keys)?;
        let seq = self.next_seq(org)?;
        let (mut assigned, mut left, mut former) = (Vec::new(), Vec::new(), HashSet::new());
        let mut touched: BTreeMap<String, String> = BTreeMap::new();
        for row in rows.iter().filter(|row| current.get(&row.key) == Some(&row.seq)) {
            if let Some(group) = before.get(&row.key) {
                former.insert(group.clone());
            }
            let Some((group_id, values)) = &row.group else {
                left.push(row.key.clone());
                continue;
            };
            touched.entry(group_id.clone()).or_insert_with(|| values.values().to_string());
            assigned.push(AssignedRow {
                org_id,
                workspace_id,
                processor: processor.to_owned(),
                key: row.key.clone(),
                group_id: group_id.clone(),
                severity: row.severity,
                row_time: row.time.map(Time),
            });
        }
        former.retain(|group| !touched.contains_key(group));
        self.touch_groups(org_id, workspace_id, processor, former.into_iter().collect(), seq)?;
        let groups: Vec<TouchedRow> = touched
            .into_iter()
            .map(|(group_id, dimensions)| TouchedRow {
                org_id,
                workspace_id,
                processor: processor.to_owned(),
                group_id,
                dimensions,
                touched: seq,
            })
            .collect();
        let of_groups = " ON CONFLICT (org_id, workspace_id, processor, group_id) DO UPDATE SET \
            dimensions = excluded.dimensions, touched = excluded.touched";
        let of_rows = " ON CONFLICT (org_id, workspace_id, processor, key) DO UPDATE SET \
            group_id = excluded.group_id, severity = excluded.severity, row_time = excluded.row_time";
        #[allow(unused_mut, reason = "PostgreSQL collects statements")]
        let mut out = Outgoing::new(self.writing()?);
        write_rows!(out, groups, rows => Upsert { insert: diesel::insert_into(processor_groups::table).values(rows), on_conflict: of_groups });
        write_rows!(out, assigned, rows => Upsert { insert: diesel::insert_into(processor_rows::table).values(rows), on_conflict: of_rows });
        out.send()?;
        self.unassign(org_id, workspace_id, processor, &left)?;
        diesel::update(processors::table.find((org_id, workspace_id, processor)))
            .set(processors::read_seq.eq(upto))
            .execute(self.writing()?)?;
        let read = collection_rows::table
            .filter(collection_rows::org_id.eq(org_id))
            .filter(collection_rows::workspace_id.eq(workspace_id))
            .filter(collection_rows::collection.eq(&known.collection))
            .filter(collection_rows::seq.gt(known.read_seq))
            .filter(collection_rows::seq.le(upto));
        let now = Time(self.now);
        diesel::update(read).set(collection_rows::extracted_at.eq(Some(now))).execute(self.writing()?)?;
        self.touch(org)?;
        Ok(true)
    }

    pub(super) fn touch_groups(
        &mut self,
        org_id: Id,
        workspace_id: Id,
        processor: &str,
        groups: Vec<String>,
        seq: i64,
    ) -> Result<(), StoreError> {
        for groups in groups.chunks(CHUNK) {
            let found = processor_groups::table
                .filter(processor_groups::org_id.eq(org_id))
                .filter(processor_groups::workspace_id.eq(workspace_id))
                .filter(processor_groups::processor.eq(processor.to_owned()))
                .filter(processor_groups::group_id.eq_any(groups.to_vec()));
            diesel::update(found).set(processor_groups::touched.eq(seq)).execute(self.writing()?)?;
        }
        Ok(())
    }

    pub(super) fn unassign(
        &mut self,
        org_id: Id,
        workspace_id: Id,
        processor: &str,
        keys: &[String],
    ) -> Result<(), StoreError> {
        for keys in keys.chunks(CHUNK) {
            let found = processor_rows::table
                .filter(processor_rows::org_id.eq(org_id))
                .filter(processor_rows::workspace_id.eq(workspace_id))
                .filter(processor_rows::processor.eq(processor.to_owned()))
                .filter(processor_rows::key.eq_any(keys.to_vec()));
            diesel::delete(found).execute(self.writing()?)?;
        }
        Ok(())
    }
}
