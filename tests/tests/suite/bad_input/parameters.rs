//! Unknown and invalid parameters.

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    unknown_parameter_is_named,
    invalid_parameter_is_named,
    cursor_of_another_list_is_refused,
    idempotency_key_is_one_word_for_one_request,
);

async fn unknown_parameter_is_named(on: On) {
    Fixture::new(on)
        .await
        .check(&[
            (
                "agent GET /workspaces/{bot}/memories?query=x",
                "",
                "400 invalid_field: unknown field `query`; known fields are …",
            ),
            (
                "agent GET /workspaces/{bot}/memories/{memory}?q=x",
                "",
                "400 invalid_field: unknown field `q`; known fields are `sessions`",
            ),
            (
                "agent GET /workspaces/{bot}/memory?keys=x",
                "",
                "400 invalid_field: unknown field `keys`; known fields are …",
            ),
            (
                "agent GET /workspaces/{bot}/memory/state?version=1",
                "",
                "400 invalid_field: unknown field `version`; leave it out",
            ),
            (
                "agent GET /workspaces/{bot}/activity?activity_type=error",
                "",
                "400 invalid_field: unknown field `activity_type`; known fields are …",
            ),
            (
                "agent GET /workspaces/{bot}/session-search?query=x",
                "",
                "400 invalid_field: unknown field `query`; known fields are …",
            ),
            ("viewer GET /workspaces?name=x", "", "400 invalid_field: unknown field `name`; known fields are …"),
            ("viewer GET /workspaces/{dev}?depth=1", "", "400 invalid_field: unknown field `depth`; leave it out"),
            (
                "viewer GET /workspaces/{dev}/tree?levels=1",
                "",
                "400 invalid_field: unknown field `levels`; known fields are `depth`",
            ),
            (
                "viewer GET /workspaces/{dev}/reach?scopes=TEAM",
                "",
                "400 invalid_field: unknown field `scopes`; known fields are `scope`, `direction`, `via`, `among`, `limit`, `cursor`; did you mean `scope`?",
            ),
            (
                "operator DELETE /workspaces/{peer}?force=true",
                "",
                "400 invalid_field: unknown field `force`; known fields are …",
            ),
            (
                "admin POST /orgs/import?dryrun=true",
                r#"{"name": "x"}"#,
                "400 invalid_field: unknown field `dryrun`; known fields are `dry_run`, `ungated`; did you mean `dry_run`?",
            ),
            (
                "agent POST /workspaces/{bot}/memories?scope=LOCAL",
                r#"{"content": "x", "scope": "LOCAL"}"#,
                "400 invalid_field: unknown field `scope`; leave it out",
            ),
            ("agent GET /me?verbose=1", "", "400 invalid_field: unknown field `verbose`; leave it out"),
        ])
        .await;
}

async fn invalid_parameter_is_named(on: On) {
    Fixture::new(on)
        .await
        .check(&[
            ("agent GET /workspaces/{bot}/memories?scope=team", "", "400 invalid_field: `scope` must be one of `LOCAL`, `TEAM`, `GLOBAL`, not `team`"),
            ("agent GET /workspaces/{bot}/memories?limit=many", "", "400 invalid_field: `limit` must be a whole number within range"),
            ("agent GET /workspaces/{bot}/memories?limit=-1", "", "400 invalid_field: `limit` must be a whole number within range"),
            ("agent GET /workspaces/{bot}/memories?limit=1&limit=2", "", "400 invalid_field: duplicate field `limit`"),
            ("agent GET /workspaces/{bot}/memories?since=yesterday", "", "400 invalid_field: `since` must be a time such as `2026-01-31T12:00:00Z`"),
            ("agent GET /workspaces/{bot}/memories?min_confidence=2", "", "400 invalid_field: `min_confidence` must be a number from 0 to 1"),
            ("agent GET /workspaces/{bot}/memories?min_confidence=NaN", "", "400 invalid_field: `min_confidence` must be a number from 0 to 1"),
            ("agent GET /workspaces/{bot}/memories?mode=semantic", "", "400 not_configured: no embedder is configured, so `mode` must be `auto` or `keyword`"),
            ("agent GET /workspaces/{bot}/memories?mode=hybrid&q=x", "", "400 not_configured: no embedder is configured, so `mode` must be `auto` or `keyword`"),
            ("agent GET /workspaces/{bot}/memories?mode=magic", "", "400 invalid_field: `mode` must be one of `auto`, `keyword`, `semantic`, `hybrid`, not `magic`"),
            ("agent GET /workspaces/{bot}/memories?order=best", "", "400 invalid_field: `order` must be one of `relevance`, `recent`, `confidence`, not `best`"),
            ("agent GET /workspaces/{bot}/memories?source=oracle", "", "400 invalid_field: `source` must be one of `agent`, `user`, `tool`, `eval`, `manual`, `runtime`, `processor`, not `oracle`"),
            ("agent GET /workspaces/{bot}/session-search?kind=page", "", "400 invalid_field: `kind` must be one of `activity`, `memory`, not `page`"),
            ("agent GET /workspaces/{bot}/session-search?order=best", "", "400 invalid_field: `order` must be one of `recent`, `relevance`, not `best`"),
            ("viewer GET /workspaces?status=gone", "", "400 invalid_field: `status` must be one of `live`, `online`, `removed`, not `gone`"),
            ("viewer GET /workspaces/{dev}/tree?depth=deep", "", "400 invalid_field: `depth` must be a whole number within range"),
            ("viewer GET /workspaces/{dev}/reach?scope=ALL", "", "400 invalid_field: `scope` must be one of `LOCAL`, `TEAM`, `GLOBAL`, not `ALL`"),
            ("admin POST /orgs/import?dry_run=maybe", r#"{"name": "x"}"#, "400 invalid_field: `dry_run` must be `true` or `false`"),
        ])
        .await;
}

async fn cursor_of_another_list_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let foreign = {
        let page = fixture.caller("viewer").get("/workspaces?limit=1").await.expect(200);
        let next = page.next().expect("there are more");
        next.split_once("cursor=").expect("it has a cursor").1.to_owned()
    };
    let with = |list: &str, cursor: &str| format!("viewer GET {list}?cursor={cursor}");
    for list in [
        "/workspaces/{bot}/memories",
        "/workspaces/{bot}/memory",
        "/workspaces/{bot}/activity",
        "/workspaces/{bot}/session-search",
    ] {
        for cursor in ["x", "%00", "bm9uc2Vuc2U", &foreign] {
            fixture
                .check(&[(
                    &with(list, cursor),
                    "",
                    "400 invalid_cursor: `cursor` is not one that this list gave; start again without it",
                )])
                .await;
        }
    }
}

async fn idempotency_key_is_one_word_for_one_request(on: On) {
    let fixture = Fixture::new(on).await;
    let address = fixture.filled("/workspaces/{bot}/memories");
    let body = json!({"content": "x", "scope": "LOCAL"});
    let agent = fixture.caller("agent");
    for key in ["", "two words", &"k".repeat(256), "\u{e9}"] {
        let response = agent.request("POST", &address).json(&body).header("idempotency-key", key).send().await;
        fixture.check_response(
            &response,
            "400 invalid_field: the header `Idempotency-Key` must be 1 to 255 visible ASCII characters, without spaces",
        );
    }
    fixture.nothing_changed();
    agent.request("POST", &address).json(&body).header("idempotency-key", "once").send().await.expect(201);
    let before = fixture.app.dump();
    let other = json!({"content": "y", "scope": "LOCAL"});
    for (path, body) in
        [(address.clone(), other), (fixture.filled("/workspaces/{bot}/activity"), json!({"activity_type": "error"}))]
    {
        let response = agent.request("POST", &path).json(body).header("idempotency-key", "once").send().await;
        fixture.check_response(
            &response,
            "422 idempotency_mismatch: this `Idempotency-Key` was used for another request; use a new one",
        );
    }
    assert_eq!(fixture.app.dump(), before);
}
