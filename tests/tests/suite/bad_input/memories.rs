//! Invalid commits.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    memory_without_content_or_scope_is_refused,
    scope_is_refused_where_the_author_may_not_write_it,
    memory_field_beyond_limit_is_refused,
    expiry_in_the_past_is_refused,
    id_or_superseded_memory_of_another_author_is_refused,
    batch_size_out_of_range_is_refused,
    configured_content_limit_applies,
);

const AT: &str = "agent POST /workspaces/{bot}/memories";

async fn memory_without_content_or_scope_is_refused(on: On) {
    let with = |content: &str, scope: &str| json!({"content": content, "scope": scope}).to_string();
    let too_long = "é".repeat(32 * 1024) + "x";
    Fixture::new(on)
        .await
        .check(&[
            (AT, &with("", "LOCAL"), "400 invalid_field: `content` must not be blank"),
            (AT, &with("  \n\t ", "LOCAL"), "400 invalid_field: `content` must not be blank"),
            (AT, &with(&too_long, "LOCAL"), "400 invalid_field: `content` has 65537 bytes; at most 65536 are allowed"),
            (
                AT,
                &with("x", "TEAMS"),
                "400 invalid_field: `scope` must be one of `LOCAL`, `TEAM`, `GLOBAL`, not `TEAMS`",
            ),
            (AT, &with("x", ""), "400 invalid_field: `scope` must be one of `LOCAL`, `TEAM`, `GLOBAL`, not ``"),
        ])
        .await;
}

async fn scope_is_refused_where_the_author_may_not_write_it(on: On) {
    let with = |scope: &str, team: &str| format!(r#"{{"content": "x", "scope": "{scope}", "team": "{{{team}}}"}}"#);
    Fixture::new(on)
        .await
        .check(&[
            (
                AT,
                r#"{"content": "x", "scope": "GLOBAL"}"#,
                "403 scope_forbidden: only a root writes GLOBAL; that is {acme} here, others may write TEAM or LOCAL",
            ),
            (
                "admin POST /workspaces/{dev}/memories",
                r#"{"content": "x", "scope": "GLOBAL"}"#,
                "403 scope_forbidden: only a root writes GLOBAL; that is {acme} here, others may write TEAM or LOCAL",
            ),
            (AT, &with("LOCAL", "bot"), "403 scope_forbidden: `team` needs scope `TEAM`"),
            (AT, &with("GLOBAL", "dev"), "403 scope_forbidden: `team` needs scope `TEAM`"),
            (
                "root POST /workspaces/{acme}/memories",
                &with("GLOBAL", "acme"),
                "403 scope_forbidden: `team` needs scope `TEAM`",
            ),
            (
                AT,
                &with("TEAM", "peer"),
                "403 scope_forbidden: `team` is the author itself or its parent; {peer} is neither",
            ),
            (
                AT,
                &with("TEAM", "helper"),
                "403 scope_forbidden: `team` is the author itself or its parent; {helper} is neither",
            ),
            (
                AT,
                &with("TEAM", "acme"),
                "403 scope_forbidden: `team` is the author itself or its parent; {acme} is neither",
            ),
            (
                AT,
                &with("TEAM", "spy"),
                "403 scope_forbidden: `team` is the author itself or its parent; {spy} is neither",
            ),
            (
                AT,
                &with("TEAM", "none"),
                "403 scope_forbidden: `team` is the author itself or its parent; {none} is neither",
            ),
        ])
        .await;
}

async fn memory_field_beyond_limit_is_refused(on: On) {
    let with = |field: &str, value: serde_json::Value| {
        let mut body = json!({"content": "x", "scope": "LOCAL"});
        body[field] = value;
        body.to_string()
    };
    let many: Vec<String> = (0..33).map(|number| format!("tag-{number}")).collect();
    Fixture::new(on)
        .await
        .check(&[
            (AT, &with("namespace", json!("n".repeat(51))), "400 invalid_field: `namespace` has 51 characters; at most 50 are allowed"),
            (AT, &with("namespace", json!("")), "400 invalid_field: `namespace` must not be blank"),
            (AT, &with("kind", json!("Fact")), "400 invalid_field: `kind` must be a lower-case word of at most 32 letters, digits, `_` and `-`, such as `fact`, `summary` or `checkpoint`"),
            (AT, &with("kind", json!("two words")), "400 invalid_field: `kind` must be a lower-case word of at most 32 letters, digits, `_` and `-`, such as `fact`, `summary` or `checkpoint`"),
            (AT, &with("kind", json!("k".repeat(33))), "400 invalid_field: `kind` must be a lower-case word of at most 32 letters, digits, `_` and `-`, such as `fact`, `summary` or `checkpoint`"),
            (AT, &with("kind", json!("")), "400 invalid_field: `kind` must be a lower-case word of at most 32 letters, digits, `_` and `-`, such as `fact`, `summary` or `checkpoint`"),
            (AT, &with("confidence", json!(1.01)), "400 invalid_field: `confidence` must be a number from 0 to 1"),
            (AT, &with("confidence", json!(-0.1)), "400 invalid_field: `confidence` must be a number from 0 to 1"),
            (AT, r#"{"content": "x", "scope": "LOCAL", "confidence": 1e999}"#, "400 bad_request: the body is not JSON: number out of range at line 1 column 54"),
            (AT, &with("source", json!("manual")), "400 invalid_field: `source` `manual` may not be claimed by this role; use one of `agent`, `tool`, `eval`, `runtime`, `user`"),
            (AT, &with("source", json!("processor")), "400 invalid_field: `source` `processor` may not be claimed by this role; use one of `agent`, `tool`, `eval`, `runtime`, `user`, or as a person `manual`"),
            (AT, &with("source", json!("oracle")), "400 invalid_field: `source` must be one of `agent`, `user`, `tool`, `eval`, `manual`, `runtime`, `processor`, not `oracle`"),
            ("admin POST /workspaces/{bot}/memories", &with("source", json!("processor")), "400 invalid_field: `source` `processor` may not be claimed by this role; use one of `agent`, `tool`, `eval`, `runtime`, `user`, or as a person `manual`"),
            (AT, &with("title", json!("t".repeat(201))), "400 invalid_field: `title` has 201 characters; at most 200 are allowed"),
            (AT, &with("title", json!(" ")), "400 invalid_field: `title` must not be blank"),
            (AT, &with("title", json!("two\nlines")), "400 invalid_field: `title` must be one line without control characters"),
            (AT, &with("tags", json!(many)), "400 invalid_field: `tags` has 33 tags; at most 32 are allowed"),
            (AT, &with("tags", json!([""])), "400 invalid_field: `tags` must not be blank"),
            (AT, &with("tags", json!(["t".repeat(10_000)])), "400 invalid_field: `tags` has 10000 characters; at most 200 are allowed"),
            (AT, &with("subject", json!("s".repeat(100_000))), "400 invalid_field: `subject` has 100000 characters; at most 200 are allowed"),
            (AT, &with("session_id", json!("s".repeat(100_000))), "400 invalid_field: `session_id` has 100000 characters; at most 200 are allowed"),
            (AT, &with("metadata", json!({"a": "x".repeat(300_000)})), "400 invalid_field: `metadata` has 300008 bytes as JSON; at most 65536 are allowed"),
        ])
        .await;
}

async fn expiry_in_the_past_is_refused(on: On) {
    let with = |fields: &str| format!(r#"{{"content": "x", "scope": "LOCAL", {fields}}}"#);
    Fixture::new(on)
        .await
        .check(&[
            (
                AT,
                &with(r#""ttl_seconds": 0"#),
                "400 invalid_field: `ttl_seconds` must be a positive number of seconds, at most 100 years",
            ),
            (
                AT,
                &with(r#""ttl_seconds": -1"#),
                "400 invalid_field: `ttl_seconds` must be a positive number of seconds, at most 100 years",
            ),
            (
                AT,
                &with(r#""ttl_seconds": 9223372036854775807"#),
                "400 invalid_field: `ttl_seconds` must be a positive number of seconds, at most 100 years",
            ),
            (
                AT,
                &with(r#""expires_at": "2020-01-01T00:00:00Z""#),
                "400 invalid_field: `expires_at` must be in the future",
            ),
            (
                AT,
                &with(r#""expires_at": "2030-01-01T00:00:00""#),
                "400 invalid_field: `expires_at` must be a time such as `2026-01-31T12:00:00Z`",
            ),
            (
                AT,
                &with(r#""expires_at": "2030-13-01T00:00:00Z""#),
                "400 invalid_field: `expires_at` must be a time such as `2026-01-31T12:00:00Z`",
            ),
            (
                AT,
                &with(r#""ttl_seconds": 5, "expires_at": "2030-01-01T00:00:00Z""#),
                "400 invalid_field: give `expires_at` or `ttl_seconds`, not both",
            ),
        ])
        .await;
}

async fn id_or_superseded_memory_of_another_author_is_refused(on: On) {
    let peers = "operator POST /workspaces/{peer}/memories";
    Fixture::new(on)
        .await
        .check(&[
            (
                peers,
                r#"{"content": "x", "scope": "LOCAL", "id": "{memory}"}"#,
                "409 id_taken: the memory id `{memory}` is taken; leave `id` out to have one made",
            ),
            (
                peers,
                r#"{"content": "x", "scope": "LOCAL", "supersedes": "{memory}"}"#,
                "409 nothing_to_supersede: there is no live memory `{memory}` of the author's own to supersede",
            ),
            (
                AT,
                r#"{"content": "x", "scope": "LOCAL", "supersedes": "{none}"}"#,
                "409 nothing_to_supersede: there is no live memory `{none}` of the author's own to supersede",
            ),
            (
                AT,
                r#"{"content": "x", "scope": "LOCAL", "id": "{memory}", "supersedes": "{memory}"}"#,
                "409 nothing_to_supersede: there is no live memory `{memory}` of the author's own to supersede",
            ),
        ])
        .await;
}

async fn batch_size_out_of_range_is_refused(on: On) {
    let items = |count: usize| json!({"memories": vec![json!({"content": "x", "scope": "LOCAL"}); count]}).to_string();
    let at = "agent POST /workspaces/{bot}/memories/batch";
    Fixture::new(on)
        .await
        .check(&[
            (at, &items(0), "400 invalid_field: `memories` must be a list of 1 to 500 memories"),
            (at, &items(501), "400 invalid_field: `memories` must be a list of 1 to 500 memories"),
            (at, r#"{"memories": 7}"#, "400 invalid_field: `memories` must be an array, not `7`"),
        ])
        .await;
}

async fn configured_content_limit_applies(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_LIMITS_CONTENT_BYTES", "64").start().await;
    let body = json!({"content": "x".repeat(65), "scope": "LOCAL"}).to_string();
    Fixture::within(app)
        .await
        .check(&[(AT, &body, "400 invalid_field: `content` has 65 bytes; at most 64 are allowed")])
        .await;
}
