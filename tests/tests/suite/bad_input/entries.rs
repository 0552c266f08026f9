//! Invalid writes of entries.

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    entry_without_valid_key_is_refused,
    entry_with_large_value_or_invalid_ttl_is_refused,
    entry_write_on_stale_version_is_refused,
    invalid_version_condition_is_refused,
);

const AT: &str = "agent POST /workspaces/{bot}/memory";

async fn entry_without_valid_key_is_refused(on: On) {
    let with = |key: &str| json!({"key": key, "value": 1}).to_string();
    let long = "k".repeat(257);
    Fixture::new(on)
        .await
        .check(&[
            (AT, &with(""), "400 invalid_field: `key` must not be blank"),
            (AT, &with("   "), "400 invalid_field: `key` must not be blank"),
            (AT, &with(&long), "400 invalid_field: `key` has 257 bytes; at most 256 are allowed"),
            (AT, &with("sk-proj-4f9Jk2LmN8pQ7rS6tU5vW4xY3zA2bC1dE0fG"), "400 invalid_field: a key in `key` looks like a credential (OPENAI_KEY); keys are stored unchanged, so use another one"),
            (AT, &with("ghp_0123456789abcdefghijABCDEFGHIJ012345"), "400 invalid_field: a key in `key` looks like a credential (GITHUB_TOKEN); keys are stored unchanged, so use another one"),
            ("agent GET /workspaces/{bot}/memory/absent", "", "404 not_found: no such entry, or not yours to see"),
            ("agent DELETE /workspaces/{bot}/memory/absent", "", "200"),
            (&format!("agent GET /workspaces/{{bot}}/memory/{long}"), "", "400 invalid_field: `key` has 257 bytes; at most 256 are allowed"),
        ])
        .await;
}

async fn entry_with_large_value_or_invalid_ttl_is_refused(on: On) {
    let large = json!({"key": "k", "value": "x".repeat(256 * 1024)}).to_string();
    Fixture::new(on)
        .await
        .check(&[
            (AT, &large, "400 invalid_field: `value` has 262146 bytes as JSON; at most 262144 are allowed"),
            (
                AT,
                r#"{"key": "k", "value": 1, "ttl_seconds": 0}"#,
                "400 invalid_field: `ttl_seconds` must be a positive number of seconds, at most 100 years",
            ),
            (
                AT,
                r#"{"key": "k", "value": 1, "ttl_seconds": -3600}"#,
                "400 invalid_field: `ttl_seconds` must be a positive number of seconds, at most 100 years",
            ),
            (
                AT,
                r#"{"key": "k", "value": 1, "ttl_seconds": 9223372036854775807}"#,
                "400 invalid_field: `ttl_seconds` must be a positive number of seconds, at most 100 years",
            ),
            (
                AT,
                r#"{"key": "k", "value": 1, "ttl_seconds": 0.5}"#,
                "400 invalid_field: `ttl_seconds` must be a whole number, not `0.5`",
            ),
        ])
        .await;
}

async fn entry_write_on_stale_version_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    fixture
        .check(&[
            (
                AT,
                r#"{"key": "state", "value": 1, "if_match_version": 0}"#,
                "409 version_conflict: `state` is there, with version 1; read it again and decide",
            ),
            (
                AT,
                r#"{"key": "state", "value": 1, "if_match_version": 7}"#,
                "409 version_conflict: `state` has version 1, not 7; read it again and decide",
            ),
            (
                AT,
                r#"{"key": "other", "value": 1, "if_match_version": 1}"#,
                "409 version_conflict: `other` is absent, so it has no version 1; read it again and decide",
            ),
            (
                AT,
                r#"{"key": "state", "value": 1, "if_match_version": -1}"#,
                "400 invalid_field: `if_match_version` must be the required version, or 0 if the entry must not exist",
            ),
        ])
        .await;
    for (key, current) in [("other", json!(null)), ("state", json!(1))] {
        let body = json!({"key": key, "value": 1, "if_match_version": 4});
        let stale = fixture.caller("agent").post(&fixture.filled("/workspaces/{bot}/memory"), body).await;
        let problem = stale.refused(409, "version_conflict");
        assert_eq!((&problem["expected_version"], &problem["current_version"]), (&json!(4), &current));
    }
    fixture.nothing_changed();
}

async fn invalid_version_condition_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let address = fixture.filled("/workspaces/{bot}/memory");
    let body = json!({"key": "state", "value": 1});
    for (name, value, expected) in [
        (
            "if-match",
            "W/\"1\"",
            "400 invalid_field: the header `If-Match` must be one version, as `ETag` gives it: `\"3\"`",
        ),
        ("if-match", "*", "400 invalid_field: the header `If-Match` must be one version, as `ETag` gives it: `\"3\"`"),
        (
            "if-match",
            "\"1\", \"2\"",
            "400 invalid_field: the header `If-Match` must be one version, as `ETag` gives it: `\"3\"`",
        ),
        (
            "if-none-match",
            "\"1\"",
            "400 invalid_field: the header `If-None-Match` must be `*`, for a key that must not exist yet",
        ),
        ("if-none-match", "*", "409 version_conflict: `state` is there, with version 1; read it again and decide"),
        ("if-match", "\"9\"", "409 version_conflict: `state` has version 1, not 9; read it again and decide"),
    ] {
        let response = fixture.caller("agent").request("POST", &address).json(&body).header(name, value).send().await;
        fixture.check_response(&response, expected);
    }
    let both = json!({"key": "state", "value": 1, "if_match_version": 1});
    let response =
        fixture.caller("agent").request("POST", &address).json(both).header("if-match", "\"2\"").send().await;
    fixture.check_response(&response, "400 invalid_field: `if_match_version` must be the same version as in the `If-Match` header; send only one of the two");
    let drop = fixture.caller("agent").request("DELETE", &format!("{address}/state")).header("if-match", "\"2\"");
    fixture.check_response(
        &drop.send().await,
        "409 version_conflict: `state` has version 1, not 2; read it again and decide",
    );
    fixture.nothing_changed();
}
