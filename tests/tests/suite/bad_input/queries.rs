//! Queries: no string is an error.

use orgmem_tests::{On, for_each_store, with_query};

use super::room::Room;

for_each_store!(no_query_is_an_error, a_query_of_sixty_four_kilobytes_is_answered);

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

async fn no_query_is_an_error(on: On) {
    let room = Room::new(on).await;
    let bot = room.drawn.id("bot");
    for query in QUERIES {
        for path in [
            with_query(&format!("/workspaces/{bot}/memories"), &[("q", query)]),
            with_query(&format!("/workspaces/{bot}/memories"), &[("q", query), ("order", "recent"), ("scope", "TEAM")]),
            with_query(&format!("/workspaces/{bot}/session-search"), &[("q", query)]),
            with_query(&format!("/workspaces/{bot}/session-search"), &[("q", query), ("order", "relevance")]),
            with_query("/workspaces", &[("q", query)]),
            with_query(&format!("/workspaces/{bot}/memory"), &[("prefix", query)]),
        ] {
            let answer = room.caller("viewer").get(&path).await;
            assert_eq!(answer.status, 200, "{query:?}: {}", answer.shown());
        }
    }
    room.nothing_changed();
}

/// As long as an address may be for the client that asks: 64 KiB, escapes and all.
async fn a_query_of_sixty_four_kilobytes_is_answered(on: On) {
    let room = Room::new(on).await;
    let bot = room.drawn.id("bot");
    for unit in ["deploys ", "x", "\" ", "d* ", "日", "a b "] {
        for address in [format!("/workspaces/{bot}/memories"), format!("/workspaces/{bot}/session-search")] {
            let escaped = with_query("/", &[("q", unit)]).len() - "/?q=".len();
            let query = unit.repeat((65_500 - address.len()) / escaped);
            let answer = room.caller("agent").get(&with_query(&address, &[("q", &query)])).await;
            assert_eq!(answer.status, 200, "{unit:?}: {} bytes", query.len());
        }
    }
    room.nothing_changed();
}
