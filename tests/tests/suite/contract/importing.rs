//! Import of an org.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

for_each_store!(
    org_is_imported_from_json_or_yaml,
    repeated_import_adds_nothing,
    dry_run_changes_nothing,
    demo_org_matches_its_description_and_can_be_imported,
);

const DOCUMENT: &str = "
name: Acme
initial_memories:
- {content: we ship on tuesdays, scope: GLOBAL}
entries:
- {key: state, value: {step: 1}}
children:
- name: Dev
  role: lead
  children:
  - name: Bot
    initial_memories:
    - {content: retry with backoff, scope: TEAM, team: parent, tags: [api]}
    - {content: mine alone, scope: LOCAL}
    episodes:
    - {activity_type: agent_log, summary: started, created_at: 2026-01-02T03:04:05Z}
- name: Ops
";

async fn org_is_imported_from_json_or_yaml(on: On) {
    let app = TestApp::new(on).await;
    let post = |kind: &str, body: String| app.admin().request("POST", "/orgs/import").body(kind, body).send();
    let response = post("application/yaml", DOCUMENT.to_owned()).await.expect(201).json();
    for (member, count) in [
        ("workspaces_created", 4),
        ("workspaces_kept", 0),
        ("memories_committed", 3),
        ("memories_kept", 0),
        ("entries_put", 1),
        ("episodes_appended", 1),
    ] {
        assert_eq!(response[member], count, "{member}");
    }
    let rows = app.admin().get("/workspaces").await.expect(200).items();
    let bot =
        rows.iter().find(|row| row["name"] == "Bot").map(|row| orgmem_tests::id_of(row, "id")).expect("it is there");
    let mut found: Vec<_> =
        app.viewer(bot).search(bot, &[]).await.items().iter().map(|item| item["content"].clone()).collect();
    found.sort_by_key(ToString::to_string);
    assert_eq!(found, ["mine alone", "retry with backoff", "we ship on tuesdays"]);
    let episodes = app.viewer(bot).get(&format!("/workspaces/{bot}/activity?type=agent_log")).await.expect(200).items();
    assert_eq!(episodes[0]["created_at"], "2026-01-02T03:04:05Z");
    let other = json!({"name": "Other", "children": [{"name": "Below", "initial_memories": [{"content": "x", "scope": "LOCAL"}]}]});
    post("application/json", other.to_string()).await.expect(201);
}

async fn repeated_import_adds_nothing(on: On) {
    let app = TestApp::new(on).await;
    let import = async |status| {
        let request = app.admin().request("POST", "/orgs/import").body("application/yaml", DOCUMENT);
        request.send().await.expect(status).json()
    };
    let first = import(201).await;
    let counts = async || {
        let stats = app.admin().get("/admin/stats").await.expect(200).json();
        [stats["workspaces"].clone(), stats["memories"].clone(), stats["entries"].clone(), stats["episodes"].clone()]
    };
    let before = counts().await;
    let second = import(200).await;
    assert_eq!(second["org_id"], first["org_id"]);
    for (member, count) in
        [("workspaces_created", 0), ("workspaces_kept", 4), ("memories_committed", 0), ("memories_kept", 3)]
    {
        assert_eq!(second[member], count, "{member}");
    }
    assert_eq!(counts().await, before);
}

async fn dry_run_changes_nothing(on: On) {
    let app = TestApp::new(on).await;
    let before = app.dump();
    let request = app.admin().request("POST", "/orgs/import?dry_run=true").body("application/yaml", DOCUMENT);
    let response = request.send().await.expect(200).json();
    assert_eq!((&response["dry_run"], &response["workspaces_created"]), (&json!(true), &json!(4)));
    assert_eq!(app.dump(), before);
    app.admin().request("POST", "/orgs/import").body("application/yaml", DOCUMENT).send().await.expect(201);
    let before = app.dump();
    let request = app.admin().request("POST", "/orgs/import?dry_run=true").body("application/yaml", DOCUMENT);
    assert_eq!(request.send().await.expect(200).json()["workspaces_kept"], 4);
    assert_eq!(app.dump(), before);
}

async fn demo_org_matches_its_description_and_can_be_imported(on: On) {
    let app = TestApp::new(on).await;
    let demo = app.admin().get("/orgs/demo").await.expect(200).json();
    let response = app.admin().post("/orgs/import", demo).await.expect(201).json();
    assert!(response["episodes_appended"].as_u64() > Some(0), "{response}");
}
