//! The reads of pages.

use std::collections::HashMap;

use orgmem_hierarchy::OrgId;
use orgmem_policies::{ReadPass, ViewPass};
use orgmem_recall::Analysis;
use uuid::Uuid;

use super::*;
use crate::StoreError;

transaction! {
    forward_read_pages

    /// The part of a snapshot that reads pages and what they are made of.
    pub trait ReadPages {
        /// The orgs with pages to compact now.
        fn orgs_with_page_work(&mut self) -> Result<Vec<OrgId>, StoreError>;

        /// The subject of `org` whose compaction is due longest, with all its work; `None` if nothing is due.
        fn page_work(&mut self, org: OrgId, only: Option<&PageThreads>) -> Result<Option<PageWork>, StoreError>;

        /// The threads of a workspace, or of one of its subjects, that have or had episodes for pages.
        ///
        /// # Complexity
        /// O(episodes with a correlation id).
        fn page_threads(&mut self, org: OrgId, of: &PageThreads) -> Result<Vec<(String, String)>, StoreError>;

        /// The episodes of these threads of a subject, with those that may reach no page, in no particular order.
        fn thread_episodes(
            &mut self,
            org: OrgId,
            of: &PageThreads,
            threads: &[String],
        ) -> Result<Vec<Episode>, StoreError>;

        /// The numbers of episodes of a workspace, or of one of its subjects, without a correlation id.
        ///
        /// # Complexity
        /// O(episodes).
        fn uncorrelated_episodes(&mut self, org: OrgId, of: &PageThreads) -> Result<UncorrelatedEpisodes, StoreError>;

        /// What is known about the pages of a subject without their texts.
        fn page_facts(&mut self, org: OrgId, of: &PageThreads) -> Result<Vec<PageFacts>, StoreError>;

        /// At most `limit` pages of the pass's workspace after the position `after`, newest first.
        fn list_pages(
            &mut self,
            pass: &ViewPass,
            filter: &PageFilter,
            after: Option<PageCursor>,
            limit: usize,
        ) -> Result<Vec<StoredPage>, StoreError>;

        /// A page of the pass's workspace; `None` if it does not exist.
        fn page(&mut self, pass: &ViewPass, id: Uuid) -> Result<Option<StoredPage>, StoreError>;

        /// A page of another workspace that the reader can read, by the profile of that workspace; `None` otherwise.
        fn shared_page(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<StoredPage>, StoreError>;

        /// The analyses of the texts of these pages of the pass's workspace by id, as the index has them. A page without an
        /// index entry, for example one that an older version wrote, has none.
        fn page_analyses(
            &mut self,
            pass: &ViewPass,
            pages: &[StoredPage],
        ) -> Result<HashMap<Uuid, Analysis>, StoreError>;

        /// The episodes with these ids of the pass's workspace, oldest first.
        fn episodes_by_id(&mut self, pass: &ViewPass, ids: &[Uuid]) -> Result<Vec<Episode>, StoreError>;
    }
}
