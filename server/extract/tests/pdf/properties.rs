//! Random damage to valid files, and files of random parts.

use orgmem_extract::{Format, Limits, extract};
use proptest::prelude::*;

use crate::file::{File, deflate};

fn valid() -> Vec<u8> {
    let mut file = File::of_pages(&[
        "BT /F 10 Tf 72 700 Td (One) Tj [(tw)-300(o)] TJ ET /X Do",
        "BT /F 20 Tf 1 0 0 1 5 5 Tm <0102> Tj T* (x) ' 1 2 (y) \" ET",
    ]);
    file.add_stream("/Subtype /Form /Matrix [1 0 0 1 0 0]", b"BT /F 9 Tf (form) Tj ET");
    let map =
        file.add_deflated("", b"1 beginbfrange <01> <09> <0041> endbfrange 1 beginbfchar <0102> <0042> endbfchar");
    let members = "60 0 61 9 << /A 1 >> << /Font << /F 3 0 R >> /XObject << /X 8 0 R >> >>";
    file.add_stream("/Type /ObjStm /N 2 /First 10 /Filter [/FlateDecode]", &deflate(members.as_bytes()));
    file.replace(2, "<< /Kids [4 0 R 6 0 R] /Resources << /Font << /F 3 0 R >> /XObject << /X 8 0 R >> >> >>");
    file.replace(
        3,
        &format!(
            "<< /Subtype /Type0 /ToUnicode {map} 0 R /DescendantFonts [<< /DW 500 /W [1 [500 600] 3 9 400] >>] \
             /FirstChar 30 /Widths [500 500] /Encoding << /Differences [65 /a /b] >> >>"
        ),
    );
    file.bytes()
}

const PARTS: [&str; 34] = [
    "1 0 obj",
    "2 0 obj",
    "3 0 obj",
    "endobj",
    "<<",
    ">>",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "/Root 1 0 R",
    "/Pages 2 0 R",
    "/Kids",
    "/Contents",
    "/Filter",
    "/FlateDecode",
    "/LZWDecode",
    "/ASCII85Decode",
    "/Length 9",
    "stream\n",
    "\nendstream",
    "1 0 R",
    "2 0 R",
    "/ObjStm",
    "/N 3",
    "/First 1",
    "Tj",
    "Tf",
    "-1e9",
    "99999999999",
    "BI",
    "Do",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn damaged_files_have_a_bounded_text_or_an_error(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..12),
        output_bytes in prop_oneof![Just(16), Just(1_000_000)],
    ) {
        let mut bytes = valid();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        let limits = Limits { output_bytes, ..Limits::default() };
        let result = extract(&bytes, &Format::Pdf.into(), &limits);
        if let Ok(extracted) = &result {
            prop_assert!(extracted.text.len() <= output_bytes && !extracted.text.contains('\0'));
        }
        prop_assert_eq!(extract(&bytes, &Format::Pdf.into(), &limits), result);
    }

    #[test]
    fn files_of_random_parts_cause_no_panic(parts in proptest::collection::vec(prop_oneof![
        9 => proptest::sample::select(&PARTS[..]).prop_map(|part| part.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..9),
    ], 0..80)) {
        let mut bytes = b"%PDF-1.4 trailer << /Root 1 0 R >> 1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << ".to_vec();
        bytes.extend_from_slice(&parts.join(&b' '));
        let result = extract(&bytes, &Format::Pdf.into(), &Limits::default());
        if let Err(error) = result {
            prop_assert!(error.to_string().len() < 1000);
        }
    }

    #[test]
    fn every_filter_survives_any_data(data in proptest::collection::vec(any::<u8>(), 0..300), predictor in 0..16_u8) {
        for filter in ["FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"] {
            let mut file = File::of_pages(&["BT /F 10 Tf (text) Tj ET"]);
            let parameters = format!("/Filter /{filter} /DecodeParms << /Predictor {predictor} /Columns 3 >>");
            let stream = file.add_stream(&parameters, &data);
            let page = file.add(&format!("<< /Contents {stream} 0 R >>"));
            file.replace(2, &format!("<< /Kids [4 0 R {page} 0 R] /Resources << /Font << /F 3 0 R >> >> >>"));
            prop_assert!(file.text().contains("text"));
        }
    }
}
