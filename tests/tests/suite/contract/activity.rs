//! Episodes, and "what just happened here?"

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    an_episode_comes_back_as_it_was_appended,
    episodes_are_listed_newest_first_and_filtered,
    the_server_records_what_happens_to_memories,
    what_an_agent_reads_is_part_of_what_happened,
    session_search_finds_words_prefixes_and_parts,
    session_search_is_one_list_of_episodes_and_own_memories,
    a_session_is_told_apart,
    a_deployment_has_episode_types_of_its_own,
);

struct Room {
    app: TestApp,
    bot: Uuid,
}

impl Room {
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

async fn an_episode_comes_back_as_it_was_appended(on: On) {
    let room = Room::new(on).await;
    let episode = json!({
        "activity_type": "task_update",
        "method": "tasks/send",
        "summary": "asked peer for the plan",
        "target_id": Uuid::from_u128(9),
        "source_id": room.bot,
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
        "outcome": "done",
    });
    let id = room.append(episode.clone()).await;
    let mut told = room.app.agent(room.bot).get(&room.at("activity?type=task_update")).await.expect(200).items();
    let told = told.pop().expect("it is listed");
    for (member, value) in episode.as_object().expect("an object") {
        assert_eq!(told[member], *value, "{member}");
    }
    assert_eq!(told["id"], json!(id));
    assert_eq!(told["created_at"], json!(room.app.now()));
    let correction = json!({"activity_type": "task_update", "summary": "asked ops", "supersedes": id});
    room.append(correction).await;
    assert_eq!(room.ids("activity?type=task_update").await.len(), 2, "episodes are never changed");
}

async fn episodes_are_listed_newest_first_and_filtered(on: On) {
    let room = Room::new(on).await;
    let start = room.app.now();
    let one = room.append(json!({"activity_type": "a2a_send", "session_id": "s1"})).await;
    let two = room.append(json!({"activity_type": "error", "session_id": "s1"})).await;
    let three = room.append(json!({"activity_type": "error", "session_id": "s2"})).await;
    assert_eq!(room.ids("activity").await, [three, two, one]);
    assert_eq!(room.ids("activity?type=error").await, [three, two]);
    assert_eq!(room.ids("activity?session_id=s1").await, [two, one]);
    assert_eq!(room.ids("activity?session_id=s1&type=error").await, [two]);
    let second = (start + TimeDelta::seconds(2)).format("%Y-%m-%dT%H:%M:%S%.6fZ");
    assert_eq!(room.ids(&format!("activity?since={second}")).await, [three, two]);
    assert_eq!(room.ids(&format!("activity?until={second}")).await, [one]);
    assert_eq!(room.ids("activity?type=nothing-like-it").await, Vec::<Uuid>::new());
    assert_eq!(room.ids("activity?limit=1").await, [three]);
}

async fn the_server_records_what_happens_to_memories(on: On) {
    let room = Room::new(on).await;
    let id = room.app.agent(room.bot).commit(room.bot, "TEAM", "deploys happen on tuesdays").await;
    let written = room.app.agent(room.bot).get(&room.at("activity?type=memory_write")).await.expect(200).items();
    assert_eq!(written.len(), 1, "{written:?}");
    assert_eq!(written[0]["target_id"], json!(id));
    let text = written[0].to_string();
    assert!(!text.contains("tuesdays"), "an episode outlives the memory, so it does not repeat it: {text}");
}

async fn what_an_agent_reads_is_part_of_what_happened(on: On) {
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
    // none of these is a read of a memory, or an agent's
    read(&agent, "memories?q=nothing-like-it").await;
    read(&agent, "memories/count").await;
    read(&agent, "activity").await;
    read(&agent, "session-search").await;
    read(&app.viewer(acme), "memories?q=deploys").await;
    read(&app.operator(acme), &format!("memories/{memory}")).await;

    // whoever reads the log finds all that was read before, whatever the writer is busy with
    app.admin().get(&at("access-log")).await.expect(200);
    let told = agent.get(&at("activity")).await.expect(200).items();
    let of = |name: &str| told.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    let types = ["memory_read", "memory_read", "agent_log", "memory_read", "memory_read"];
    assert_eq!(of("activity_type"), types, "in the order in which it was done: {told:?}");
    assert_eq!(told[2]["id"], json!(logged));
    let methods = json!(["inject_memories", "read_history", null, "read_memory", "search_memories"]);
    assert_eq!(json!(of("method")), methods);
    let said = ["injected 1 memory", "read the history of a memory", "read a TEAM memory", "found 1 memory"];
    let summaries: Vec<Value> = of("summary").into_iter().filter(|summary| !summary.is_null()).collect();
    assert_eq!(summaries, said);
    assert_eq!(told[0]["session_id"], "night-7");
    assert!(told.iter().filter(|row| row["id"] != json!(logged)).all(|row| row["target_id"] == json!(memory)));
    assert!(!json!(told).to_string().contains("tuesdays"), "it says nothing of what it was about");
    let found = agent.get(&at("session-search?q=found&kind=activity")).await.expect(200).items();
    assert_eq!((found.len(), &found[0]["label"]), (1, &json!("memory_read")));
    let elsewhere = app.agent(bot).get(&format!("/workspaces/{bot}/activity?type=memory_read")).await.expect(200);
    assert_eq!(elsewhere.items(), Vec::<Value>::new(), "whose memory is read hears nothing of it");
}

async fn session_search_finds_words_prefixes_and_parts(on: On) {
    let room = Room::new(on).await;
    let one = room.append(json!({"activity_type": "agent_log", "summary": "Deployed the Frontend-Gateway"})).await;
    let two = room
        .append(json!({"activity_type": "error", "error_detail": "gateway timeout", "method": "GET /orders"}))
        .await;
    let three =
        room.append(json!({"activity_type": "agent_log", "request_body": {"note": "orders of Größe 42"}})).await;
    let memory = room.app.agent(room.bot).commit(room.bot, "LOCAL", "the gateway needs a warm-up").await;
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
        let path = orgmem_tests::with_query(&room.at("session-search"), &[("q", query)]);
        let found = room.app.agent(room.bot).get(&path).await.expect(200).ids();
        assert_eq!(found, wanted, "{query}");
    }
    let path =
        orgmem_tests::with_query(&room.at("session-search"), &[("q", "gateway timeout"), ("order", "relevance")]);
    let best = room.app.agent(room.bot).get(&path).await.expect(200).ids();
    assert_eq!(best, [two, memory, one], "most words first, then newest");
}

async fn session_search_is_one_list_of_episodes_and_own_memories(on: On) {
    let room = Room::new(on).await;
    let episode = room.append(json!({
        "activity_type": "a2a_send", "summary": "sent", "method": "m", "status": "ok", "request_body": [1], "response_body": {"a": 2},
    })).await;
    room.app.advance(TimeDelta::seconds(1));
    let memory = room.app.agent(room.bot).commit(room.bot, "TEAM", "remembered").await;
    let peer = room.app.admin().get("/workspaces").await.items();
    let peer =
        peer.iter().map(|row| orgmem_tests::id_of(row, "id")).find(|&id| id != room.bot).expect("there are others");
    room.app.admin().commit(peer, "TEAM", "remembered by another").await;
    let rows = room.app.agent(room.bot).get(&room.at("session-search")).await.expect(200).items();
    let of = |id: Uuid| rows.iter().find(|row| row["id"] == json!(id)).cloned().expect("it is told");
    assert_eq!(
        of(episode),
        json!({
            "kind": "activity", "id": episode, "workspace_id": room.bot, "label": "a2a_send", "content": "sent",
            "method": "m", "status": "ok", "request_body": [1], "response_body": {"a": 2},
            "created_at": of(episode)["created_at"],
        })
    );
    let told = of(memory);
    assert_eq!((&told["kind"], &told["content"]), (&json!("memory"), &json!("remembered")));
    assert!(rows.iter().all(|row| row["workspace_id"] == json!(room.bot)), "{rows:?}");
    assert!(!rows.iter().any(|row| row["content"] == "remembered by another"), "only its own memories");
    assert_eq!(room.ids("session-search?kind=memory").await, [memory]);
    assert!(!room.ids("session-search?kind=activity").await.contains(&memory));
    assert_eq!(room.ids("session-search?limit=1").await.len(), 1);
}

async fn a_session_is_told_apart(on: On) {
    let room = Room::new(on).await;
    let agent = room.app.agent(room.bot);
    let log =
        |summary: &str, session: &str| json!({"activity_type": "agent_log", "summary": summary, "session_id": session});
    let episode = room.append(log("looked at the dock", "night-7")).await;
    room.append(log("looked at the gate", "night-70")).await;
    let run = agent.post(&room.at("runs"), json!({"session_id": "night-7"})).await.expect(201).id("run_id");
    let other = agent.post(&room.at("runs"), json!({"session_id": "night-8"})).await.expect(201).id("run_id");
    let memory = json!({"content": "the dock is rusty", "scope": "LOCAL", "session_id": "night-7", "run_id": run});
    agent.post(&room.at("memories"), memory).await.expect(201);
    room.app.advance(TimeDelta::seconds(1));
    agent.post(&room.at(&format!("runs/{run}/finish")), json!({"status": "completed"})).await.expect(200);
    let rows = agent.get(&room.at("session-search?session_id=night-7")).await.expect(200).items();
    // the memory, the server's note that it was written, and the episode
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows.iter().all(|row| row["session_id"] == "night-7"), "{rows:?}");
    let written = rows.iter().find(|row| row["kind"] == "memory").expect("it was committed");
    assert_eq!((&written["run_id"], &written["content"]), (&json!(run), &json!("the dock is rusty")));
    assert_eq!(room.ids("session-search?session_id=night-7&q=looked").await, [episode]);
    assert!(room.ids("session-search?session_id=night").await.is_empty(), "a session is named whole");
    let runs_of = async |query: &str| -> Vec<Value> {
        let rows = agent.get(&room.at(query)).await.expect(200).items();
        rows.into_iter().map(|row| row["run_id"].clone()).collect()
    };
    assert_eq!(runs_of("runs?session_id=night-7").await, [json!(run)]);
    assert_eq!(runs_of("runs?session_id=night-8&status=open").await, [json!(other)]);
    assert!(runs_of("runs?session_id=night-8&status=completed").await.is_empty());
}

async fn a_deployment_has_episode_types_of_its_own(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_ACTIVITY_TYPES", "shift_start,shift_end").start().await;
    let room = Room::within(app).await;
    let id = room.append(json!({"activity_type": "shift_end"})).await;
    assert_eq!(room.ids("activity?type=shift_end").await, [id]);
}
