//! Session-search: results, order and pages, against a search without a database.

use std::cmp::Reverse;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::EpisodeInput;
use orgmem_recall::fold_text;
use orgmem_store::{Episode, EpisodeFilter, SessionCursor, SessionKind, SessionOrder, SessionQuery, SessionRow};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use uuid::Uuid;

use super::agent::{Agent, read_pass};
use super::commits::{Commit, commit, forget};
use super::episodes::{append, log};
use super::orgs::{Org, draw};
use crate::stores::{TestStore, test_epoch};

on_both!(
    words_are_found_in_every_field_of_an_episode,
    every_word_must_match,
    order_by_matching_words_is_optional,
    memory_is_found_while_it_is_live,
    episodes_and_memories_are_merged_newest_first,
    sessions_of_other_workspaces_are_absent,
    every_result_equals_that_of_a_plain_search,
);

pub(super) async fn search(
    agent: &Agent,
    query: SessionQuery,
    after: Option<SessionCursor>,
    limit: usize,
) -> Vec<SessionRow> {
    let (org, id) = (agent.org, agent.id);
    let look = agent.view(move |tx, pass| {
        let reads = read_pass(tx, org, id).expect("it may be read");
        tx.search_session(pass, &reads, &query, after, limit)
    });
    look.await
}

pub(super) fn about(q: &str) -> SessionQuery {
    SessionQuery { q: q.into(), ..SessionQuery::default() }
}

async fn contents(agent: &Agent, query: SessionQuery) -> Vec<String> {
    search(agent, query, None, 200).await.into_iter().map(|row| row.content).collect()
}

async fn bot(t: &TestStore) -> (Org, Agent) {
    let acme = draw(&t.store, "acme\n  bot\n  other").await;
    let bot = Agent::new(&t.store, &acme, "bot");
    (acme, bot)
}

async fn words_are_found_in_every_field_of_an_episode(t: TestStore) {
    let (_, bot) = bot(&t).await;
    let text = |text: &str| Some(text.to_owned());
    let input = EpisodeInput {
        subject: None,
        salience: None,
        claims: None,
        activity_type: "a2a_send".into(),
        method: text("in-the-method"),
        summary: text("the summary"),
        target_id: Some(Uuid::from_u128(0xabcdef)),
        status: text("in-status"),
        error_detail: text("in-error"),
        duration_ms: None,
        request_body: Some(json!({"in-request-key": "in request value", "n": 12345})),
        response_body: Some(json!(["in-response"])),
        metadata: json!({"in-metadata": true}).as_object().cloned(),
        actor: text("in-actor"),
        channel: text("in-channel"),
        correlation_id: text("in-correlation"),
        session_id: text("in-session"),
        kind: text("in-kind"),
        outcome: text("success"),
        supersedes: None,
        occurred_at: None,
    };
    append(&bot, input).await;
    for word in [
        "a2a_send",
        "method",
        "summary",
        "0000-000000abcdef",
        "in-status",
        "in-error",
        "request-key",
        "value",
        "12345",
        "in-response",
        "in-metadata",
        "in-actor",
        "in-channel",
        "correlation",
        "in-session",
        "in-kind",
        "success",
    ] {
        assert_eq!(contents(&bot, about(word)).await, ["the summary"], "{word}");
    }
    assert!(contents(&bot, about("in-nothing")).await.is_empty());
}

async fn every_word_must_match(t: TestStore) {
    let (_, bot) = bot(&t).await;
    append(&bot, EpisodeInput { error_detail: Some("100% full_disk".into()), ..log("Deployed the gateway") }).await;
    append(&bot, log("ＤＥＰＬＯＹ straße\u{ad}nbahn 雪だるま")).await;
    let check = async |q: &str, expected: &[&str]| assert_eq!(contents(&bot, about(q)).await, expected, "{q:?}");
    let (disk, tram) = ("Deployed the gateway", "ＤＥＰＬＯＹ straße\u{ad}nbahn 雪だるま");
    check("", &[tram, disk]).await;
    check(" \t\u{200b}\0 ", &[tram, disk]).await;
    check("deploy", &[tram, disk]).await;
    check("GATE depl", &[disk]).await;
    check("deploy gateway snow", &[]).await;
    check("ateway full", &[disk]).await;
    check("gateway100%", &[]).await;
    check("STRASSENBAHN", &[tram]).await;
    check("だる", &[tram]).await;
    check("%", &[disk]).await;
    check("l_d", &[disk]).await;
    check("d%y", &[]).await;
    check("'; DROP TABLE episodes; --", &[]).await;
    check(&"x".repeat(70_000), &[]).await;
    check(&"deploy gateway ".repeat(3_000), &[disk]).await;
}

async fn order_by_matching_words_is_optional(t: TestStore) {
    let (acme, bot) = bot(&t).await;
    for summary in ["red", "red green", "blue", "green red blue", "grey"] {
        append(&bot, log(summary)).await;
    }
    let memory =
        Commit::new(bot.id, Scope::Local, "Blue and GREEN").with(|input| input.created_at = Some(test_epoch()));
    commit(&t.store, &acme, memory).await.expect("a commit");
    let ranked = |q: &str| SessionQuery { order: SessionOrder::Relevance, ..about(q) };
    let check = async |q: &str, expected: &[&str]| assert_eq!(contents(&bot, ranked(q)).await, expected, "{q:?}");
    check("red green blue", &["green red blue", "red green", "Blue and GREEN", "blue", "red"]).await;
    check("red red red grey", &["grey", "green red blue", "red green", "red"]).await;
    check("nothing", &[]).await;
    assert_eq!(contents(&bot, ranked(" ")).await, contents(&bot, about("")).await);
}

async fn memory_is_found_while_it_is_live(t: TestStore) {
    let (acme, bot) = bot(&t).await;
    let memory = |content: &str| Commit::new(bot.id, Scope::Team, content);
    let found = async || {
        let only = SessionQuery { kind: Some(SessionKind::Memory), ..about("lunch") };
        contents(&bot, only).await
    };
    let noon = commit(&t.store, &acme, memory("lunch at noon")).await.expect("a commit").id;
    let row = search(&bot, SessionQuery { kind: Some(SessionKind::Memory), ..about("") }, None, 10).await.remove(0);
    assert_eq!((row.label.as_str(), row.id, row.workspace), ("TEAM", noon, bot.id));
    let one = memory("lunch at one").with(|input| {
        input.supersedes = Some(noon);
        input.ttl_seconds = Some(60);
    });
    let one = commit(&t.store, &acme, one).await.expect("a commit").id;
    assert_eq!(found().await, ["lunch at one"]);
    let two = memory("lunch at two").with(|input| input.id = Some(one));
    commit(&t.store, &acme, two).await.expect("an upsert");
    assert_eq!(found().await, ["lunch at two"]);
    assert!(forget(&t.store, &acme, bot.id, one).await);
    assert!(found().await.is_empty());
    let brief = memory("lunch is over").with(|input| input.ttl_seconds = Some(60));
    commit(&t.store, &acme, brief).await.expect("a commit");
    t.clock.advance(TimeDelta::seconds(60) - TimeDelta::microseconds(1));
    assert_eq!(found().await, ["lunch is over"]);
    t.clock.advance(TimeDelta::microseconds(1));
    assert!(found().await.is_empty());
}

async fn episodes_and_memories_are_merged_newest_first(t: TestStore) {
    let (acme, bot) = bot(&t).await;
    for n in 0..6 {
        t.clock.advance(TimeDelta::seconds(1));
        if n % 2 == 0 {
            append(&bot, log(&format!("episode {n}"))).await;
        } else {
            let memory = Commit::new(bot.id, Scope::Local, &format!("memory {n}"));
            let at = t.store.now();
            commit(&t.store, &acme, memory.with(|input| input.created_at = Some(at))).await.expect("a commit");
        }
    }
    let mut all = contents(&bot, about("")).await;
    all.retain(|content| !content.starts_with("committed"));
    assert_eq!(all, ["memory 5", "episode 4", "memory 3", "episode 2", "memory 1", "episode 0"]);
    let activity = SessionQuery { kind: Some(SessionKind::Activity), ..about("episode") };
    assert_eq!(contents(&bot, activity).await, ["episode 4", "episode 2", "episode 0"]);
}

async fn sessions_of_other_workspaces_are_absent(t: TestStore) {
    let (acme, bot) = bot(&t).await;
    let other = Agent::new(&t.store, &acme, "other");
    append(&other, log("other's episode")).await;
    commit(&t.store, &acme, Commit::new(other.id, Scope::Team, "other's memory")).await.expect("a commit");
    commit(&t.store, &acme, Commit::new(acme.get("acme"), Scope::Global, "everybody's")).await.expect("a commit");
    assert!(contents(&bot, about("")).await.is_empty());
    assert_eq!(contents(&other, about("other")).await, ["other's memory", "other's episode"]);
}

/// The expected results, from a search over rows with their texts.
fn plain(rows: &[(SessionRow, String)], query: &SessionQuery) -> Vec<SessionRow> {
    let words = fold_text(&query.q);
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.sort_unstable();
    words.dedup();
    let ranked = query.order == SessionOrder::Relevance;
    let least = if ranked { words.len().min(1) } else { words.len() };
    let mut found = Vec::new();
    for (row, text) in rows {
        let matched = words.iter().filter(|word| text.contains(**word)).count();
        let in_time = query.since.is_none_or(|since| row.created_at >= since)
            && query.until.is_none_or(|until| row.created_at < until);
        let in_session = query.session_id.is_none() || row.session_id == query.session_id;
        if matched >= least && in_time && in_session && query.kind.is_none_or(|kind| kind == row.kind) {
            let words = if ranked { i32::try_from(matched).expect("few words") } else { 0 };
            found.push(SessionRow { words, ..row.clone() });
        }
    }
    found.sort_by_key(|row| Reverse((row.words, row.created_at, row.id)));
    found
}

fn row(kind: SessionKind, id: Uuid, bot: &Agent, label: &str, content: &str, created_at: DateTime<Utc>) -> SessionRow {
    SessionRow {
        target: None,
        superseded_by: None,
        memory_kind: (kind == SessionKind::Memory).then(|| "fact".into()),
        kind,
        id,
        workspace: bot.id,
        scope: (kind == SessionKind::Memory).then_some(Scope::Local),
        label: label.into(),
        content: content.into(),
        method: None,
        status: None,
        claims: None,
        request_body: None,
        response_body: None,
        session_id: None,
        run_id: None,
        created_at,
        words: 0,
    }
}

fn text_of(episode: &Episode) -> String {
    let target = episode.target_id.map(|id| id.to_string());
    let texts = [&episode.method, &episode.summary, &target, &episode.status, &episode.session_id];
    let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
    fold_text(&format!("{} {}", episode.activity_type, texts.join(" ")))
}

async fn every_result_equals_that_of_a_plain_search(t: TestStore) {
    const WORDS: [&str; 8] = ["deploy", "Deployed", "gate", "gateway", "ÄRGER", "ärger", "rollback", "100%"];
    const SESSIONS: [Option<&str>; 3] = [None, Some("night"), Some("Night")];
    let mut rng = StdRng::seed_from_u64(3);
    let (acme, bot) = bot(&t).await;
    let mut rows = Vec::new();
    for n in 0..120 {
        t.clock.advance(TimeDelta::microseconds(rng.random_range(0..3)));
        let words: Vec<_> = (0..rng.random_range(1..5)).map(|_| WORDS[rng.random_range(0..WORDS.len())]).collect();
        let text = words.join(" ");
        let session = SESSIONS[rng.random_range(0..SESSIONS.len())].map(str::to_owned);
        if rng.random_bool(0.5) {
            append(&bot, EpisodeInput { session_id: session, ..log(&text) }).await;
            continue;
        }
        // ids of imported memories do not contain the time
        let id = Uuid::from_u128(rng.random());
        let at = test_epoch() + TimeDelta::microseconds(rng.random_range(0..120));
        let memory = Commit::new(bot.id, Scope::Local, &text).with(|input| {
            (input.id, input.created_at) = (Some(id), Some(at));
            input.ttl_seconds = (n % 10 == 0).then_some(1);
            input.session_id = session.clone();
        });
        commit(&t.store, &acme, memory).await.expect("a commit");
        if n % 10 > 0 {
            let hit = row(SessionKind::Memory, id, &bot, "LOCAL", &text, at);
            rows.push((SessionRow { session_id: session, ..hit }, fold_text(&text)));
        }
    }
    t.clock.advance(TimeDelta::seconds(1));
    let episodes = bot.view(|tx, pass| tx.list_episodes(pass, &EpisodeFilter::default(), None, 1000)).await;
    rows.extend(episodes.iter().map(|episode| {
        let content = episode.summary.clone().unwrap_or_default();
        let hit = row(SessionKind::Activity, episode.id, &bot, &episode.activity_type, &content, episode.created_at);
        let (method, status, session_id) = (episode.method.clone(), episode.status.clone(), episode.session_id.clone());
        let hit = SessionRow { method, status, session_id, target: episode.target_id, ..hit };
        (hit, text_of(episode))
    }));
    for _ in 0..60 {
        let words: Vec<_> = (0..rng.random_range(0..4)).map(|_| WORDS[rng.random_range(0..WORDS.len())]).collect();
        let mut time =
            || rng.random_bool(0.3).then(|| test_epoch() + TimeDelta::nanoseconds(rng.random_range(0..200_000)));
        let (since, until) = (time(), time());
        let kind = [None, Some(SessionKind::Activity), Some(SessionKind::Memory)][rng.random_range(0..3)];
        let order = [SessionOrder::Recent, SessionOrder::Relevance][rng.random_range(0..2)];
        let session_id = SESSIONS[rng.random_range(0..SESSIONS.len())].map(str::to_owned);
        let query = SessionQuery { q: words.join(" "), kind, session_id, order, since, until };
        let (mut found, mut after) = (Vec::new(), None);
        let limit = rng.random_range(1..40);
        loop {
            let page = search(&bot, query.clone(), after, limit).await;
            let Some(last) = page.last() else { break };
            let cursor = serde_json::to_string(&last.place()).expect("JSON");
            after = Some(serde_json::from_str(&cursor).expect("a cursor"));
            found.extend(page);
        }
        assert_eq!(found, plain(&rows, &query), "{query:?}");
    }
}
