//! The audit log: numbers, chain and reclamation.

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, RunQueryDsl, SqliteConnection};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::{ChainFault, GENESIS, Link, Seal, SealKey};
use orgmem_policies::{AuditPass, VerifyPass};
use orgmem_store::{
    AccessFilter, Actor, AuditRecord, CheckedPart, EpisodeFilter, ReadPlan, Store, StoreConfig, StoreError,
};

use super::agent::Agent;
use super::episodes::{append, log};
use super::orgs::{Failure, Org, append_entry, draw, system};
use crate::stores::{On, TestStore};

on_both!(
    row_numbers_have_no_gap_after_failing_jobs,
    seal_that_does_not_follow_is_refused,
    rows_of_workspace_are_found_in_every_range,
    migration_of_old_log_writes_audit_ranges,
    reclaimed_rows_leave_a_valid_chain,
    episodes_of_reads_are_reclaimed_with_their_rows,
    checkpoint_without_a_row_is_detected,
    chain_is_checked_in_parts,
);

pub(super) fn key() -> SealKey {
    SealKey::new(b"the key of these tests")
}

/// Executes SQL directly on the database.
pub(super) fn execute_sql(t: &TestStore, statement: &str) {
    let done = match &t.config {
        StoreConfig::Sqlite { path, .. } => {
            SqliteConnection::establish(&path.to_string_lossy()).expect("the file").batch_execute(statement)
        }
        StoreConfig::Postgres { url, .. } => PgConnection::establish(url).expect("the server").batch_execute(statement),
    };
    done.expect("a statement");
}

/// Appends a read as the workspace of this name.
pub(super) async fn append_read(store: &Store, org: &Org, name: &str) {
    append_entry(store, org.id, store.now(), AuditRecord::new(AuditAction::SearchMemories, org.get(name))).await;
}

/// Appends `count` reads, each in its own write.
async fn append_reads(store: &Store, org: &Org, count: usize) {
    for _ in 0..count {
        append_read(store, org, "acme").await;
    }
}

#[derive(diesel::QueryableByName)]
struct Counted {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}

/// The result of a counting query, directly on the database.
pub(super) fn count(t: &TestStore, query: &str) -> i64 {
    let query = diesel::sql_query(query);
    let counted = match &t.config {
        StoreConfig::Sqlite { path, .. } => {
            let mut conn = SqliteConnection::establish(&path.to_string_lossy()).expect("the file");
            query.get_result::<Counted>(&mut conn)
        }
        StoreConfig::Postgres { url, .. } => {
            query.get_result::<Counted>(&mut PgConnection::establish(url).expect("the server"))
        }
    };
    counted.expect("a number").count
}

/// Seals up to `most` rows; returns whether the store accepted the seal.
pub(super) async fn seal(store: &Store, org: OrgId, most: usize) -> Result<bool, StoreError> {
    let waiting = store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, most)).await?;
    let previous: Link = waiting.after.as_ref().map_or(GENESIS, |seal| seal.link);
    let seal = Seal::of(org.uuid(), previous, &waiting.rows, &key()).expect("rows to seal");
    store.write(org, move |tx| tx.seal(&seal, &waiting)).await
}

pub(super) async fn check(store: &Store, org: OrgId, after: Option<Seal>) -> CheckedPart {
    let checked: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let pass = VerifyPass::grant(&system(), &*tx.tree(org)?)?;
            Ok(tx.check_chain(&pass, after.as_ref(), &[key()], None)?)
        })
        .await;
    checked.expect("an answer")
}

async fn numbers(store: &Store, org: &Org) -> Vec<i64> {
    let (org, root) = (org.id, org.get("acme"));
    let page: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let pass = AuditPass::grant(&system(), &*tx.tree(org)?, root, true)?;
            Ok(tx.access_rows(&pass, &AccessFilter::default(), None, 1000)?)
        })
        .await;
    page.expect("a page").rows.iter().map(|row| row.seq).collect()
}

async fn row_numbers_have_no_gap_after_failing_jobs(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let before = numbers(&t.store, &acme).await.len();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..40 {
        let (store, org, root) = (t.store.clone(), acme.id, acme.get("acme"));
        tasks.spawn(async move {
            let write = store.write(org, move |tx| {
                tx.set_actor(Actor::server());
                tx.record(AuditRecord::new(AuditAction::ExportMemories, root))?;
                if n % 3 == 0 { Err(Failure::OnPurpose) } else { Ok(()) }
            });
            write.await.is_ok()
        });
    }
    let committed = tasks.join_all().await.into_iter().filter(|committed| *committed).count();
    let numbers = numbers(&t.store, &acme).await;
    assert_eq!(numbers, (1..=i64::try_from(before + committed).expect("few")).rev().collect::<Vec<_>>());
}

async fn seal_that_does_not_follow_is_refused(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    append_reads(&t.store, &acme, 6).await;
    let org = acme.id;
    // two sealers read the same rows and both try
    let waiting = t.store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, 3)).await.expect("rows");
    let twice = Seal::of(org.uuid(), GENESIS, &waiting.rows, &key()).expect("rows");
    for is_taken in [true, false] {
        let (seal, waiting) = (twice.clone(), waiting.clone());
        assert_eq!(t.store.write(org, move |tx| tx.seal(&seal, &waiting)).await.expect("an answer"), is_taken);
    }
    while seal(&t.store, org, 2).await.expect("an answer") {
        if t.store.read(ReadPlan::Scan, |tx| tx.orgs_to_seal()).await.expect("orgs").is_empty() {
            break;
        }
    }
    let checked = check(&t.store, org, None).await;
    assert_eq!((checked.sealed, checked.unsealed, checked.fault), (7, 0, None));
}

/// The rows of each of these workspaces, compared with those filtered from the whole org.
async fn rows_of(t: &TestStore, org: &Org, names: &[&str], limit: usize) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
    let page = async |top: WorkspaceId, subtree: bool, before: Option<i64>| {
        let id = org.id;
        let page: Result<_, Failure> = t
            .store
            .read(ReadPlan::Scan, move |tx| {
                let pass = AuditPass::grant(&system(), &*tx.tree(id)?, top, subtree)?;
                Ok(tx.access_rows(&pass, &AccessFilter::default(), before, limit)?)
            })
            .await;
        page.expect("a page")
    };
    let all = async |top: WorkspaceId, subtree: bool| {
        let (mut rows, mut before) = (Vec::new(), None);
        loop {
            let page = page(top, subtree, before).await;
            rows.extend(page.rows.into_iter().map(|row| (row.seq, row.workspace)));
            before = page.next;
            if before.is_none() {
                return rows;
            }
        }
    };
    let whole = all(org.get("acme"), true).await;
    let (mut own, mut cut) = (Vec::new(), Vec::new());
    for name in names {
        let id = org.get(name);
        own.push(all(id, false).await.into_iter().map(|(seq, _)| seq).collect());
        cut.push(whole.iter().filter(|(_, of)| *of == id).map(|(seq, _)| *seq).collect());
    }
    (own, cut)
}

async fn rows_of_workspace_are_found_in_every_range(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two\n  none").await;
    let names = ["acme", "one", "two", "none"];
    for (number, most) in [3, 1, 4, 2, 5].into_iter().enumerate() {
        t.clock.advance(TimeDelta::days(1));
        for turn in 0..3 + number {
            append_read(&t.store, &acme, if turn % 3 == 0 { "two" } else { "one" }).await;
        }
        // some rows are sealed, others are not
        assert!(seal(&t.store, acme.id, most).await.expect("a seal"));
        for limit in [1, 2, 100] {
            let (own, cut) = rows_of(&t, &acme, &names, limit).await;
            assert_eq!(own, cut, "after seal {number}, {limit} a page");
        }
    }
    let (org, before) = (acme.id, t.store.now());
    let old = t.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer");
    let checkpoint = old.expect("old rows").checkpoint(org.uuid(), &key());
    assert!(t.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await.expect("it is done") > 8);
    let (own, cut) = rows_of(&t, &acme, &names, 2).await;
    assert_eq!(own, cut, "after the oldest are gone");
    let left = "SELECT count(*) AS count FROM audit_ranges WHERE first_seq < (SELECT min(seq) FROM access_log)";
    assert_eq!(count(&t, left), 0, "their ranges are removed");
}

async fn migration_of_old_log_writes_audit_ranges(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two").await;
    for turn in 0..9 {
        append_read(&t.store, &acme, ["one", "two", "one"][turn % 3]).await;
    }
    assert!(seal(&t.store, acme.id, 4).await.expect("a seal"));
    assert!(seal(&t.store, acme.id, 3).await.expect("a seal"));
    let committed = "CREATE TABLE saved_ranges AS SELECT * FROM audit_ranges";
    execute_sql(&t, committed);
    let folder = match &t.config {
        StoreConfig::Sqlite { .. } => "sqlite",
        StoreConfig::Postgres { .. } => "postgres",
    };
    // later migrations renamed the tables, so those go down before and up after
    for step in
        ["0080_plain_names/down", "0070_access_stretches/down", "0070_access_stretches/up", "0080_plain_names/up"]
    {
        let file = format!("{}/../../migrations/{folder}/{step}.sql", env!("CARGO_MANIFEST_DIR"));
        execute_sql(&t, &std::fs::read_to_string(file).expect("a migration"));
    }
    for (one, other) in [("audit_ranges", "saved_ranges"), ("saved_ranges", "audit_ranges")] {
        let missing = format!("SELECT count(*) AS count FROM (SELECT * FROM {one} EXCEPT SELECT * FROM {other}) AS m");
        assert_eq!(count(&t, &missing), 0, "rows of {one} are missing in {other}");
    }
    assert_eq!(count(&t, "SELECT count(*) AS count FROM audit_ranges"), 5, "of three workspaces in two ranges");
}

async fn reclaimed_rows_leave_a_valid_chain(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    append_reads(&t.store, &acme, 4).await;
    assert!(seal(&t.store, org, 3).await.expect("a seal"));
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    t.clock.advance(TimeDelta::days(10));
    append_reads(&t.store, &acme, 3).await;
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    let before = t.store.now() - TimeDelta::days(5);
    let due = t.store.read(ReadPlan::Scan, move |tx| tx.orgs_to_trim(before)).await.expect("orgs");
    assert_eq!(due, [org]);
    let old =
        t.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer").expect("old rows");
    assert_eq!((old.first, old.last), (4, 5));
    let checkpoint = old.checkpoint(org.uuid(), &key());
    assert_eq!(t.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await.expect("it is done"), 5);
    assert_eq!(numbers(&t.store, &acme).await, [9, 8, 7, 6]);
    let checked = check(&t.store, org, None).await;
    assert_eq!((checked.sealed, checked.unsealed, checked.fault), (3, 1, None));
    assert!(seal(&t.store, org, 10).await.expect("the chain goes on"));
    assert_eq!(check(&t.store, org, None).await.fault, None);
    let none = t.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer");
    assert_eq!(none, None, "nothing is reclaimed twice");
    assert!(t.store.read(ReadPlan::Scan, move |tx| tx.orgs_to_trim(before)).await.expect("orgs").is_empty());
}

async fn episodes_of_reads_are_reclaimed_with_their_rows(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let (org, bot) = (acme.id, Agent::new(&t.store, &acme, "acme"));
    let read = async |summary: &str| {
        let record = AuditRecord::new(AuditAction::ReadMemory, acme.get("acme")).with_episode(summary.into(), None);
        append_entry(&t.store, org, t.store.now(), record).await;
    };
    read("old").await;
    append(&bot, log("an old entry of the agent")).await;
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    t.clock.advance(TimeDelta::days(10));
    let before = t.store.now() - TimeDelta::days(5);
    read("young").await;
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    let old = t.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer");
    let checkpoint = old.expect("old rows").checkpoint(org.uuid(), &key());
    t.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await.expect("it is done");
    let left = bot.view(|tx, pass| tx.list_episodes(pass, &EpisodeFilter::default(), None, 100)).await;
    let left: Vec<String> = left.into_iter().filter_map(|episode| episode.summary).collect();
    assert_eq!(left, ["young", "an old entry of the agent"]);
}

async fn checkpoint_without_a_row_is_detected(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    append_reads(&t.store, &acme, 4).await;
    assert!(seal(&t.store, org, 3).await.expect("a seal"));
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    let old = check(&t.store, org, None).await;
    assert_eq!(old.fault, None);
    // the owner of the key cannot remove the beginning without detection
    let first = t.store.read(ReadPlan::Scan, move |tx| {
        let later = tx.now() + TimeDelta::days(1);
        tx.trimmable(org, later)
    });
    let checkpoint = first.await.expect("an answer").expect("a sealed range").checkpoint(org.uuid(), &key());
    let forged = t.store.write(org, move |tx| -> Result<(), Failure> {
        tx.trim_access_log(&checkpoint)?;
        Ok(())
    });
    forged.await.expect("it is done");
    assert_eq!(check(&t.store, org, None).await.fault, None, "the row that tells of it is there");
    execute_sql(&t, "DELETE FROM access_log WHERE verb = 'trim_access_log'");
    assert_eq!(check(&t.store, org, None).await.fault, Some(ChainFault::StartMissing(5)));
}

async fn chain_is_checked_in_parts(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    append_reads(&t.store, &acme, 8).await;
    while !t.store.read(ReadPlan::Scan, |tx| tx.orgs_to_seal()).await.expect("orgs").is_empty() {
        assert!(seal(&t.store, org, 2).await.expect("a seal"));
    }
    let waiting = t.store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, 10)).await.expect("an answer");
    let whole = check(&t.store, org, None).await;
    assert_eq!((whole.sealed, whole.last, whole.more, whole.fault), (9, 9, None, None));
    let rest = check(&t.store, org, waiting.after).await;
    assert_eq!((rest.sealed, rest.last, rest.fault), (0, 9, None), "nothing is left after the last seal");
}

#[test]
fn two_servers_seal_one_chain_and_survive_each_other() {
    crate::run(On::Postgres, async |t: TestStore| {
        let acme = draw(&t.store, "acme").await;
        let (org, other) = (acme.id, t.second_server());
        let sealing = |store: Store| async move {
            for _ in 0..20 {
                let waiting = store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, 3)).await.expect("rows");
                if !waiting.rows.is_empty() {
                    let previous: Link = waiting.after.as_ref().map_or(GENESIS, |seal| seal.link);
                    let seal = Seal::of(org.uuid(), previous, &waiting.rows, &key()).expect("rows");
                    store.write(org, move |tx| tx.seal(&seal, &waiting)).await.expect("taken or not");
                }
            }
        };
        let (one, two) = (tokio::spawn(sealing(t.store.clone())), tokio::spawn(sealing(other.clone())));
        append_reads(&t.store, &acme, 10).await;
        append_reads(&other, &acme, 10).await;
        one.await.expect("it seals");
        two.await.expect("it seals");
        t.store.close();
        while !other.read(ReadPlan::Scan, |tx| tx.orgs_to_seal()).await.expect("orgs").is_empty() {
            seal(&other, org, 7).await.expect("an answer");
        }
        let checked = check(&other, org, None).await;
        assert_eq!((checked.sealed, checked.unsealed, checked.fault), (21, 0, None));
    });
}
