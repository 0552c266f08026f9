//! Credentials are not stored.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    credentials_are_replaced_and_reported_in_every_field,
    import_reports_positions_of_credentials,
    reads_report_no_redactions,
    ordinary_text_is_unchanged,
);

/// Valid in form, but not real.
const KEYS: [&str; 3] = [
    "ghp_w2Jk9LmN4pQ7rS6tU5vW4xY3zA2bC1dE0fGh",
    "AKIAY3FDSNDKFLSIWTEX",
    "sk-proj-T3BlbkFJ4f9Jk2LmN8pQ7rS6tU5vW4xY3zA2bC1dE0fGhIjK",
];

async fn credentials_are_replaced_and_reported_in_every_field(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let at = |rest: &str| format!("/workspaces/{bot}{rest}");
    for key in KEYS {
        let agent = app.agent(bot);
        let text = || format!("deploy with {key} please");
        let memory = json!({
            "content": text(), "title": text(), "scope": "TEAM", "namespace": "n", "tags": [text()], "subject": text(),
            "session_id": "s", "metadata": {"note": [text()], "plain": 1},
        });
        let committed = agent.post(&at("/memories"), memory).await.expect(201).json();
        assert_eq!(fields(&committed), ["content", "metadata", "subject", "tags", "title"]);
        let read =
            agent.get(&at(&format!("/memories/{}", committed["id"].as_str().unwrap_or_default()))).await.expect(200);
        assert!(read.json()["content"].as_str().is_some_and(|text| text.contains("[REDACTED:")), "{}", read.describe());
        let put =
            agent.post(&at("/memory"), json!({"key": "state", "value": {"env": text()}})).await.expect(200).json();
        assert_eq!(fields(&put), ["value"]);
        let episode = json!({
            "activity_type": "agent_log", "summary": text(), "method": text(), "error_detail": text(),
            "request_body": {"header": text()}, "response_body": [text()], "metadata": {"a": text()}, "actor": text(),
        });
        let appended = agent.post(&at("/activity"), episode).await.expect(201).json();
        let replaced =
            ["actor", "error_detail", "metadata", "method", "request_body", "response_body", "summary"].as_slice();
        assert_eq!(fields(&appended), replaced);
        let change = json!({"role": text(), "metadata": {"m": text()}});
        let changed = app.admin().patch(&at(""), change).await.expect(200).json();
        assert_eq!(fields(&changed), ["metadata", "role"]);
        for below in [json!({"name": text(), "parent_id": org.id("acme")}), json!({"name": text()})] {
            let created = app.admin().post("/workspaces", below).await.expect(201).json();
            assert_eq!(fields(&created), ["name"]);
        }
        app.operator(bot).post(&at("/tokens"), json!({"role": "agent", "subject": "plain"})).await.expect(201);
    }
    let rows = app.dump().join("\n");
    for key in KEYS {
        assert!(!rows.contains(key), "{key} is in the tables");
    }
}

async fn import_reports_positions_of_credentials(on: On) {
    let app = TestApp::new(on).await;
    let text = format!("deploy with {} please", KEYS[0]);
    let document = json!({
        "name": "Acme",
        "metadata": {"note": text},
        "children": [{"name": "Dev"}, {
            "name": text,
            "initial_memories": [{"content": "plain", "scope": "LOCAL"}, {"content": text, "scope": "LOCAL"}],
            "entries": [{"key": "state", "value": [text]}],
            "episodes": [{"activity_type": "agent_log", "summary": text}],
        }],
    });
    let expected_fields = [
        "children[1].entries[0].value",
        "children[1].episodes[0].summary",
        "children[1].initial_memories[1].content",
        "children[1].name",
        "metadata",
    ];
    let dry_run = app.admin().post("/orgs/import?dry_run=true", document.clone()).await.expect(200).json();
    assert_eq!(fields(&dry_run), expected_fields);
    let imported = app.admin().post("/orgs/import", document).await.expect(201).json();
    assert_eq!(fields(&imported), expected_fields);
    assert!(!app.dump().join("\n").contains(KEYS[0]));
}

async fn reads_report_no_redactions(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let episode = json!({"activity_type": "agent_log", "summary": "plain"});
    let at = format!("/workspaces/{bot}");
    let appended = app.agent(bot).post(&format!("{at}/activity"), episode).await.expect(201).json();
    let changed = app.admin().patch(&at, json!({"role": format!("with {}", KEYS[0])})).await.expect(200).json();
    let read = app.admin().get(&at).await.expect(200).json();
    assert_eq!(fields(&changed), ["role"]);
    assert_eq!((appended.get("redactions"), read.get("redactions")), (None, None));
}

fn fields(response: &Value) -> Vec<&str> {
    let expected_fields = response["redactions"].as_array().into_iter().flatten();
    let mut fields: Vec<_> = expected_fields.filter_map(|redaction| redaction["field"].as_str()).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

async fn ordinary_text_is_unchanged(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for text in [
        "merge 9f2c1ab34e5d6f708192a3b4c5d6e7f8091a2b3c into main",
        "the run 018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f took 4 ms",
        "see https://example.org/docs/tokens?page=2#bearer-tokens",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "ask for the password policy, never for the password",
    ] {
        let memory = json!({"content": text, "scope": "LOCAL"});
        let committed = app.agent(bot).post(&format!("/workspaces/{bot}/memories"), memory).await.expect(201);
        assert_eq!(committed.json()["redactions"], json!([]), "{text}");
        let read = app.agent(bot).get(&format!("/workspaces/{bot}/memories/{}", committed.id("id"))).await.expect(200);
        assert_eq!(read.json()["content"], text);
    }
}
