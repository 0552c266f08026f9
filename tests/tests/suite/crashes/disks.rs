//! A disk that is full, cannot be written, or cannot be waited for, while the server runs: each write is told that it was
//! not done, reading goes on, and so does writing once the disk is well again.

use std::sync::Arc;

use orgmem_tests::orgs::Drawn;
use orgmem_tests::{DiskFault, On, TestApp, run};
use serde_json::{Value, json};

use super::ledger::Ledger;
use super::load::{Load, plant};

#[test]
fn a_full_disk_is_told_and_gone_on_from() {
    run(outlived(DiskFault::Full));
}

#[test]
fn a_disk_that_cannot_be_written_any_more_is_told_and_gone_on_from() {
    run(outlived(DiskFault::ReadOnly));
}

#[test]
fn what_cannot_be_made_durable_is_not_acknowledged() {
    run(outlived(DiskFault::NoSync));
}

async fn outlived(trouble: DiskFault) {
    let mut app = TestApp::builder(On::Sqlite).on_disk().start().await;
    let org = plant(&app).await;
    let mut ledger = Ledger::default();
    for round in 0..3 {
        let mut load = Load::start(&app, &org, round, || 0);
        load.acknowledged(150).await;
        app.disk().set_fault(trouble);
        load.end(&mut ledger).await;
        refused(&app, &org, trouble).await;
        app.disk().set_fault(DiskFault::None);
        accepted(&app, &org, round).await;
        hold(&app, &ledger);
    }
    app.restart().await;
    hold(&app, &ledger);
}

#[track_caller]
fn hold(app: &TestApp, ledger: &Ledger) {
    let faults = ledger.faults(&mut app.tables(), 0).expect("the tables can be read");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Everything that writes.
fn writes(org: &Drawn, mark: &str) -> Vec<(&'static str, String, Value)> {
    let bot = org.id("bot-0");
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    let memory = |how: &str| json!({"content": format!("{mark}, {how}, in trouble"), "scope": "TEAM"});
    vec![
        ("POST", at("memories"), memory("alone")),
        ("POST", at("memories/batch"), json!({"memories": [memory("in a batch")]})),
        ("POST", at("memory"), json!({"key": mark, "value": 1})),
        ("POST", at("activity"), json!({"activity_type": "agent_log", "summary": mark})),
        ("POST", at("tokens"), json!({"role": "agent"})),
        ("POST", "/workspaces".to_owned(), json!({"name": mark, "parent_id": bot})),
        ("POST", "/orgs/import".to_owned(), json!({"name": mark, "children": [{"name": "one"}]})),
        ("PATCH", format!("/workspaces/{bot}"), json!({"name": "bot-0"})),
    ]
}

async fn refused(app: &TestApp, org: &Arc<Drawn>, trouble: DiskFault) {
    let admin = app.admin();
    // what still fits into the files of a full disk may be done
    let mut tried = 0;
    while admin.request("POST", "/workspaces").json(json!({"name": "w"})).send().await.status != 503 {
        tried += 1;
        assert!(tried < 5_000, "the disk is not in trouble");
    }
    for (method, path, body) in writes(org, "refused") {
        let response = admin.request(method, &path).json(body).send().await;
        if trouble == DiskFault::Full && response.status != 503 {
            continue;
        }
        let problem = response.refused(503, "unavailable");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.starts_with("the store cannot be reached or cannot write now; try again"), "{detail}");
        assert!(response.header("retry-after").is_some(), "{}", response.describe());
    }
    let bot = org.id("bot-0");
    app.agent(bot).search(bot, &[("q", "crane")]).await;
    for path in ["/healthz".to_owned(), "/readyz".to_owned(), format!("/workspaces/{bot}/memory")] {
        admin.get(&path).await.expect(200);
    }
}

async fn accepted(app: &TestApp, org: &Arc<Drawn>, round: usize) {
    for (method, path, body) in writes(org, &format!("accepted {round}")) {
        let response = app.admin().request(method, &path).json(body).send().await;
        assert!(matches!(response.status, 200 | 201), "{}", response.describe());
    }
    let bot = org.id("bot-0");
    let found = app.agent(bot).search(bot, &[("q", "\"in trouble\"")]).await.items();
    assert!(found.len() >= 2 * (round + 1), "{found:?}");
}
