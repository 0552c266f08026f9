//! Records of a file as typed values.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ForeignError, Output};
use crate::decode;

/// The fields `known` of a record as a `T`. Counts each other field that has a value as unmapped, under `path`.
///
/// # Errors
/// [`ForeignError::Record`] for a record that is no object, and for a field of a wrong type.
pub(super) fn read<T: DeserializeOwned>(
    at: &str,
    path: &str,
    value: Value,
    known: &[&str],
    output: &mut Output<'_>,
) -> Result<T, ForeignError> {
    let Value::Object(mut fields) = value else {
        return Err(ForeignError::record(at, format!("it must be an object, not {}", name_of(&value))));
    };
    fields.retain(|name, value| {
        let is_known = known.contains(&name.as_str());
        if !is_known && !is_empty(value) {
            output.unmapped(format!("{path}{}", decode::shortened(name)));
        }
        is_known && !value.is_null()
    });
    decode::json_value(&Value::Object(fields)).map_err(|fault| ForeignError::record(at, fault))
}

/// Whether a field has no information.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

pub(super) fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A time in one of the forms that tools write: RFC 3339, the same without an offset (in UTC), or a day.
pub(super) fn time(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.to_utc());
    }
    let offset = DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f%:z");
    let naive = || {
        ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
            .iter()
            .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
    };
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    match offset {
        Ok(time) => Some(time.to_utc()),
        Err(_) => naive().or_else(day).map(|time| time.and_utc()),
    }
}
