//! Transactions: groups, failures and freshness.

use std::sync::mpsc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use orgmem_hierarchy::TreeLimits;
use orgmem_policies::drafts::WorkspaceChange;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Permission, TreePass};
use orgmem_store::{ReadPlan, ReadTx, Requester, Store, StoreConfig, StoreError};
use uuid::Uuid;

use super::blocked_writer::BlockedWriter;
use super::orgs::{Failure, Org, draw, system};
use crate::stores::{On, TestStore, cluster};

on_both!(
    failing_write_does_not_affect_its_group,
    panic_in_a_write_does_not_affect_others,
    closed_store_refuses_calls,
    close_waits_for_readers,
    abandoned_read_ends_at_its_next_statement,
    abandoned_write_is_skipped_before_it_begins,
    point_reads_do_not_wait_for_scans,
    scan_of_another_org_does_not_wait_for_the_scans_of_one,
    restored_older_database_is_accepted,
);

fn renamed(name: &str) -> WorkspaceChange {
    WorkspaceChange::check(Some(name), None, None, Scrubber::built_in()).expect("a name")
}

async fn rename(store: &Store, org: &Org, name: &str, to: String, fail: bool) -> Result<(), Failure> {
    let (org, id) = (org.id, org.get(name));
    let renamed = store.write(org, move |tx| {
        let pass = ActPass::grant(&system(), Permission::EditWorkspace, &*tx.tree(org)?, id)?;
        tx.patch_workspace(&pass, &renamed(&to))?;
        if fail { Err(Failure::OnPurpose) } else { Ok(()) }
    });
    renamed.await
}

pub(crate) async fn name_of(store: &Store, org: &Org, name: &str) -> String {
    let (org, id) = (org.id, org.get(name));
    let rows = store.read(ReadPlan::PointLookup, move |tx| tx.workspaces(org, &[id])).await;
    rows.expect("an answer").remove(0).name
}

async fn failing_write_does_not_affect_its_group(t: TestStore) {
    let acme = draw(&t.store, "acme\n  a\n  b").await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (store, acme) = (t.store.clone(), acme.clone());
        tasks.spawn(async move {
            let name = if n % 2 == 0 { "a" } else { "b" };
            (n, rename(&store, &acme, name, format!("{name}-{n}"), n % 2 == 1).await)
        });
    }
    for (n, outcome) in tasks.join_all().await {
        match outcome {
            Ok(()) => assert_eq!(n % 2, 0),
            Err(Failure::OnPurpose) => assert_eq!(n % 2, 1),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(name_of(&t.store, &acme, "a").await.starts_with("a-"));
    assert_eq!(name_of(&t.store, &acme, "b").await, "b");
}

async fn panic_in_a_write_does_not_affect_others(t: TestStore) {
    let acme = draw(&t.store, "acme\n  a").await;
    let (org, id) = (acme.id, acme.get("a"));
    let work = t.store.write(org, move |tx| -> Result<(), Failure> {
        let pass = ActPass::grant(&system(), Permission::EditWorkspace, &*tx.tree(org)?, id)?;
        tx.patch_workspace(&pass, &renamed("lost"))?;
        panic!("on purpose")
    });
    let outcome = work.await;
    assert!(matches!(outcome, Err(Failure::Store(StoreError::Panicked(text))) if text == "on purpose"));
    assert_eq!(name_of(&t.store, &acme, "a").await, "a");
    rename(&t.store, &acme, "a", "unchanged".into(), false).await.expect("the writer lives");
    assert_eq!(name_of(&t.store, &acme, "a").await, "unchanged");
}

async fn closed_store_refuses_calls(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    t.store.close();
    let outcome = rename(&t.store, &acme, "acme", "late".into(), false).await;
    assert!(matches!(outcome, Err(Failure::Store(StoreError::Closed))));
    for cost in [ReadPlan::Cached, ReadPlan::PointLookup, ReadPlan::Scan] {
        let (org, id) = (acme.id, acme.get("acme"));
        let read = t.store.read(cost, move |tx| tx.workspaces(org, &[id]).map(drop)).await;
        assert!(matches!(read, Err(StoreError::Closed)), "{read:?}");
    }
    t.store.close();
    assert_eq!(name_of(&t.reopened().store, &acme, "acme").await, "acme");
}

/// A remaining connection would hold the file's locks, or remove those of its next user.
async fn close_waits_for_readers(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let (reading, begun) = mpsc::channel();
    let (go_on, waited) = mpsc::channel();
    let (store, org, id) = (t.store.clone(), acme.id, acme.get("acme"));
    let read = tokio::spawn(async move {
        let look = move |tx: &mut dyn ReadTx| {
            reading.send(()).expect("somebody waits for it");
            waited.recv().expect("it is released");
            tx.workspaces(org, &[id])
        };
        store.read(ReadPlan::Scan, look).await
    });
    begun.recv().expect("the read begins");
    let store = t.store.clone();
    let closing = std::thread::spawn(move || store.close());
    while name_is_readable(&t.store, &acme).await {
        tokio::task::yield_now().await;
    }
    assert!(!closing.is_finished(), "a reader has a connection");
    if t.file().is_some() {
        let refused = Store::open(&t.config, t.clock.clone()).err().expect("a refusal").to_string();
        assert!(refused.starts_with("another server uses `"), "{refused}");
    }
    go_on.send(()).expect("it waits");
    closing.join().expect("no panic");
    assert_eq!(read.await.expect("no panic").expect("an answer").len(), 1, "what was begun is finished");
    assert_eq!(name_of(&t.reopened().store, &acme, "acme").await, "acme");
}

async fn abandoned_read_ends_at_its_next_statement(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let (reading, begun) = mpsc::channel();
    let (go_on, waited) = mpsc::channel::<()>();
    let (ended, end) = mpsc::channel();
    let (store, org, id) = (t.store.clone(), acme.id, acme.get("acme"));
    let read = tokio::spawn(async move {
        let look = move |tx: &mut dyn ReadTx| {
            reading.send(()).ok();
            waited.recv().ok();
            let rows = tx.workspaces(org, &[id]);
            ended.send(rows.is_err()).ok();
            rows
        };
        store.read(ReadPlan::Scan, look).await
    });
    begun.recv().expect("the read begins");
    read.abort();
    assert!(read.await.expect_err("it is aborted").is_cancelled());
    go_on.send(()).expect("it waits");
    assert!(end.recv().expect("the read ends"), "its next statement fails");
    assert!(end.recv().is_err(), "it is not retried");
    assert_eq!(name_of(&t.store, &acme, "acme").await, "acme", "the connection stays usable");
}

async fn abandoned_write_is_skipped_before_it_begins(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let blocked = BlockedWriter::begin(&t.store, &acme);
    let (store, queued) = (t.store.clone(), acme.clone());
    let abandoned = tokio::spawn(async move { rename(&store, &queued, "acme", "abandoned".into(), false).await });
    while t.store.load().waiting_writes < 1 {
        tokio::task::yield_now().await;
    }
    abandoned.abort();
    assert!(abandoned.await.expect_err("it is aborted").is_cancelled());
    blocked.end(1).await;
    let (org, id) = (acme.id, acme.get("acme"));
    let name = t.store.write(org, move |tx| Ok::<_, StoreError>(tx.workspaces(org, &[id])?.remove(0).name));
    assert_eq!(name.await.expect("a name"), "acme");
}

/// More scans than connections; each is blocked by the test.
async fn point_reads_do_not_wait_for_scans(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let scans = BlockedScans::of(&t, &acme).await;
    t.store.ping().await.expect("a response");
    assert_eq!(name_of(&t.store, &acme, "acme").await, "acme");
    scans.end().await;
}

async fn scan_of_another_org_does_not_wait_for_the_scans_of_one(t: TestStore) {
    let (acme, globex) = (draw(&t.store, "acme").await, draw(&t.store, "globex").await);
    let scans = BlockedScans::of(&t, &acme).await;
    let (org, id) = (globex.id, globex.get("globex"));
    let requester = Requester { org: Some(org), caller: Uuid::from_u128(2) };
    let look = move |tx: &mut dyn ReadTx| tx.workspaces(org, &[id]);
    let found = t.store.read_for(requester, ReadPlan::Scan, look).await.expect("a turn");
    assert_eq!(found.len(), 1);
    scans.end().await;
}

/// Twenty scans of one org, of which as many as the org may run at once have begun and wait.
struct BlockedScans {
    scans: tokio::task::JoinSet<Result<(), StoreError>>,
    release: Vec<mpsc::Sender<()>>,
}

impl BlockedScans {
    async fn of(t: &TestStore, acme: &Org) -> Self {
        let (org, id) = (acme.id, acme.get("acme"));
        let requester = Requester { org: Some(org), caller: Uuid::from_u128(1) };
        let (reading, begun) = mpsc::channel();
        let (mut scans, mut release) = (tokio::task::JoinSet::new(), Vec::new());
        for _ in 0..20 {
            let (go_on, waited) = mpsc::channel::<()>();
            let (store, reading) = (t.store.clone(), reading.clone());
            release.push(go_on);
            scans.spawn(async move {
                let look = move |tx: &mut dyn ReadTx| {
                    reading.send(()).ok();
                    waited.recv().ok();
                    tx.workspaces(org, &[id]).map(drop)
                };
                store.read_for(requester, ReadPlan::Scan, look).await
            });
        }
        // of eight connections six are for scans, on SQLite at most one more than the processors, and one is left to others
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let at_once = if matches!(t.config, StoreConfig::Sqlite { .. }) { processors.min(5) } else { 5 };
        let begun = tokio::task::spawn_blocking(move || (0..at_once).try_for_each(|_| begun.recv()));
        begun.await.expect("no panic").expect("scans begin");
        Self { scans, release }
    }

    async fn end(self) {
        drop(self.release);
        assert!(self.scans.join_all().await.iter().all(Result::is_ok));
    }
}

/// The statement waits for a lock that the test holds.
#[test]
fn running_statement_of_an_abandoned_read_is_cancelled() {
    crate::run(On::Postgres, async |t: TestStore| {
        let acme = draw(&t.store, "acme").await;
        let StoreConfig::Postgres { url, .. } = &t.config else { panic!("another database") };
        let (mut holder, mut observer) =
            (PgConnection::establish(url).expect("the server"), PgConnection::establish(url).expect("the server"));
        holder.batch_execute("BEGIN; LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE").expect("a lock");
        let mut has_waiting = || {
            let waiting = "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
                AND wait_event_type = 'Lock') THEN RAISE EXCEPTION 'waiting'; END IF; END $$";
            observer.batch_execute(waiting).is_err()
        };
        let (store, org, id) = (t.store.clone(), acme.id, acme.get("acme"));
        let read =
            tokio::spawn(
                async move { store.read(ReadPlan::Scan, move |tx| tx.workspaces(org, &[id]).map(drop)).await },
            );
        while !has_waiting() {
            tokio::task::yield_now().await;
        }
        read.abort();
        assert!(read.await.expect_err("it is aborted").is_cancelled());
        // half of the statement's own time-out
        let cancelled = async {
            while has_waiting() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), cancelled).await.expect("the statement is cancelled");
        holder.batch_execute("ROLLBACK").expect("an end");
        assert_eq!(name_of(&t.store, &acme, "acme").await, "acme");
    });
}

async fn name_is_readable(store: &Store, org: &Org) -> bool {
    let (org, id) = (org.id, org.get("acme"));
    store.read(ReadPlan::PointLookup, move |tx| tx.workspaces(org, &[id])).await.is_ok()
}

async fn restored_older_database_is_accepted(t: TestStore) {
    let acme = draw(&t.store, "acme\n  dev\n    bot\n  ops").await;
    let (org, bot, ops) = (acme.id, acme.get("bot"), acme.get("ops"));
    let moved: Result<(), Failure> = t
        .store
        .write(org, move |tx| {
            let pass = TreePass::relocate(&system(), &*tx.tree(org)?, bot, ops, TreeLimits::default())?;
            Ok(tx.change_tree(&pass)?)
        })
        .await;
    moved.expect("an allowed move");
    let back = "UPDATE workspaces SET tree_version = 1, parent_id = (SELECT id FROM workspaces WHERE name = 'dev') \
                WHERE name = 'bot'; UPDATE orgs SET version = 1, tree_version = 1 WHERE version = 2;";
    let done = match &t.config {
        StoreConfig::Sqlite { path, .. } => {
            SqliteConnection::establish(&path.to_string_lossy()).expect("the file").batch_execute(back)
        }
        StoreConfig::Postgres { url, .. } => PgConnection::establish(url).expect("the server").batch_execute(back),
    };
    done.expect("a step back");
    let parent = || t.store.read(ReadPlan::Scan, move |tx| Ok::<_, StoreError>(tx.tree(org)?.parent(bot)));
    assert_eq!(parent().await.expect("a tree"), Some(acme.get("dev")));
    rename(&t.store, &acme, "acme", "renamed".into(), false).await.expect("a write");
    assert_eq!(parent().await.expect("a tree"), Some(acme.get("dev")));
}

#[test]
fn second_server_on_one_file_is_refused() {
    let t = TestStore::new(On::Sqlite);
    let refused = Store::open(&t.config, t.clock.clone()).err().expect("a refusal").to_string();
    assert!(refused.starts_with("another server uses `"), "{refused}");
}

#[test]
fn move_is_visible_to_the_next_read_on_another_server() {
    crate::run(On::Postgres, async |t: TestStore| {
        let other = t.second_server();
        let acme = draw(&t.store, "acme\n  dev\n    bot\n  ops").await;
        let (org, bot) = (acme.id, acme.get("bot"));
        for n in 0..20 {
            let (here, there) = if n % 2 == 0 { (&t.store, &other) } else { (&other, &t.store) };
            let to = acme.get(if n % 4 < 2 { "ops" } else { "dev" });
            let moved: Result<(), Failure> = here
                .write(org, move |tx| {
                    let pass = TreePass::relocate(&system(), &*tx.tree(org)?, bot, to, TreeLimits::default())?;
                    Ok(tx.change_tree(&pass)?)
                })
                .await;
            moved.expect("an allowed move");
            let parent =
                there.read(ReadPlan::PointLookup, move |tx| Ok::<_, StoreError>(tx.tree(org)?.parent(bot))).await;
            assert_eq!(parent.expect("a tree"), Some(to));
        }
    });
}

#[test]
fn concurrent_starts_migrate_once() {
    let config = StoreConfig::postgres(cluster().empty_database());
    let clock = TestStore::new(On::Sqlite).clock;
    let servers: Vec<_> = (0..4)
        .map(|_| {
            let (config, clock) = (config.clone(), clock.clone());
            std::thread::spawn(move || Store::open(&config, clock).expect("it opens").migrated().len())
        })
        .collect();
    let mut ran: Vec<usize> = servers.into_iter().map(|server| server.join().expect("no panic")).collect();
    ran.sort_unstable();
    assert!(ran[..3].iter().all(|&count| count == 0) && ran[3] > 0, "{ran:?}");
}
