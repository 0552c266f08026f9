//! Counts, what a caller may do, and why a memory is found or not.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Oracle, Step};
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    a_count_is_of_what_the_caller_may_see,
    a_memory_tells_what_the_caller_may_do_and_why_not,
    why_names_the_one_true_cause,
    why_tells_the_rank_that_the_search_gives,
    the_reason_is_told_to_those_alone_who_cover_both_sides,
    why_says_readable_exactly_when_search_returns_it,
);

fn at(workspace: Uuid, memory: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/memories/{memory}{rest}")
}

async fn why(caller: &Caller, workspace: Uuid, memory: Uuid) -> Value {
    caller.get(&at(workspace, memory, "/why")).await.expect(200).json()
}

async fn a_count_is_of_what_the_caller_may_see(on: On) {
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

async fn a_memory_tells_what_the_caller_may_do_and_why_not(on: On) {
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
        let told = ["edit", "delete", "redact"].map(|verb| read[verb] == json!(true));
        assert_eq!(told, allowed, "{read}");
        for (verb, allowed) in ["edit", "delete", "redact"].into_iter().zip(allowed) {
            assert_eq!(read["why_not"][verb].is_string(), !allowed, "{read}");
        }
        // what is said is what happens
        let before = app.dump();
        let edit = caller.patch(&at(workspace, id, ""), json!({"confidence": 0.5})).await;
        assert_eq!(edit.status == 200, allowed[0], "{}", edit.shown());
        let redact = caller.post(&at(workspace, id, "/redact"), json!({"reason": " "})).await;
        assert_eq!(redact.status != 403, true, "a bad reason is told first: {}", redact.shown());
        assert_eq!(app.dump(), before);
    }
}

async fn why_names_the_one_true_cause(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer\n  ops\n    deep").await;
    let (bot, peer, deep) = (org.id("bot"), org.id("peer"), org.id("deep"));
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
    app.pass(chrono::TimeDelta::seconds(60));
    for caller in [&agent, &app.admin()] {
        for (memory, cause) in [
            (live, "found"),
            (local, "found"),
            (brief, "expired"),
            (old, "superseded"),
            (deleted, "deleted"),
            (redacted, "redacted"),
        ] {
            let told = why(caller, bot, memory).await;
            assert_eq!(told["cause"], cause, "{told}");
            assert_eq!(told["readable"], json!(cause == "found"), "{told}");
            assert!(told["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{told}");
        }
        assert_eq!(why(caller, bot, old).await["superseded_by"], json!(newer));
        assert!(why(caller, bot, redacted).await["reason"].as_str().is_some_and(|told| told.contains("a slip")));
    }
    let admin = app.admin();
    assert_eq!(why(&admin, peer, live).await["via"], "sibling");
    let told = why(&admin, peer, local).await;
    assert_eq!(told["cause"], "not_readable", "{told}");
    assert_eq!(why(&admin, deep, live).await["cause"], "not_readable");
    let not_found = admin.get(&at(bot, live, "/why?q=cello")).await.expect(200).json();
    assert_eq!((&not_found["cause"], &not_found["readable"]), (&json!("not_found"), &json!(true)));
    admin.get(&at(bot, Uuid::from_u128(404), "/why")).await.refused(404, "not_found");
}

async fn why_tells_the_rank_that_the_search_gives(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for n in 0..20 {
        agent.commit(bot, "LOCAL", &format!("violin {}", "and cello ".repeat(n % 5))).await;
    }
    for query in ["", "violin", "cello", "violin cello"] {
        let found = agent.search(bot, &[("q", query)]).await;
        let items = found.items();
        for (place, id) in found.ids().into_iter().enumerate() {
            let told =
                agent.get(&format!("{}?q={}", at(bot, id, "/why"), query.replace(' ', "+"))).await.expect(200).json();
            assert_eq!((&told["rank"], &told["found"]), (&json!(place + 1), &json!(items.len())), "{query}");
            assert_eq!(told.get("score"), items[place].get("score"), "{query}");
        }
    }
}

async fn the_reason_is_told_to_those_alone_who_cover_both_sides(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\nother").await;
    let (acme, dev, bot, peer, ops, other) =
        (org.id("acme"), org.id("dev"), org.id("bot"), org.id("peer"), org.id("ops"), org.id("other"));
    let hidden = app.agent(bot).commit(bot, "LOCAL", "hidden").await;
    let absent = Uuid::from_u128(404);
    let told = |caller: Caller, workspace: Uuid| async move {
        let hidden = caller.get(&at(workspace, hidden, "/why")).await;
        if hidden.status == 404 {
            let (mut one, mut other) = (hidden.json(), caller.get(&at(workspace, absent, "/why")).await.json());
            one["request_id"] = Value::Null;
            other["request_id"] = Value::Null;
            assert_eq!(one, other, "hidden and absent answer alike");
        }
        hidden.status
    };
    assert_eq!(told(app.agent(peer), peer).await, 404);
    assert_eq!(told(app.viewer(peer), peer).await, 404);
    assert_eq!(told(app.operator(ops), ops).await, 404);
    assert_eq!(told(app.agent(other), other).await, 404);
    assert_eq!(told(app.viewer(dev), peer).await, 200);
    assert_eq!(told(app.operator(acme), ops).await, 200);
    assert_eq!(told(app.admin(), acme).await, 200);
    assert_eq!(told(app.admin(), other).await, 404, "another tree");
}

/// Random orgs and what happens to them, redactions and deletions too; then every workspace is asked about every memory.
async fn why_says_readable_exactly_when_search_returns_it(on: On) {
    for seed in [3, 17] {
        let app = TestApp::new(on).await;
        let (mut seeded, mut oracle, admin) = (Seeded::new(seed), Oracle::default(), app.admin());
        let made: Vec<Step> = [12, 4].into_iter().flat_map(|size| seeded.org(size)).collect();
        for step in &made {
            admin.take(step).await.expect(201);
            oracle.apply(step).expect("an org can be created");
        }
        for _ in 0..60 {
            let step = seeded.step(&oracle);
            admin.take(&step).await;
            // an impossible step changes nothing
            let _ = oracle.apply(&step);
        }
        let memories = oracle.memories().to_vec();
        let mut gone: BTreeMap<Uuid, &str> = BTreeMap::new();
        for (n, memory) in memories.iter().enumerate().filter(|(_, memory)| oracle.is_live(memory.author)) {
            if n % 4 == 0 {
                let why = json!({"reason": "a test"});
                admin.post(&at(memory.author, memory.id, "/redact"), why).await.expect(200);
                gone.insert(memory.id, "redacted");
            } else if n % 4 == 1 {
                admin.delete(&at(memory.author, memory.id, "")).await.expect(200);
                gone.insert(memory.id, "deleted");
            }
        }
        assert!(!gone.is_empty(), "seed {seed} takes something away");
        for reader in oracle.live() {
            let (listed, _) = admin.every(&format!("/workspaces/{reader}/memories")).await;
            let listed: BTreeSet<Uuid> = listed.iter().map(|item| id_of(item, "id")).collect();
            for memory in &memories {
                let answer = admin.get(&at(reader, memory.id, "/why")).await;
                let in_reach = oracle.can_read_memory(reader, memory);
                let cause = match gone.get(&memory.id) {
                    _ if !in_reach => "not_readable",
                    Some(cause) => cause,
                    None => "found",
                };
                assert_eq!(listed.contains(&memory.id), cause == "found", "seed {seed}: {memory:?}\n{oracle}");
                if oracle.is_live(memory.author) && !oracle.same_tree(reader, memory.author) {
                    assert_eq!(answer.status, 404, "{}", answer.shown());
                } else if answer.status != 404 || oracle.is_live(memory.author) {
                    // of what a removed workspace wrote, those of its org are told
                    let told = answer.expect(200).json();
                    assert_eq!(told["readable"], json!(cause == "found"), "seed {seed}: {memory:?} {told}\n{oracle}");
                    assert_eq!(told["cause"], cause, "seed {seed}: {memory:?} {told}\n{oracle}");
                }
            }
        }
    }
}
