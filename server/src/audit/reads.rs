//! Rows of reads on their way into the log. Responses wait for them only where `access_log.wait_for_reads` says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_store::{PendingAuditEntry, Store, StoreError};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::CLOSED_AT_ONCE;
use super::read_buffer::{Dropped, ReadBuffer};
use crate::config::AccessLogSettings;

/// The longest wait of a reader of activity for its own episodes to be written.
const PATIENCE: Duration = Duration::from_millis(200);

/// Rows of one write; as many new ones begin a round at once.
const BATCH: usize = 1000;

/// Rows of reads that wait to be written, org by org.
pub(crate) struct Reads {
    store: Store,
    /// The runtime of the server, which outlives the threads that answer requests.
    runtime: Handle,
    waits: bool,
    buffer: Mutex<ReadBuffer>,
    many: Notify,
    lost: AtomicU64,
    written: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadCounts {
    pub(crate) waiting: usize,
    pub(crate) written: u64,
    pub(crate) lost: u64,
}

impl Reads {
    /// Must be called on the runtime of the server.
    pub(super) fn new(store: Store, settings: &AccessLogSettings) -> Self {
        Self {
            store,
            runtime: Handle::current(),
            waits: settings.wait_for_reads,
            buffer: Mutex::new(ReadBuffer::new(settings.waiting_reads)),
            many: Notify::new(),
            lost: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// Records a read before its response is sent.
    ///
    /// # Errors
    /// With `wait_for_reads`, [`StoreError`] when the row could not be written: then the read must fail too.
    pub(crate) async fn append(&self, org: OrgId, entry: PendingAuditEntry) -> Result<(), StoreError> {
        if self.waits {
            // the write continues when the caller is dropped
            let store = self.store.clone();
            let writing = self.runtime.spawn(async move {
                store.write(org, move |tx| tx.append_audit_entries(std::slice::from_ref(&entry))).await
            });
            writing.await.unwrap_or(Err(StoreError::Closed))?;
            self.written.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let mut buffer = self.buffer.lock();
        if !buffer.add(org, entry) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        } else if buffer.fresh() == BATCH {
            self.many.notify_one();
        }
        Ok(())
    }

    pub(crate) fn counts(&self) -> ReadCounts {
        ReadCounts {
            waiting: self.buffer.lock().count(),
            written: self.written.load(Ordering::Relaxed),
            lost: self.lost.load(Ordering::Relaxed),
        }
    }

    /// Notified when so many rows wait that they should be written at once.
    pub(crate) fn many(&self) -> &Notify {
        &self.many
    }

    /// Orgs with rows that wait.
    pub(crate) fn orgs(&self) -> Vec<OrgId> {
        self.buffer.lock().orgs()
    }

    /// Writes all rows that wait, for the last time. Rows that cannot be written are lost: they are counted and logged,
    /// as no row of the log will report them.
    pub(super) async fn close(&self) {
        let writing = stream::iter(self.orgs()).for_each_concurrent(CLOSED_AT_ONCE, |org| async move {
            if let Err(error) = self.write(org).await {
                tracing::warn!(%error, "rows of the access log could not be written");
            }
        });
        writing.await;
        let Dropped { rows, unrecorded } = self.buffer.lock().drop_all();
        self.lost.fetch_add(rows, Ordering::Relaxed);
        if unrecorded > 0 {
            tracing::error!(reads = unrecorded, "the access log lacks some reads: their rows could not be written");
        }
    }

    /// Writes the rows of one org that wait, if they may include an episode of this workspace. Gives up waiting, not
    /// writing, after a moment: a long write, such as an import, does not hold readers up.
    ///
    /// # Errors
    /// As [`Self::flush`].
    pub(crate) async fn flush_episodes(self: &Arc<Self>, org: OrgId, workspace: WorkspaceId) -> Result<(), StoreError> {
        let may_wait = self.buffer.lock().has_episode(org, workspace);
        if !may_wait {
            return Ok(());
        }
        timeout(PATIENCE, self.flush(org)).await.unwrap_or(Ok(()))
    }

    /// Writes the rows of one org that wait. The write continues when the caller is dropped.
    ///
    /// # Errors
    /// [`StoreError`]; rows that could not be written wait further.
    pub(crate) async fn flush(self: &Arc<Self>, org: OrgId) -> Result<(), StoreError> {
        let reads = Arc::clone(self);
        let writing = self.runtime.spawn(async move { reads.write(org).await });
        writing.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Writes the rows of one org that wait. Must not be dropped before its end: the rows would be lost.
    pub(crate) async fn write(&self, org: OrgId) -> Result<(), StoreError> {
        let Some(turn) = self.buffer.lock().turn(org) else { return Ok(()) };
        let _one_at_a_time = turn.lock().await;
        let (rows, mut lost) = self.buffer.lock().take(org);
        let gap = lost.map(|lost| lost.into_entry(org));
        let entries: Arc<Vec<PendingAuditEntry>> = Arc::new(gap.into_iter().chain(rows).collect());
        for begin in (0..entries.len()).step_by(BATCH) {
            let batch = begin..entries.len().min(begin + BATCH);
            let gaps = entries[batch.clone()].iter().filter(|entry| entry.is_gap()).count();
            let (all, part) = (Arc::clone(&entries), batch.clone());
            if let Err(error) = self.store.write(org, move |tx| tx.append_audit_entries(&all[part.clone()])).await {
                let left = entries[begin..].iter().filter(|entry| !entry.is_gap()).cloned().collect();
                self.buffer.lock().put_back(org, left, lost);
                return Err(error);
            }
            let written = batch.len() - gaps;
            self.written.fetch_add(written as u64, Ordering::Relaxed);
            self.buffer.lock().written(org, written);
            // the first batch includes the gap
            lost = None;
        }
        Ok(())
    }
}
