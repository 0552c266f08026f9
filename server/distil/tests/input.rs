//! Rows from JSON, lines of JSON and CSV: bad rows are named by line, good ones are returned; schemas.

use orgmem_distil::{Collection, Format, MAX_ROW_BYTES, Schema, read_rows};
use proptest::prelude::*;
use serde_json::{Value, json};

fn collection(schema: Option<Value>) -> Collection {
    let schema = schema.map(|schema| Schema::parse(&schema).expect("the schema is supported"));
    Collection { key: "id".to_owned(), time: Some("at".to_owned()), schema }
}

/// Keys with times in seconds, and lines with faults.
type Read = (Vec<(String, Option<i64>)>, Vec<(usize, String)>);

fn read(format: Format, text: &str) -> Read {
    let input = read_rows(&collection(None), format, text);
    assert_eq!(input.fault_count, input.faults.len());
    let rows = input.rows.into_iter().map(|row| (row.key, row.time.map(|time| time / 1_000_000)));
    (rows.collect(), input.faults.into_iter().map(|fault| (fault.line, fault.message)).collect())
}

#[test]
fn bad_rows_are_named_by_line_and_good_rows_are_returned() {
    let lines = "{\"id\": 1}\n\n{\"id\": \n[2]\n{\"id\": {}}\r\n{\"at\": 5}\n{\"id\": \" b \", \"at\": \"soon\"}\n{\"id\": \"c\"}";
    let (rows, faults) = read(Format::NdJson, lines);
    assert_eq!(rows, [("1".to_owned(), None), ("c".to_owned(), None)]);
    let expected = [
        (3, "not JSON: EOF while parsing"),
        (4, "a row is a JSON object, not a list"),
        (5, "the key in `id` is not usable"),
        (6, "the key column `id` is absent or empty"),
        (7, "`soon` in `at` is not a time; use RFC 3339"),
    ];
    assert_eq!(faults.len(), expected.len(), "{faults:?}");
    for ((line, message), (expected_line, beginning)) in faults.iter().zip(expected) {
        assert_eq!(*line, expected_line);
        assert!(message.starts_with(beginning), "{message}");
    }

    let (rows, faults) = read(Format::Json, "[\n  {\"id\": 1},\n  {\n    \"id\": null\n  },\n  {\"id\": 3}, 4\n]");
    assert_eq!(rows.len(), 2);
    assert_eq!(faults.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 6]);
    assert!(faults[0].1.starts_with("row 2: ") && faults[1].1.starts_with("row 4: "), "{faults:?}");
    let (rows, faults) = read(Format::Json, "[{\"id\": 1},\n{\"id\" 2}]");
    assert!(rows.is_empty(), "a broken list has no rows");
    assert_eq!(faults[0].0, 2);

    let table = "\u{feff}id, at ,note\n1,2026-05-09,\"two\nlines, and \"\"quotes\"\"\"\n,x,\n\n2,2026-05-09\n3,,z\n";
    let (rows, faults) = read(Format::Csv, table);
    assert_eq!(rows, [("1".to_owned(), Some(1_778_284_800)), ("3".to_owned(), None)]);
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].0 == 4 && faults[0].1.starts_with("the key column"), "{faults:?}");
    assert!(faults[1].0 == 6 && faults[1].1.starts_with("the row has 2 cells, and the header 3"), "{faults:?}");
}

#[test]
fn times_are_read_in_the_usual_notations() {
    let noon = Some(1_778_328_000);
    let texts = ["2026-05-09T12:00:00Z", "2026-05-09T14:00:00+02:00", "2026-05-09T14:00:00.5+0200", "2026-05-09 12:00"];
    let numbers = [json!(1_778_328_000), json!("1778328000"), json!(1_778_328_000_000_i64)];
    for value in texts.iter().map(|text| json!(text)).chain(numbers) {
        let row = json!({"id": "a", "at": value}).to_string();
        assert_eq!(read(Format::NdJson, &row).0, [("a".to_owned(), noon)], "{value}");
    }
    for value in [json!(i64::MAX), json!(true), json!("2026-02-30"), json!(1.5)] {
        assert_eq!(read(Format::NdJson, &json!({"id": "a", "at": value}).to_string()).1.len(), 1, "{value}");
    }
}

#[test]
fn row_beyond_the_limit_is_refused_with_its_size() {
    let row = json!({"id": "a", "text": "x".repeat(MAX_ROW_BYTES)}).to_string();
    let (rows, faults) = read(Format::NdJson, &row);
    assert!(rows.is_empty());
    assert_eq!(faults[0].1, format!("the row has {} bytes; at most 65536 are allowed", row.len()));
    let long = read(Format::NdJson, &json!({"id": "k".repeat(201)}).to_string());
    assert!(long.1[0].1.starts_with("the key in `id` is not usable"));
    let many = read_rows(&collection(None), Format::NdJson, &"x\n".repeat(1_000));
    assert_eq!((many.fault_count, many.faults.len()), (1_000, 100), "the list of faults is bounded");
}

#[test]
fn schema_refuses_rows_with_path_and_rule() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["id"],
        "additionalProperties": false,
        "properties": {
            "id": {"type": ["string", "integer"]},
            "level": {"enum": ["low", "high", null]},
            "size": {"type": "integer", "minimum": 1, "maximum": 10},
            "note": {"type": "string", "minLength": 2, "maxLength": 4},
            "tags": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}},
        },
    });
    let collection = collection(Some(schema));
    let valid = json!({"id": 1, "level": null, "size": 2.0, "note": "äöü", "tags": ["a"]});
    assert!(collection.row(valid).is_ok());
    let cases = [
        (json!({"id": 1, "level": "mid"}), "`level` is \"mid\"; the schema allows \"low\", \"high\", null"),
        (json!({"id": 1, "size": 0}), "`size` is 0; the schema requires at least 1"),
        (json!({"id": 1, "size": 11}), "`size` is 11; the schema requires at most 10"),
        (json!({"id": 1, "size": 1.5}), "`size` is a number; the schema requires integer"),
        (json!({"id": 1, "note": "x"}), "`note` has 1 characters; the schema requires at least 2"),
        (json!({"id": 1, "tags": []}), "`tags` has 0 items; the schema requires at least 1"),
        (json!({"id": 1, "tags": ["a", 2]}), "`tags[1]` is a number; the schema requires string"),
    ];
    for (row, expected) in cases {
        assert_eq!(collection.row(row).expect_err("the row is refused").to_string(), expected);
    }
    let unknown = collection.row(json!({"id": 1, "colour": 1})).expect_err("the row is refused").to_string();
    assert!(unknown.starts_with("`colour` is unknown; the schema allows `id`"), "{unknown}");

    let mut deep = json!({});
    for _ in 0..9 {
        deep = json!({"items": deep});
    }
    let refused = [
        (json!({"pattern": "x"}), "`schema.pattern` is not supported; the supported keywords are type, enum"),
        (json!({"properties": {"a": {"type": "text"}}}), "`schema.properties.a.type` must be one or a list of"),
        (json!({"minLength": -1}), "`schema.minLength` must be a whole number"),
        (deep, "`schema.items.items"),
        (json!([]), "`schema` must be an object"),
    ];
    for (schema, beginning) in refused {
        let error = Schema::parse(&schema).expect_err("the schema is refused").to_string();
        assert!(error.starts_with(beginning), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // catches: a panic or a lost row for any neighbours; cells with quotes, separators and line ends
    #[test]
    fn good_rows_are_returned_whatever_is_between_them(
        junk in prop::collection::vec("[^\r\n]{0,12}", 0..6), cells in prop::collection::vec("[a-z,\"\n ]{0,8}", 1..5),
    ) {
        let mut text = String::new();
        for (index, junk) in junk.iter().enumerate() {
            text.push_str(&format!("{{\"id\": \"row {index}\"}}\n{junk}\n"));
        }
        let (rows, _) = read(Format::NdJson, &text);
        prop_assert!(rows.len() >= junk.len());
        for format in [Format::Json, Format::Csv] {
            let _ = read(format, &text);
        }

        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let table: String = cells.iter().enumerate().map(|(index, cell)| format!("{index},{}\n", quoted(cell))).collect();
        let input = read_rows(&collection(None), Format::Csv, &format!("id,note\n{table}"));
        let notes: Vec<_> = input.rows.iter().map(|row| row.values.get("note").and_then(Value::as_str)).collect();
        let expected: Vec<_> = cells.iter().map(|cell| Some(cell.as_str()).filter(|cell| !cell.trim().is_empty())).collect();
        prop_assert_eq!(notes, expected);
    }
}
