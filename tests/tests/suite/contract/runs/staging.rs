//! Pending memories and their visibility.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{MARK, finish, in_run, is_in_tables, runs, start};

for_each_store!(
    pending_memory_is_visible_only_in_its_run,
    pending_events_are_visible_only_to_readers_of_the_run,
    every_entry_point_stages_memories,
    memory_of_the_conversation_has_the_session_of_the_run,
    global_memory_of_an_output_needs_the_root,
    run_is_private_to_its_workspace,
    erasure_of_end_user_covers_pending_memories,
);

async fn pending_memory_is_visible_only_in_its_run(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (acme, dev, bot, peer) = (org.id("acme"), org.id("dev"), org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let run = start(&agent, bot).await;
    let committed = agent.post(&format!("/workspaces/{bot}/memories"), in_run(run, "TEAM", MARK)).await.expect(201);
    assert_eq!(committed.json()["pending"], true);
    assert_eq!(committed.header("location"), Some(format!("/workspaces/{bot}/runs/{run}").as_str()));
    let id = committed.id("id");
    for (caller, reader) in
        [(agent.clone(), bot), (app.agent(peer), peer), (app.operator(dev), dev), (app.admin(), bot)]
    {
        assert_eq!(caller.search(reader, &[("q", MARK)]).await.ids(), Vec::<Uuid>::new());
        assert_eq!(caller.search(reader, &[]).await.ids(), Vec::<Uuid>::new());
        assert_eq!(caller.search(reader, &[("run_id", &run.to_string())]).await.ids(), Vec::<Uuid>::new());
        let count = caller.get(&format!("/workspaces/{reader}/memories/count")).await.expect(200).json();
        assert_eq!(count["count"], 0);
        for rest in ["", "/history"] {
            caller.get(&format!("/workspaces/{reader}/memories/{id}{rest}")).await.refused(404, "not_found");
        }
        let happened = caller.get(&format!("/workspaces/{reader}/session-search?q={MARK}")).await.expect(200);
        assert_eq!(happened.json(), json!([]));
    }
    agent.patch(&format!("/workspaces/{bot}/memories/{id}"), json!({"content": "x"})).await.refused(404, "not_found");
    agent.delete(&format!("/workspaces/{bot}/memories/{id}")).await.refused(404, "not_found");
    let row = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json();
    assert_eq!((&row["memories"]["team"], &row["last_write_at"]), (&json!(0), &Value::Null));
    let stats = app.admin().get("/admin/stats").await.expect(200).json();
    assert!(!stats.to_string().contains(MARK));
    assert_eq!(stats["memories"], json!({"local": 0, "team": 0, "global": 0}), "{stats}");
    let events =
        app.viewer(acme).subscribe(&format!("/workspaces/{acme}/events?follow=false&subtree=true"), Some(0)).await;
    assert!(events.rest().await.iter().all(|event| event.event != "memory_committed"));
    // `why` reveals it only to callers covering the author
    let why = agent.get(&format!("/workspaces/{bot}/memories/{id}/why")).await.expect(200).json();
    assert_eq!((&why["cause"], &why["run_id"], &why["readable"]), (&json!("pending"), &json!(run), &json!(false)));
    let peers = format!("/workspaces/{peer}/memories/{id}/why");
    app.agent(peer).get(&peers).await.refused(404, "not_found");
    assert_eq!(app.operator(dev).get(&peers).await.expect(200).json()["cause"], "pending");
    // the run lists it
    let shown = agent.get(&runs(bot, &format!("/{run}"))).await.expect(200).json();
    assert_eq!((&shown["status"], &shown["write_count"]), (&json!("open"), &json!(1)));
    assert_eq!((&shown["pending"][0]["id"], &shown["pending"][0]["content"]), (&json!(id), &json!(MARK)));
}

async fn pending_events_are_visible_only_to_readers_of_the_run(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n    peer\nrival").await;
    let [acme, dev, bot, helper, peer, rival] =
        ["acme", "dev", "bot", "helper", "peer", "rival"].map(|name| org.id(name));
    let events = |workspace: Uuid, rest: &str| format!("/workspaces/{workspace}/events?follow=false{rest}");
    let from = app.agent(bot).subscribe(&events(bot, ""), None).await.rest().await[0].id;
    let agent = app.agent(bot);
    let run = start(&agent, bot).await;
    let memories = format!("/workspaces/{bot}/memories");
    let mut about = in_run(run, "GLOBAL", MARK);
    agent.post(&memories, about.clone()).await.refused(403, "scope_forbidden");
    about["scope"] = json!("TEAM");
    about["subject"] = json!("ada");
    let first = agent.post(&memories, about).await.expect(201).id("id");
    let again = json!({"id": first, "content": "archaeopteryx, and said better", "scope": "TEAM", "run_id": run});
    agent.post(&memories, again).await.expect(201);
    let mut batch = [in_run(run, "LOCAL", "a fossil"), in_run(run, "TEAM", "another fossil")];
    batch[0]["subject"] = json!("ada");
    agent.post(&format!("{memories}/batch"), json!({"memories": batch})).await.expect(200);
    let erase = json!({"org_id": acme, "subject": "ada", "reason": "asked for"});
    app.admin().post("/admin/erasures", erase).await.expect(200);

    let run_changes = async |caller: Caller, path: String| {
        let received = caller.subscribe(&path, from).await.rest().await;
        assert!(received.iter().all(|event| !event.data.to_string().contains("fossil")), "{received:?}");
        assert!(received.iter().all(|event| !event.data.to_string().contains(MARK)), "{received:?}");
        let of_it = received.into_iter().filter(|event| event.event == "run_changed");
        of_it.map(|event| (event.data["workspace_id"].clone(), event.data["details"].clone())).collect::<Vec<_>>()
    };
    // one event for each staged memory, and one for the redaction
    let all = vec![(json!(bot), json!({"run_id": run})); 5];
    for (caller, watching) in [
        (agent.clone(), events(bot, "")),
        (app.viewer(bot), events(bot, "")),
        (app.viewer(dev), events(bot, "")),
        (app.operator(dev), events(dev, "&subtree=true")),
        (app.viewer(acme), events(acme, "&subtree=true")),
        (app.admin(), events(acme, "&subtree=true")),
    ] {
        assert_eq!(run_changes(caller, watching.clone()).await, all, "{watching}");
    }
    // neither teammates, nor the lead, nor the reports, nor viewers of those
    for (caller, watching) in [
        (app.agent(peer), events(peer, "")),
        (app.agent(dev), events(dev, "")),
        (app.agent(acme), events(acme, "")),
        (app.agent(helper), events(helper, "")),
        (app.operator(dev), events(dev, "")),
        (app.operator(peer), events(peer, "&subtree=true")),
        (app.viewer(helper), events(helper, "&subtree=true")),
        (app.admin(), events(rival, "&subtree=true")),
    ] {
        assert_eq!(run_changes(caller, watching.clone()).await, Vec::new(), "{watching}");
    }
    // subscribers of the event may read the run
    for caller in [app.viewer(bot), app.viewer(acme)] {
        caller.get(&runs(bot, &format!("/{run}"))).await.expect(200);
    }
    app.agent(peer).get(&runs(bot, &format!("/{run}"))).await.refused(403, "forbidden");
}

async fn every_entry_point_stages_memories(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    let run = start(&agent, bot).await;
    agent.post(&at, in_run(run, "LOCAL", "by rest")).await.expect(201);
    let batch = json!({"memories": [in_run(run, "LOCAL", "by batch"), {"content": "at once", "scope": "LOCAL"}]});
    let response = agent.post(&format!("{at}/batch"), batch).await.expect(200).json();
    assert_eq!(response["items"][0]["committed"]["pending"], true);
    assert_eq!(response["items"][1]["committed"]["pending"], false);
    let by_header = agent.request("POST", &at).header("x-run-id", run.to_string());
    let by_header = by_header.json(json!({"content": "by header", "scope": "LOCAL"})).send().await.expect(201).json();
    assert_eq!((&by_header["pending"], &by_header["run_id"]), (&json!(true), &json!(run)));
    let output = json!({
        "answer": 42,
        "__lf_memory_writes": [{"content": "by output"}, {"content": "by output too", "scope": "TEAM", "kind": "summary"}],
    });
    let staged = agent.post(&runs(bot, &format!("/{run}/outputs")), output).await.expect(200).json();
    assert_eq!(staged["buffered"], 2);
    let nested = json!({
        "result": "done",
        "__lf_memory_writes": [{"scope": "project", "source": "agent", "content": "of the project", "confidence": 0.85}],
        "steps": [{"out": {"__lf_memory_writes": [{"scope": "Conversation", "content": "of the conversation"}]}}],
    });
    let staged = agent.post(&runs(bot, &format!("/{run}/outputs")), nested).await.expect(200).json();
    let scopes = [0, 1].map(|index| staged["items"][index]["scope"].clone());
    assert_eq!((&staged["buffered"], scopes), (&json!(2), [json!("LOCAL"), json!("LOCAL")]));
    let nothing = agent.post(&runs(bot, &format!("/{run}/outputs")), json!({"answer": 42})).await.expect(200).json();
    assert_eq!(nothing["buffered"], 0);
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "commit_memory", "arguments": {"content": "by mcp", "run_id": run}},
    });
    let mcp = agent.request("POST", "/mcp").header("accept", "application/json, text/event-stream");
    let mcp = mcp.header("mcp-protocol-version", "2025-06-18").json(call).send_unchecked().await;
    assert!(String::from_utf8_lossy(&mcp.body).contains("\"pending\":true"), "{}", mcp.describe());
    assert_eq!(agent.search(bot, &[]).await.items().len(), 1);
    assert_eq!(finish(&agent, bot, run, "completed").await["write_count"], 8);
    assert_eq!(agent.search(bot, &[]).await.items().len(), 9);
    // a repeated request returns the same response and stages nothing twice
    let run = start(&agent, bot).await;
    for _ in 0..2 {
        let again = agent.request("POST", &at).header("idempotency-key", "k").json(in_run(run, "LOCAL", "once"));
        assert_eq!(again.send().await.expect(201).json()["pending"], true);
    }
    assert_eq!(finish(&agent, bot, run, "completed").await["write_count"], 1);
}

async fn global_memory_of_an_output_needs_the_root(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    for scope in ["global", "GLOBAL", "Global"] {
        let output = json!({"answer": {"__lf_memory_writes": [
            {"scope": "project", "content": "for me"}, {"scope": scope, "content": "for everybody"},
        ]}});
        let agent = app.agent(acme);
        let run = start(&agent, acme).await;
        let staged = agent.post(&runs(acme, &format!("/{run}/outputs")), &output).await.expect(200).json();
        assert_eq!((&staged["buffered"], &staged["items"][1]["scope"]), (&json!(2), &json!("GLOBAL")), "{staged}");
        assert_eq!(finish(&agent, acme, run, "completed").await["write_count"], 2);
        let global = app.agent(bot).search(bot, &[("scope", "GLOBAL")]).await.items();
        assert!(global[0]["content"].as_str().is_some_and(|text| text.ends_with("for everybody")), "{global:?}");
        // the whole output is refused
        let agent = app.agent(bot);
        let run = start(&agent, bot).await;
        let refused = agent.post(&runs(bot, &format!("/{run}/outputs")), &output).await;
        refused.refused(403, "scope_forbidden");
        assert_eq!(finish(&agent, bot, run, "completed").await["write_count"], 0);
    }
}

async fn memory_of_the_conversation_has_the_session_of_the_run(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let output = json!({"__lf_memory_writes": [
        {"scope": "conversation", "source": "agent", "content": "of the run"},
        {"scope": "CONVERSATION", "content": "of another session", "session_id": "s2"},
        {"scope": "conversation", "content": "of the run too", "session_id": null},
        {"scope": "project", "content": "of the project"},
    ]});
    for (session, expected) in [(Some("s1"), json!(["s1", "s2", "s1", null])), (None, json!([null, "s2", null, null]))]
    {
        let started = agent.post(&runs(bot, ""), json!({"session_id": session})).await.expect(201);
        let run = started.id("run_id");
        let outputs = runs(bot, &format!("/{run}/outputs"));
        app.agent(peer).post(&outputs, &output).await.refused(403, "forbidden");
        let staged = agent.post(&outputs, &output).await.expect(200).json();
        assert!(staged["items"].as_array().into_iter().flatten().all(|item| item["scope"] == "LOCAL"), "{staged}");
        finish(&agent, bot, run, "completed").await;
        let mut sessions = Vec::new();
        for item in staged["items"].as_array().into_iter().flatten() {
            let id = item["id"].as_str().expect("an id");
            let memory = agent.get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(200).json();
            sessions.push(memory["session_id"].clone());
        }
        assert_eq!(json!(sessions), expected);
    }
}

async fn run_is_private_to_its_workspace(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\nother").await;
    let (dev, bot, peer, other) = (org.id("dev"), org.id("bot"), org.id("peer"), org.id("other"));
    let run = start(&app.agent(bot), bot).await;
    app.agent(bot).post(&format!("/workspaces/{bot}/memories"), in_run(run, "LOCAL", "mine")).await.expect(201);
    let before = app.dump();
    let end = json!({"status": "completed"});
    for (caller, at) in
        [(app.agent(peer), peer), (app.operator(dev), peer), (app.admin(), other), (app.agent(other), other)]
    {
        for rest in ["", "/finish", "/outputs"] {
            let path = runs(at, &format!("/{run}{rest}"));
            let response = match rest {
                "" => caller.get(&path).await,
                "/finish" => caller.post(&path, end.clone()).await,
                _ => caller.post(&path, json!({"__lf_memory_writes": []})).await,
            };
            response.refused(404, "not_found");
        }
        assert_eq!(caller.get(&runs(at, "")).await.expect(200).json(), json!([]));
    }
    app.agent(peer).get(&runs(bot, "")).await.refused(403, "forbidden");
    app.viewer(dev).post(&runs(bot, &format!("/{run}/finish")), end.clone()).await.refused(403, "forbidden");
    assert_eq!(app.dump(), before);
    assert_eq!(app.viewer(dev).get(&runs(bot, "")).await.expect(200).items().len(), 1);
    // the author remains the writer, independent of who ends the run
    app.operator(dev).post(&runs(bot, &format!("/{run}/finish")), end).await.expect(200);
    let memory = &app.agent(bot).search(bot, &[]).await.items()[0];
    assert_eq!((&memory["role"], &memory["source"]), (&json!("agent"), &json!("agent")));
}

async fn erasure_of_end_user_covers_pending_memories(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let agent = app.agent(bot);
    let run = start(&agent, bot).await;
    let mut about = in_run(run, "LOCAL", MARK);
    about["subject"] = json!("ada");
    agent.post(&format!("/workspaces/{bot}/memories"), about).await.expect(201);
    agent.post(&format!("/workspaces/{bot}/memories"), in_run(run, "LOCAL", "of nobody")).await.expect(201);
    let erase = json!({"org_id": acme, "subject": "ada", "reason": "asked for"});
    assert_eq!(app.admin().post("/admin/erasures", erase).await.expect(200).json()["memories"], 1);
    assert!(!is_in_tables(&app, MARK));
    let done = finish(&agent, bot, run, "completed").await;
    assert_eq!((&done["write_count"], &done["dropped_count"]), (&json!(1), &json!(1)));
    // a purge removes the runs
    let run = start(&agent, bot).await;
    agent.post(&format!("/workspaces/{bot}/memories"), in_run(run, "LOCAL", MARK)).await.expect(201);
    app.admin().delete(&format!("/workspaces/{bot}?purge=true")).await.expect(200);
    assert!(!is_in_tables(&app, MARK));
}
