//! The values of the metadata of memories.

use orgmem_policies::{MetadataMember, MetadataValue, ReadPass};
use uuid::Uuid;

use super::Search;
use crate::StoreError;

/// A value of a member of metadata, and the memories that have it.
#[derive(Clone, Debug)]
pub struct FoundValue {
    /// The value.
    pub value: MetadataValue,
    /// Number of memories.
    pub count: usize,
    /// Id and version of the newest of them.
    pub newest: (Uuid, i64),
}

transaction! {
    forward_metadata_reads

    /// The reads of metadata, at the snapshot of a transaction.
    pub trait MetadataReads {
        /// The distinct values of a member of the metadata of the matches within the reach of the pass, in their order.
        ///
        /// # Errors
        /// [`StoreError`], as for every call of a transaction.
        ///
        /// # Complexity
        /// O(matches).
        fn metadata_values(
            &mut self,
            pass: &ReadPass,
            search: &Search,
            member: &MetadataMember,
        ) -> Result<Vec<FoundValue>, StoreError>;
    }
}
