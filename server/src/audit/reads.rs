//! Rows of reads on their way into the log: answers do not wait for them, unless a setting says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_store::{PendingAuditEntry, Store, StoreError};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::read_buffer::{Dropped, ReadBuffer};
use super::rounds::Rounds;
use crate::config::AccessLogSettings;

/// How long a row waits at most before it is on its way, and who reads an episode for it to be there.
const EVERY: Duration = Duration::from_millis(200);

/// So many rows do not wait any longer.
const MANY: usize = BATCH;

/// Rows of one write.
const BATCH: usize = 1000;

/// Rows of reads that wait to be written, org by org, and what could not be kept.
pub(crate) struct Reads {
    store: Store,
    /// Where rows are written for whoever asks: that of the server, not of the thread that answers.
    runtime: Handle,
    waits: bool,
    waiting: Mutex<ReadBuffer>,
    many: Notify,
    lost: AtomicU64,
    written: AtomicU64,
}

/// How the rows of reads fare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadCounts {
    pub(crate) waiting: usize,
    pub(crate) written: u64,
    pub(crate) lost: u64,
}

impl Reads {
    /// None wait yet. It is made on the runtime of the server, which ends after all that it answers on.
    pub(super) fn new(store: Store, settings: &AccessLogSettings) -> Self {
        Self {
            store,
            runtime: Handle::current(),
            waits: settings.wait_for_reads,
            waiting: Mutex::new(ReadBuffer::new(settings.waiting_reads)),
            many: Notify::new(),
            lost: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// Tells of a read that is about to be answered.
    ///
    /// # Errors
    /// With the setting that waits, [`StoreError`] when its row could not be written: then it must not be answered.
    pub(crate) async fn append_audit_entries(&self, org: OrgId, entries: PendingAuditEntry) -> Result<(), StoreError> {
        if self.waits {
            self.store.write(org, move |tx| tx.append_audit_entries(std::slice::from_ref(&entries))).await?;
            self.written.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let mut waiting = self.waiting.lock();
        if !waiting.add(org, entries) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        } else if waiting.fresh() == MANY {
            self.many.notify_one();
        }
        Ok(())
    }

    /// How they fare.
    pub(crate) fn counts(&self) -> ReadCounts {
        ReadCounts {
            waiting: self.waiting.lock().count(),
            written: self.written.load(Ordering::Relaxed),
            lost: self.lost.load(Ordering::Relaxed),
        }
    }

    /// Writes what waits, now and then, until `stopping`; what was begun is ended.
    pub(super) async fn run(&self, stopping: &CancellationToken) {
        let mut rounds = Rounds::new();
        while rounds.until(stopping.run_until_cancelled(self.due())).await.is_some() {
            self.begin_round(&mut rounds);
        }
        rounds.finish().await;
    }

    /// Waits until rows have waited long enough, or are many.
    async fn due(&self) {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = self.many.notified() => {}
        }
    }

    /// Writes all that waits, for the last time. What cannot be written is lost: it is counted and logged, as no row will
    /// tell of it.
    pub(super) async fn close(&self) {
        let mut rounds = Rounds::new();
        self.begin_round(&mut rounds);
        rounds.finish().await;
        let Dropped { rows, unrecorded } = self.waiting.lock().drop_all();
        self.lost.fetch_add(rows, Ordering::Relaxed);
        if unrecorded > 0 {
            tracing::error!(reads = unrecorded, "the access log will not tell of some reads: it could not be written");
        }
    }

    /// Writes what waits for one org, if an episode of this workspace may be in it: what the workspace read before is in
    /// its activity afterwards. Where writers are held up, by an import for instance, readers are not for long.
    ///
    /// # Errors
    /// As of [`Self::flush`].
    pub(crate) async fn flush_notes(self: &Arc<Self>, org: OrgId, workspace: WorkspaceId) -> Result<(), StoreError> {
        let may_wait = self.waiting.lock().may_note(org, workspace);
        if !may_wait {
            return Ok(());
        }
        // what was begun is ended without who waits for it
        timeout(EVERY, self.flush(org)).await.unwrap_or(Ok(()))
    }

    fn begin_round<'r>(&'r self, rounds: &mut Rounds<'r>) {
        let orgs = self.waiting.lock().orgs();
        rounds.begin(orgs, move |org| async move {
            if let Err(error) = self.write(org).await {
                tracing::warn!(%error, "rows of the access log wait: they could not be written");
            }
        });
    }

    /// Writes what waits for one org: what was read before is in the log afterwards. Whoever waits for that may go away:
    /// what was begun is ended without them.
    ///
    /// # Errors
    /// [`StoreError`]; what could not be written goes on waiting.
    pub(crate) async fn flush(self: &Arc<Self>, org: OrgId) -> Result<(), StoreError> {
        let reads = Arc::clone(self);
        let writing = self.runtime.spawn(async move { reads.write(org).await });
        writing.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Writes what waits for one org. It must not be dropped before its end: the rows would be.
    async fn write(&self, org: OrgId) -> Result<(), StoreError> {
        let Some(turn) = self.waiting.lock().turn(org) else { return Ok(()) };
        let _one_at_a_time = turn.lock().await;
        let (rows, mut lost) = self.waiting.lock().take(org);
        let gap = lost.map(|lost| lost.into_entry(org));
        let entries: Arc<Vec<PendingAuditEntry>> = Arc::new(gap.into_iter().chain(rows).collect());
        for begin in (0..entries.len()).step_by(BATCH) {
            let batch = begin..entries.len().min(begin + BATCH);
            let gaps = entries[batch.clone()].iter().filter(|entry| entry.is_gap()).count();
            let (all, part) = (Arc::clone(&entries), batch.clone());
            if let Err(error) = self.store.write(org, move |tx| tx.append_audit_entries(&all[part.clone()])).await {
                let left = entries[begin..].iter().filter(|entry| !entry.is_gap()).cloned().collect();
                self.waiting.lock().put_back(org, left, lost);
                return Err(error);
            }
            let written = batch.len() - gaps;
            self.written.fetch_add(written as u64, Ordering::Relaxed);
            self.waiting.lock().written(org, written);
            // the first batch told of the gap
            lost = None;
        }
        Ok(())
    }
}
