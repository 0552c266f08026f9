//! Calls every operation and validates the response against the description.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::schema::violations;
use super::{Api, Reply, send};

pub(super) struct Validator {
    api: Api,
    document: Value,
    called: BTreeSet<String>,
}

impl Validator {
    async fn new() -> Self {
        let api = Api::start().await;
        let document = api.get("/openapi.json").await.json();
        Self { api, document, called: BTreeSet::new() }
    }

    /// Calls the operation of this name, with `ids` in its path.
    pub(super) async fn call(&mut self, name: &str, ids: &[(&str, &str)], query: &str, body: Option<Value>) -> Reply {
        let (method, path, operation) = self.find(name);
        let path = ids.iter().fold(path, |path, (name, id)| path.replace(&format!("{{{name}}}"), id));
        let mut request = self.api.request(&method, &format!("{path}{query}"));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let reply = send(request).await;
        self.validate(name, &operation, &reply);
        self.called.insert(name.to_owned());
        reply
    }

    fn find(&self, name: &str) -> (String, String, Value) {
        let paths = self.document["paths"].as_object().expect("paths");
        let mut all = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| (method.to_uppercase(), path.clone(), operation.clone()))
        });
        all.find(|(_, _, operation)| operation["operationId"] == name).expect(name)
    }

    #[track_caller]
    fn validate(&self, name: &str, operation: &Value, reply: &Reply) {
        let described = &operation["responses"][reply.status.to_string()];
        assert!(!described.is_null(), "{name} returns {}, which is not described: {}", reply.status, reply.text);
        let described = match described["$ref"].as_str() {
            Some(reference) => self.document.pointer(reference.trim_start_matches('#')).expect(reference),
            None => described,
        };
        let media_type = reply.header("content-type");
        let content = described["content"].as_object().and_then(|content| content.get(media_type));
        let schema =
            &content.unwrap_or_else(|| panic!("{name} returns {media_type}, which is not described"))["schema"];
        let found = violations(&self.document, schema, &reply.json(), name);
        assert!(found.is_empty(), "{found:#?}\n{}", reply.text);
        for header in described["headers"].as_object().into_iter().flatten().map(|(header, _)| header) {
            let is_present = reply.headers.contains_key(header.as_str()) || header == "Link";
            assert!(is_present, "{name} has no {header}");
        }
    }
}

pub(super) fn id_of(reply: &Reply) -> String {
    reply.json()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn every_response_matches_its_description() {
    let mut api = Validator::new().await;
    let root = id_of(&api.call("create_workspace", &[], "", Some(json!({"name": "Acme", "role": "boss"}))).await);
    let child = json!({"name": "Dev", "parent_id": root, "metadata": {"floor": 3}});
    let child = id_of(&api.call("create_workspace", &[], "", Some(child)).await);
    let (root_id, child_id) = ([("id", root.as_str())], [("id", child.as_str())]);

    api.call("read_me", &[], "", None).await;
    api.call("list_workspaces", &[], "?limit=1", None).await;
    api.call("read_workspace", &child_id, "", None).await;
    api.call("patch_workspace", &child_id, "", Some(json!({"name": "Development"}))).await;
    let limits = json!({"memories": 9_000, "bytes": 9_000_000, "searches_per_minute": 600});
    api.call("set_budget", &root_id, "", Some(limits)).await;
    assert_eq!(api.call("set_budget", &child_id, "", Some(json!({"memories": 9_001}))).await.status, 409);
    api.call("set_budget", &child_id, "", Some(json!({"memories": 4_000}))).await;
    api.call("read_budget", &child_id, "", None).await;
    api.call("read_tree", &root_id, "", None).await;
    api.call("remove_budget", &child_id, "", None).await;
    api.call("read_reach", &root_id, "", None).await;
    api.call("read_relation", &[("id", &root), ("other", &child)], "", None).await;
    api.call("check_access", &[], "", Some(json!({"caller_id": root, "target_id": child}))).await;

    memories(&mut api, &child).await;
    namespaces(&mut api, &child).await;
    entries(&mut api, &child).await;
    runs(&mut api, &child).await;
    profiles(&mut api, &child).await;
    memory_tool(&mut api, &child).await;
    let episode = json!({"activity_type": "agent_log", "summary": "built it", "request_body": [1], "duration_ms": 5});
    let appended = id_of(&api.call("append_episode", &child_id, "", Some(episode)).await);
    let of_episode = [("id", child.as_str()), ("eid", appended.as_str())];
    api.call("redact_episode", &of_episode, "", Some(json!({"reason": "a test"}))).await;
    api.call("list_episodes", &child_id, "", None).await;
    pages(&mut api, &child).await;
    skills(&mut api, &child).await;
    records(&mut api, &root).await;
    documents(&mut api, &child).await;
    super::rows::rows(&mut api, &child).await;
    api.call("read_skill_rule", &child_id, "", None).await;
    api.call("change_skill_rule", &root_id, "", Some(json!({"sessions": 3}))).await;
    api.call("locate_item", &child_id, "", None).await;
    api.call("search_session", &child_id, "?q=built", None).await;

    api.call("read_access_log", &child_id, "", None).await;
    api.call("verify_access_log", &root_id, "", None).await;
    let token = api.call("issue_token", &child_id, "", Some(json!({"role": "agent"}))).await.json();
    api.call("list_tokens", &child_id, "", None).await;
    api.call("revoke_token", &[("jti", token["jti"].as_str().expect("an id"))], "", None).await;
    api.call("revoke_tokens", &child_id, "?dry_run=true", None).await;
    api.call("revoke_tokens", &child_id, "", None).await;
    let document = json!({"name": "Beta", "children": [{"name": "Ops"}]});
    api.call("read_demo", &[], "", None).await;
    api.call("import_org", &[], "?dry_run=true", Some(document.clone())).await;
    api.call("import_org", &[], "", Some(document)).await;
    let template = json!({"template": {"name": "Gamma", "workspaces": [{"name": "Lead", "tier": 1}]}});
    api.call("import_template", &[], "", Some(template)).await;
    let memory = json!({"content": "imported", "scope": "LOCAL", "workspace_id": child});
    api.call("import_memories", &[], "", Some(json!([memory]))).await;
    api.call("export_memories", &[], "", None).await;
    api.call("scrub_stored", &[], "?dry_run=true", None).await;
    api.call("list_providers", &[], "", None).await;
    for verb in ["promote_provider", "demote_provider"] {
        // the settings have none
        let change = json!({"surface": "phone"});
        assert_eq!(api.call(verb, &[("name", "acme")], "", Some(change)).await.status, 404);
    }
    api.call("read_admin_tree", &[], "", None).await;
    api.call("read_admin_stats", &[], "", None).await;
    for name in ["check_health", "check_health_older", "check_readiness", "read_version", "read_openapi"] {
        api.call(name, &[], "", None).await;
    }
    assert_eq!(api.call("remove_workspace", &root_id, "", None).await.status, 409);
    assert_eq!(api.call("remove_workspace", &root_id, "?children=promote", None).await.status, 409);
    assert_eq!(api.call("remove_workspace", &root_id, "?children=cascade", None).await.status, 200);
    assert_eq!(api.call("read_workspace", &root_id, "", None).await.status, 410);
    check_all_called(&api);
}

async fn records(api: &mut Validator, root: &str) {
    let ids = [("id", root)];
    let (as_of, of_mug) = ("2026-01-02T03:04:05Z", [("id", root), ("entity", "mug")]);
    let price = json!({"fields": {"price": {"value": 12.5, "unit": "EUR"}}, "as_of": as_of});
    api.call("put_record", &of_mug, "", Some(price)).await;
    let stock = json!({"fields": {"stock": {"value": 3}, "colour": null}, "as_of": as_of});
    api.call("patch_record", &of_mug, "", Some(stock)).await;
    let pen = json!({"entity": "pen", "fields": {"stock": {"value": 7}}, "as_of": as_of});
    api.call("write_records", &ids, "", Some(json!({"records": [pen]}))).await;
    api.call("read_record", &of_mug, "", None).await;
    api.call("list_records", &ids, "", None).await;
    reviews(api, root).await;
    grants(api, root).await;
    api.call("delete_record", &of_mug, "", None).await;
    assert_eq!(api.call("read_record", &of_mug, "", None).await.status, 404);
}

async fn documents(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let document = json!({
        "title": "Guide", "content": "# A\n\nText of the guide.\n", "media_type": "text/markdown", "scope": "LOCAL",
        "collection": "shop", "tags": ["a"], "author": "Ada", "source_uri": "file:///guide.md", "metadata": {"tier": 2},
        "expires_at": "2999-01-02T03:04:05Z",
    });
    let added = id_of(&api.call("add_document", &ids, "", Some(document)).await);
    let of_document = [("id", workspace), ("did", added.as_str())];
    api.call("list_documents", &ids, "?tag=a", None).await;
    api.call("read_document", &of_document, "", None).await;
    api.call("read_document_content", &of_document, "?from=1&length=4", None).await;
    api.call("edit_document", &of_document, "", Some(json!({"author": null, "tags": []}))).await;
    api.call("search_memories", &ids, "?q=guide&in=memories,documents", None).await;
    let redacted = api.call("redact_document", &of_document, "", Some(json!({"reason": "a test"}))).await;
    assert_eq!(redacted.status, 200);
    assert_eq!(api.call("delete_document", &of_document, "", None).await.status, 404);
    let another = json!({"title": "Another", "content": "Text.", "scope": "LOCAL"});
    let added = id_of(&api.call("add_document", &ids, "", Some(another)).await);
    api.call("delete_document", &[("id", workspace), ("did", added.as_str())], "", None).await;
}

/// A memory claims another price than the record.
async fn reviews(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let claims = json!([{"entity": "mug", "field": "price", "value": 11}]);
    let memory = json!({"content": "The mug costs 11 EUR.", "scope": "LOCAL", "claims": claims});
    let memory = id_of(&api.call("commit_memory", &ids, "", Some(memory)).await);
    api.call("read_memory", &[("id", workspace), ("mid", &memory)], "", None).await;
    let listed = api.call("list_reviews", &ids, "?status=open", None).await.json();
    let of_review = [("id", workspace), ("rid", listed[0]["id"].as_str().expect("a review"))];
    let decision = json!({"decision": "record_wins", "note": "the price list is right"});
    assert_eq!(api.call("decide_review", &of_review, "", Some(decision)).await.status, 200);
}

async fn grants(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let grant = json!({
        "subject": "ada", "sessions": ["s-1"], "to": {"session": "s-2", "workspace": workspace},
        "expires_at": "2999-01-02T03:04:05Z", "evidence": "Ada: yes, look it up",
    });
    let given = id_of(&api.call("give_grant", &ids, "", Some(grant)).await);
    let all = json!({"subject": "eve", "sessions": "all", "to": {"workspace": workspace}, "evidence": "yes"});
    api.call("give_grant", &ids, "", Some(all)).await;
    api.call("list_grants", &ids, "?subject=ada", None).await;
    api.call("search_memories", &ids, "?sessions=granted&subject=ada", None).await;
    assert_eq!(api.call("revoke_grant", &[("id", workspace), ("gid", &given)], "", None).await.status, 200);
}

async fn skills(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let procedure = json!({"content": "Press the button.", "kind": "procedure", "scope": "LOCAL"});
    let memory = id_of(&api.call("commit_memory", &ids, "", Some(procedure)).await);
    let of_memory = [("id", workspace), ("mid", memory.as_str())];
    let report = json!({"outcome": "success", "note": "it worked"});
    api.call("report_outcome", &of_memory, "", Some(report)).await;
    api.call("read_evidence", &of_memory, "", None).await;
    let draft = json!({"memory_ids": [memory], "name": "press", "description": "Presses."});
    assert_eq!(api.call("draft_skill", &ids, "", Some(draft)).await.status, 201);
    let of_skill = [("id", workspace), ("name", "press")];
    api.call("list_skills", &ids, "?status=draft", None).await;
    api.call("diff_skill", &of_skill, "?from=1&to=1", None).await;
    assert_eq!(api.call("approve_skill", &of_skill, "", Some(json!({}))).await.status, 200);
    assert_eq!(api.call("approve_skill", &of_skill, "", Some(json!({}))).await.status, 409);
    api.call("list_skills", &ids, "", None).await;
    api.call("read_skill", &of_skill, "", None).await;
    api.call("withdraw_skill", &of_skill, "", None).await;
}

async fn pages(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let episode = json!({
        "activity_type": "agent_log", "summary": "Deliver to the back door.", "kind": "delivery", "actor": "ada",
        "channel": "mail", "correlation_id": "c-1", "subject": "ada", "salience": 0.75, "outcome": "success",
        "claims": [{"entity": "sku-1", "field": "price", "value": 49.9}],
    });
    api.call("append_episode", &ids, "", Some(episode)).await;
    api.call("compact_pages", &ids, "?dry_run=true", Some(json!({"subject": "ada"}))).await;
    api.call("compact_pages", &ids, "", Some(json!({}))).await;
    let listed = api.call("list_pages", &ids, "?explain=true", None).await.json();
    let page = listed[0]["id"].as_str().expect("a page").to_owned();
    let of_page = [("id", workspace), ("pid", page.as_str())];
    api.call("read_page", &of_page, "", None).await;
    api.call("list_page_sources", &of_page, "", None).await;
    api.call("explain_page", &of_page, "", None).await;
    api.call("inject_context", &ids, "", Some(json!({"subject": "ada", "token_budget": 500}))).await;
}

async fn memories(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let memory = json!({"content": "use backoff", "scope": "TEAM", "tags": ["api"], "metadata": {"a": 1}, "pin": true});
    let committed = id_of(&api.call("commit_memory", &ids, "", Some(memory)).await);
    assert_eq!(api.call("commit_memory", &ids, "", Some(json!({"content": "x", "scope": "GLOBAL"}))).await.status, 403);
    let batch = json!({"memories": [{"content": "a", "scope": "LOCAL"}, {"content": "b"}]});
    api.call("commit_batch", &ids, "", Some(batch)).await;
    api.call("search_memories", &ids, "?q=backoff", None).await;
    api.call("search_memories", &ids, "?limit=1", None).await;
    api.call("search_orgs", &[], "?q=backoff", None).await;
    api.call("read_memory", &[("id", workspace), ("mid", &committed)], "", None).await;
    let ids = [("id", workspace), ("mid", committed.as_str())];
    api.call("edit_memory", &ids, "", Some(json!({"content": "use jitter too"}))).await;
    api.call("list_versions", &ids, "", None).await;
    api.call("read_memory_access_log", &ids, "", None).await;
    api.call("restore_memory", &ids, "", Some(json!({"version": 1}))).await;
    api.call("read_access_log", &ids[..1], "?limit=1", None).await;
    api.call("read_memory_access_log", &ids, "", None).await;
    api.call("verify_access_log", &ids[..1], "", None).await;
    api.call("count_memories", &ids[..1], "?q=jitter", None).await;
    api.call("list_metadata_values", &ids[..1], "?member=a", None).await;
    let touch = json!({"memories": [{"id": committed, "ttl_seconds": 60}]});
    api.call("touch_memories", &ids[..1], "", Some(touch)).await;
    api.call("explain_memory", &ids, "?q=jitter", None).await;
    api.call("end_session", &[("id", workspace), ("sid", "s-1")], "", None).await;
    api.call("forget_memory", &ids, "", None).await;
    api.call("redact_memory", &ids, "", Some(json!({"reason": "it is gone already"}))).await;
    let many = json!({"memories": [committed], "reason": "it is gone already"});
    api.call("redact_memories", &ids[..1], "", Some(many)).await;
    let redacted =
        id_of(&api.call("commit_memory", &ids[..1], "", Some(json!({"content": "y", "scope": "LOCAL"}))).await);
    let of_redacted = [("id", workspace), ("mid", redacted.as_str())];
    api.call("redact_memory", &of_redacted, "", Some(json!({"reason": "a test"}))).await;
    assert_eq!(api.call("read_memory", &of_redacted, "", None).await.status, 200);
    api.call("list_redactions", &ids[..1], "?limit=1", None).await;
    let subject = json!({"org_id": workspace, "subject": "ada", "reason": "asked for"});
    api.call("erase_content", &[], "?dry_run=true", Some(subject)).await;
    api.call("list_erasures", &[], &format!("?org_id={workspace}"), None).await;
    assert_eq!(api.call("read_memory", &[("id", workspace), ("mid", &committed)], "", None).await.status, 404);
}

async fn namespaces(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    api.call("list_namespaces", &ids, "", None).await;
    let team = json!({"content": "use backoff", "namespace": format!("team:{workspace}"), "metadata": {"a": 1}});
    let committed = id_of(&api.call("commit_namespace_memory", &ids, "", Some(team)).await);
    let other = json!({"content": "x", "namespace": format!("org:{workspace}")});
    assert_eq!(api.call("commit_namespace_memory", &ids, "", Some(other)).await.status, 403);
    api.call("search_namespace", &ids, "?q=backoff&limit=1", None).await;
    let ids = [ids[0], ("mid", committed.as_str())];
    api.call("forget_namespace_memory", &ids, "", None).await;
    assert_eq!(api.call("forget_namespace_memory", &ids, "", None).await.status, 404);
}

async fn entries(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    api.call("put_entry", &ids, "", Some(json!({"key": "a/b", "value": [1, null], "ttl_seconds": 60}))).await;
    let stale = json!({"key": "a/b", "value": 2, "if_match_version": 7});
    assert_eq!(api.call("put_entry", &ids, "", Some(stale)).await.status, 409);
    api.call("list_entries", &ids, "?prefix=a", None).await;
    let ids = [("id", workspace), ("key", "a%2Fb")];
    api.call("read_entry", &ids, "", None).await;
    api.call("drop_entry", &ids, "", None).await;
    assert_eq!(api.call("read_entry", &ids, "", None).await.status, 404);
}

async fn profiles(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let profile = json!({
        "name": "night shift", "retention": {"max_age_seconds": 3600}, "excluded_kinds": ["trace"],
        "injection": {"strategy": "relevance", "token_budget": 400}, "seed_entries": [{"content": "speak quietly"}],
    });
    api.call("create_profile", &ids, "?dry_run=true", Some(profile.clone())).await;
    let created = id_of(&api.call("create_profile", &ids, "", Some(profile.clone())).await);
    assert_eq!(api.call("create_profile", &ids, "", Some(profile)).await.status, 409);
    api.call("list_profiles", &ids, "", None).await;
    let ids = [("id", workspace), ("pid", created.as_str())];
    api.call("read_profile", &ids, "", None).await;
    api.call("summarize_profile", &ids, "", None).await;
    let about = json!({"query": "quiet", "session_id": "s", "profile_id": created});
    api.call("inject_context", &ids[..1], "", Some(about)).await;
    api.call("inject_context", &ids[..1], "", Some(json!({}))).await;
    api.call("change_profile", &ids, "?dry_run=true", Some(json!({"isolation": "team"}))).await;
    api.call("change_profile", &ids, "", Some(json!({"retention": {"max_age_seconds": null}}))).await;
    api.call("delete_profile", &ids, "", None).await;
    assert_eq!(api.call("delete_profile", &[ids[0], ("pid", workspace)], "", None).await.status, 409);
}

async fn memory_tool(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let path = "/memories/plan.md";
    for command in [
        json!({"command": "create", "path": path, "file_text": "one\ntwo"}),
        json!({"command": "view", "path": path, "view_range": [1, -1]}),
        json!({"command": "str_replace", "path": path, "old_str": "one", "new_str": "1"}),
        json!({"command": "insert", "path": path, "insert_line": 0, "insert_text": "zero"}),
        json!({"command": "rename", "old_path": path, "new_path": "/memories/plans/a.md"}),
        json!({"command": "delete", "path": "/memories/plans"}),
    ] {
        let answer = api.call("run_memory_tool", &ids, "", Some(command)).await.json();
        assert_eq!(answer["is_error"], false, "{answer}");
    }
    let answer = api.call("run_memory_tool", &ids, "", Some(json!({"command": "delete", "path": path}))).await.json();
    assert_eq!(answer["is_error"], true, "{answer}");
}

async fn runs(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let run = api.call("start_run", &ids, "", Some(json!({"label": "nightly", "session_id": "s"}))).await.json();
    let run = run["run_id"].as_str().expect("an id").to_owned();
    let memory = json!({"content": "held back", "scope": "LOCAL", "run_id": run});
    assert_eq!(api.call("commit_memory", &ids, "", Some(memory)).await.json()["pending"], true);
    let run_ids = [("id", workspace), ("rid", run.as_str())];
    let output = json!({"answer": 42, "__lf_memory_writes": [{"content": "of a node", "metadata": {"a": 1}}]});
    api.call("stage_output", &run_ids, "", Some(output.clone())).await;
    api.call("read_run", &run_ids, "?limit=1", None).await;
    api.call("list_runs", &ids, "?status=open", None).await;
    api.call("finish_run", &run_ids, "", Some(json!({"status": "completed"}))).await;
    assert_eq!(api.call("finish_run", &run_ids, "", Some(json!({"status": "failed"}))).await.status, 409);
    assert_eq!(api.call("stage_output", &run_ids, "", Some(output)).await.status, 409);
    api.call("read_run", &run_ids, "", None).await;
}

/// Operations without JSON responses have other tests.
fn check_all_called(api: &Validator) {
    let elsewhere = [
        "read_metrics",
        "read_skill_package",
        "watch_events",
        "find_docs",
        "read_docs",
        "call_mcp",
        "call_mcp_as",
        "watch_events",
        "find_console",
        "find_console_folder",
        "read_console",
        "open_session",
        "close_session",
    ];
    let paths = api.document["paths"].as_object().expect("paths").values();
    let all = paths.flat_map(|item| item.as_object().into_iter().flatten()).map(|(_, operation)| operation);
    let names: BTreeSet<&str> = all.filter_map(|operation| operation["operationId"].as_str()).collect();
    let called: BTreeSet<&str> = api.called.iter().map(String::as_str).chain(elsewhere).collect();
    assert_eq!(names, called);
}
