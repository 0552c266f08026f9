//! Ids that are none, or another org's, in every position.

use orgmem_tests::{On, for_each_store, with_query};
use serde_json::json;

use super::room::Room;

for_each_store!(
    what_is_no_uuid_names_nothing,
    what_is_no_uuid_in_a_body_or_a_query_is_named,
    another_orgs_id_answers_like_an_absent_one_in_every_field,
    another_orgs_ids_in_filters_find_nothing,
    an_id_that_is_taken_does_not_tell_by_whom,
);

async fn what_is_no_uuid_names_nothing(on: On) {
    let room = Room::new(on).await;
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
    for (asked, expected) in &cases {
        // a path of dots is resolved by the client
        if !asked.contains("/..") {
            room.check(&[(asked, "", expected)]).await;
        }
    }
}

async fn what_is_no_uuid_in_a_body_or_a_query_is_named(on: On) {
    Room::new(on)
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

/// The same bytes, whether a workspace of one's own org has the id, out of sight or removed, or one of another org.
async fn an_id_that_is_taken_does_not_tell_by_whom(on: On) {
    let room = Room::new(on).await;
    let gone = room.app.admin().create("gone", Some(room.drawn.id("acme"))).await;
    room.app.admin().delete(&format!("/workspaces/{gone}")).await.expect(200);
    let taken = ["bot", "ops", "acme", "spy", "rival"].map(|name| room.drawn.id(name)).into_iter().chain([gone]);
    for id in taken {
        for (who, above) in [("operator", Some("dev")), ("admin", Some("acme")), ("admin", None)] {
            let parent = above.map(|above| room.drawn.id(above));
            let created = json!({"name": "x", "id": id, "parent_id": parent});
            let refused = room.caller(who).post("/workspaces", created).await.expect(409).json();
            let told =
                [&refused["code"], &refused["title"], &refused["detail"]].map(|told| told.as_str().unwrap_or_default());
            assert_eq!(
                told,
                ["id_taken", "The id is taken", &format!("the workspace id `{id}` is taken")],
                "{who} {above:?}"
            );
        }
    }
}

/// The same bytes, whether there is no such workspace or memory or it is another org's.
async fn another_orgs_id_answers_like_an_absent_one_in_every_field(on: On) {
    let room = Room::new(on).await;
    let spys = room.app.admin().commit(room.drawn.id("spy"), "LOCAL", "the plan").await;
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
    let before = room.app.dump();
    for (who, method, path, body) in fields {
        let mut told = Vec::new();
        for (id, memory) in [("{none}", uuid::Uuid::from_u128(7)), ("{spy}", spys), ("{rival}", spys)] {
            let put = |text: &str| room.filled(&text.replace("ID", id).replace("MEMORY", &memory.to_string()));
            let request = room.caller(who).request(method, &put(path));
            let request = if body.is_empty() { request } else { request.body("application/json", put(body)) };
            let response = request.send().await;
            let mut json = response.json();
            if let Some(problem) = json.as_object_mut() {
                problem.remove("request_id");
            }
            // what was sent may come back
            told.push((
                response.status,
                json.to_string().replace(&put(id), "ID").replace(&memory.to_string(), "MEMORY"),
            ));
        }
        assert_eq!(told[0], told[1], "{method} {path} {body}");
        assert_eq!(told[0], told[2], "{method} {path} {body}");
    }
    assert_eq!(room.app.dump(), before);
}

async fn another_orgs_ids_in_filters_find_nothing(on: On) {
    let room = Room::new(on).await;
    let (bot, spy) = (room.drawn.id("bot"), room.drawn.id("spy").to_string());
    let found = room.caller("agent").search(bot, &[("author", &spy)]).await;
    assert_eq!(found.json(), json!([]));
    for parameter in ["root", "parent"] {
        let path = with_query("/workspaces", &[(parameter, &spy)]);
        assert_eq!(room.caller("viewer").get(&path).await.expect(200).json(), json!([]));
    }
}
