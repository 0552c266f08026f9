//! Counts, permissions of a caller, and explanations of search results.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::generators::AnyHistory;
use orgmem_tests::oracle::{Memory, Oracle};
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    count_includes_only_readable_memories,
    memory_lists_permissions_of_the_caller_with_reasons,
    why_names_the_cause,
    why_returns_the_rank_of_the_search,
    reason_is_visible_only_to_callers_covering_both_workspaces,
    search_explains_each_rank_and_score,
    why_returns_readable_exactly_for_search_results,
);

fn at(workspace: Uuid, memory: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/memories/{memory}{rest}")
}

async fn why(caller: &Caller, workspace: Uuid, memory: Uuid) -> Value {
    caller.get(&at(workspace, memory, "/why")).await.expect(200).json()
}

async fn count_includes_only_readable_memories(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    for n in 0..60 {
        let scope = if n % 3 == 0 { "LOCAL" } else { "TEAM" };
        let memory = json!({"content": format!("note {n}"), "scope": scope, "tags": [format!("t{}", n % 2)]});
        app.agent(bot).commit_with(bot, memory).await;
    }
    let count = async |workspace: Uuid, query: &str| {
        let path = format!("/workspaces/{workspace}/memories/count?{query}");
        app.agent(workspace).get(&path).await.expect(200).json()["count"].clone()
    };
    assert_eq!(count(bot, "").await, 60);
    assert_eq!(count(peer, "").await, 40);
    assert_eq!(count(peer, "q=note&tag=t1").await, 20);
    assert_eq!(count(peer, "scope=LOCAL").await, 0);
    assert_eq!(count(peer, &format!("author={peer}")).await, 0);
    app.agent(bot).get(&format!("/workspaces/{bot}/memories/count?limit=5")).await.refused(400, "invalid_field");
    app.agent(bot).get(&format!("/workspaces/{peer}/memories/count")).await.refused(403, "forbidden");
}

async fn memory_lists_permissions_of_the_caller_with_reasons(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (dev, bot, peer) = (org.id("dev"), org.id("bot"), org.id("peer"));
    let id = app.agent(bot).commit(bot, "TEAM", "shared").await;
    let cases = [
        (app.agent(bot), bot, [true, true, false]),
        (app.agent(peer), peer, [false, false, false]),
        (app.viewer(dev), bot, [false, false, false]),
        (app.operator(dev), dev, [false, true, true]),
        (app.operator(dev), bot, [true, true, true]),
        (app.admin(), peer, [false, true, true]),
    ];
    for (caller, workspace, allowed) in cases {
        let listed = caller.search(workspace, &[]).await.items()[0]["can"].clone();
        let read = caller.get(&at(workspace, id, "")).await.expect(200).json()["can"].clone();
        assert_eq!(listed, read);
        let explained = ["edit", "delete", "redact"].map(|verb| read[verb] == json!(true));
        assert_eq!(explained, allowed, "{read}");
        for (verb, allowed) in ["edit", "delete", "redact"].into_iter().zip(allowed) {
            assert_eq!(read["why_not"][verb].is_string(), !allowed, "{read}");
        }
        // the permissions agree with the responses
        let before = app.dump();
        let edit = caller.patch(&at(workspace, id, ""), json!({"confidence": 0.5})).await;
        assert_eq!(edit.status == 200, allowed[0], "{}", edit.describe());
        let redact = caller.post(&at(workspace, id, "/redact"), json!({"reason": " "})).await;
        assert_ne!(redact.status, 403, "a bad reason is explained first: {}", redact.describe());
        assert_eq!(app.dump(), before);
    }
}

async fn why_names_the_cause(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer\n  ops\n    deep\nrival").await;
    let (bot, peer, deep, rival) = (org.id("bot"), org.id("peer"), org.id("deep"), org.id("rival"));
    let agent = app.agent(bot);
    let commit = async |more: Value| {
        let mut memory = json!({"content": "a violin", "scope": "TEAM"});
        memory.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        agent.commit_with(bot, memory).await
    };
    let live = commit(json!({})).await;
    let local = commit(json!({"scope": "LOCAL"})).await;
    let brief = commit(json!({"ttl_seconds": 60})).await;
    let old = commit(json!({})).await;
    let newer = commit(json!({"supersedes": old})).await;
    let deleted = commit(json!({})).await;
    let redacted = commit(json!({})).await;
    agent.delete(&at(bot, deleted, "")).await.expect(200);
    app.admin().post(&at(bot, redacted, "/redact"), json!({"reason": "a slip"})).await.expect(200);
    app.advance(chrono::TimeDelta::seconds(60));
    for caller in [&agent, &app.admin()] {
        for (memory, cause) in [
            (live, "found"),
            (local, "found"),
            (brief, "expired"),
            (old, "superseded"),
            (deleted, "deleted"),
            (redacted, "redacted"),
        ] {
            let explained = why(caller, bot, memory).await;
            assert_eq!(explained["cause"], cause, "{explained}");
            assert_eq!(explained["readable"], json!(cause == "found"), "{explained}");
            assert!(explained["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{explained}");
        }
        assert_eq!(why(caller, bot, old).await["superseded_by"], json!(newer));
        assert!(
            why(caller, bot, redacted).await["reason"].as_str().is_some_and(|explained| explained.contains("a slip"))
        );
    }
    let admin = app.admin();
    assert_eq!(why(&admin, peer, live).await["via"], "sibling");
    let explained = why(&admin, peer, local).await;
    assert_eq!(explained["cause"], "not_readable", "{explained}");
    assert_eq!(why(&admin, deep, live).await["cause"], "not_readable");
    let not_found = admin.get(&at(bot, live, "/why?q=cello")).await.expect(200).json();
    assert_eq!((&not_found["cause"], &not_found["readable"]), (&json!("not_found"), &json!(true)));
    admin.get(&at(bot, Uuid::from_u128(404), "/why")).await.refused(404, "not_found");
    let explained = why(&admin, rival, live).await;
    assert_eq!((&explained["cause"], &explained["reason"]), (&json!("not_readable"), &json!("different tree")));
    app.operator(rival).get(&at(rival, live, "/why")).await.refused(404, "not_found");
}

async fn why_returns_the_rank_of_the_search(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for n in 0..20 {
        agent.commit(bot, "LOCAL", &format!("violin {}", "and cello ".repeat(n % 5))).await;
    }
    for query in ["", "violin", "cello", "violin cello"] {
        let found = agent.search(bot, &[("q", query)]).await;
        let items = found.items();
        for (index, id) in found.ids().into_iter().enumerate() {
            let explained =
                agent.get(&format!("{}?q={}", at(bot, id, "/why"), query.replace(' ', "+"))).await.expect(200).json();
            assert_eq!((&explained["rank"], &explained["found"]), (&json!(index + 1), &json!(items.len())), "{query}");
            assert_eq!(explained.get("score"), items[index].get("score"), "{query}");
        }
    }
}

async fn reason_is_visible_only_to_callers_covering_both_workspaces(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\nother").await;
    let (acme, dev, bot, peer, ops, other) =
        (org.id("acme"), org.id("dev"), org.id("bot"), org.id("peer"), org.id("ops"), org.id("other"));
    let hidden = app.agent(bot).commit(bot, "LOCAL", "hidden").await;
    let absent = Uuid::from_u128(404);
    let explained = |caller: Caller, workspace: Uuid| async move {
        let hidden = caller.get(&at(workspace, hidden, "/why")).await;
        if hidden.status == 404 {
            let (mut one, mut other) = (hidden.json(), caller.get(&at(workspace, absent, "/why")).await.json());
            one["request_id"] = Value::Null;
            other["request_id"] = Value::Null;
            assert_eq!(one, other, "hidden and absent memories have the same response");
        }
        hidden.status
    };
    assert_eq!(explained(app.agent(peer), peer).await, 404);
    assert_eq!(explained(app.viewer(peer), peer).await, 404);
    assert_eq!(explained(app.operator(ops), ops).await, 404);
    assert_eq!(explained(app.agent(other), other).await, 404);
    assert_eq!(explained(app.viewer(dev), peer).await, 200);
    assert_eq!(explained(app.operator(acme), ops).await, 200);
    assert_eq!(explained(app.admin(), acme).await, 200);
    assert_eq!(explained(app.admin(), other).await, 200, "in another tree");
}

async fn search_explains_each_rank_and_score(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    for n in 0..12 {
        let memory = json!({
            "content": format!("the violin number {n} is tuned {}", "by ear ".repeat(n % 4)), "scope": "TEAM",
            "pin": n == 3, "confidence": 0.1 * n as f64 / 2.0, "session_id": format!("s{}", n / 3),
        });
        app.agent(if n % 2 == 0 { bot } else { peer }).commit_with(if n % 2 == 0 { bot } else { peer }, memory).await;
        app.advance(chrono::TimeDelta::hours(5));
    }
    let agent = app.agent(bot);
    let path = format!("/workspaces/{bot}/memories");
    for query in ["violin", "the violin is tuned", "my violin?", "violin number", "tuned by ear in november"] {
        let query_text = query.replace(' ', "+");
        let (plain, _) = agent.all_pages(&format!("{path}?q={query_text}")).await;
        let (explained, pages) = agent.all_pages(&format!("{path}?q={query_text}&explain=true&limit=5")).await;
        assert_eq!((plain.len(), pages), (12, 3), "{query}");
        for (index, (item, plain)) in explained.iter().zip(&plain).enumerate() {
            let mut bare = item.clone();
            let explanation = bare.as_object_mut().expect("an object").remove("explanation").expect("it is explained");
            assert_eq!(&bare, plain, "to explain changes nothing else");
            assert_eq!(explanation["rank"], index + 1, "{query}");
            let parts = explanation["parts"].as_array().expect("a list");
            let sum: f64 = parts.iter().map(|part| part["value"].as_f64().expect("a number")).sum();
            let score = item["score"].as_f64().expect("a score");
            assert!((sum - score).abs() < 1e-9 * score.max(1.0), "{sum} is not {score}: {explanation}");
            let named: Vec<&str> = parts.iter().filter_map(|part| part["part"].as_str()).collect();
            assert!(named.contains(&"words") && named.contains(&"session") && named.contains(&"recency"), "{named:?}");
            assert_eq!(named.contains(&"pin"), item["pin"] == json!(true), "{named:?}");
            assert!(query != "violin" || !named.contains(&"pairs"), "{named:?}");
            assert!(query != "violin number" || named.contains(&"pairs"), "{named:?}");
            let id = id_of(item, "id");
            let why = agent.get(&format!("{}?q={query_text}", at(bot, id, "/why"))).await.expect(200).json();
            assert_eq!((&why["rank"], &why["parts"]), (&explanation["rank"], &explanation["parts"]));
        }
    }
    let listed = agent.get(&format!("{path}?explain=true")).await.expect(200).items();
    for (index, item) in listed.iter().enumerate() {
        assert_eq!(item["explanation"], json!({"rank": index + 1, "parts": []}), "nothing was searched for");
    }
    assert!(agent.get(&path).await.expect(200).items().iter().all(|item| item.get("explanation").is_none()));
    agent.get(&format!("{path}?explain=perhaps")).await.refused(400, "invalid_field");
}

/// The state of a memory after its commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoryState {
    Stays,
    Redacted,
    Deleted,
    Expired,
    Superseded,
}

impl MemoryState {
    fn cause(self) -> &'static str {
        match self {
            Self::Stays => "found",
            Self::Redacted => "redacted",
            Self::Deleted => "deleted",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
        }
    }
}

fn any_state() -> impl Strategy<Value = MemoryState> {
    use MemoryState::{Deleted, Expired, Redacted, Stays, Superseded};
    prop_oneof![3 => Just(Stays), 1 => Just(Redacted), 1 => Just(Deleted), 1 => Just(Expired), 1 => Just(Superseded)]
}

/// Random orgs, histories and memories; every workspace asks about every memory. Failing histories shrink.
async fn why_returns_readable_exactly_for_search_results(on: On) {
    let config = Config { cases: 16, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let histories = (any::<AnyHistory>(), proptest::collection::vec(any_state(), 24));
    let server = tokio::runtime::Handle::current();
    let passed = tokio::task::block_in_place(|| {
        runner.run(&histories, |(history, states)| {
            server.block_on(why_agrees_with_search(on, &history, &states));
            Ok(())
        })
    });
    passed.unwrap_or_else(|error| panic!("{error}"));
}

async fn why_agrees_with_search(on: On, history: &AnyHistory, states: &[MemoryState]) {
    let app = TestApp::new(on).await;
    let (admin, mut oracle) = (app.admin(), Oracle::default());
    for step in history.steps() {
        let possible = oracle.apply(&step).is_ok();
        assert_eq!(matches!(admin.run_step(&step).await.status, 200 | 201), possible, "{step:?}");
    }
    let live: Vec<Memory> = oracle.memories().iter().filter(|memory| oracle.is_live(memory.author)).cloned().collect();
    let mut state: BTreeMap<Uuid, MemoryState> = BTreeMap::new();
    // superseding and pending memories, LOCAL, by these authors
    let (mut newer, mut waiting) = (Vec::new(), Vec::new());
    for (memory, &end) in live.iter().zip(states) {
        let path = at(memory.author, memory.id, "");
        let local = json!({"content": format!("in place of {}", memory.id), "scope": "LOCAL"});
        match end {
            MemoryState::Stays => {
                let mut pending = local;
                let run = admin.post(&format!("/workspaces/{}/runs", memory.author), json!({})).await.expect(201);
                pending["run_id"] = json!(run.id("run_id"));
                waiting.push((memory.author, admin.commit_with(memory.author, pending).await));
            }
            MemoryState::Redacted => {
                drop(admin.post(&(path + "/redact"), json!({"reason": "a test"})).await.expect(200));
            }
            MemoryState::Deleted => drop(admin.delete(&path).await.expect(200)),
            MemoryState::Expired => drop(admin.patch(&path, json!({"ttl_seconds": 60})).await.expect(200)),
            MemoryState::Superseded => {
                let mut replacing = local;
                replacing["supersedes"] = json!(memory.id);
                newer.push((memory.author, admin.commit_with(memory.author, replacing).await));
            }
        }
        state.insert(memory.id, end);
    }
    app.advance(chrono::TimeDelta::seconds(60));
    for reader in oracle.live() {
        let (listed, _) = admin.all_pages(&format!("/workspaces/{reader}/memories")).await;
        let listed: BTreeSet<Uuid> = listed.iter().map(|item| id_of(item, "id")).collect();
        let mut expected: BTreeSet<Uuid> = BTreeSet::new();
        let query_text = async |memory: Uuid| admin.get(&at(reader, memory, "/why")).await;
        for memory in oracle.memories() {
            let end = state.get(&memory.id).copied().unwrap_or(MemoryState::Stays);
            let in_reach = oracle.can_read_memory(reader, memory);
            let cause = if in_reach { end.cause() } else { "not_readable" };
            if cause == "found" {
                expected.insert(memory.id);
            }
            let response = query_text(memory.id).await;
            if oracle.is_live(memory.author) && !oracle.same_tree(reader, memory.author) {
                let explained = response.expect(200).json();
                assert_eq!(explained["reason"], "different tree", "{explained}");
            } else if response.status != 404 || oracle.is_live(memory.author) {
                // callers of the org also see memories of removed workspaces
                let explained = response.expect(200).json();
                assert_eq!(
                    explained["readable"],
                    json!(cause == "found"),
                    "{memory:?} {end:?} for {reader}: {explained}"
                );
                assert_eq!(explained["cause"], cause, "{memory:?} {end:?} for {reader}: {explained}");
            }
        }
        for &(author, memory) in &newer {
            let cause = if reader == author { "found" } else { "not_readable" };
            expected.extend((reader == author).then_some(memory));
            if oracle.same_tree(reader, author) {
                assert_eq!(query_text(memory).await.expect(200).json()["cause"], cause);
            }
        }
        for &(author, memory) in &waiting {
            if oracle.same_tree(reader, author) {
                assert_eq!(query_text(memory).await.expect(200).json()["cause"], "pending");
            }
        }
        assert_eq!(listed, expected, "what {reader} finds");
    }
}
