//! Lists of the values of a member of metadata.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    values_are_listed_in_order_with_counts_of_readable_memories,
    lists_are_cut_to_a_depth_and_selected_by_their_beginning_and_end,
    pages_of_values_cover_them_once,
    list_of_values_names_one_memory_of_each_in_the_access_log,
    invalid_list_of_values_is_refused,
);

async fn values(caller: &Caller, workspace: Uuid, query: &[(&str, &str)]) -> Vec<(Value, u64)> {
    let rows = caller.get_with(&format!("/workspaces/{workspace}/memories/values"), query).await.items();
    rows.iter().map(|row| (row["value"].clone(), row["count"].as_u64().expect("a number"))).collect()
}

fn memory(scope: &str, metadata: Value) -> Value {
    json!({"content": "a note", "scope": scope, "metadata": metadata})
}

async fn values_are_listed_in_order_with_counts_of_readable_memories(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let (agent, other) = (app.agent(bot), app.agent(peer));
    for (scope, tier) in
        [("LOCAL", json!("gold")), ("LOCAL", json!(2)), ("TEAM", json!("gold")), ("LOCAL", Value::Null)]
    {
        agent.commit_with(bot, memory(scope, json!({"tier": tier}))).await;
    }
    agent.commit_with(bot, json!({"content": "without", "scope": "LOCAL"})).await;
    other.commit_with(peer, memory("TEAM", json!({"tier": "amber"}))).await;
    other.commit_with(peer, memory("LOCAL", json!({"tier": "secret"}))).await;
    let gone = agent.commit_with(bot, memory("LOCAL", json!({"tier": "gone"}))).await;
    agent.delete(&format!("/workspaces/{bot}/memories/{gone}")).await.expect(200);
    let all = [(json!(2), 1), (json!("amber"), 1), (json!("gold"), 2)];
    assert_eq!(values(&agent, bot, &[("member", "tier")]).await, all);
    assert_eq!(
        values(&agent, bot, &[("member", "tier"), ("scope", "TEAM")]).await,
        [all[1].clone(), (json!("gold"), 1)]
    );
    let of_peer = [("member", "tier"), ("author", &peer.to_string())];
    assert_eq!(values(&agent, bot, &of_peer).await, [all[1].clone()]);
    assert_eq!(
        values(&agent, bot, &[("member", "tier"), ("metadata", r#"{"tier": {"$gte": 0}}"#)]).await,
        [all[0].clone()]
    );
    assert_eq!(values(&agent, bot, &[("member", "absent")]).await, []);
    other.get(&format!("/workspaces/{bot}/memories/values?member=tier")).await.refused(403, "forbidden");
}

async fn lists_are_cut_to_a_depth_and_selected_by_their_beginning_and_end(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for path in [json!(["a", "b", "c"]), json!(["a", "b", "d"]), json!(["a", "c"]), json!(["z"]), json!("text")] {
        agent.commit_with(bot, memory("LOCAL", json!({"path": path}))).await;
    }
    let listed = async |query: &[(&str, &str)]| values(&agent, bot, &[&[("member", "path")], query].concat()).await;
    assert_eq!(
        listed(&[("depth", "2")]).await,
        [(json!("text"), 1), (json!(["a", "b"]), 2), (json!(["a", "c"]), 1), (json!(["z"]), 1)]
    );
    let starts = json!({"path": {"$starts": ["a", {"$and": []}], "$ends": ["c"]}}).to_string();
    assert_eq!(listed(&[("metadata", &starts)]).await, [(json!(["a", "b", "c"]), 1), (json!(["a", "c"]), 1)]);
    assert_eq!(listed(&[("metadata", &starts), ("depth", "1")]).await, [(json!(["a"]), 2)]);
}

async fn pages_of_values_cover_them_once(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let memories: Vec<Value> = (0..250).map(|n| memory("LOCAL", json!({"n": [n % 125, "x"]}))).collect();
    agent.post(&format!("/workspaces/{bot}/memories/batch"), json!({"memories": memories})).await.expect(200);
    let first = agent.get(&format!("/workspaces/{bot}/memories/values?member=n")).await;
    assert_eq!(first.items().len(), 100);
    // a value before the cursor does not move the next page
    agent.commit_with(bot, memory("LOCAL", json!({"n": -1}))).await;
    let rest = agent.get(&first.next().expect("another page")).await;
    assert_eq!(rest.next(), None);
    let found: Vec<Value> = [first.items(), rest.items()].concat();
    let expected: Vec<Value> = (0..125).map(|n| json!({"value": [n, "x"], "count": 2})).collect();
    assert_eq!(found, expected);
}

async fn list_of_values_names_one_memory_of_each_in_the_access_log(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let mut ids = Vec::new();
    for tier in [1, 2, 2] {
        ids.push(agent.commit_with(bot, memory("LOCAL", json!({"tier": tier}))).await);
    }
    values(&agent, bot, &[("member", "tier")]).await;
    let log = format!("/workspaces/{bot}/access-log?action=list_values");
    let [row] = &app.admin().get(&log).await.expect(200).items()[..] else { panic!("not one row") };
    let named: Vec<Value> =
        row["memories"].as_array().into_iter().flatten().map(|memory| memory["id"].clone()).collect();
    assert_eq!(named, [json!(ids[0]), json!(ids[2])]);
    assert_eq!((&row["context"]["member"], &row["context"]["memories"]), (&json!("tier"), &json!(3)));
}

async fn invalid_list_of_values_is_refused(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let at = |query: &str| format!("/workspaces/{bot}/memories/values?{query}");
    for (query, field) in [("", "member"), ("member=", "member"), ("member=a&depth=0", "depth")] {
        let problem = app.agent(bot).get(&at(query)).await.refused(400, "invalid_field");
        assert_eq!(problem["field"], field, "{query}");
    }
    app.agent(bot).get(&at("member=a&cursor=x")).await.refused(400, "invalid_cursor");
}
