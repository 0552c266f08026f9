//! Rows of reads on their way into the log: answers do not wait for them, unless a setting says so.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::OrgId;
use orgmem_policies::access::Verb;
use orgmem_store::{By, Deed, Store, StoreError, Told};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::config::AccessLogSettings;

/// How long a row waits at most before it is on its way.
const EVERY: Duration = Duration::from_millis(200);

/// So many rows do not wait any longer.
const MANY: usize = BATCH;

/// Rows of one write.
const BATCH: usize = 1000;

/// Rows of reads that wait to be written, org by org, and what could not be kept.
pub(crate) struct Reads {
    store: Store,
    waits: bool,
    room: usize,
    waiting: Mutex<Waiting>,
    many: Notify,
    /// Held while rows are written, so that who flushes knows that all before are written.
    flushing: tokio::sync::Mutex<()>,
    lost: AtomicU64,
    written: AtomicU64,
}

#[derive(Default)]
struct Waiting {
    rows: HashMap<OrgId, Vec<Told>>,
    count: usize,
    lost: HashMap<OrgId, Lost>,
}

/// Reads of one org of which the log does not tell.
#[derive(Clone, Copy)]
struct Lost {
    rows: u64,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
}

/// How the rows of reads fare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadCounts {
    pub(crate) waiting: usize,
    pub(crate) written: u64,
    pub(crate) lost: u64,
}

impl Reads {
    pub(super) fn new(store: Store, settings: &AccessLogSettings) -> Self {
        Self {
            store,
            waits: settings.wait_for_reads,
            room: settings.waiting_reads,
            waiting: Mutex::default(),
            many: Notify::new(),
            flushing: tokio::sync::Mutex::default(),
            lost: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// Tells of a read that is about to be answered.
    ///
    /// # Errors
    /// With the setting that waits, [`StoreError`] when its row could not be written: then it must not be answered.
    pub(crate) async fn tell(&self, org: OrgId, told: Told) -> Result<(), StoreError> {
        if self.waits {
            self.store.write(org, move |tx| tx.tell(std::slice::from_ref(&told))).await?;
            self.written.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let mut waiting = self.waiting.lock();
        if waiting.count >= self.room {
            self.lost.fetch_add(1, Ordering::Relaxed);
            waiting.lose(org, told.at);
            return Ok(());
        }
        waiting.count += 1;
        waiting.rows.entry(org).or_default().push(told);
        if waiting.count == MANY {
            self.many.notify_one();
        }
        Ok(())
    }

    /// How they fare.
    pub(crate) fn counts(&self) -> ReadCounts {
        ReadCounts {
            waiting: self.waiting.lock().count,
            written: self.written.load(Ordering::Relaxed),
            lost: self.lost.load(Ordering::Relaxed),
        }
    }

    /// Writes what waits, now and then, until `stopping`.
    pub(super) async fn run(&self, stopping: &CancellationToken) {
        loop {
            let due = async {
                tokio::select! {
                    () = tokio::time::sleep(EVERY) => {}
                    () = self.many.notified() => {}
                }
            };
            if stopping.run_until_cancelled(due).await.is_none() {
                return;
            }
            self.flush_all().await;
        }
    }

    /// Writes all that waits; what cannot be written goes on waiting.
    pub(crate) async fn flush_all(&self) {
        let orgs: Vec<OrgId> = {
            let waiting = self.waiting.lock();
            waiting.rows.keys().chain(waiting.lost.keys()).copied().collect()
        };
        for org in orgs {
            if let Err(error) = self.flush(org).await {
                tracing::warn!(%error, "rows of the access log wait: they could not be written");
            }
        }
    }

    /// Writes what waits for one org: what was read before is in the log afterwards.
    ///
    /// # Errors
    /// [`StoreError`]; what could not be written goes on waiting.
    pub(crate) async fn flush(&self, org: OrgId) -> Result<(), StoreError> {
        let _one_at_a_time = self.flushing.lock().await;
        let (rows, mut lost) = {
            let mut waiting = self.waiting.lock();
            // they count as waiting until they are written
            (waiting.rows.remove(&org).unwrap_or_default(), waiting.lost.remove(&org))
        };
        let gap = lost.map(|lost| Told { by: By::server(), at: lost.until, deed: lost.deed(org) });
        let told: Arc<Vec<Told>> = Arc::new(gap.into_iter().chain(rows).collect());
        for begin in (0..told.len()).step_by(BATCH) {
            let batch = begin..told.len().min(begin + BATCH);
            let gaps = told[batch.clone()].iter().filter(|told| told.is_gap()).count();
            let (all, part) = (Arc::clone(&told), batch.clone());
            if let Err(error) = self.store.write(org, move |tx| tx.tell(&all[part.clone()])).await {
                self.put_back(org, told[begin..].to_vec(), lost);
                return Err(error);
            }
            let written = batch.len() - gaps;
            self.written.fetch_add(written as u64, Ordering::Relaxed);
            self.waiting.lock().count -= written;
            // the first batch told of the gap
            lost = None;
        }
        Ok(())
    }

    fn put_back(&self, org: OrgId, mut left: Vec<Told>, lost: Option<Lost>) {
        let mut waiting = self.waiting.lock();
        left.retain(|told| !told.is_gap());
        if let Some(lost) = lost {
            waiting.lost.entry(org).and_modify(|later| later.join(lost)).or_insert(lost);
        }
        let later = waiting.rows.remove(&org).unwrap_or_default();
        left.extend(later);
        waiting.rows.insert(org, left);
    }
}

impl Waiting {
    fn lose(&mut self, org: OrgId, at: DateTime<Utc>) {
        let one = Lost { rows: 1, since: at, until: at };
        self.lost.entry(org).and_modify(|lost| lost.join(one)).or_insert(one);
    }
}

impl Lost {
    fn join(&mut self, other: Self) {
        self.rows += other.rows;
        self.since = self.since.min(other.since);
        self.until = self.until.max(other.until);
    }

    fn deed(self, org: OrgId) -> Deed {
        let deed = Deed::new(Verb::LoseReads, org.root()).with("lost", self.rows);
        deed.with("since", self.since.to_rfc3339()).with("until", self.until.to_rfc3339())
    }
}
