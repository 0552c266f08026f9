//! Neighbours of search results in their session.

use chrono::TimeDelta;
use orgmem_tests::orgs::Drawn;
use orgmem_tests::steps::name_of;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    neighbours_before_and_after_are_returned,
    unreadable_memory_is_not_a_neighbour,
    returned_neighbours_are_audited,
    number_of_neighbours_is_limited,
);

/// A session in which a bot and its lead alternate, with private memories of the bot's sibling in between, and a memory
/// without a session.
async fn create_session(app: &TestApp) -> Drawn {
    let org = app.plant("acme\n  lead\n    bot\n    peer\n  ops").await;
    let lines = [
        ("bot", "LOCAL", "shall the kiln be lit?"),
        ("lead", "TEAM", "only after the inspection"),
        ("peer", "LOCAL", "they talk about the kiln again"),
        ("bot", "LOCAL", "the inspection was on Monday"),
        ("lead", "TEAM", "then light it"),
        ("bot", "LOCAL", "the kiln is lit"),
    ];
    for (author, scope, content) in lines {
        app.advance(TimeDelta::seconds(1));
        let memory = json!({"content": content, "scope": scope, "session_id": "kiln"});
        app.agent(org.id(author)).commit_with(org.id(author), memory).await;
    }
    app.agent(org.id("bot")).commit(org.id("bot"), "LOCAL", "a monday like any other").await;
    org
}

/// The content of each hit, with its neighbours.
fn contents(items: &[Value]) -> Vec<(String, Vec<(i64, String)>)> {
    let text = |of: &Value| of["content"].as_str().expect("text").to_owned();
    let near = |hit: &Value| {
        let near = hit["neighbours"].as_array().expect("neighbours were requested").iter();
        near.map(|near| (near["offset"].as_i64().expect("a number"), text(near))).collect()
    };
    items.iter().map(|hit| (text(hit), near(hit))).collect()
}

async fn neighbours_before_and_after_are_returned(on: On) {
    let app = TestApp::new(on).await;
    let org = create_session(&app).await;
    let (bot, lead) = (org.id("bot"), org.id("lead"));
    let ask = async |query: &str| {
        app.viewer(bot).get(&format!("/workspaces/{bot}/memories?{query}")).await.expect(200).items()
    };
    let found = ask("q=Monday&limit=1&neighbours=1").await;
    let near = vec![(-1, "only after the inspection".to_owned()), (1, "then light it".to_owned())];
    assert_eq!(contents(&found), [("the inspection was on Monday".to_owned(), near)]);
    let neighbour = &found[0]["neighbours"][0];
    assert_eq!((&neighbour["workspace_id"], &neighbour["workspace_name"]), (&json!(lead), &json!(name_of(lead))));
    assert!(neighbour["created_at"].as_str() < found[0]["created_at"].as_str(), "{neighbour}");
    assert_eq!(found[0]["neighbours"].as_array().map(Vec::len), Some(2));
    // fewer neighbours than requested
    let far: Vec<i64> = contents(&ask("q=Monday&limit=1&neighbours=5").await)[0].1.iter().map(|(at, _)| *at).collect();
    assert_eq!(far, [-2, -1, 1, 2]);
    // a filter applies to hits, not to neighbours; lists have neighbours too
    let listed = ask("scope=TEAM&neighbours=1&order=recent").await;
    let first = vec![(-1, "the inspection was on Monday".to_owned()), (1, "the kiln is lit".to_owned())];
    assert_eq!(contents(&listed)[0], ("then light it".to_owned(), first));
    let isolated = ask("q=any+other&limit=1&neighbours=2").await;
    assert_eq!(contents(&isolated), [("a monday like any other".to_owned(), vec![])]);
    assert!(ask("q=Monday&limit=1").await[0].get("neighbours").is_none(), "not requested");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "search_memory", "arguments": {"query": "Monday", "limit": 1, "neighbours": 1}}});
    let called = app.agent(bot).request("POST", &format!("/workspaces/{bot}/mcp")).json(call);
    let called = called.header("accept", "application/json, text/event-stream").send_unchecked().await;
    let called = String::from_utf8(called.body).expect("text");
    assert!(["only after the inspection", "then light it"].iter().all(|near| called.contains(near)), "{called}");
    // an agent reads other authors quoted
    let agent = app.agent(bot).get(&format!("/workspaces/{bot}/memories?q=Monday&limit=1&neighbours=2")).await;
    let agent = contents(&agent.expect(200).items());
    let quoted: Vec<bool> = agent[0].1.iter().map(|(_, content)| content.starts_with("[MEMORY")).collect();
    assert_eq!(quoted, [false, true, true, false], "{agent:?}");
}

async fn unreadable_memory_is_not_a_neighbour(on: On) {
    let app = TestApp::new(on).await;
    let org = create_session(&app).await;
    let (bot, lead, peer, ops) = (org.id("bot"), org.id("lead"), org.id("peer"), org.id("ops"));
    let near = async |reader: Uuid, q: &str| {
        let path = format!("/workspaces/{reader}/memories?q={q}&limit=1&neighbours=5");
        contents(&app.viewer(reader).get(&path).await.expect(200).items())
    };
    let of_peer = near(peer, "inspection").await;
    let shown = vec![(1, "they talk about the kiln again".to_owned()), (2, "then light it".to_owned())];
    assert_eq!(of_peer, [("only after the inspection".to_owned(), shown)]);
    // a sibling of the lead, outside its team
    let of_ops = [("only after the inspection".to_owned(), vec![(1, "then light it".to_owned())])];
    assert_eq!(near(ops, "inspection").await, of_ops);
    // a move takes effect immediately: moved memories leave, memories shared with the old team stay
    app.admin().patch(&format!("/workspaces/{bot}"), json!({"parent_id": ops})).await.expect(200);
    let moved: Vec<String> = near(bot, "Monday").await.remove(0).1.into_iter().map(|(_, content)| content).collect();
    assert_eq!(moved, ["shall the kiln be lit?", "the kiln is lit"]);
    let redacted = app.viewer(lead).get(&format!("/workspaces/{lead}/memories?q=inspection&limit=1")).await;
    let id = redacted.expect(200).items()[0]["id"].as_str().expect("an id").to_owned();
    let path = format!("/workspaces/{lead}/memories/{id}/redact");
    app.admin().post(&path, json!({"reason": "never said"})).await.expect(200);
    assert_eq!(near(lead, "light").await, [("then light it".to_owned(), vec![])]);
}

async fn returned_neighbours_are_audited(on: On) {
    let app = TestApp::new(on).await;
    let org = create_session(&app).await;
    let (bot, acme) = (org.id("bot"), org.id("acme"));
    let path = format!("/workspaces/{bot}/memories?q=Monday&limit=1&neighbours=1");
    let found = app.agent(bot).get(&path).await.expect(200).items();
    let ids = [&found[0], &found[0]["neighbours"][0], &found[0]["neighbours"][1]].map(|memory| memory["id"].clone());
    app.admin().get(&format!("/workspaces/{acme}/access-log/verify")).await.expect(200);
    let log =
        app.admin().get(&format!("/workspaces/{bot}/access-log?action=search_memories")).await.expect(200).items();
    let contents: Vec<Value> =
        log[0]["memories"].as_array().into_iter().flatten().map(|seen| seen["id"].clone()).collect();
    assert_eq!(contents, ids, "{log:?}");
}

async fn number_of_neighbours_is_limited(on: On) {
    let app = TestApp::new(on).await;
    let org = create_session(&app).await;
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
