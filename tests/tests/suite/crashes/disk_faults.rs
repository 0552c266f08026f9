//! Disk faults of a running server: a full disk, a read-only disk, failing syncs. Writes are refused, reads continue,
//! and writes resume when the fault ends.

use std::sync::Arc;

use orgmem_tests::orgs::Drawn;
use orgmem_tests::{DiskFault, On, TestApp, run};
use serde_json::{Value, json};

use super::ledger::Ledger;
use super::load::{Load, create_org};

#[test]
fn server_recovers_from_full_disk() {
    run(check_recovery(DiskFault::Full));
}

#[test]
fn server_recovers_from_read_only_disk() {
    run(check_recovery(DiskFault::ReadOnly));
}

#[test]
fn write_without_sync_is_not_acknowledged() {
    run(check_recovery(DiskFault::NoSync));
}

async fn check_recovery(fault: DiskFault) {
    let mut app = TestApp::builder(On::Sqlite).on_disk().start().await;
    let org = create_org(&app).await;
    let mut ledger = Ledger::default();
    for round in 0..3 {
        let mut load = Load::start(&app, &org, round, || 0);
        load.acknowledged(150).await;
        app.disk().set_fault(fault);
        load.end(&mut ledger).await;
        refused(&app, &org, fault).await;
        app.disk().set_fault(DiskFault::None);
        accepted(&app, &org, round).await;
        check_ledger(&app, &ledger);
    }
    app.restart().await;
    check_ledger(&app, &ledger);
}

#[track_caller]
fn check_ledger(app: &TestApp, ledger: &Ledger) {
    let faults = ledger.faults(&mut app.tables(), 0).expect("the tables can be read");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// One request of each kind of write.
fn writes(org: &Drawn, mark: &str) -> Vec<(&'static str, String, Value)> {
    let bot = org.id("bot-0");
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    let memory = |how: &str| json!({"content": format!("{mark}, {how}, disk fault"), "scope": "TEAM"});
    vec![
        ("POST", at("memories"), memory("single")),
        ("POST", at("memories/batch"), json!({"memories": [memory("in a batch")]})),
        ("POST", at("memory"), json!({"key": mark, "value": 1})),
        ("POST", at("activity"), json!({"activity_type": "agent_log", "summary": mark})),
        ("POST", at("tokens"), json!({"role": "agent"})),
        ("POST", "/workspaces".to_owned(), json!({"name": mark, "parent_id": bot})),
        ("POST", "/orgs/import".to_owned(), json!({"name": mark, "children": [{"name": "one"}]})),
        ("PATCH", format!("/workspaces/{bot}"), json!({"name": "bot-0"})),
    ]
}

async fn refused(app: &TestApp, org: &Arc<Drawn>, fault: DiskFault) {
    let admin = app.admin();
    // a write that fits into existing files may succeed
    let mut tried = 0;
    while admin.request("POST", "/workspaces").json(json!({"name": "w"})).send().await.status != 503 {
        tried += 1;
        assert!(tried < 5_000, "the disk has no fault");
    }
    for (method, path, body) in writes(org, "refused") {
        let response = admin.request(method, &path).json(body).send().await;
        if fault == DiskFault::Full && response.status != 503 {
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
    let found = app.agent(bot).search(bot, &[("q", "\"disk fault\"")]).await.items();
    assert!(found.len() >= 2 * (round + 1), "{found:?}");
}
