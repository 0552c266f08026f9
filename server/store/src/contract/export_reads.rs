//! The reads of exports of memories.

use orgmem_hierarchy::OrgId;
use orgmem_policies::ServerPass;
use uuid::Uuid;

use super::*;
use crate::StoreError;

transaction! {
    forward_export_reads

    /// The part of a snapshot that exports memories, independent of their readers.
    pub trait ExportReads {
        /// The org with the smallest id above `after`; `None` after the last one.
        ///
        /// # Complexity
        /// O(1).
        fn next_org(&mut self, pass: &ServerPass, after: Option<OrgId>) -> Result<Option<OrgId>, StoreError>;

        /// At most `most` memories of `org` with ids above `after`, in the order of their ids. Expired, redacted, deleted,
        /// superseded and pending ones are absent. The authors of some may have been removed.
        ///
        /// # Complexity
        /// O(rows of memories up to the last one of the page).
        fn memories_by_id(
            &mut self,
            pass: &ServerPass,
            org: OrgId,
            after: Option<Uuid>,
            most: usize,
        ) -> Result<Vec<Memory>, StoreError>;
    }
}
