//! Groups of processors: deletions of their rows, and their facts.

use std::collections::HashSet;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ActPass;
use uuid::Uuid;

use super::Tx;
use super::processor_groups::{CHUNK, FoundGroup, GROUPS, ROWS};
use crate::StoreError;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{SettledGroup, StoredGroup};
use crate::engine::RowContext;
use crate::schema::{processor_groups, processor_rows, processors};

impl Tx<'_> {
    /// Touches the groups of rows that are deleted, in every processor of their collection. Returns the memories with the
    /// facts of these groups.
    pub(super) fn note_deleted_rows(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        collection: &str,
        keys: &[String],
    ) -> Result<Vec<Uuid>, StoreError> {
        let (org_id, workspace_id) = (Id::from(org), Id::from(workspace));
        let mut memories = Vec::new();
        for processor in self.processors_of(org, workspace, collection)? {
            let assigned = self.assigned(org, workspace, &processor, keys)?;
            if assigned.is_empty() {
                continue;
            }
            let gone: Vec<String> = assigned.keys().cloned().collect();
            let groups: HashSet<String> = assigned.into_values().collect();
            self.unassign(org_id, workspace_id, &processor, &gone)?;
            self.pending.deleted_from.push(ROWS);
            let seq = self.next_seq(org)?;
            for group in &groups {
                let found = self.stored_group(org, workspace, &processor, group)?;
                memories.extend(found.and_then(|found| found.memory));
            }
            self.touch_groups(org_id, workspace_id, &processor, groups.into_iter().collect(), seq)?;
        }
        Ok(memories)
    }

    /// Forgets which memory has the fact of a group: the next run writes a new one.
    pub(super) fn detach_fact(&mut self, org: OrgId, memory: Uuid) -> Result<(), StoreError> {
        let found = processor_groups::table
            .filter(processor_groups::org_id.eq(Id::from(org)))
            .filter(processor_groups::memory_id.eq(Id(memory)).assume_not_null());
        diesel::update(found)
            .set((processor_groups::memory_id.eq(None::<Id>), processor_groups::fingerprint.eq(None::<String>)))
            .execute(self.writing()?)?;
        Ok(())
    }

    pub(crate) fn is_group_current(
        &mut self,
        pass: &ActPass,
        processor: &str,
        run: Uuid,
        group: &StoredGroup,
    ) -> Result<bool, StoreError> {
        if self.claimed_by(pass, processor, run)?.is_none() {
            return Ok(false);
        }
        let found = self.stored_group(pass.org(), pass.workspace(), processor, &group.id)?;
        Ok(found.as_ref() == Some(group))
    }

    pub(crate) fn settle_group(
        &mut self,
        pass: &ActPass,
        processor: &str,
        settled: &SettledGroup,
    ) -> Result<(), StoreError> {
        let key = (Id::from(pass.org()), Id::from(pass.workspace()), processor, settled.group.id.as_str());
        let has_rows = || {
            processor_rows::table
                .filter(processor_rows::org_id.eq(key.0))
                .filter(processor_rows::workspace_id.eq(key.1))
                .filter(processor_rows::processor.eq(processor))
                .filter(processor_rows::group_id.eq(key.3))
                .select(processor_rows::key)
        };
        self.touch(pass.org())?;
        let group = processor_groups::table.find(key);
        if settled.fact.is_none() {
            let row: Option<String> = has_rows().first(self.drained()?).optional().row_context(ROWS, key.3)?;
            if row.is_none() {
                diesel::delete(group).execute(self.writing()?)?;
                self.pending.deleted_from.push(GROUPS);
                return Ok(());
            }
        }
        let (memory, fingerprint) = match &settled.fact {
            Some((memory, fingerprint)) => (Some(Id(*memory)), Some(fingerprint.clone())),
            None => (None, None),
        };
        diesel::update(group)
            .set((
                processor_groups::touched.eq(0),
                processor_groups::memory_id.eq(memory),
                processor_groups::fingerprint.eq(fingerprint),
            ))
            .execute(self.writing()?)?;
        Ok(())
    }

    pub(crate) fn groups_to_drop(
        &mut self,
        pass: &ActPass,
        processor: &str,
        limit: usize,
    ) -> Result<Vec<StoredGroup>, StoreError> {
        let (org_id, workspace_id) = (Id::from(pass.org()), Id::from(pass.workspace()));
        let ended = (processors::claim.eq(None::<Id>), processors::claimed_until.eq(None::<Time>));
        diesel::update(processors::table.find((org_id, workspace_id, processor)))
            .set(ended)
            .execute(self.writing()?)?;
        let rows: Vec<FoundGroup> = processor_groups::table
            .filter(processor_groups::org_id.eq(org_id))
            .filter(processor_groups::workspace_id.eq(workspace_id))
            .filter(processor_groups::processor.eq(processor))
            .order(processor_groups::group_id)
            .limit(row_limit(limit))
            .select(FoundGroup::as_select())
            .load(self.drained()?)
            .row_context(GROUPS, processor)?;
        rows.into_iter().map(FoundGroup::read).collect()
    }

    pub(crate) fn drop_groups(
        &mut self,
        pass: &ActPass,
        processor: &str,
        groups: &[StoredGroup],
    ) -> Result<(), StoreError> {
        let (org_id, workspace_id) = (Id::from(pass.org()), Id::from(pass.workspace()));
        let ids: Vec<String> = groups.iter().map(|group| group.id.clone()).collect();
        for ids in ids.chunks(CHUNK) {
            let rows = processor_rows::table
                .filter(processor_rows::org_id.eq(org_id))
                .filter(processor_rows::workspace_id.eq(workspace_id))
                .filter(processor_rows::processor.eq(processor.to_owned()))
                .filter(processor_rows::group_id.eq_any(ids.to_vec()));
            diesel::delete(rows).execute(self.writing()?)?;
            let gone = processor_groups::table
                .filter(processor_groups::org_id.eq(org_id))
                .filter(processor_groups::workspace_id.eq(workspace_id))
                .filter(processor_groups::processor.eq(processor.to_owned()))
                .filter(processor_groups::group_id.eq_any(ids.to_vec()));
            diesel::delete(gone).execute(self.writing()?)?;
        }
        self.pending.deleted_from.push(GROUPS);
        self.pending.deleted_from.push(ROWS);
        self.touch(pass.org())?;
        Ok(())
    }
}
