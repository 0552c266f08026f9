//! Idempotency keys: the first response for a day.

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::{ReadPlan, Remembered};

use super::agent::Agent;
use super::orgs::{Failure, draw, named, system};
use crate::stores::{On, TestStore};

on_both!(
    response_is_stored_for_a_day,
    keys_are_separate_per_owner_and_org,
    failing_job_stores_no_response,
    concurrent_requests_with_one_key_are_executed_once,
    sweep_removes_only_old_responses,
);

/// Org, owner and key.
type Key = (OrgId, &'static str, &'static str);

fn response(number: u8) -> Remembered {
    Remembered { body_hash: [number; 32], answer: format!(r#"{{"n":{number}}}"#) }
}

async fn remember(agent: &Agent, (org, owner, key): Key, response: Remembered) {
    agent
        .act(move |tx, pass| Ok(tx.remember(org, owner, key, pass.workspace(), response.clone())?))
        .await
        .expect("it is done");
}

async fn remembered(agent: &Agent, (org, owner, key): Key) -> Option<Remembered> {
    let read = agent.store.read(ReadPlan::PointLookup, move |tx| tx.remembered(org, owner, key));
    read.await.expect("a response")
}

async fn bot(t: &TestStore) -> Agent {
    Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot")
}

async fn response_is_stored_for_a_day(t: TestStore) {
    let bot = bot(&t).await;
    let key = (bot.org, "agent", "k-1");
    assert_eq!(remembered(&bot, key).await, None);
    remember(&bot, key, response(1)).await;
    t.clock.advance(TimeDelta::hours(24) - TimeDelta::microseconds(1));
    assert_eq!(remembered(&bot, key).await, Some(response(1)));
    t.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(remembered(&bot, key).await, None);
    remember(&bot, key, response(2)).await;
    assert_eq!(remembered(&bot, key).await, Some(response(2)));
}

async fn keys_are_separate_per_owner_and_org(t: TestStore) {
    let (here, there) = (bot(&t).await, bot(&t).await);
    let mine = (here.org, "me", "k");
    remember(&here, mine, response(1)).await;
    for other in [(here.org, "you", "k"), (here.org, "me", "K"), (there.org, "me", "k")] {
        assert_eq!(remembered(&here, other).await, None);
    }
    assert_eq!(remembered(&there, mine).await, Some(response(1)));
}

async fn failing_job_stores_no_response(t: TestStore) {
    let bot = bot(&t).await;
    let key = (bot.org, "me", "k");
    let (org, owner, name) = key;
    let failed = bot.act(move |tx, pass| -> Result<(), Failure> {
        tx.remember(org, owner, name, pass.workspace(), response(1))?;
        assert_eq!(tx.remembered(org, owner, name)?, Some(response(1)), "the job sees what it did");
        Err(Failure::OnPurpose)
    });
    assert!(failed.await.is_err());
    assert_eq!(remembered(&bot, key).await, None);
}

async fn concurrent_requests_with_one_key_are_executed_once(t: TestStore) {
    let bot = bot(&t).await;
    let key = (bot.org, "me", "k");
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (bot, (org, owner, key)) = (bot.clone(), key);
        tasks.spawn(async move {
            let once = bot.act(move |tx, pass| match tx.remembered(org, owner, key)? {
                Some(earlier) => Ok((earlier, false)),
                None => {
                    tx.remember(org, owner, key, pass.workspace(), response(n))?;
                    Ok((response(n), true))
                }
            });
            once.await.expect("a response")
        });
    }
    let responses = tasks.join_all().await;
    assert_eq!(responses.iter().filter(|(_, done)| *done).count(), 1);
    let stored = remembered(&bot, key).await.expect("a response");
    assert!(responses.iter().all(|(response, _)| *response == stored));
}

/// The id of an org that a request creates comes from its key, so servers that handle the same request create the same
/// org.
#[test]
fn new_org_with_one_key_is_created_once_by_two_servers() {
    crate::run(On::Postgres, async |t: TestStore| {
        let servers = [t.store.clone(), t.second_server()];
        for number in 0..20 {
            let root = WorkspaceId::from(t.store.new_id());
            let org = OrgId::of_root(root);
            let mut tasks = tokio::task::JoinSet::new();
            for store in servers.clone() {
                tasks.spawn(async move {
                    let created: Result<bool, Failure> = store
                        .write(org, move |tx| {
                            if tx.remembered(org, "me", "k")?.is_some() {
                                return Ok(false);
                            }
                            let pass = ServerPass::grant(&system(), ServerAction::CreateOrg)?;
                            tx.create_org(&pass, root, &named("acme"))?;
                            tx.remember(org, "me", "k", root, response(number))?;
                            Ok(true)
                        })
                        .await;
                    created.expect("one creates it, the other finds the response")
                });
            }
            let created = tasks.join_all().await;
            assert_eq!(created.iter().filter(|created| **created).count(), 1);
        }
    });
}

async fn sweep_removes_only_old_responses(t: TestStore) {
    let bot = bot(&t).await;
    let (old, renewed, young) = ((bot.org, "me", "old"), (bot.org, "me", "renewed"), (bot.org, "me", "young"));
    remember(&bot, old, response(1)).await;
    remember(&bot, renewed, response(1)).await;
    t.clock.advance(TimeDelta::hours(24));
    remember(&bot, renewed, response(2)).await;
    remember(&bot, young, response(3)).await;
    assert_eq!(t.store.sweep().await.expect("a sweep"), 1);
    assert_eq!(remembered(&bot, renewed).await, Some(response(2)));
    assert_eq!(remembered(&bot, young).await, Some(response(3)));
}
