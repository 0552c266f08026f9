//! End users apart: no entry point shows or changes the memories of another one.

use orgmem_tests::entry_points::ROUTES;
use orgmem_tests::{Caller, On, Response, TestApp, for_each_store, with_query};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(no_entry_point_shows_another_end_user, bound_token_names_and_changes_no_other_end_user,);

/// Only in what belongs to Eve.
const MARK: &str = "zeppelin";

/// A bot with memories, an entry, an episode and a run of Ada and Eve, and of nobody.
struct Fixture {
    app: TestApp,
    bot: Uuid,
    tenant: Uuid,
    ada: Uuid,
    eve: Uuid,
    episode: Uuid,
    run: Uuid,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        let agent = app.agent(bot);
        let tenant = agent.commit(bot, "LOCAL", "violins are tuned to 440 Hz").await;
        let of = |subject: &str, session: &str, content: &str| {
            json!({"content": content, "scope": "TEAM", "subject": subject, "session_id": session,
                "metadata": {"ship": content}, "kind": "procedure", "title": content})
        };
        let ada = agent.commit_with(bot, of("ada", "s-a", "ada plays the violin")).await;
        let eve = agent.commit_with(bot, of("eve", "s-e", "eve flies a zeppelin with a violin")).await;
        let at = |rest: &str| format!("/workspaces/{bot}{rest}");
        agent
            .patch(&at(&format!("/memories/{eve}")), json!({"content": "eve flies a zeppelin, and a violin"}))
            .await
            .expect(200);
        let episode =
            json!({"activity_type": "agent_log", "summary": "a zeppelin", "subject": "eve", "session_id": "s-e"});
        let episode = agent.post(&at("/activity"), episode).await.expect(201).id("id");
        let entry = json!({"key": "route", "value": "by zeppelin", "subject": "eve"});
        agent.post(&at("/memory"), entry).await.expect(200);
        let run =
            agent.post(&at("/runs"), json!({"session_id": "s-e", "label": "zeppelin"})).await.expect(201).id("run_id");
        let pending = json!({"content": "a zeppelin is pending", "scope": "LOCAL", "subject": "eve", "session_id": "s-e", "run_id": run});
        agent.post(&at("/memories"), pending).await.expect(201);
        Self { app, bot, tenant, ada, eve, episode, run }
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}{rest}", self.bot)
    }

    async fn separate(&self) {
        let profile = json!({"name": "apart", "is_default": true, "subjects": "separate", "sessions": "separate"});
        let made = self.app.admin().post(&self.at("/profiles"), profile).await.expect(201).json();
        assert_eq!((&made["subjects"], &made["sessions"]), (&json!("separate"), &json!("separate")));
    }

    async fn bound(&self, user: Value) -> Caller {
        let mut request = json!({"role": "agent"});
        request.as_object_mut().expect("an object").extend(user.as_object().expect("an object").clone());
        let issued = self.app.admin().post(&self.at("/tokens"), request).await.expect(201).json();
        self.app.bearer(issued["token"].as_str().expect("a token"))
    }

    /// Every GET of the interface, about what belongs to Eve, and the calls that read by POST.
    async fn reads(&self, ask: &Asking) -> Vec<Response> {
        let mut responses = Vec::new();
        for route in ROUTES.iter().filter(|route| route.method == "GET") {
            let path = route.address.replace("{id}", &self.bot.to_string()).replace("{mid}", &self.eve.to_string());
            let path = path.replace("{eid}", &self.episode.to_string()).replace("{rid}", &self.run.to_string());
            let path = path.replace("{key}", "route").replace("{pid}", &self.bot.to_string()).replace("{name}", "eve");
            let path = path.replace("{other}", &self.bot.to_string()).replace("{did}", &self.eve.to_string());
            if path.contains('{') || path.ends_with("/mcp") {
                continue;
            }
            let queries: &[&[(&str, &str)]] = match route.operation {
                "watch_events" => &[&[("follow", "false")]],
                "search_memories" | "search_namespace" | "search_session" | "search_orgs" | "count_memories" => {
                    &[&[], &[("q", "zepelin violin")], &[("q", "zeppelin")]]
                }
                "list_metadata_values" => &[&[("member", "ship")]],
                "explain_memory" => &[&[("q", "zeppelin")]],
                _ => &[&[]],
            };
            for query in queries {
                responses.push(ask.send("GET", &with_query(&path, query), None).await);
            }
        }
        let tool = |name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        for (path, body) in [
            (self.at("/context"), json!({"query": "zeppelin violin"})),
            (self.at("/context"), json!({})),
            (self.at("/memory-tool"), json!({"command": "view", "path": "/memories"})),
            (self.at("/memory-tool"), json!({"command": "view", "path": "/memories/team"})),
            (self.at("/mcp"), tool("search_memory", json!({"query": "zeppelin violin", "explain": true}))),
            (self.at("/mcp"), tool("recall_memory", json!({}))),
            (self.at("/mcp"), tool("why_memory", json!({"memory_id": self.eve, "query": "zeppelin"}))),
            (self.at("/mcp"), tool("session_search", json!({"query": "zeppelin"}))),
            (self.at("/mcp"), tool("get_context", json!({"query": "zeppelin"}))),
            (self.at("/mcp"), tool("memory_list", json!({}))),
            (self.at("/mcp"), tool("memory_get", json!({"key": "route"}))),
        ] {
            responses.push(ask.send("POST", &path, Some(body)).await);
        }
        responses
    }
}

/// A caller, and the end user that its requests name.
struct Asking {
    caller: Caller,
    subject: Option<&'static str>,
    session: Option<&'static str>,
}

impl Asking {
    async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Response {
        let mut request = self.caller.request(method, path);
        if let Some(subject) = self.subject {
            request = request.header("X-End-User", subject);
        }
        if let Some(session) = self.session {
            request = request.header("X-Session-Id", session);
        }
        match body {
            Some(body) => request.json(body).send().await,
            None => request.send().await,
        }
    }

    /// The ids of a list or search.
    async fn found(&self, fixture: &Fixture, query: &[(&str, &str)]) -> Vec<Uuid> {
        let mut ids = self.send("GET", &with_query(&fixture.at("/memories"), query), None).await.expect(200).ids();
        ids.sort_unstable();
        ids
    }
}

/// The score of the memory of the tenant in a search of what it and Eve's have.
async fn score(ask: &Asking, fixture: &Fixture) -> String {
    let items = ask.send("GET", &fixture.at("/memories?q=violins"), None).await.expect(200).items();
    let of_tenant = items.iter().find(|item| item["id"] == json!(fixture.tenant)).expect("the memory of the tenant");
    of_tenant["score"].to_string()
}

async fn no_entry_point_shows_another_end_user(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.separate().await;
    let agent = fixture.app.agent(fixture.bot);
    let asking = |caller: &Caller, subject, session| Asking { caller: caller.clone(), subject, session };
    let bound = fixture.bound(json!({"end_user": "ada"})).await;
    let in_session = fixture.bound(json!({"end_user": "ada", "session_id": "s-a"})).await;
    let mut both = [fixture.tenant, fixture.ada];
    both.sort_unstable();
    for (ask, expected) in [
        (asking(&agent, None, None), &[fixture.tenant][..]),
        (asking(&agent, Some("ada"), None), &[fixture.tenant]),
        (asking(&agent, Some("ada"), Some("s-a")), &both),
        (asking(&bound, None, Some("s-a")), &both),
        (asking(&in_session, None, None), &both),
        (asking(&fixture.app.viewer(fixture.bot), Some("ada"), Some("s-a")), &both),
    ] {
        for query in [&[][..], &[("q", "violin")], &[("order", "confidence")], &[("collapse", "true")]] {
            assert_eq!(ask.found(&fixture, query).await, expected, "{query:?}");
        }
        for response in fixture.reads(&ask).await {
            let text = response.describe();
            let is_hidden = !String::from_utf8_lossy(&response.body).contains(MARK);
            // the audit log has ids and hashes, for people
            let names = String::from_utf8_lossy(&response.body).contains(&fixture.eve.to_string());
            let is_audit = response.to.contains("access-log")
                || response.to.contains("/why")
                || text.contains("keeps these apart")
                || response.status >= 400;
            assert!(is_hidden && (!names || is_audit), "{text}");
        }
    }
    let eve = asking(&agent, Some("eve"), Some("s-e"));
    assert!(eve.found(&fixture, &[("q", "zeppelin")]).await.contains(&fixture.eve));
    // a filter names the end user and the session too
    let named = agent.search(fixture.bot, &[("subject", "eve"), ("session_id", "s-e")]).await.ids();
    assert_eq!(named, [fixture.eve]);
    // statistics are those of the readable memories: the score does not depend on the memories of Eve
    let ada = asking(&in_session, None, None);
    let before = score(&ada, &fixture).await;
    for n in 0..5 {
        let more = json!({"content": format!("{n} violins of eve"), "scope": "LOCAL", "subject": "eve"});
        agent.commit_with(fixture.bot, more).await;
    }
    assert_eq!(score(&ada, &fixture).await, before);
}

async fn bound_token_names_and_changes_no_other_end_user(on: On) {
    let fixture = Fixture::new(on).await;
    let bound = fixture.bound(json!({"end_user": "ada", "session_id": "s-a"})).await;
    let me = bound.get("/me").await.expect(200).json();
    assert_eq!((&me["end_user"], &me["session_id"]), (&json!("ada"), &json!("s-a")));
    // the profile is open: the token decides
    let mut expected = vec![fixture.tenant, fixture.ada];
    expected.sort_unstable();
    let ask = Asking { caller: bound.clone(), subject: None, session: None };
    assert_eq!(ask.found(&fixture, &[("q", "violin")]).await, expected);
    let workspace = bound.get(&fixture.at("")).await.expect(200).json();
    assert_eq!(workspace["memories"], json!({"local": 1, "team": 1, "global": 0}));
    let (eve, ada, tenant) = (fixture.eve, fixture.ada, fixture.tenant);
    let memory = |subject: &str| json!({"content": "x", "scope": "LOCAL", "subject": subject});
    let refusals = [
        ("GET", "/memories?subject=eve".to_owned(), None, 403),
        ("GET", "/memories/count?session_id=s-e".to_owned(), None, 403),
        ("GET", "/activity?subject=eve".to_owned(), None, 403),
        ("GET", "/pages?subject=eve".to_owned(), None, 403),
        ("GET", "/runs?session_id=s-e".to_owned(), None, 403),
        ("POST", "/context".to_owned(), Some(json!({"subject": "eve"})), 403),
        ("POST", "/memories".to_owned(), Some(memory("eve")), 403),
        ("POST", "/v2/memories".to_owned(), Some(json!({"content": "x", "subject": "eve"})), 403),
        ("POST", "/memory".to_owned(), Some(json!({"key": "k", "value": 1, "subject": "eve"})), 403),
        ("POST", "/memory".to_owned(), Some(json!({"key": "route", "value": 1})), 409),
        ("POST", "/activity".to_owned(), Some(json!({"activity_type": "agent_log", "subject": "eve"})), 403),
        ("POST", "/documents".to_owned(), Some(json!({"title": "x", "content": "x", "scope": "LOCAL"})), 403),
        ("POST", "/sessions/s-e/end".to_owned(), Some(json!(null)), 403),
        ("POST", "/tokens".to_owned(), Some(json!({"role": "agent"})), 403),
        ("GET", "/access-log".to_owned(), None, 403),
        ("GET", "/budget".to_owned(), None, 403),
        ("PATCH", format!("/memories/{eve}"), Some(json!({"content": "x"})), 404),
        ("PATCH", format!("/memories/{tenant}"), Some(json!({"content": "x"})), 403),
        ("PATCH", format!("/memories/{ada}"), Some(json!({"subject": "eve"})), 403),
        ("PATCH", format!("/memories/{ada}"), Some(json!({"subject": null})), 403),
        ("DELETE", format!("/memories/{eve}"), None, 404),
        ("DELETE", format!("/memories/{tenant}"), None, 404),
        ("DELETE", format!("/v2/memories/{eve}"), None, 404),
        ("POST", format!("/runs/{}/finish", fixture.run), Some(json!({"status": "failed"})), 404),
    ];
    for (method, rest, body, status) in refusals {
        let response = ask.send(method, &fixture.at(&rest), body).await;
        assert_eq!(response.status, status, "{}", response.describe());
    }
    let header = Asking { caller: bound.clone(), subject: Some("eve"), session: None };
    assert_eq!(header.send("GET", &fixture.at("/memories"), None).await.status, 403);
    let touched = json!({"memories": [{"id": eve, "ttl_seconds": 60}, {"id": tenant, "ttl_seconds": 60}]});
    let touched = bound.post(&fixture.at("/memories/touch"), touched).await.expect(200).json();
    assert_eq!(touched, json!({"memories": []}));
    let batch = json!({"memories": [memory("eve"), json!({"content": "ada again", "scope": "LOCAL"})]});
    let batch = bound.post(&fixture.at("/memories/batch"), batch).await.expect(200).json();
    assert_eq!((&batch["committed"], &batch["refused"]), (&json!(1), &json!(1)));
    // what it writes is of its end user and session, under every name of a write
    let written = batch["items"][1]["committed"]["id"].as_str().expect("an id").to_owned();
    let read = bound.get(&fixture.at(&format!("/memories/{written}"))).await.expect(200).json();
    assert_eq!((&read["subject"], &read["session_id"]), (&json!("ada"), &json!("s-a")));
    let file = json!({"command": "create", "path": "/memories/notes.md", "file_text": "a note of ada"});
    bound.post(&fixture.at("/memory-tool"), file.clone()).await.expect(200);
    let shared = fixture.app.agent(fixture.bot).post(&fixture.at("/memory-tool"), file).await.expect(200).json();
    assert_eq!(shared["is_error"], false, "each end user has files of its own: {shared}");
    // a key of another end user is another key
    let mut written = Vec::new();
    for user in ["ada", "eve"] {
        let caller = fixture.bound(json!({"end_user": user})).await;
        let request = caller.request("POST", &fixture.at("/memories")).header("Idempotency-Key", "k-1");
        written.push(request.json(json!({"content": "the same", "scope": "LOCAL"})).send().await.expect(201).id("id"));
    }
    assert_ne!(written[0], written[1]);
    // only agents are bound, by this server and by a platform
    let viewer = json!({"role": "viewer", "end_user": "ada"});
    fixture.app.admin().post(&fixture.at("/tokens"), viewer).await.refused(403, "forbidden");
    let secret = json!({"role": "agent", "end_user": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"});
    fixture.app.admin().post(&fixture.at("/tokens"), secret).await.refused(400, "invalid_field");
}
