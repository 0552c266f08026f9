//! Idempotency keys: the first response for a day.

use chrono::TimeDelta;
use orgmem_hierarchy::OrgId;
use orgmem_store::{ReadPlan, Remembered};

use super::agent::Agent;
use super::orgs::{Failure, draw};
use crate::stores::TestStore;

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
