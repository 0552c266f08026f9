//! The items of a page of a search, read by their ids.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use super::memory_rows::MemoryRow;
use super::{Tx, one_of};
use crate::StoreError;
use crate::columns::Id;
use crate::contract::{ItemType, Memory, SearchedItems};
use crate::engine::RowContext;
use crate::schema::memories;

impl Tx<'_> {
    /// The items with these ids. `pages` has those of pages, by their workspaces.
    pub(super) fn hydrate(
        &mut self,
        org: OrgId,
        ids: &BTreeSet<Uuid>,
        items: SearchedItems,
        pages: &BTreeMap<WorkspaceId, BTreeSet<Uuid>>,
    ) -> Result<HashMap<Uuid, Memory>, StoreError> {
        let mut found = match items.has(ItemType::Passage) {
            true => self.found_passages(org, ids)?,
            false => HashMap::new(),
        };
        for (workspace, ids) in pages {
            let pages = self.found_pages(org, *workspace, ids)?;
            found.extend(pages.into_iter().map(|page| (page.id, page)));
        }
        let missing: Vec<Id> = ids.iter().copied().filter(|id| !found.contains_key(id)).map(Id).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        let rows: Vec<MemoryRow> = memories::table
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(one_of(memories::id, missing))
            .select(MemoryRow::as_select())
            .load(self.conn()?)
            .row_context("memories", org)?;
        for row in rows {
            found.insert(row.id.0, row.try_into()?);
        }
        Ok(found)
    }
}
