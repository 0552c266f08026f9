//! The tools that work by namespace.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

use super::use_tool;

for_each_store!(
    summary_expires_in_thirty_days_by_default,
    memory_is_forgotten_only_in_its_namespace,
    refusal_names_the_writable_namespaces,
);

async fn summary_expires_in_thirty_days_by_default(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (dev, bot) = (org.id("dev"), org.id("bot"));
    let agent = app.agent(bot);
    let committed =
        use_tool(&agent, "commit_summary", json!({"content": "the kiln was lit", "namespace": format!("team:{dev}")}))
            .await;
    let id = committed["structuredContent"]["id"].as_str().expect("an id").to_owned();
    let memory = agent.get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(200).json();
    assert_eq!((&memory["kind"], &memory["scope"], &memory["team"]), (&json!("summary"), &json!("TEAM"), &json!(dev)));
    let expires_at: DateTime<Utc> = memory["expires_at"].as_str().expect("a time").parse().expect("RFC 3339");
    assert_eq!(expires_at, app.now() + TimeDelta::days(30));
    let text = committed["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with(&format!("{id} team:{dev} expires_at=")) && text.ends_with(" committed"), "{text}");
    let end = app.now() + TimeDelta::days(2);
    let sooner = use_tool(&agent, "commit_summary", json!({"content": "the kiln is cold", "expires_at": end})).await;
    let sooner = sooner["structuredContent"]["expires_at"].as_str().expect("a time").parse::<DateTime<Utc>>();
    assert_eq!(sooner.expect("RFC 3339").timestamp(), end.timestamp());
}

async fn memory_is_forgotten_only_in_its_namespace(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (dev, bot) = (org.id("dev"), org.id("bot"));
    let agent = app.agent(bot);
    let (own, team) = (format!("workspace:{bot}"), format!("team:{dev}"));
    for (namespace, others) in
        [(own.as_str(), [team.as_str(), "custom:notes", "notes"]), (&team, [&own, "custom:general", "notes"])]
    {
        let filed = use_tool(&agent, "commit_memory_v2", json!({"content": "kiln", "namespace": namespace})).await;
        let id = &filed["structuredContent"]["id"];
        for other in others {
            let refused = use_tool(&agent, "forget_memory", json!({"memory_id": id, "namespace": other})).await;
            assert_eq!(refused["isError"], true, "{namespace} {other}");
        }
        let forgotten = use_tool(&agent, "forget_memory", json!({"memory_id": id, "namespace": namespace})).await;
        assert_eq!(forgotten["structuredContent"], json!({"status": "deleted"}), "{forgotten}");
    }
}

async fn refusal_names_the_writable_namespaces(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let sent = json!({"content": "kiln", "namespace": format!("org:{acme}")});
    let refused = use_tool(&app.agent(bot), "commit_memory_v2", sent).await;
    assert_eq!(refused["isError"], true);
    let listed = use_tool(&app.agent(bot), "list_writable_namespaces", json!({})).await;
    let text = refused["content"][0]["text"].as_str().expect("a text");
    for namespace in listed["structuredContent"]["namespaces"].as_array().expect("a list") {
        assert!(text.contains(namespace["name"].as_str().expect("a name")), "{text}");
    }
}
