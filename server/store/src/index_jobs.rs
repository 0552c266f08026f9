//! What the jobs of the server do for the index and for session search.

use orgmem_hierarchy::OrgId;
use orgmem_recall::SegmentError;

use crate::contract::ReadPlan;
use crate::{Store, StoreError};

impl Store {
    /// Orgs whose segments should be written, by [`store_segments`](Self::store_segments).
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn orgs_to_segment(&self) -> Result<Vec<OrgId>, StoreError> {
        let behind = self.read(ReadPlan::Scan, |tx| tx.orgs_behind_segments()).await?;
        Ok(self.core().caches.segment_backlog.lock().due(&behind))
    }

    /// Writes at most about `most` changes of the index of `org` into its segments, so that a search after a start need not
    /// read their rows. Call it periodically. Removed content leaves the segments too.
    ///
    /// # Returns
    /// Whether more changes are waiting.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn store_segments(&self, org: OrgId, most: usize) -> Result<bool, StoreError> {
        let Some(work) = self.read(ReadPlan::Scan, move |tx| tx.segment_work(org, most)).await? else {
            return Ok(false);
        };
        let has_more = work.has_more();
        // on the writer's thread it would delay commits
        let (update, error) =
            tokio::task::spawn_blocking(move || work.build()).await.map_err(|_| StoreError::Closed)?;
        match error {
            None => {}
            Some(error @ SegmentError::Version(_)) => {
                tracing::info!(%error, %org, "the segments of the org are written again");
            }
            Some(error) => {
                tracing::warn!(%error, %org, "a segment is damaged; the segments of the org are written again");
            }
        }
        Ok(self.write(org, move |tx| tx.put_segments(&update)).await? && has_more)
    }

    /// Orgs whose text blocks should be written, by [`store_texts`](Self::store_texts).
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn orgs_with_texts_due(&self) -> Result<Vec<OrgId>, StoreError> {
        let behind = self.read(ReadPlan::Scan, |tx| tx.orgs_behind_texts()).await?;
        let noted = self.read(ReadPlan::Scan, |tx| tx.orgs_with_noted_episodes()).await?;
        Ok(self.core().caches.text_backlog.lock().due(&behind, noted))
    }

    /// Writes some of the rows that the text blocks of `org` lack into blocks, and removes earlier texts from them. Only
    /// workspaces in which a session search read many rows have blocks. Call it periodically.
    ///
    /// # Returns
    /// Whether more is to be done.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn store_texts(&self, org: OrgId) -> Result<bool, StoreError> {
        let Some(update) = self.read(ReadPlan::Scan, move |tx| tx.text_work(org)).await? else { return Ok(false) };
        let has_more = update.has_more();
        Ok(self.write(org, move |tx| tx.put_texts(&update)).await? && has_more)
    }
}
