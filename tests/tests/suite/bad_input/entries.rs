//! Entries that cannot be put or dropped.

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::room::Room;

for_each_store!(
    an_entry_needs_a_key_that_is_one,
    an_entrys_value_and_time_have_limits,
    an_entry_is_written_on_the_version_that_was_read,
    a_condition_that_cannot_be_held_is_refused,
);

const AT: &str = "agent POST /workspaces/{bot}/memory";

async fn an_entry_needs_a_key_that_is_one(on: On) {
    let with = |key: &str| json!({"key": key, "value": 1}).to_string();
    let long = "k".repeat(257);
    Room::new(on)
        .await
        .check(&[
            (AT, &with(""), "400 invalid_field: `key` must not be blank"),
            (AT, &with("   "), "400 invalid_field: `key` must not be blank"),
            (AT, &with(&long), "400 invalid_field: `key` has 257 bytes; at most 256 are allowed"),
            (AT, &with("sk-proj-4f9Jk2LmN8pQ7rS6tU5vW4xY3zA2bC1dE0fG"), "400 invalid_field: a key in `key` looks like a credential (OPENAI_KEY); keys are stored unchanged, so use another one"),
            (AT, &with("ghp_0123456789abcdefghijABCDEFGHIJ012345"), "400 invalid_field: a key in `key` looks like a credential (GITHUB_TOKEN); keys are stored unchanged, so use another one"),
            ("agent GET /workspaces/{bot}/memory/absent", "", "404 not_found: no such entry, or not yours to see"),
            ("agent DELETE /workspaces/{bot}/memory/absent", "", "404 not_found: no such entry, or not yours to see"),
            (&format!("agent GET /workspaces/{{bot}}/memory/{long}"), "", "400 invalid_field: `key` has 257 bytes; at most 256 are allowed"),
        ])
        .await;
}

async fn an_entrys_value_and_time_have_limits(on: On) {
    let large = json!({"key": "k", "value": "x".repeat(256 * 1024)}).to_string();
    Room::new(on)
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

async fn an_entry_is_written_on_the_version_that_was_read(on: On) {
    let room = Room::new(on).await;
    room.check(&[
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
        let stale = room.caller("agent").post(&room.filled("/workspaces/{bot}/memory"), body).await;
        let problem = stale.refused(409, "version_conflict");
        assert_eq!((&problem["expected_version"], &problem["current_version"]), (&json!(4), &current));
    }
    room.nothing_changed();
}

async fn a_condition_that_cannot_be_held_is_refused(on: On) {
    let room = Room::new(on).await;
    let address = room.filled("/workspaces/{bot}/memory");
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
        let response = room.caller("agent").request("POST", &address).json(&body).header(name, value).send().await;
        room.check_answer(&response, expected);
    }
    let both = json!({"key": "state", "value": 1, "if_match_version": 1});
    let response = room.caller("agent").request("POST", &address).json(both).header("if-match", "\"2\"").send().await;
    room.check_answer(&response, "400 invalid_field: `if_match_version` must be the same version as in the `If-Match` header; send only one of the two");
    let drop = room.caller("agent").request("DELETE", &format!("{address}/state")).header("if-match", "\"2\"");
    room.check_answer(
        &drop.send().await,
        "409 version_conflict: `state` has version 1, not 2; read it again and decide",
    );
    room.nothing_changed();
}
