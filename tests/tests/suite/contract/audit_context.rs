//! The context object that a caller adds to the audit rows of a request.

use orgmem_tests::{Caller, On, Request, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    context_is_in_the_rows_of_reads_and_writes,
    context_is_scrubbed,
    invalid_context_is_refused_and_changes_nothing,
    request_id_with_text_is_sealed_as_a_hash,
    command_line_sends_the_context,
);

fn with(request: Request, context: &Value) -> Request {
    request.header("x-audit-context", context.to_string())
}

async fn newest(app: &TestApp, workspace: Uuid, action: &str) -> Value {
    let path = format!("/workspaces/{workspace}/access-log?action={action}&limit=1");
    app.admin().get(&path).await.expect(200).items()[0]["context"].clone()
}

fn commit(agent: &Caller, bot: Uuid) -> Request {
    agent.request("POST", &format!("/workspaces/{bot}/memories")).json(json!({"content": "x", "scope": "LOCAL"}))
}

async fn context_is_in_the_rows_of_reads_and_writes(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let ticket = json!({"ticket": "OPS-4712", "through": "a plan", "steps": [1, 2]});
    with(commit(&agent, bot), &ticket).send().await.expect(201);
    assert_eq!(newest(&app, bot, "commit_memory").await["caller"], ticket);
    let search = agent.request("GET", &format!("/workspaces/{bot}/memories?q=x"));
    with(search, &ticket).send().await.expect(200);
    assert_eq!(newest(&app, bot, "search_memories").await["caller"], ticket);
    let batch = agent.request("POST", &format!("/workspaces/{bot}/memories/batch"));
    let batch = batch.json(json!({"memories": [{"content": "y", "scope": "LOCAL"}]}));
    with(batch, &json!({"of": "the batch"})).send().await.expect(200);
    assert_eq!(newest(&app, bot, "commit_memory").await["caller"], json!({"of": "the batch"}));
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "commit_memory", "arguments": {"content": "by mcp"}},
    });
    let mcp = agent.request("POST", "/mcp").header("accept", "application/json, text/event-stream");
    let mcp = mcp.header("mcp-protocol-version", "2025-06-18").json(call);
    with(mcp, &json!({"of": "a tool"})).send_unchecked().await.expect(200);
    assert_eq!(newest(&app, bot, "commit_memory").await["caller"], json!({"of": "a tool"}));
    commit(&agent, bot).send().await.expect(201);
    assert_eq!(newest(&app, bot, "commit_memory").await["caller"], Value::Null);
    let verified = app.admin().get(&format!("/workspaces/{bot}/access-log/verify")).await;
    assert_eq!(verified.expect(200).json()["intact"], true);
}

async fn context_is_scrubbed(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let secret = json!({"note": "with ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"});
    with(commit(&app.agent(bot), bot), &secret).send().await.expect(201);
    let stored = newest(&app, bot, "commit_memory").await["caller"].to_string();
    assert!(stored.contains("[REDACTED:") && !stored.contains("ghp_"), "{stored}");
}

async fn invalid_context_is_refused_and_changes_nothing(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let before = app.dump();
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(300), "]".repeat(300));
    let long = json!({"a": "x".repeat(2048)}).to_string();
    for bad in ["", "ticket", "[1]", "\"a\"", "{\"a\": }", "null", &deep, &long] {
        let refused = commit(&agent, bot).header("x-audit-context", bad).send().await.refused(400, "invalid_field");
        assert_eq!(refused["field"], "X-Audit-Context", "{bad}");
    }
    let keyed = json!({"ghp_0123456789abcdefghijklmnopqrstuvwxyzAB": 1});
    with(commit(&agent, bot), &keyed).send().await.refused(400, "invalid_field");
    let twice = commit(&agent, bot).header("x-audit-context", "{}").header("x-audit-context", "{}");
    twice.send().await.refused(400, "invalid_field");
    assert_eq!(app.dump(), before);
}

async fn request_id_with_text_is_sealed_as_a_hash(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for (sent, is_text) in [
        ("ada.lovelace-4711", true),
        ("0190b5a0-0000-7000-8000-000000000001", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
    ] {
        let response = commit(&agent, bot).header("x-request-id", sent).send().await.expect(201);
        assert_eq!(response.header("x-request-id"), Some(sent));
        let search = agent.request("GET", &format!("/workspaces/{bot}/memories?q=x"));
        search.header("x-request-id", sent).send().await.expect(200);
        for action in ["commit_memory", "search_memories"] {
            let context = newest(&app, bot, action).await.to_string();
            assert_eq!((context.contains(sent), context.contains("sha256:")), (!is_text, is_text), "{context}");
        }
    }
    assert!(!app.dump().iter().any(|row| row.contains("lovelace")), "the text is in no table");
}

async fn command_line_sends_the_context(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let shell = Shell::to(&app);
    let context = r#"{"ticket": "OPS-4712", "by": "Zoë 🛠"}"#;
    let expected: Value = serde_json::from_str(context).expect("JSON");
    let _ = shell.enter(&format!("orgmem commit -w {bot} kiln --audit-context '{context}'")).await.success();
    assert_eq!(newest(&app, bot, "commit_memory").await["caller"], expected);
    let call =
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_memory", "arguments": {}}}"#;
    let line = format!("echo '{call}' | orgmem mcp --workspace {bot} --audit-context '{context}'");
    let answered = shell.enter(&line).await.success();
    assert!(answered.out.contains("kiln"), "{answered:?}");
    assert_eq!(newest(&app, bot, "search_memories").await["caller"], expected);
    let refused = shell.enter(&format!("orgmem search -w {bot} --audit-context '[1]'")).await;
    assert!(refused.code == Some(2) && refused.err.contains("not a JSON object"), "{refused:?}");
}
