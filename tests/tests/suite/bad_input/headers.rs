//! Headers that would be ignored.

use orgmem_tests::{On, for_each_store};

use super::room::Room;

for_each_store!(
    a_condition_is_refused_where_nothing_is_held_to_a_version,
    a_header_that_means_one_thing_is_given_once,
    what_a_cache_asks_of_a_read_is_no_condition,
);

async fn a_condition_is_refused_where_nothing_is_held_to_a_version(on: On) {
    let room = Room::new(on).await;
    let memory = r#"{"content": "x", "scope": "TEAM", "id": "{memory}"}"#;
    for (who, method, path, body) in [
        ("agent", "POST", "/workspaces/{bot}/memories", memory),
        ("agent", "POST", "/workspaces/{bot}/memories/batch", r#"{"memories": []}"#),
        ("agent", "POST", "/workspaces/{bot}/activity", r#"{"activity_type": "agent_log"}"#),
        ("operator", "PATCH", "/workspaces/{bot}", r#"{"name": "renamed"}"#),
        ("operator", "DELETE", "/workspaces/{peer}", ""),
        ("admin", "POST", "/workspaces", r#"{"name": "x"}"#),
        ("admin", "POST", "/orgs/import", r#"{"name": "x"}"#),
    ] {
        for (name, value) in [("If-Match", "\"1\""), ("If-Match", "\"7\""), ("If-None-Match", "*")] {
            let request = room.caller(who).request(method, &room.filled(path)).header(name, value);
            let request = if body.is_empty() { request } else { request.body("application/json", room.filled(body)) };
            let wants = "must be absent: this call does not support conditions on a version";
            room.check_answer(&request.send().await, &format!("400 invalid_field: the header `{name}` {wants}"));
        }
    }
    room.nothing_changed();
}

async fn a_header_that_means_one_thing_is_given_once(on: On) {
    let room = Room::new(on).await;
    let entry = r#"{"key": "state", "value": 2}"#;
    let memory = r#"{"content": "x", "scope": "LOCAL"}"#;
    let run = "0190b5a0-0000-7000-8000-000000000001";
    for (method, path, body, name, values) in [
        ("POST", "/workspaces/{bot}/memories", memory, "Idempotency-Key", ["one", "two"]),
        ("POST", "/workspaces/{bot}/memories", memory, "Idempotency-Key", ["one", "one"]),
        ("POST", "/workspaces/{bot}/memory", entry, "If-Match", ["\"1\"", "\"9\""]),
        ("POST", "/workspaces/{bot}/memory", entry, "If-Match", ["\"1\"", "\"1\""]),
        ("POST", "/workspaces/{bot}/memory", entry, "If-None-Match", ["*", "*"]),
        ("PATCH", "/workspaces/{bot}/memories/{memory}", r#"{"pin": true}"#, "If-Match", ["\"1\"", "\"2\""]),
        ("DELETE", "/workspaces/{bot}/memories/{memory}", "", "If-Match", ["\"1\"", "\"2\""]),
        ("POST", "/workspaces/{bot}/memories", memory, "X-Run-Id", [run, run]),
        ("GET", "/workspaces/{bot}/events", "", "Last-Event-ID", ["1", "2"]),
    ] {
        let request = room.caller("agent").request(method, &room.filled(path));
        let request = values.iter().fold(request, |request, value| request.header(name, value));
        let request = if body.is_empty() { request } else { request.body("application/json", room.filled(body)) };
        let wants = format!("400 invalid_field: the header `{name}` must be given once");
        room.check_answer(&request.send().await, &wants);
    }
    room.nothing_changed();
}

async fn what_a_cache_asks_of_a_read_is_no_condition(on: On) {
    let room = Room::new(on).await;
    for path in ["/workspaces/{bot}/memory/state", "/workspaces/{bot}/memories", "/workspaces/{bot}"] {
        let request = room.caller("agent").request("GET", &room.filled(path));
        request.header("If-None-Match", "\"1\"").send().await.expect(200);
    }
}
