//! Out-of-range fields of workspaces, episodes and tokens.

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    workspace_without_valid_name_is_refused,
    episode_with_unknown_type_is_refused,
    token_with_invalid_role_or_lifetime_is_refused,
);

async fn workspace_without_valid_name_is_refused(on: On) {
    let name = |name: &str| json!({"name": name}).to_string();
    Fixture::new(on)
        .await
        .check(&[
            ("admin POST /workspaces", &name(""), "400 invalid_field: `name` must not be blank"),
            ("admin POST /workspaces", &name("  \t"), "400 invalid_field: `name` must not be blank"),
            (
                "admin POST /workspaces",
                &name(&"n".repeat(201)),
                "400 invalid_field: `name` has 201 characters; at most 200 are allowed",
            ),
            (
                "admin POST /workspaces",
                &name("two\nlines"),
                "400 invalid_field: `name` must be one line without control characters",
            ),
            ("operator PATCH /workspaces/{bot}", &name(""), "400 invalid_field: `name` must not be blank"),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "id": "{bot}"}"#,
                "409 id_taken: the workspace id `{bot}` is taken",
            ),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "id": "{rival}"}"#,
                "409 id_taken: the workspace id `{rival}` is taken",
            ),
            (
                "operator POST /workspaces",
                r#"{"name": "x", "parent_id": "{bot}", "id": "{spy}"}"#,
                "409 id_taken: the workspace id `{spy}` is taken",
            ),
            (
                "operator POST /workspaces",
                r#"{"name": "x", "parent_id": "{bot}", "id": "{ops}"}"#,
                "409 id_taken: the workspace id `{ops}` is taken",
            ),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "id": "00000000-0000-0000-0000-000000000000"}"#,
                "409 id_taken: the workspace id `00000000-0000-0000-0000-000000000000` is taken",
            ),
        ])
        .await;
}

async fn episode_with_unknown_type_is_refused(on: On) {
    let at = "agent POST /workspaces/{bot}/activity";
    Fixture::new(on)
        .await
        .check(&[
            (at, r#"{"activity_type": "holiday"}"#, "400 invalid_field: `activity_type` is unknown; use one of …"),
            (at, r#"{"activity_type": ""}"#, "400 invalid_field: `activity_type` is unknown; use one of …"),
            (
                at,
                r#"{"activity_type": "agent_log", "source_id": "{peer}"}"#,
                "400 invalid_field: `source_id` must be the workspace itself, or absent",
            ),
            (
                at,
                r#"{"activity_type": "agent_log", "source_id": "{none}"}"#,
                "400 invalid_field: `source_id` must be the workspace itself, or absent",
            ),
            (
                at,
                r#"{"activity_type": "agent_log", "duration_ms": -1}"#,
                "400 invalid_field: `duration_ms` must be 0 or more milliseconds",
            ),
            (
                at,
                r#"{"activity_type": "agent_log", "target_id": "peer"}"#,
                "400 invalid_field: `target_id` must be a UUID",
            ),
            (
                at,
                r#"{"activity_type": "agent_log", "supersedes": "{none}x"}"#,
                "400 invalid_field: `supersedes` must be a UUID",
            ),
        ])
        .await;
}

async fn token_with_invalid_role_or_lifetime_is_refused(on: On) {
    let at = "operator POST /workspaces/{bot}/tokens";
    Fixture::new(on)
        .await
        .check(&[
            (
                at,
                r#"{"role": "viewer"}"#,
                "403 forbidden: an operator issues only agent tokens; ask an admin for a token of role `viewer`",
            ),
            (
                at,
                r#"{"role": "operator"}"#,
                "403 forbidden: an operator issues only agent tokens; ask an admin for a token of role `operator`",
            ),
            (
                at,
                r#"{"role": "admin"}"#,
                "403 forbidden: only an admin may issue or revoke tokens that are bound to no workspace here",
            ),
            (
                at,
                r#"{"role": "agent", "expires_in": 0}"#,
                "400 invalid_field: `expires_in` must be from 1 to 31536000 seconds",
            ),
            (
                at,
                r#"{"role": "agent", "expires_in": -5}"#,
                "400 invalid_field: `expires_in` must be from 1 to 31536000 seconds",
            ),
            (
                at,
                r#"{"role": "agent", "expires_in": 31536001}"#,
                "400 invalid_field: `expires_in` must be from 1 to 31536000 seconds",
            ),
            (
                at,
                r#"{"role": "agent", "expires_in": 9223372036854775807}"#,
                "400 invalid_field: `expires_in` must be from 1 to 31536000 seconds",
            ),
            (
                at,
                r#"{"role": "agent", "subject": ""}"#,
                "400 invalid_field: `subject` must be text of 1 to 256 bytes without control characters",
            ),
            (
                at,
                r#"{"role": "agent", "subject": "two\nlines"}"#,
                "400 invalid_field: `subject` must be text of 1 to 256 bytes without control characters",
            ),
        ])
        .await;
}
