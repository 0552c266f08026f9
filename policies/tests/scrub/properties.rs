//! Properties of every text.

use orgmem_policies::scrub::Scrubber;
use proptest::prelude::*;

use crate::corpora::{credentials, harmless};

/// Texts of the corpora, halves of them, and fragments of rules, concatenated at every boundary.
fn fragments() -> Vec<String> {
    let hooks = [
        "password=",
        "API_KEY=",
        "token: ",
        "\"secret\":\"",
        "Bearer ",
        "https://",
        "postgres://a:",
        "@",
        ":",
        "=",
        "\"",
        "'",
        "\n",
        "\\n",
        " ",
        "/",
        "&x=",
        "-",
        "_",
        "[REDACTED:",
        "[REDACTED:JWT]",
        "]",
        "(",
        "$",
        "}",
        "sha256-",
        "data:",
        "-----BEGIN PRIVATE KEY-----",
        "é",
        "字",
        "\u{200B}",
        "\u{202E}",
        "\u{E0041}",
        "\u{1B}[31m",
        "e\u{301}",
        "\u{FDFA}",
        "ｐａｓｓｗｏｒｄ＝",
        "ﬁ",
    ];
    let texts =
        credentials().into_iter().map(|credential| credential.read().0).chain(harmless().into_values().flatten());
    let halves = texts.flat_map(|text| {
        let (start, end) = text.split_at(text.floor_char_boundary(text.len() / 2));
        [start.to_owned(), end.to_owned(), text]
    });
    hooks.into_iter().map(str::to_owned).chain(halves).collect()
}

pub(crate) fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(fragments()), 0..8).prop_map(|parts| parts.concat()),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn scrub_is_idempotent(text in any_text()) {
        let (first, _) = Scrubber::built_in().scrub(&text);
        let (twice, redactions) = Scrubber::built_in().scrub(first.as_str());
        prop_assert_eq!(twice, first);
        prop_assert_eq!(redactions, vec![]);
    }

    #[test]
    fn scrub_preserves_the_remaining_text(text in any_text()) {
        let (scrubbed, redactions) = Scrubber::built_in().scrub(&text);
        let mut pieces = vec![scrubbed.as_str()];
        for redaction in &redactions {
            let marker = format!("[REDACTED:{}]", redaction.kind);
            pieces = pieces.into_iter().flat_map(|piece| piece.split(marker.as_str())).collect();
        }
        let mut rest = text.as_str();
        for piece in pieces {
            let Some(at) = rest.find(piece) else {
                return Err(TestCaseError::fail(format!("{piece:?} does not continue {rest:?}")));
            };
            rest = &rest[at + piece.len()..];
        }
    }

    #[test]
    fn redactions_count_the_new_markers(text in any_text()) {
        let (scrubbed, redactions) = Scrubber::built_in().scrub(&text);
        for redaction in redactions {
            let marker = format!("[REDACTED:{}]", redaction.kind);
            let new = scrubbed.as_str().matches(&marker).count() - text.matches(&marker).count();
            prop_assert_eq!(redaction.count, new);
        }
    }
}
