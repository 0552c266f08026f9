//! Invalid import documents: an import is atomic.

use orgmem_tests::{On, for_each_store};

use super::fixture::Fixture;

for_each_store!(
    faulty_json_document_imports_nothing,
    fault_message_truncates_long_names,
    faulty_yaml_document_imports_nothing,
);

async fn faulty_json_document_imports_nothing(on: On) {
    let at = "admin POST /orgs/import";
    let below = |node: &str| format!(r#"{{"name": "new", "children": [{{"name": "ok"}}, {node}]}}"#);
    let deep = {
        let levels = 70;
        format!("{}{{\"name\": \"x\"}}{}", r#"{"name": "x", "children": ["#.repeat(levels), "]}".repeat(levels))
    };
    Fixture::new(on)
        .await
        .check(&[
            (at, &below(r#"{"name": ""}"#), "400 invalid_field: in ``: `name` must not be blank"),
            (at, &below(r#"{"name": "a", "initial_memories": [{"content": "x", "scope": "GLOBAL"}]}"#), "403 scope_forbidden: in `a`: only a root writes GLOBAL; that is new here, others may write TEAM or LOCAL"),
            (at, &below(r#"{"name": "a", "initial_memories": [{"content": " ", "scope": "LOCAL"}]}"#), "400 invalid_field: in `a`: `content` must not be blank"),
            (at, &below(r#"{"name": "a", "initial_memories": [{"content": "x", "scope": "LOCAL", "team": "self"}]}"#), "403 scope_forbidden: in `a`: `team` needs scope `TEAM`"),
            (at, &below(r#"{"name": "a", "entries": [{"key": "", "value": 1}]}"#), "400 invalid_field: in `a`: `key` must not be blank"),
            (at, &below(r#"{"name": "a", "episodes": [{"activity_type": "holiday"}]}"#), "400 invalid_field: in `a`: `activity_type` is unknown; use one of …"),
            (at, &below(r#"{"name": "a", "id": "{spy}"}"#), "409 id_taken: the workspace id `{spy}` is taken"),
            (at, &below(r#"{"name": "a", "id": "{bot}"}"#), "409 id_taken: the workspace id `{bot}` is taken"),
            (at, r#"{"name": "x", "id": "{bot}"}"#, "409 id_taken: the workspace id `{bot}` is taken"),
            (at, &deep, "400 bad_request: the body nests deeper than 127 levels; reduce the nesting"),
            ("operator POST /orgs/import", r#"{"name": "new"}"#, "403 forbidden: only an admin may import an org"),
            ("agent POST /orgs/import", r#"{"name": "new"}"#, "403 forbidden: only an admin may import an org"),
        ])
        .await;
}

async fn fault_message_truncates_long_names(on: On) {
    let fixture = Fixture::new(on).await;
    let (name, field) = ("\u{20ac}".repeat(100_000), "x".repeat(100_000));
    let beginning = "\u{20ac}".repeat(100);
    let document = format!(r#"{{"name": "new", "children": [{{"name": "{name}"}}]}}"#);
    let unknown = format!(r#"{{"name": "new", "children": [{{"{field}": 1}}]}}"#);
    for (document, expected) in [
        (document, format!("in `{beginning}…`: `name` has 100000 characters; at most 200 are allowed")),
        (unknown, format!("unknown field `children[0].{}…`; known fields are …", "x".repeat(100))),
    ] {
        let response =
            fixture.caller("admin").request("POST", "/orgs/import").body("application/json", document).send().await;
        fixture.check_response(&response, &format!("400 invalid_field: {expected}"));
        assert!(response.body.len() < 2_000, "{} bytes", response.body.len());
    }
    fixture.nothing_changed();
}

async fn faulty_yaml_document_imports_nothing(on: On) {
    let fixture = Fixture::new(on).await;
    let bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n".to_owned()
        + "c: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\nname: x\n";
    let cases = [
        ("name: [unclosed", "400 invalid_field: `name` must be a string"),
        (
            "name: x\nname: y\n",
            "400 bad_request: the body is not YAML: duplicate mapping key: name at line 2, column 1",
        ),
        ("name: x\nchildren:\n- nam: y\n", "400 invalid_field: unknown field `children[0].nam`; known fields are …"),
        ("- name: x\n", "400 invalid_field: the body must be an object"),
        ("", "400 bad_request: the body is missing; send `application/json` or `application/yaml`"),
        (
            "name: x\n---\nname: y\n",
            "400 bad_request: the body is not YAML: multiple YAML documents detected at line 3, column 1",
        ),
        (&bomb, "400 invalid_field: unknown field `a`; known fields are …"),
    ];
    for (document, expected) in cases {
        let request = fixture.caller("admin").request("POST", "/orgs/import").body("application/yaml", document);
        fixture.check_response(&request.send().await, expected);
    }
    fixture.nothing_changed();
}
