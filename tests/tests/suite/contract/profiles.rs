//! Profiles, at every entry point.

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, Response, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    new_workspace_has_a_default_profile,
    profile_is_created_changed_and_deleted,
    workspace_has_one_default_profile,
    excluded_kind_is_neither_committed_nor_recalled,
    earlier_version_of_excluded_kind_is_absent,
    memory_is_absent_from_its_maximum_age,
    new_profile_contains_its_seeds,
    memories_are_filtered_by_profile,
    profile_is_private_to_its_workspace,
    invalid_profiles_are_refused_and_change_nothing,
);

pub(super) fn profiles(workspace: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/profiles{rest}")
}

pub(super) async fn make(caller: &Caller, workspace: Uuid, body: Value) -> Uuid {
    caller.post(&profiles(workspace, ""), body).await.expect(201).id("id")
}

/// Changes the default profile.
pub(super) async fn set(app: &TestApp, workspace: Uuid, change: Value) -> Response {
    let listed = app.admin().get(&profiles(workspace, "")).await.expect(200).items();
    let id = listed[0]["id"].as_str().expect("an id").to_owned();
    app.admin().patch(&profiles(workspace, &format!("/{id}")), change).await.expect(200)
}

async fn new_workspace_has_a_default_profile(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let expected = json!({
        "id": bot, "workspace_id": bot, "name": "default", "is_default": true, "retention": {}, "isolation": "tree",
        "injection": {"strategy": "relevance", "limit": 5, "scopes": []}, "excluded_kinds": [], "seed_count": 0,
        "subjects": "open", "page_scope": "LOCAL", "sessions": "open",
    });
    let agent = app.agent(bot);
    assert_eq!(agent.get(&profiles(bot, "")).await.expect(200).json(), json!([expected]));
    assert_eq!(agent.get(&profiles(bot, &format!("/{bot}"))).await.expect(200).json(), expected);
    // naming it explicitly changes nothing
    let memory = json!({"content": "by its name", "scope": "LOCAL", "profile_id": bot});
    let id = agent.commit_with(bot, memory).await;
    let read = agent.get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(200).json();
    assert_eq!(read.get("profile_id"), None);
}

async fn profile_is_created_changed_and_deleted(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (bot, operator) = (org.id("bot"), app.operator(org.id("acme")));
    let body = json!({
        "name": "night shift",
        "retention": {"max_age_seconds": 60, "max_entries": 3},
        "injection": {"strategy": "recent", "limit": 2, "scopes": ["TEAM", "LOCAL", "TEAM"], "min_confidence": 0.5},
        "excluded_kinds": ["trace", "trace"],
    });
    let made = operator.post(&profiles(bot, ""), body).await.expect(201);
    let id = made.id("id");
    assert_eq!(made.header("location"), Some(profiles(bot, &format!("/{id}")).as_str()));
    let made = made.json();
    assert_eq!(made["injection"]["scopes"], json!(["LOCAL", "TEAM"]));
    assert_eq!((&made["excluded_kinds"], &made["is_default"]), (&json!(["trace"]), &json!(false)));
    app.advance(TimeDelta::seconds(1));
    let change = json!({
        "name": "day shift", "retention": {"max_age_seconds": null},
        "injection": {"token_budget": 300, "min_confidence": null},
    });
    let changed = operator.patch(&profiles(bot, &format!("/{id}")), change).await.expect(200).json();
    assert_eq!(changed["retention"], json!({"max_entries": 3}));
    let injection = json!({"strategy": "recent", "limit": 2, "scopes": ["LOCAL", "TEAM"], "token_budget": 300});
    assert_eq!((&changed["name"], &changed["injection"]), (&json!("day shift"), &injection));
    assert_ne!(changed["created_at"], changed["updated_at"]);
    assert_eq!(operator.get(&profiles(bot, &format!("/{id}"))).await.expect(200).json(), changed);
    let committed =
        app.agent(bot).commit_with(bot, json!({"content": "on duty", "scope": "LOCAL", "profile_id": id})).await;
    operator.delete(&profiles(bot, &format!("/{id}"))).await.expect(200);
    operator.delete(&profiles(bot, &format!("/{id}"))).await.refused(404, "not_found");
    operator.get(&profiles(bot, &format!("/{id}"))).await.refused(404, "not_found");
    let committed = app.agent(bot).get(&format!("/workspaces/{bot}/memories/{committed}")).await.expect(200).json();
    assert_eq!(committed.get("profile_id"), None, "it belongs to the default profile");
    let reported = operator.get(&format!("/workspaces/{bot}/access-log?action=change_profile")).await.expect(200);
    let done: Vec<Value> = reported.items().iter().map(|row| row["context"]["done"].clone()).collect();
    assert_eq!(done, ["deleted", "changed", "created"]);
}

async fn workspace_has_one_default_profile(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (bot, admin) = (org.id("bot"), app.admin());
    let defaults = async || {
        let all = admin.get(&profiles(bot, "")).await.expect(200).items();
        let named = |profile: &Value| profile["name"].as_str().expect("a name").to_owned();
        let defaults: Vec<String> = all.iter().filter(|p| p["is_default"] == true).map(named).collect();
        (all.len(), defaults)
    };
    let quiet = make(&admin, bot, json!({"name": "quiet", "is_default": true})).await;
    assert_eq!(defaults().await, (2, vec!["quiet".to_owned()]));
    let loud = make(&admin, bot, json!({"name": "loud"})).await;
    admin.patch(&profiles(bot, &format!("/{loud}")), json!({"is_default": true})).await.expect(200);
    assert_eq!(defaults().await, (3, vec!["loud".to_owned()]));
    let at = profiles(bot, &format!("/{loud}"));
    admin.patch(&at, json!({"is_default": false})).await.refused(400, "invalid_field");
    admin.delete(&at).await.refused(409, "profile_is_default");
    admin.post(&profiles(bot, ""), json!({"name": "quiet"})).await.refused(409, "profile_named");
    admin.patch(&at, json!({"name": "quiet"})).await.refused(409, "profile_named");
    admin.delete(&profiles(bot, &format!("/{quiet}"))).await.expect(200);
    assert_eq!(defaults().await, (2, vec!["loud".to_owned()]));
}

async fn excluded_kind_is_neither_committed_nor_recalled(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let at = format!("/workspaces/{bot}/memories");
    let of = |kind: &str, content: &str| json!({"content": content, "scope": "TEAM", "kind": kind});
    let fact = agent.commit_with(bot, of("fact", "a compass points north")).await;
    let mine = agent.commit_with(bot, of("trace", "a compass was looked at")).await;
    let theirs = app.agent(peer).commit_with(peer, of("trace", "another compass was looked at")).await;
    let before = agent.search(bot, &[("q", "compass")]).await.ids();
    assert_eq!(before.len(), 3);
    set(&app, bot, json!({"excluded_kinds": ["trace"]})).await;
    // not recalled, independent of the author
    assert_eq!(agent.search(bot, &[("q", "compass")]).await.ids(), [fact]);
    assert_eq!(agent.search(bot, &[("kind", "trace")]).await.ids(), Vec::<Uuid>::new());
    for id in [mine, theirs] {
        agent.get(&format!("{at}/{id}")).await.refused(404, "not_found");
        let why = app.admin().get(&format!("{at}/{id}/why")).await.expect(200).json();
        assert_eq!((&why["cause"], &why["readable"]), (&json!("kind_excluded"), &json!(false)));
    }
    let happened = agent.get(&format!("/workspaces/{bot}/session-search?q=compass&kind=memory")).await.expect(200);
    assert_eq!(happened.items().len(), 1, "{}", happened.describe());
    let events = agent.subscribe(&format!("/workspaces/{bot}/events?follow=false"), Some(0)).await.rest().await;
    assert!(events.iter().all(|event| !event.data.to_string().contains(&theirs.to_string())));
    // not committed by any entry point
    let before = app.dump();
    agent.post(&at, of("trace", "not this one")).await.refused(409, "kind_excluded");
    agent.patch(&format!("{at}/{fact}"), json!({"kind": "trace"})).await.refused(409, "kind_excluded");
    let output = json!({"__lf_memory_writes": [of("trace", "nor this one")]});
    assert_eq!(app.dump(), before);
    let run = agent.post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201).id("run_id");
    agent.post(&format!("/workspaces/{bot}/runs/{run}/outputs"), output).await.refused(409, "kind_excluded");
    let batch = json!({"memories": [of("trace", "nor that"), of("fact", "a sextant measures")]});
    let response = agent.post(&format!("{at}/batch"), batch).await.expect(200).json();
    assert_eq!((&response["committed"], &response["refused"]), (&json!(1), &json!(1)));
    // others recall it, and its author may delete it
    assert_eq!(app.agent(peer).search(peer, &[("kind", "trace")]).await.ids().len(), 2);
    agent.delete(&format!("{at}/{mine}")).await.expect(200);
}

async fn earlier_version_of_excluded_kind_is_absent(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let at = |reader: Uuid, id: Uuid, rest: &str| format!("/workspaces/{reader}/memories/{id}{rest}");
    let agent = app.agent(bot);
    let id = agent.commit_with(bot, json!({"content": "first a fact", "scope": "TEAM"})).await;
    for (kind, content) in [("trace", "then a trace"), ("fact", "a fact again")] {
        agent.patch(&at(bot, id, ""), json!({"kind": kind, "content": content})).await.expect(200);
    }
    set(&app, peer, json!({"excluded_kinds": ["trace"]})).await;
    let versions = async |reader: Uuid, query: &str| -> Vec<i64> {
        let (reported, _) = app.agent(reader).all_pages(&at(reader, id, &format!("/history{query}"))).await;
        reported.iter().map(|version| version["version"].as_i64().expect("a number")).collect()
    };
    for query in ["", "?limit=1", "?limit=2"] {
        assert_eq!(versions(bot, query).await, [3, 2, 1]);
        assert_eq!(versions(peer, query).await, [3, 1], "{query}");
    }
    let reported = app.viewer(peer).get(&at(peer, id, "/history")).await.expect(200);
    assert!(!reported.describe().contains("then a trace"), "for every caller that reads as the workspace");
}

async fn memory_is_absent_from_its_maximum_age(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    set(&app, bot, json!({"retention": {"max_age_seconds": 60}})).await;
    let at = format!("/workspaces/{bot}/memories");
    let written = agent.post(&at, json!({"content": "soon gone", "scope": "TEAM"})).await.expect(201);
    assert!(written.json()["expires_at"].is_string(), "{}", written.describe());
    let short = json!({"content": "gone sooner", "scope": "TEAM", "ttl_seconds": 10});
    agent.post(&at, short).await.expect(201);
    let long = json!({"content": "no longer than its profile says", "scope": "TEAM", "ttl_seconds": 1000});
    agent.post(&at, long).await.expect(201);
    let edited = agent.commit(bot, "TEAM", "to be edited").await;
    app.advance(TimeDelta::seconds(10));
    assert_eq!(app.agent(peer).search(peer, &[]).await.ids().len(), 3);
    app.advance(TimeDelta::seconds(49));
    assert_eq!(app.agent(peer).search(peer, &[]).await.ids().len(), 3);
    // the age counts from the last write
    let change = json!({"content": "it was edited", "expires_at": null});
    agent.patch(&format!("{at}/{edited}"), change).await.expect(200);
    app.advance(TimeDelta::seconds(1));
    assert_eq!(app.agent(peer).search(peer, &[]).await.ids(), [edited]);
    agent.get(&format!("{at}/{}", written.id("id"))).await.refused(404, "not_found");
    app.advance(TimeDelta::seconds(59));
    assert_eq!(agent.search(bot, &[]).await.ids(), Vec::<Uuid>::new());
}

async fn new_profile_contains_its_seeds(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (bot, admin) = (org.id("bot"), app.admin());
    let body = json!({"name": "guide", "seed_entries": [
        {"content": "be brief"}, {"content": "say when you do not know", "scope": "TEAM", "confidence": 0.9},
    ]});
    let sent = admin.request("POST", &profiles(bot, "")).header("idempotency-key", "once").json(body.clone());
    let made = sent.send().await.expect(201);
    let again = admin.request("POST", &profiles(bot, "")).header("idempotency-key", "once").json(body).send().await;
    assert_eq!(again.expect(201).json(), made.json());
    let id = made.id("id");
    assert_eq!(made.json()["seed_count"], 2);
    let found = app.agent(bot).search(bot, &[("profile_id", &id.to_string())]).await;
    let mut written: Vec<(String, String)> =
        found.items().iter().map(|memory| (memory["scope"].to_string(), memory["content"].to_string())).collect();
    written.sort();
    let expected = [("\"LOCAL\"", "\"be brief\""), ("\"TEAM\"", "\"say when you do not know\"")];
    assert_eq!(written, expected.map(|(scope, content)| (scope.to_owned(), content.to_owned())));
    assert!(found.items().iter().all(|memory| memory["profile_id"] == json!(id)));
    // seeds are atomic
    let before = app.dump();
    let bad = json!({"name": "bad", "seed_entries": [{"content": "a good one"}, {"content": "x", "scope": "GLOBAL"}]});
    let refused = admin.post(&profiles(bot, ""), bad).await.refused(403, "scope_forbidden");
    assert!(refused.to_string().contains("memory 2 of `seed_entries`"), "{refused}");
    let excluded = json!({"name": "bad", "excluded_kinds": ["trace"], "seed_entries": [
        {"content": "a trace", "kind": "trace"}]});
    admin.post(&profiles(bot, ""), excluded).await.refused(409, "kind_excluded");
    assert_eq!(app.dump(), before);
}

async fn memories_are_filtered_by_profile(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer, admin) = (org.id("bot"), org.id("peer"), app.admin());
    let night = make(&admin, bot, json!({"name": "night"})).await;
    let agent = app.agent(bot);
    let plain = agent.commit(bot, "TEAM", "the lighthouse is white").await;
    let dark = json!({"content": "the lighthouse is lit", "scope": "TEAM", "profile_id": night});
    let dark = agent.commit_with(bot, dark).await;
    app.agent(peer).commit(peer, "TEAM", "a lighthouse of the peer").await;
    let (night, default) = (night.to_string(), bot.to_string());
    for q in ["lighthouse", ""] {
        assert_eq!(agent.search(bot, &[("q", q), ("profile_id", &night)]).await.ids(), [dark]);
        assert_eq!(agent.search(bot, &[("q", q), ("profile_id", &default)]).await.ids(), [plain]);
        assert_eq!(agent.search(bot, &[("q", q)]).await.ids().len(), 3);
    }
    let count = agent.get(&format!("/workspaces/{bot}/memories/count?profile_id={night}")).await.expect(200).json();
    assert_eq!(count["count"], 1);
    // a memory without a profile belongs to the current default
    admin.patch(&profiles(bot, &format!("/{night}")), json!({"is_default": true})).await.expect(200);
    assert_eq!(agent.search(bot, &[("profile_id", &night)]).await.ids().len(), 2);
    let run = agent.post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201).id("run_id");
    let day = make(&admin, bot, json!({"name": "day"})).await;
    let staged = json!({"content": "held back", "scope": "TEAM", "run_id": run, "profile_id": day});
    let staged = agent.commit_with(bot, staged).await;
    agent.post(&format!("/workspaces/{bot}/runs/{run}/finish"), json!({"status": "completed"})).await.expect(200);
    assert_eq!(agent.search(bot, &[("profile_id", &day.to_string())]).await.ids(), [staged]);
}

async fn profile_is_private_to_its_workspace(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer\nrival").await;
    let (bot, peer, rival, admin) = (org.id("bot"), org.id("peer"), org.id("rival"), app.admin());
    let theirs = [
        make(&admin, peer, json!({"name": "of the peer"})).await,
        make(&admin, rival, json!({"name": "of the rival"})).await,
        peer,
        Uuid::from_u128(7),
    ];
    let before = app.dump();
    let agent = app.agent(bot);
    for id in theirs {
        let at = profiles(bot, &format!("/{id}"));
        agent.get(&at).await.refused(404, "not_found");
        admin.patch(&at, json!({"name": "mine"})).await.refused(404, "not_found");
        admin.delete(&at).await.refused(404, "not_found");
        let memory = json!({"content": "not there", "scope": "LOCAL", "profile_id": id});
        agent.post(&format!("/workspaces/{bot}/memories"), memory).await.refused(404, "not_found");
        agent.get(&format!("/workspaces/{bot}/memories?profile_id={id}")).await.refused(404, "not_found");
        agent.get(&format!("/workspaces/{bot}/memories/count?profile_id={id}")).await.refused(404, "not_found");
    }
    agent.post(&profiles(bot, ""), json!({"name": "mine"})).await.refused(403, "forbidden");
    agent.patch(&profiles(bot, &format!("/{bot}")), json!({"isolation": "tree"})).await.refused(403, "forbidden");
    assert_eq!(app.dump(), before);
}

async fn invalid_profiles_are_refused_and_change_nothing(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (bot, admin) = (org.id("bot"), app.admin());
    let good = make(&admin, bot, json!({"name": "good", "isolation": "team"})).await;
    let before = app.dump();
    let cases = [
        ("name", json!({"name": " "})),
        ("name", json!({"name": "two\nlines"})),
        ("name", json!({"name": "x".repeat(51)})),
        ("isolation", json!({"isolation": "loop"})),
        ("injection.strategy", json!({"injection": {"strategy": "best"}})),
        ("injection.limit", json!({"injection": {"limit": 0}})),
        ("injection.limit", json!({"injection": {"limit": 51}})),
        ("injection.min_confidence", json!({"injection": {"min_confidence": 1.5}})),
        ("injection.min_confidence", json!({"injection": {"min_confidence": -0.1}})),
        ("injection.token_budget", json!({"injection": {"token_budget": -5}})),
        ("injection.token_budget", json!({"injection": {"token_budget": 0}})),
        ("injection.scopes", json!({"isolation": "team", "injection": {"scopes": ["GLOBAL"]}})),
        ("injection.scopes", json!({"isolation": "isolated", "injection": {"scopes": ["LOCAL", "GLOBAL"]}})),
        ("injection.scopes", json!({"injection": {"scopes": ["WORLD"]}})),
        ("retention.max_age_seconds", json!({"retention": {"max_age_seconds": -1}})),
        ("retention.max_entries", json!({"retention": {"max_entries": 0}})),
        ("retention.max_age", json!({"retention": {"max_age": 5}})),
        ("excluded_kinds", json!({"excluded_kinds": ["Not A Kind"]})),
        ("excluded_kinds", json!({"excluded_kinds": vec!["trace"; 33]})),
        ("is_default", json!({"is_default": "yes"})),
        ("colour", json!({"colour": "blue"})),
    ];
    for (field, change) in cases {
        let mut whole = json!({"name": "another"});
        whole.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        for response in [
            admin.post(&profiles(bot, ""), whole).await,
            admin.patch(&profiles(bot, &format!("/{good}")), change).await,
        ] {
            let reported = response.refused(400, "invalid_field");
            let last = field.rsplit('.').next().expect("a word");
            assert!(reported["detail"].as_str().expect("a sentence").contains(last), "{field}: {reported}");
        }
    }
    // a change that contradicts the unchanged settings
    let scopes = json!({"injection": {"scopes": ["GLOBAL"]}});
    admin.patch(&profiles(bot, &format!("/{good}")), scopes).await.refused(400, "invalid_field");
    let seeds = json!({"seed_entries": []});
    admin.patch(&profiles(bot, &format!("/{good}")), seeds).await.refused(400, "invalid_field");
    admin.delete(&profiles(bot, &format!("/{bot}"))).await.refused(409, "profile_is_default");
    assert_eq!(app.dump(), before);
    // an unused budget is not a contradiction
    let off = json!({"injection": {"strategy": "off", "token_budget": 9}});
    admin.patch(&profiles(bot, &format!("/{good}")), off).await.expect(200);
    for n in 0..49 {
        make(&admin, bot, json!({"name": format!("profile {n}")})).await;
    }
    admin.post(&profiles(bot, ""), json!({"name": "one too many"})).await.refused(409, "too_many_profiles");
}
