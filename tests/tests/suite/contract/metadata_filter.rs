//! Filters on metadata and on ids, which the index does not have.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    metadata_select_memories_in_lists_searches_and_counts,
    ids_select_only_readable_memories,
    pages_of_selected_memories_are_full,
    edited_and_forgotten_memories_are_selected_by_their_current_metadata,
    invalid_filter_is_refused_with_the_remedy,
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

    fn agent(&self) -> Caller {
        self.app.agent(self.bot)
    }

    async fn commit(&self, author: Uuid, scope: &str, content: &str, metadata: Value) -> Uuid {
        let memory = json!({"content": content, "scope": scope, "metadata": metadata});
        self.app.agent(author).commit_with(author, memory).await
    }

    async fn found(&self, query: &[(&str, &str)]) -> Vec<Uuid> {
        let items = self.agent().search(self.bot, query).await.items();
        items.iter().map(|item| item["id"].as_str().and_then(|id| id.parse().ok()).expect("an id")).collect()
    }

    async fn count(&self, query: &[(&str, &str)]) -> u64 {
        let path = format!("/workspaces/{}/memories/count", self.bot);
        self.agent().get_with(&path, query).await.expect(200).json()["count"].as_u64().expect("a number")
    }
}

async fn metadata_select_memories_in_lists_searches_and_counts(on: On) {
    let fixture = Fixture::new(on).await;
    let mut ids = Vec::new();
    for (author, scope, content, metadata) in [
        (fixture.bot, "LOCAL", "deploy the gateway", json!({"tier": 1, "owner": {"name": "ada"}})),
        (fixture.bot, "TEAM", "deploy the database", json!({"tier": 2, "owner": {"name": "bob"}})),
        (fixture.peer, "TEAM", "deploy the cache", json!({"tier": 3})),
        (fixture.peer, "LOCAL", "deploy in secret", json!({"tier": 3})),
        (fixture.bot, "LOCAL", "eat lunch", json!({"tier": "2.5"})),
        (fixture.bot, "LOCAL", "deploy without metadata", Value::Null),
    ] {
        ids.push(fixture.commit(author, scope, content, metadata).await);
    }
    for (filter, wanted) in [
        (json!({"tier": {"$gte": 2}}), &[4, 2, 1][..]),
        (json!({"tier": {"$gte": 2, "$lt": 3}}), &[4, 1]),
        (json!({"owner": {"name": "ada"}}), &[0]),
        (json!({"owner": null}), &[5, 4, 2]),
        (json!({"tier": 9}), &[]),
        (json!({}), &[5, 4, 2, 1, 0]),
    ] {
        let filter = filter.to_string();
        let wanted: Vec<Uuid> = wanted.iter().map(|&number| ids[number]).collect();
        let listed = fixture.found(&[("metadata", &filter)]).await;
        assert_eq!(listed, wanted, "{filter}");
        assert_eq!(fixture.count(&[("metadata", &filter)]).await, wanted.len() as u64, "{filter}");
        let matching: Vec<Uuid> = wanted.iter().copied().filter(|id| *id != ids[4]).collect();
        let query = [("metadata", filter.as_str()), ("q", "deploy"), ("order", "recent")];
        assert_eq!(fixture.found(&query).await, matching, "{filter}");
    }
    let tier = json!({"tier": {"$gte": 2}}).to_string();
    assert_eq!(fixture.found(&[("metadata", &tier), ("scope", "TEAM")]).await, [ids[2], ids[1]]);
    assert_eq!(fixture.found(&[("metadata", &tier), ("author", &fixture.peer.to_string())]).await, [ids[2]]);
    let named = format!("{},{}", ids[1], ids[0]);
    assert_eq!(fixture.found(&[("metadata", &tier), ("ids", &named)]).await, [ids[1]]);
    // a filter changes no score
    let scores = async |query: &[(&str, &str)]| {
        let found = fixture.agent().search(fixture.bot, query).await.items();
        found.into_iter().map(|item| (item["id"].clone(), item["score"].clone())).collect::<Vec<_>>()
    };
    let all = scores(&[("q", "deploy gateway")]).await;
    let some = scores(&[("q", "deploy gateway"), ("metadata", &tier)]).await;
    assert!(!some.is_empty() && some.iter().all(|one| all.contains(one)), "{some:?}");
}

async fn ids_select_only_readable_memories(on: On) {
    let fixture = Fixture::new(on).await;
    let own = fixture.commit(fixture.bot, "LOCAL", "one", Value::Null).await;
    let shared = fixture.commit(fixture.peer, "TEAM", "two", Value::Null).await;
    let hidden = fixture.commit(fixture.peer, "LOCAL", "three", Value::Null).await;
    let other = fixture.commit(fixture.bot, "LOCAL", "four", Value::Null).await;
    let named = format!("{hidden}, {shared},{own},{}", Uuid::from_u128(7));
    assert_eq!(fixture.found(&[("ids", &named)]).await, [shared, own]);
    assert_eq!(fixture.count(&[("ids", &named)]).await, 2);
    assert_eq!(fixture.found(&[("ids", &other.to_string()), ("q", "four")]).await, [other]);
    assert_eq!(fixture.found(&[("ids", &hidden.to_string())]).await, Vec::<Uuid>::new());
}

async fn pages_of_selected_memories_are_full(on: On) {
    let fixture = Fixture::new(on).await;
    let memories = (0..60).map(|n| json!({"content": format!("note {n}"), "scope": "LOCAL", "metadata": {"n": n}}));
    let batch = json!({"memories": memories.collect::<Vec<_>>()});
    fixture.agent().post(&format!("/workspaces/{}/memories/batch", fixture.bot), batch).await.expect(200);
    let filter = json!({"n": {"$lt": 25}}).to_string();
    let first = fixture.agent().search(fixture.bot, &[("metadata", &filter), ("limit", "20")]).await;
    assert_eq!(first.items().len(), 20);
    let next = first.next().expect("another page");
    assert_eq!(fixture.agent().get(&next).await.expect(200).items().len(), 5);
}

async fn edited_and_forgotten_memories_are_selected_by_their_current_metadata(on: On) {
    let fixture = Fixture::new(on).await;
    let id = fixture.commit(fixture.bot, "LOCAL", "a note", json!({"tier": 1})).await;
    let gone = fixture.commit(fixture.bot, "LOCAL", "another", json!({"tier": 2})).await;
    let path = |id: Uuid| format!("/workspaces/{}/memories/{id}", fixture.bot);
    fixture.agent().patch(&path(id), json!({"metadata": {"tier": 2}})).await.expect(200);
    fixture.agent().delete(&path(gone)).await.expect(200);
    assert_eq!(fixture.found(&[("metadata", r#"{"tier":2}"#)]).await, [id]);
    assert_eq!(fixture.found(&[("metadata", r#"{"tier":1}"#)]).await, Vec::<Uuid>::new());
}

async fn invalid_filter_is_refused_with_the_remedy(on: On) {
    let fixture = Fixture::new(on).await;
    let path = format!("/workspaces/{}/memories", fixture.bot);
    for (name, text, part) in [
        ("metadata", "tier", "an object"),
        ("metadata", "[1]", "an object"),
        ("metadata", r#"{"tier":{"$like":1}}"#, "`$like`"),
        ("metadata", r#"{"tier":{"$gt":"x"}}"#, "a number after `$gt`"),
        ("ids", "", "1 to 50 ids"),
        ("ids", "mem-1", "1 to 50 ids"),
    ] {
        let problem = fixture.agent().get_with(&path, &[(name, text)]).await.refused(400, "invalid_field");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(part)), "{problem}");
        assert_eq!(problem["field"], name);
    }
    let many = (0..51).map(|n| Uuid::from_u128(n).to_string()).collect::<Vec<_>>().join(",");
    fixture.agent().get_with(&path, &[("ids", &many)]).await.refused(400, "invalid_field");
}
