//! Memories in the order of their ids, for exports.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ServerPass;
use uuid::Uuid;

use super::Tx;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Memory, MemoryStatus};
use crate::engine::RowContext;
use crate::schema::{memories, orgs};

impl Tx<'_> {
    pub(crate) fn next_org(&mut self, _: &ServerPass, after: Option<OrgId>) -> Result<Option<OrgId>, StoreError> {
        // the row with the nil id is the server itself
        let after = after.map_or(Id::NIL, Id::from);
        let next: Option<Id> = orgs::table
            .filter(orgs::org_id.gt(after))
            .order(orgs::org_id)
            .select(orgs::org_id)
            .first(self.conn()?)
            .optional()
            .row_context("orgs", after)?;
        Ok(next.map(Id::org))
    }

    pub(crate) fn memories_by_id(
        &mut self,
        _: &ServerPass,
        org: OrgId,
        after: Option<Uuid>,
        most: usize,
    ) -> Result<Vec<Memory>, StoreError> {
        let now = Time(self.now);
        let mut page = memories::table
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::status.eq(TextEnum(MemoryStatus::Live)))
            .filter(memories::expires_at.is_null().or(memories::expires_at.gt(now)))
            .into_boxed();
        if let Some(after) = after {
            page = page.filter(memories::id.gt(Id(after)));
        }
        let rows: Vec<MemoryRow> = page
            .order(memories::id)
            .limit(i64::try_from(most).unwrap_or(i64::MAX))
            .select(MemoryRow::as_select())
            .load(self.conn()?)
            .row_context("memories", org)?;
        rows.into_iter().map(Memory::try_from).collect()
    }
}
