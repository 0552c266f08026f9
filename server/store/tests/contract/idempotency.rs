//! Idempotency keys: the first answer again, for a day.

use chrono::TimeDelta;
use orgmem_hierarchy::OrgId;
use orgmem_store::{ReadPlan, Remembered};

use super::agent::Agent;
use super::orgs::{Failure, draw};
use crate::stores::TestStore;

on_both!(
    an_answer_is_remembered_for_a_day,
    keys_of_different_owners_and_orgs_never_meet,
    a_failing_job_is_not_remembered,
    requests_that_arrive_together_are_done_once,
    the_sweeper_takes_old_answers_alone,
);

/// Where, whose, which.
type Key = (OrgId, &'static str, &'static str);

fn answer(number: u8) -> Remembered {
    Remembered { body_hash: [number; 32], answer: format!(r#"{{"n":{number}}}"#) }
}

async fn remember(agent: &Agent, (org, owner, key): Key, answer: Remembered) {
    agent
        .act(move |tx, pass| Ok(tx.remember(org, owner, key, pass.workspace(), answer.clone())?))
        .await
        .expect("it is done");
}

async fn remembered(agent: &Agent, (org, owner, key): Key) -> Option<Remembered> {
    let read = agent.store.read(ReadPlan::PointLookup, move |tx| tx.remembered(org, owner, key));
    read.await.expect("an answer")
}

async fn bot(t: &TestStore) -> Agent {
    Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot")
}

async fn an_answer_is_remembered_for_a_day(t: TestStore) {
    let bot = bot(&t).await;
    let key = (bot.org, "agent", "k-1");
    assert_eq!(remembered(&bot, key).await, None);
    remember(&bot, key, answer(1)).await;
    t.clock.advance(TimeDelta::hours(24) - TimeDelta::microseconds(1));
    assert_eq!(remembered(&bot, key).await, Some(answer(1)));
    t.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(remembered(&bot, key).await, None);
    remember(&bot, key, answer(2)).await;
    assert_eq!(remembered(&bot, key).await, Some(answer(2)));
}

async fn keys_of_different_owners_and_orgs_never_meet(t: TestStore) {
    let (here, there) = (bot(&t).await, bot(&t).await);
    let mine = (here.org, "me", "k");
    remember(&here, mine, answer(1)).await;
    for other in [(here.org, "you", "k"), (here.org, "me", "K"), (there.org, "me", "k")] {
        assert_eq!(remembered(&here, other).await, None);
    }
    assert_eq!(remembered(&there, mine).await, Some(answer(1)));
}

async fn a_failing_job_is_not_remembered(t: TestStore) {
    let bot = bot(&t).await;
    let key = (bot.org, "me", "k");
    let (org, owner, name) = key;
    let failed = bot.act(move |tx, pass| -> Result<(), Failure> {
        tx.remember(org, owner, name, pass.workspace(), answer(1))?;
        assert_eq!(tx.remembered(org, owner, name)?, Some(answer(1)), "the job sees what it did");
        Err(Failure::OnPurpose)
    });
    assert!(failed.await.is_err());
    assert_eq!(remembered(&bot, key).await, None);
}

async fn requests_that_arrive_together_are_done_once(t: TestStore) {
    let bot = bot(&t).await;
    let key = (bot.org, "me", "k");
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (bot, (org, owner, key)) = (bot.clone(), key);
        tasks.spawn(async move {
            let once = bot.act(move |tx, pass| match tx.remembered(org, owner, key)? {
                Some(earlier) => Ok((earlier, false)),
                None => {
                    tx.remember(org, owner, key, pass.workspace(), answer(n))?;
                    Ok((answer(n), true))
                }
            });
            once.await.expect("an answer")
        });
    }
    let answers = tasks.join_all().await;
    assert_eq!(answers.iter().filter(|(_, done)| *done).count(), 1);
    let kept = remembered(&bot, key).await.expect("an answer");
    assert!(answers.iter().all(|(answer, _)| *answer == kept));
}

async fn the_sweeper_takes_old_answers_alone(t: TestStore) {
    let bot = bot(&t).await;
    let (old, renewed, young) = ((bot.org, "me", "old"), (bot.org, "me", "renewed"), (bot.org, "me", "young"));
    remember(&bot, old, answer(1)).await;
    remember(&bot, renewed, answer(1)).await;
    t.clock.advance(TimeDelta::hours(24));
    remember(&bot, renewed, answer(2)).await;
    remember(&bot, young, answer(3)).await;
    assert_eq!(t.store.sweep().await.expect("a sweep"), 1);
    assert_eq!(remembered(&bot, renewed).await, Some(answer(2)));
    assert_eq!(remembered(&bot, young).await, Some(answer(3)));
}
