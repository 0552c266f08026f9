//! Invalid ids and ids of other orgs, in every position.

use orgmem_tests::{On, for_each_store, with_query};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    invalid_id_in_path_is_not_found,
    address_that_is_not_utf8_is_refused,
    invalid_id_in_body_or_query_is_named,
    id_of_another_org_equals_absent_id_in_every_field,
    filter_with_id_of_another_org_finds_nothing,
    taken_id_does_not_reveal_its_owner,
);

async fn invalid_id_in_path_is_not_found(on: On) {
    let fixture = Fixture::new(on).await;
    let mut cases = Vec::new();
    for id in ["7", "bot", "..", "%00", "%ff", "{bot}x", "0", "-1", "*", "null", "%E2%9C%93"] {
        cases.push((format!("agent GET /workspaces/{id}"), "404 not_found: no such workspace, or not yours to see"));
        cases.push((
            format!("agent GET /workspaces/{id}/memories"),
            "404 not_found: no such workspace, or not yours to see",
        ));
        cases.push((
            format!("agent GET /workspaces/{{bot}}/memories/{id}"),
            "404 not_found: no such memory, or not yours to see",
        ));
        cases.push((
            format!("agent DELETE /workspaces/{{bot}}/memories/{id}"),
            "404 not_found: no such memory, or not yours to see",
        ));
        cases.push((
            format!("agent GET /workspaces/{{bot}}/reach/{id}"),
            "404 not_found: no such workspace, or not yours to see",
        ));
        cases.push((format!("operator DELETE /tokens/{id}"), "404 not_found: no such token, or not yours to see"));
    }
    for (request, expected) in &cases {
        // the client resolves a path of dots
        if !request.contains("/..") {
            fixture.check(&[(request, "", expected)]).await;
        }
    }
}

/// With a replacement character for each byte, `%fe` and `%ff` would be the same key.
async fn address_that_is_not_utf8_is_refused(on: On) {
    let says =
        |name| format!("400 invalid_field: `{name}` in the address must be UTF-8, percent-encoded: `ä` is `%C3%A4`");
    let (key, q) = (says("key"), says("q"));
    Fixture::new(on)
        .await
        .check(&[
            ("agent GET /workspaces/{bot}/memory/a%ff", "", &key),
            ("agent DELETE /workspaces/{bot}/memory/a%c3", "", &key),
            ("agent GET /workspaces/{bot}/memories?q=%ff", "", &q),
            ("agent GET /workspaces/{bot}/session-search?limit=1&q=a%e4b", "", &q),
        ])
        .await;
}

async fn invalid_id_in_body_or_query_is_named(on: On) {
    Fixture::new(on)
        .await
        .check(&[
            ("admin POST /workspaces", r#"{"name": "x", "id": "7"}"#, "400 invalid_field: `id` must be a UUID"),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "parent_id": "acme"}"#,
                "400 invalid_field: `parent_id` must be a UUID",
            ),
            (
                "operator PATCH /workspaces/{bot}",
                r#"{"parent_id": "dev"}"#,
                "400 invalid_field: `parent_id` must be a UUID",
            ),
            (
                "agent POST /workspaces/{bot}/memories",
                r#"{"content": "x", "scope": "TEAM", "team": "dev"}"#,
                "400 invalid_field: `team` must be a UUID",
            ),
            (
                "agent POST /workspaces/{bot}/memories",
                r#"{"content": "x", "scope": "LOCAL", "id": ""}"#,
                "400 invalid_field: `id` must be a UUID",
            ),
            (
                "agent POST /workspaces/{bot}/memories",
                r#"{"content": "x", "scope": "LOCAL", "supersedes": "1"}"#,
                "400 invalid_field: `supersedes` must be a UUID",
            ),
            (
                "agent POST /workspaces/{bot}/memories",
                r#"{"content": "x", "scope": "LOCAL", "run_id": "1"}"#,
                "400 invalid_field: `run_id` must be a UUID",
            ),
            (
                "agent POST /registry/check-access",
                r#"{"caller_id": "bot", "target_id": "{bot}"}"#,
                "400 invalid_field: `caller_id` must be a UUID",
            ),
            ("agent GET /workspaces/{bot}/memories?author=dev", "", "400 invalid_field: `author` must be a UUID"),
            ("agent GET /workspaces/{bot}/memories?run_id=7", "", "400 invalid_field: `run_id` must be a UUID"),
            ("viewer GET /workspaces?root=acme", "", "400 invalid_field: `root` must be a UUID"),
            ("viewer GET /workspaces?parent=acme", "", "400 invalid_field: `parent` must be a UUID"),
        ])
        .await;
}

/// The response has the same bytes for a hidden or removed workspace of the caller's org and for one of another org.
async fn taken_id_does_not_reveal_its_owner(on: On) {
    let fixture = Fixture::new(on).await;
    let gone = fixture.app.admin().create("gone", Some(fixture.drawn.id("acme"))).await;
    fixture.app.admin().delete(&format!("/workspaces/{gone}")).await.expect(200);
    let taken = ["bot", "ops", "acme", "spy", "rival"].map(|name| fixture.drawn.id(name)).into_iter().chain([gone]);
    for id in taken {
        for (caller, above) in [("operator", Some("dev")), ("admin", Some("acme")), ("admin", None)] {
            let parent = above.map(|above| fixture.drawn.id(above));
            let created = json!({"name": "x", "id": id, "parent_id": parent});
            let refused = fixture.caller(caller).post("/workspaces", created).await.expect(409).json();
            let texts =
                [&refused["code"], &refused["title"], &refused["detail"]].map(|text| text.as_str().unwrap_or_default());
            assert_eq!(
                texts,
                ["id_taken", "The id is taken", &format!("the workspace id `{id}` is taken")],
                "{caller} {above:?}"
            );
        }
    }
}

/// The response has the same bytes for an absent workspace or memory and for one of another org.
async fn id_of_another_org_equals_absent_id_in_every_field(on: On) {
    let fixture = Fixture::new(on).await;
    let spys = fixture.app.admin().commit(fixture.drawn.id("spy"), "LOCAL", "the plan").await;
    let fields = [
        ("operator", "POST", "/workspaces", r#"{"name": "x", "parent_id": "ID"}"#),
        ("operator", "PATCH", "/workspaces/{bot}", r#"{"parent_id": "ID"}"#),
        ("agent", "POST", "/workspaces/{bot}/memories", r#"{"content": "x", "scope": "TEAM", "team": "ID"}"#),
        (
            "agent",
            "POST",
            "/workspaces/{bot}/memories",
            r#"{"content": "x", "scope": "LOCAL", "supersedes": "MEMORY"}"#,
        ),
        ("agent", "POST", "/workspaces/{bot}/activity", r#"{"activity_type": "agent_log", "source_id": "ID"}"#),
        ("agent", "POST", "/registry/check-access", r#"{"caller_id": "ID", "target_id": "{bot}"}"#),
        ("agent", "POST", "/registry/check-access", r#"{"caller_id": "{bot}", "target_id": "ID"}"#),
        ("agent", "GET", "/workspaces/{bot}/memories/MEMORY", ""),
        ("agent", "DELETE", "/workspaces/{bot}/memories/MEMORY", ""),
        ("agent", "GET", "/workspaces/{bot}/memories?author=ID", ""),
        ("viewer", "GET", "/workspaces?root=ID", ""),
        ("viewer", "GET", "/workspaces?parent=ID", ""),
    ];
    let before = fixture.app.dump();
    for (caller, method, path, body) in fields {
        let mut texts = Vec::new();
        for (id, memory) in [("{none}", uuid::Uuid::from_u128(7)), ("{spy}", spys), ("{rival}", spys)] {
            let put = |text: &str| fixture.filled(&text.replace("ID", id).replace("MEMORY", &memory.to_string()));
            let request = fixture.caller(caller).request(method, &put(path));
            let request = if body.is_empty() { request } else { request.body("application/json", put(body)) };
            let response = request.send().await;
            let mut json = response.json();
            if let Some(problem) = json.as_object_mut() {
                problem.remove("request_id");
            }
            // ids of the request may be in the response
            texts.push((
                response.status,
                json.to_string().replace(&put(id), "ID").replace(&memory.to_string(), "MEMORY"),
            ));
        }
        assert_eq!(texts[0], texts[1], "{method} {path} {body}");
        assert_eq!(texts[0], texts[2], "{method} {path} {body}");
    }
    assert_eq!(fixture.app.dump(), before);
}

async fn filter_with_id_of_another_org_finds_nothing(on: On) {
    let fixture = Fixture::new(on).await;
    let (bot, spy) = (fixture.drawn.id("bot"), fixture.drawn.id("spy").to_string());
    let found = fixture.caller("agent").search(bot, &[("author", &spy)]).await;
    assert_eq!(found.json(), json!([]));
    for parameter in ["root", "parent"] {
        let path = with_query("/workspaces", &[(parameter, &spy)]);
        assert_eq!(fixture.caller("viewer").get(&path).await.expect(200).json(), json!([]));
    }
}
