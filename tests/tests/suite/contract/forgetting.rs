//! Deletion of memories.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;
use uuid::Uuid;

for_each_store!(
    deleted_memory_is_in_no_response_and_table,
    only_author_or_its_operator_deletes,
    conditional_deletion_requires_the_version,
);

async fn deleted_memory_is_in_no_response_and_table(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let memory = json!({
        "content": "quetzalcoatlus nests here", "title": "eudimorphodon", "scope": "TEAM", "tags": ["archaeopteryx"],
        "subject": "dimetrodon",
    });
    let id = agent.commit_with(bot, memory).await;
    let path = format!("/workspaces/{bot}/memories/{id}");
    assert_eq!(agent.delete(&path).await.expect(200).json(), json!({"status": "deleted"}));
    agent.get(&path).await.refused(404, "not_found");
    agent.delete(&path).await.refused(404, "not_found");
    for (reader, query) in [(bot, "q=quetzalcoatlus"), (peer, "q=nests"), (bot, ""), (peer, "tag=archaeopteryx")] {
        let found = app.agent(reader).get(&format!("/workspaces/{reader}/memories?{query}")).await.expect(200);
        assert_eq!(found.ids(), Vec::<Uuid>::new(), "{query}");
    }
    let found = agent.get(&format!("/workspaces/{bot}/session-search?q=quetzalcoatlus")).await.expect(200);
    assert_eq!(found.json(), json!([]));
    let row = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json();
    assert_eq!(row["memories"]["team"], 0);
    let rows = app.dump().join("\n").to_lowercase();
    for text in ["quetzal", "eudimorphodon", "archaeopteryx", "dimetrodon"] {
        assert!(!rows.contains(text), "`{text}` is still in the tables");
        assert!(!rows.contains(&hex(text)), "`{text}` is still in the tables, as bytes");
    }
}

/// Hex, as both databases display bytes.
fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

async fn only_author_or_its_operator_deletes(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let (dev, bot, peer) = (org.id("dev"), org.id("bot"), org.id("peer"));
    let commit = async || app.agent(bot).commit(bot, "TEAM", "shared").await;
    let at = |workspace: Uuid, id: Uuid| format!("/workspaces/{workspace}/memories/{id}");
    let id = commit().await;
    app.agent(peer).delete(&at(peer, id)).await.refused(404, "not_found");
    app.agent(dev).delete(&at(dev, id)).await.refused(404, "not_found");
    app.operator(peer).delete(&at(peer, id)).await.refused(404, "not_found");
    app.viewer(dev).delete(&at(bot, id)).await.refused(403, "forbidden");
    app.agent(bot).get(&at(bot, id)).await.expect(200);
    app.operator(dev).delete(&at(dev, id)).await.expect(200);
    let id = commit().await;
    app.operator(dev).delete(&at(bot, id)).await.expect(200);
    let id = commit().await;
    app.admin().delete(&at(peer, id)).await.expect(200);
    let id = commit().await;
    app.agent(bot).delete(&at(bot, id)).await.expect(200);
}

async fn conditional_deletion_requires_the_version(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let id = agent.commit(bot, "LOCAL", "the first words").await;
    let path = format!("/workspaces/{bot}/memories/{id}");
    agent.patch(&path, json!({"content": "other words"})).await.expect(200);
    let before = app.dump();
    let on_version = |tag: &str| agent.request("DELETE", &path).header("if-match", tag).send();
    let refused = on_version("\"1\"").await;
    refused.refused(409, "version_conflict");
    assert_eq!((&refused.json()["expected_version"], &refused.json()["current_version"]), (&json!(1), &json!(2)));
    on_version("\"0\"").await.refused(409, "version_conflict");
    for bad in ["*", "two", "W/\"2\"", "\"-1\""] {
        on_version(bad).await.refused(400, "invalid_field");
    }
    assert_eq!(app.dump(), before);
    on_version("\"2\"").await.expect(200);
    on_version("\"2\"").await.refused(404, "not_found");
    // a superseded memory can be deleted too
    let old = agent.commit(bot, "LOCAL", "the old way").await;
    agent.commit_with(bot, json!({"content": "the new way", "scope": "LOCAL", "supersedes": old})).await;
    let path = format!("/workspaces/{bot}/memories/{old}");
    agent.request("DELETE", &path).header("if-match", "\"7\"").send().await.refused(409, "version_conflict");
    agent.delete(&path).await.expect(200);
}
