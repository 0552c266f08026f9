//! The access log: numbered, chained, reclaimed.

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use orgmem_hierarchy::OrgId;
use orgmem_policies::access::Verb;
use orgmem_policies::chain::{Fault, GENESIS, Link, Seal, SealKey};
use orgmem_policies::{AuditPass, VerifyPass};
use orgmem_store::{AccessFilter, By, CheckedPart, Cost, Deed, Store, StoreConfig, StoreError, Told};

use super::orgs::{Failure, Org, draw, system};
use crate::stores::{On, TestStore};

on_both!(
    rows_are_numbered_without_a_gap_though_jobs_fail,
    a_seal_that_does_not_follow_is_not_taken,
    old_rows_are_reclaimed_and_the_chain_goes_on,
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

/// Tells of `count` reads, one write each.
async fn read_often(store: &Store, org: &Org, count: usize) {
    for _ in 0..count {
        let told = Told { by: By::server(), at: store.now(), deed: Deed::new(Verb::SearchMemories, org.get("acme")) };
        let write = store.write(org.id, move |tx| tx.tell(std::slice::from_ref(&told)));
        write.await.expect("a row");
    }
}

/// Seals up to `most` rows; says whether that was taken.
async fn seal(store: &Store, org: OrgId, most: usize) -> Result<bool, StoreError> {
    let waiting = store.read(Cost::Scan, move |tx| tx.unsealed(org, most)).await?;
    let previous: Link = waiting.after.map_or(GENESIS, |seal| seal.link);
    let seal = Seal::of(org.uuid(), previous, &waiting.rows, &key()).expect("rows to seal");
    store.write(org, move |tx| tx.seal(&seal, &waiting.named, &waiting.used)).await
}

async fn check(store: &Store, org: OrgId, after: Option<Seal>) -> CheckedPart {
    let checked: Result<_, Failure> = store
        .read(Cost::Scan, move |tx| {
            let pass = VerifyPass::grant(&system(), &*tx.tree(org)?)?;
            Ok(tx.check_chain(&pass, after.as_ref(), &[key()], None)?)
        })
        .await;
    checked.expect("an answer")
}

async fn numbers(store: &Store, org: &Org) -> Vec<i64> {
    let (org, root) = (org.id, org.get("acme"));
    let page: Result<_, Failure> = store
        .read(Cost::Scan, move |tx| {
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
                tx.on_behalf_of(By::server());
                tx.record(Deed::new(Verb::ExportMemories, root))?;
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
    let waiting = t.store.read(Cost::Scan, move |tx| tx.unsealed(org, 3)).await.expect("rows");
    let twice = Seal::of(org.uuid(), GENESIS, &waiting.rows, &key()).expect("rows");
    let named = waiting.named;
    for is_taken in [true, false] {
        let (seal, named) = (twice.clone(), named.clone());
        assert_eq!(t.store.write(org, move |tx| tx.seal(&seal, &named, &[])).await.expect("an answer"), is_taken);
    }
    while seal(&t.store, org, 2).await.expect("an answer") {
        if t.store.read(Cost::Scan, |tx| tx.orgs_to_seal()).await.expect("orgs").is_empty() {
            break;
        }
    }
    let checked = check(&t.store, org, None).await;
    assert_eq!((checked.sealed, checked.unsealed, checked.fault), (7, 0, None));
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
    let due = t.store.read(Cost::Scan, move |tx| tx.orgs_to_trim(before)).await.expect("orgs");
    assert_eq!(due, [org]);
    let old =
        t.store.read(Cost::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer").expect("old rows");
    assert_eq!((old.first, old.last), (4, 5));
    let checkpoint = old.checkpoint(org.uuid(), &key());
    assert_eq!(t.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await.expect("it is done"), 5);
    assert_eq!(numbers(&t.store, &acme).await, [9, 8, 7, 6]);
    let checked = check(&t.store, org, None).await;
    assert_eq!((checked.sealed, checked.unsealed, checked.fault), (3, 1, None));
    assert!(seal(&t.store, org, 10).await.expect("the chain goes on"));
    assert_eq!(check(&t.store, org, None).await.fault, None);
    let none = t.store.read(Cost::Scan, move |tx| tx.trimmable(org, before)).await.expect("an answer");
    assert_eq!(none, None, "nothing is reclaimed twice");
    assert!(t.store.read(Cost::Scan, move |tx| tx.orgs_to_trim(before)).await.expect("orgs").is_empty());
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
    let first = t.store.read(Cost::Scan, move |tx| {
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
    assert_eq!(check(&t.store, org, None).await.fault, Some(Fault::Beheaded(5)));
}

async fn a_chain_is_checked_part_by_part(t: TestStore) {
    let acme = draw(&t.store, "acme").await;
    let org = acme.id;
    read_often(&t.store, &acme, 8).await;
    while !t.store.read(Cost::Scan, |tx| tx.orgs_to_seal()).await.expect("orgs").is_empty() {
        assert!(seal(&t.store, org, 2).await.expect("a seal"));
    }
    let waiting = t.store.read(Cost::Scan, move |tx| tx.unsealed(org, 10)).await.expect("an answer");
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
                let waiting = store.read(Cost::Scan, move |tx| tx.unsealed(org, 3)).await.expect("rows");
                if !waiting.rows.is_empty() {
                    let previous: Link = waiting.after.map_or(GENESIS, |seal| seal.link);
                    let seal = Seal::of(org.uuid(), previous, &waiting.rows, &key()).expect("rows");
                    store
                        .write(org, move |tx| tx.seal(&seal, &waiting.named, &waiting.used))
                        .await
                        .expect("taken or not");
                }
            }
        };
        let (one, two) = (tokio::spawn(sealing(t.store.clone())), tokio::spawn(sealing(other.clone())));
        read_often(&t.store, &acme, 10).await;
        read_often(&other, &acme, 10).await;
        one.await.expect("it seals");
        two.await.expect("it seals");
        t.store.close();
        while !other.read(Cost::Scan, |tx| tx.orgs_to_seal()).await.expect("orgs").is_empty() {
            seal(&other, org, 7).await.expect("an answer");
        }
        let checked = check(&other, org, None).await;
        assert_eq!((checked.sealed, checked.unsealed, checked.fault), (21, 0, None));
    });
}
