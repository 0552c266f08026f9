//! No bytes of a client cause a panic in a decoder, and no fault repeats what may be a secret. `PROPTEST_CASES` sets the number
//! of inputs; a failing one is stored in `proptest-regressions`.

use orgmem_types as wire;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{ClientCall, ReadFault, any_json, foreign_json, foreign_query, json, json_value, query, yaml};

/// A text that no fault may repeat: longer than the names that faults quote.
const SECRET: &str = concat!(
    "Zq7-a-secret-that-is-longer-than-any-name-of-a-field-that-a-fault-may-quote-",
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0-9f8e7d6c5b4a39281706f5e4d3c2b1a0-9f8e7d6c5b4a39281706f5e4d3c2b1a0"
);

const REQUESTS: [&str; 6] = [
    r#"{"content": "a", "scope": "TEAM", "tags": ["x"], "metadata": {"a": [1, 2.5e9, null]}, "ttl_seconds": 60}"#,
    r#"{"memories": [{"content": "a", "scope": "LOCAL", "id": "01890000-0000-7000-8000-000000000001"}]}"#,
    r#"{"name": "a", "children": [{"name": "b", "initial_memories": [{"content": "c", "scope": "GLOBAL"}]}]}"#,
    r#"{"name": "night", "retention": {"max_age_seconds": 60}, "injection": {"scopes": ["TEAM"], "limit": 3}}"#,
    r#"{"key": "a", "value": {"b": true}, "if_match_version": 7}"#,
    r#"{"activity_type": "task_update", "summary": "x", "created_at": "2026-01-01T00:00:00Z", "duration_ms": 1.5}"#,
];

const QUERIES: [&str; 3] = [
    "q=a+b%20c&scope=TEAM&limit=5&since=2026-01-01T00:00:00Z&pinned=true&min_confidence=0.5",
    "root=01890000-0000-7000-8000-000000000001&status=live&q=%F0%9F%A6%80&cursor=AAAA",
    "dry_run=true&children=cascade&confirm=1",
];

/// Bytes, or a request with bytes replaced, removed, repeated or inserted.
fn any_input(seeds: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<Vec<u8>>(),
        prop::sample::select(vec![
            "[",
            "]",
            "{",
            "}",
            "\"",
            ":",
            ",",
            "\\u0000",
            "\\ud800",
            "-",
            "1e999",
            "null",
            "- ",
            "&a ",
            "*a",
            "<<: *a",
            "!!binary ",
            "|\n",
            "%",
            "%ff",
            "&",
            "=",
            "+",
            "\u{0}",
            "\u{feff}",
            "🦀",
            SECRET,
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, piece), 0..6);
    let mutated = (prop::sample::select(seeds.to_vec()), edits).prop_map(|(seed, edits)| {
        let mut bytes = seed.as_bytes().to_vec();
        for (at, length, piece) in edits {
            let at = at.index(bytes.len() + 1);
            let end = bytes.len().min(at + length);
            bytes.splice(at..end, piece);
        }
        bytes
    });
    prop_oneof![1 => any::<Vec<u8>>(), 4 => mutated]
}

fn check<T>(outcome: Result<T, ReadFault>) {
    if let Err(fault) = outcome {
        let text = fault.to_string();
        assert!(!text.contains(SECRET), "a fault repeats a long text: {text}");
        assert!(text.len() < 2_000, "a fault of {} bytes", text.len());
    }
}

fn read_as<T: DeserializeOwned>(bytes: &[u8], operation: &str) {
    let call = ClientCall { operation: operation.to_owned(), workspace: Some(Uuid::from_u128(7)) };
    match json::<T>(bytes, 20) {
        Err(fault) => check(foreign_json::<T>(bytes, &call, fault)),
        read => check(read),
    }
    check(yaml::<T>(bytes, 20));
    if let Ok(value) = any_json(bytes, 20) {
        check(json_value::<T>(&value));
    }
}

fn read_query_as<T: DeserializeOwned>(text: &str, operation: &str) {
    let call = ClientCall { operation: operation.to_owned(), workspace: Some(Uuid::from_u128(7)) };
    match query::<T>(text) {
        Err(fault) => check(foreign_query::<T>(text, &call, fault)),
        read => check(read),
    }
}

proptest! {
    #[test]
    fn any_body_is_read_or_refused(bytes in any_input(&REQUESTS)) {
        read_as::<wire::CommitMemory>(&bytes, "POST /workspaces/{id}/memories");
        read_as::<wire::CommitBatch>(&bytes, "POST /workspaces/{id}/memories/batch");
        read_as::<wire::PatchMemory>(&bytes, "PATCH /workspaces/{id}/memories/{mid}");
        read_as::<wire::PatchWorkspace>(&bytes, "PATCH /workspaces/{id}");
        read_as::<wire::ImportNode>(&bytes, "POST /orgs/import");
        read_as::<wire::ImportTemplate>(&bytes, "POST /org/import");
        read_as::<wire::CreateProfile>(&bytes, "POST /workspaces/{id}/profiles");
        read_as::<wire::PutEntry>(&bytes, "POST /workspaces/{id}/memory");
        read_as::<wire::AppendEpisode>(&bytes, "POST /workspaces/{id}/activity");
        read_as::<wire::BudgetLimits>(&bytes, "PUT /workspaces/{id}/budget");
    }

    #[test]
    fn any_query_is_read_or_refused(bytes in any_input(&QUERIES)) {
        let text = String::from_utf8_lossy(&bytes);
        read_query_as::<wire::ListMemories>(&text, "GET /workspaces/{id}/memories");
        read_query_as::<wire::ListWorkspaces>(&text, "GET /workspaces");
        read_query_as::<wire::RemoveWorkspace>(&text, "DELETE /workspaces/{id}");
        read_query_as::<wire::ListAuditRows>(&text, "GET /workspaces/{id}/access-log");
    }
}
