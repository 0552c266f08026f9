//! Invalid commits into namespaces.

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(namespace_that_may_not_be_written_is_refused, invalid_commit_into_a_namespace_is_refused);

const AT: &str = "agent POST /workspaces/{bot}/v2/memories";

async fn namespace_that_may_not_be_written_is_refused(on: On) {
    let into = |name: &str| json!({"content": "x", "namespace": name}).to_string();
    let refused = |name: &str, rule: &str| {
        let allowed = "it may write `workspace:{bot}`, `team:{dev}`, `team:{bot}`";
        format!("403 scope_forbidden: the workspace may not write namespace `{name}`: {rule}; {allowed}")
    };
    let (own, team) =
        ("only the workspace in its name writes it", "only the lead of the team and its children write it");
    let org = "only the root of the org writes it";
    let names = [
        ("workspace:{peer}", own),
        ("workspace:{none}", own),
        ("workspace:{spy}", own),
        ("team:{acme}", team),
        ("team:{peer}", team),
        ("team:{helper}", team),
        ("team:{rival}", team),
        ("team:{none}", team),
        ("org:{acme}", org),
        ("org:{bot}", org),
        ("org:{rival}", org),
        ("org:{none}", org),
    ];
    let fixture = Fixture::new(on).await;
    for (name, rule) in names {
        fixture.check(&[(AT, &into(name), &refused(name, rule))]).await;
    }
    let root = "403 scope_forbidden: the workspace may not write namespace `org:{rival}`: only the root of the org writes \
                it; it may write `workspace:{acme}`, `team:{acme}`, `org:{acme}`";
    fixture.check(&[("root POST /workspaces/{acme}/v2/memories", &into("org:{rival}"), root)]).await;
}

async fn invalid_commit_into_a_namespace_is_refused(on: On) {
    let into = |name: &str| json!({"content": "x", "namespace": name}).to_string();
    let unknown = "400 invalid_field: `namespace` must be one of `workspace:<id>`, `team:<lead id>`, `org:<root id>` or \
                   `custom:<label>`";
    Fixture::new(on)
        .await
        .check(&[
            (AT, &into(""), unknown),
            (AT, &into("general"), unknown),
            (AT, &into("team:dev"), unknown),
            (AT, &into("custom:"), unknown),
            (
                AT,
                &into(&format!("custom:{}", "x".repeat(51))),
                "400 invalid_field: `namespace` has 51 characters; at most 50 are allowed",
            ),
            (AT, r#"{"content": " "}"#, "400 invalid_field: `content` must not be blank"),
            (
                AT,
                r#"{"content": "x", "scope": "LOCAL"}"#,
                "400 invalid_field: unknown field `scope`; known fields are …",
            ),
            ("viewer POST /workspaces/{bot}/v2/memories", r#"{"content": "x"}"#, "403 forbidden: …"),
            ("agent DELETE /workspaces/{bot}/v2/memories/{none}", "", "404 not_found: …"),
            ("agent GET /workspaces/{spy}/v2/namespaces", "", "404 not_found: …"),
        ])
        .await;
}
