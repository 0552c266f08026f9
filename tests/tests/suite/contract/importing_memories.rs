//! Import of memories from the array of another platform.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    memories_of_an_array_are_imported_once,
    each_error_of_an_array_is_reported_and_others_are_imported,
    dry_run_of_an_array_changes_nothing,
    redacted_memory_is_not_imported_again,
    array_of_memories_is_refused_without_permission,
);

const IMPORT: &str = "/admin/memories/import";

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

async fn memories_of_an_array_are_imported_once(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.admin().create("acme", None).await;
    let dev = app.admin().create("dev", Some(acme)).await;
    let bot = app.admin().create("bot", Some(dev)).await;
    let array = json!([
        {"id": id(1), "content": "by id", "scope": "TEAM", "namespace": "ops", "workspace_id": bot,
         "created_at": "2026-01-02T03:04:05Z", "tags": ["a"], "metadata": {"n": 1}, "title": "One", "tier": 2},
        {"content": "by name", "scope": "LOCAL", "workspace_id": id(404), "workspace_name": "dev"},
        {"content": "DATABASE_URL=postgres://app:hunter2horse@db.internal/app", "scope": "LOCAL", "workspace_name": "bot"},
    ]);
    let response = app.admin().post(IMPORT, &array).await.expect(200).json();
    assert_eq!((&response["imported"], &response["skipped"], &response["total"]), (&json!(3), &json!(0), &json!(3)));
    assert_eq!(response["errors"], json!([]), "{response}");
    assert_eq!(response["ignored"], json!([{"field": "tier", "count": 1}]));
    assert_eq!(response["redactions"][0]["field"], "[2].content", "{response}");
    let read = app.agent(bot).get(&format!("/workspaces/{bot}/memories/{}", id(1))).await.expect(200).json();
    let stored = ["content", "scope", "namespace", "created_at", "title"].map(|field| read[field].clone());
    assert_eq!(stored, ["by id", "TEAM", "ops", "2026-01-02T03:04:05Z", "One"]);
    assert_eq!((&read["tags"], &read["metadata"]), (&json!(["a"]), &json!({"n": 1})));
    assert_eq!(contents(&app, dev).await, ["by id", "by name"]);
    let before = app.dump();
    let again = app.admin().post(IMPORT, &array).await.expect(200).json();
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(3)));
    assert_eq!(app.dump(), before, "a repeated import writes nothing");
    let empty = app.admin().post(IMPORT, json!([])).await.expect(200).json();
    assert_eq!((&empty["imported"], &empty["total"]), (&json!(0), &json!(0)));
}

async fn contents(app: &TestApp, workspace: Uuid) -> Vec<String> {
    let found = app.viewer(workspace).search(workspace, &[]).await.items();
    let mut contents: Vec<String> =
        found.iter().map(|memory| memory["content"].as_str().unwrap_or_default().to_owned()).collect();
    contents.sort_unstable();
    contents
}

async fn each_error_of_an_array_is_reported_and_others_are_imported(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.admin().create("acme", None).await;
    let bot = app.admin().create("bot", Some(acme)).await;
    let twin = app.admin().create("twin", Some(acme)).await;
    app.admin().create("twin", None).await;
    let taken = app.agent(twin).commit(twin, "LOCAL", "t").await;
    let array = json!([
        {"content": "good", "scope": "LOCAL", "workspace_id": bot},
        {"content": " ", "scope": "LOCAL", "workspace_id": bot},
        {"scope": "LOCAL", "workspace_id": bot},
        {"content": "x", "scope": "GLOBAL", "workspace_id": bot},
        {"content": "x", "scope": "LOCAL"},
        {"content": "x", "scope": "LOCAL", "workspace_id": id(404)},
        {"content": "x", "scope": "LOCAL", "workspace_name": "twin"},
        {"content": "x", "scope": "LOCAL", "workspace_name": "nobody"},
        {"content": "x", "scope": "LOCAL", "workspace_id": bot, "id": taken},
        {"content": "x", "scope": "LOCAL", "workspace_id": bot, "expires_at": "2020-01-01T00:00:00Z"},
        7,
        {"content": "also good", "scope": "TEAM", "workspace_id": bot},
    ]);
    let response = app.admin().post(IMPORT, &array).await.expect(200).json();
    assert_eq!((&response["imported"], &response["total"]), (&json!(2), &json!(12)));
    let errors: Vec<String> = response["errors"].as_array().into_iter().flatten().map(text).collect();
    assert_eq!(
        errors,
        [
            "1: `content` must not be blank".to_owned(),
            "2: `content` is missing".to_owned(),
            "3: only a root writes GLOBAL; that is acme here, others may write TEAM or LOCAL".to_owned(),
            "4: `workspace_id` or `workspace_name` is missing".to_owned(),
            format!("5: no live workspace has the id `{}`, and `workspace_name` is missing", id(404)),
            "6: several workspaces are named `twin`; give `workspace_id`".to_owned(),
            "7: no live workspace is named `nobody`".to_owned(),
            format!("8: the id `{taken}` belongs to a memory of another workspace"),
            "9: `expires_at` must be in the future".to_owned(),
            "10: a memory must be an object".to_owned(),
        ]
    );
    assert_eq!(contents(&app, bot).await, ["also good", "good"]);
}

fn text(error: &Value) -> String {
    format!("{}: {}", error["index"], error["error"].as_str().unwrap_or_default())
}

async fn dry_run_of_an_array_changes_nothing(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let memory = |content: &str| json!({"content": content, "scope": "LOCAL", "workspace_id": bot});
    app.admin().post(IMPORT, json!([memory("there")])).await.expect(200);
    let before = app.dump();
    let array = json!([memory("there"), memory("new"), memory("new"), memory("")]);
    let response = app.admin().post(&format!("{IMPORT}?dry_run=true"), array).await.expect(200).json();
    let counts = ["dry_run", "imported", "skipped", "total"].map(|count| response[count].clone());
    assert_eq!(counts, [json!(true), json!(1), json!(2), json!(4)]);
    assert_eq!(response["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(app.dump(), before);
}

async fn redacted_memory_is_not_imported_again(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let array = json!([{"id": id(9), "content": "to be removed", "scope": "LOCAL", "workspace_id": bot}]);
    app.admin().post(IMPORT, &array).await.expect(200);
    let redact = format!("/workspaces/{bot}/memories/{}/redact", id(9));
    app.admin().post(&redact, json!({"reason": "asked for"})).await.expect(200);
    let again = app.admin().post(IMPORT, &array).await.expect(200).json();
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(1)));
    assert!(contents(&app, bot).await.is_empty());
}

async fn array_of_memories_is_refused_without_permission(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let array = json!([{"content": "x", "scope": "LOCAL", "workspace_id": bot}]);
    let before = app.dump();
    for caller in [app.agent(bot), app.viewer(bot), app.operator(bot)] {
        caller.post(IMPORT, &array).await.refused(403, "forbidden");
    }
    app.admin().post(IMPORT, json!({"memories": array})).await.refused(400, "invalid_field");
    app.admin().request("POST", IMPORT).body("application/json", "[{").send().await.refused(400, "bad_request");
    let in_run = app.admin().request("POST", IMPORT).header("x-run-id", id(1).to_string());
    in_run.json(&array).send().await.refused(409, "no_open_run");
    assert_eq!(app.dump(), before);
}
