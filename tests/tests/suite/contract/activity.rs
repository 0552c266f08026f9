//! Episodes and session-search.

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    episode_is_returned_as_appended,
    episodes_are_listed_newest_first_and_filtered,
    server_records_changes_of_memories,
    reads_of_agents_are_recorded,
    session_search_finds_words_prefixes_and_parts,
    session_search_merges_episodes_and_own_memories,
    session_filter_selects_its_episodes,
    configured_episode_types_are_accepted,
);

struct Fixture {
    app: TestApp,
    bot: Uuid,
}

impl Fixture {
    async fn new(on: On) -> Self {
        Self::within(TestApp::new(on).await).await
    }

    async fn within(app: TestApp) -> Self {
        let bot = app.plant("acme\n  bot\n  peer").await.id("bot");
        Self { app, bot }
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}/{rest}", self.bot)
    }

    async fn append(&self, episode: Value) -> Uuid {
        self.app.advance(TimeDelta::seconds(1));
        self.app.agent(self.bot).post(&self.at("activity"), episode).await.expect(201).id("id")
    }

    async fn ids(&self, rest: &str) -> Vec<Uuid> {
        self.app.agent(self.bot).get(&self.at(rest)).await.expect(200).ids()
    }
}

async fn episode_is_returned_as_appended(on: On) {
    let fixture = Fixture::new(on).await;
    let episode = json!({
        "activity_type": "task_update",
        "method": "tasks/send",
        "summary": "asked peer for the plan",
        "target_id": Uuid::from_u128(9),
        "source_id": fixture.bot,
        "status": "ok",
        "error_detail": "none",
        "duration_ms": 1250,
        "request_body": {"z": [1, 2], "a": null},
        "response_body": "plain text",
        "metadata": {"attempt": 2},
        "actor": "planner",
        "channel": "a2a",
        "correlation_id": "c-1",
        "session_id": "s-1",
        "kind": "plan",
        "outcome": "success",
        "salience": 0.75,
        "claims": [{"entity": "sku-4711", "field": "price", "value": "49.90"}],
    });
    let id = fixture.append(episode.clone()).await;
    let mut listed =
        fixture.app.agent(fixture.bot).get(&fixture.at("activity?type=task_update")).await.expect(200).items();
    let listed = listed.pop().expect("it is listed");
    for (member, value) in episode.as_object().expect("an object") {
        assert_eq!(listed[member], *value, "{member}");
    }
    assert_eq!(listed["id"], json!(id));
    assert_eq!(listed["created_at"], json!(fixture.app.now()));
    let correction = json!({"activity_type": "task_update", "summary": "asked ops", "supersedes": id});
    fixture.append(correction).await;
    assert_eq!(fixture.ids("activity?type=task_update").await.len(), 2, "episodes are never changed");
}

async fn episodes_are_listed_newest_first_and_filtered(on: On) {
    let fixture = Fixture::new(on).await;
    let start = fixture.app.now();
    let one = fixture.append(json!({"activity_type": "a2a_send", "session_id": "s1"})).await;
    let two = fixture.append(json!({"activity_type": "error", "session_id": "s1"})).await;
    let three = fixture.append(json!({"activity_type": "error", "session_id": "s2"})).await;
    assert_eq!(fixture.ids("activity").await, [three, two, one]);
    assert_eq!(fixture.ids("activity?type=error").await, [three, two]);
    assert_eq!(fixture.ids("activity?session_id=s1").await, [two, one]);
    assert_eq!(fixture.ids("activity?session_id=s1&type=error").await, [two]);
    let second = (start + TimeDelta::seconds(2)).format("%Y-%m-%dT%H:%M:%S%.6fZ");
    assert_eq!(fixture.ids(&format!("activity?since={second}")).await, [three, two]);
    assert_eq!(fixture.ids(&format!("activity?until={second}")).await, [one]);
    assert_eq!(fixture.ids("activity?type=nothing-like-it").await, Vec::<Uuid>::new());
    assert_eq!(fixture.ids("activity?limit=1").await, [three]);
}

async fn server_records_changes_of_memories(on: On) {
    let fixture = Fixture::new(on).await;
    let id = fixture.app.agent(fixture.bot).commit(fixture.bot, "TEAM", "deploys happen on tuesdays").await;
    let written =
        fixture.app.agent(fixture.bot).get(&fixture.at("activity?type=memory_write")).await.expect(200).items();
    assert_eq!(written.len(), 1, "{written:?}");
    assert_eq!(written[0]["target_id"], json!(id));
    let text = written[0].to_string();
    assert!(!text.contains("tuesdays"), "an episode outlives the memory, so it does not repeat it: {text}");
}

async fn reads_of_agents_are_recorded(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let at = |rest: &str| format!("/workspaces/{peer}/{rest}");
    let agent = app.agent(peer);
    let memory = app.agent(bot).commit(bot, "TEAM", "deploys happen on tuesdays").await;
    let read = async |caller: &Caller, path: &str| {
        app.advance(TimeDelta::seconds(1));
        caller.get(&at(path)).await.expect(200);
    };
    read(&agent, "memories?q=deploys").await;
    read(&agent, &format!("memories/{memory}")).await;
    app.advance(TimeDelta::seconds(1));
    let logged = agent.post(&at("activity"), json!({"activity_type": "agent_log"})).await.expect(201).id("id");
    read(&agent, &format!("memories/{memory}/history")).await;
    app.advance(TimeDelta::seconds(1));
    let session = json!({"query": "deploys", "session_id": "night-7"});
    agent.post(&at("context"), session).await.expect(200);
    // neither reads of memories, nor an agent's
    read(&agent, "memories?q=nothing-like-it").await;
    read(&agent, "memories/count").await;
    read(&agent, "activity").await;
    read(&agent, "session-search").await;
    read(&app.viewer(acme), "memories?q=deploys").await;
    read(&app.operator(acme), &format!("memories/{memory}")).await;

    // a reader of the log finds all earlier reads, also while the writer is busy
    app.admin().get(&at("access-log")).await.expect(200);
    let listed = agent.get(&at("activity")).await.expect(200).items();
    let of = |name: &str| listed.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    let types = ["memory_read", "memory_read", "agent_log", "memory_read", "memory_read"];
    assert_eq!(of("activity_type"), types, "in the order in which it was done: {listed:?}");
    assert_eq!(listed[2]["id"], json!(logged));
    let methods = json!(["inject_memories", "read_history", null, "read_memory", "search_memories"]);
    assert_eq!(json!(of("method")), methods);
    let expected_summaries =
        ["injected 1 memory", "read the history of a memory", "read a TEAM memory", "found 1 memory"];
    let summaries: Vec<Value> = of("summary").into_iter().filter(|summary| !summary.is_null()).collect();
    assert_eq!(summaries, expected_summaries);
    assert_eq!(listed[0]["session_id"], "night-7");
    assert!(listed.iter().filter(|row| row["id"] != json!(logged)).all(|row| row["target_id"] == json!(memory)));
    assert!(!json!(listed).to_string().contains("tuesdays"), "no content");
    let found = agent.get(&at("session-search?q=found&kind=activity")).await.expect(200).items();
    assert_eq!((found.len(), &found[0]["label"]), (1, &json!("memory_read")));
    let elsewhere = app.agent(bot).get(&format!("/workspaces/{bot}/activity?type=memory_read")).await.expect(200);
    assert_eq!(elsewhere.items(), Vec::<Value>::new(), "whose memory is read hears nothing of it");
}

async fn session_search_finds_words_prefixes_and_parts(on: On) {
    let fixture = Fixture::new(on).await;
    let one = fixture.append(json!({"activity_type": "agent_log", "summary": "Deployed the Frontend-Gateway"})).await;
    let two = fixture
        .append(json!({"activity_type": "error", "error_detail": "gateway timeout", "method": "GET /orders"}))
        .await;
    let three =
        fixture.append(json!({"activity_type": "agent_log", "request_body": {"note": "orders of Größe 42"}})).await;
    let memory = fixture.app.agent(fixture.bot).commit(fixture.bot, "LOCAL", "the gateway needs a warm-up").await;
    for (query, wanted) in [
        ("gateway", vec![memory, two, one]),
        ("GATEWAY", vec![memory, two, one]),
        ("gate", vec![memory, two, one]),
        ("atewa", vec![memory, two, one]),
        ("gateway timeout", vec![two]),
        ("timeout gateway", vec![two]),
        ("orders", vec![three, two]),
        ("größe", vec![three]),
        ("nothing like it", vec![]),
    ] {
        let path = orgmem_tests::with_query(&fixture.at("session-search"), &[("q", query)]);
        let found = fixture.app.agent(fixture.bot).get(&path).await.expect(200).ids();
        assert_eq!(found, wanted, "{query}");
    }
    let path =
        orgmem_tests::with_query(&fixture.at("session-search"), &[("q", "gateway timeout"), ("order", "relevance")]);
    let best = fixture.app.agent(fixture.bot).get(&path).await.expect(200).ids();
    assert_eq!(best, [two, memory, one], "most words first, then newest");
}

async fn session_search_merges_episodes_and_own_memories(on: On) {
    let fixture = Fixture::new(on).await;
    let episode = fixture.append(json!({
        "activity_type": "a2a_send", "summary": "sent", "method": "m", "status": "ok", "request_body": [1], "response_body": {"a": 2},
    })).await;
    fixture.app.advance(TimeDelta::seconds(1));
    let memory = fixture.app.agent(fixture.bot).commit(fixture.bot, "TEAM", "remembered").await;
    let peer = fixture.app.admin().get("/workspaces").await.items();
    let peer =
        peer.iter().map(|row| orgmem_tests::id_of(row, "id")).find(|&id| id != fixture.bot).expect("there are others");
    fixture.app.admin().commit(peer, "TEAM", "remembered by another").await;
    let rows = fixture.app.agent(fixture.bot).get(&fixture.at("session-search")).await.expect(200).items();
    let of = |id: Uuid| rows.iter().find(|row| row["id"] == json!(id)).cloned().expect("it is listed");
    assert_eq!(
        of(episode),
        json!({
            "kind": "activity", "id": episode, "workspace_id": fixture.bot, "label": "a2a_send", "content": "sent",
            "method": "m", "status": "ok", "request_body": [1], "response_body": {"a": 2},
            "created_at": of(episode)["created_at"],
        })
    );
    let listed = of(memory);
    assert_eq!((&listed["kind"], &listed["content"]), (&json!("memory"), &json!("remembered")));
    assert!(rows.iter().all(|row| row["workspace_id"] == json!(fixture.bot)), "{rows:?}");
    assert!(!rows.iter().any(|row| row["content"] == "remembered by another"), "only its own memories");
    assert_eq!(fixture.ids("session-search?kind=memory").await, [memory]);
    assert!(!fixture.ids("session-search?kind=activity").await.contains(&memory));
    assert_eq!(fixture.ids("session-search?limit=1").await.len(), 1);
}

async fn session_filter_selects_its_episodes(on: On) {
    let fixture = Fixture::new(on).await;
    let agent = fixture.app.agent(fixture.bot);
    let log =
        |summary: &str, session: &str| json!({"activity_type": "agent_log", "summary": summary, "session_id": session});
    let episode = fixture.append(log("looked at the dock", "night-7")).await;
    fixture.append(log("looked at the gate", "night-70")).await;
    let run = agent.post(&fixture.at("runs"), json!({"session_id": "night-7"})).await.expect(201).id("run_id");
    let other = agent.post(&fixture.at("runs"), json!({"session_id": "night-8"})).await.expect(201).id("run_id");
    let memory = json!({"content": "the dock is rusty", "scope": "LOCAL", "session_id": "night-7", "run_id": run});
    agent.post(&fixture.at("memories"), memory).await.expect(201);
    fixture.app.advance(TimeDelta::seconds(1));
    agent.post(&fixture.at(&format!("runs/{run}/finish")), json!({"status": "completed"})).await.expect(200);
    let rows = agent.get(&fixture.at("session-search?session_id=night-7")).await.expect(200).items();
    // the memory, the server's episode of the commit, and the episode
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows.iter().all(|row| row["session_id"] == "night-7"), "{rows:?}");
    let written = rows.iter().find(|row| row["kind"] == "memory").expect("it was committed");
    assert_eq!((&written["run_id"], &written["content"]), (&json!(run), &json!("the dock is rusty")));
    assert_eq!(fixture.ids("session-search?session_id=night-7&q=looked").await, [episode]);
    assert!(fixture.ids("session-search?session_id=night").await.is_empty(), "a session is named whole");
    let runs_of = async |query: &str| -> Vec<Value> {
        let rows = agent.get(&fixture.at(query)).await.expect(200).items();
        rows.into_iter().map(|row| row["run_id"].clone()).collect()
    };
    assert_eq!(runs_of("runs?session_id=night-7").await, [json!(run)]);
    assert_eq!(runs_of("runs?session_id=night-8&status=open").await, [json!(other)]);
    assert!(runs_of("runs?session_id=night-8&status=completed").await.is_empty());
}

async fn configured_episode_types_are_accepted(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_ACTIVITY_TYPES", "shift_start,shift_end").start().await;
    let fixture = Fixture::within(app).await;
    let id = fixture.append(json!({"activity_type": "shift_end"})).await;
    assert_eq!(fixture.ids("activity?type=shift_end").await, [id]);
}
