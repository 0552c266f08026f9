//! Unknown, missing and wrongly typed fields at every route with a body.

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    unknown_field_is_named,
    missing_field_is_named,
    field_of_wrong_type_is_named,
    null_is_accepted_only_for_clearable_fields,
    nul_is_refused_in_every_text_field,
);

async fn unknown_field_is_named(on: On) {
    Fixture::new(on)
        .await
        .check(&[
            (
                "admin POST /workspaces",
                r#"{"name": "x", "colour": "red"}"#,
                "400 invalid_field: unknown field `colour`; known fields are …",
            ),
            (
                "operator PATCH /workspaces/{bot}",
                r#"{"nam": "x"}"#,
                "400 invalid_field: unknown field `nam`; known fields are …",
            ),
            (
                "agent POST /workspaces/{bot}/memories",
                r#"{"content": "x", "scope": "LOCAL", "scop": 1}"#,
                "400 invalid_field: unknown field `scop`; known fields are …",
            ),
            (
                "agent POST /workspaces/{bot}/memories/batch",
                r#"{"memories": [], "all": true}"#,
                "400 invalid_field: unknown field `all`; known fields are `memories`",
            ),
            (
                "agent POST /workspaces/{bot}/memory",
                r#"{"key": "k", "value": 1, "ttl": 3}"#,
                "400 invalid_field: unknown field `ttl`; known fields are …",
            ),
            (
                "agent POST /workspaces/{bot}/activity",
                r#"{"activity_type": "agent_log", "sumary": "x"}"#,
                "400 invalid_field: unknown field `sumary`; known fields are …",
            ),
            (
                "operator POST /workspaces/{bot}/tokens",
                r#"{"role": "agent", "ws": "{bot}"}"#,
                "400 invalid_field: unknown field `ws`; known fields are …",
            ),
            (
                "agent POST /registry/check-access",
                r#"{"caller_id": "{bot}", "target_id": "{bot}", "why": 1}"#,
                "400 invalid_field: unknown field `why`; known fields are …",
            ),
            (
                "admin POST /orgs/import",
                r#"{"name": "x", "childs": []}"#,
                "400 invalid_field: unknown field `childs`; known fields are …",
            ),
            (
                "admin POST /orgs/import",
                r#"{"name": "x", "children": [{"name": "y", "memory": []}]}"#,
                "400 invalid_field: unknown field `children[0].memory`; known fields are …",
            ),
        ])
        .await;
}

async fn missing_field_is_named(on: On) {
    Fixture::new(on)
        .await
        .check(&[
            ("admin POST /workspaces", "{}", "400 invalid_field: `name` is missing"),
            (
                "agent POST /workspaces/{bot}/memories",
                r#"{"scope": "LOCAL"}"#,
                "400 invalid_field: `content` is missing",
            ),
            ("agent POST /workspaces/{bot}/memories", r#"{"content": "x"}"#, "400 invalid_field: `scope` is missing"),
            ("agent POST /workspaces/{bot}/memories/batch", "{}", "400 invalid_field: `memories` is missing"),
            ("agent POST /workspaces/{bot}/memory", r#"{"value": 1}"#, "400 invalid_field: `key` is missing"),
            ("agent POST /workspaces/{bot}/memory", r#"{"key": "k"}"#, "400 invalid_field: `value` is missing"),
            ("agent POST /workspaces/{bot}/activity", "{}", "400 invalid_field: `activity_type` is missing"),
            ("operator POST /workspaces/{bot}/tokens", "{}", "400 invalid_field: `role` is missing"),
            (
                "agent POST /registry/check-access",
                r#"{"caller_id": "{bot}"}"#,
                "400 invalid_field: `target_id` is missing",
            ),
            ("admin POST /orgs/import", "{}", "400 invalid_field: `name` is missing"),
        ])
        .await;
}

async fn field_of_wrong_type_is_named(on: On) {
    let memories = "agent POST /workspaces/{bot}/memories";
    Fixture::new(on)
        .await
        .check(&[
            ("admin POST /workspaces", r#"{"name": 7}"#, "400 invalid_field: `name` must be a string, not `7`"),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "metadata": []}"#,
                "400 invalid_field: `metadata` must be an object, not an array",
            ),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "parent_id": 7}"#,
                "400 invalid_field: `parent_id` must be a UUID, not `7`",
            ),
            (
                "operator PATCH /workspaces/{bot}",
                r#"{"name": ["x"]}"#,
                "400 invalid_field: `name` must be a string, not an array",
            ),
            (
                memories,
                r#"{"content": {"text": "x"}, "scope": "LOCAL"}"#,
                "400 invalid_field: `content` must be a string, not an object",
            ),
            (
                memories,
                r#"{"content": null, "scope": "LOCAL"}"#,
                "400 invalid_field: `content` must be a string, not null",
            ),
            (memories, r#"{"content": "x", "scope": 1}"#, "400 invalid_field: `scope` must be a string, not `1`"),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "confidence": "high"}"#,
                "400 invalid_field: `confidence` must be a number, not a string",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "tags": "a"}"#,
                "400 invalid_field: `tags` must be an array, not a string",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "tags": [1]}"#,
                "400 invalid_field: `tags[0]` must be a string, not `1`",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "metadata": "x"}"#,
                "400 invalid_field: `metadata` must be an object, not a string",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "pin": "yes"}"#,
                "400 invalid_field: `pin` must be `true` or `false`, not a string",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "ttl_seconds": 1.5}"#,
                "400 invalid_field: `ttl_seconds` must be a whole number, not `1.5`",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "ttl_seconds": 1e300}"#,
                "400 invalid_field: `ttl_seconds` must be a whole number, not `1e+300`",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "expires_at": "tomorrow"}"#,
                "400 invalid_field: `expires_at` must be a time such as `2026-01-31T12:00:00Z`",
            ),
            (
                memories,
                r#"{"content": "x", "scope": "LOCAL", "expires_at": 1790000000}"#,
                "400 invalid_field: `expires_at` must be a time such as `2026-01-31T12:00:00Z`, not `1790000000`",
            ),
            (
                "agent POST /workspaces/{bot}/memories/batch",
                r#"{"memories": {}}"#,
                "400 invalid_field: `memories` must be an array, not an object",
            ),
            (
                "agent POST /workspaces/{bot}/memory",
                r#"{"key": 1, "value": 1}"#,
                "400 invalid_field: `key` must be a string, not `1`",
            ),
            (
                "agent POST /workspaces/{bot}/memory",
                r#"{"key": "k", "value": 1, "if_match_version": "1"}"#,
                "400 invalid_field: `if_match_version` must be a whole number, not a string",
            ),
            (
                "agent POST /workspaces/{bot}/activity",
                r#"{"activity_type": "agent_log", "duration_ms": "7"}"#,
                "400 invalid_field: `duration_ms` must be a whole number, not a string",
            ),
            (
                "agent POST /workspaces/{bot}/activity",
                r#"{"activity_type": "agent_log", "metadata": 7}"#,
                "400 invalid_field: `metadata` must be an object, not `7`",
            ),
            (
                "operator POST /workspaces/{bot}/tokens",
                r#"{"role": "boss"}"#,
                "400 invalid_field: `role` must be one of `source`, `agent`, `viewer`, `operator`, `admin`, not `boss`",
            ),
            (
                "operator POST /workspaces/{bot}/tokens",
                r#"{"role": "agent", "expires_in": "1h"}"#,
                "400 invalid_field: `expires_in` must be a whole number, not a string",
            ),
            (
                "admin POST /orgs/import",
                r#"{"name": "x", "children": {}}"#,
                "400 invalid_field: `children` must be an array, not an object",
            ),
        ])
        .await;
}

async fn null_is_accepted_only_for_clearable_fields(on: On) {
    let fixture = Fixture::new(on).await;
    let memory = ["content", "namespace", "kind", "source", "confidence", "tags", "pin", "ttl_seconds"];
    let profile = ["name", "is_default", "retention", "isolation", "injection", "excluded_kinds"];
    let all = [
        ("operator PATCH /workspaces/{bot}", ["name"].as_slice()),
        ("agent PATCH /workspaces/{bot}/memories/{memory}", &memory),
        // the default profile has the workspace's id
        ("operator PATCH /workspaces/{bot}/profiles/{bot}", &profile),
    ];
    for (request, fields) in all {
        for field in fields {
            let wants = format!("400 invalid_field: `{field}` must be …");
            fixture.check(&[(request, &json!({*field: null}).to_string(), &wants)]).await;
        }
    }
    for field in ["strategy", "limit", "scopes"] {
        let wants = format!("400 invalid_field: `injection.{field}` must be …");
        let change = json!({"injection": {field: null}}).to_string();
        fixture.check(&[("operator PATCH /workspaces/{bot}/profiles/{bot}", &change, &wants)]).await;
    }
    let change = json!({"role": null, "metadata": null});
    fixture.caller("operator").patch(&fixture.filled("/workspaces/{bot}"), change).await.expect(200);
    // a root's parent is null anyway
    fixture.caller("admin").patch(&fixture.filled("/workspaces/{acme}"), json!({"parent_id": null})).await.expect(200);
    let change = json!({"metadata": null, "subject": null, "session_id": null, "expires_at": null});
    fixture.caller("agent").patch(&fixture.filled("/workspaces/{bot}/memories/{memory}"), change).await.expect(200);
}

async fn nul_is_refused_in_every_text_field(on: On) {
    let memories = "agent POST /workspaces/{bot}/memories";
    let nul = "\\u0000";
    let with = |field: &str, value: &str| {
        format!(r#"{{"content": "x", "scope": "LOCAL", "{field}": {}}}"#, value.replace("NUL", nul))
    };
    Fixture::new(on)
        .await
        .check(&[
            (memories, &format!(r#"{{"content": "a{nul}b", "scope": "LOCAL"}}"#), "400 invalid_field: `content` must not contain the character U+0000"),
            (memories, &with("namespace", r#""aNUL""#), "400 invalid_field: `namespace` must not contain the character U+0000"),
            (memories, &with("kind", r#""aNUL""#), "400 invalid_field: `kind` must be a lower-case word of at most 32 letters, digits, `_` and `-`, such as `fact`, `summary` or `checkpoint`"),
            (memories, &with("tags", r#"["aNUL"]"#), "400 invalid_field: `tags` must not contain the character U+0000"),
            (memories, &with("subject", r#""aNUL""#), "400 invalid_field: `subject` must not contain the character U+0000"),
            (memories, &with("session_id", r#""aNUL""#), "400 invalid_field: `session_id` must not contain the character U+0000"),
            ("agent POST /workspaces/{bot}/memory", &format!(r#"{{"key": "a{nul}", "value": 1}}"#), "400 invalid_field: `key` must not contain the character U+0000"),
            (
                "agent POST /workspaces/{bot}/activity",
                &format!(r#"{{"activity_type": "agent_log", "summary": "{nul}"}}"#),
                "400 invalid_field: `summary` must not contain the character U+0000",
            ),
            ("admin POST /workspaces", &format!(r#"{{"name": "a{nul}"}}"#), "400 invalid_field: `name` must not contain the character U+0000"),
            ("admin POST /workspaces", &format!(r#"{{"name": "a", "role": "{nul}"}}"#), "400 invalid_field: `role` must not contain the character U+0000"),
            ("operator POST /workspaces/{bot}/tokens", &format!(r#"{{"role": "agent", "subject": "{nul}"}}"#), "400 invalid_field: `subject` must be text of 1 to 256 bytes without control characters"),
            ("agent GET /workspaces/{bot}/memory/a%00b", "", "400 invalid_field: `key` must not contain the character U+0000"),
            ("agent DELETE /workspaces/{bot}/memory/a%00b", "", "400 invalid_field: `key` must not contain the character U+0000"),
        ])
        .await;
}
