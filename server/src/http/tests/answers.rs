//! Every operation is called, and its answer compared with what is described.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::schema::faults;
use super::{Api, Got, sent};

/// Calls operations and judges their answers.
struct Judge {
    api: Api,
    document: Value,
    called: BTreeSet<String>,
}

impl Judge {
    async fn new() -> Self {
        let api = Api::start().await;
        let document = api.get("/openapi.json").await.json();
        Self { api, document, called: BTreeSet::new() }
    }

    /// Calls the operation of this name, with `ids` in its path.
    async fn call(&mut self, name: &str, ids: &[(&str, &str)], query: &str, body: Option<Value>) -> Got {
        let (method, path, operation) = self.find(name);
        let path = ids.iter().fold(path, |path, (name, id)| path.replace(&format!("{{{name}}}"), id));
        let mut request = self.api.request(&method, &format!("{path}{query}"));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let got = sent(request).await;
        self.judge(name, &operation, &got);
        self.called.insert(name.to_owned());
        got
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
    fn judge(&self, name: &str, operation: &Value, got: &Got) {
        let described = &operation["responses"][got.status.to_string()];
        assert!(!described.is_null(), "{name} answers {}, which is not described: {}", got.status, got.text);
        let described = match described["$ref"].as_str() {
            Some(reference) => self.document.pointer(reference.trim_start_matches('#')).expect(reference),
            None => described,
        };
        let media_type = got.header("content-type");
        let content = described["content"].as_object().and_then(|content| content.get(media_type));
        let schema =
            &content.unwrap_or_else(|| panic!("{name} answers {media_type}, which is not described"))["schema"];
        let found = faults(&self.document, schema, &got.json(), name);
        assert!(found.is_empty(), "{found:#?}\n{}", got.text);
        for header in described["headers"].as_object().into_iter().flatten().map(|(header, _)| header) {
            let is_there = got.headers.contains_key(header.as_str()) || header == "Link";
            assert!(is_there, "{name} has no {header}");
        }
    }
}

fn id_of(got: &Got) -> String {
    got.json()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn every_answer_is_as_it_is_described() {
    let mut judge = Judge::new().await;
    let root = id_of(&judge.call("create_workspace", &[], "", Some(json!({"name": "Acme", "role": "boss"}))).await);
    let child = json!({"name": "Dev", "parent_id": root, "metadata": {"floor": 3}});
    let child = id_of(&judge.call("create_workspace", &[], "", Some(child)).await);
    let (at_root, at_child) = ([("id", root.as_str())], [("id", child.as_str())]);

    judge.call("read_me", &[], "", None).await;
    judge.call("list_workspaces", &[], "?limit=1", None).await;
    judge.call("read_workspace", &at_child, "", None).await;
    judge.call("patch_workspace", &at_child, "", Some(json!({"name": "Development"}))).await;
    judge.call("read_tree", &at_root, "", None).await;
    judge.call("read_reach", &at_root, "", None).await;
    judge.call("read_relation", &[("id", &root), ("other", &child)], "", None).await;
    judge.call("check_access", &[], "", Some(json!({"caller_id": root, "target_id": child}))).await;

    memories(&mut judge, &child).await;
    entries(&mut judge, &child).await;
    runs(&mut judge, &child).await;
    profiles(&mut judge, &child).await;
    let episode = json!({"activity_type": "agent_log", "summary": "built it", "request_body": [1], "duration_ms": 5});
    judge.call("append_episode", &at_child, "", Some(episode)).await;
    judge.call("list_episodes", &at_child, "", None).await;
    judge.call("search_session", &at_child, "?q=built", None).await;

    judge.call("read_access_log", &at_child, "", None).await;
    judge.call("verify_access_log", &at_root, "", None).await;
    let token = judge.call("issue_token", &at_child, "", Some(json!({"role": "agent"}))).await.json();
    judge.call("list_tokens", &at_child, "", None).await;
    judge.call("revoke_token", &[("jti", token["jti"].as_str().expect("an id"))], "", None).await;
    judge.call("revoke_tokens", &at_child, "?dry_run=true", None).await;
    judge.call("revoke_tokens", &at_child, "", None).await;
    let document = json!({"name": "Beta", "children": [{"name": "Ops"}]});
    judge.call("read_demo", &[], "", None).await;
    judge.call("import_org", &[], "?dry_run=true", Some(document.clone())).await;
    judge.call("import_org", &[], "", Some(document)).await;
    judge.call("read_admin_tree", &[], "", None).await;
    judge.call("read_admin_stats", &[], "", None).await;
    for name in ["check_health", "check_health_older", "check_readiness", "read_version", "read_openapi"] {
        judge.call(name, &[], "", None).await;
    }
    assert_eq!(judge.call("remove_workspace", &at_root, "", None).await.status, 409);
    assert_eq!(judge.call("remove_workspace", &at_root, "?children=promote", None).await.status, 409);
    assert_eq!(judge.call("remove_workspace", &at_root, "?children=cascade", None).await.status, 200);
    assert_eq!(judge.call("read_workspace", &at_root, "", None).await.status, 410);
    everything_was_called(&judge);
}

async fn memories(judge: &mut Judge, workspace: &str) {
    let at = [("id", workspace)];
    let memory = json!({"content": "use backoff", "scope": "TEAM", "tags": ["api"], "metadata": {"a": 1}, "pin": true});
    let committed = id_of(&judge.call("commit_memory", &at, "", Some(memory)).await);
    assert_eq!(
        judge.call("commit_memory", &at, "", Some(json!({"content": "x", "scope": "GLOBAL"}))).await.status,
        403
    );
    let batch = json!({"memories": [{"content": "a", "scope": "LOCAL"}, {"content": "b"}]});
    judge.call("commit_batch", &at, "", Some(batch)).await;
    judge.call("search_memories", &at, "?q=backoff", None).await;
    judge.call("search_memories", &at, "?limit=1", None).await;
    judge.call("read_memory", &[("id", workspace), ("mid", &committed)], "", None).await;
    let at = [("id", workspace), ("mid", committed.as_str())];
    judge.call("edit_memory", &at, "", Some(json!({"content": "use jitter too"}))).await;
    judge.call("list_versions", &at, "", None).await;
    judge.call("read_memory_access_log", &at, "", None).await;
    judge.call("restore_memory", &at, "", Some(json!({"version": 1}))).await;
    judge.call("read_access_log", &at[..1], "?limit=1", None).await;
    judge.call("read_memory_access_log", &at, "", None).await;
    judge.call("verify_access_log", &at[..1], "", None).await;
    judge.call("count_memories", &at[..1], "?q=jitter", None).await;
    judge.call("explain_memory", &at, "?q=jitter", None).await;
    judge.call("forget_memory", &at, "", None).await;
    judge.call("redact_memory", &at, "", Some(json!({"reason": "it is gone already"}))).await;
    let many = json!({"memories": [committed], "reason": "it is gone already"});
    judge.call("redact_memories", &at[..1], "", Some(many)).await;
    let subject = json!({"org_id": workspace, "subject": "ada", "reason": "asked for"});
    judge.call("erase_content", &[], "?dry_run=true", Some(subject)).await;
    judge.call("list_erasures", &[], &format!("?org_id={workspace}"), None).await;
    assert_eq!(judge.call("read_memory", &[("id", workspace), ("mid", &committed)], "", None).await.status, 404);
}

async fn entries(judge: &mut Judge, workspace: &str) {
    let at = [("id", workspace)];
    judge.call("put_entry", &at, "", Some(json!({"key": "a/b", "value": [1, null], "ttl_seconds": 60}))).await;
    let stale = json!({"key": "a/b", "value": 2, "if_match_version": 7});
    assert_eq!(judge.call("put_entry", &at, "", Some(stale)).await.status, 409);
    judge.call("list_entries", &at, "?prefix=a", None).await;
    let at = [("id", workspace), ("key", "a%2Fb")];
    judge.call("read_entry", &at, "", None).await;
    judge.call("drop_entry", &at, "", None).await;
    assert_eq!(judge.call("read_entry", &at, "", None).await.status, 404);
}

async fn profiles(judge: &mut Judge, workspace: &str) {
    let at = [("id", workspace)];
    let profile = json!({
        "name": "night shift", "retention": {"max_age_seconds": 3600}, "excluded_kinds": ["trace"],
        "injection": {"strategy": "relevance", "token_budget": 400}, "seed_entries": [{"content": "speak quietly"}],
    });
    judge.call("create_profile", &at, "?dry_run=true", Some(profile.clone())).await;
    let made = id_of(&judge.call("create_profile", &at, "", Some(profile.clone())).await);
    assert_eq!(judge.call("create_profile", &at, "", Some(profile)).await.status, 409);
    judge.call("list_profiles", &at, "", None).await;
    let at = [("id", workspace), ("pid", made.as_str())];
    judge.call("read_profile", &at, "", None).await;
    judge.call("summarize_profile", &at, "", None).await;
    let about = json!({"query": "quiet", "session_id": "s", "profile_id": made});
    judge.call("inject_context", &at[..1], "", Some(about)).await;
    judge.call("inject_context", &at[..1], "", Some(json!({}))).await;
    judge.call("change_profile", &at, "?dry_run=true", Some(json!({"isolation": "team"}))).await;
    judge.call("change_profile", &at, "", Some(json!({"retention": {"max_age_seconds": null}}))).await;
    judge.call("delete_profile", &at, "", None).await;
    assert_eq!(judge.call("delete_profile", &[at[0], ("pid", workspace)], "", None).await.status, 409);
}

async fn runs(judge: &mut Judge, workspace: &str) {
    let at = [("id", workspace)];
    let run = judge.call("start_run", &at, "", Some(json!({"label": "nightly", "session_id": "s"}))).await.json();
    let run = run["run_id"].as_str().expect("an id").to_owned();
    let memory = json!({"content": "held back", "scope": "LOCAL", "run_id": run});
    assert_eq!(judge.call("commit_memory", &at, "", Some(memory)).await.json()["pending"], true);
    let of_run = [("id", workspace), ("rid", run.as_str())];
    let output = json!({"answer": 42, "__lf_memory_writes": [{"content": "of a node", "metadata": {"a": 1}}]});
    judge.call("hold_output", &of_run, "", Some(output.clone())).await;
    judge.call("read_run", &of_run, "?limit=1", None).await;
    judge.call("list_runs", &at, "?status=open", None).await;
    judge.call("finish_run", &of_run, "", Some(json!({"status": "completed"}))).await;
    assert_eq!(judge.call("finish_run", &of_run, "", Some(json!({"status": "failed"}))).await.status, 409);
    assert_eq!(judge.call("hold_output", &of_run, "", Some(output)).await.status, 409);
    judge.call("read_run", &of_run, "", None).await;
}

/// Those that give no JSON are tested elsewhere.
fn everything_was_called(judge: &Judge) {
    let elsewhere = [
        "read_metrics",
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
    let paths = judge.document["paths"].as_object().expect("paths").values();
    let all = paths.flat_map(|item| item.as_object().into_iter().flatten()).map(|(_, operation)| operation);
    let names: BTreeSet<&str> = all.filter_map(|operation| operation["operationId"].as_str()).collect();
    let called: BTreeSet<&str> = judge.called.iter().map(String::as_str).chain(elsewhere).collect();
    assert_eq!(names, called);
}
