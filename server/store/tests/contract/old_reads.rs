//! Old rows of reads are deleted, and the chain is verified as before.

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, Scope};
use orgmem_policies::AuditPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::{ChainFault, Seal, check as check_seal};
use orgmem_store::{AccessFilter, AuditRecord, EpisodeFilter, ReadPlan, SealedRange, Store};

use super::agent::Agent;
use super::audit_log::{append_read, check, count, execute_sql, key, seal};
use super::commits::{Commit, commit};
use super::orgs::{Failure, Org, append_entry, draw, system};
use crate::stores::TestStore;

on_both!(
    old_rows_of_reads_are_deleted_and_the_chain_stays_valid,
    tampering_with_a_trimmed_range_is_detected,
    range_without_reads_is_looked_through_once,
    trimmed_range_is_deleted_with_the_whole_log,
);

async fn old_reads(store: &Store, org: OrgId, days: i64, after: i64) -> Vec<SealedRange> {
    let before = store.now() - TimeDelta::days(days);
    store.read(ReadPlan::Scan, move |tx| tx.old_reads(org, before, after)).await.expect("ranges")
}

/// Deletes rows of reads that are older than five days, as the server does.
async fn trim(store: &Store, org: OrgId) -> usize {
    let ranges = old_reads(store, org, 5, i64::MIN).await;
    let seals: Vec<Seal> = ranges
        .into_iter()
        .map(|SealedRange { seal, rows, reads }| {
            check_seal(org.uuid(), &seal.previous, &seal, &rows, &[key()]).expect("an intact range");
            if reads.is_empty() { seal } else { seal.without(org.uuid(), reads, &key()) }
        })
        .collect();
    store.write(org, move |tx| tx.trim_reads(&seals)).await.expect("it is done")
}

async fn actions(store: &Store, org: &Org) -> Vec<(i64, AuditAction)> {
    let (id, top) = (org.id, org.get("acme"));
    let rows: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let pass = AuditPass::grant(&system(), &*tx.tree(id)?, top, true)?;
            Ok(tx.access_rows(&pass, &AccessFilter::default(), None, 100)?)
        })
        .await;
    rows.expect("rows").rows.into_iter().map(|row| (row.seq, row.action)).rev().collect()
}

/// Three sealed ranges: a creation with two commits and three reads, only reads, and a young read.
async fn log_of(t: &TestStore) -> Org {
    let acme = draw(&t.store, "acme\n  bot").await;
    append_read(&t.store, &acme, "acme").await;
    commit(&t.store, &acme, Commit::new(acme.get("bot"), Scope::Local, "one")).await.expect("a commit");
    append_read(&t.store, &acme, "bot").await;
    commit(&t.store, &acme, Commit::new(acme.get("bot"), Scope::Local, "two")).await.expect("a commit");
    append_read(&t.store, &acme, "bot").await;
    assert!(seal(&t.store, acme.id, 100).await.expect("a seal"));
    append_read(&t.store, &acme, "bot").await;
    append_read(&t.store, &acme, "acme").await;
    assert!(seal(&t.store, acme.id, 100).await.expect("a seal"));
    t.clock.advance(TimeDelta::days(10));
    append_read(&t.store, &acme, "bot").await;
    assert!(seal(&t.store, acme.id, 100).await.expect("a seal"));
    acme
}

async fn old_rows_of_reads_are_deleted_and_the_chain_stays_valid(t: TestStore) {
    let acme = log_of(&t).await;
    let before = actions(&t.store, &acme).await;
    let org = acme.id;
    assert_eq!(t.store.read(ReadPlan::Scan, |tx| tx.orgs_with_seals()).await.expect("orgs"), [org]);
    assert_eq!(trim(&t.store, org).await, 5);
    let checked = check(&t.store, org, None).await;
    assert_eq!((checked.fault, checked.unsealed), (None, 1));
    let after = actions(&t.store, &acme).await;
    let mut expected: Vec<_> = before.iter().copied().filter(|(_, action)| !action.is_read()).collect();
    expected.push(before[before.len() - 1]);
    expected.push((before.len() as i64 + 1, AuditAction::TrimAccessLog));
    assert_eq!(after, expected, "rows of writes, the young read, and the record of the deletion");
    assert!(seal(&t.store, org, 100).await.expect("the chain goes on"));
    assert_eq!(check(&t.store, org, None).await.fault, None);
    assert_eq!(trim(&t.store, org).await, 0, "nothing is deleted twice");
    assert!(old_reads(&t.store, org, 5, i64::MIN).await.is_empty());
}

async fn tampering_with_a_trimmed_range_is_detected(t: TestStore) {
    let acme = log_of(&t).await;
    let org = acme.id;
    trim(&t.store, org).await;
    let rows = actions(&t.store, &acme).await;
    let (commit, _) = *rows.iter().find(|(_, action)| *action == AuditAction::CommitMemory).expect("a commit");
    let copies =
        "CREATE TABLE saved_log AS SELECT * FROM access_log; CREATE TABLE saved_seals AS SELECT * FROM access_seals";
    execute_sql(&t, copies);
    let restore = "DELETE FROM access_log; INSERT INTO access_log SELECT * FROM saved_log; DELETE FROM access_seals; \
        INSERT INTO access_seals SELECT * FROM saved_seals";
    let removed = rows.iter().zip(1..).find(|((seq, _), expected)| seq != expected).map(|(_, missing)| missing);
    let removed: i64 = removed.expect("a removed row");
    let attacks = [
        (format!("DELETE FROM access_log WHERE seq = {commit}"), ChainFault::Missing(commit)),
        (format!("UPDATE access_log SET seq = {removed} WHERE seq = {commit}"), ChainFault::Inserted(removed)),
        ("UPDATE access_seals SET removed = NULL".into(), ChainFault::Seal(1)),
    ];
    for (attack, fault) in attacks {
        execute_sql(&t, &attack);
        assert_eq!(check(&t.store, org, None).await.fault, Some(fault), "{attack}");
        execute_sql(&t, restore);
        assert_eq!(check(&t.store, org, None).await.fault, None);
    }
}

async fn range_without_reads_is_looked_through_once(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    assert!(seal(&t.store, acme.id, 100).await.expect("a seal"));
    t.clock.advance(TimeDelta::days(10));
    assert_eq!(old_reads(&t.store, acme.id, 5, i64::MIN).await.len(), 1);
    assert_eq!(trim(&t.store, acme.id).await, 0);
    assert!(old_reads(&t.store, acme.id, 5, i64::MIN).await.is_empty());
    assert_eq!(check(&t.store, acme.id, None).await.fault, None);
    assert_eq!(count(&t, "SELECT count(*) AS count FROM access_log WHERE verb = 'trim_access_log'"), 0);
}

async fn trimmed_range_is_deleted_with_the_whole_log(t: TestStore) {
    let acme = log_of(&t).await;
    let org = acme.id;
    let bot = Agent::new(&t.store, &acme, "bot");
    let read = AuditRecord::new(AuditAction::ReadMemory, acme.get("bot")).with_episode("young".into(), None);
    append_entry(&t.store, org, t.store.now(), read).await;
    trim(&t.store, org).await;
    let before = t.store.now() - TimeDelta::days(5);
    let old = t.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer");
    let checkpoint = old.expect("old rows").checkpoint(org.uuid(), &key());
    assert!(t.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await.expect("it is done") > 2);
    assert_eq!(check(&t.store, org, None).await.fault, None);
    let left = bot.view(|tx, pass| tx.list_episodes(pass, &EpisodeFilter::default(), None, 100)).await;
    assert!(left.iter().any(|episode| episode.summary.as_deref() == Some("young")), "{left:?}");
}
