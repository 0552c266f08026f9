//! Headers that the server would otherwise ignore.

use orgmem_tests::{On, for_each_store};

use super::fixture::Fixture;

for_each_store!(
    condition_on_route_without_versions_is_refused,
    repeated_header_is_refused,
    cache_validators_of_reads_are_ignored,
);

async fn condition_on_route_without_versions_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let memory = r#"{"content": "x", "scope": "TEAM", "id": "{memory}"}"#;
    for (caller, method, path, body) in [
        ("agent", "POST", "/workspaces/{bot}/memories", memory),
        ("agent", "POST", "/workspaces/{bot}/memories/batch", r#"{"memories": []}"#),
        ("agent", "POST", "/workspaces/{bot}/activity", r#"{"activity_type": "agent_log"}"#),
        ("operator", "PATCH", "/workspaces/{bot}", r#"{"name": "renamed"}"#),
        ("operator", "DELETE", "/workspaces/{peer}", ""),
        ("admin", "POST", "/workspaces", r#"{"name": "x"}"#),
        ("admin", "POST", "/orgs/import", r#"{"name": "x"}"#),
    ] {
        for (name, value) in [("If-Match", "\"1\""), ("If-Match", "\"7\""), ("If-None-Match", "*")] {
            let request = fixture.caller(caller).request(method, &fixture.filled(path)).header(name, value);
            let request =
                if body.is_empty() { request } else { request.body("application/json", fixture.filled(body)) };
            let wants = "must be absent: this call does not support conditions on a version";
            fixture.check_response(&request.send().await, &format!("400 invalid_field: the header `{name}` {wants}"));
        }
    }
    fixture.nothing_changed();
}

async fn repeated_header_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
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
        let request = fixture.caller("agent").request(method, &fixture.filled(path));
        let request = values.iter().fold(request, |request, value| request.header(name, value));
        let request = if body.is_empty() { request } else { request.body("application/json", fixture.filled(body)) };
        let wants = format!("400 invalid_field: the header `{name}` must be given once");
        fixture.check_response(&request.send().await, &wants);
    }
    fixture.nothing_changed();
}

async fn cache_validators_of_reads_are_ignored(on: On) {
    let fixture = Fixture::new(on).await;
    for path in ["/workspaces/{bot}/memory/state", "/workspaces/{bot}/memories", "/workspaces/{bot}"] {
        let request = fixture.caller("agent").request("GET", &fixture.filled(path));
        request.header("If-None-Match", "\"1\"").send().await.expect(200);
    }
}
