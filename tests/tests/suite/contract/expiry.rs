//! An expired memory is absent from every response.

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

for_each_store!(
    expired_memory_is_absent_from_its_expiry,
    expiry_accepts_an_instant_or_a_ttl,
    why_names_the_rule_of_the_expiry,
);

async fn expired_memory_is_absent_from_its_expiry(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    agent.commit(bot, "LOCAL", "the compass stays").await;
    let memory = json!({"content": "the compass goes", "scope": "LOCAL", "ttl_seconds": 60, "pin": true});
    let going = agent.commit_with(bot, memory).await;
    let visible = async || {
        let at = |rest: &str| format!("/workspaces/{bot}{rest}");
        let lists = [
            "/memories?q=compass",
            "/memories",
            "/session-search?kind=memory",
            "/session-search?kind=memory&q=compass",
        ];
        let mut visible = Vec::new();
        for list in lists {
            visible.push(app.agent(bot).get(&at(list)).await.expect(200).ids().contains(&going));
        }
        visible.push(app.agent(bot).get(&at(&format!("/memories/{going}"))).await.status == 200);
        let row = app.admin().get(&at("")).await.expect(200).json();
        visible.push(row["memories"]["local"] == 2);
        let tree = app.admin().get(&at("/tree")).await.expect(200).json();
        visible.push(tree["memories"]["local"] == 2);
        let stats = app.admin().get("/admin/stats").await.expect(200).json();
        visible.push(stats["memories"]["local"] == 2);
        let orgs = app.admin().get("/admin/tree").await.expect(200).json();
        visible.push(orgs["orgs"][0]["memories"]["local"] == 2);
        visible
    };
    app.advance(TimeDelta::microseconds(59_999_999));
    assert_eq!(visible().await, [true; 9]);
    app.advance(TimeDelta::microseconds(1));
    assert_eq!(visible().await, [false; 9]);
}

async fn expiry_accepts_an_instant_or_a_ttl(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let path = format!("/workspaces/{bot}/memories");
    let end = app.now() + TimeDelta::seconds(90);
    for end_of in [json!({"ttl_seconds": 90}), json!({"expires_at": end}), json!({"expires_at": end.to_rfc3339()})] {
        let mut memory = json!({"content": "x", "scope": "LOCAL"});
        memory.as_object_mut().expect("an object").extend(end_of.as_object().expect("an object").clone());
        let committed = app.agent(bot).post(&path, memory).await.expect(201).json();
        let expires_at: chrono::DateTime<chrono::Utc> =
            committed["expires_at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
        assert_eq!(expires_at, end);
    }
}

async fn why_names_the_rule_of_the_expiry(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let (agent, admin) = (app.agent(bot), app.admin());
    let profile = json!({"name": "short", "is_default": true, "retention": {"max_age_seconds": 60}});
    admin.post(&format!("/workspaces/{bot}/profiles"), profile).await.expect(201);
    let aged = agent.commit(bot, "LOCAL", "as long as the profile says").await;
    let memory = json!({"content": "as long as the writer says", "scope": "LOCAL", "ttl_seconds": 30});
    let own = agent.commit_with(bot, memory).await;
    app.advance(TimeDelta::seconds(60));
    for (memory, rule) in [(aged, "retention.max_age_seconds"), (own, "expires_at")] {
        let why = agent.get(&format!("/workspaces/{bot}/memories/{memory}/why")).await.expect(200).json();
        assert_eq!((&why["cause"], &why["rule"]), (&json!("expired"), &json!(rule)), "{why}");
    }
}
