//! Invalid arguments of tools: the model receives the problem of the equivalent route.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

use super::use_tool;

for_each_store!(
    invalid_argument_has_the_problem_of_its_route,
    null_equals_a_missing_optional_argument,
    argument_of_a_model_is_understood_where_unambiguous,
    every_field_of_a_memory_is_committed_and_edited,
    every_filter_of_a_search_is_applied,
    query_has_its_name_in_rest_too,
    subject_of_an_entry_is_stored,
    arguments_have_the_nesting_limit_of_bodies,
);

async fn invalid_argument_has_the_problem_of_its_route(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let before = app.dump();
    let (commit, put) = (("commit_memory", "memories"), ("memory_set", "memory"));
    for ((tool, route), arguments) in [
        (commit, json!({"content": "x", "scope": "LOCAL", "confidence": "high"})),
        (commit, json!({"content": "x", "scope": "LOCAL", "confidence": 7})),
        (commit, json!({"content": "x", "scope": "TEAMS"})),
        (commit, json!({"content": ["sk-very-secret"], "scope": "LOCAL"})),
        (commit, json!({"content": "x", "scope": "LOCAL", "tags": ["api", 2]})),
        (commit, json!({"content": "x", "scope": "LOCAL", "run_id": "the last one"})),
        (commit, json!({"scope": "LOCAL"})),
        (put, json!({"key": 5, "value": 1})),
        (put, json!({"value": 1})),
        (put, json!({"key": "a", "value": 1, "ttl_seconds": "a day"})),
        (put, json!({"key": "a", "value": 1, "if_match_version": 1.5})),
    ] {
        let refused = agent.post(&format!("/workspaces/{bot}/{route}"), &arguments).await;
        let detail = refused.refused(400, "invalid_field")["detail"].clone();
        assert_eq!(refusal(&use_tool(&agent, tool, arguments.clone()).await), &detail, "{tool} {arguments}");
    }
    let unknown = use_tool(&agent, "memory_get", json!({"key": "a", "kee": "b"})).await;
    assert_eq!(refusal(&unknown), "unknown field `kee`; known fields are `key`");
    let limit = use_tool(&agent, "search_memory", json!({"limit": "sk-very-secret"})).await;
    assert_eq!(refusal(&limit), "`limit` must be a whole number from 0 up, not a string");
    assert_eq!(app.dump(), before);
}

async fn null_equals_a_missing_optional_argument(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let nothing = json!({
        "content": "the kiln is lit", "scope": null, "namespace": null, "kind": null, "confidence": null, "tags": null,
        "run_id": null,
    });
    let committed = use_tool(&agent, "commit_memory", nothing).await["structuredContent"].clone();
    assert_eq!((&committed["scope"], &committed["namespace"]), (&json!("LOCAL"), &json!("general")));
    let nothing = json!({
        "query": null, "scope": null, "namespaces": null, "kinds": null, "limit": null, "neighbours": null,
    });
    let found = use_tool(&agent, "search_memory", nothing).await["structuredContent"].clone();
    assert_eq!(found["memories"][0]["id"], committed["id"]);
    for (tool, nothing) in [
        ("session_search", json!({"q": null, "limit": null})),
        ("memory_set", json!({"key": "a", "value": null, "ttl_seconds": null, "if_match_version": null})),
        ("memory_list", json!({"prefix": null, "limit": null, "cursor": null})),
        ("delete_memory", json!({"memory_id": committed["id"], "namespace": null})),
    ] {
        let result = use_tool(&agent, tool, nothing).await;
        assert_ne!(result["isError"], true, "{tool}: {result}");
    }
}

async fn argument_of_a_model_is_understood_where_unambiguous(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let sent = json!({
        "content": "the kiln is lit", "scope": "team", "namespace": "", "kind": "Fact", "run_id": "", "tags": "api",
        "confidence": "0.8", "pin": "true", "ttl_seconds": "60", "metadata": "{\"a\": 1}", "expires_at": "",
    });
    let id = use_tool(&agent, "commit_memory", sent).await["structuredContent"]["id"].clone();
    let id = id.as_str().expect("an id");
    let memory = agent.get(&format!("/workspaces/{bot}/memories/{id}")).await.expect(200).json();
    let expected = json!({
        "scope": "TEAM", "namespace": "general", "kind": "fact", "tags": ["api"], "confidence": 0.8, "pin": true,
        "metadata": {"a": 1},
    });
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&memory[name], value, "{name}: {memory}");
    }
    let local = json!({"content": "the kiln is cold", "scope": ""});
    assert_eq!(use_tool(&agent, "commit_memory", local).await["structuredContent"]["scope"], "LOCAL");
    for sent in [
        json!({"query": "", "scope": "", "limit": "5", "namespaces": "general", "kinds": "FACT", "author": ""}),
        json!({"q": "kiln", "namespace": "general", "kind": "Fact", "limit": 5.0, "order": "Recent", "explain": "false"}),
        json!({"query": "kiln", "namespaces": [""], "kinds": [], "mode": "AUTO", "min_confidence": "0.1", "cursor": ""}),
    ] {
        let found = use_tool(&agent, "search_memory", sent.clone()).await;
        assert_eq!(found["structuredContent"]["memories"].as_array().map(Vec::len), Some(2), "{sent}: {found}");
    }
    let ended = use_tool(&agent, "start_run", json!({"session_id": "", "label": ""})).await;
    let run = ended["structuredContent"]["run_id"].clone();
    let ended = use_tool(&agent, "finish_run", json!({"run_id": run, "status": "COMPLETED"})).await;
    assert_eq!(ended["structuredContent"]["status"], "completed", "{ended}");
    // a required text and any JSON value stay as they are
    let blank = use_tool(&agent, "commit_memory", json!({"content": ""})).await;
    assert!(refusal(&blank).as_str().is_some_and(|text| text.contains("`content`")), "{blank}");
    use_tool(&agent, "memory_set", json!({"key": "a", "value": "5", "if_match_version": "0"})).await;
    assert_eq!(use_tool(&agent, "memory_get", json!({"key": "a"})).await["structuredContent"]["value"], "5");
}

async fn every_field_of_a_memory_is_committed_and_edited(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (dev, bot) = (org.id("dev"), org.id("bot"));
    let agent = app.agent(bot);
    let run = use_tool(&agent, "start_run", json!({"session_id": "s1", "label": "nightly"})).await;
    let run = run["structuredContent"]["run_id"].clone();
    let old = agent.commit(bot, "TEAM", "the kiln is cold").await;
    let profile = app.admin().post(&format!("/workspaces/{bot}/profiles"), json!({"name": "notes"})).await;
    let profile = profile.expect(201).json()["id"].clone();
    let fields = json!({
        "scope": "TEAM", "team": dev, "namespace": "ops", "kind": "checkpoint", "source": "tool", "confidence": 0.9,
        "tags": ["a", "b"], "metadata": {"k": [1]}, "subject": "ada", "session_id": "s1", "pin": true,
        "expires_at": "2100-01-31T12:00:00Z", "supersedes": old, "run_id": run, "profile_id": profile,
        "id": "01890000-0000-7000-8000-000000000001", "content": "the kiln is lit", "title": "Kiln",
    });
    let committed = use_tool(&agent, "commit_memory", fields.clone()).await;
    assert_eq!(committed["structuredContent"]["pending"], true, "{committed}");
    use_tool(&agent, "finish_run", json!({"run_id": run, "status": "completed"})).await;
    let path = format!("/workspaces/{bot}/memories/01890000-0000-7000-8000-000000000001");
    let stored = agent.get(&path).await.expect(200).json();
    for (name, value) in fields.as_object().expect("an object") {
        assert_eq!(&stored[name], value, "{name}: {stored}");
    }
    let found = use_tool(&agent, "search_memory", json!({"query": "lit", "subject": "ada"})).await;
    let found = &found["structuredContent"]["memories"][0];
    for (name, value) in fields.as_object().expect("an object") {
        assert_eq!(&found[name], value, "{name}: {found}");
    }
    let edit = json!({
        "content": "the kiln is hot", "namespace": "dev", "kind": "summary", "source": "eval", "confidence": 0.25,
        "tags": ["c"], "metadata": {"k": 2}, "subject": "bob", "session_id": "s2", "pin": false,
        "expires_at": "2101-01-31T12:00:00Z", "title": "Hot kiln",
    });
    let mut sent = edit.clone();
    (sent["memory_id"], sent["if_match_version"]) = (fields["id"].clone(), json!(7));
    let stale = use_tool(&agent, "edit_memory", sent.clone()).await;
    assert_eq!(stale["isError"], true, "{stale}");
    sent["if_match_version"] = stored["version"].clone();
    let edited = use_tool(&agent, "edit_memory", sent).await;
    assert_eq!(edited["structuredContent"]["version"], 2, "{edited}");
    let stored = agent.get(&path).await.expect(200).json();
    for (name, value) in edit.as_object().expect("an object") {
        assert_eq!(&stored[name], value, "{name}: {stored}");
    }
    // `null` and the empty string change nothing; `clear` empties
    let names = ["title", "metadata", "subject", "session_id", "expires_at", "tags"];
    let nothing = json!({"memory_id": fields["id"], "title": "", "subject": null, "session_id": "", "pin": true});
    use_tool(&agent, "edit_memory", nothing).await;
    let stored = agent.get(&path).await.expect(200).json();
    assert!(names.iter().all(|name| stored[name] == edit[name]) && stored["pin"] == true, "{stored}");
    use_tool(&agent, "edit_memory", json!({"memory_id": fields["id"], "clear": names})).await;
    let stored = agent.get(&path).await.expect(200).json();
    assert!(names.iter().all(|name| stored[name].is_null() || stored[name] == json!([])), "{stored}");
}

async fn every_filter_of_a_search_is_applied(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let other = json!({"scope": "TEAM", "content": "the kiln of the peer"});
    app.agent(peer).commit_with(peer, other).await;
    let wanted = json!({
        "scope": "TEAM", "content": "the kiln of the bot", "namespace": "ops", "kind": "summary", "source": "tool",
        "confidence": 0.9, "tags": ["a"], "subject": "ada", "session_id": "s1",
    });
    let profile = app.admin().post(&format!("/workspaces/{bot}/profiles"), json!({"name": "notes"})).await;
    let profile = profile.expect(201).id("id");
    let wanted = {
        let mut wanted = wanted;
        (wanted["profile_id"], wanted["pin"]) = (json!(profile), json!(true));
        wanted
    };
    agent.commit_with(bot, wanted).await;
    let all = use_tool(&agent, "search_memory", json!({"query": "kiln"})).await;
    assert_eq!(all["structuredContent"]["memories"].as_array().map(Vec::len), Some(2), "{all}");
    for filter in [
        json!({"namespaces": ["ops", "dev"]}),
        json!({"kinds": ["summary", "checkpoint"]}),
        json!({"source": "tool"}),
        json!({"tag": "a"}),
        json!({"author": bot}),
        json!({"subject": "ada"}),
        json!({"session_id": "s1"}),
        json!({"min_confidence": 0.8}),
        json!({"profile_id": profile}),
        json!({"pinned": true}),
    ] {
        let mut sent = filter.clone();
        sent["query"] = json!("kiln");
        let found = use_tool(&agent, "search_memory", sent).await;
        let found = found["structuredContent"]["memories"].as_array().expect("a list").clone();
        assert_eq!(found.len(), 1, "{filter}: {found:?}");
        assert_eq!(found[0]["content"], "the kiln of the bot", "{filter}");
    }
    for (filter, count) in [
        (json!({"since": "2000-01-01T00:00:00Z"}), 2),
        (json!({"until": "2000-01-01T00:00:00Z"}), 0),
        (json!({"scope": "LOCAL"}), 0),
        (json!({"pinned": false}), 1),
        (json!({"run_id": "01890000-0000-7000-8000-000000000001"}), 0),
    ] {
        let found = use_tool(&agent, "search_memory", filter.clone()).await;
        assert_eq!(found["structuredContent"]["memories"].as_array().map(Vec::len), Some(count), "{filter}: {found}");
    }
    let first = use_tool(&agent, "search_memory", json!({"limit": 1, "order": "recent", "explain": true})).await;
    let first = &first["structuredContent"];
    assert_eq!(first["memories"][0]["explanation"]["rank"], 1, "{first}");
    let second = json!({"limit": 1, "order": "recent", "cursor": first["next"]});
    let second = use_tool(&agent, "search_memory", second).await["structuredContent"].clone();
    assert_ne!(second["memories"][0]["id"], first["memories"][0]["id"], "{second}");
    let again = agent.commit(bot, "TEAM", "the kiln of the bot").await;
    let collapsed = use_tool(&agent, "search_memory", json!({"query": "kiln", "collapse": true})).await;
    let collapsed = collapsed["structuredContent"]["memories"].as_array().expect("a list").clone();
    assert_eq!(collapsed.len(), 2, "{collapsed:?}");
    agent.delete(&format!("/workspaces/{bot}/memories/{again}")).await.expect(200);
    let refused = use_tool(&agent, "search_memory", json!({"min_confidence": 2})).await;
    assert_eq!(refusal(&refused), "`min_confidence` must be a number from 0 to 1");
    let kind = json!({"query": "kiln", "kind": "Memory", "session_id": "s1", "since": "2000-01-01T00:00:00Z"});
    let recent = use_tool(&agent, "session_search", kind).await;
    assert_eq!(recent["structuredContent"]["items"].as_array().map(Vec::len), Some(1), "{recent}");
}

async fn query_has_its_name_in_rest_too(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let memory = agent.commit(bot, "LOCAL", "the kiln is lit").await;
    for (query, cause) in [("kiln", "found"), ("zeppelin", "not_found")] {
        let why = use_tool(&agent, "why_memory", json!({"memory_id": memory, "q": query})).await;
        assert_eq!(why["structuredContent"]["cause"], cause, "{why}");
    }
    let context = async |argument: &str| {
        let context = use_tool(&agent, "get_context", json!({argument: "kiln"})).await;
        assert_ne!(context["isError"], true, "{context}");
        context["structuredContent"]["block"].clone()
    };
    assert_eq!(context("q").await, context("query").await);
    let twice = use_tool(&agent, "get_context", json!({"q": "kiln", "query": "kiln"})).await;
    assert_eq!(twice["isError"], true, "{twice}");
}

async fn subject_of_an_entry_is_stored(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    use_tool(&agent, "memory_set", json!({"key": "a", "value": 1, "subject": "ada"})).await;
    let entry = agent.get(&format!("/workspaces/{bot}/memory/a")).await.expect(200).json();
    assert_eq!(entry["subject"], "ada", "{entry}");
}

async fn arguments_have_the_nesting_limit_of_bodies(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    // the body and the arguments are one level each
    let entry = |levels| json!({"key": "deep", "value": (1..levels).fold(json!(1), |inside, _| json!([inside]))});
    agent.post(&format!("/workspaces/{bot}/memory"), entry(64)).await.expect(200);
    assert_eq!(use_tool(&agent, "memory_set", entry(64)).await["structuredContent"]["version"], 2);
    let before = app.dump();
    agent.post(&format!("/workspaces/{bot}/memory"), entry(65)).await.refused(400, "bad_request");
    for levels in [65, 118] {
        let refused = use_tool(&agent, "memory_set", entry(levels)).await;
        assert_eq!(refusal(&refused), "the arguments nest deeper than 64 levels; reduce the nesting");
    }
    assert_eq!(app.dump(), before);
}

/// The text of a failed tool call.
fn refusal(result: &Value) -> &Value {
    assert_eq!(result["isError"], true, "{result}");
    &result["content"][0]["text"]
}
