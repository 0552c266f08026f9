//! Titles of memories.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

for_each_store!(title_is_searchable_editable_and_versioned);

async fn title_is_searchable_editable_and_versioned(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let found = async |query: &[(&str, &str)]| agent.search(bot, query).await.ids();
    let memory = |title: &str| json!({"content": "use exponential backoff", "title": title, "scope": "TEAM"});
    let id = agent.commit_with(bot, memory("Rate limits of the gateway")).await;
    let other = agent.commit_with(bot, memory("Deployments")).await;
    assert_eq!(found(&[("q", "gateway")]).await, [id]);
    assert_eq!(found(&[("q", "backoff"), ("order", "recent")]).await, [other, id]);
    let path = format!("/workspaces/{bot}/memories/{id}");
    agent.patch(&path, json!({"title": "Limits of the proxy"})).await.expect(200);
    assert!(found(&[("q", "gateway")]).await.is_empty());
    assert_eq!(found(&[("q", "proxy")]).await, [id]);
    agent.patch(&path, json!({"content": "use a token bucket"})).await.expect(200);
    assert_eq!(found(&[("q", "proxy bucket")]).await, [id]);
    agent.patch(&path, json!({"title": null})).await.expect(200);
    assert!(found(&[("q", "proxy")]).await.is_empty());
    assert_eq!(agent.get(&path).await.expect(200).json().get("title"), None);
    let history = agent.get(&format!("{path}/history")).await.expect(200).items();
    let titles: Vec<_> = history.iter().map(|version| version["title"].as_str()).collect();
    let expected = [None, Some("Limits of the proxy"), Some("Limits of the proxy"), Some("Rate limits of the gateway")];
    assert_eq!(titles, expected);
    agent.post(&format!("{path}/restore"), json!({"version": 1})).await.expect(200);
    assert_eq!(found(&[("q", "gateway backoff")]).await[0], id);
}
