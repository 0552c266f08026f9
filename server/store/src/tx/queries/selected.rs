//! The memories that a search selects by metadata, which the index does not have.

use std::collections::{BTreeSet, HashSet};

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::MetadataFilter;
use uuid::Uuid;

use super::{Tx, one_of};
use crate::StoreError;
use crate::columns::{Id, TextEnum};
use crate::contract::{MemoryStatus, Search};
use crate::engine::RowContext;
use crate::schema::memories;

/// Authors in a statement.
const CHUNK: usize = 500;

/// Memories in a statement, a size that lists are filled up to.
const IDS: usize = 256;

/// The memories whose metadata are read.
pub(super) enum MetadataOf {
    /// All of some authors.
    Authors(BTreeSet<WorkspaceId>),
    Memories(Vec<Uuid>),
}

/// Whether the column `metadata` of a memory satisfies a filter.
pub(super) fn has_metadata(filter: &MetadataFilter, metadata: Option<&str>) -> bool {
    let metadata = metadata.and_then(|text| serde_json::from_str(text).ok());
    filter.matches(metadata.as_ref())
}

impl Tx<'_> {
    /// Those of some memories that satisfy a filter on metadata and are among the ids of the search, if it has ids.
    ///
    /// # Complexity
    /// O(memories of the authors, or of the list).
    pub(super) fn selected(
        &mut self,
        org: OrgId,
        filter: &MetadataFilter,
        of: MetadataOf,
        search: &Search,
    ) -> Result<HashSet<Uuid>, StoreError> {
        let mut selected = match of {
            MetadataOf::Authors(authors) => self.selected_of_authors(org, filter, authors, search)?,
            MetadataOf::Memories(ids) => self.selected_among(org, filter, &ids)?,
        };
        if let Some(ids) = &search.ids {
            selected.retain(|id| ids.contains(id));
        }
        Ok(selected)
    }

    /// Those of some memories that satisfy a filter on metadata.
    pub(super) fn selected_among(
        &mut self,
        org: OrgId,
        filter: &MetadataFilter,
        ids: &[Uuid],
    ) -> Result<HashSet<Uuid>, StoreError> {
        let ids: Vec<Id> = ids.iter().copied().map(Id).collect();
        let mut selected = HashSet::new();
        for ids in ids.chunks(IDS) {
            let rows: Vec<(Id, Option<String>)> = memories::table
                .filter(memories::org_id.eq(Id::from(org)))
                .filter(one_of(memories::id, ids))
                .select((memories::id, memories::metadata))
                .load(self.drained()?)
                .row_context("memories", org)?;
            let satisfying = rows.into_iter().filter(|(_, metadata)| has_metadata(filter, metadata.as_deref()));
            selected.extend(satisfying.map(|(Id(id), _)| id));
        }
        Ok(selected)
    }

    fn selected_of_authors(
        &mut self,
        org: OrgId,
        filter: &MetadataFilter,
        authors: BTreeSet<WorkspaceId>,
        search: &Search,
    ) -> Result<HashSet<Uuid>, StoreError> {
        let authors: Vec<Id> = authors.into_iter().map(Id::from).collect();
        let mut selected = HashSet::new();
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
            let rows = query.load_iter::<(Id, Option<String>), DefaultLoadingMode>(self.drained()?);
            for row in rows.row_context("memories", org)? {
                let (Id(id), metadata) = row.row_context("memories", org)?;
                if has_metadata(filter, metadata.as_deref()) {
                    selected.insert(id);
                }
            }
        }
        Ok(selected)
    }
}
