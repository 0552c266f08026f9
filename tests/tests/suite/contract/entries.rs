//! Key/value entries.

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    entry_is_returned_as_put,
    version_only_grows,
    put_requires_the_expected_version,
    one_of_many_concurrent_conditional_puts_succeeds,
    expired_entry_is_absent_from_its_expiry,
    put_without_ttl_clears_expiry,
    entries_are_listed_by_key,
    key_may_be_any_text,
);

struct Fixture {
    app: TestApp,
    path: String,
    bot: uuid::Uuid,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        Self { app, path: format!("/workspaces/{bot}/memory"), bot }
    }

    async fn put(&self, body: Value) -> Value {
        self.app.agent(self.bot).post(&self.path, body).await.expect(200).json()
    }

    async fn read(&self, key: &str) -> orgmem_tests::Response {
        self.app.agent(self.bot).get(&format!("{}/{key}", self.path)).await
    }
}

async fn entry_is_returned_as_put(on: On) {
    let fixture = Fixture::new(on).await;
    for value in [
        json!(null),
        json!(true),
        json!(-0.5),
        json!(9_007_199_254_740_993_i64),
        json!("text \u{1F680} \u{7f}"),
        // JSON values may contain U+0000
        json!({"\u{0}": "\u{0}"}),
        json!([]),
        json!({"z": 1, "a": {"b": [null, "c"]}}),
    ] {
        let put = fixture.put(json!({"key": "state", "value": value})).await;
        assert_eq!((&put["status"], &put["key"]), (&json!("ok"), &json!("state")));
        let entry = fixture.read("state").await.expect(200);
        assert_eq!(entry.json()["value"], value);
        assert_eq!(entry.json()["version"], put["version"]);
        assert_eq!(entry.header("etag"), Some(&*format!("\"{}\"", put["version"])));
    }
}

async fn version_only_grows(on: On) {
    let fixture = Fixture::new(on).await;
    let agent = fixture.app.agent(fixture.bot);
    let version = |put: Value| put["version"].as_i64().expect("a version");
    let plain = || json!({"key": "state", "value": 1});
    assert_eq!(version(fixture.put(plain()).await), 1);
    assert_eq!(version(fixture.put(plain()).await), 2);
    let deleted = agent.delete(&format!("{}/state", fixture.path)).await.expect(200);
    assert_eq!(deleted.json(), json!({"status": "deleted"}));
    fixture.read("state").await.refused(404, "not_found");
    let after_drop = version(fixture.put(plain()).await);
    assert!(after_drop > 2, "{after_drop}");
    let with_end = version(fixture.put(json!({"key": "state", "value": 1, "ttl_seconds": 5})).await);
    fixture.app.advance(TimeDelta::seconds(6));
    assert!(version(fixture.put(plain()).await) > with_end);
}

async fn put_requires_the_expected_version(on: On) {
    let fixture = Fixture::new(on).await;
    let agent = fixture.app.agent(fixture.bot);
    let on_version = |version: i64| json!({"key": "state", "value": version, "if_match_version": version});
    fixture.put(on_version(0)).await;
    agent.post(&fixture.path, on_version(0)).await.refused(409, "version_conflict");
    fixture.put(on_version(1)).await;
    agent.post(&fixture.path, on_version(1)).await.refused(409, "version_conflict");
    // the same with headers
    let put = |name: &'static str, value: &'static str| {
        let request = agent.request("POST", &fixture.path).json(json!({"key": "state", "value": "h"}));
        request.header(name, value).send()
    };
    put("if-match", "\"1\"").await.refused(409, "version_conflict");
    put("if-none-match", "*").await.refused(409, "version_conflict");
    let done = put("if-match", "\"2\"").await.expect(200);
    assert_eq!(done.header("etag"), Some("\"3\""));
    let drop = |tag: &'static str| agent.request("DELETE", &format!("{}/state", fixture.path)).header("if-match", tag);
    drop("\"2\"").send().await.refused(409, "version_conflict");
    drop("\"3\"").send().await.expect(200);
}

async fn one_of_many_concurrent_conditional_puts_succeeds(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.put(json!({"key": "lock", "value": null})).await;
    let agent = fixture.app.agent(fixture.bot);
    let tries: Vec<_> = (0..16)
        .map(|number| {
            let body = json!({"key": "lock", "value": number, "if_match_version": 1});
            tokio::spawn(agent.request("POST", &fixture.path).json(body).send())
        })
        .collect();
    let mut won = 0;
    for tried in tries {
        let response = tried.await.expect("it is answered");
        match response.status {
            200 => won += 1,
            _ => assert_eq!(response.refused(409, "version_conflict")["current_version"], 2),
        }
    }
    assert_eq!(won, 1);
}

async fn expired_entry_is_absent_from_its_expiry(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.put(json!({"key": "state", "value": 1, "ttl_seconds": 60})).await;
    fixture.put(json!({"key": "stays", "value": 1})).await;
    let keys = async || -> Vec<String> {
        let listed = fixture.app.agent(fixture.bot).get(&fixture.path).await.expect(200);
        listed.items().iter().map(|item| item["key"].as_str().unwrap_or_default().to_owned()).collect()
    };
    fixture.app.advance(TimeDelta::microseconds(59_999_999));
    let entry = fixture.read("state").await.expect(200).json();
    assert_eq!(entry["expires_at"].as_str().map(|end| end.len() >= 20), Some(true), "{entry}");
    assert_eq!(keys().await, ["state", "stays"]);
    fixture.app.advance(TimeDelta::microseconds(1));
    fixture.read("state").await.refused(404, "not_found");
    assert_eq!(keys().await, ["stays"]);
    let drop = fixture.app.agent(fixture.bot).delete(&format!("{}/state", fixture.path)).await.expect(200);
    assert_eq!(drop.json(), json!({"status": "deleted"}), "clients delete absent keys too");
    let on_version = json!({"key": "state", "value": 2, "if_match_version": 1});
    let stale = fixture.app.agent(fixture.bot).post(&fixture.path, on_version).await.refused(409, "version_conflict");
    assert_eq!(stale["current_version"], json!(null));
    fixture.put(json!({"key": "state", "value": 2, "if_match_version": 0})).await;
}

async fn put_without_ttl_clears_expiry(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.put(json!({"key": "state", "value": 1, "ttl_seconds": 60})).await;
    fixture.put(json!({"key": "state", "value": 2})).await;
    fixture.app.advance(TimeDelta::days(400));
    let entry = fixture.read("state").await.expect(200).json();
    assert_eq!((&entry["value"], entry.get("expires_at")), (&json!(2), None));
}

async fn entries_are_listed_by_key(on: On) {
    let fixture = Fixture::new(on).await;
    for key in ["b", "a/1", "a", "é", "a%", "a_", "B", "a/2", "~"] {
        fixture.put(json!({"key": key, "value": key})).await;
    }
    let agent = fixture.app.agent(fixture.bot);
    let keys = async |query: &[(&str, &str)]| -> Vec<String> {
        let (all, _) = agent.all_pages(&orgmem_tests::with_query(&fixture.path, query)).await;
        all.iter().map(|item| item["key"].as_str().unwrap_or_default().to_owned()).collect()
    };
    // by bytes, on both databases
    assert_eq!(keys(&[]).await, ["B", "a", "a%", "a/1", "a/2", "a_", "b", "~", "é"]);
    assert_eq!(keys(&[("limit", "2")]).await, ["B", "a", "a%", "a/1", "a/2", "a_", "b", "~", "é"]);
    assert_eq!(keys(&[("prefix", "a/")]).await, ["a/1", "a/2"]);
    assert_eq!(keys(&[("prefix", "a%")]).await, ["a%"], "a prefix is no pattern");
    assert_eq!(keys(&[("prefix", "a_")]).await, ["a_"], "a prefix is no pattern");
    assert_eq!(keys(&[("prefix", "nothing")]).await, Vec::<String>::new());
}

async fn key_may_be_any_text(on: On) {
    let fixture = Fixture::new(on).await;
    for (key, written) in [
        ("a/b", "a%2Fb"),
        ("100%", "100%25"),
        ("a+b c", "a+b%20c"),
        ("plan.v2:draft", "plan.v2:draft"),
        ("ключ", "%D0%BA%D0%BB%D1%8E%D1%87"),
        ("a?b#c", "a%3Fb%23c"),
    ] {
        fixture.put(json!({"key": key, "value": key})).await;
        let entry = fixture.read(written).await.expect(200).json();
        assert_eq!(entry["key"], key);
        let drop = fixture.app.agent(fixture.bot).delete(&format!("{}/{written}", fixture.path)).await;
        drop.expect(200);
    }
}
