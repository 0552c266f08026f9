//! A collection: which column is the key, which the time, and what a row must look like.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::row::Row;
use crate::schema::Schema;

/// The limit of a key.
pub const MAX_KEY_CHARS: usize = 200;
/// The limit of a row, as compact JSON.
pub const MAX_ROW_BYTES: usize = 64 * 1024;

/// Numbers from here on are milliseconds since 1970, smaller ones seconds: as seconds it would be the year 5138.
const FIRST_MILLISECONDS: i64 = 100_000_000_000;

/// The settings of a collection.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The column of the key: text or an integer, unique in the collection.
    pub key: String,
    /// The column of the time.
    pub time: Option<String>,
    /// The rule for rows.
    pub schema: Option<Schema>,
}

/// Why a row is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RowFault {
    /// Not an object.
    #[error("a row is a JSON object, not {0}")]
    NotAnObject(&'static str),
    /// No key.
    #[error("the key column `{0}` is absent or empty; each row needs a text or an integer there")]
    NoKey(String),
    /// A key that is neither text nor an integer, too long, or has control characters.
    #[error(
        "the key in `{column}` is not usable: it must be a text of 1 to {MAX_KEY_CHARS} printable characters or an integer"
    )]
    Key {
        /// The column of the key.
        column: String,
    },
    /// A time that cannot be read.
    #[error("`{value}` in `{column}` is not a time; use RFC 3339, a date such as 2026-05-09, or seconds since 1970")]
    Time {
        /// The column of the time.
        column: String,
        /// The value, cut to 60 characters.
        value: String,
    },
    /// Too large.
    #[error("the row has {0} bytes; at most {MAX_ROW_BYTES} are allowed")]
    TooLarge(usize),
    /// Against the schema of the collection.
    #[error("{0}")]
    Schema(String),
}

impl Collection {
    /// Checks one row and takes its key and time out of its columns.
    ///
    /// # Errors
    ///
    /// The first fault of the row.
    pub fn row(&self, value: Value) -> Result<Row, RowFault> {
        let values = match value {
            Value::Object(values) => values,
            other => return Err(RowFault::NotAnObject(kind(&other))),
        };
        let bytes = Value::Object(values.clone()).to_string().len();
        if bytes > MAX_ROW_BYTES {
            return Err(RowFault::TooLarge(bytes));
        }
        let key = self.key_of(&values)?;
        let time = self.time_of(&values)?;
        if let Some(schema) = &self.schema {
            let value = Value::Object(values);
            schema.check(&value).map_err(RowFault::Schema)?;
            let Value::Object(values) = value else { return Err(RowFault::NotAnObject("a value")) };
            return Ok(Row { key, time, values });
        }
        Ok(Row { key, time, values })
    }

    fn key_of(&self, values: &Map<String, Value>) -> Result<String, RowFault> {
        let unusable = || RowFault::Key { column: self.key.clone() };
        let key = match values.get(&self.key) {
            None | Some(Value::Null) => return Err(RowFault::NoKey(self.key.clone())),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) if number.is_i64() || number.is_u64() => number.to_string(),
            Some(_) => return Err(unusable()),
        };
        if key.is_empty() {
            return Err(RowFault::NoKey(self.key.clone()));
        }
        let is_usable = key.chars().count() <= MAX_KEY_CHARS && !key.chars().any(char::is_control);
        is_usable.then_some(key).ok_or_else(unusable)
    }

    fn time_of(&self, values: &Map<String, Value>) -> Result<Option<i64>, RowFault> {
        let Some(column) = &self.time else { return Ok(None) };
        let shown = |value: &Value| match value {
            Value::String(text) => text.chars().take(60).collect(),
            other => other.to_string().chars().take(60).collect(),
        };
        let fail = |value: &Value| RowFault::Time { column: column.clone(), value: shown(value) };
        match values.get(column) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(value @ Value::String(text)) => instant(text.trim()).map(Some).ok_or_else(|| fail(value)),
            Some(value) => value.as_i64().and_then(from_number).map(Some).ok_or_else(|| fail(value)),
        }
    }
}

/// Microseconds since 1970; a text without a zone is UTC.
fn instant(text: &str) -> Option<i64> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.with_timezone(&Utc).timestamp_micros());
    }
    let zoned = ["%Y-%m-%d %H:%M:%S%.f %z", "%Y-%m-%dT%H:%M:%S%.f%z"];
    if let Some(time) = zoned.iter().find_map(|format| DateTime::parse_from_str(text, format).ok()) {
        return Some(time.timestamp_micros());
    }
    let formats = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M"];
    let time = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
    let time = time.or_else(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0));
    match time {
        Some(time) => Some(time.and_utc().timestamp_micros()),
        // cells of CSV have no numbers
        None => text.parse().ok().and_then(from_number),
    }
}

fn from_number(number: i64) -> Option<i64> {
    let micros = if number.abs() >= FIRST_MILLISECONDS { 1_000 } else { 1_000_000 };
    let micros = number.checked_mul(micros)?;
    DateTime::<Utc>::from_timestamp_micros(micros).map(|time| time.timestamp_micros())
}

/// The kind of a value, with its article.
pub(crate) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a Boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
