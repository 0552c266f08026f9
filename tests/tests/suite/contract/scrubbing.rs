//! Credentials are not stored.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    credentials_are_replaced_and_reported_in_every_field,
    import_reports_positions_of_credentials,
    reads_report_no_redactions,
    ordinary_text_is_unchanged,
    caller_without_access_causes_no_scrubbing,
    large_text_is_scrubbed_off_the_threads_of_connections,
    pending_memories_are_scrubbed_before_the_write_of_their_run,
    credential_behind_invisible_characters_is_replaced,
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

/// The scrubbed bytes on threads of connections and on other threads.
async fn scrubbed(app: &TestApp) -> (u64, u64) {
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    let count = |name: &str| {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix("_bytes_total "));
        line.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("no {name} in {metrics}"))
    };
    (count("orgmem_drafted_inline"), count("orgmem_drafted_pooled"))
}

/// A callback address with thousands of tokens.
fn callback(bytes: usize) -> String {
    let tokens = (0..).map(|number| format!("token={number}&")).scan(0, |total, token| {
        *total += token.len();
        (*total < bytes).then_some(token)
    });
    format!("https://h/cb?{}", tokens.collect::<String>())
}

async fn caller_without_access_causes_no_scrubbing(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  dev\nother\n  agent").await;
    let (bot, dev, foreign) = (org.id("bot"), org.id("dev"), org.id("agent"));
    let before = scrubbed(&app).await;
    for size in [100, 60_000] {
        let text = callback(size);
        let memory = json!({"content": text, "scope": "LOCAL"});
        let absent = uuid::Uuid::now_v7();
        for (to, status) in [(dev, 403), (foreign, 404), (absent, 404)] {
            let at = |rest: &str| format!("/workspaces/{to}{rest}");
            let agent = app.agent(bot);
            agent.post(&at("/memories"), memory.clone()).await.expect(status);
            agent.post(&at("/memories/batch"), json!({"memories": [memory]})).await.expect(status);
            agent.post(&at("/memory"), json!({"key": "k", "value": text})).await.expect(status);
            agent.post(&at("/activity"), json!({"activity_type": "agent_log", "summary": text})).await.expect(status);
        }
        let document = json!({"name": "Acme", "initial_memories": [memory]});
        app.agent(bot).post("/orgs/import", document).await.expect(403);
        app.agent(bot).post("/workspaces", json!({"name": "x", "metadata": {"text": text}})).await.expect(403);
    }
    assert_eq!(scrubbed(&app).await, before);
}

async fn large_text_is_scrubbed_off_the_threads_of_connections(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let (inline, pooled) = scrubbed(&app).await;
    let memory = json!({"content": callback(60_000), "scope": "LOCAL"});
    let at = |rest: &str| format!("/workspaces/{bot}{rest}");
    app.agent(bot).post(&at("/memories"), memory.clone()).await.expect(201);
    app.agent(bot).post(&at("/memories/batch"), json!({"memories": [memory]})).await.expect(200);
    app.agent(bot).post(&at("/memory"), json!({"key": "k", "value": callback(60_000)})).await.expect(200);
    let (inline_after, pooled_after) = scrubbed(&app).await;
    assert_eq!(inline_after, inline);
    assert!(pooled_after >= pooled + 180_000, "{pooled} to {pooled_after}");
}

/// One writer serves all orgs, so that scrubbing in its turn would delay every other write.
async fn pending_memories_are_scrubbed_before_the_write_of_their_run(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for (ending, is_scrubbed) in [("completed", true), ("failed", false)] {
        let run = agent.post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201).id("run_id");
        let memory = json!({"content": callback(60_000), "scope": "LOCAL", "run_id": run});
        let staged = agent.post(&format!("/workspaces/{bot}/memories"), memory).await.expect(201).json();
        let (inline, pooled) = scrubbed(&app).await;
        let ended = json!({"status": ending});
        agent.post(&format!("/workspaces/{bot}/runs/{run}/finish"), ended).await.expect(200);
        let (inline_after, pooled_after) = scrubbed(&app).await;
        assert_eq!(inline_after, inline);
        assert_eq!(pooled_after > pooled, is_scrubbed, "{ending}");
        let id = staged["id"].as_str().unwrap_or_default();
        let status = if is_scrubbed { 200 } else { 404 };
        agent.get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(status);
    }
}

async fn credential_behind_invisible_characters_is_replaced(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let memory = json!({"content": "p\u{200b}assword=hunter22", "scope": "LOCAL"});
    let committed = app.agent(bot).post(&format!("/workspaces/{bot}/memories"), memory).await.expect(201).json();
    assert_eq!(fields(&committed), ["content"]);
}
