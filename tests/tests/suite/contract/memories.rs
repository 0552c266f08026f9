//! =

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

for_each_store!(
    memory_is_returned_with_all_fields,
    missing_fields_have_defaults,
    memory_is_found_by_the_next_search,
    each_of_64_clients_finds_its_own_commit_immediately,
    memory_is_found_by_the_current_name_of_its_author,
    memory_is_found_by_its_neighbours_in_the_session,
    repeated_id_replaces_the_memory,
    superseding_memory_replaces_the_other_in_every_read,
    author_has_at_most_twenty_pins,
    pinned_memories_are_listed_first_then_newest,
    filters_can_be_combined,
    order_can_be_chosen,
    source_of_another_role_is_refused,
);

struct Fixture {
    app: TestApp,
    bot: Uuid,
    peer: Uuid,
    path: String,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  dev\n    bot\n    peer").await;
        let bot = org.id("bot");
        Self { app, bot, peer: org.id("peer"), path: format!("/workspaces/{bot}/memories") }
    }

    async fn commit(&self, memory: Value) -> Uuid {
        self.app.agent(self.bot).commit_with(self.bot, memory).await
    }

    async fn found(&self, query: &[(&str, &str)]) -> Vec<Uuid> {
        self.app.agent(self.bot).search(self.bot, query).await.ids()
    }

    async fn read(&self, id: Uuid) -> Value {
        self.app.agent(self.bot).get(&format!("{}/{id}", self.path)).await.expect(200).json()
    }
}

async fn memory_is_returned_with_all_fields(on: On) {
    let fixture = Fixture::new(on).await;
    let memory = json!({
        "content": "Kickoff moved to\nThursday \u{1F680}",
        "title": "Kick-off",
        "scope": "TEAM",
        "team": fixture.bot,
        "namespace": "Projects/Apollo",
        "kind": "checkpoint",
        "source": "tool",
        "confidence": 0.875,
        "tags": ["planning", "Q4 goals"],
        "metadata": {"z": 1, "a": {"nested": [true, null, 1.5]}},
        "subject": "user-7",
        "session_id": "session-9",
        "pin": true,
        "ttl_seconds": 3600,
    });
    let response = fixture.app.agent(fixture.bot).post(&fixture.path, &memory).await.expect(201);
    let committed = response.json();
    let id = response.id("id");
    assert_eq!(response.header("location"), Some(&*format!("{}/{id}", fixture.path)));
    assert_eq!(id.get_version_num(), 7);
    for member in ["scope", "team", "namespace", "kind"] {
        assert_eq!(committed[member], memory[member], "{member}");
    }
    assert_eq!((&committed["version"], &committed["redactions"]), (&json!(1), &json!([])));
    let read = fixture.read(id).await;
    for member in [
        "content",
        "title",
        "scope",
        "team",
        "namespace",
        "kind",
        "source",
        "confidence",
        "tags",
        "metadata",
        "subject",
        "session_id",
        "pin",
    ] {
        assert_eq!(read[member], memory[member], "{member}");
    }
    assert_eq!(read["role"], "agent");
    assert_eq!(read["via"], "self");
    assert_eq!(read["created_at"], json!(fixture.app.now()));
    let listed = fixture.app.agent(fixture.bot).search(fixture.bot, &[]).await.items();
    assert_eq!(listed, [read]);
}

async fn missing_fields_have_defaults(on: On) {
    let fixture = Fixture::new(on).await;
    let id = fixture.commit(json!({"content": "x", "scope": "LOCAL"})).await;
    let read = fixture.read(id).await;
    for (member, value) in [
        ("namespace", json!("general")),
        ("kind", json!("fact")),
        ("source", json!("agent")),
        ("confidence", json!(0.5)),
        ("tags", json!([])),
        ("pin", json!(false)),
    ] {
        assert_eq!(read[member], value, "{member}");
    }
    let by_a_person = fixture.app.operator(fixture.bot).commit(fixture.bot, "LOCAL", "y").await;
    let read = fixture.read(by_a_person).await;
    assert_eq!((&read["source"], &read["role"]), (&json!("manual"), &json!("operator")));
}

async fn memory_is_found_by_the_next_search(on: On) {
    let fixture = Fixture::new(on).await;
    for word in ["harbour", "compass", "rocket", "garden", "violin", "copper", "winter", "ticket", "bridge", "falcon"] {
        let id = fixture.commit(json!({"content": format!("the {word} of today"), "scope": "TEAM"})).await;
        assert_eq!(fixture.found(&[("q", word)]).await, [id]);
    }
}

async fn each_of_64_clients_finds_its_own_commit_immediately(on: On) {
    let fixture = Fixture::new(on).await;
    let mut clients = JoinSet::new();
    for client in 0..64 {
        let (agent, bot) = (fixture.app.agent(fixture.bot), fixture.bot);
        let scope = if client % 2 == 0 { "TEAM" } else { "LOCAL" };
        clients.spawn(async move {
            for turn in 0..5 {
                let word = format!("word{}", client * 100 + turn);
                let id = agent.commit(bot, scope, &format!("{word} was said by client {client}")).await;
                let found = agent.search(bot, &[("q", &word)]).await.ids();
                assert_eq!(found.first(), Some(&id), "{word}");
            }
        });
    }
    clients.join_all().await;
}

async fn memory_is_found_by_the_current_name_of_its_author(on: On) {
    let fixture = Fixture::new(on).await;
    let memory = fixture.commit(json!({"scope": "TEAM", "content": "deploys happen on tuesdays"})).await;
    let reader = fixture.app.agent(fixture.peer);
    let by_name = async |name| reader.search(fixture.peer, &[("q", name)]).await.ids();
    let rename = async |name: &str| {
        let renamed = fixture.app.admin().patch(&format!("/workspaces/{}", fixture.bot), json!({"name": name})).await;
        renamed.expect(200);
    };
    rename("Dispatcher").await;
    assert_eq!(by_name("dispatcher").await, [memory]);
    rename("Release Captain").await;
    assert_eq!(by_name("captain").await, [memory]);
    assert_eq!(by_name("dispatcher").await, Vec::<Uuid>::new());
}

async fn memory_is_found_by_its_neighbours_in_the_session(on: On) {
    let fixture = Fixture::new(on).await;
    let (bot, peer) = (fixture.app.agent(fixture.bot), fixture.app.agent(fixture.peer));
    let in_session = |content: &str, scope: &str| json!({"scope": scope, "content": content, "session_id": "s1"});
    let question = bot.commit_with(fixture.bot, in_session("Which city hosts the offsite?", "TEAM")).await;
    // unreadable memories do not separate neighbours
    bot.commit_with(fixture.bot, in_session("Let me think of it", "LOCAL")).await;
    bot.commit_with(fixture.bot, in_session("Still thinking", "LOCAL")).await;
    let response = peer.commit_with(fixture.peer, in_session("Lisbon, I heard.", "TEAM")).await;
    assert_eq!(peer.search(fixture.peer, &[("q", "offsite city")]).await.ids(), [question, response]);
    let newest = [("q", "offsite city"), ("order", "recent")];
    assert_eq!(peer.search(fixture.peer, &newest).await.ids(), [question]);
}

async fn repeated_id_replaces_the_memory(on: On) {
    let fixture = Fixture::new(on).await;
    let id = Uuid::from_u128(0x1234);
    let first = json!({"id": id, "content": "the harbour opens at nine", "scope": "TEAM", "tags": ["old"]});
    assert_eq!(fixture.commit(first).await, id);
    let before = fixture.read(id).await;
    fixture.app.advance(TimeDelta::seconds(5));
    let second = json!({"id": id, "content": "the harbour opens at ten", "scope": "LOCAL", "namespace": "port"});
    let response = fixture.app.agent(fixture.bot).post(&fixture.path, second).await.expect(201).json();
    assert_eq!(response["version"], 2);
    let after = fixture.read(id).await;
    assert_eq!(after["content"], "the harbour opens at ten");
    assert_eq!((&after["scope"], &after["namespace"], &after["tags"]), (&json!("LOCAL"), &json!("port"), &json!([])));
    assert_eq!(after["created_at"], before["created_at"]);
    assert_ne!(after["updated_at"], before["updated_at"]);
    assert_eq!(fixture.found(&[("q", "nine")]).await, Vec::<Uuid>::new());
    assert_eq!(fixture.found(&[("q", "ten")]).await, [id]);
    assert_eq!(fixture.found(&[]).await, [id]);
    let row = fixture.app.admin().get(&format!("/workspaces/{}", fixture.bot)).await.json();
    assert_eq!(row["memories"], json!({"local": 1, "team": 0, "global": 0}));
}

async fn superseding_memory_replaces_the_other_in_every_read(on: On) {
    let fixture = Fixture::new(on).await;
    let old = fixture.commit(json!({"content": "the harbour opens at nine", "scope": "TEAM"})).await;
    let new = fixture.commit(json!({"content": "the harbour opens at ten", "scope": "TEAM", "supersedes": old})).await;
    assert_eq!(fixture.found(&[("q", "harbour")]).await, [new]);
    assert_eq!(fixture.found(&[]).await, [new]);
    fixture.app.agent(fixture.bot).get(&format!("{}/{old}", fixture.path)).await.refused(404, "not_found");
    assert_eq!(fixture.read(new).await["supersedes"], json!(old));
    let again = json!({"content": "x", "scope": "LOCAL", "supersedes": old});
    fixture.app.agent(fixture.bot).post(&fixture.path, again).await.refused(409, "nothing_to_supersede");
    let back = json!({"content": "the harbour opens at nine", "scope": "TEAM", "id": old, "supersedes": new});
    let refused = fixture.app.agent(fixture.bot).post(&fixture.path, back).await.refused(409, "nothing_to_supersede");
    assert_eq!(
        refused["detail"],
        format!(
            "the memory `{old}` is superseded itself, so it cannot supersede another; commit the text under another \
             `id`, or without one"
        )
    );
    assert_eq!(fixture.found(&[("q", "harbour")]).await, [new]);
    let in_session =
        fixture.app.agent(fixture.bot).get(&format!("/workspaces/{}/session-search?kind=memory", fixture.bot)).await;
    assert_eq!(in_session.expect(200).ids(), [new]);
}

async fn author_has_at_most_twenty_pins(on: On) {
    let fixture = Fixture::new(on).await;
    let pinned = || json!({"content": "x", "scope": "LOCAL", "pin": true});
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(fixture.commit(pinned()).await);
    }
    let agent = fixture.app.agent(fixture.bot);
    agent.post(&fixture.path, pinned()).await.refused(409, "too_many_pins");
    // a repeated pin counts once
    let again = json!({"content": "y", "scope": "LOCAL", "pin": true, "id": ids[0]});
    agent.post(&fixture.path, again).await.expect(201);
    // one unpinned, one deleted: two are free
    agent.post(&fixture.path, json!({"content": "y", "scope": "LOCAL", "id": ids[1]})).await.expect(201);
    agent.delete(&format!("{}/{}", fixture.path, ids[2])).await.expect(200);
    fixture.commit(pinned()).await;
    fixture.commit(json!({"content": "x", "scope": "LOCAL", "pin": true, "ttl_seconds": 10})).await;
    agent.post(&fixture.path, pinned()).await.refused(409, "too_many_pins");
    fixture.app.advance(TimeDelta::seconds(10));
    fixture.commit(pinned()).await;
    // the limit applies per author
    fixture.app.agent(fixture.peer).commit_with(fixture.peer, pinned()).await;
}

async fn pinned_memories_are_listed_first_then_newest(on: On) {
    let fixture = Fixture::new(on).await;
    let mut ids = Vec::new();
    for (number, pin) in [false, true, false, true, false].into_iter().enumerate() {
        fixture.app.advance(TimeDelta::seconds(1));
        let content = format!("lantern {number}");
        ids.push(fixture.commit(json!({"content": content, "scope": "LOCAL", "pin": pin})).await);
    }
    assert_eq!(fixture.found(&[]).await, [ids[3], ids[1], ids[4], ids[2], ids[0]]);
    assert_eq!(fixture.found(&[("q", "lantern"), ("order", "recent")]).await, [ids[3], ids[1], ids[4], ids[2], ids[0]]);
}

async fn filters_can_be_combined(on: On) {
    let fixture = Fixture::new(on).await;
    let start = fixture.app.now();
    let mut ids = Vec::new();
    for memory in [
        json!({"content": "violin one", "scope": "LOCAL", "namespace": "a", "kind": "fact", "tags": ["x", "y"], "confidence": 0.9, "pin": true}),
        json!({"content": "violin two", "scope": "TEAM", "namespace": "a", "kind": "summary", "tags": ["y"], "confidence": 0.4}),
        json!({"content": "violin three", "scope": "TEAM", "namespace": "b", "source": "tool", "subject": "u1"}),
        json!({"content": "violin four", "scope": "TEAM", "namespace": "b", "session_id": "s1", "subject": "u2"}),
    ] {
        fixture.app.advance(TimeDelta::seconds(10));
        ids.push(fixture.commit(memory).await);
    }
    let second = (start + TimeDelta::seconds(20)).to_rfc3339();
    let third = (start + TimeDelta::seconds(30)).to_rfc3339();
    let bot = fixture.bot.to_string();
    type Case<'c> = (&'c [(&'c str, &'c str)], &'c [usize]);
    let cases: [Case<'_>; 18] = [
        (&[("namespace", "a")], &[0, 1]),
        (&[("kind", "summary")], &[1]),
        (&[("source", "tool")], &[2]),
        (&[("tag", "y")], &[0, 1]),
        (&[("tag", "y"), ("kind", "fact")], &[0]),
        (&[("author", &bot)], &[0, 3, 2, 1]),
        (&[("subject", "u1")], &[2]),
        (&[("session_id", "s1")], &[3]),
        (&[("since", &second)], &[3, 2, 1]),
        (&[("until", &third)], &[0, 1]),
        (&[("since", &second), ("until", &third)], &[1]),
        (&[("min_confidence", "0.5")], &[0, 3, 2]),
        (&[("pinned", "true")], &[0]),
        (&[("pinned", "false")], &[3, 2, 1]),
        (&[("scope", "TEAM"), ("namespace", "b"), ("subject", "u2")], &[3]),
        (&[("namespace", "a"), ("tag", "z")], &[]),
        (&[("namespace", "A")], &[]),
        (&[("run_id", "00000000-0000-4000-8000-000000000001")], &[]),
    ];
    for (filter, wanted) in cases {
        let wanted: Vec<_> = wanted.iter().map(|&number| ids[number]).collect();
        assert_eq!(fixture.found(filter).await, wanted, "{filter:?}");
        let with_words: Vec<_> = filter.iter().copied().chain([("q", "violin"), ("order", "recent")]).collect();
        assert_eq!(fixture.found(&with_words).await, wanted, "{with_words:?}");
    }
}

async fn order_can_be_chosen(on: On) {
    let fixture = Fixture::new(on).await;
    let mut ids = Vec::new();
    for (content, confidence) in [("copper copper", 0.2), ("copper and much else that is said", 0.9), ("copper", 0.9)] {
        fixture.app.advance(TimeDelta::seconds(1));
        ids.push(fixture.commit(json!({"content": content, "scope": "LOCAL", "confidence": confidence})).await);
    }
    assert_eq!(fixture.found(&[("q", "copper"), ("order", "confidence")]).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(fixture.found(&[("q", "copper"), ("order", "recent")]).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(fixture.found(&[("order", "confidence")]).await, [ids[2], ids[1], ids[0]]);
    let best = fixture.app.agent(fixture.bot).search(fixture.bot, &[("q", "copper")]).await.items();
    let scores: Vec<f64> = best.iter().filter_map(|item| item["score"].as_f64()).collect();
    assert_eq!(scores.len(), 3);
    assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
    assert_eq!(fixture.found(&[("q", "copper"), ("mode", "keyword"), ("order", "relevance")]).await.len(), 3);
    assert!(fixture.app.agent(fixture.bot).search(fixture.bot, &[]).await.items()[0].get("score").is_none());
}

async fn source_of_another_role_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let with = |source: &str| json!({"content": "x", "scope": "LOCAL", "source": source});
    for source in ["agent", "tool", "eval", "runtime", "user"] {
        fixture.commit(with(source)).await;
    }
    for source in ["manual", "processor"] {
        let refused = fixture.app.agent(fixture.bot).post(&fixture.path, with(source)).await;
        assert!(matches!(refused.status, 400 | 403), "{}", refused.describe());
    }
    fixture.app.operator(fixture.bot).post(&fixture.path, with("manual")).await.expect(201);
    let by_nobody = fixture.app.admin().post(&fixture.path, with("processor")).await;
    assert!(matches!(by_nobody.status, 400 | 403), "{}", by_nobody.describe());
}
