//! Files that are made to cost more than they are worth.

use std::fmt::Write;

use orgmem_extract::ExtractError;

use crate::file::{File, deflate, read};

const MIB: usize = 1024 * 1024;

#[test]
fn decompression_bomb_is_refused_wherever_it_is() {
    let bomb = deflate(&vec![b' '; 16 * MIB]);
    assert!(bomb.len() < 20_000);
    let twice = deflate(&bomb);
    let entries = ["/Filter /FlateDecode", "/Type /ObjStm /N 1 /First 1 /Filter /FlateDecode"];
    let mut cases: Vec<File> = entries.map(|entries| of_content(entries, &bomb)).to_vec();
    cases.push(of_content("/Filter [/Fl /Fl]", &twice));
    let mut map = File::of_pages(&["BT /F 10 Tf (a) Tj ET"]);
    let stream = map.add_stream("/Filter /FlateDecode", &bomb);
    map.replace(3, &format!("<< /Subtype /Type0 /ToUnicode {stream} 0 R >>"));
    cases.push(map);
    for file in cases {
        let bytes = file.bytes();
        let refused = read(&bytes);
        assert_eq!(refused, Err(ExtractError::DecompressedTooLarge { limit: 4 * MIB + 32 * bytes.len() }));
        assert!(refused.expect_err("refused").to_string().contains("split it"));
    }
}

fn of_content(entries: &str, data: &[u8]) -> File {
    let mut file = File::of_pages(&[]);
    let content = file.add_stream(entries, data);
    let page = file.add(&format!("<< /Contents {content} 0 R >>"));
    file.replace(2, &format!("<< /Kids [{page} 0 R] >>"));
    file
}

#[test]
fn run_length_bomb_is_refused() {
    // two bytes become 128
    let bomb = [129, b' '].repeat(MIB);
    let refused = of_content("/Filter [/RunLengthDecode /RunLengthDecode]", &bomb).extract();
    assert!(matches!(refused, Err(ExtractError::DecompressedTooLarge { .. })), "{refused:?}");
}

#[test]
fn pages_that_share_a_large_content_are_refused() {
    let mut file = File::of_pages(&[]);
    let content = file.add_deflated("", &vec![b' '; MIB]);
    let pages: Vec<_> = (0..5000).map(|_| file.add(&format!("<< /Contents {content} 0 R >>"))).collect();
    let kids: String = pages.iter().map(|page| format!("{page} 0 R ")).collect();
    file.replace(2, &format!("<< /Kids [{kids}] >>"));
    let refused = file.extract();
    assert!(matches!(refused, Err(ExtractError::DecompressedTooLarge { .. })), "{refused:?}");
}

#[test]
fn forms_that_repeat_each_other_are_refused() {
    let mut file = File::of_pages(&["/X Do"]);
    let form = file.add_stream("/Subtype /Form", "/X Do ".repeat(5000).as_bytes());
    file.replace(2, &format!("<< /Kids [4 0 R] /Resources << /XObject << /X {form} 0 R >> >> >>"));
    assert_eq!(file.extract(), Err(ExtractError::TooComplex));
}

#[test]
fn million_nested_arrays_and_dictionaries_are_skipped() {
    for open in ["[", "<</a", "<< /a [", "("] {
        let nested = open.repeat(1_000_000);
        let mut file = File::of_pages(&["BT /F 10 Tf (text) Tj ET"]);
        file.add(&nested);
        let other = file.add("null");
        assert_eq!(file.clone().in_trailer(&format!("/Info {} 0 R", other - 1)).text(), "text", "{open}");
        let file = File::of_pages(&[&format!("BT /F 10 Tf (text) Tj ET {nested}")]);
        assert_eq!(file.text(), "text", "{open}");
    }
}

#[test]
fn million_saved_states_are_skipped() {
    let content = format!("{}BT /F 10 Tf (text) Tj ET{}", "q ".repeat(1_000_000), " Q".repeat(1_000_000));
    assert_eq!(File::of_pages(&[&content]).text(), "text");
}

#[test]
fn cycles_of_pages_lengths_and_references_end() {
    let mut file = File::of_pages(&["BT /F 10 Tf (text) Tj ET"]);
    file.replace(2, "<< /Kids [2 0 R 4 0 R 2 0 R 4 0 R] /Resources 6 0 R >>");
    let font = file.add("<< /Font << /F 3 0 R >> /XObject 7 0 R >>");
    let cycle = file.add("7 0 R");
    assert_eq!((font, cycle), (6, 7));
    file.replace(5, "<< /Length 5 0 R >> stream\nBT /F 10 Tf (text) Tj ET\nendstream");
    assert_eq!(file.text(), "text");
}

#[test]
fn strings_that_contain_each_other_as_objects_are_refused() {
    let mut bytes = File::of_pages(&[]).bytes();
    let mut kids = String::new();
    for number in 100..40_100 {
        write!(bytes_of(&mut bytes), "{number} 0 obj (").expect("memory has room");
        write!(kids, "{number} 0 R ").expect("memory has room");
    }
    bytes.extend_from_slice(format!(")\n2 0 obj << /Kids [{}] >>", &kids[..60_000]).as_bytes());
    let refused = read(&bytes);
    assert!(matches!(refused, Err(ExtractError::TooComplex | ExtractError::NoPages)), "{refused:?}");
}

/// Formatted text into bytes.
fn bytes_of(bytes: &mut Vec<u8>) -> impl Write + '_ {
    struct Bytes<'a>(&'a mut Vec<u8>);
    impl Write for Bytes<'_> {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.extend_from_slice(text.as_bytes());
            Ok(())
        }
    }
    Bytes(bytes)
}

#[test]
fn false_counts_lengths_and_columns_are_survived() {
    let content = "BT /F 10 Tf (text) Tj ET";
    for entries in [
        "/Length -1",
        "/Length 99999999999999999999",
        "/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 0 >>",
        "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 99999999999 /Colors 255 /BitsPerComponent 16 >>",
        "/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>",
        "/Type /ObjStm /N 99999999999 /First -5",
    ] {
        let mut file = File::of_pages(&[content]);
        file.add_stream(entries, &deflate(content.as_bytes()));
        let page = file.add("<< /Contents 6 0 R >>");
        file.replace(2, &format!("<< /Kids [4 0 R {page} 0 R] /Resources << /Font << /F 3 0 R >> >> >>"));
        assert!(file.text().starts_with("text"), "{entries}");
    }
}
