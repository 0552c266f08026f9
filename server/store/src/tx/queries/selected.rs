//! The memories that a search selects by ids or metadata, which the index does not have.

use std::collections::{BTreeSet, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::MetadataFilter;
use uuid::Uuid;

use super::{Tx, TxKind};
use crate::StoreError;
use crate::columns::{Id, TextEnum};
use crate::contract::{MemoryStatus, Search};
use crate::engine::{Retry, RowContext};
use crate::schema::memories;

/// Maximum number of authors in a statement.
const CHUNK: usize = 500;

/// Whether the column `metadata` of a memory satisfies a filter.
pub(super) fn has_metadata(filter: &MetadataFilter, metadata: Option<&str>) -> bool {
    let metadata = metadata.and_then(|text| serde_json::from_str(text).ok());
    filter.matches(metadata.as_ref())
}

impl Tx<'_> {
    /// The selected memories of these authors; `None` if the search selects none in this way.
    ///
    /// # Complexity
    /// O(memories of `authors`) for a filter on metadata.
    pub(super) fn selected(
        &mut self,
        org: OrgId,
        authors: &BTreeSet<WorkspaceId>,
        search: &Search,
    ) -> Result<Option<HashSet<Uuid>>, StoreError> {
        let Some(filter) = &search.metadata else { return Ok(search.ids.clone()) };
        if self.kind == TxKind::Inline {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let authors: Vec<Id> = authors.iter().copied().map(Id::from).collect();
        let mut found = HashSet::new();
        for authors in authors.chunks(CHUNK) {
            let mut query = memories::table
                .filter(memories::org_id.eq(Id::from(org)))
                .filter(memories::author_id.eq_any(authors))
                .filter(memories::status.eq(TextEnum(MemoryStatus::Live)))
                .select((memories::id, memories::metadata))
                .into_boxed();
            if let [namespace] = &search.filter.namespaces[..] {
                query = query.filter(memories::namespace.eq(namespace.clone()));
            }
            if let [kind] = &search.filter.kinds[..] {
                query = query.filter(memories::kind.eq(kind.clone()));
            }
            let rows: Vec<(Id, Option<String>)> = query.load(self.conn()?).row_context("memories", org)?;
            let is_listed = |id: &Uuid| search.ids.as_ref().is_none_or(|ids| ids.contains(id));
            let rows = rows.into_iter().filter(|(Id(id), _)| is_listed(id));
            found.extend(rows.filter_map(|(Id(id), metadata)| has_metadata(filter, metadata.as_deref()).then_some(id)));
        }
        Ok(Some(found))
    }
}
