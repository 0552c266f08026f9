//! Properties over random and hostile files of each format.

use orgmem_extract::{ExtractError, Extracted, Format, Limits, MediaType, extract};
use proptest::prelude::*;

/// Parts from which a file of some format may be made.
const PARTS: [&str; 44] = [
    "<h1>",
    "</h1>",
    "<p>",
    "</p>",
    "<pre>",
    "</pre>",
    "<li>",
    "<ol>",
    "</ol>",
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "<script>",
    "</script>",
    "<title>",
    "</title>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<svg/>",
    "<img alt='",
    "'",
    "\"",
    ">",
    "<",
    "&amp;",
    "&#x110000;",
    "&nGt;",
    ",",
    ";",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "#",
    "```",
    "word",
    "ß",
    "\u{2028}",
    "\u{a0}",
    "\0",
    "<meta charset=utf-16>",
    "charset=",
];

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        8 => proptest::sample::select(&PARTS[..]).prop_map(|part| part.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    prop_oneof![
        4 => proptest::collection::vec(part, 0..60).prop_map(|parts| parts.concat()),
        1 => proptest::collection::vec(any::<u8>(), 0..400),
    ]
}

fn any_type() -> impl Strategy<Value = MediaType> {
    let charset =
        proptest::sample::select(&["", "; charset=utf-16le", "; charset=gb18030", "; charset=iso-2022-jp"][..]);
    let format = proptest::sample::select(&Format::ALL[..]);
    (format, charset).prop_map(|(format, charset)| {
        MediaType::parse(&format!("{}{charset}", format.as_str())).expect("a supported media type")
    })
}

fn check(result: &Result<Extracted, ExtractError>, media_type: &MediaType, limits: &Limits) {
    match result {
        Ok(extracted) => {
            assert!(extracted.text.len() <= limits.output_bytes);
            assert!(extracted.text.chars().any(|c| !c.is_whitespace()));
            assert!(!extracted.text.contains(['\0', '\r', '\u{c}']));
            if let Some(title) = &extracted.title {
                assert!(!title.contains('\n') && !title.is_empty() && title.len() <= 4096);
            }
            if [Format::Html, Format::Csv].contains(&media_type.format()) {
                assert!(!extracted.text.contains("\n\n\n") || extracted.text.contains("\n    "), "{extracted:?}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_have_a_bounded_text_or_a_short_error(
        bytes in any_file(),
        media_type in any_type(),
        output_bytes in prop_oneof![Just(20), Just(1_000_000)],
    ) {
        let limits = Limits { output_bytes, ..Limits::default() };
        let result = extract(&bytes, &media_type, &limits);
        check(&result, &media_type, &limits);
        prop_assert_eq!(extract(&bytes, &media_type, &limits), result);
    }

    #[test]
    fn every_word_of_a_page_is_in_its_text(words in proptest::collection::vec("[a-zäß0-9]{1,8}", 1..30), tags in any::<u64>()) {
        const TAGS: [&str; 8] = ["p", "h2", "li", "td", "pre", "div", "b", "blockquote"];
        let mut page = String::new();
        for (number, word) in words.iter().enumerate() {
            let tag = TAGS[(tags >> (number % 21 * 3)) as usize % TAGS.len()];
            page.push_str(&format!("<{tag}>{word}</{tag}> "));
        }
        let extracted = extract(page.as_bytes(), &Format::Html.into(), &Limits::default()).expect("the page has words");
        let found: Vec<_> = extracted.text.split_whitespace().filter(|word| !["##", "-", "|"].contains(word)).collect();
        prop_assert_eq!(found, words);
    }

    #[test]
    fn every_cell_of_a_table_is_in_its_row(rows in proptest::collection::vec(proptest::collection::vec("[a-z ,;\"\n]{0,6}", 3), 2..10)) {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let lines: Vec<_> = rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        let plain = |cell: &String| cell.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut expected = Vec::new();
        for row in &rows[1..] {
            let cells = row.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
            let paragraph: Vec<_> = cells.map(|(at, cell)| match plain(&rows[0][at]) {
                name if name.is_empty() => format!("column {}: {}", at + 1, plain(cell)),
                name => format!("{name}: {}", plain(cell)),
            }).collect();
            expected.push(paragraph.join("\n"));
        }
        expected.retain(|paragraph| !paragraph.is_empty());
        let found = extract(lines.join("\n").as_bytes(), &Format::Csv.into(), &Limits::default());
        let found = found.map(|extracted| extracted.text).unwrap_or_default();
        prop_assert_eq!(found, expected.join("\n\n"));
    }
}
