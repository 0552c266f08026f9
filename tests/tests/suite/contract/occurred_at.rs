//! Times that authors declare: `occurred_at` of memories, episodes and messages of turns.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    declared_time_decides_order_filters_and_dates_of_memories,
    declared_time_decides_order_and_filters_of_episodes,
    pending_memory_keeps_its_declared_time,
    messages_of_a_turn_have_their_times_in_their_order,
    time_in_the_future_or_before_1970_is_refused_everywhere,
);

const MAY: &str = "2025-05-09T18:00:00Z";
const JUNE: &str = "2025-06-01T08:00:00Z";

fn times(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["created_at"].as_str().expect("a time")).collect()
}

async fn declared_time_decides_order_filters_and_dates_of_memories(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let today = agent.commit_with(bot, json!({"content": "the harbour is open", "scope": "LOCAL"})).await;
    let june =
        agent.commit_with(bot, json!({"content": "the harbour reopened", "scope": "LOCAL", "occurred_at": JUNE})).await;
    let path = format!("/workspaces/{bot}/memories");
    let batch = json!({"memories": [{"content": "a storm closed the harbour", "scope": "LOCAL", "occurred_at": MAY}]});
    let batch = agent.post(&format!("{path}/batch"), batch).await.expect(200).json();
    let committed = &batch["items"][0]["committed"];
    assert_eq!(committed["created_at"], MAY, "{batch:?}");
    let may: uuid::Uuid = serde_json::from_value(committed["id"].clone()).expect("an id");
    let found = async |query: &[(&str, &str)]| agent.search(bot, query).await.ids();
    assert_eq!(found(&[]).await, [today, june, may]);
    assert_eq!(found(&[("q", "harbour"), ("order", "recent")]).await, [today, june, may]);
    assert_eq!(found(&[("until", "2025-06-01T00:00:00Z")]).await, [may]);
    assert_eq!(found(&[("since", "2025-05-10T00:00:00Z"), ("until", "2025-12-01T00:00:00Z")]).await, [june]);
    // no word of this question is in the memory
    assert_eq!(found(&[("q", "what happened on 9 May 2025?")]).await, [may]);
    let read = agent.get(&format!("{path}/{june}")).await.expect(200).json();
    assert_eq!(read["created_at"], JUNE);
    assert!(read["updated_at"].as_str() > read["created_at"].as_str(), "the write has its own time: {read}");
    // an edit and an upsert without the field leave it
    agent.patch(&format!("{path}/{june}"), json!({"content": "the harbour reopened at eight"})).await.expect(200);
    let upsert = json!({"id": may, "content": "a storm closed the old harbour", "scope": "LOCAL"});
    agent.commit_with(bot, upsert).await;
    assert_eq!(found(&[]).await, [today, june, may]);
    let upsert =
        json!({"id": may, "content": "a storm closed it", "scope": "LOCAL", "occurred_at": "2025-07-01T00:00:00Z"});
    agent.commit_with(bot, upsert).await;
    assert_eq!(found(&[]).await, [today, may, june]);
    // the age that a profile limits begins with the write
    let profile = json!({"name": "short", "retention": {"max_age_seconds": 3600}});
    let profile = app.admin().post(&format!("/workspaces/{bot}/profiles"), profile).await.expect(201).id("id");
    let aged = json!({"content": "old news", "scope": "LOCAL", "profile_id": profile, "occurred_at": MAY});
    let aged = agent.commit_with(bot, aged).await;
    assert_eq!(found(&[("q", "news")]).await, [aged]);
}

async fn declared_time_decides_order_and_filters_of_episodes(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let path = format!("/workspaces/{bot}/activity");
    let append = async |summary: &str, occurred_at: Option<&str>| {
        let mut episode = json!({"activity_type": "agent_log", "summary": summary, "subject": "ada", "session_id": summary,
            "channel": "chat", "actor": "ada", "correlation_id": summary, "kind": "support"});
        if let Some(at) = occurred_at {
            episode["occurred_at"] = json!(at);
        }
        agent.post(&path, episode).await.expect(201).json()
    };
    let now = append("The parcel is here.", None).await;
    let june = append("The parcel is late.", Some(JUNE)).await;
    let may = append("I ordered a parcel.", Some(MAY)).await;
    assert_eq!(may["created_at"], MAY);
    assert!(may["recorded_at"].as_str() >= now["created_at"].as_str(), "{may}");
    assert!(may.get("occurred_at").is_none() && now.get("recorded_at").is_none(), "{now}");
    let listed = agent.get(&format!("{path}?type=agent_log")).await.expect(200).items();
    assert_eq!(times(&listed), times(&[now.clone(), june.clone(), may.clone()]));
    assert_eq!(listed[2]["recorded_at"], may["recorded_at"]);
    let listed = agent.get(&format!("{path}?type=agent_log&until=2025-05-10T00:00:00Z")).await.expect(200).items();
    assert_eq!(times(&listed), times(std::slice::from_ref(&may)));
    let session = agent.get(&format!("/workspaces/{bot}/session-search?q=parcel")).await.expect(200).items();
    assert_eq!(session.iter().filter(|hit| hit["kind"] == "activity").count(), 3, "{session:?}");
    // pages go by it too: three exchanges, months apart
    app.admin().post(&format!("/workspaces/{bot}/pages/compact"), json!({})).await.expect(200);
    let pages = agent.get(&format!("/workspaces/{bot}/pages?subject=ada&tier=cold")).await.expect(200).items();
    let first: Vec<&str> = pages.iter().map(|page| page["first_at"].as_str().expect("a time")).collect();
    assert_eq!(first.len(), 2, "{pages:?}");
    assert!(first.iter().all(|at| at.starts_with("2025-0")), "{first:?}");
}

async fn pending_memory_keeps_its_declared_time(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let run = agent.post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201).json();
    let run = run["run_id"].as_str().expect("an id");
    let memory = json!({"content": "a storm", "scope": "LOCAL", "run_id": run, "occurred_at": MAY});
    let id = agent.commit_with(bot, memory).await;
    let finish = json!({"status": "completed"});
    agent.post(&format!("/workspaces/{bot}/runs/{run}/finish"), finish).await.expect(200);
    let read = agent.get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(200).json();
    assert_eq!(read["created_at"], MAY);
}

async fn messages_of_a_turn_have_their_times_in_their_order(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let messages: Vec<Value> = (0..8).map(|n| json!({"content": format!("message {n}"), "at": MAY})).collect();
    let turn = json!({"session_id": "s", "messages": messages});
    agent.post(&format!("/workspaces/{bot}/turns"), turn).await.expect(201);
    let listed = agent.get(&format!("/workspaces/{bot}/activity?type=message")).await.expect(200).items();
    let said: Vec<&str> = listed.iter().rev().map(|episode| episode["summary"].as_str().expect("a text")).collect();
    assert_eq!(said, (0..8).map(|n| format!("message {n}")).collect::<Vec<_>>());
    assert!(times(&listed).iter().all(|at| at.starts_with("2025-05-09T18:00:00")), "{listed:?}");
}

async fn time_in_the_future_or_before_1970_is_refused_everywhere(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for at in ["2999-01-01T00:00:00Z", "1969-12-31T23:59:59Z"] {
        let memory = json!({"content": "a storm", "scope": "LOCAL", "occurred_at": at});
        let refused = agent.post(&format!("/workspaces/{bot}/memories"), memory).await.expect(400).json().to_string();
        assert!(refused.contains("`occurred_at` must be a time from 1970 on that is not in the future"), "{refused}");
        let episode = json!({"activity_type": "agent_log", "occurred_at": at});
        let refused = agent.post(&format!("/workspaces/{bot}/activity"), episode).await.expect(400).json().to_string();
        assert!(refused.contains("`occurred_at` must be"), "{refused}");
        let turn = json!({"session_id": "s", "messages": [{"content": "hello", "at": at}]});
        let refused = agent.post(&format!("/workspaces/{bot}/turns"), turn).await.expect(400).json().to_string();
        assert!(refused.contains("`at` must be"), "{refused}");
    }
    assert!(agent.search(bot, &[]).await.ids().is_empty());
}
