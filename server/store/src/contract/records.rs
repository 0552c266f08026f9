//! Records: the current values of operational truths of one tree.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::OrgId;
use orgmem_policies::ViewPass;
use orgmem_policies::rules::{FieldState, RecordState};

use crate::StoreError;

/// A record with at least one field.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRecord {
    /// Unique within the tree.
    pub entity: String,
    /// Its fields.
    pub state: RecordState,
    /// Time of the last write that changed it.
    pub updated_at: DateTime<Utc>,
}

transaction! {
    forward_read_records

    /// The part of a snapshot that reads records.
    pub trait ReadRecords {
        /// The record of an entity; `None` if it has no field.
        fn stored_record(&mut self, pass: &ViewPass, entity: &str) -> Result<Option<StoredRecord>, StoreError>;

        /// The first `limit` records with entities that begin with `prefix` and follow `after`, in byte order.
        fn list_records(
            &mut self,
            pass: &ViewPass,
            prefix: &str,
            after: Option<&str>,
            limit: usize,
        ) -> Result<Vec<StoredRecord>, StoreError>;

        /// The fields of these entities of the org, removed ones included, in one statement.
        ///
        /// # Complexity
        /// O(fields of the entities); reads nothing without entities.
        fn record_fields_of(
            &mut self,
            org: OrgId,
            entities: &[String],
        ) -> Result<HashMap<(String, String), FieldState>, StoreError>;
    }
}
