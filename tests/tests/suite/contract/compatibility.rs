//! Compatibility with existing clients of the platform.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;
use uuid::Uuid;

for_each_store!(
    commit_returns_id_scope_and_namespace,
    deletion_returns_deleted,
    removal_with_children_returns_confirmation_required,
    check_access_accepts_their_request,
);

async fn commit_returns_id_scope_and_namespace(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let body = json!({"content": "x", "scope": "TEAM", "namespace": "procedures"});
    let committed = app.agent(bot).post(&format!("/workspaces/{bot}/memories"), body).await.expect(201).json();
    assert!(committed["id"].is_string(), "{committed}");
    assert_eq!((&committed["scope"], &committed["namespace"]), (&json!("TEAM"), &json!("procedures")));
    let listed = app.agent(bot).get(&format!("/workspaces/{bot}/memories")).await.expect(200).json();
    assert!(listed.is_array(), "{listed}");
    let refused =
        app.agent(bot).post(&format!("/workspaces/{bot}/memories"), json!({"content": "x", "scope": "GLOBAL"})).await;
    assert!(refused.json()["error"].as_str().is_some_and(|error| !error.is_empty()), "{}", refused.describe());
}

async fn deletion_returns_deleted(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    let memory = app.agent(bot).commit(bot, "LOCAL", "x").await;
    app.agent(bot).post(&at("memory"), json!({"key": "k", "value": 1})).await.expect(200);
    let jti = app.operator(bot).post(&at("tokens"), json!({"role": "agent"})).await.expect(201).id("jti");
    for (caller, path) in [
        (app.agent(bot), at(&format!("memories/{memory}"))),
        (app.agent(bot), at("memory/k")),
        (app.operator(bot), format!("/tokens/{jti}")),
        (app.operator(bot), at("tokens")),
    ] {
        assert_eq!(caller.delete(&path).await.expect(200).json()["status"], "deleted", "{path}");
    }
}

async fn removal_with_children_returns_confirmation_required(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let path = format!("/workspaces/{}", org.id("dev"));
    let confirmation = app.operator(org.id("acme")).delete(&path).await.expect(409).json();
    assert_eq!(confirmation["status"], "confirmation_required");
    assert_eq!(confirmation["children_count"], 2);
    let mut children: Vec<Uuid> = confirmation["children"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|child| orgmem_tests::id_of(child, "id"))
        .collect();
    children.sort();
    assert_eq!(children, [org.id("bot"), org.id("peer")]);
    let done = app.operator(org.id("acme")).delete(&format!("{path}?confirm=true")).await.expect(200).json();
    assert_eq!((&done["status"], &done["cascade_deleted"]), (&json!("removed"), &json!(2)));
}

async fn check_access_accepts_their_request(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\n    oncall\nrival").await;
    let oracle = org.oracle();
    for caller in ["acme", "dev", "bot", "oncall"] {
        for target in ["acme", "dev", "bot", "peer", "ops", "oncall", "rival"] {
            let body = json!({"caller_id": org.id(caller), "target_id": org.id(target)});
            let response = app.agent(org.id(caller)).post("/registry/check-access", body).await.expect(200).json();
            let allowed = oracle.check_access(org.id(caller), org.id(target));
            assert_eq!(response, json!({"allowed": allowed}), "{caller} to {target}");
        }
    }
    let body = json!({"caller_id": org.id("bot"), "target_id": org.id("peer")});
    app.anonymous().post("/registry/check-access", body).await.refused(401, "token_missing");
}
