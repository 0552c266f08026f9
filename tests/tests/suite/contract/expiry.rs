//! A memory with an end is absent from that instant, wherever one looks.

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

for_each_store!(an_expired_memory_is_absent_from_that_instant, an_end_may_be_an_instant_or_a_time_to_live);

async fn an_expired_memory_is_absent_from_that_instant(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    agent.commit(bot, "LOCAL", "the compass stays").await;
    let memory = json!({"content": "the compass goes", "scope": "LOCAL", "ttl_seconds": 60, "pin": true});
    let going = agent.commit_with(bot, memory).await;
    let seen = async || {
        let at = |rest: &str| format!("/workspaces/{bot}{rest}");
        let lists = [
            "/memories?q=compass",
            "/memories",
            "/session-search?kind=memory",
            "/session-search?kind=memory&q=compass",
        ];
        let mut seen = Vec::new();
        for list in lists {
            seen.push(app.agent(bot).get(&at(list)).await.expect(200).ids().contains(&going));
        }
        seen.push(app.agent(bot).get(&at(&format!("/memories/{going}"))).await.status == 200);
        let row = app.admin().get(&at("")).await.expect(200).json();
        seen.push(row["memories"]["local"] == 2);
        let tree = app.admin().get(&at("/tree")).await.expect(200).json();
        seen.push(tree["memories"]["local"] == 2);
        let stats = app.admin().get("/admin/stats").await.expect(200).json();
        seen.push(stats["memories"]["local"] == 2);
        let orgs = app.admin().get("/admin/tree").await.expect(200).json();
        seen.push(orgs["orgs"][0]["memories"]["local"] == 2);
        seen
    };
    app.advance(TimeDelta::microseconds(59_999_999));
    assert_eq!(seen().await, [true; 9]);
    app.advance(TimeDelta::microseconds(1));
    assert_eq!(seen().await, [false; 9]);
}

async fn an_end_may_be_an_instant_or_a_time_to_live(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let path = format!("/workspaces/{bot}/memories");
    let end = app.now() + TimeDelta::seconds(90);
    for end_of in [json!({"ttl_seconds": 90}), json!({"expires_at": end}), json!({"expires_at": end.to_rfc3339()})] {
        let mut memory = json!({"content": "x", "scope": "LOCAL"});
        memory.as_object_mut().expect("an object").extend(end_of.as_object().expect("an object").clone());
        let committed = app.agent(bot).post(&path, memory).await.expect(201).json();
        let told: chrono::DateTime<chrono::Utc> =
            committed["expires_at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
        assert_eq!(told, end);
    }
}
