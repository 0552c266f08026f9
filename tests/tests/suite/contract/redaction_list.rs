//! The list of redactions, and tombstones for readers that could read the memory.

use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    readers_of_redacted_memory_get_a_tombstone,
    tombstone_follows_the_tree,
    memory_without_readers_leaves_no_tombstone,
    profile_withholds_tombstones,
    tombstone_read_is_not_a_read_of_the_memory,
    list_covers_exactly_the_subtree,
    list_has_pages,
    reason_is_scrubbed_in_the_audit_log,
);

fn at(workspace: Uuid, memory: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/memories/{memory}{rest}")
}

async fn redact(app: &TestApp, author: Uuid, memory: Uuid, reason: &str) {
    app.admin().post(&at(author, memory, "/redact"), json!({"reason": reason})).await.expect(200);
}

/// The status and the body without the id of the request.
async fn read(caller: &Caller, workspace: Uuid, memory: Uuid) -> (u16, Value) {
    let response = caller.get(&at(workspace, memory, "")).await;
    let mut body = response.json();
    body.as_object_mut().expect("an object").remove("request_id");
    (response.status, body)
}

async fn list(caller: &Caller, workspace: Uuid) -> Vec<Value> {
    caller.get(&format!("/workspaces/{workspace}/memories/redactions")).await.expect(200).items()
}

async fn readers_of_redacted_memory_get_a_tombstone(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\nother").await;
    let [dev, bot, peer, ops, other] = ["dev", "bot", "peer", "ops", "other"].map(|name| org.id(name));
    let id = app.agent(bot).commit(bot, "TEAM", "the violin is broken").await;
    let absent = Uuid::from_u128(404);
    redact(&app, bot, id, "asked for").await;
    for reader in [bot, peer, dev] {
        let (status, body) = read(&app.agent(reader), reader, id).await;
        assert_eq!(status, 200);
        assert_eq!(
            (&body["id"], &body["content"], &body["is_redacted"]),
            (&json!(id), &json!("[redacted]"), &json!(true))
        );
        assert!(body["redacted_at"].is_string(), "{body}");
        assert!(!body.to_string().contains("asked for"), "{body}");
        assert_eq!(app.agent(reader).search(reader, &[]).await.ids(), Vec::<Uuid>::new());
        assert_eq!(app.agent(reader).search(reader, &[("q", "redacted")]).await.ids(), Vec::<Uuid>::new());
        app.agent(reader).get(&at(reader, id, "/history")).await.refused(404, "not_found");
    }
    for reader in [ops, other] {
        let agent = app.agent(reader);
        assert_eq!(read(&agent, reader, id).await, read(&agent, reader, absent).await);
        assert_eq!(read(&agent, reader, id).await.0, 404);
    }
}

async fn tombstone_follows_the_tree(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\n    guard").await;
    let [bot, peer, ops, guard] = ["bot", "peer", "ops", "guard"].map(|name| org.id(name));
    let id = app.agent(bot).commit(bot, "TEAM", "the violin is broken").await;
    redact(&app, bot, id, "asked for").await;
    app.admin().move_workspace(bot, ops).await;
    assert_eq!(read(&app.agent(peer), peer, id).await.0, 404);
    assert_eq!(read(&app.agent(guard), guard, id).await.0, 200);
    assert_eq!(read(&app.agent(bot), bot, id).await.0, 200);
    app.admin().delete(&format!("/workspaces/{bot}")).await.expect(200);
    assert_eq!(read(&app.agent(guard), guard, id).await.0, 404);
}

async fn memory_without_readers_leaves_no_tombstone(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let expired = json!({"content": "for a minute", "scope": "LOCAL", "ttl_seconds": 60});
    let expired = agent.commit_with(bot, expired).await;
    let superseded = agent.commit(bot, "LOCAL", "the first").await;
    agent.commit_with(bot, json!({"content": "the second", "scope": "LOCAL", "supersedes": superseded})).await;
    let deleted = agent.commit(bot, "LOCAL", "deleted").await;
    agent.delete(&at(bot, deleted, "")).await.expect(200);
    app.advance(chrono::TimeDelta::seconds(60));
    for memory in [expired, superseded] {
        redact(&app, bot, memory, "asked for").await;
    }
    let absent = read(&agent, bot, Uuid::from_u128(404)).await;
    for memory in [expired, superseded, deleted] {
        assert_eq!(read(&agent, bot, memory).await, absent);
    }
}

async fn profile_withholds_tombstones(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer\n  hermit").await;
    let [bot, peer, hermit] = ["bot", "peer", "hermit"].map(|name| org.id(name));
    let memory = json!({"content": "the violin is broken", "scope": "TEAM", "kind": "trace"});
    let id = app.agent(bot).commit_with(bot, memory).await;
    let set = async |workspace: Uuid, mut profile: Value| {
        profile["name"] = json!("strict");
        profile["is_default"] = json!(true);
        app.admin().post(&format!("/workspaces/{workspace}/profiles"), profile).await.expect(201);
    };
    set(peer, json!({"excluded_kinds": ["trace"]})).await;
    set(hermit, json!({"isolation": "isolated"})).await;
    redact(&app, bot, id, "asked for").await;
    assert_eq!(read(&app.agent(bot), bot, id).await.0, 200);
    for reader in [peer, hermit] {
        let agent = app.agent(reader);
        assert_eq!(read(&agent, reader, id).await, read(&agent, reader, Uuid::from_u128(404)).await);
    }
}

async fn tombstone_read_is_not_a_read_of_the_memory(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let id = app.agent(bot).commit(bot, "LOCAL", "the violin is broken").await;
    redact(&app, bot, id, "asked for").await;
    assert_eq!(read(&app.agent(bot), bot, id).await.0, 200);
    let again = app.admin().post(&at(bot, id, "/redact"), json!({"reason": "again"})).await.expect(200).json();
    assert_eq!((&again["already"], &again["readers"]), (&json!(true), &json!([])));
}

async fn list_covers_exactly_the_subtree(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops\nother").await;
    let [acme, dev, bot, ops, other] = ["acme", "dev", "bot", "ops", "other"].map(|name| org.id(name));
    let mut redacted = Vec::new();
    for author in [dev, bot, ops, other] {
        let id = app.agent(author).commit(author, "TEAM", "the violin is broken").await;
        app.advance(chrono::TimeDelta::seconds(1));
        redact(&app, author, id, &format!("of {author}")).await;
        redacted.push(id);
    }
    let ids = |rows: &[Value]| rows.iter().map(|row| id_of(row, "memory_id")).collect::<Vec<_>>();
    assert_eq!(ids(&list(&app.viewer(dev), dev).await), [redacted[1], redacted[0]]);
    assert_eq!(ids(&list(&app.operator(acme), bot).await), [redacted[1]]);
    assert_eq!(ids(&list(&app.operator(acme), acme).await), [redacted[2], redacted[1], redacted[0]]);
    assert_eq!(ids(&list(&app.admin(), other).await), [redacted[3]]);
    let row = &list(&app.viewer(bot), bot).await[0];
    let by = row["redacted_by"].as_str().expect("a subject");
    assert!(!by.is_empty());
    assert_eq!((&row["reason"], &row["workspace_id"]), (&json!(format!("of {bot}")), &json!(bot)));
    assert_eq!(row["scope"], "TEAM");
    assert!(row["workspace_name"].is_string(), "{row}");
    assert!(!row.to_string().contains("violin"), "{row}");
    // a removed workspace remains in the list of its former parents
    app.admin().delete(&format!("/workspaces/{bot}")).await.expect(200);
    assert_eq!(ids(&list(&app.viewer(dev), dev).await), [redacted[1], redacted[0]]);
    let path = |workspace: Uuid| format!("/workspaces/{workspace}/memories/redactions");
    app.agent(dev).get(&path(dev)).await.refused(403, "forbidden");
    app.viewer(dev).get(&path(ops)).await.refused(403, "forbidden");
    app.viewer(dev).get(&path(other)).await.refused(404, "not_found");
}

async fn list_has_pages(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  ops").await;
    let [bot, ops] = ["bot", "ops"].map(|name| org.id(name));
    let mut redacted = Vec::new();
    for number in 0..5 {
        // all at the same time, so that the id decides
        for author in [bot, ops] {
            let id = app.agent(author).commit(author, "LOCAL", &format!("violin {number}")).await;
            redact(&app, author, id, "asked for").await;
            redacted.extend((author == bot).then_some(id));
        }
    }
    redacted.reverse();
    let (rows, _) = app.viewer(bot).all_pages(&format!("/workspaces/{bot}/memories/redactions?limit=2")).await;
    assert_eq!(rows.iter().map(|row| id_of(row, "memory_id")).collect::<Vec<_>>(), redacted);
}

async fn reason_is_scrubbed_in_the_audit_log(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let id = app.agent(bot).commit(bot, "LOCAL", "the violin is broken").await;
    redact(&app, bot, id, "it had the key ghp_0123456789abcdefghijklmnopqrstuvwxyzAB in it").await;
    let path = format!("/workspaces/{bot}/access-log?action=redact_memory");
    let rows = app.admin().get(&path).await.expect(200).items();
    let reason = rows[0]["context"]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("it had the key [REDACTED:") && !reason.contains("ghp_"), "{reason}");
    assert_eq!(list(&app.admin(), bot).await[0]["reason"], json!(reason));
}
