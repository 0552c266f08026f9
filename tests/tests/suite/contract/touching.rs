//! Touching memories: another end of life without a new version.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    touched_memory_lives_on_in_the_same_version,
    touch_omits_what_the_workspace_cannot_change,
    touch_does_not_outlast_the_maximum_age_of_the_profile,
    page_of_an_earlier_search_contains_touched_memories,
    invalid_touch_is_refused,
);

struct Fixture {
    app: TestApp,
    bot: Uuid,
    peer: Uuid,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  dev\n    bot\n    peer").await;
        let (bot, peer) = (org.id("bot"), org.id("peer"));
        Self { app, bot, peer }
    }

    async fn commit(&self, author: Uuid, ttl_seconds: u64) -> Uuid {
        let memory = json!({"content": "a cached answer", "scope": "TEAM", "ttl_seconds": ttl_seconds});
        self.app.agent(author).commit_with(author, memory).await
    }

    async fn touch(&self, memories: Value) -> Response {
        let path = format!("/workspaces/{}/memories/touch", self.bot);
        self.app.agent(self.bot).post(&path, json!({"memories": memories})).await
    }

    async fn touched(&self, memories: Value) -> Vec<(Uuid, DateTime<Utc>)> {
        let touched = self.touch(memories).await.expect(200).json();
        let row = |row: &Value| {
            let end = row["expires_at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
            (row["id"].as_str().and_then(|id| id.parse().ok()).expect("an id"), end)
        };
        touched["memories"].as_array().into_iter().flatten().map(row).collect()
    }

    fn path(&self, id: Uuid) -> String {
        format!("/workspaces/{}/memories/{id}", self.bot)
    }
}

async fn touched_memory_lives_on_in_the_same_version(on: On) {
    let fixture = Fixture::new(on).await;
    let (app, bot) = (&fixture.app, fixture.bot);
    let agent = app.agent(bot);
    let id = fixture.commit(bot, 60).await;
    let other = fixture.commit(bot, 60).await;
    let before = agent.get(&fixture.path(id)).await.expect(200);
    app.advance(TimeDelta::seconds(50));
    let end = app.now() + TimeDelta::seconds(60);
    assert_eq!(fixture.touched(json!([{"id": id, "ttl_seconds": 60, "version": 1}])).await, [(id, end)]);
    let after = agent.get(&fixture.path(id)).await.expect(200);
    assert_eq!(before.header("etag"), after.header("etag"));
    let mut expected = before.json();
    expected["expires_at"] = after.json()["expires_at"].clone();
    assert_ne!(expected, before.json());
    assert_eq!(after.json(), expected);
    app.advance(TimeDelta::seconds(20));
    let found = agent.search(bot, &[("q", "cached answer")]).await.ids();
    assert_eq!(found, [id], "{other} has expired");
    assert_eq!(app.agent(fixture.peer).search(fixture.peer, &[]).await.ids(), [id]);
    let history = agent.get(&format!("{}/history", fixture.path(id))).await.items();
    assert_eq!(history.len(), 1);
    let count = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json();
    assert_eq!(count["memories"]["team"], 1);
    // one row for the call, and no event
    let log = app.admin().get(&format!("/workspaces/{bot}/access-log?action=touch_memories")).await.items();
    assert_eq!(log.len(), 1);
    assert_eq!(log[0]["memories"], json!([{"id": id, "version": 1}]));
    let edit = agent.request("PATCH", &fixture.path(id)).header("if-match", "\"1\"").json(json!({"content": "new"}));
    assert_eq!(edit.send().await.expect(200).json()["version"], 2);
    app.advance(TimeDelta::seconds(40));
    agent.get(&fixture.path(id)).await.refused(404, "not_found");
}

async fn touch_omits_what_the_workspace_cannot_change(on: On) {
    let fixture = Fixture::new(on).await;
    let own = fixture.commit(fixture.bot, 60).await;
    let others = fixture.commit(fixture.peer, 60).await;
    let changed = fixture.commit(fixture.bot, 60).await;
    let expired = fixture.commit(fixture.bot, 5).await;
    let endless = fixture.app.agent(fixture.bot).commit(fixture.bot, "LOCAL", "for ever").await;
    fixture.app.agent(fixture.bot).patch(&fixture.path(changed), json!({"content": "newer"})).await.expect(200);
    fixture.app.advance(TimeDelta::seconds(10));
    let touch = |id: Uuid| json!({"id": id, "ttl_seconds": 3600, "version": 1});
    let all: Vec<Value> = [own, others, changed, expired, endless, Uuid::from_u128(7)].map(touch).into();
    let end = fixture.app.now() + TimeDelta::hours(1);
    assert_eq!(fixture.touched(json!(all)).await, [(own, end), (endless, end)]);
    fixture.app.agent(fixture.bot).get(&fixture.path(expired)).await.refused(404, "not_found");
    let ends = async |id| fixture.app.agent(fixture.bot).get(&fixture.path(id)).await.json()["expires_at"].clone();
    assert_ne!(ends(others).await, ends(own).await);
    let path = format!("/workspaces/{}/memories/touch", fixture.bot);
    let body = json!({"memories": [touch(own)]});
    fixture.app.agent(fixture.peer).post(&path, body.clone()).await.refused(403, "forbidden");
    fixture.app.viewer(fixture.bot).post(&path, body).await.refused(403, "forbidden");
}

async fn touch_does_not_outlast_the_maximum_age_of_the_profile(on: On) {
    let fixture = Fixture::new(on).await;
    let profile = json!({"name": "short", "is_default": true, "retention": {"max_age_seconds": 100}});
    let path = format!("/workspaces/{}/profiles", fixture.bot);
    fixture.app.operator(fixture.bot).post(&path, profile).await.expect(201);
    let start = fixture.app.now();
    let id = fixture.commit(fixture.bot, 50).await;
    fixture.app.advance(TimeDelta::seconds(30));
    let touched = fixture.touched(json!([{"id": id, "ttl_seconds": 90}])).await;
    assert_eq!(touched, [(id, start + TimeDelta::seconds(100))]);
}

async fn page_of_an_earlier_search_contains_touched_memories(on: On) {
    let fixture = Fixture::new(on).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(fixture.commit(fixture.bot, 60).await);
    }
    ids.reverse();
    let agent = fixture.app.agent(fixture.bot);
    let first = agent.search(fixture.bot, &[("limit", "2")]).await;
    // twice, in one search's view of the index
    for ttl in [90, 120] {
        let touches: Vec<Value> = ids.iter().map(|id| json!({"id": id, "ttl_seconds": ttl})).collect();
        fixture.touched(json!(touches)).await;
    }
    let second = agent.get(&first.next().expect("another page")).await;
    assert_eq!([first.ids(), second.ids()].concat(), ids);
}

async fn invalid_touch_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let id = fixture.commit(fixture.bot, 60).await;
    for memories in [json!([]), json!([{"id": id, "ttl_seconds": 0}]), json!([{"id": id, "ttl_seconds": 1e18}])] {
        let refused = fixture.touch(memories.clone()).await;
        assert_eq!(refused.status, 400, "{memories}: {}", refused.describe());
    }
    let many: Vec<Value> = (0..501).map(|n| json!({"id": Uuid::from_u128(n), "ttl_seconds": 1})).collect();
    fixture.touch(json!(many)).await.refused(400, "invalid_field");
}
