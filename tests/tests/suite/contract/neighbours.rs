//! What was said just before and after a memory that is found.

use chrono::TimeDelta;
use orgmem_tests::orgs::Drawn;
use orgmem_tests::steps::name_of;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    what_was_said_before_and_after_comes_along,
    what_cannot_be_read_is_no_neighbour,
    whoever_is_shown_a_neighbour_is_told_of,
    how_many_come_along_is_bounded,
);

/// A session in which a bot and its lead speak in turns, what the bot's sibling says for itself in between, and something
/// that was said without a session.
async fn spoken(app: &TestApp) -> Drawn {
    let org = app.plant("acme\n  lead\n    bot\n    peer\n  ops").await;
    let said = [
        ("bot", "LOCAL", "shall the kiln be lit?"),
        ("lead", "TEAM", "only after the inspection"),
        ("peer", "LOCAL", "they talk about the kiln again"),
        ("bot", "LOCAL", "the inspection was on Monday"),
        ("lead", "TEAM", "then light it"),
        ("bot", "LOCAL", "the kiln is lit"),
    ];
    for (who, scope, content) in said {
        app.advance(TimeDelta::seconds(1));
        let memory = json!({"content": content, "scope": scope, "session_id": "kiln"});
        app.agent(org.id(who)).commit_with(org.id(who), memory).await;
    }
    app.agent(org.id("bot")).commit(org.id("bot"), "LOCAL", "a monday like any other").await;
    org
}

/// Of each hit what it says, and what stands where beside it.
fn told(items: &[Value]) -> Vec<(String, Vec<(i64, String)>)> {
    let text = |of: &Value| of["content"].as_str().expect("text").to_owned();
    let near = |hit: &Value| {
        let near = hit["neighbours"].as_array().expect("they were asked for").iter();
        near.map(|near| (near["offset"].as_i64().expect("a number"), text(near))).collect()
    };
    items.iter().map(|hit| (text(hit), near(hit))).collect()
}

async fn what_was_said_before_and_after_comes_along(on: On) {
    let app = TestApp::new(on).await;
    let org = spoken(&app).await;
    let (bot, lead) = (org.id("bot"), org.id("lead"));
    let ask = async |query: &str| {
        app.viewer(bot).get(&format!("/workspaces/{bot}/memories?{query}")).await.expect(200).items()
    };
    let found = ask("q=Monday&limit=1&neighbours=1").await;
    let near = vec![(-1, "only after the inspection".to_owned()), (1, "then light it".to_owned())];
    assert_eq!(told(&found), [("the inspection was on Monday".to_owned(), near)]);
    let beside = &found[0]["neighbours"][0];
    assert_eq!((&beside["workspace_id"], &beside["workspace_name"]), (&json!(lead), &json!(name_of(lead))));
    assert!(beside["created_at"].as_str() < found[0]["created_at"].as_str(), "{beside}");
    assert_eq!(found[0]["neighbours"].as_array().map(Vec::len), Some(2));
    // as many as there are
    let far: Vec<i64> = told(&ask("q=Monday&limit=1&neighbours=5").await)[0].1.iter().map(|(at, _)| *at).collect();
    assert_eq!(far, [-2, -1, 1, 2]);
    // a filter says what is found, not what stands beside it; a list has neighbours as a search has
    let listed = ask("scope=TEAM&neighbours=1&order=recent").await;
    let first = vec![(-1, "the inspection was on Monday".to_owned()), (1, "the kiln is lit".to_owned())];
    assert_eq!(told(&listed)[0], ("then light it".to_owned(), first));
    let alone = ask("q=any+other&limit=1&neighbours=2").await;
    assert_eq!(told(&alone), [("a monday like any other".to_owned(), vec![])]);
    assert!(ask("q=Monday&limit=1").await[0].get("neighbours").is_none(), "nobody asked");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "search_memory", "arguments": {"query": "Monday", "limit": 1, "neighbours": 1}}});
    let called = app.agent(bot).request("POST", &format!("/workspaces/{bot}/mcp")).json(call);
    let called = called.header("accept", "application/json, text/event-stream").send_unchecked().await;
    let called = String::from_utf8(called.body).expect("text");
    assert!(["only after the inspection", "then light it"].iter().all(|near| called.contains(near)), "{called}");
    // an agent reads what others wrote quoted, and its own as it is
    let agent = app.agent(bot).get(&format!("/workspaces/{bot}/memories?q=Monday&limit=1&neighbours=2")).await;
    let agent = told(&agent.expect(200).items());
    let quoted: Vec<bool> = agent[0].1.iter().map(|(_, content)| content.starts_with("[MEMORY")).collect();
    assert_eq!(quoted, [false, true, true, false], "{agent:?}");
}

async fn what_cannot_be_read_is_no_neighbour(on: On) {
    let app = TestApp::new(on).await;
    let org = spoken(&app).await;
    let (bot, lead, peer, ops) = (org.id("bot"), org.id("lead"), org.id("peer"), org.id("ops"));
    let near = async |reader: Uuid, q: &str| {
        let path = format!("/workspaces/{reader}/memories?q={q}&limit=1&neighbours=5");
        told(&app.viewer(reader).get(&path).await.expect(200).items())
    };
    let of_peer = near(peer, "inspection").await;
    let shown = vec![(1, "they talk about the kiln again".to_owned()), (2, "then light it".to_owned())];
    assert_eq!(of_peer, [("only after the inspection".to_owned(), shown)]);
    // beside the lead, and not in its team
    let of_ops = [("only after the inspection".to_owned(), vec![(1, "then light it".to_owned())])];
    assert_eq!(near(ops, "inspection").await, of_ops);
    // right now: what moves away takes along what it said, and leaves what was said to it
    app.admin().patch(&format!("/workspaces/{bot}"), json!({"parent_id": ops})).await.expect(200);
    let moved: Vec<String> = near(bot, "Monday").await.remove(0).1.into_iter().map(|(_, content)| content).collect();
    assert_eq!(moved, ["shall the kiln be lit?", "the kiln is lit"]);
    let redacted = app.viewer(lead).get(&format!("/workspaces/{lead}/memories?q=inspection&limit=1")).await;
    let id = redacted.expect(200).items()[0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/workspaces/{lead}/memories/{id}/redact");
    app.admin().post(&path, json!({"reason": "never said"})).await.expect(200);
    assert_eq!(near(lead, "light").await, [("then light it".to_owned(), vec![])]);
}

async fn whoever_is_shown_a_neighbour_is_told_of(on: On) {
    let app = TestApp::new(on).await;
    let org = spoken(&app).await;
    let (bot, acme) = (org.id("bot"), org.id("acme"));
    let path = format!("/workspaces/{bot}/memories?q=Monday&limit=1&neighbours=1");
    let found = app.agent(bot).get(&path).await.expect(200).items();
    let ids = [&found[0], &found[0]["neighbours"][0], &found[0]["neighbours"][1]].map(|memory| memory["id"].clone());
    app.admin().get(&format!("/workspaces/{acme}/access-log/verify")).await.expect(200);
    let log =
        app.admin().get(&format!("/workspaces/{bot}/access-log?action=search_memories")).await.expect(200).items();
    let told: Vec<Value> = log[0]["memories"].as_array().into_iter().flatten().map(|seen| seen["id"].clone()).collect();
    assert_eq!(told, ids, "{log:?}");
}

async fn how_many_come_along_is_bounded(on: On) {
    let app = TestApp::new(on).await;
    let org = spoken(&app).await;
    let bot = org.id("bot");
    for wrong in ["6", "255"] {
        let path = format!("/workspaces/{bot}/memories?q=kiln&neighbours={wrong}");
        app.agent(bot).get(&path).await.refused(400, "invalid_field");
    }
    for wrong in ["-1", "256", "some"] {
        let path = format!("/workspaces/{bot}/memories?q=kiln&neighbours={wrong}");
        let refused = app.agent(bot).get(&path).await;
        assert_eq!(refused.status, 400, "{}", refused.describe());
    }
}
