//! Invalid moves, creations and removals.

use orgmem_tests::{On, TestApp, for_each_store};

use super::fixture::Fixture;

for_each_store!(
    move_that_breaks_the_tree_is_refused,
    tree_beyond_limits_is_refused,
    removal_with_children_requires_a_choice
);

async fn move_that_breaks_the_tree_is_refused(on: On) {
    let to = |name: &str| format!(r#"{{"parent_id": "{{{name}}}"}}"#);
    Fixture::new(on)
        .await
        .check(&[
            ("admin PATCH /workspaces/{dev}", &to("dev"), "409 tree_conflict: a workspace cannot be its own parent; name another one"),
            ("admin PATCH /workspaces/{dev}", &to("bot"), "409 tree_conflict: the new parent `{bot}` is below `{dev}`: the move would make a cycle; move `{bot}` out first"),
            ("admin PATCH /workspaces/{dev}", &to("helper"), "409 tree_conflict: the new parent `{helper}` is below `{dev}`: the move would make a cycle; move `{helper}` out first"),
            ("admin PATCH /workspaces/{acme}", &to("dev"), "409 tree_conflict: the root does not move: an org has one root, and it is `{acme}`"),
            ("admin PATCH /workspaces/{acme}", &to("rival"), "409 tree_conflict: the new parent `{rival}` is not live in this tree; a workspace moves only within its own tree"),
            ("admin PATCH /workspaces/{dev}", &to("rival"), "409 tree_conflict: the new parent `{rival}` is not live in this tree; a workspace moves only within its own tree"),
            ("admin PATCH /workspaces/{dev}", &to("spy"), "409 tree_conflict: the new parent `{spy}` is not live in this tree; a workspace moves only within its own tree"),
            ("admin PATCH /workspaces/{dev}", &to("none"), "409 tree_conflict: the new parent `{none}` is not live in this tree; a workspace moves only within its own tree"),
            ("operator PATCH /workspaces/{bot}", &to("ops"), "403 forbidden: an operator may add workspaces below the workspace it is bound to or one below it, not elsewhere"),
            ("operator PATCH /workspaces/{bot}", &to("spy"), "409 tree_conflict: the new parent `{spy}` is not live in this tree; a workspace moves only within its own tree"),
            ("operator PATCH /workspaces/{bot}", &to("none"), "409 tree_conflict: the new parent `{none}` is not live in this tree; a workspace moves only within its own tree"),
            ("operator PATCH /workspaces/{dev}", &to("ops"), "403 forbidden: an operator may add workspaces below the workspace it is bound to or one below it, not elsewhere"),
            ("operator PATCH /workspaces/{ops}", &to("dev"), "403 forbidden: an operator may move the workspace it is bound to or one below it, not elsewhere"),
            ("operator PATCH /workspaces/{spy}", &to("dev"), "404 not_found: no such workspace, or not yours to see"),
            ("admin PATCH /workspaces/{dev}", r#"{"parent_id": null}"#, "409 tree_conflict: `{dev}` cannot become a root: a workspace never leaves its tree; name a parent in it"),
            ("admin PATCH /workspaces/{dev}?dry_run=true", r#"{"parent_id": null}"#, "409 tree_conflict: `{dev}` cannot become a root: a workspace never leaves its tree; name a parent in it"),
            ("admin PATCH /workspaces/{dev}", r#"{"name": "renamed", "parent_id": null}"#, "409 tree_conflict: `{dev}` cannot become a root: a workspace never leaves its tree; name a parent in it"),
            ("operator PATCH /workspaces/{spy}", r#"{"parent_id": null}"#, "404 not_found: no such workspace, or not yours to see"),
            ("agent PATCH /workspaces/{bot}", r#"{"parent_id": null}"#, "403 forbidden: …"),
            // a combined patch is atomic
            ("admin PATCH /workspaces/{dev}", r#"{"name": "renamed", "parent_id": "{bot}"}"#, "409 tree_conflict: the new parent `{bot}` is below `{dev}`: the move would make a cycle; move `{bot}` out first"),
            ("operator PATCH /workspaces/{bot}", r#"{"name": "renamed", "parent_id": "{ops}"}"#, "403 forbidden: an operator may add workspaces below the workspace it is bound to or one below it, not elsewhere"),
        ])
        .await;
}

async fn tree_beyond_limits_is_refused(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_LIMITS_TREE_DEPTH", "4").with("ORGMEM_LIMITS_TREE_SIZE", "6");
    Fixture::within(app.start().await)
        .await
        .check(&[
            (
                "admin POST /workspaces",
                r#"{"name": "x", "parent_id": "{acme}"}"#,
                "409 tree_conflict: the tree has 6 workspaces, the maximum; remove some first",
            ),
            (
                "admin POST /workspaces",
                r#"{"name": "x", "parent_id": "{helper}"}"#,
                "409 tree_conflict: the tree has 6 workspaces, the maximum; remove some first",
            ),
            (
                "admin PATCH /workspaces/{bot}",
                r#"{"parent_id": "{peer}"}"#,
                "409 tree_conflict: the tree would be 5 levels deep; at most 4 are allowed",
            ),
        ])
        .await;
}

async fn removal_with_children_requires_a_choice(on: On) {
    Fixture::new(on)
        .await
        .check(&[
            ("admin DELETE /workspaces/{dev}", "", "409 confirmation_required: the workspace has live children (2); say `children=promote` to move them up, or `children=cascade` or `confirm=true` to remove them too"),
            ("admin DELETE /workspaces/{dev}?confirm=false", "", "409 confirmation_required: the workspace has live children (2); say `children=promote` to move them up, or `children=cascade` or `confirm=true` to remove them too"),
            ("admin DELETE /workspaces/{dev}?children=keep", "", "400 invalid_field: `children` must be one of `promote`, `cascade`, not `keep`"),
            ("admin DELETE /workspaces/{acme}?children=promote", "", "409 tree_conflict: a root's children cannot be promoted, because a root has no parent; use `children=cascade`"),
            // the operator does not cover the new parent of the children
            ("operator DELETE /workspaces/{dev}?children=promote", "", "403 forbidden: an operator may add workspaces below the workspace it is bound to or one below it, not elsewhere"),
            ("agent DELETE /workspaces/{bot}?confirm=true", "", "403 forbidden: an agent may not remove the workspace; an operator may"),
        ])
        .await;
}
