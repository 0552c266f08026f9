//! The memory-plugin contract: recorded expectations through a client in Python that knows no type of this project, and
//! what they cannot show.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use chrono::{SecondsFormat, TimeDelta};
use orgmem_tests::{Cluster, On, StubEmbedder, TestApp, for_each_store, run};
use serde_json::{Value, json};
use tokio::process::Command;

for_each_store!(
    responses_equal_the_recorded_expectations,
    bad_input_is_refused_with_its_value,
    expired_namespace_is_absent_and_its_content_is_erased,
    expired_namespace_is_replaced_by_an_empty_one,
    token_of_the_settings_is_required,
    embedder_adds_the_capability_and_meaning,
    search_depends_only_on_the_named_namespaces,
    calls_are_audited_and_people_see_the_org,
    removed_org_is_replaced_by_an_empty_one,
    two_listeners_have_different_endpoints,
);

pub(super) const LISTEN: (&str, &str) = ("ORGMEM_PLUGIN_LISTEN", "127.0.0.1:0");

pub(super) async fn app(on: On) -> TestApp {
    TestApp::builder(on).with(LISTEN.0, LISTEN.1).start().await
}

/// Runs the cases of a group; returns the values that they saved.
async fn check(app: &TestApp, group: &str, given: &BTreeMap<&str, String>) -> Value {
    check_cases(&app.plugin_address(), "plugin/cases.json", group, given).await
}

/// Runs the cases of a group in a file of recorded expectations; returns the values that they saved.
pub(super) async fn check_cases(address: &str, cases: &str, group: &str, given: &BTreeMap<&str, String>) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut client = Command::new("python3");
    client.arg(folder.join("plugin/check.py")).arg(address).arg(folder.join(cases)).arg(group);
    client.args(given.iter().map(|(name, value)| format!("{name}={value}")));
    let output = client.stdin(Stdio::null()).kill_on_drop(true).output().await.expect("python3 starts");
    assert!(output.status.success(), "{group}:\n{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert!(report["checked"].as_u64().is_some_and(|checked| checked > 0), "{report}");
    report["values"].clone()
}

fn time(app: &TestApp, hours: i64) -> String {
    (app.now() + TimeDelta::hours(hours)).to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// A client for what has no recorded case.
pub(super) struct Platform {
    client: reqwest::Client,
    address: String,
}

impl Platform {
    pub(super) fn of(app: &TestApp) -> Self {
        Self { client: reqwest::Client::new(), address: app.plugin_address() }
    }

    pub(super) async fn call(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let request = self.client.request(method.parse().expect("a method"), format!("{}{path}", self.address));
        let response = request.json(&body).send().await.expect("a response");
        let status = response.status().as_u16();
        let text = response.text().await.expect("a body");
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    async fn put(&self, name: &str) {
        let (status, body) = self.call("PUT", &format!("/v1/namespaces/{name}"), json!({"kind": "custom"})).await;
        assert_eq!(status, 200, "{body}");
    }

    async fn write(&self, name: &str, content: &str) -> Value {
        let memory = json!({"content": content, "kind": "fact", "source": "agent"});
        let (status, body) = self.call("POST", &format!("/v1/namespaces/{name}/memories"), memory).await;
        assert_eq!(status, 201, "{body}");
        body
    }

    pub(super) async fn search(&self, names: &[&str], query: &str) -> Vec<Value> {
        let (status, body) = self.call("POST", "/v1/search", json!({"namespaces": names, "query": query})).await;
        assert_eq!(status, 200, "{body}");
        body["memories"].as_array().expect("a list").clone()
    }
}

async fn responses_equal_the_recorded_expectations(on: On) {
    let app = app(on).await;
    check(&app, "contract", &BTreeMap::from([("later", time(&app, 24))])).await;
}

async fn bad_input_is_refused_with_its_value(on: On) {
    check(&app(on).await, "bad_input", &BTreeMap::new()).await;
}

/// The rows that contain a text, by table.
fn tables_with(app: &TestApp, text: &str) -> Vec<String> {
    let rows = app.dump().into_iter().filter(|row| row.contains(text));
    rows.map(|row| row.split([' ', '|', ':']).next().unwrap_or_default().to_owned()).collect()
}

async fn expired_namespace_is_absent_and_its_content_is_erased(on: On) {
    let app = app(on).await;
    let saved = check(&app, "before_expiry", &BTreeMap::from([("soon", time(&app, 1))])).await;
    assert_ne!(tables_with(&app, "quetzalcoatl"), Vec::<String>::new());
    app.advance(TimeDelta::hours(1));
    let id = |name: &str| saved[name].as_str().expect("an id").to_owned();
    check(&app, "after_expiry", &BTreeMap::from([("id", id("id")), ("expiring", id("expiring"))])).await;
    app.sweep_plugin_namespaces().await;
    assert_eq!(tables_with(&app, "custom:short"), Vec::<String>::new(), "the namespace is erased with its name");
    assert_eq!(tables_with(&app, "quetzalcoatl sleeps"), Vec::<String>::new(), "its memories are erased");
    check(&app, "again", &BTreeMap::from([("id", id("id"))])).await;
}

/// Without a sweep in between.
async fn expired_namespace_is_replaced_by_an_empty_one(on: On) {
    let app = app(on).await;
    let saved = check(&app, "before_expiry", &BTreeMap::from([("soon", time(&app, 1))])).await;
    app.advance(TimeDelta::hours(1));
    check(&app, "again", &BTreeMap::from([("id", saved["id"].as_str().expect("an id").to_owned())])).await;
    assert_eq!(tables_with(&app, "quetzalcoatl sleeps"), Vec::<String>::new(), "the expired memories are erased");
}

async fn token_of_the_settings_is_required(on: On) {
    let token = "a token that a platform and this server share";
    let token = token.replace(' ', "-");
    let app = TestApp::builder(on).with(LISTEN.0, LISTEN.1).with("ORGMEM_PLUGIN_TOKEN", &token).start().await;
    check(&app, "token", &BTreeMap::from([("token", token)])).await;
}

async fn embedder_adds_the_capability_and_meaning(on: On) {
    let stub = StubEmbedder::start();
    let app = TestApp::builder(on).with(LISTEN.0, LISTEN.1).with("ORGMEM_EMBEDDER", stub.address());
    let app = app.with("ORGMEM_EMBEDDING_MODEL", "stub").start().await;
    check(&app, "embedding", &BTreeMap::new()).await;
}

/// Term statistics and order are those of the namespaces of the search: memories of others change no score.
async fn search_depends_only_on_the_named_namespaces(on: On) {
    let app = app(on).await;
    let platform = Platform::of(&app);
    for name in ["custom:a", "custom:b", "custom:noise"] {
        platform.put(name).await;
    }
    platform.write("custom:a", "the deploy of the gateway failed").await;
    platform.write("custom:a", "the gateway is slow on mondays").await;
    platform.write("custom:b", "deploy the gateway after the backup").await;
    let query = "gateway deploy";
    let (one, both) =
        (platform.search(&["custom:a"], query).await, platform.search(&["custom:a", "custom:b"], query).await);
    assert_eq!((one.len(), both.len()), (2, 3));
    for n in 0..30 {
        platform.write("custom:noise", &format!("gateway gateway deploy {n}")).await;
    }
    assert_eq!(platform.search(&["custom:a"], query).await, one);
    assert_eq!(platform.search(&["custom:b", "custom:a"], query).await, both, "nor does the order of the names");
    let namespaces: Vec<&Value> = both.iter().map(|memory| &memory["namespace"]).collect();
    assert!(namespaces.contains(&&json!("custom:a")) && namespaces.contains(&&json!("custom:b")));
}

async fn calls_are_audited_and_people_see_the_org(on: On) {
    let app = app(on).await;
    let platform = Platform::of(&app);
    platform.put("custom:a").await;
    let id = platform.write("custom:a", "the deploy failed").await["id"].clone();
    platform.search(&["custom:a"], "deploy").await;
    let forget = json!({"requested_by_namespace": "custom:a"});
    let path = format!("/v1/memories/{}", id.as_str().expect("an id"));
    assert_eq!(platform.call("DELETE", &path, forget).await.0, 204);
    let admin = app.admin();
    let orgs = admin.get("/workspaces?q=plugin").await.expect(200).json();
    let root = orgs[0]["id"].as_str().expect("an org");
    let namespace = &admin.get(&format!("/workspaces?parent={root}")).await.expect(200).json()[0];
    assert_eq!(namespace["name"], "custom:a");
    let namespace = namespace["id"].as_str().expect("a workspace");
    let rows = async |workspace: &str| {
        let rows = admin.get(&format!("/workspaces/{workspace}/access-log?limit=50")).await.expect(200).json();
        let rows = rows.as_array().expect("a list").clone();
        let by_plugin = rows.into_iter().filter(|row| row["subject"] == "plugin");
        by_plugin.map(|row| row["action"].as_str().expect("an action").to_owned()).collect::<Vec<_>>()
    };
    let written = rows(namespace).await;
    for action in ["create_workspace", "commit_memory", "forget_memory"] {
        assert!(written.iter().any(|row| row == action), "{action} is not in {written:?}");
    }
    let read = async || rows(root).await.iter().any(|row| row == "search_memories");
    while !read().await {
        // the row of a read is written by a job, soon after the response
        tokio::task::yield_now().await;
    }
}

async fn removed_org_is_replaced_by_an_empty_one(on: On) {
    let app = app(on).await;
    let platform = Platform::of(&app);
    platform.put("custom:a").await;
    platform.write("custom:a", "the deploy failed").await;
    let admin = app.admin();
    let root = admin.get("/workspaces?q=plugin").await.expect(200).json()[0]["id"].clone();
    let root = root.as_str().expect("an org");
    admin.delete(&format!("/workspaces/{root}?children=cascade")).await.expect(200);
    let body = json!({"namespaces": ["custom:a"]});
    let (status, refused) = platform.call("POST", "/v1/search", body).await;
    assert_eq!((status, &refused["code"]), (503, &json!("unavailable")), "{refused}");
    assert_eq!(platform.search(&["custom:a"], "deploy").await, Vec::<Value>::new());
    platform.put("custom:a").await;
    assert_eq!(platform.search(&["custom:a"], "deploy").await, Vec::<Value>::new());
    let roots = admin.get("/workspaces?q=plugin&status=live").await.expect(200).json();
    assert!(roots.as_array().expect("a list").iter().all(|org| org["id"] != root), "{roots}");
}

async fn two_listeners_have_different_endpoints(on: On) {
    let app = app(on).await;
    app.anonymous().get("/v1/health").await.refused(404, "not_found");
    let off = TestApp::new(on).await;
    assert!(off.try_plugin_address().is_none(), "it is off by default");
}

/// A store that does not respond is never an empty list.
#[test]
fn outage_of_the_store_is_unavailable() {
    run(async {
        let cluster = Cluster::start();
        let app = TestApp::builder(On::Postgres).in_database(&cluster.database());
        let app = app.with(LISTEN.0, LISTEN.1).start().await;
        let platform = Platform::of(&app);
        platform.put("custom:a").await;
        platform.write("custom:a", "the deploy failed").await;
        assert_eq!(platform.search(&["custom:a"], "deploy").await.len(), 1);
        cluster.crash();
        check(&app, "outage", &BTreeMap::new()).await;
        cluster.restart();
        assert_eq!(platform.search(&["custom:a"], "deploy").await.len(), 1);
    });
}

/// The first request of a server finds the store already away.
#[test]
fn outage_before_the_first_request_is_unavailable() {
    run(async {
        let cluster = Cluster::start();
        let app = TestApp::builder(On::Postgres).in_database(&cluster.database());
        let app = app.with(LISTEN.0, LISTEN.1).start().await;
        cluster.crash();
        check(&app, "outage", &BTreeMap::new()).await;
    });
}
