//! Session search with text blocks returns what it returns without them, and blocks hold no removed text.

use std::cmp::Reverse;

use chrono::TimeDelta;
use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::{EpisodeInput, ReasonDraft};
use orgmem_policies::scrub::Scrubber;
use orgmem_recall::fold_text;
use orgmem_store::{ReadPlan, SessionKind, SessionOrder, SessionQuery, SessionRow};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::agent::Agent;
use super::audit_log::{count, execute_sql};
use super::commits::{Commit, commit, forget};
use super::episodes::{append, log};
use super::orgs::{Failure, Org, draw};
use super::redactions::{edit, erase, purge, redact};
use super::session::{about, search};
use crate::stores::{TestStore, test_epoch};

on_both!(
    blocks_give_the_same_results_as_rows_after_random_histories,
    removed_text_leaves_the_blocks,
    damaged_or_missing_block_is_replaced_from_rows,
    purged_workspace_and_erased_org_leave_no_blocks,
    blocks_of_a_state_that_has_changed_are_not_stored,
    only_searches_of_many_rows_lead_to_blocks,
);

/// More rows than a search reads without a report.
const MANY: usize = 260;

const WORDS: [&str; 8] = ["deploy", "Deployed", "gate", "gateway", "ÄRGER", "ärger", "rollback", "100%"];

async fn contents(agent: &Agent, q: &str) -> Vec<String> {
    search(agent, about(q), None, 1_000).await.into_iter().map(|row| row.content).collect()
}

async fn store_texts(t: &TestStore, org: &Org) {
    while t.store.store_texts(org.id).await.expect("text blocks") {}
}

fn blocks(t: &TestStore) -> i64 {
    count(t, "SELECT count(*) AS count FROM text_blocks")
}

/// An agent with many episodes and memories, all in blocks.
async fn agent_with_blocks(t: &TestStore) -> (Org, Agent) {
    let acme = draw(&t.store, "acme\n  bot\n  other").await;
    let bot = Agent::new(&t.store, &acme, "bot");
    for n in 0..MANY {
        t.clock.advance(TimeDelta::microseconds(3));
        commit(&t.store, &acme, Commit::new(bot.id, Scope::Team, &format!("buoy {n}"))).await.expect("a commit");
    }
    search(&bot, about("buoy"), None, 10).await;
    store_texts(t, &acme).await;
    assert!(blocks(t) > 0);
    (acme, bot)
}

fn text_of(row: &SessionRow) -> String {
    let target = row.target.map(|id| id.to_string());
    let label = (row.kind == SessionKind::Activity).then(|| row.label.clone());
    let texts = [&label, &row.method, &Some(row.content.clone()), &target, &row.status];
    let session = row.session_id.as_ref().filter(|_| row.kind == SessionKind::Activity);
    let texts: Vec<&str> = texts.into_iter().flatten().chain(session).map(String::as_str).collect();
    fold_text(&texts.join(" "))
}

/// The expected results, from all rows, which a search without words does not take from blocks.
fn plain(rows: &[SessionRow], query: &SessionQuery) -> Vec<SessionRow> {
    let words = fold_text(&query.q);
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.sort_unstable();
    words.dedup();
    let ranked = query.order == SessionOrder::Relevance;
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| query.kind.is_none_or(|kind| kind == row.kind)) {
        let text = text_of(row);
        let matched = words.iter().filter(|word| text.contains(**word)).count();
        let in_time = query.since.is_none_or(|since| row.created_at >= since)
            && query.until.is_none_or(|until| row.created_at < until);
        if in_time && matched >= if ranked { words.len().min(1) } else { words.len() } {
            let words = if ranked { i32::try_from(matched).expect("few words") } else { 0 };
            found.push(SessionRow { words, ..row.clone() });
        }
    }
    found.sort_by_key(|row| Reverse((row.words, row.created_at, row.id)));
    found
}

async fn blocks_give_the_same_results_as_rows_after_random_histories(t: TestStore) {
    let mut rng = StdRng::seed_from_u64(7);
    let (acme, bot) = agent_with_blocks(&t).await;
    let mut memories: Vec<Uuid> = Vec::new();
    let mut episodes: Vec<Uuid> = Vec::new();
    for round in 0..400 {
        t.clock.advance(TimeDelta::microseconds(rng.random_range(0..3)));
        let words: Vec<_> = (0..rng.random_range(1..5)).map(|_| *WORDS.choose(&mut rng).expect("words")).collect();
        let text = words.join(" ");
        match rng.random_range(0..12) {
            0..=2 => episodes.push(append(&bot, log(&text)).await.id),
            3 => {
                // among episodes that are in blocks
                let at = test_epoch() + TimeDelta::microseconds(rng.random_range(0..600));
                episodes.push(append(&bot, EpisodeInput { occurred_at: Some(at), ..log(&text) }).await.id);
            }
            4..=6 => {
                let id = Uuid::from_u128(rng.random());
                let at = test_epoch() + TimeDelta::microseconds(rng.random_range(0..600));
                let memory = Commit::new(bot.id, Scope::Team, &text).with(|input| {
                    (input.id, input.created_at) = (Some(id), Some(at));
                    input.ttl_seconds = (round % 10 == 0).then_some(1);
                    input.session_id = rng.random_bool(0.5).then(|| "gate".to_owned());
                });
                commit(&t.store, &acme, memory).await.expect("a commit");
                memories.push(id);
            }
            7 => {
                if let Some(id) = memories.choose(&mut rng) {
                    edit(&t.store, &acme, bot.id, *id, &text, None).await;
                }
            }
            8 if !memories.is_empty() => {
                let id = memories.swap_remove(rng.random_range(0..memories.len()));
                match rng.random_bool(0.5) {
                    true => assert!(forget(&t.store, &acme, bot.id, id).await),
                    false => drop(redact(&t.store, &acme, bot.id, id).await),
                }
            }
            9 if !episodes.is_empty() => {
                let id = episodes.swap_remove(rng.random_range(0..episodes.len()));
                redact_episode(&bot, id).await;
            }
            10 => {
                t.store.store_texts(acme.id).await.expect("text blocks");
            }
            _ => store_texts(&t, &acme).await,
        }
        if round % 4 > 0 {
            continue;
        }
        let rows = search(&bot, about(""), None, 10_000).await;
        let words: Vec<_> = (0..rng.random_range(1..4)).map(|_| *WORDS.choose(&mut rng).expect("words")).collect();
        let mut time =
            || rng.random_bool(0.3).then(|| test_epoch() + TimeDelta::nanoseconds(rng.random_range(0..900_000)));
        let (since, until) = (time(), time());
        let kind = [None, Some(SessionKind::Activity), Some(SessionKind::Memory)][rng.random_range(0..3)];
        let order = [SessionOrder::Recent, SessionOrder::Relevance][rng.random_range(0..2)];
        let query = SessionQuery { q: words.join(" "), kind, session_id: None, order, since, until };
        let (mut found, mut after) = (Vec::new(), None);
        let limit = rng.random_range(1..40);
        loop {
            let page = search(&bot, query.clone(), after, limit).await;
            let Some(last) = page.last() else { break };
            after = Some(last.place());
            found.extend(page);
        }
        assert_eq!(found, plain(&rows, &query), "round {round}: {query:?}");
    }
    store_texts(&t, &acme).await;
    assert_eq!(count(&t, "SELECT count(*) AS count FROM episode_changes"), 0);
}

async fn redact_episode(agent: &Agent, id: Uuid) {
    let reason = ReasonDraft::check("private", Scrubber::built_in()).expect("a reason");
    agent.act(move |tx, pass| Ok(tx.redact_episode(pass, id, &reason)?)).await.expect("an answer");
}

async fn removed_text_leaves_the_blocks(t: TestStore) {
    let (acme, bot) = agent_with_blocks(&t).await;
    let mut ids = Vec::new();
    for word in ["quetzal", "zanzibar", "kilimanjaro", "lighthouse"] {
        let memory =
            Commit::new(bot.id, Scope::Team, word).with(|input| input.session_id = Some(format!("{word}-talk")));
        ids.push(commit(&t.store, &acme, memory).await.expect("a commit").id);
    }
    let episode = append(&bot, log("saw a marmot")).await.id;
    let about_ada = EpisodeInput { subject: Some("ada".into()), ..log("met a wombat") };
    append(&bot, about_ada).await;
    for n in 0..MANY {
        append(&bot, log(&format!("anchor {n}"))).await;
    }
    search(&bot, about("anchor"), None, 10).await;
    store_texts(&t, &acme).await;
    let has = |word: &str| {
        let is_in = if t.file().is_some() {
            "instr(words, CAST('$' AS BLOB)) > 0"
        } else {
            "position('$'::bytea in words) > 0"
        };
        count(&t, &format!("SELECT count(*) AS count FROM text_blocks WHERE {}", is_in.replace('$', word))) > 0
    };
    let all = || ["quetzal", "zanzibar", "kilimanjaro", "lighthouse", "marmot", "wombat"].map(has);
    assert_eq!(all(), [true; 6]);
    edit(&t.store, &acme, bot.id, ids[0], "a bird", None).await;
    assert!(has("quetzal-talk"), "the session is in an episode");
    assert!(forget(&t.store, &acme, bot.id, ids[1]).await);
    redact(&t.store, &acme, bot.id, ids[2]).await.expect("it was there");
    redact_episode(&bot, episode).await;
    erase(&t.store, &acme, Some("ada")).await;
    assert_eq!(t.store.orgs_with_texts_due().await.expect("orgs"), [acme.id]);
    store_texts(&t, &acme).await;
    assert_eq!(
        ["zanzibar", "kilimanjaro", "lighthouse", "marmot", "wombat"].map(has),
        [false, false, true, false, false]
    );
    assert_eq!(contents(&bot, "bird").await, ["a bird"]);
    assert!(t.store.orgs_with_texts_due().await.expect("orgs").is_empty());
}

async fn damaged_or_missing_block_is_replaced_from_rows(t: TestStore) {
    let (acme, bot) = agent_with_blocks(&t).await;
    let before = contents(&bot, "buoy 1").await;
    assert!(before.len() > 100);
    let broken = if t.file().is_some() { "x'0100'" } else { "'\\x0100'" };
    for damage in [format!("words = {broken}"), format!("rows = {broken}")] {
        execute_sql(&t, &format!("UPDATE text_blocks SET {damage}"));
        assert_eq!(contents(&bot, "buoy 1").await, before, "{damage}");
        assert_eq!(t.store.orgs_with_texts_due().await.expect("orgs"), [acme.id], "{damage}");
        store_texts(&t, &acme).await;
        assert_eq!(blocks(&t), 0, "{damage}");
        assert_eq!(contents(&bot, "buoy 1").await, before, "{damage}");
        store_texts(&t, &acme).await;
        assert!(blocks(&t) > 0, "{damage}");
        assert_eq!(contents(&bot, "buoy 1").await, before, "{damage}");
    }
}

async fn purged_workspace_and_erased_org_leave_no_blocks(t: TestStore) {
    let (acme, bot) = agent_with_blocks(&t).await;
    let tables = ["text_blocks", "text_workspaces", "episode_changes"];
    let rows = || tables.map(|table| count(&t, &format!("SELECT count(*) AS count FROM {table}")));
    // a note of a change
    append(&bot, EpisodeInput { occurred_at: Some(test_epoch()), ..log("late") }).await;
    assert!(rows().iter().all(|rows| *rows > 0));
    purge(&t.store, &acme, bot.id).await;
    assert_eq!(rows(), [0; 3]);
    erase(&t.store, &acme, None).await;
    assert_eq!(rows(), [0; 3]);
}

/// Another server has stored blocks, or the workspace is purged.
async fn blocks_of_a_state_that_has_changed_are_not_stored(t: TestStore) {
    let (acme, bot) = agent_with_blocks(&t).await;
    let org = acme.id;
    let work = async || {
        let work: Result<_, Failure> = t.store.read(ReadPlan::Scan, move |tx| Ok(tx.text_work(org)?)).await;
        work.expect("a read").expect("work")
    };
    let put = async |update| {
        let stored: Result<_, Failure> = t.store.write(org, move |tx| Ok(tx.put_texts(&update)?)).await;
        stored.expect("a write")
    };
    append(&bot, EpisodeInput { occurred_at: Some(test_epoch()), ..log("late") }).await;
    let (one, other) = (work().await, work().await);
    assert!(put(one).await);
    assert!(!put(other).await, "its blocks were replaced");
    commit(&t.store, &acme, Commit::new(bot.id, Scope::Team, "new")).await.expect("a commit");
    let update = work().await;
    purge(&t.store, &acme, bot.id).await;
    assert!(!put(update).await, "the workspace has no blocks any more");
    assert_eq!(blocks(&t), 0);
}

async fn only_searches_of_many_rows_lead_to_blocks(t: TestStore) {
    let acme = draw(&t.store, "acme\n  bot\n  other").await;
    let (bot, other) = (Agent::new(&t.store, &acme, "bot"), Agent::new(&t.store, &acme, "other"));
    for n in 0..MANY {
        append(&bot, log(&format!("buoy {n}"))).await;
    }
    append(&other, log("a buoy")).await;
    assert!(t.store.orgs_with_texts_due().await.expect("orgs").is_empty());
    search(&other, about("buoy"), None, 10).await;
    search(&bot, about(""), None, 10).await;
    assert!(t.store.orgs_with_texts_due().await.expect("orgs").is_empty());
    search(&bot, about("buoy"), None, 10).await;
    assert_eq!(t.store.orgs_with_texts_due().await.expect("orgs"), [acme.id]);
    store_texts(&t, &acme).await;
    assert!(blocks(&t) > 0);
    assert_eq!(count(&t, "SELECT count(*) AS count FROM text_workspaces"), 1);
    // without changes there is nothing to do
    assert!(t.store.orgs_with_texts_due().await.expect("orgs").is_empty());
    assert!(!t.store.store_texts(acme.id).await.expect("text blocks"));
}
