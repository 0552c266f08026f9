//! Failures of the disk and of connections: clear errors, no loss of acknowledged writes, and recovery.

#[path = "../../../tests/src/stores.rs"]
#[allow(unreachable_pub, dead_code, reason = "elsewhere it is part of a library")]
mod stores;

#[path = "contract/orgs.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod orgs;

#[path = "contract/blocked_writer.rs"]
mod blocked_writer;

#[path = "failures/files.rs"]
mod files;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use blocked_writer::BlockedWriter;
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use orgmem_policies::drafts::{EpisodeDraft, EpisodeInput, EpisodeTypes, WorkspaceChange};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Permission, ViewPass};
use orgmem_store::{EpisodeFilter, ManualClock, ReadPlan, Store, StoreConfig, StoreError};
use orgs::{Failure, Org, draw, system};
use stores::{Cluster, On, TestStore, cluster, test_epoch};

/// The folder on a small disk, for the test that runs inside.
const SMALL_DISK: &str = "ORGMEM_TEST_SMALL_DISK";

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

/// =
async fn append(store: &Store, org: &Org, name: &str, bytes: usize) -> Result<(), Failure> {
    append_many(store, org, name, bytes, 1).await
}

/// Appends `count` of them concurrently.
async fn append_many(store: &Store, org: &Org, name: &str, bytes: usize, many: usize) -> Result<(), Failure> {
    let (org, id) = (org.id, org.get(name));
    let input = EpisodeInput {
        activity_type: "agent_log".into(),
        summary: Some("x ".repeat(bytes / 2)),
        ..EpisodeInput::default()
    };
    let types = EpisodeTypes::with([]);
    let draft = EpisodeDraft::check(input, &types, Scrubber::built_in(), chrono::DateTime::<chrono::Utc>::MAX_UTC)
        .expect("a draft");
    let appended = store.write(org, move |tx| {
        let pass = ActPass::grant(&system(), Permission::AppendActivity, &*tx.tree(org)?, id)?;
        for _ in 0..many {
            tx.append_episode(&pass, &draft, None)?;
        }
        Ok(())
    });
    appended.await
}

async fn count(store: &Store, org: &Org, name: &str) -> usize {
    let (org, id) = (org.id, org.get(name));
    let episodes: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let pass = ViewPass::grant(&system(), Permission::ReadActivity, &*tx.tree(org)?, id)?;
            Ok(tx.list_episodes(&pass, &EpisodeFilter::default(), None, 1_000_000)?.len())
        })
        .await;
    episodes.expect("reading works all the time")
}

fn is_unavailable(outcome: &Result<(), Failure>) -> bool {
    matches!(outcome, Err(Failure::Store(StoreError::Unavailable(_))))
}

/// Runs the test `name` of this program with its own 6 MB disk. On a machine that does not permit the mount it prints
/// that and passes.
fn on_a_small_disk(name: &str) {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let program = std::env::current_exe().expect("the path of this program");
    let script = r#"mount -t tmpfs -o size=6m none "$1" && exec "$2" --exact "$3" --ignored --nocapture"#;
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]);
        command.arg(folder.path()).arg(&program).arg(name).env(SMALL_DISK, folder.path());
        command.output()
    };
    let allowed = unshare(r#"mount -t tmpfs -o size=6m none "$1""#).is_ok_and(|output| output.status.success());
    if !allowed {
        eprintln!("skipped: this machine gives nobody a disk of their own");
        return;
    }
    let output = unshare(script).expect("it starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("1 passed"), "{stdout}");
}

fn small_disk() -> PathBuf {
    std::env::var_os(SMALL_DISK).expect("run by another test").into()
}

fn open(folder: &Path) -> Store {
    let clock = Arc::new(ManualClock::at(test_epoch()));
    Store::open(&StoreConfig::sqlite(folder.join("orgmem.db")), clock).expect("it opens")
}

fn remount(folder: &Path, how: &str) {
    let status = Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(folder).status();
    assert!(status.expect("mount is there").success());
}

#[test]
fn store_recovers_from_full_disk() {
    on_a_small_disk("inside_a_full_disk");
}

#[test]
#[ignore = "run by the test above it, on a disk of its own"]
fn inside_a_full_disk() {
    let folder = small_disk();
    let ballast = folder.join("ballast");
    std::fs::write(&ballast, vec![0; 3 << 20]).expect("there is room");
    let (acknowledged, org) = block_on(async {
        let store = open(&folder);
        let org = draw(&store, "acme").await;
        let mut acknowledged = 0;
        let refused = loop {
            match append(&store, &org, "acme", 10_000).await {
                Ok(()) => acknowledged += 1,
                refused => break refused,
            }
        };
        assert!(is_unavailable(&refused), "{refused:?}");
        for _ in 0..20 {
            if append(&store, &org, "acme", 10_000).await.is_ok() {
                acknowledged += 1;
            }
        }
        assert_eq!(count(&store, &org, "acme").await, acknowledged, "reading goes on, and shows what was acknowledged");
        std::fs::remove_file(&ballast).expect("space again");
        for _ in 0..20 {
            append(&store, &org, "acme", 10_000).await.expect("there is room again");
            acknowledged += 1;
        }
        store.close();
        (acknowledged, org)
    });
    block_on(async { assert_eq!(count(&open(&folder), &org, "acme").await, acknowledged, "and after a restart") });
}

#[test]
fn write_that_fills_the_disk_does_not_affect_its_group() {
    on_a_small_disk("inside_a_group_that_fills_the_disk");
}

/// SQLite rolls back the whole transaction when the disk is full, and executes later statements outside of it.
#[test]
#[ignore = "run by the test above it, on a disk of its own"]
fn inside_a_group_that_fills_the_disk() {
    let folder = small_disk();
    block_on(async {
        let store = open(&folder);
        let org = draw(&store, "acme\n  bot").await;
        append(&store, &org, "acme", 100).await.expect("there is room");
        let blocked = BlockedWriter::begin(&store, &org);
        let fill = append_many(&store, &org, "acme", 10_000, 1_500);
        // it reads, so queued rows are flushed first
        let rename = store.write(org.id, {
            let (org, id) = (org.id, org.get("bot"));
            let org_version = WorkspaceChange::check(Some("robot"), None, None, Scrubber::built_in()).expect("a name");
            move |tx| -> Result<(), Failure> {
                let pass = ActPass::grant(&system(), Permission::EditWorkspace, &*tx.tree(org)?, id)?;
                Ok(tx.patch_workspace(&pass, &org_version).map(drop)?)
            }
        });
        let concurrent = append(&store, &org, "bot", 100);
        let (filled, renamed, appended, ()) = tokio::join!(fill, rename, concurrent, blocked.end(3));
        assert!(is_unavailable(&filled), "{filled:?}");
        renamed.expect("it takes little room");
        appended.expect("it takes little room");
        append(&store, &org, "bot", 100).await.expect("and so does the next");
        assert_eq!((count(&store, &org, "acme").await, count(&store, &org, "bot").await), (1, 2));
        store.close();
        let store = open(&folder);
        append(&store, &org, "bot", 100).await.expect("there is room");
        assert_eq!((count(&store, &org, "acme").await, count(&store, &org, "bot").await), (1, 3));
    });
}

#[test]
fn read_only_folder_is_reported_at_the_start() {
    on_a_small_disk("inside_a_read_only_folder");
}

#[test]
#[ignore = "run by the test above it, on a disk of its own"]
fn inside_a_read_only_folder() {
    let folder = small_disk();
    let org = block_on(async {
        let store = open(&folder);
        let org = draw(&store, "acme").await;
        store.close();
        org
    });
    remount(&folder, "ro");
    let clock = Arc::new(ManualClock::at(test_epoch()));
    let refused = Store::open(&StoreConfig::sqlite(folder.join("orgmem.db")), clock).err().expect("a refusal");
    assert!(refused.to_string().contains("Read-only file system"), "{refused}");
    remount(&folder, "rw");
    block_on(async { append(&open(&folder), &org, "acme", 100).await }).expect("it can be written again");
}

#[test]
fn closed_connections_are_reopened() {
    block_on(async {
        let t = TestStore::new(On::Postgres);
        let org = draw(&t.store, "acme").await;
        let mut acknowledged = 0;
        for _ in 0..5 {
            append(&t.store, &org, "acme", 100).await.expect("a write");
            acknowledged += 1;
            assert_eq!(count(&t.store, &org, "acme").await, acknowledged);
            cluster().admin(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                 WHERE application_name = 'orgmem' AND pid <> pg_backend_pid()",
            );
        }
        append(&t.store, &org, "acme", 100).await.expect("the writer comes back by itself");
        assert_eq!(count(&t.store, &org, "acme").await, acknowledged + 1, "and so do the readers");
    });
}

/// The outcome depends on error codes only, so it is the same in every language of the database.
#[test]
fn failures_are_classified_when_messages_are_in_german() {
    let cluster = Cluster::start_in_german();
    let url = cluster.database();
    let mut admin = PgConnection::establish(&url).expect("a connection");
    let refusal = admin.batch_execute("SELECT absent").expect_err("an unknown column").to_string();
    assert!(refusal.contains("existiert nicht"), "the messages are in German: {refusal}");
    block_on(async {
        let store =
            Store::open(&StoreConfig::postgres(&url), Arc::new(ManualClock::at(test_epoch()))).expect("it opens");
        let org = draw(&store, "acme").await;
        append(&store, &org, "acme", 100).await.expect("a write");

        // a full disk
        admin
            .batch_execute(
                "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'kein Platz' USING ERRCODE = 'disk_full'; END $$; \
                 CREATE TRIGGER fill BEFORE INSERT ON episodes EXECUTE FUNCTION fill()",
            )
            .expect("a trigger");
        let refused = append(&store, &org, "acme", 100).await;
        assert!(is_unavailable(&refused), "{refused:?}");
        admin.batch_execute("DROP TRIGGER fill ON episodes").expect("no trigger");
        append(&store, &org, "acme", 100).await.expect("there is room again");

        // a defect of the data
        admin.batch_execute("ALTER TABLE episodes ADD CONSTRAINT stop CHECK (false) NOT VALID").expect("a constraint");
        let refused = append(&store, &org, "acme", 100).await;
        assert!(matches!(refused, Err(Failure::Store(StoreError::Failed(_)))), "{refused:?}");
        admin.batch_execute("ALTER TABLE episodes DROP CONSTRAINT stop").expect("no constraint");

        // a wait for a lock that is cancelled, as by a timeout or a deadlock: the write is tried again
        let mut other = PgConnection::establish(&url).expect("a connection");
        other.batch_execute("BEGIN; SELECT 1 FROM orgs FOR UPDATE").expect("a lock");
        let (writer, at) = (store.clone(), org.clone());
        let write = tokio::spawn(async move { append(&writer, &at, "acme", 100).await });
        let first = wait_for_lock(&mut admin, 0);
        admin.batch_execute(&format!("SELECT pg_cancel_backend({first})")).expect("a cancellation");
        wait_for_lock(&mut admin, first);
        other.batch_execute("COMMIT").expect("the lock is free");
        write.await.expect("no panic").expect("the second attempt succeeds");

        // a connection that is cut off
        let cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                   WHERE application_name = 'orgmem' AND pid <> pg_backend_pid()";
        admin.batch_execute(cut).expect("it is cut off");
        append(&store, &org, "acme", 100).await.expect("the writer reconnects");
        assert_eq!(count(&store, &org, "acme").await, 4);
    });
}

/// Waits until a writer other than `than` waits for a lock. Returns its process id.
fn wait_for_lock(admin: &mut PgConnection, than: i32) -> i32 {
    let waiting = "SELECT pid FROM pg_stat_activity WHERE application_name = 'orgmem' AND wait_event_type = 'Lock'";
    loop {
        let pids: Vec<Pid> = diesel::sql_query(waiting).load(admin).expect("the activity");
        if let Some(found) = pids.iter().find(|row| row.pid != than) {
            return found.pid;
        }
        std::thread::yield_now();
    }
}

#[derive(QueryableByName)]
struct Pid {
    #[diesel(sql_type = diesel::sql_types::Integer)]
    pid: i32,
}
