//! Key/value working state.

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    an_entry_comes_back_as_it_was_put,
    a_version_only_grows,
    a_put_happens_on_the_version_that_was_asked_for,
    of_many_who_put_on_one_version_one_does,
    an_expired_entry_is_absent_from_that_instant,
    a_plain_put_clears_an_earlier_end,
    entries_are_listed_by_key,
    a_key_may_be_any_text,
);

struct Room {
    app: TestApp,
    path: String,
    bot: uuid::Uuid,
}

impl Room {
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

async fn an_entry_comes_back_as_it_was_put(on: On) {
    let room = Room::new(on).await;
    for value in [
        json!(null),
        json!(true),
        json!(-0.5),
        json!(9_007_199_254_740_993_i64),
        json!("text \u{1F680} \u{7f}"),
        // JSON may hold what text may not
        json!({"\u{0}": "\u{0}"}),
        json!([]),
        json!({"z": 1, "a": {"b": [null, "c"]}}),
    ] {
        let put = room.put(json!({"key": "state", "value": value})).await;
        assert_eq!((&put["status"], &put["key"]), (&json!("ok"), &json!("state")));
        let entry = room.read("state").await.expect(200);
        assert_eq!(entry.json()["value"], value);
        assert_eq!(entry.json()["version"], put["version"]);
        assert_eq!(entry.header("etag"), Some(&*format!("\"{}\"", put["version"])));
    }
}

async fn a_version_only_grows(on: On) {
    let room = Room::new(on).await;
    let agent = room.app.agent(room.bot);
    let version = |put: Value| put["version"].as_i64().expect("a version");
    let plain = || json!({"key": "state", "value": 1});
    assert_eq!(version(room.put(plain()).await), 1);
    assert_eq!(version(room.put(plain()).await), 2);
    let deleted = agent.delete(&format!("{}/state", room.path)).await.expect(200);
    assert_eq!(deleted.json(), json!({"status": "deleted"}));
    room.read("state").await.refused(404, "not_found");
    let after_drop = version(room.put(plain()).await);
    assert!(after_drop > 2, "{after_drop}");
    let with_end = version(room.put(json!({"key": "state", "value": 1, "ttl_seconds": 5})).await);
    room.app.advance(TimeDelta::seconds(6));
    assert!(version(room.put(plain()).await) > with_end);
}

async fn a_put_happens_on_the_version_that_was_asked_for(on: On) {
    let room = Room::new(on).await;
    let agent = room.app.agent(room.bot);
    let on_version = |version: i64| json!({"key": "state", "value": version, "if_match_version": version});
    room.put(on_version(0)).await;
    agent.post(&room.path, on_version(0)).await.refused(409, "version_conflict");
    room.put(on_version(1)).await;
    agent.post(&room.path, on_version(1)).await.refused(409, "version_conflict");
    // the same by headers
    let put = |name: &'static str, value: &'static str| {
        let request = agent.request("POST", &room.path).json(json!({"key": "state", "value": "h"}));
        request.header(name, value).send()
    };
    put("if-match", "\"1\"").await.refused(409, "version_conflict");
    put("if-none-match", "*").await.refused(409, "version_conflict");
    let done = put("if-match", "\"2\"").await.expect(200);
    assert_eq!(done.header("etag"), Some("\"3\""));
    let drop = |tag: &'static str| agent.request("DELETE", &format!("{}/state", room.path)).header("if-match", tag);
    drop("\"2\"").send().await.refused(409, "version_conflict");
    drop("\"3\"").send().await.expect(200);
}

async fn of_many_who_put_on_one_version_one_does(on: On) {
    let room = Room::new(on).await;
    room.put(json!({"key": "lock", "value": null})).await;
    let agent = room.app.agent(room.bot);
    let tries: Vec<_> = (0..16)
        .map(|number| {
            let body = json!({"key": "lock", "value": number, "if_match_version": 1});
            tokio::spawn(agent.request("POST", &room.path).json(body).send())
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

async fn an_expired_entry_is_absent_from_that_instant(on: On) {
    let room = Room::new(on).await;
    room.put(json!({"key": "state", "value": 1, "ttl_seconds": 60})).await;
    room.put(json!({"key": "stays", "value": 1})).await;
    let keys = async || -> Vec<String> {
        let listed = room.app.agent(room.bot).get(&room.path).await.expect(200);
        listed.items().iter().map(|item| item["key"].as_str().unwrap_or_default().to_owned()).collect()
    };
    room.app.advance(TimeDelta::microseconds(59_999_999));
    let entry = room.read("state").await.expect(200).json();
    assert_eq!(entry["expires_at"].as_str().map(|end| end.len() >= 20), Some(true), "{entry}");
    assert_eq!(keys().await, ["state", "stays"]);
    room.app.advance(TimeDelta::microseconds(1));
    room.read("state").await.refused(404, "not_found");
    assert_eq!(keys().await, ["stays"]);
    let drop = room.app.agent(room.bot).delete(&format!("{}/state", room.path)).await;
    drop.refused(404, "not_found");
    let on_version = json!({"key": "state", "value": 2, "if_match_version": 1});
    let stale = room.app.agent(room.bot).post(&room.path, on_version).await.refused(409, "version_conflict");
    assert_eq!(stale["current_version"], json!(null));
    room.put(json!({"key": "state", "value": 2, "if_match_version": 0})).await;
}

async fn a_plain_put_clears_an_earlier_end(on: On) {
    let room = Room::new(on).await;
    room.put(json!({"key": "state", "value": 1, "ttl_seconds": 60})).await;
    room.put(json!({"key": "state", "value": 2})).await;
    room.app.advance(TimeDelta::days(400));
    let entry = room.read("state").await.expect(200).json();
    assert_eq!((&entry["value"], entry.get("expires_at")), (&json!(2), None));
}

async fn entries_are_listed_by_key(on: On) {
    let room = Room::new(on).await;
    for key in ["b", "a/1", "a", "é", "a%", "a_", "B", "a/2", "~"] {
        room.put(json!({"key": key, "value": key})).await;
    }
    let agent = room.app.agent(room.bot);
    let keys = async |query: &[(&str, &str)]| -> Vec<String> {
        let (all, _) = agent.all_pages(&orgmem_tests::with_query(&room.path, query)).await;
        all.iter().map(|item| item["key"].as_str().unwrap_or_default().to_owned()).collect()
    };
    // by their bytes, the same on both databases
    assert_eq!(keys(&[]).await, ["B", "a", "a%", "a/1", "a/2", "a_", "b", "~", "é"]);
    assert_eq!(keys(&[("limit", "2")]).await, ["B", "a", "a%", "a/1", "a/2", "a_", "b", "~", "é"]);
    assert_eq!(keys(&[("prefix", "a/")]).await, ["a/1", "a/2"]);
    assert_eq!(keys(&[("prefix", "a%")]).await, ["a%"], "a prefix is no pattern");
    assert_eq!(keys(&[("prefix", "a_")]).await, ["a_"], "a prefix is no pattern");
    assert_eq!(keys(&[("prefix", "nothing")]).await, Vec::<String>::new());
}

async fn a_key_may_be_any_text(on: On) {
    let room = Room::new(on).await;
    for (key, written) in [
        ("a/b", "a%2Fb"),
        ("100%", "100%25"),
        ("a+b c", "a+b%20c"),
        ("plan.v2:draft", "plan.v2:draft"),
        ("ключ", "%D0%BA%D0%BB%D1%8E%D1%87"),
        ("a?b#c", "a%3Fb%23c"),
    ] {
        room.put(json!({"key": key, "value": key})).await;
        let entry = room.read(written).await.expect(200).json();
        assert_eq!(entry["key"], key);
        let drop = room.app.agent(room.bot).delete(&format!("{}/{written}", room.path)).await;
        drop.expect(200);
    }
}
