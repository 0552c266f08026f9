//! Rows of reads over a store whose writer can be blocked.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::FutureExt;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::WorkspaceDraft;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{Caller, ServerAction, ServerPass};
use orgmem_store::{
    Actor, AuditRecord, PendingAuditEntry, ReadPlan, Store, StoreConfig, StoreError, SystemClock, WriteTx,
};
use tempfile::TempDir;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{AccessLog, ReadCounts};
use crate::config::{Config, Sources};

struct Log {
    access: AccessLog,
    store: Store,
    _dir: TempDir,
}

impl Log {
    fn open(waiting_reads: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let mut sources = Sources::empty(dir.path());
        sources.variables.push(("ORGMEM_DATA_DIR".into(), dir.path().into()));
        sources.variables.push(("ORGMEM_ACCESS_LOG_WAITING_READS".into(), waiting_reads.into()));
        let settings = Config::load(&sources).expect("settings").settings;
        let config = StoreConfig::sqlite(dir.path().join("test.db"));
        let store = Store::open(&config, Arc::new(SystemClock)).expect("a store");
        let access = AccessLog::open(&settings, &store).expect("keys");
        Self { access, store, _dir: dir }
    }

    /// Creates orgs, whose logs have one row each.
    async fn orgs(&self, count: u128) -> Vec<OrgId> {
        let orgs: Vec<OrgId> = (1..=count).map(|number| OrgId::from(Uuid::from_u128(number))).collect();
        let draft = WorkspaceDraft::check("acme", None, None, Scrubber::built_in()).expect("a name");
        for org in orgs.clone() {
            let draft = draft.clone();
            let created = self.store.write(org, move |tx| {
                let pass = ServerPass::grant(&Caller::system("tests"), ServerAction::CreateOrg);
                tx.create_org(&pass.expect("a pass"), org.root(), &draft).map(drop)
            });
            created.await.expect("an org");
        }
        orgs
    }

    async fn read(&self, org: OrgId, times: usize) {
        for _ in 0..times {
            let record = AuditRecord::new(AuditAction::SearchMemories, org.root());
            let entry = PendingAuditEntry { actor: Actor::server(), at: self.store.now(), record };
            self.access.reads.append(org, entry).await.expect("reads do not wait");
        }
    }

    /// The numbers of sealed and of unsealed rows of this org.
    async fn rows(&self, org: OrgId) -> (i64, usize) {
        let unsealed = self.store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, 10_000)).await;
        let unsealed = unsealed.unwrap_or_else(|error: StoreError| panic!("{error}"));
        (unsealed.after.map_or(0, |seal| seal.last), unsealed.rows.len())
    }

    /// The numbers of waiting, written and lost rows.
    fn counts(&self) -> (usize, u64, u64) {
        let ReadCounts { waiting, written, lost } = self.access.reads.counts();
        (waiting, written, lost)
    }

    /// Blocks the writer of the store until the result is dropped.
    async fn block_writer(&self, org: OrgId) -> mpsc::Sender<()> {
        let (begun, begins) = oneshot::channel();
        let (go_on, goes_on) = mpsc::channel();
        let (mut begun, store) = (Some(begun), self.store.clone());
        let work = move |_: &mut dyn WriteTx| {
            begun.take().map(|begun| begun.send(()));
            // it ends when the other end is dropped
            let _ = goes_on.recv();
            Ok::<_, StoreError>(())
        };
        tokio::spawn(async move { store.write(org, work).await });
        begins.await.expect("it begins");
        go_on
    }

    /// Begins to flush the rows of this org, and drops the future once they wait for the writer.
    async fn flush_and_drop(&self, org: OrgId) {
        let mut flushing = Box::pin(self.access.reads.flush(org));
        assert!((&mut flushing).now_or_never().is_none());
        at_rest().await;
        assert_eq!(self.store.load().waiting_writes, 1);
    }
}

/// Runs all tasks until they wait for the writer of the store: only then the paused clock moves.
async fn at_rest() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

#[tokio::test(start_paused = true)]
async fn dropped_flush_loses_no_rows() {
    let log = Log::open("4000");
    let org = log.orgs(1).await[0];
    // more than one write takes, and more than the buffer takes
    log.read(org, 2100).await;
    let blocked = log.block_writer(org).await;
    log.flush_and_drop(org).await;
    drop(blocked);
    log.access.reads.flush(org).await.expect("they are written");
    assert_eq!(log.counts(), (0, 2000, 100));
    assert_eq!(log.rows(org).await, (0, 1 + 2000 + 1), "each row is written once, and the loss is recorded");
    log.read(org, 2000).await;
    log.access.reads.flush(org).await.expect("they are written");
    assert_eq!(log.counts(), (0, 4000, 100), "the buffer is as large as before");
}

#[tokio::test(start_paused = true)]
async fn close_waits_for_a_dropped_flush() {
    let log = Log::open("100");
    let org = log.orgs(1).await[0];
    log.read(org, 10).await;
    let blocked = log.block_writer(org).await;
    log.flush_and_drop(org).await;
    let access = log.access.clone();
    let closing = tokio::spawn(async move { access.close().await });
    at_rest().await;
    assert!(!closing.is_finished());
    drop(blocked);
    closing.await.expect("it ends");
    assert_eq!((log.counts(), log.rows(org).await), ((0, 10, 0), (11, 0)));
}

#[tokio::test(start_paused = true)]
async fn rows_of_many_orgs_are_written_and_sealed_together() {
    let log = Log::open("1000");
    let orgs = log.orgs(20).await;
    for org in &orgs {
        log.read(*org, 1).await;
    }
    let blocked = log.block_writer(orgs[0]).await;
    let reads = Arc::clone(&log.access.reads);
    let writing = tokio::spawn(async move { reads.close().await });
    at_rest().await;
    assert_eq!(log.store.load().waiting_writes, orgs.len());
    drop(blocked);
    writing.await.expect("it ends");
    let blocked = log.block_writer(orgs[0]).await;
    let chain = Arc::clone(&log.access.chain);
    let sealing = tokio::spawn(async move { chain.close().await });
    at_rest().await;
    assert_eq!(log.store.load().waiting_writes, orgs.len());
    drop(blocked);
    sealing.await.expect("it ends");
    for org in orgs {
        assert_eq!(log.rows(org).await, (2, 0));
    }
}

#[tokio::test]
async fn rows_that_cannot_be_written_at_the_end_are_counted_as_lost() {
    let log = Log::open("100");
    let org = log.orgs(1).await[0];
    log.read(org, 3).await;
    let store = log.store.clone();
    tokio::task::spawn_blocking(move || store.close()).await.expect("it closes");
    log.access.close().await;
    assert_eq!(log.counts(), (0, 0, 3));
}
