//! Collections of rows: structured raw material of one workspace.

use chrono::{DateTime, Utc};
use orgmem_policies::drafts::{CollectionDraft, ReasonDraft, RowDraft};
use orgmem_policies::rules::{CollectionFacts, CollectionPlan, RowPlan};
use orgmem_policies::{ActPass, ViewPass};

use crate::StoreError;

/// A collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCollection {
    /// Unique in the workspace.
    pub name: String,
    /// The column of the key.
    pub key: String,
    /// The column of the time.
    pub time: Option<String>,
    /// JSON Schema as text.
    pub schema: Option<String>,
    /// Number of rows.
    pub rows: i64,
    /// Bytes of the rows as compact JSON, with their keys.
    pub bytes: i64,
    /// Time of the creation.
    pub created_at: DateTime<Utc>,
    /// Time of the last change of the settings.
    pub updated_at: DateTime<Utc>,
}

/// A row of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// Unique in the collection.
    pub key: String,
    /// The instant in the column of the time.
    pub time: Option<DateTime<Utc>>,
    /// All columns, a JSON object as text.
    pub values: String,
    /// The number of its last change within the org.
    pub seq: i64,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
    /// When a processor read it last; none since its last change.
    pub extracted_at: Option<DateTime<Utc>>,
}

/// The effect of a write of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenRows {
    /// Rows with a new key.
    pub inserted: usize,
    /// Rows with a known key and other values.
    pub updated: usize,
    /// Rows that were there already.
    pub unchanged: usize,
}

transaction! {
    forward_row_reads

    /// The part of a snapshot that reads collections and rows.
    pub trait RowReads {
        /// A collection of the pass's workspace.
        fn collection(&mut self, pass: &ViewPass, name: &str) -> Result<Option<StoredCollection>, StoreError>;

        /// All collections of the pass's workspace, by name.
        fn collections(&mut self, pass: &ViewPass) -> Result<Vec<StoredCollection>, StoreError>;

        /// One row of a collection.
        fn row(&mut self, pass: &ViewPass, collection: &str, key: &str) -> Result<Option<StoredRow>, StoreError>;

        /// The first `limit` rows with keys that begin with `prefix` and follow `after`, in byte order.
        fn list_rows(
            &mut self,
            pass: &ViewPass,
            collection: &str,
            prefix: &str,
            after: Option<&str>,
            limit: usize,
        ) -> Result<Vec<StoredRow>, StoreError>;

        /// The rows of a collection that changed after the change `after`, in the order of their changes: at most `limit`, and
        /// no more after `bytes` bytes.
        fn changed_rows(
            &mut self,
            pass: &ViewPass,
            collection: &str,
            after: i64,
            limit: usize,
            bytes: i64,
        ) -> Result<Vec<StoredRow>, StoreError>;

        /// The state that decides whether the settings of a collection may change.
        fn collection_facts(&mut self, pass: &ActPass, name: &str) -> Result<CollectionFacts, StoreError>;

        /// The bytes that a write of these rows would add. Each key occurs once.
        fn row_growth(&mut self, pass: &ActPass, collection: &str, rows: &[RowDraft]) -> Result<i64, StoreError>;
    }
}

transaction! {
    forward_row_writes

    /// The part of a job that writes collections and rows.
    pub trait RowWrites {
        /// Stores the settings of a collection.
        fn put_collection(
            &mut self,
            pass: &ActPass,
            draft: &CollectionDraft,
            plan: CollectionPlan,
        ) -> Result<(), StoreError>;

        /// Deletes a collection that has no rows any more. Returns whether it existed.
        fn drop_collection(&mut self, pass: &ActPass, name: &str) -> Result<bool, StoreError>;

        /// Stores rows by their keys. Each key occurs once. Rows that are there already are not written.
        fn write_rows(
            &mut self,
            pass: &ActPass,
            collection: &str,
            rows: &[RowDraft],
            plan: RowPlan,
        ) -> Result<WrittenRows, StoreError>;

        /// Deletes rows, with the reason if they are withdrawn. The next runs of processors count their groups again.
        ///
        /// # Returns
        /// The number of rows that existed.
        fn delete_rows(
            &mut self,
            pass: &ActPass,
            collection: &str,
            keys: &[String],
            reason: Option<&ReasonDraft>,
        ) -> Result<usize, StoreError>;

        /// Deletes the first `limit` rows of a collection. Returns their number.
        fn clear_rows(&mut self, pass: &ActPass, collection: &str, limit: usize) -> Result<usize, StoreError>;
    }
}
