//! Turns: their attempts.

use chrono::TimeDelta;
use orgmem_policies::turns::TurnState;
use orgmem_store::{AttemptStart, StoredTurn, TurnResult};
use uuid::Uuid;

use super::agent::Agent;
use super::orgs::draw;
use crate::stores::TestStore;

on_both!(attempts_that_nobody_ends_are_counted, attempt_belongs_to_one_server);

const MOST: i64 = 5;

/// A queued turn of the bot without messages.
async fn queued(t: &TestStore) -> (Agent, Uuid) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let id = Uuid::from_u128(7);
    let added = bot.act(move |tx, pass| Ok(tx.add_turn(pass, id, &[], TurnState::Queued)?)).await;
    assert_eq!(added.expect("a turn").attempts, 0);
    (bot, id)
}

/// Begins an attempt, which is for one minute and then one more for each earlier attempt.
async fn begin(bot: &Agent, turn: Uuid, attempt: u128) -> AttemptStart {
    let place = (bot.org, bot.id, turn);
    let begun = bot.act(move |tx, _| {
        let now = tx.now();
        let until = |earlier| now + TimeDelta::minutes(1 + earlier);
        Ok(tx.begin_attempt(place, Uuid::from_u128(attempt), &until, MOST)?)
    });
    begun.await.expect("an answer")
}

async fn end(bot: &Agent, turn: Uuid, attempt: u128, state: TurnState) -> bool {
    let place = (bot.org, bot.id, turn);
    let result = TurnResult { error: Some("it failed".into()), ..TurnResult::default() };
    let ended = bot.act(move |tx, _| {
        let due_at = (state == TurnState::Queued).then(|| tx.now());
        Ok(tx.end_attempt(place, Uuid::from_u128(attempt), state, &result, due_at)?)
    });
    ended.await.expect("an answer")
}

async fn read(bot: &Agent, turn: Uuid) -> StoredTurn {
    bot.view(move |tx, pass| tx.turn(pass, turn)).await.expect("a turn")
}

async fn attempts_that_nobody_ends_are_counted(t: TestStore) {
    let (bot, turn) = queued(&t).await;
    for earlier in 0..MOST {
        assert_eq!(begin(&bot, turn, 1).await, AttemptStart::Begun(earlier));
        assert_eq!(read(&bot, turn).await.attempts, earlier + 1, "before the attempt ends");
        t.clock.advance(TimeDelta::minutes(1 + earlier) - TimeDelta::seconds(1));
        assert_eq!(begin(&bot, turn, 2).await, AttemptStart::Busy);
        t.clock.advance(TimeDelta::seconds(1));
    }
    let t = t.reopened();
    let bot = Agent { store: t.store.clone(), ..bot };
    assert_eq!(begin(&bot, turn, 3).await, AttemptStart::Exhausted);
    assert!(!end(&bot, turn, 1, TurnState::Done).await, "the last attempt has lost the turn");
    assert!(end(&bot, turn, 3, TurnState::Failed).await);
    let failed = read(&bot, turn).await;
    assert_eq!((failed.state, failed.attempts, failed.due_at), (TurnState::Failed, MOST, None));
    assert_eq!(begin(&bot, turn, 4).await, AttemptStart::Busy, "it waits no more");
}

async fn attempt_belongs_to_one_server(t: TestStore) {
    let (bot, turn) = queued(&t).await;
    assert_eq!(begin(&bot, turn, 1).await, AttemptStart::Begun(0));
    assert_eq!(begin(&bot, turn, 2).await, AttemptStart::Busy);
    assert!(!end(&bot, turn, 2, TurnState::Done).await);
    assert!(end(&bot, turn, 1, TurnState::Queued).await);
    assert_eq!(begin(&bot, turn, 2).await, AttemptStart::Begun(1));
    assert!(!end(&bot, turn, 1, TurnState::Done).await);
    assert!(end(&bot, turn, 2, TurnState::Done).await);
    assert_eq!(begin(&bot, turn, 3).await, AttemptStart::Busy);
    let other = begin(&bot, Uuid::from_u128(8), 3).await;
    assert_eq!(other, AttemptStart::Busy, "there is no such turn");
}
