//! Files as programs write them.

use orgmem_extract::{ExtractError, Limits};

use crate::file::{File, read};

const PAGE: &str = "BT /F 20 Tf 72 720 Td (Pump manual) Tj ET
    BT /F 10 Tf 12 TL 72 690 Td (The pump of hall 3 runs hot when the fil-) Tj T* (ter is blocked.) Tj
    0 -30 Td [(Check )-50(it e)30(very)-400(week.)] TJ ET
    q 1 0 0 1 72 600 cm BT /F 14 Tf 0 0 Td (Limits ) Tj (of use) Tj /F 10 Tf 0 -14 Td (At most 90 \\260C \\(hot\\).) Tj ET Q";

#[test]
fn page_becomes_headings_and_paragraphs() {
    let expected = "# Pump manual\n\n\
        The pump of hall 3 runs hot when the filter is blocked.\n\n\
        Check it every week.\n\n\
        ## Limits of use\n\n\
        At most 90 °C (hot).";
    assert_eq!(File::of_pages(&[PAGE]).text(), expected);
}

#[test]
fn title_of_the_file_is_read_in_each_encoding() {
    for (written, title) in [("(Pumps \\337)", "Pumps ß"), ("<FEFF00D60020041F>", "Ö П"), ("()", "")] {
        let mut file = File::of_pages(&[PAGE]);
        let info = file.add(&format!("<< /Title {written} >>"));
        let found = file.in_trailer(&format!("/Info {info} 0 R")).extract().expect("the file has text");
        assert_eq!(found.title.as_deref().unwrap_or_default(), title);
    }
}

#[test]
fn compressed_objects_and_streams_are_read() {
    let mut file = File::of_pages(&[]);
    let content = file.add_deflated("", PAGE.as_bytes());
    let page = format!("<< /Type /Page /Contents {content} 0 R >>");
    let tree = "<< /Type /Pages /Kids [90 0 R] /Resources << /Font << /F 3 0 R >> >> >>";
    let header = format!("90 0 91 {} ", page.len() + 1);
    let members = format!("{header}{page} {tree}");
    file.add_deflated(&format!("/Type /ObjStm /N 2 /First {}", header.len()), members.as_bytes());
    file.replace(1, "<< /Type /Catalog /Pages 91 0 R >>");
    assert_eq!(file.text(), File::of_pages(&[PAGE]).text());
}

#[test]
fn chains_of_filters_and_predictors_are_read() {
    let text = b"BT /F 10 Tf (Filtered text) Tj ET";
    let hex: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
    let rows: Vec<u8> = text.chunks(4).flat_map(|row| [&[0][..], row].concat()).collect();
    let runs: Vec<u8> = text.iter().flat_map(|byte| [0, *byte]).chain([128]).collect();
    let cases: [(&str, Vec<u8>); 3] = [
        ("/Filter /ASCIIHexDecode", format!("{hex}>").into_bytes()),
        (
            "/Filter [/ASCIIHexDecode /RunLengthDecode]",
            runs.iter().map(|byte| format!("{byte:02X}")).collect::<String>().into(),
        ),
        ("/Filter [/FlateDecode] /DecodeParms [<< /Predictor 12 /Columns 4 >>]", crate::file::deflate(&rows)),
    ];
    for (entries, data) in &cases {
        let mut file = File::of_pages(&[]);
        let content = file.add_stream(entries, data);
        let page = file.add(&format!("<< /Type /Page /Contents {content} 0 R >>"));
        file.replace(2, &format!("<< /Kids [{page} 0 R] /Resources << /Font << /F 3 0 R >> >> >>"));
        assert_eq!(file.text(), "Filtered text", "{entries}");
    }
}

#[test]
fn composite_font_is_read_by_its_character_map() {
    let mut file = File::of_pages(&["BT /F 10 Tf <000100020003000400050006> Tj ET"]);
    let map = "1 begincodespacerange <0000> <ffff> endcodespacerange
        2 beginbfchar <0001> <0041> <0005> <FB01> endbfchar
        2 beginbfrange <0002> <0003> <0430> <0004> <0004> [<D83D DE00>] endbfrange";
    let map = file.add_deflated("", map.as_bytes());
    file.replace(3, &format!("<< /Subtype /Type0 /Encoding /Identity-H /ToUnicode {map} 0 R >>"));
    assert_eq!(file.text(), "Aаб😀fi");
}

#[test]
fn names_of_glyphs_are_read() {
    let mut file = File::of_pages(&["BT /F 10 Tf (abcdefghi) Tj ET"]);
    let names = "/A.sc /quoteright /ffi /uni20AC /germandbls /emdash /alpha /Omega /nosuchname";
    file.replace(3, &format!("<< /Subtype /Type1 /Encoding << /Differences [97 {names}] >> >>"));
    assert_eq!(file.text(), "A’ffi€ß—αΩ");
}

#[test]
fn forms_within_pages_are_read() {
    let mut file = File::of_pages(&["q /X Do Q BT /F 10 Tf 0 -40 Td (after) Tj ET"]);
    let form = file.add_stream("/Subtype /Form", b"BT /F 10 Tf (form) Tj ET");
    file.replace(2, &format!("<< /Kids [4 0 R] /Resources << /Font << /F 3 0 R >> /XObject << /X {form} 0 R >> >> >>"));
    assert_eq!(file.text(), "form\n\nafter");
}

#[test]
fn images_within_the_content_are_skipped() {
    let file = File::of_pages(&["BT /F 10 Tf (a) Tj ET BI /W 1 /H 1 ID (( EI BT /F 10 Tf 0 -12 Td (b) Tj ET"]);
    assert_eq!(file.text(), "a\nb");
}

#[test]
fn newest_object_counts_after_an_update() {
    let mut bytes = File::of_pages(&["BT /F 10 Tf (old) Tj ET"]).bytes();
    bytes.extend_from_slice(b"5 0 obj << /Length 24 >> stream\nBT /F 10 Tf (new) Tj ET \nendstream endobj");
    assert_eq!(read(&bytes).expect("the file has text").text, "new");
}

#[test]
fn truncated_file_without_tables_is_read_as_far_as_it_goes() {
    let bytes = File::of_pages(&["BT /F 10 Tf (first) Tj ET", "BT /F 10 Tf (second) Tj ET"]).bytes();
    let at = bytes.windows(6).position(|window| window == b"second").expect("the page is there");
    // the catalog is found by the trailer, which a truncated file lacks
    assert_eq!(read(&bytes[..at + 3]), Err(ExtractError::NoPages));
    let mut repaired = bytes[..at + 3].to_vec();
    repaired.extend_from_slice(b"\ntrailer << /Root 1 0 R >>");
    assert_eq!(read(&repaired).expect("the file has text").text, "first");
}

#[test]
fn file_that_cannot_be_read_is_refused_with_a_remedy() {
    let scanned = File::of_pages(&["q 612 0 0 792 0 0 cm /Image Do Q", ""]);
    let mut unmapped = File::of_pages(&["BT /F 10 Tf <00010002> Tj ET"]);
    unmapped.replace(3, "<< /Subtype /Type0 /Encoding /Identity-H >>");
    let encrypted = File::of_pages(&[PAGE]).in_trailer("/Encrypt << /Filter /Standard >>");
    let cases = [
        (scanned.bytes(), ExtractError::NoTextInPdf { pages: 2 }),
        (unmapped.bytes(), ExtractError::NoTextInPdf { pages: 1 }),
        (encrypted.bytes(), ExtractError::Encrypted),
        (File::default().bytes(), ExtractError::NoPages),
        (b"%PDF-1.7".to_vec(), ExtractError::NoPages),
        (b"PK\x03\x04".to_vec(), ExtractError::NotPdf),
        (Vec::new(), ExtractError::NotPdf),
    ];
    for (bytes, error) in cases {
        assert_eq!(read(&bytes), Err(error));
    }
}

#[test]
fn pages_beyond_the_limit_are_refused() {
    let file = File::of_pages(&[PAGE; 4]);
    let limits = Limits { pages: 3, ..Limits::default() };
    let refused = orgmem_extract::extract(&file.bytes(), &orgmem_extract::Format::Pdf.into(), &limits);
    assert_eq!(refused, Err(ExtractError::TooManyPages { limit: 3 }));
}
