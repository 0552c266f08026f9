//! Passages of documents: every byte is in exactly one, with the right offsets and headings.

use orgmem_policies::passages::{MediaType, Passage, cut};
use proptest::prelude::*;

fn headings(text: &str) -> Vec<(Vec<String>, String)> {
    let part = |passage: Passage| (passage.heading, text[passage.start..passage.end].trim().to_owned());
    cut(text, MediaType::Markdown).into_iter().map(part).collect()
}

fn check(text: &str, passages: &[Passage]) {
    let (mut at, mut chars) = (0, 0);
    for passage in passages {
        assert_eq!(passage.start, at, "the passages follow each other");
        assert!(passage.end > passage.start, "no passage is empty");
        let part = &text[passage.start..passage.end];
        assert!(part.len() <= 2_000, "{} bytes", part.len());
        assert_eq!((passage.first_char, passage.chars), (chars, part.chars().count()));
        at = passage.end;
        chars += passage.chars;
    }
    assert_eq!(at, text.len(), "the last passage ends with the text");
}

#[test]
fn sections_have_their_heading_paths() {
    let text = "intro\n\n# A\n\na\n\n## B ##\n\nb\n\n### C\nc\n## D\nd\n# E\ne";
    let found = headings(text);
    let paths: Vec<Vec<&str>> =
        found.iter().map(|(path, _)| path.iter().map(String::as_str).collect::<Vec<_>>()).collect();
    assert_eq!(paths, [vec![], vec!["A"], vec!["A", "B"], vec!["A", "B", "C"], vec!["A", "D"], vec!["E"]]);
    assert_eq!(found[2].1, "## B ##\n\nb");
}

#[test]
fn heading_without_text_stays_with_the_section_below() {
    let found = headings("# Guide\n\n## Install\n\nRun it.\n");
    assert_eq!(found, [(vec!["Guide".into(), "Install".into()], "# Guide\n\n## Install\n\nRun it.".into())]);
}

#[test]
fn underlined_headings_count() {
    let found = headings("Guide\n=====\n\ntext\n\nPart\n----\n\nmore\n");
    let paths: Vec<&Vec<String>> = found.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, [&vec!["Guide".to_owned()], &vec!["Guide".to_owned(), "Part".to_owned()]]);
}

#[test]
fn code_blocks_have_no_headings() {
    let found = headings("# A\n\n```sh\n# comment\n```\n\n    # indented\n\n#tag\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, ["A"]);
}

#[test]
fn plain_text_has_no_headings_and_is_cut_between_paragraphs() {
    let paragraph = format!("# {}\n\n", "word ".repeat(100).trim());
    let text = paragraph.repeat(6);
    let passages = cut(&text, MediaType::Plain);
    check(&text, &passages);
    assert_eq!(passages.len(), 3);
    assert!(passages.iter().all(|passage| passage.heading.is_empty()));
    assert!(passages.iter().all(|passage| text[passage.start..].starts_with("# word")));
}

#[test]
fn long_line_is_cut_between_words_and_characters() {
    let words = "a word ".repeat(1_000);
    let passages = cut(&words, MediaType::Plain);
    check(&words, &passages);
    assert!(passages[..passages.len() - 1].iter().all(|passage| words[..passage.end].ends_with(' ')));
    let unspaced = "語".repeat(3_000);
    check(&unspaced, &cut(&unspaced, MediaType::Markdown));
}

#[test]
fn empty_text_has_no_passage() {
    assert!(cut("", MediaType::Markdown).is_empty());
    check("\n \n", &cut("\n \n", MediaType::Plain));
}

#[test]
fn media_types_ignore_parameters_and_case() {
    assert_eq!("Text/Markdown; charset=utf-8".parse(), Ok(MediaType::Markdown));
    assert!("text/rtf".parse::<MediaType>().is_err());
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "#{1,7} [a-zé ]{0,12}\n",
        "[a-zé語 ]{0,60}\n",
        Just("\n".to_owned()),
        Just("```\n".to_owned()),
        Just("====\n".to_owned()),
        "[a-z語]{900,2500}",
        "\\PC{0,20}",
    ]
}

proptest! {
    #[test]
    fn every_byte_is_in_one_passage(pieces in proptest::collection::vec(piece(), 0..30), markdown: bool) {
        let text = pieces.concat();
        let media_type = if markdown { MediaType::Markdown } else { MediaType::Plain };
        let passages = cut(&text, media_type);
        check(&text, &passages);
        prop_assert_eq!(passages, cut(&text, media_type));
    }

    #[test]
    fn change_in_the_last_section_leaves_the_others(body in "[a-z ]{1,40}", changed in "[a-z ]{1,40}") {
        let text = |last: &str| format!("# A\n\nfirst\n\n# B\n\nsecond\n\n# C\n\nx{last}\n");
        let (before, after) = (text(&body), text(&changed));
        let (before, after) = (cut(&before, MediaType::Markdown), cut(&after, MediaType::Markdown));
        prop_assert_eq!(&before[..2], &after[..2]);
    }
}
