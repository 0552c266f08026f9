//! Collections and their rows.

use std::collections::HashMap;

use diesel::prelude::*;
use orgmem_policies::drafts::RowDraft;
use orgmem_policies::rules::CollectionFacts;
use orgmem_policies::{ActPass, ViewPass};
use sha2::{Digest, Sha256};

use super::Tx;
use super::entries::prefix_end;
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{StoredCollection, StoredRow};
use crate::engine::RowContext;
use crate::schema::{collection_rows, collections};

pub(super) const TABLE: &str = "collection_rows";
/// Keys of a statement.
const CHUNK: usize = 500;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = collections, treat_none_as_default_value = false)]
pub(super) struct CollectionRow {
    pub(super) org_id: Id,
    pub(super) workspace_id: Id,
    pub(super) name: String,
    pub(super) key_column: String,
    pub(super) time_column: Option<String>,
    pub(super) schema: Option<String>,
    pub(super) row_count: i64,
    pub(super) bytes: i64,
    pub(super) created_at: Time,
    pub(super) updated_at: Time,
}

impl From<CollectionRow> for StoredCollection {
    fn from(row: CollectionRow) -> Self {
        Self {
            name: row.name,
            key: row.key_column,
            time: row.time_column,
            schema: row.schema,
            rows: row.row_count,
            bytes: row.bytes,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        }
    }
}

/// A row as it is written.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = collection_rows, treat_none_as_default_value = false)]
pub(super) struct NewRow {
    pub(super) org_id: Id,
    pub(super) workspace_id: Id,
    pub(super) collection: String,
    pub(super) key: String,
    pub(super) row_time: Option<Time>,
    pub(super) content: String,
    pub(super) content_hash: Vec<u8>,
    pub(super) size_bytes: i64,
    pub(super) seq: i64,
    pub(super) updated_at: Time,
    pub(super) extracted_at: Option<Time>,
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = collection_rows)]
pub(super) struct FoundRow {
    pub(super) key: String,
    pub(super) row_time: Option<Time>,
    pub(super) content: String,
    pub(super) seq: i64,
    pub(super) updated_at: Time,
    pub(super) extracted_at: Option<Time>,
}

impl From<FoundRow> for StoredRow {
    fn from(row: FoundRow) -> Self {
        Self {
            key: row.key,
            time: row.row_time.map(|at| at.0),
            values: row.content,
            seq: row.seq,
            updated_at: row.updated_at.0,
            extracted_at: row.extracted_at.map(|at| at.0),
        }
    }
}

/// The content of a row, and what it counts for budgets.
pub(super) fn content_of(draft: &RowDraft) -> (String, i64) {
    let content = draft.fields().values.to_string();
    let bytes = content.len() + draft.fields().key.as_str().len();
    (content, i64::try_from(bytes).unwrap_or(i64::MAX))
}

/// The hash of a row with its time, which a changed collection may take from another column.
pub(super) fn row_hash(content: &str, time: Option<Time>) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(content);
    hash.update(time.map_or(0, |at| at.0.timestamp_micros()).to_be_bytes());
    hash.finalize().to_vec()
}

impl Tx<'_> {
    pub(crate) fn collection(&mut self, pass: &ViewPass, name: &str) -> Result<Option<StoredCollection>, StoreError> {
        if holds_nul(name) {
            return Ok(None);
        }
        let row: Option<CollectionRow> = collections::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), name))
            .select(CollectionRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("collections", name)?;
        Ok(row.map(StoredCollection::from))
    }

    pub(crate) fn collections(&mut self, pass: &ViewPass) -> Result<Vec<StoredCollection>, StoreError> {
        let rows: Vec<CollectionRow> = collections::table
            .filter(collections::org_id.eq(Id::from(pass.org())))
            .filter(collections::workspace_id.eq(Id::from(pass.workspace())))
            .order(collections::name)
            .select(CollectionRow::as_select())
            .load(self.drained()?)
            .row_context("collections", pass.workspace())?;
        Ok(rows.into_iter().map(StoredCollection::from).collect())
    }

    pub(crate) fn row(
        &mut self,
        pass: &ViewPass,
        collection: &str,
        key: &str,
    ) -> Result<Option<StoredRow>, StoreError> {
        if holds_nul(collection) || holds_nul(key) {
            return Ok(None);
        }
        let row: Option<FoundRow> = collection_rows::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), collection, key))
            .select(FoundRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, pass.workspace())?;
        Ok(row.map(StoredRow::from))
    }

    pub(crate) fn list_rows(
        &mut self,
        pass: &ViewPass,
        collection: &str,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StoredRow>, StoreError> {
        if holds_nul(collection) || holds_nul(prefix) || after.is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let mut rows = collection_rows::table
            .filter(collection_rows::org_id.eq(Id::from(pass.org())))
            .filter(collection_rows::workspace_id.eq(Id::from(pass.workspace())))
            .filter(collection_rows::collection.eq(collection))
            .order(collection_rows::key)
            .limit(row_limit(limit))
            .select(FoundRow::as_select())
            .into_boxed();
        rows = match after {
            Some(after) if after >= prefix => rows.filter(collection_rows::key.gt(after)),
            _ => rows.filter(collection_rows::key.ge(prefix)),
        };
        if let Some(end) = prefix_end(prefix) {
            rows = rows.filter(collection_rows::key.lt(end));
        }
        let rows: Vec<FoundRow> = rows.load(self.drained()?).row_context(TABLE, pass.workspace())?;
        Ok(rows.into_iter().map(StoredRow::from).collect())
    }

    pub(crate) fn changed_rows(
        &mut self,
        pass: &ViewPass,
        collection: &str,
        after: i64,
        limit: usize,
        bytes: i64,
    ) -> Result<Vec<StoredRow>, StoreError> {
        let of_collection = || {
            collection_rows::table
                .filter(collection_rows::org_id.eq(Id::from(pass.org())))
                .filter(collection_rows::workspace_id.eq(Id::from(pass.workspace())))
                .filter(collection_rows::collection.eq(collection))
                .filter(collection_rows::seq.gt(after))
                .order(collection_rows::seq)
        };
        // the sizes first: rows of any size must not be loaded together
        let sizes: Vec<(i64, i64)> = of_collection()
            .limit(row_limit(limit))
            .select((collection_rows::seq, collection_rows::size_bytes))
            .load(self.drained()?)
            .row_context(TABLE, pass.workspace())?;
        let mut sum = 0;
        let within = sizes.iter().take_while(|(_, size)| {
            let fits = sum < bytes;
            sum += size;
            fits
        });
        let Some((last, _)) = within.last().copied() else { return Ok(Vec::new()) };
        let rows: Vec<FoundRow> = of_collection()
            .filter(collection_rows::seq.le(last))
            .select(FoundRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, pass.workspace())?;
        Ok(rows.into_iter().map(StoredRow::from).collect())
    }

    pub(crate) fn collection_facts(&mut self, pass: &ActPass, name: &str) -> Result<CollectionFacts, StoreError> {
        let known: Vec<(String, String, Option<String>, i64)> = collections::table
            .filter(collections::org_id.eq(Id::from(pass.org())))
            .filter(collections::workspace_id.eq(Id::from(pass.workspace())))
            .select((collections::name, collections::key_column, collections::time_column, collections::row_count))
            .load(self.drained()?)
            .row_context("collections", pass.workspace())?;
        let count = i64::try_from(known.len()).unwrap_or(i64::MAX);
        let existing = known.into_iter().find(|(known, ..)| known == name);
        Ok(CollectionFacts { existing: existing.map(|(_, key, time, rows)| (key, time, rows)), count })
    }

    pub(crate) fn row_growth(
        &mut self,
        pass: &ActPass,
        collection: &str,
        rows: &[RowDraft],
    ) -> Result<i64, StoreError> {
        let known = self.known_rows(pass, collection, rows)?;
        let growth = rows.iter().map(|row| {
            let before = known.get(row.fields().key.as_str()).map_or(0, |(_, size)| *size);
            content_of(row).1 - before
        });
        Ok(growth.sum())
    }

    /// The hashes and sizes of the stored rows with the keys of these.
    pub(super) fn known_rows(
        &mut self,
        pass: &ActPass,
        collection: &str,
        rows: &[RowDraft],
    ) -> Result<HashMap<String, (Vec<u8>, i64)>, StoreError> {
        let mut found = HashMap::new();
        for rows in rows.chunks(CHUNK) {
            let keys: Vec<String> = rows.iter().map(|row| row.fields().key.as_str().to_owned()).collect();
            let known: Vec<(String, Vec<u8>, i64)> = collection_rows::table
                .filter(collection_rows::org_id.eq(Id::from(pass.org())))
                .filter(collection_rows::workspace_id.eq(Id::from(pass.workspace())))
                .filter(collection_rows::collection.eq(collection))
                .filter(collection_rows::key.eq_any(keys))
                .select((collection_rows::key, collection_rows::content_hash, collection_rows::size_bytes))
                .load(self.drained()?)
                .row_context(TABLE, pass.workspace())?;
            found.extend(known.into_iter().map(|(key, hash, size)| (key, (hash, size))));
        }
        Ok(found)
    }
}
