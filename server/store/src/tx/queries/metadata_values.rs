//! The values of the metadata of memories.

use std::collections::BTreeMap;

use diesel::prelude::*;
use orgmem_policies::{MetadataMember, MetadataValue, ReadPass};
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{FoundValue, Search};
use crate::engine::RowContext;
use crate::schema::memories;

/// Maximum number of memories in a statement.
const CHUNK: usize = 500;

impl Tx<'_> {
    pub(crate) fn metadata_values(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        member: &MetadataMember,
    ) -> Result<Vec<FoundValue>, StoreError> {
        let matches = self.matches(pass, search)?;
        let mut found: BTreeMap<MetadataValue, (usize, (Time, Id), i64)> = BTreeMap::new();
        for ids in matches.chunks(CHUNK) {
            let rows: Vec<(Id, Time, i64, Option<String>)> = memories::table
                .filter(memories::org_id.eq(Id::from(pass.org())))
                .filter(memories::id.eq_any(ids.iter().copied().map(Id)))
                .select((memories::id, memories::created_at, memories::version, memories::metadata))
                .load(self.conn()?)
                .row_context("memories", pass.org())?;
            for (id, created_at, version, metadata) in rows {
                let metadata = metadata.as_deref().and_then(|text| serde_json::from_str(text).ok());
                let Some(value) = member.of(metadata.as_ref()) else { continue };
                let (count, newest, newest_version) = found.entry(value).or_insert((0, (created_at, id), version));
                *count += 1;
                if (created_at, id) > *newest {
                    (*newest, *newest_version) = ((created_at, id), version);
                }
            }
        }
        let value = |(value, (count, (_, Id(id)), version)): (_, (usize, (Time, Id), i64))| FoundValue {
            value,
            count,
            newest: (id, version),
        };
        Ok(found.into_iter().map(value).collect())
    }

    /// The ids of all matches, in no particular order.
    fn matches(&mut self, pass: &ReadPass, search: &Search) -> Result<Vec<Uuid>, StoreError> {
        let (ids, _) = self.with_searcher(pass, search, |searcher, selection, query| {
            let candidates = selection.candidates(searcher, query, search);
            candidates.iter().map(|candidate| searcher.id(candidate)).collect()
        })?;
        Ok(ids)
    }
}
