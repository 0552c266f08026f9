//! Commits of many memories in one request.

use std::cell::Cell;

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;
use uuid::Uuid;

for_each_store!(
    batch_returns_a_result_per_item,
    large_batch_is_committed_in_parts_once,
    batch_next_to_writes_of_another_org_is_committed_once,
);

struct Fixture {
    app: TestApp,
    bot: Uuid,
    path: String,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let bot = app.plant("acme\n  dev\n    bot").await.id("bot");
        Self { app, bot, path: format!("/workspaces/{bot}/memories") }
    }
}

async fn batch_returns_a_result_per_item(on: On) {
    let fixture = Fixture::new(on).await;
    let memories = json!([
        {"content": "one", "scope": "LOCAL"},
        {"content": " ", "scope": "LOCAL"},
        {"content": "three", "scope": "GLOBAL"},
        {"content": "four", "scope": "TEAM", "colour": "red"},
        7,
        {"content": "six", "scope": "TEAM"},
        ["seven", "LOCAL"],
    ]);
    let response = fixture
        .app
        .agent(fixture.bot)
        .post(&format!("{}/batch", fixture.path), json!({"memories": memories}))
        .await
        .expect(200)
        .json();
    assert_eq!((&response["committed"], &response["refused"]), (&json!(2), &json!(5)));
    let codes: Vec<_> =
        response["items"].as_array().into_iter().flatten().map(|item| item["refused"]["code"].as_str()).collect();
    assert_eq!(
        codes,
        [
            None,
            Some("invalid_field"),
            Some("scope_forbidden"),
            Some("invalid_field"),
            Some("invalid_field"),
            None,
            Some("invalid_field")
        ]
    );
    let committed: Vec<Uuid> =
        [5, 0].map(|at: usize| orgmem_tests::id_of(&response["items"][at]["committed"], "id")).into();
    assert_eq!(fixture.app.agent(fixture.bot).search(fixture.bot, &[]).await.ids(), committed);
}

async fn large_batch_is_committed_in_parts_once(on: On) {
    let fixture = Fixture::new(on).await;
    let memories: Vec<_> = (0..130).map(|n| json!({"content": format!("buoy {n}"), "scope": "LOCAL"})).collect();
    let body = json!({"memories": memories});
    let commits = || -> i64 {
        let rows = fixture.app.tables().try_query("SELECT CAST(sum(version) AS TEXT) AS line FROM orgs").expect("rows");
        rows[0].parse().expect("a number")
    };
    let send = || {
        let request = fixture.app.agent(fixture.bot).request("POST", &format!("{}/batch", fixture.path));
        request.json(&body).header("idempotency-key", "once").send()
    };
    let before = commits();
    let first = send().await.expect(200).json();
    assert_eq!((&first["committed"], &first["refused"]), (&json!(130), &json!(0)));
    assert_eq!(commits() - before, 3, "two parts of 64 and one of 2");
    assert_eq!(send().await.expect(200).json(), first);
    assert_eq!(commits() - before, 3);
}

async fn batch_next_to_writes_of_another_org_is_committed_once(on: On) {
    let fixture = Fixture::new(on).await;
    let other = fixture.app.admin().create("other", None).await;
    let memories: Vec<_> = (0..200).map(|n| json!({"content": format!("buoy {n}"), "scope": "LOCAL"})).collect();
    let body = json!({"memories": memories});
    let send = async || {
        let request = fixture.app.agent(fixture.bot).request("POST", &format!("{}/batch", fixture.path));
        request.json(&body).header("idempotency-key", "once").send().await.expect(200).json()
    };
    let is_done = Cell::new(false);
    let write_notes = async || {
        let (path, note) = (format!("/workspaces/{other}/memories"), json!({"content": "note", "scope": "LOCAL"}));
        while !is_done.get() {
            fixture.app.agent(other).post(&path, note.clone()).await.expect(201);
        }
    };
    let whole = async || {
        let first = send().await;
        assert_eq!((&first["committed"], &first["refused"]), (&json!(200), &json!(0)));
        assert_eq!(send().await, first);
        is_done.set(true);
    };
    tokio::join!(write_notes(), write_notes(), whole());
    let counted = fixture.app.agent(fixture.bot).get(&format!("{}/count", fixture.path)).await.expect(200).json();
    assert_eq!(counted["count"], 200);
}
