//! A commit that names no open run publishes nothing, unless it says `ungated`.

use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{finish, in_run, start};
use crate::mcp::use_tool;

for_each_store!(
    commit_naming_no_open_run_is_refused_on_every_entry_point,
    ungated_commit_is_published_with_its_run_id,
    ungated_commit_in_open_run_is_pending,
    import_and_seed_memories_in_run_are_refused,
    edit_in_run_is_refused_and_replacement_is_pending,
);

/// The ids of an unknown run, of a run of another workspace, and of an ended run, each with its code.
async fn not_open(app: &TestApp, bot: Uuid, peer: Uuid) -> [(Uuid, &'static str); 3] {
    let ended = start(&app.agent(bot), bot).await;
    finish(&app.agent(bot), bot, ended, "failed").await;
    let theirs = start(&app.agent(peer), peer).await;
    [(Uuid::from_u128(1), "no_open_run"), (theirs, "no_open_run"), (ended, "run_over")]
}

fn by_header(caller: &Caller, path: &str, run: Uuid, body: Value) -> orgmem_tests::Request {
    caller.request("POST", path).header("x-run-id", run.to_string()).json(body)
}

async fn commit_naming_no_open_run_is_refused_on_every_entry_point(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    let runs = not_open(&app, bot, peer).await;
    let before = app.dump();
    let plain = json!({"content": "x", "scope": "LOCAL"});
    let mut details = Vec::new();
    for (run, code) in runs {
        let refused = agent.post(&at, in_run(run, "LOCAL", "x")).await.refused(409, code);
        details.push(refused["detail"].as_str().expect("a text").replace(&run.to_string(), "…"));
        by_header(&agent, &at, run, plain.clone()).send().await.refused(409, code);
        let batch = json!({"memories": [in_run(run, "LOCAL", "x")]});
        let items = agent.post(&format!("{at}/batch"), batch).await.expect(200).json();
        assert_eq!((&items["committed"], &items["items"][0]["refused"]["code"]), (&json!(0), &json!(code)), "{items}");
        let batch = json!({"memories": [plain]});
        let items = by_header(&agent, &format!("{at}/batch"), run, batch).send().await.expect(200).json();
        assert_eq!((&items["committed"], &items["items"][0]["refused"]["code"]), (&json!(0), &json!(code)), "{items}");
        let called = use_tool(&agent, "commit_memory", in_run(run, "LOCAL", "x")).await;
        assert_eq!(called["isError"], true, "{called}");
    }
    // the run of another workspace is like an unknown one
    assert_eq!(details[0], details[1]);
    assert_eq!(app.dump(), before);
}

async fn ungated_commit_is_published_with_its_run_id(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    for (run, _) in not_open(&app, bot, peer).await {
        let mut memory = in_run(run, "LOCAL", &format!("from {run}"));
        memory["ungated"] = json!(true);
        let committed = agent.post(&at, memory).await.expect(201).json();
        assert_eq!(
            (&committed["pending"], &committed["run_id"], &committed["version"]),
            (&json!(false), &json!(run), &json!(1))
        );
        let plain = json!({"content": format!("in {run}"), "scope": "LOCAL", "ungated": true});
        by_header(&agent, &at, run, plain).send().await.expect(201);
        let mut memory = in_run(run, "LOCAL", &format!("by mcp from {run}"));
        memory["ungated"] = json!(true);
        let called = use_tool(&agent, "commit_memory", memory).await["structuredContent"].clone();
        let found = agent.search(bot, &[("run_id", &run.to_string())]).await.ids();
        assert_eq!(found, [id_of(&called, "id"), id_of(&committed, "id")]);
    }
}

async fn ungated_commit_in_open_run_is_pending(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let run = start(&agent, bot).await;
    let mut memory = in_run(run, "LOCAL", "x");
    memory["ungated"] = json!(true);
    let committed = agent.post(&format!("/workspaces/{bot}/memories"), memory).await.expect(201).json();
    assert_eq!(committed["pending"], true);
    let output = json!({"__lf_memory_writes": [{"content": "y", "ungated": true}]});
    agent.post(&super::runs(bot, &format!("/{run}/outputs")), output).await.refused(400, "invalid_field");
}

async fn import_and_seed_memories_in_run_are_refused(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let (admin, operator) = (app.admin(), app.operator(bot));
    let document = json!({"id": acme, "name": "acme", "initial_memories": [{"content": "x", "scope": "LOCAL"}]});
    let profile =
        |name: &str, ungated: bool| json!({"name": name, "seed_entries": [{"content": name, "ungated": ungated}]});
    let profiles = format!("/workspaces/{bot}/profiles");
    for run in [start(&operator, bot).await, Uuid::from_u128(1)] {
        let before = app.dump();
        by_header(&admin, "/orgs/import", run, document.clone()).send().await.refused(409, "no_open_run");
        let seeds = profile("refused", false);
        by_header(&operator, &profiles, run, seeds).send().await.refused(409, "no_open_run");
        assert_eq!(app.dump(), before);
        by_header(&admin, "/orgs/import?ungated=true", run, document.clone()).send().await.expect(200);
        by_header(&operator, &profiles, run, profile(&run.to_string(), true)).send().await.expect(201);
    }
    // without memories, an import publishes nothing
    let empty = json!({"id": acme, "name": "acme"});
    by_header(&admin, "/orgs/import", Uuid::from_u128(1), empty).send().await.expect(200);
}

/// An edit in a run would be readable although the run fails; a memory that supersedes the old one is dropped with it.
async fn edit_in_run_is_refused_and_replacement_is_pending(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    let memory = agent.commit(bot, "LOCAL", "deploys on tuesdays").await;
    let run = start(&agent, bot).await;
    let before = app.dump();
    let edit = json!({"content": "deploys on fridays"});
    for run in [run, Uuid::from_u128(1)] {
        let by_header = |method: &str, path: String| agent.request(method, &path).header("x-run-id", run.to_string());
        let refused = by_header("PATCH", format!("{at}/{memory}")).json(&edit).send().await;
        let detail = refused.refused(409, "no_open_run")["detail"].clone();
        assert!(detail.as_str().is_some_and(|detail| detail.contains("`supersedes`")), "{detail}");
        let restored = by_header("POST", format!("{at}/{memory}/restore")).json(json!({"version": 1})).send().await;
        restored.refused(409, "no_open_run");
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "edit_memory", "arguments": {"memory_id": memory, "content": "deploys on fridays"}},
        });
        let mcp = by_header("POST", "/mcp".to_owned()).header("accept", "application/json, text/event-stream");
        let mcp = mcp.header("mcp-protocol-version", "2025-06-18").json(call).send().await.expect(200).json();
        assert_eq!(mcp["result"]["isError"], true, "{mcp}");
    }
    assert_eq!(app.dump(), before);
    let replacement = json!({"content": "deploys on fridays", "scope": "LOCAL", "supersedes": memory});
    by_header(&agent, &at, run, replacement).send().await.expect(201);
    finish(&agent, bot, run, "failed").await;
    assert_eq!(agent.search(bot, &[]).await.ids(), [memory]);
    agent.patch(&format!("{at}/{memory}"), edit).await.expect(200);
}
