//! Cached reads return the same as a new snapshot.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use orgmem_hierarchy::{OrgId, TreeLimits, WorkspaceId};
use orgmem_policies::drafts::{EntryDraft, EntryInput};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{DraftLimits, TreePass};
use orgmem_store::{ReadPlan, ReadTx, Requester, StoreConfig, StoreError};
use uuid::Uuid;

use super::agent::{Agent, view_pass};
use super::orgs::{Failure, create, draw, system};
use super::tokens::revoke_any;
use crate::stores::{On, TestStore};

on_both!(
    cached_read_is_consistent_and_includes_acknowledged_writes,
    long_snapshot_does_not_cache_outdated_objects,
    long_snapshot_does_not_cache_an_absent_org,
    refusal_uses_one_snapshot,
    read_of_a_changing_tree_blocks_no_thread,
);

fn number(agent: &Agent, n: u64) -> EntryDraft {
    let input =
        EntryInput { key: "number".into(), value: n.into(), ttl_seconds: None, if_match_version: None, subject: None };
    EntryDraft::check(input, DraftLimits::default(), Scrubber::built_in(), agent.store.now()).expect("a right entry")
}

async fn put(agent: &Agent, n: u64) {
    let draft = number(agent, n);
    agent.act(move |tx, pass| Ok(tx.put_entry(pass, &draft)?)).await.expect("an answer").expect("no version was named");
}

/// The last number that was put; 0 before.
fn number_in(tx: &mut dyn ReadTx, agent: &Agent) -> Result<u64, Failure> {
    let pass = view_pass(tx, agent.org, agent.id)?;
    let entry = tx.entry(&pass, "number")?;
    Ok(entry.map_or(0, |entry| entry.value.parse().expect("a number")))
}

/// Of a caller of the org.
async fn read(agent: &Agent, plan: ReadPlan) -> u64 {
    let at = agent.clone();
    let reading = agent.store.read_for(caller_of(agent), plan, move |tx| number_in(tx, &at));
    reading.await.expect("an answer")
}

fn caller_of(agent: &Agent) -> Requester {
    Requester { org: Some(agent.org), caller: Uuid::from_u128(7) }
}

/// Each write moves a workspace and records the move in an entry.
async fn cached_read_is_consistent_and_includes_acknowledged_writes(t: TestStore) {
    let acme = draw(&t.store, "acme\n  even\n    bot\n  odd").await;
    let (bot, places) = (Agent::new(&t.store, &acme, "bot"), [acme.get("even"), acme.get("odd")]);
    let acknowledged = Arc::new(AtomicU64::new(0));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (bot, acknowledged) = (bot.clone(), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                let mut last = 0;
                while last < 300 {
                    let before = acknowledged.load(Ordering::SeqCst);
                    let at = bot.clone();
                    let snapshot = bot.store.read_for(caller_of(&bot), ReadPlan::Cached, move |tx| {
                        let parent = tx.tree(at.org)?.parent(at.id);
                        Ok::<_, Failure>((parent, number_in(tx, &at)?))
                    });
                    let (parent, moves) = snapshot.await.expect("an answer");
                    assert!(moves >= before.max(last), "{moves} after {before} and {last}");
                    assert_eq!(parent, Some(places[usize::from(moves % 2 == 1)]), "after {moves} moves");
                    last = moves;
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for n in 1..=300_u64 {
        let (org, id, to) = (bot.org, bot.id, places[usize::from(n % 2 == 1)]);
        let draft = number(&bot, n);
        let moved = bot.act(move |tx, pass| {
            let change = TreePass::relocate(&system(), &*tx.tree(org)?, id, to, TreeLimits::default())?;
            tx.change_tree(&change)?;
            Ok(tx.put_entry(pass, &draft)?)
        });
        assert_eq!(moved.await.expect("an allowed move"), Ok(i64::try_from(n).expect("few")));
        acknowledged.store(n, Ordering::SeqCst);
    }
    for reader in readers {
        reader.await.expect("it saw what there was");
    }
}

/// A snapshot may be in use while the next write is acknowledged.
async fn long_snapshot_does_not_cache_outdated_objects(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    put(&bot, 1).await;
    let (reading, begun) = mpsc::channel();
    let (go_on, waited) = mpsc::channel::<()>();
    let at = bot.clone();
    let late = tokio::spawn(async move {
        let look = {
            let at = at.clone();
            move |tx: &mut dyn ReadTx| {
                tx.orgs_to_seal()?;
                tx.token_status(Some(at.id), Uuid::nil())?;
                reading.send(()).ok();
                waited.recv().ok();
                number_in(tx, &at)
            }
        };
        at.store.read(ReadPlan::Scan, look).await.expect("an answer")
    });
    begun.recv().expect("the read begins");
    put(&bot, 2).await;
    go_on.send(()).expect("it waits");
    assert_eq!(late.await.expect("an answer"), 1, "of the snapshot that it began with");
    for _ in 0..3 {
        assert_eq!(read(&bot, ReadPlan::Cached).await, 2);
    }
}

/// The same for an org without a row, such as that of the server's own tokens.
async fn long_snapshot_does_not_cache_an_absent_org(t: TestStore) {
    let jti = Uuid::from_u128(7);
    let is_refused = async |plan| -> Result<bool, StoreError> {
        t.store.read(plan, move |tx| Ok(tx.token_status(None, jti)?.revoked)).await
    };
    let (reading, begun) = mpsc::channel();
    let (go_on, waited) = mpsc::channel::<()>();
    let store = t.store.clone();
    let late = tokio::spawn(async move {
        let look = move |tx: &mut dyn ReadTx| {
            tx.orgs_to_seal()?;
            reading.send(()).ok();
            waited.recv().ok();
            Ok::<_, StoreError>(tx.token_status(None, jti)?.revoked)
        };
        store.read(ReadPlan::Scan, look).await.expect("an answer")
    });
    begun.recv().expect("the read begins");
    revoke_any(&t.store, jti).await;
    go_on.send(()).expect("it waits");
    assert!(!late.await.expect("an answer"), "of the snapshot that it began with");
    for plan in [ReadPlan::Cached, ReadPlan::Scan, ReadPlan::Cached] {
        assert!(is_refused(plan).await.expect("an answer"));
    }
}

/// The caller and the target are looked up separately and may be in different orgs.
async fn refusal_uses_one_snapshot(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let jti = Uuid::from_u128(7);
    put(&bot, 1).await;
    for plan in [ReadPlan::Scan, ReadPlan::Cached] {
        assert_eq!(read(&bot, plan).await, 1);
        let token_status = t.store.read(plan, move |tx| tx.token_status(None, jti)).await;
        assert!(!token_status.expect("an answer").revoked);
    }
    let (reading, begun) = mpsc::channel();
    let (go_on, waited) = mpsc::channel::<()>();
    let at = bot.clone();
    let asking = tokio::spawn(async move {
        let look = {
            let at = at.clone();
            move |tx: &mut dyn ReadTx| {
                let is_refused = tx.token_status(None, jti)?.revoked;
                // only once: a retry does not wait
                reading.send(()).ok();
                waited.recv().ok();
                Ok::<_, Failure>((is_refused, number_in(tx, &at)?))
            }
        };
        at.store.read(ReadPlan::Cached, look).await.expect("an answer")
    });
    begun.recv().expect("the read begins");
    revoke_any(&t.store, jti).await;
    put(&bot, 2).await;
    for plan in [ReadPlan::Scan, ReadPlan::Cached] {
        assert_eq!(read(&bot, plan).await, 2);
    }
    drop(go_on);
    let (is_refused, number) = asking.await.expect("an answer");
    assert!(is_refused || number == 1, "a refused token was answered {number}");
}

#[test]
fn cached_read_needs_no_connection() {
    crate::run(On::Sqlite, async |t: TestStore| {
        let acme = draw(&t.store, "acme\n  bot").await;
        let bot = Agent::new(&t.store, &acme, "bot");
        assert_eq!(read(&bot, ReadPlan::Cached).await, 0);
        let StoreConfig::Sqlite { readers, .. } = &t.config else { panic!("it is SQLite") };
        let (reading, begun) = mpsc::channel();
        let mut go_on = Vec::new();
        // one of each org, because one org leaves a connection to others
        for number in 0..readers.get() {
            let (end, waited) = mpsc::channel::<()>();
            go_on.push(end);
            let (store, reading) = (t.store.clone(), reading.clone());
            tokio::spawn(async move {
                let look = move |tx: &mut dyn ReadTx| {
                    tx.orgs_to_seal()?;
                    reading.send(()).expect("somebody waits for it");
                    waited.recv().ok();
                    Ok::<_, StoreError>(())
                };
                let org = OrgId::of_root(Uuid::from_u128(number.into()).into());
                let requester = Requester { org: Some(org), caller: Uuid::nil() };
                store.read_for(requester, ReadPlan::Probe, look).await
            });
            begun.recv().expect("the read begins");
        }
        assert_eq!(read(&bot, ReadPlan::Cached).await, 0);
        drop(go_on);
    });
}

/// A reader waits for the commit without blocking its thread.
async fn read_of_a_changing_tree_blocks_no_thread(t: TestStore) {
    let acme = draw(&t.store, "acme\n  bot").await;
    let (bot, new) = (Agent::new(&t.store, &acme, "bot"), WorkspaceId::from(t.store.new_id()));
    put(&bot, 1).await;
    let (reached, begun) = mpsc::channel();
    let (go_on, waited) = mpsc::channel::<()>();
    let (store, org, parent) = (t.store.clone(), acme.id, acme.get("acme"));
    let changing = tokio::spawn(async move {
        let org_version = store.write(org, move |tx| {
            create(tx, org, new, parent, "new")?;
            tx.tree(org)?;
            reached.send(()).ok();
            waited.recv().ok();
            Ok::<_, Failure>(())
        });
        org_version.await
    });
    begun.recv().expect("the writer comes to it");
    let at = bot.clone();
    let look = move |tx: &mut dyn ReadTx| {
        let is_there = tx.tree(org)?.contains(new);
        Ok::<_, Failure>((is_there, number_in(tx, &at)?))
    };
    let mut reads = [ReadPlan::Cached, ReadPlan::PointLookup, ReadPlan::Adaptive]
        .map(|plan| Box::pin(t.store.read(plan, look.clone())));
    for read in &mut reads {
        tokio::select! {
            biased;
            snapshot = read => panic!("it is being changed: {snapshot:?}"),
            () = std::future::ready(()) => {}
        }
    }
    go_on.send(()).expect("it waits");
    changing.await.expect("no panic").expect("a change");
    for read in reads {
        assert_eq!(read.await.expect("an answer"), (true, 1));
    }
}

/// The caches of one server while another one writes.
#[test]
fn cached_read_includes_the_writes_of_another_server() {
    crate::run(On::Postgres, async |t| {
        let acme = draw(&t.store, "acme\n  bot").await;
        let other = t.second_server();
        let (here, there) = (Agent::new(&t.store, &acme, "bot"), Agent::new(&other, &acme, "bot"));
        for n in 1..=30 {
            let writer = if n % 3 == 0 { &here } else { &there };
            put(writer, n).await;
            for _ in 0..3 {
                assert_eq!(read(&here, ReadPlan::Cached).await, n);
            }
        }
    });
}
