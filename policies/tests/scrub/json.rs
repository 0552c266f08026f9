//! Scrubbing of JSON by value and by name; keys are never rewritten.

use orgmem_policies::scrub::Scrubber;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::corpora::{credentials, harmless};
use crate::properties::any_text;

fn scrub(value: Value) -> Value {
    Scrubber::built_in().scrub_json(value).expect("no credential among the keys").0.into_value()
}

/// A GitHub token, assembled so that the source contains none.
fn github_token() -> String {
    format!("{}{}", "ghp_", "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6")
}

#[test]
fn credentials_are_replaced_at_every_depth() {
    for credential in credentials() {
        let (text, expected, _) = credential.read();
        let value = json!({"a": [1, {"note": text}], "b": text});
        assert_eq!(scrub(value), json!({"a": [1, {"note": expected}], "b": expected}), "{}", credential.shape);
    }
}

#[test]
fn look_alikes_numbers_and_constants_stay() {
    let value = json!({"texts": harmless(), "n": [0, -1, 1.5, 18_446_744_073_709_551_615_u64], "t": true, "z": null});
    assert_eq!(scrub(value.clone()), value);
}

fn check(value: Value, expected: Value) {
    assert_eq!(scrub(value), expected);
}

#[test]
fn value_under_a_credential_name_is_replaced() {
    check(json!({"API_KEY": "abcdefgh"}), json!({"API_KEY": "[REDACTED:API_KEY]"}));
    check(json!({"db": {"password": "hunter2"}}), json!({"db": {"password": "[REDACTED:PASSWORD]"}}));
    check(json!({"password": "quo\"te\\d1"}), json!({"password": "[REDACTED:PASSWORD]"}));
    check(json!({"tokens": ["a1b2c3d4e5", "f6g7h8i9j0"]}), json!({"tokens": ["[REDACTED:TOKEN]", "[REDACTED:TOKEN]"]}));
    check(
        json!([{"name": "DB_PASSWORD", "value": "opensesame"}, {"name": "TZ", "value": "UTC"}]),
        json!([{"name": "DB_PASSWORD", "value": "[REDACTED:PASSWORD]"}, {"name": "TZ", "value": "UTC"}]),
    );
    check(json!({"Authorization": "Basic YWRtaW46aHVudGVy"}), json!({"Authorization": "Basic [REDACTED:BASIC_AUTH]"}));
}

#[test]
fn rule_that_recognises_the_value_names_the_kind() {
    check(json!({"api_key": github_token()}), json!({"api_key": "[REDACTED:GITHUB_TOKEN]"}));
}

#[test]
fn ordinary_value_under_a_credential_name_stays() {
    let value = json!({
        "password": "required", "token": "string", "API_KEY": "${API_KEY}", "secret": "my-app-secret-2", "SECRET": null,
        "API_KEYS": "the keys of all who call", "max_tokens": 4096, "nextPageToken": "CAUQAA2bXy9Kd0", "password_hint": "dog7!",
        "signature": "c2lnbmVkLCBub3Qgc2VjcmV0", "api_key": "[REDACTED:OLDER_WORD]",
    });
    check(value.clone(), value);
}

#[test]
fn entry_value_is_judged_by_its_key() {
    let (key, value, redactions) =
        Scrubber::built_in().scrub_entry("OPENAI_API_KEY", json!("abcdefgh")).expect("a plain key");
    assert_eq!(key.as_str(), "OPENAI_API_KEY");
    assert_eq!(value.to_string(), "\"[REDACTED:API_KEY]\"");
    assert_eq!(redactions.iter().map(|redaction| redaction.count).sum::<usize>(), 1);
}

#[test]
fn credential_as_key_is_refused_without_repeating_it() {
    let value = json!({"tokens": [{"of/bob": {github_token(): "the token of Bob"}}]});
    let refused = Scrubber::built_in().scrub_json(value).expect_err("a token for a key");
    assert_eq!((refused.path.as_str(), &*refused.kind), ("/tokens/0/of~1bob", "GITHUB_TOKEN"));
    assert_eq!(
        refused.to_string(),
        "a key in `/tokens/0/of~1bob` has the shape of a credential (GITHUB_TOKEN); use another name"
    );
    assert!(Scrubber::built_in().check_key(&github_token()).is_err());
    assert!(Scrubber::built_in().check_key("session/550e8400-e29b-41d4-a716-446655440000").is_ok());
}

#[test]
fn refusal_in_the_outermost_object_has_no_path() {
    let refused = Scrubber::built_in().scrub_json(json!({github_token(): 1})).expect_err("a token for a key");
    assert_eq!(refused.to_string(), "a key has the shape of a credential (GITHUB_TOKEN); use another name");
}

#[test]
fn text_around_a_marker_is_judged_without_the_name() {
    let value = json!({"password": "x1=[REDACTED:JWT]&y=2", "note": format!("{} a1b2", github_token())});
    check(value, json!({"password": "x1=[REDACTED:JWT]&y=2", "note": "[REDACTED:GITHUB_TOKEN] a1b2"}));
}

fn any_value() -> impl Strategy<Value = Value> {
    let name =
        prop::sample::select(vec!["note", "name", "value", "key", "password", "API_KEY", "token", "Authorization"]);
    let leaf = prop_oneof![
        any_text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name.clone().prop_map(str::to_owned), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn json_scrub_is_idempotent(value in any_value()) {
        let first = scrub(value);
        prop_assert_eq!(scrub(first.clone()), first);
    }
}
