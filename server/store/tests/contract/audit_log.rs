//! The access log: numbered, chained, reclaimed.

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
    rows_are_numbered_without_a_gap_though_jobs_fail,
    a_seal_that_does_not_follow_is_not_taken,
    the_rows_of_a_workspace_are_found_wherever_they_are,
    migration_of_an_old_log_writes_its_audit_ranges,
    old_rows_are_reclaimed_and_the_chain_goes_on,
    episodes_of_reads_go_with_their_rows,
    a_checkpoint_that_no_row_tells_of_is_found,
    a_chain_is_checked_part_by_part,
);

fn key() -> SealKey {
    SealKey::new(b"the key of these tests")
}

/// Does this behind the store's back.
pub(super) fn tamper(t: &TestStore, statement: &str) {
    let done = match &t.config {
        StoreConfig::Sqlite { path, .. } => {
            SqliteConnection::establish(&path.to_string_lossy()).expect("the file").batch_execute(statement)
        }
        StoreConfig::Postgres { url, .. } => PgConnection::establish(url).expect("the server").batch_execute(statement),
    };
    done.expect("a statement");
}

/// Tells of a read as the workspace of this name.
async fn read_as(store: &Store, org: &Org, name: &str) {
    append_entry(store, org.id, store.now(), AuditRecord::new(AuditAction::SearchMemories, org.get(name))).await;
}

/// Tells of `count` reads, one write each.
async fn read_often(store: &Store, org: &Org, count: usize) {
    for _ in 0..count {
        read_as(store, org, "acme").await;
    }
}

#[derive(diesel::QueryableByName)]
struct Counted {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}

/// What this query counts, asked behind the store's back.
fn count(t: &TestStore, query: &str) -> i64 {
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

/// Seals up to `most` rows; says whether that was taken.
async fn seal(store: &Store, org: OrgId, most: usize) -> Result<bool, StoreError> {
    let waiting = store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, most)).await?;
    let previous: Link = waiting.after.as_ref().map_or(GENESIS, |seal| seal.link);
    let seal = Seal::of(org.uuid(), previous, &waiting.rows, &key()).expect("rows to seal");
    store.write(org, move |tx| tx.seal(&seal, &waiting)).await
}

async fn check(store: &Store, org: OrgId, after: Option<Seal>) -> CheckedPart {
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

async fn rows_are_numbered_without_a_gap_though_jobs_fail(t: TestStore) {
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
    let kept = tasks.join_all().await.into_iter().filter(|kept| *kept).count();
    let numbers = numbers(&t.store, &acme).await;
    assert_eq!(numbers, (1..=i64::try_from(before + kept).expect("few")).rev().collect::<Vec<_>>());
}

async fn a_seal_that_does_not_follow_is_not_taken(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    read_often(&t.store, &acme, 6).await;
    let org = acme.id;
    // two sealers look at the same rows, and both try
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

/// The rows of each of these workspaces, by itself, and then cut out of the rows of the whole org.
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

async fn the_rows_of_a_workspace_are_found_wherever_they_are(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two\n  none").await;
    let names = ["acme", "one", "two", "none"];
    for (number, most) in [3, 1, 4, 2, 5].into_iter().enumerate() {
        t.clock.advance(TimeDelta::days(1));
        for turn in 0..3 + number {
            read_as(&t.store, &acme, if turn % 3 == 0 { "two" } else { "one" }).await;
        }
        // some rows are sealed, and some wait
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
    assert_eq!(count(&t, left), 0, "nothing is kept of where they were");
}

async fn migration_of_an_old_log_writes_its_audit_ranges(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two").await;
    for turn in 0..9 {
        read_as(&t.store, &acme, ["one", "two", "one"][turn % 3]).await;
    }
    assert!(seal(&t.store, acme.id, 4).await.expect("a seal"));
    assert!(seal(&t.store, acme.id, 3).await.expect("a seal"));
    let kept = "CREATE TABLE saved_ranges AS SELECT * FROM audit_ranges";
    tamper(&t, kept);
    let folder = match &t.config {
        StoreConfig::Sqlite { .. } => "sqlite",
        StoreConfig::Postgres { .. } => "postgres",
    };
    // the tables have other names since: their migration goes down before and up after
    for step in
        ["0080_plain_names/down", "0070_access_stretches/down", "0070_access_stretches/up", "0080_plain_names/up"]
    {
        let file = format!("{}/../../migrations/{folder}/{step}.sql", env!("CARGO_MANIFEST_DIR"));
        tamper(&t, &std::fs::read_to_string(file).expect("a migration"));
    }
    for (one, other) in [("audit_ranges", "saved_ranges"), ("saved_ranges", "audit_ranges")] {
        let missing = format!("SELECT count(*) AS count FROM (SELECT * FROM {one} EXCEPT SELECT * FROM {other}) AS m");
        assert_eq!(count(&t, &missing), 0, "rows of {one} are missing in {other}");
    }
    assert_eq!(count(&t, "SELECT count(*) AS count FROM audit_ranges"), 5, "of three workspaces in two ranges");
}

async fn old_rows_are_reclaimed_and_the_chain_goes_on(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    read_often(&t.store, &acme, 4).await;
    assert!(seal(&t.store, org, 3).await.expect("a seal"));
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    t.clock.advance(TimeDelta::days(10));
    read_often(&t.store, &acme, 3).await;
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

async fn episodes_of_reads_go_with_their_rows(t: TestStore) {
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

async fn a_checkpoint_that_no_row_tells_of_is_found(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    read_often(&t.store, &acme, 4).await;
    assert!(seal(&t.store, org, 3).await.expect("a seal"));
    assert!(seal(&t.store, org, 10).await.expect("a seal"));
    let old = check(&t.store, org, None).await;
    assert_eq!(old.fault, None);
    // even who has the key cannot take the beginning away in silence
    let first = t.store.read(ReadPlan::Scan, move |tx| {
        let later = tx.now() + TimeDelta::days(1);
        tx.trimmable(org, later)
    });
    let checkpoint = first.await.expect("an answer").expect("a stretch").checkpoint(org.uuid(), &key());
    let forged = t.store.write(org, move |tx| -> Result<(), Failure> {
        tx.trim_access_log(&checkpoint)?;
        Ok(())
    });
    forged.await.expect("it is done");
    assert_eq!(check(&t.store, org, None).await.fault, None, "the row that tells of it is there");
    tamper(&t, "DELETE FROM access_log WHERE verb = 'trim_access_log'");
    assert_eq!(check(&t.store, org, None).await.fault, Some(ChainFault::StartMissing(5)));
}

async fn a_chain_is_checked_part_by_part(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    read_often(&t.store, &acme, 8).await;
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
fn two_servers_seal_one_chain_and_one_goes_on_when_the_other_is_gone() {
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
        read_often(&t.store, &acme, 10).await;
        read_often(&other, &acme, 10).await;
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
