//! Media types, encodings, plain text and CSV.

use orgmem_extract::{ExtractError, Format, Limits, MediaType, extract};

const TEXT_FORMATS: [Format; 4] = [Format::Plain, Format::Markdown, Format::Html, Format::Csv];

fn as_type(media_type: &str, bytes: &[u8]) -> Result<String, ExtractError> {
    extract(bytes, &MediaType::parse(media_type)?, &Limits::default()).map(|extracted| extracted.text)
}

#[test]
fn media_type_is_read_in_any_case_and_with_parameters() {
    let media_type = MediaType::parse("Text/HTML ; boundary=x; Charset=\"UTF-8\"").expect("a supported media type");
    assert_eq!((media_type.format(), media_type.charset()), (Format::Html, Some("UTF-8")));
}

#[test]
fn unsupported_media_type_is_named_with_the_supported_ones() {
    for value in ["application/zip", "", "text", "text/html2", "texthtml"] {
        let message = MediaType::parse(value).expect_err("no extractor").to_string();
        assert!(message.contains(&format!("`{value}`")), "{message}");
        for format in Format::ALL {
            assert!(message.contains(format.as_str()), "{message}");
        }
    }
}

#[test]
fn long_media_type_is_shortened_in_the_message() {
    let message = MediaType::parse(&"é".repeat(5000)).expect_err("no extractor").to_string();
    assert!(message.chars().count() < 400, "{message}");
}

#[test]
fn text_has_line_feeds_and_no_control_characters() {
    let text = as_type("text/plain", b"one\r\ntwo\rthree\x0cfour\tfive\x08\x1b[0m").expect("text");
    assert_eq!(text, "one\ntwo\nthree\nfour\tfive[0m");
}

#[test]
fn markdown_is_unchanged() {
    let source = "# Title\n\n```sh\n# comment\n```\n\n* item  \n  more\n";
    assert_eq!(as_type("text/markdown", source.as_bytes()).expect("text"), source);
}

#[test]
fn byte_order_mark_names_the_encoding() {
    let utf_16: Vec<u8> = "\u{feff}Öl\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(as_type("text/plain", &utf_16).expect("text"), "Öl\n");
    assert_eq!(as_type("text/plain; charset=latin1", b"\xef\xbb\xbf\xc3\x96l").expect("text"), "Öl");
}

#[test]
fn bytes_outside_the_encoding_are_named_with_their_offset() {
    let refused = as_type("text/plain", b"ab\xc3\xa9cd\xe9ef");
    assert_eq!(refused, Err(ExtractError::InvalidText { encoding: "UTF-8", offset: 6, byte: 0xe9 }));
    let refused = as_type("text/plain; charset=shift_jis", b"abc\x81\x00");
    assert_eq!(refused, Err(ExtractError::InvalidText { encoding: "Shift_JIS", offset: 3, byte: 0x81 }));
    let refused = as_type("text/plain", b"\xef\xbb\xbfok\xff");
    assert_eq!(refused, Err(ExtractError::InvalidText { encoding: "UTF-8", offset: 5, byte: 0xff }));
    let message = refused.expect_err("invalid").to_string();
    assert!(message.contains("0xff at offset 5") && message.contains("charset=windows-1252"), "{message}");
}

#[test]
fn offset_of_the_fault_is_exact_behind_a_long_valid_text() {
    let mut bytes = "é".repeat(50_000).into_bytes();
    bytes.push(0xe9);
    let refused = as_type("text/plain", &bytes);
    assert_eq!(refused, Err(ExtractError::InvalidText { encoding: "UTF-8", offset: 100_000, byte: 0xe9 }));
}

#[test]
fn stated_encoding_is_applied_and_an_unknown_one_is_named() {
    assert_eq!(as_type("text/plain; charset=windows-1252", b"\x93\xe9\x94").expect("text"), "“é”");
    let refused = as_type("text/plain; charset=utf-9", b"abc");
    assert_eq!(refused, Err(ExtractError::UnknownCharset { value: "utf-9".to_owned() }));
}

#[test]
fn file_with_nul_characters_is_refused_in_each_text_format() {
    for format in TEXT_FORMATS {
        let refused = extract(b"PK\x03\x04\0\0", &format.into(), &Limits::default());
        assert!(matches!(refused, Err(ExtractError::Binary { offset: 4, .. })), "{refused:?}");
    }
}

#[test]
fn file_without_text_is_refused_in_each_format() {
    for format in TEXT_FORMATS {
        for bytes in [b"".as_slice(), b" \r\n\t \n", b"\xef\xbb\xbf"] {
            let refused = extract(bytes, &format.into(), &Limits::default());
            assert_eq!(refused, Err(ExtractError::NoText { media_type: format.as_str() }), "{bytes:?}");
        }
    }
}

#[test]
fn file_and_text_beyond_the_limits_are_refused_with_both_numbers() {
    let limits = Limits { input_bytes: 10, ..Limits::default() };
    let refused = extract(b"eleven byte", &Format::Plain.into(), &limits);
    assert_eq!(refused, Err(ExtractError::InputTooLarge { bytes: 11, limit: 10 }));
    let limits = Limits { output_bytes: 10, ..Limits::default() };
    let refused = extract(b"eleven byte", &Format::Plain.into(), &limits);
    assert_eq!(refused, Err(ExtractError::OutputTooLarge { limit: 10 }));
}

#[test]
fn row_becomes_a_paragraph_with_the_names_of_its_columns() {
    let source = "part,count,note\r\nseal,4,\"two\nlines, \"\"quoted\"\"\"\r\n\r\npump,,# spare,extra\r\n";
    let expected = "part: seal\ncount: 4\nnote: two lines, \"quoted\"\n\npart: pump\nnote: # spare\ncolumn 4: extra";
    assert_eq!(as_type("text/csv", source.as_bytes()).expect("rows"), expected);
}

#[test]
fn separator_of_the_first_line_is_recognised() {
    let expected = "a,b: 1\nc: 2";
    for separator in [';', '\t', '|'] {
        let source = format!("\"a,b\"{separator}c\n1{separator}2\n");
        assert_eq!(as_type("text/csv", source.as_bytes()).expect("rows"), expected, "{separator:?}");
    }
}

#[test]
fn table_with_one_line_has_the_text_of_the_line() {
    assert_eq!(as_type("text/csv", b"part,count").expect("text"), "part\ncount");
}

#[test]
fn names_of_columns_that_multiply_into_gigabytes_are_refused() {
    let source = format!("{},b\n{}", "a".repeat(1_000_000), "1,2\n".repeat(1_000_000));
    let refused = as_type("text/csv", source.as_bytes());
    assert_eq!(refused, Err(ExtractError::OutputTooLarge { limit: 20 * 1024 * 1024 }));
}
