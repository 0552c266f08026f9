//! The requests of existing clients, as they leave the client, and the parts of the responses that they read.

use std::fs;

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    runtime_commits_and_lists_memories,
    runtime_logs_activity,
    skill_promotion_is_logged_and_committed,
    mcp_server_creates_and_changes_workspaces,
    changed_attributes_are_merged_into_metadata,
    mcp_server_lists_and_removes_workspaces,
    mcp_server_commits_searches_and_deletes_memories,
    mcp_server_writes_and_deletes_entries,
    mcp_server_searches_the_session,
    mcp_server_logs_activity_with_its_types,
    template_of_the_request_is_imported,
    template_of_the_server_is_imported_by_name,
    access_is_checked_for_unknown_targets,
    scripts_find_their_words,
    workspace_of_a_profile_or_memory_is_found_by_its_id,
    workspace_id_of_another_workspace_is_refused,
    misspelled_field_is_refused_with_the_nearest_name,
);

struct Client {
    app: TestApp,
    root: Uuid,
    bot: Uuid,
    peer: Uuid,
    /// The root of another org.
    rival: Uuid,
}

impl Client {
    async fn new(on: On) -> Self {
        Self::within(TestApp::new(on).await).await
    }

    async fn within(app: TestApp) -> Self {
        let org = app.plant("acme\n  bot\n  peer\nrival").await;
        Self { root: org.id("acme"), bot: org.id("bot"), peer: org.id("peer"), rival: org.id("rival"), app }
    }

    fn agent(&self) -> Caller {
        self.app.agent(self.bot)
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}{rest}", self.bot)
    }

    async fn workspace(&self) -> Value {
        self.app.admin().get(&self.at("")).await.expect(200).json()
    }
}

async fn runtime_commits_and_lists_memories(on: On) {
    let client = Client::new(on).await;
    for (content, scope) in [("own notes", "LOCAL"), ("plan of the team", "team"), ("team holidays", "Team")] {
        let body = json!({"content": content, "scope": scope, "workspace_id": client.bot});
        let committed = client.agent().post(&client.at("/memories"), body).await.expect(201).json();
        assert!(committed["id"].is_string(), "{committed}");
        assert_eq!(committed["scope"], json!(scope.to_uppercase()));
    }
    for (query, count) in [("", 3), ("&q=team", 2), ("&scope=TEAM", 2), ("&scope=", 3), ("&scope=LOCAL&q=", 1)] {
        let path = client.at(&format!("/memories?workspace_id={}{query}", client.bot));
        let listed = client.agent().get(&path).await.expect(200).items();
        assert_eq!(listed.len(), count, "{query}");
        assert!(listed.iter().all(|memory| memory["content"].is_string() && memory["scope"].is_string()), "{listed:?}");
    }
}

async fn runtime_logs_activity(on: On) {
    let client = Client::new(on).await;
    let bot = client.bot;
    for activity in [
        json!({"workspace_id": bot, "activity_type": "memory_write", "summary": "[LOCAL] first words", "status": "ok"}),
        json!({
            "activity_type": "task_update", "source_id": bot, "target_id": "", "method": "message/send",
            "summary": "asked", "status": "ok",
        }),
        json!({"activity_type": "a2a_send", "source_id": bot, "target_id": Uuid::from_u128(3), "response_body": {"a": 1}}),
        json!({"activity_type": "a2a_receive", "source_id": "", "status": "error", "error_detail": "timeout"}),
    ] {
        client.agent().post(&client.at("/activity"), &activity).await.expect(201);
    }
    let listed = client.agent().get(&client.at("/activity?type=memory_write")).await.expect(200).items();
    assert_eq!((&listed[0]["summary"], &listed[0]["status"]), (&json!("[LOCAL] first words"), &json!("ok")));
    let updated = client.agent().get(&client.at("/activity?type=task_update")).await.expect(200).items();
    assert_eq!((&updated[0]["target_id"], &updated[0]["source_id"]), (&Value::Null, &json!(bot)));
}

async fn skill_promotion_is_logged_and_committed(on: On) {
    let client = Client::new(on).await;
    let promotion = r#"{"promote_to_skill": true, "title": "Deploy by tag", "repetition_signal": 3}"#;
    let memory = json!({"content": promotion, "scope": "LOCAL", "workspace_id": client.bot});
    client.agent().post(&client.at("/memories"), memory).await.expect(201);
    let activity = json!({
        "workspace_id": client.bot, "activity_type": "skill_promotion", "summary": "Deploy by tag", "status": "ok",
    });
    client.agent().post(&client.at("/activity"), activity).await.expect(201);
    let listed = client.agent().get(&client.at("/memories")).await.expect(200).items();
    assert_eq!(listed[0]["content"], json!(promotion));
}

/// The attributes that the platform's MCP server sends with a new workspace.
fn attributes() -> Value {
    json!({
        "tier": 1, "canvas": {"x": 120, "y": 340}, "runtime": "python", "template": "dev", "workspace_dir": "/srv/bot",
        "workspace_access": "read",
    })
}

async fn mcp_server_creates_and_changes_workspaces(on: On) {
    let client = Client::new(on).await;
    let admin = client.app.admin();
    let mut body = attributes();
    body["name"] = json!("Helper");
    body["role"] = json!("helps");
    body["parent_id"] = json!(client.bot);
    let created = admin.post("/workspaces", &body).await.expect(201).json();
    assert!(created["id"].is_string(), "{created}");
    assert_eq!((&created["metadata"], &created["parent_id"]), (&attributes(), &json!(client.bot)));
    let id = orgmem_tests::id_of(&created, "id");
    for patch in [json!({"tier": 2}), json!({"x": 1, "y": 2}), json!({"name": "Helper 2"})] {
        admin.patch(&format!("/workspaces/{id}"), patch).await.expect(200);
    }
    let changed = admin.get(&format!("/workspaces/{id}")).await.expect(200).json();
    let mut expected = attributes();
    expected["tier"] = json!(2);
    expected["x"] = json!(1);
    expected["y"] = json!(2);
    assert_eq!((&changed["name"], &changed["metadata"]), (&json!("Helper 2"), &expected));
}

async fn changed_attributes_are_merged_into_metadata(on: On) {
    let client = Client::new(on).await;
    let admin = client.app.admin();
    let path = client.at("");
    admin.patch(&path, json!({"metadata": {"floor": 3, "door": "left"}})).await.expect(200);
    admin.patch(&path, json!({"merge_metadata": {"door": null, "desk": 4}})).await.expect(200);
    assert_eq!(client.workspace().await["metadata"], json!({"floor": 3, "desk": 4}));
    admin.patch(&path, json!({"metadata": {"floor": 5}, "tier": 2})).await.expect(200);
    assert_eq!(client.workspace().await["metadata"], json!({"floor": 5, "tier": 2}));
    admin.patch(&format!("{path}?dry_run=true"), json!({"tier": 9})).await.expect(200);
    let too_long = json!({"merge_metadata": {"note": "x".repeat(70_000)}});
    admin.patch(&path, &too_long).await.refused(400, "invalid_field");
    admin.patch(&format!("{path}?dry_run=true"), &too_long).await.refused(400, "invalid_field");
    client.app.viewer(client.root).patch(&path, json!({"tier": 7})).await.refused(403, "forbidden");
    assert_eq!(client.workspace().await["metadata"], json!({"floor": 5, "tier": 2}));
}

async fn mcp_server_lists_and_removes_workspaces(on: On) {
    let client = Client::new(on).await;
    let operator = client.app.operator(client.root);
    let listed = operator.get("/workspaces").await.expect(200).items();
    assert!(listed.iter().all(|row| row["status"] == "online" && row.get("parent_id").is_some()), "{listed:?}");
    let own = client.agent().get(&client.at("")).await.expect(200).json();
    assert_eq!((&own["status"], &own["parent_id"]), (&json!("online"), &json!(client.root)));
    assert_eq!(operator.get("/workspaces?status=live").await.expect(200).items(), listed);
    let removed = operator.delete(&format!("{}?confirm=true", client.at(""))).await.expect(200).json();
    assert_eq!(removed["status"], "removed");
}

async fn mcp_server_commits_searches_and_deletes_memories(on: On) {
    let client = Client::new(on).await;
    let body = json!({"content": "tags are signed", "scope": "TEAM"});
    let id = client.agent().post(&client.at("/memories"), body).await.expect(201).id("id");
    let found = client.agent().get(&client.at("/memories?scope=TEAM&q=signed")).await.expect(200).items();
    assert_eq!(found.len(), 1);
    assert_eq!(client.agent().get(&client.at("/memories?scope=&q=")).await.expect(200).items().len(), 1);
    let deleted = client.agent().delete(&client.at(&format!("/memories/{id}"))).await.expect(200).json();
    assert_eq!(deleted, json!({"status": "deleted"}));
}

async fn mcp_server_writes_and_deletes_entries(on: On) {
    let client = Client::new(on).await;
    let agent = client.agent();
    agent.post(&client.at("/memory"), json!({"key": "plans/next week", "value": [1]})).await.expect(200);
    agent.post(&client.at("/memory"), json!({"key": "short", "value": "x", "ttl_seconds": 60})).await.expect(200);
    assert_eq!(agent.get(&client.at("/memory")).await.expect(200).items().len(), 2);
    let path = client.at("/memory/plans%2Fnext%20week");
    assert_eq!(agent.get(&path).await.expect(200).json()["value"], json!([1]));
    for _ in 0..2 {
        assert_eq!(agent.delete(&path).await.expect(200).json(), json!({"status": "deleted"}));
    }
    agent.get(&path).await.refused(404, "not_found");
    agent.request("DELETE", &path).header("if-match", "1").send().await.refused(409, "version_conflict");
    client.app.viewer(client.root).delete(&path).await.refused(403, "forbidden");
}

async fn mcp_server_searches_the_session(on: On) {
    let client = Client::new(on).await;
    client.agent().commit(client.bot, "TEAM", "deploys happen on tuesdays").await;
    client
        .agent()
        .post(&client.at("/activity"), json!({"activity_type": "agent_log", "summary": "up"}))
        .await
        .expect(201);
    for query in ["", "?q=&limit=", "?q=deploys&limit=5"] {
        let hits = client.agent().get(&client.at(&format!("/session-search{query}"))).await.expect(200).items();
        let memory = hits.iter().find(|hit| hit["kind"] == "memory").expect("the memory");
        assert_eq!((&memory["label"], &memory["memory_kind"]), (&json!("TEAM"), &json!("fact")), "{query}");
        assert!(hits.iter().all(|hit| hit["method"].is_string() && hit["status"].is_string()), "{hits:?}");
        assert_eq!((&memory["method"], &memory["status"]), (&json!(""), &json!("")), "{query}");
    }
}

async fn mcp_server_logs_activity_with_its_types(on: On) {
    let client = Client::new(on).await;
    for (activity_type, duration, stored) in
        [("a2a_send", json!(12.5), 13), ("tool_call", json!(0.2), 0), ("task_complete", json!(7), 7)]
    {
        let body = json!({"activity_type": activity_type, "summary": "done", "status": "ok", "duration_ms": duration});
        let logged = client.agent().post(&client.at("/activity"), body).await.expect(201).json();
        assert_eq!((&logged["status"], &logged["duration_ms"]), (&json!("logged"), &json!(stored)));
        let listed = client.agent().get(&client.at(&format!("/activity?type={activity_type}"))).await.expect(200);
        assert_eq!(listed.items()[0]["status"], "ok");
    }
    let negative = json!({"activity_type": "tool_call", "duration_ms": -0.7});
    client.agent().post(&client.at("/activity"), negative).await.refused(400, "invalid_field");
}

fn template() -> Value {
    json!({
        "name": "Shop",
        "workspaces": [{
            "name": "Shop Lead", "role": "leads", "tier": 2,
            "initial_memories": [{"content": "prices are net", "scope": "LOCAL"}],
            "children": [{"name": "Clerk", "role": "sells", "tier": 1}],
        }],
        "global_memories": [{"content": "the shop opens at nine", "scope": "GLOBAL"}],
    })
}

async fn template_of_the_request_is_imported(on: On) {
    let client = Client::new(on).await;
    let admin = client.app.admin();
    let body = json!({"template": template()});
    let imported = admin.post("/org/import", &body).await.expect(201).json();
    let ids: Vec<Uuid> = serde_json::from_value(imported["workspace_ids"].clone()).expect("ids");
    assert_eq!(ids.len(), 2);
    let clerk = admin.get(&format!("/workspaces/{}", ids[1])).await.expect(200).json();
    assert_eq!((&clerk["parent_id"], &clerk["metadata"]), (&json!(ids[0]), &json!({"tier": 1})));
    let read = client.app.agent(ids[1]).get(&format!("/workspaces/{}/memories?scope=GLOBAL", ids[1])).await.expect(200);
    assert_eq!(read.items().len(), 1, "the whole org reads the global memory");
    let again = admin.post("/org/import", &body).await.expect(200).json();
    assert_eq!((&again["workspace_ids"], &again["memories_committed"]), (&json!(ids), &json!(0)));
    client.app.operator(client.root).post("/org/import", &body).await.refused(403, "forbidden");
    admin.post("/org/import", json!({})).await.refused(400, "invalid_field");
}

async fn template_of_the_server_is_imported_by_name(on: On) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).expect("a file");
    fs::create_dir(folder.path().join("shop")).expect("a folder");
    write("shop/org.yaml", &template().to_string());
    write("plain.yaml", "name: Plain\nchildren:\n  - name: One\n");
    write("broken.yaml", "name: Plain\nchildrn: []\n");
    let app = TestApp::builder(on).with("ORGMEM_TEMPLATES_DIR", &folder.path().display().to_string()).start().await;
    let admin = app.admin();
    for (name, workspaces) in [("shop", 2), ("plain", 2)] {
        let imported = admin.post("/org/import", json!({"dir": name})).await.expect(201).json();
        assert_eq!(imported["workspaces_created"], workspaces, "{name}");
    }
    for name in ["absent", "../shop", "shop/org", "/etc/passwd", ""] {
        let refusal = admin.post("/org/import", json!({"dir": name})).await;
        refusal.refused(404, "not_found");
        let detail = refusal.json()["detail"].to_string();
        assert!(detail.contains("`POST /orgs/import`") && detail.contains("`templates_dir`"), "{detail}");
    }
    let broken = admin.post("/org/import", json!({"dir": "broken"})).await;
    broken.refused(400, "invalid_field");
    assert!(broken.json()["detail"].to_string().contains("did you mean `children`?"), "{}", broken.describe());
    let unset = TestApp::new(on).await;
    unset.admin().post("/org/import", json!({"dir": "shop"})).await.refused(404, "not_found");
    unset.agent(Uuid::from_u128(1)).post("/org/import", json!({"dir": "shop"})).await.refused(401, "token_invalid");
}

async fn access_is_checked_for_unknown_targets(on: On) {
    let client = Client::new(on).await;
    for (target, allowed) in [
        (json!(client.root), true),
        (json!(client.bot), true),
        (json!(Uuid::from_u128(9)), false),
        (json!("nobody"), false),
        (json!(""), false),
    ] {
        let body = json!({"caller_id": client.bot, "target_id": target});
        let checked = client.agent().post("/registry/check-access", body).await.expect(200).json();
        assert_eq!(checked, json!({"allowed": allowed}), "{target}");
    }
}

/// The scripts search for these words in the text of the responses.
async fn scripts_find_their_words(on: On) {
    let client = Client::new(on).await;
    let admin = client.app.admin();
    let created = admin.post("/workspaces", json!({"name": "Script", "tier": 1})).await.expect(201);
    assert!(String::from_utf8_lossy(&created.body).contains("\"id\""));
    let activity = json!({"activity_type": "agent_log", "summary": "up", "status": "ok"});
    let logged = client.agent().post(&client.at("/activity"), activity).await.expect(201);
    assert!(String::from_utf8_lossy(&logged.body).contains(r#""status":"logged""#), "{}", logged.describe());
    client.agent().post(&client.at("/memory"), json!({"key": "k", "value": 1})).await.expect(200);
    let write = json!({"key": "k", "value": 2, "if_match_version": 7});
    let conflict = client.agent().post(&client.at("/memory"), write).await;
    conflict.refused(409, "version_conflict");
    assert_eq!((&conflict.json()["expected_version"], &conflict.json()["current_version"]), (&json!(7), &json!(1)));
    let removal = admin.delete(&format!("/workspaces/{}", client.root)).await.expect(409).json();
    assert_eq!(removal["status"], "confirmation_required");
}

async fn workspace_of_a_profile_or_memory_is_found_by_its_id(on: On) {
    let client = Client::new(on).await;
    let (app, bot) = (&client.app, client.bot);
    let profile = app.admin().post(&client.at("/profiles"), json!({"name": "notes"})).await.expect(201).id("id");
    let memory = client.agent().commit(bot, "LOCAL", "my own").await;
    let lookup = |id: Uuid| format!("/lookup/{id}");
    for (id, kind) in [(profile, "profile"), (memory, "memory"), (bot, "profile")] {
        for caller in [client.agent(), app.operator(client.root), app.admin()] {
            let located = caller.get(&lookup(id)).await.expect(200).json();
            assert_eq!(located, json!({"id": id, "kind": kind, "workspace_id": bot, "org_id": client.root}));
        }
    }
    let peer = client.peer;
    app.agent(peer).get(&lookup(memory)).await.refused(404, "not_found");
    app.agent(peer).get(&lookup(profile)).await.refused(403, "forbidden");
    let other = client.rival;
    for id in [profile, memory, bot, Uuid::from_u128(5)] {
        app.agent(other).get(&lookup(id)).await.refused(404, "not_found");
    }
    app.admin().get("/lookup/nothing").await.refused(404, "not_found");
    let same = json!({"content": "same id", "scope": "LOCAL", "id": memory});
    app.agent(other).post(&format!("/workspaces/{other}/memories"), same).await.expect(201);
    app.admin().get(&lookup(memory)).await.refused(409, "ambiguous");
    assert_eq!(app.agent(other).get(&lookup(memory)).await.expect(200).json()["workspace_id"], json!(other));
}

async fn workspace_id_of_another_workspace_is_refused(on: On) {
    let client = Client::new(on).await;
    let expected = format!("`workspace_id` must be the workspace of the address, `{}`, or absent, not `", client.bot);
    let memory = json!({"content": "x", "scope": "LOCAL", "workspace_id": client.root});
    let activity = json!({"activity_type": "agent_log", "workspace_id": client.root});
    for refusal in [
        client.agent().post(&client.at("/memories"), memory).await,
        client.agent().post(&client.at("/activity"), activity).await,
        client.agent().get(&client.at(&format!("/memories?workspace_id={}", client.root))).await,
    ] {
        refusal.refused(400, "invalid_field");
        let problem = refusal.json();
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.starts_with(&expected), "{detail}");
        assert_eq!(problem["field"], "workspace_id");
    }
    assert!(client.agent().get(&client.at("/memories")).await.expect(200).items().is_empty());
}

async fn misspelled_field_is_refused_with_the_nearest_name(on: On) {
    let client = Client::new(on).await;
    for (path, body, sentence) in [
        (client.at("/memories"), json!({"contents": "x", "scope": "LOCAL"}), "; did you mean `content`?"),
        (client.at("/activity"), json!({"activty_type": "error"}), "; did you mean `activity_type`?"),
        ("/workspaces".to_owned(), json!({"name": "x", "tier": 1, "perent_id": 2}), "; did you mean `parent_id`?"),
        ("/workspaces".to_owned(), json!({"name": "x", "tier": 1, "tear": 2}), "`role`, `metadata`"),
    ] {
        let refusal = client.app.admin().post(&path, body).await;
        refusal.refused(400, "invalid_field");
        let detail = refusal.json()["detail"].as_str().expect("a sentence").to_owned();
        assert!(detail.starts_with("unknown field `") && detail.ends_with(sentence), "{detail}");
    }
}
