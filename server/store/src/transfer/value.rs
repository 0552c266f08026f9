//! Values of columns, and their form in a line of JSON.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::value::RawValue;

use super::table::{Column, Kind, Table};
use crate::columns::{Id, Time, holds_nul};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Uuid(Id),
    Time(Time),
    Int(i64),
    SmallInt(i32),
    Bool(bool),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The values of a row, in the order of the table's columns.
pub(crate) type Row = Vec<Value>;

/// Compares keys as both databases do: ids and text byte by byte.
pub(crate) fn compare_keys(one: &[Value], other: &[Value]) -> Ordering {
    let pairs = one.iter().zip(other);
    let mut orders = pairs.map(|(one, other)| match (one, other) {
        (Value::Uuid(one), Value::Uuid(other)) => one.cmp(other),
        (Value::Int(one), Value::Int(other)) => one.cmp(other),
        (Value::SmallInt(one), Value::SmallInt(other)) => one.cmp(other),
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        _ => Ordering::Equal,
    });
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The key of a row after the org.
pub(crate) fn key_of(table: &Table, row: &[Value]) -> Vec<Value> {
    table.key.iter().filter_map(|at| row.get(*at).cloned()).collect()
}

/// Appends the line of a row: `{"table":{"column":value,…}}`, without columns that are null and without the org.
pub(crate) fn write_row(table: &Table, row: &[Value], line: &mut Vec<u8>) {
    line.extend_from_slice(b"{\"");
    line.extend_from_slice(table.name.as_bytes());
    line.extend_from_slice(b"\":{");
    let mut separator: &[u8] = b"\"";
    for (column, value) in table.columns.iter().zip(row) {
        if *value == Value::Null || is_implied(table, column) {
            continue;
        }
        line.extend_from_slice(separator);
        line.extend_from_slice(column.name.as_bytes());
        line.extend_from_slice(b"\":");
        write_value(value, line);
        separator = b",\"";
    }
    line.extend_from_slice(b"}}\n");
}

/// Whether lines of the table omit the column, because the section has one org.
fn is_implied(table: &Table, column: &Column) -> bool {
    column.name == "org_id" && !table.is_orgs()
}

pub(crate) fn write_value(value: &Value, line: &mut Vec<u8>) {
    match value {
        Value::Null => line.extend_from_slice(b"null"),
        Value::Uuid(id) => write_text(&id.0.to_string(), line),
        Value::Time(time) => write_text(&time.0.to_rfc3339_opts(SecondsFormat::Micros, true), line),
        Value::Int(number) => line.extend_from_slice(number.to_string().as_bytes()),
        Value::SmallInt(number) => line.extend_from_slice(number.to_string().as_bytes()),
        Value::Bool(value) => line.extend_from_slice(if *value { b"true" } else { b"false" }),
        Value::Real(number) => line.extend_from_slice(format!("{number:?}").as_bytes()),
        Value::Text(text) => write_text(text, line),
        Value::Bytes(bytes) => write_text(&hex::encode(bytes), line),
    }
}

fn write_text(text: &str, line: &mut Vec<u8>) {
    // a vector accepts every write
    let _ = serde_json::to_writer(line, text);
}

/// Reads the fields of a line of `table`.
///
/// # Errors
/// A reason that names the column.
pub(crate) fn read_row(table: &Table, org: Id, fields: &RawValue) -> Result<Row, String> {
    let mut fields: BTreeMap<String, &RawValue> =
        serde_json::from_str(fields.get()).map_err(|_| format!("the row of `{}` is not an object", table.name))?;
    let mut row = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        let value = match fields.remove(column.name) {
            _ if is_implied(table, column) => Value::Uuid(org),
            Some(field) => read_value(column.kind, field.get())
                .ok_or_else(|| format!("`{}` of `{}` is not {}", column.name, table.name, described(column.kind)))?,
            None if column.nullable => Value::Null,
            None => return Err(format!("the row of `{}` has no `{}`", table.name, column.name)),
        };
        row.push(value);
    }
    match fields.keys().next() {
        Some(unknown) => Err(format!("`{}` has no column `{unknown}` here", table.name)),
        None => Ok(row),
    }
}

pub(crate) fn read_value(kind: Kind, json: &str) -> Option<Value> {
    let text = || serde_json::from_str::<String>(json).ok();
    Some(match kind {
        Kind::Uuid => Value::Uuid(Id(text()?.parse().ok()?)),
        Kind::Time => Value::Time(Time(text()?.parse::<DateTime<Utc>>().ok()?)),
        Kind::Int => Value::Int(json.parse().ok()?),
        Kind::SmallInt => Value::SmallInt(json.parse().ok()?),
        Kind::Bool => Value::Bool(json.parse().ok()?),
        Kind::Real => Value::Real(json.parse().ok().filter(|number: &f64| number.is_finite())?),
        Kind::Text => Value::Text(text().filter(|text| !holds_nul(text))?),
        Kind::Bytes => Value::Bytes(hex::decode(text()?).ok()?),
    })
}

const fn described(kind: Kind) -> &'static str {
    match kind {
        Kind::Uuid => "a UUID",
        Kind::Time => "an instant such as \"2026-11-20T08:00:00.000000Z\"",
        Kind::Int | Kind::SmallInt => "a whole number in its range",
        Kind::Bool => "true or false",
        Kind::Real => "a number",
        Kind::Text => "text without U+0000",
        Kind::Bytes => "bytes in hexadecimal",
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tables;
    use super::*;

    /// A row of `table` with this many as the source of all values.
    fn row(table: &Table, n: i64) -> Row {
        let value = |column: &Column| match column.kind {
            _ if column.nullable && n % 3 == 0 => Value::Null,
            Kind::Uuid => Value::Uuid(Id(uuid::Uuid::from_u128(0xabc0 + n.unsigned_abs() as u128))),
            Kind::Time => {
                Value::Time(Time(DateTime::from_timestamp_micros(n.wrapping_mul(9_000_000_000_001)).expect("a time")))
            }
            Kind::Int => Value::Int(n.wrapping_mul(0x1234_5678_9abc_def1)),
            Kind::SmallInt => Value::SmallInt(n as i32),
            Kind::Bool => Value::Bool(n % 2 == 0),
            Kind::Real => Value::Real(n as f64 / 7.0),
            Kind::Text => Value::Text(format!("{n} \"\\\u{1}\n\u{2028}🙂 straße")),
            Kind::Bytes => Value::Bytes(n.to_be_bytes().to_vec()),
        };
        table.columns.iter().map(value).collect()
    }

    #[test]
    fn rows_survive_a_line_of_json() {
        for table in tables() {
            for n in [-25_000, -7, -1, 0, 1, 2, 3, 12, 999, 24_000] {
                let row = row(&table, n);
                let Value::Uuid(org) = row[0] else { panic!("`{}` begins with the org", table.name) };
                let mut line = Vec::new();
                write_row(&table, &row, &mut line);
                let line = String::from_utf8(line).expect("UTF-8");
                assert_eq!(line.matches('\n').count(), 1, "{line}");
                let read: BTreeMap<String, &RawValue> = serde_json::from_str(&line).expect("JSON");
                assert_eq!(read_row(&table, org, read[table.name]), Ok(row), "{line}");
            }
        }
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        let tables = tables();
        let check = |name: &str, fields: &str, reason: &str| {
            let table = tables.iter().find(|table| table.name == name).expect("a table");
            let fields = RawValue::from_string(fields.to_owned()).expect("JSON");
            let error = read_row(table, Id::NIL, &fields).expect_err(fields.get());
            assert!(error.contains(reason), "{error}");
        };
        let id = "00000000-0000-0000-0000-000000000001";
        check("org_days", "[]", "not an object");
        check("org_days", r#"{"day": 1}"#, "no `memories`");
        check("org_days", r#"{"day": 1.5}"#, "`day` of `org_days` is not a whole number");
        check("org_days", r#"{"day": 99999999999999999999}"#, "not a whole number");
        let days = r#"{"day":1,"memories":1,"writes":1,"agent_reads":1,"people_reads":1,"x":1}"#;
        check("org_days", days, "no column `x`");
        check("revocations", &format!(r#"{{"jti":"{id}","revoked_at":"soon"}}"#), "is not an instant");
        check("revocations", r#"{"jti":"7"}"#, "not a UUID");
        let named = format!(r#"{{"id":"{id}","name":"a\u0000b"}}"#);
        check("workspaces", &named, "not text without U+0000");
    }
}
