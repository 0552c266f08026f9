//! Queries: every string is valid.

use std::collections::BTreeSet;

use orgmem_tests::{On, for_each_store, with_query};
use serde_json::{Value, json};

use super::fixture::Fixture;

for_each_store!(every_query_is_accepted, text_with_nul_finds_nothing, query_of_64_kib_is_accepted,);

const QUERIES: &[&str] = &[
    "a",
    "\"",
    "\"\"",
    "\"deploys",
    "deploys\" AND",
    "AND OR NOT",
    "NEAR(deploys tuesdays, 2)",
    "deploys NOT tuesdays",
    "content:deploys",
    "^deploys",
    "-deploys +tuesdays",
    "*",
    "**",
    "d*",
    "*d",
    "(((((",
    ")",
    "'; DROP TABLE memories; --",
    "' OR '1'='1",
    "%",
    "_",
    "\\",
    "\\0",
    "{}[]<>|&!~`@#$^",
    "🚀",
    "👩‍👩‍👧‍👦 🇩🇪",
    "日本語",
    "ไทย",
    "\u{202e}deploys",
    "\u{0}",
    "deploys\u{0}tuesdays",
    "\u{feff}",
    "e\u{301}",
    "ﬁ",
    "İ",
    "ß",
    " \t\n ",
    "NULL",
    "null",
    "1",
    "1e309",
    "-0",
    "true",
    "tuesdays tuesdays tuesdays",
];

async fn every_query_is_accepted(on: On) {
    let fixture = Fixture::new(on).await;
    let bot = fixture.drawn.id("bot");
    for query in QUERIES {
        for path in [
            with_query(&format!("/workspaces/{bot}/memories"), &[("q", query)]),
            with_query(&format!("/workspaces/{bot}/memories"), &[("q", query), ("order", "recent"), ("scope", "TEAM")]),
            with_query(&format!("/workspaces/{bot}/session-search"), &[("q", query)]),
            with_query(&format!("/workspaces/{bot}/session-search"), &[("q", query), ("order", "relevance")]),
            with_query("/workspaces", &[("q", query)]),
            with_query(&format!("/workspaces/{bot}/memory"), &[("prefix", query)]),
        ] {
            let response = fixture.caller("viewer").get(&path).await;
            assert_eq!(response.status, 200, "{query:?}: {}", response.describe());
        }
    }
    fixture.nothing_changed();
}

/// Every text parameter of a `GET`, with its response to a text with U+0000, which no stored text has: no rows, or all
/// where the words are compared.
const TEXTS: &[(&str, &str)] = &[
    ("/workspaces?q", "…"),
    ("/workspaces?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/memory?prefix", "[]"),
    ("/workspaces/{bot}/memory?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/memories?q", "…"),
    ("/workspaces/{bot}/memories?namespace", "[]"),
    ("/workspaces/{bot}/memories?kind", "[]"),
    ("/workspaces/{bot}/memories?tag", "[]"),
    ("/workspaces/{bot}/memories?subject", "[]"),
    ("/workspaces/{bot}/memories?session_id", "[]"),
    ("/workspaces/{bot}/memories?metadata", "invalid_field"),
    ("/workspaces/{bot}/memories?ids", "invalid_field"),
    ("/workspaces/{bot}/memories?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/v2/memories?q", "…"),
    ("/workspaces/{bot}/v2/memories?namespace", r#"{"memories":[]}"#),
    ("/workspaces/{bot}/v2/memories?kind", r#"{"memories":[]}"#),
    ("/workspaces/{bot}/v2/memories?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/memories/count?q", "…"),
    ("/workspaces/{bot}/memories/count?namespace", "{\"count\":0}"),
    ("/workspaces/{bot}/memories/count?kind", "{\"count\":0}"),
    ("/workspaces/{bot}/memories/count?tag", "{\"count\":0}"),
    ("/workspaces/{bot}/memories/count?subject", "{\"count\":0}"),
    ("/workspaces/{bot}/memories/count?session_id", "{\"count\":0}"),
    ("/workspaces/{bot}/memories/values?member", "[]"),
    ("/workspaces/{bot}/memories/values?namespace", "invalid_field"),
    ("/workspaces/{bot}/memories/values?kind", "invalid_field"),
    ("/workspaces/{bot}/memories/values?tag", "invalid_field"),
    ("/workspaces/{bot}/memories/values?subject", "invalid_field"),
    ("/workspaces/{bot}/memories/values?session_id", "invalid_field"),
    ("/workspaces/{bot}/memories/values?metadata", "invalid_field"),
    ("/workspaces/{bot}/memories/values?cursor", "invalid_field"),
    ("/workspaces/{bot}/memories/count?metadata", "invalid_field"),
    ("/workspaces/{bot}/memories/count?ids", "invalid_field"),
    ("/search?q", "…"),
    ("/search?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/memories/{memory}/why?q", "…"),
    ("/workspaces/{bot}/memories/{memory}/history?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/memories/{memory}/access-log?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/runs?session_id", "[]"),
    ("/workspaces/{bot}/runs?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/runs/{none}?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/pages?q", "…"),
    ("/workspaces/{bot}/pages?subject", "[]"),
    ("/workspaces/{bot}/pages?session_id", "[]"),
    ("/workspaces/{bot}/pages?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/pages/{none}/why?subject", "not_found"),
    ("/workspaces/{bot}/documents?collection", "[]"),
    ("/workspaces/{bot}/documents?tag", "[]"),
    ("/workspaces/{bot}/documents?media_type", "[]"),
    ("/workspaces/{bot}/documents?source_uri", "[]"),
    ("/workspaces/{bot}/documents?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/collections/{name}/rows?key", "not_found"),
    ("/workspaces/{bot}/collections/{name}/rows?prefix", "not_found"),
    ("/workspaces/{bot}/collections/{name}/rows?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/processors/{name}/runs?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/grants?subject", "[]"),
    ("/workspaces/{bot}/grants?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/reviews?entity", "[]"),
    ("/workspaces/{bot}/reviews?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/records?prefix", "[]"),
    ("/workspaces/{bot}/records?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/session-search?q", "…"),
    ("/workspaces/{bot}/session-search?session_id", "[]"),
    ("/workspaces/{bot}/session-search?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/activity?type", "[]"),
    ("/workspaces/{bot}/activity?session_id", "[]"),
    ("/workspaces/{bot}/activity?subject", "[]"),
    ("/workspaces/{bot}/activity?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/memories/redactions?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/reach?among", "invalid_field"),
    ("/workspaces/{bot}/reach?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/access-log?subject", "[]"),
    ("/workspaces/{bot}/access-log?action", "invalid_field"),
    ("/workspaces/{bot}/access-log?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/access-log/verify?cursor", "invalid_cursor"),
    ("/workspaces/{bot}/tokens?cursor", "invalid_cursor"),
];

async fn text_with_nul_finds_nothing(on: On) {
    let fixture = Fixture::new(on).await;
    let admin = fixture.caller("admin");
    let mut wrong = Vec::new();
    for (parameter, expected) in TEXTS {
        let (address, name) = parameter.split_once('?').expect("an address and a parameter");
        for text in ["\0", "deploys\0", "\0state"] {
            let response = admin.get(&with_query(&fixture.filled(address), &[(name, text)])).await;
            let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
            let actual = match response.status {
                200 => body.to_string(),
                _ => body["code"].as_str().unwrap_or_default().to_owned(),
            };
            if actual != *expected && (*expected, response.status) != ("…", 200) {
                wrong.push(format!("{parameter}={text:?} wants {expected}, gets {}", response.describe()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let keys = format!("/workspaces/{}/memory", fixture.drawn.id("bot"));
    admin.get(&format!("{keys}/state%00")).await.refused(400, "invalid_field");
    fixture.nothing_changed();
    // the table is complete
    let described = admin.get("/openapi.json").await.expect(200).json();
    let listed: BTreeSet<String> = TEXTS.iter().map(|(parameter, _)| fixture.filled(parameter)).collect();
    let left_out: Vec<String> = texts_of(&fixture, &described).difference(&listed).cloned().collect();
    assert!(left_out.is_empty(), "{left_out:?}");
}

/// The documented text parameters.
fn texts_of(fixture: &Fixture, described: &Value) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for (path, item) in described["paths"].as_object().expect("an object") {
        let address = path
            .replace("{id}", "{bot}")
            .replace("{mid}", "{memory}")
            .replace("{rid}", "{none}")
            .replace("{pid}", "{none}");
        for parameter in item["get"]["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            let is_text = schema["type"] == "string" || schema["type"] == json!(["string", "null"]);
            if parameter["in"] == "query" && is_text && schema["format"].is_null() && schema["enum"].is_null() {
                let name = parameter["name"].as_str().expect("a name");
                texts.insert(fixture.filled(&format!("{address}?{name}")));
            }
        }
    }
    texts
}

/// The client's maximum length of an address: 64 KiB with escapes.
async fn query_of_64_kib_is_accepted(on: On) {
    let fixture = Fixture::new(on).await;
    let bot = fixture.drawn.id("bot");
    for unit in ["deploys ", "x", "\" ", "d* ", "日", "a b "] {
        for address in [format!("/workspaces/{bot}/memories"), format!("/workspaces/{bot}/session-search")] {
            let escaped = with_query("/", &[("q", unit)]).len() - "/?q=".len();
            let query = unit.repeat((65_500 - address.len()) / escaped);
            let response = fixture.caller("agent").get(&with_query(&address, &[("q", &query)])).await;
            assert_eq!(response.status, 200, "{unit:?}: {} bytes", query.len());
        }
    }
    fixture.nothing_changed();
}
