//! Parses a settings file: TOML, flattened to dotted names, each value with its line.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::layers::{RawSetting, Value};
use super::{ConfigError, SettingOrigin};

/// Reads `text` as TOML.
///
/// # Returns
/// The values by their dotted names, such as `limits.body_bytes`. `origin_at` maps a line to an origin.
///
/// # Errors
/// [`ConfigError::NotToml`].
pub(super) fn parse(
    text: &str,
    path: &Path,
    origin_at: impl Fn(usize) -> SettingOrigin,
) -> Result<Vec<(String, RawSetting)>, ConfigError> {
    let line_at = |offset: usize| 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
    let document = DeTable::parse(text).map_err(|error| ConfigError::NotToml {
        path: path.to_owned(),
        line: line_at(error.span().map_or(0, |span| span.start)),
        message: error.message().replace('\n', ", "),
    })?;

    let mut found = Vec::new();
    let mut tables = vec![(String::new(), document.get_ref())];
    while let Some((prefix, table)) = tables.pop() {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            match value.get_ref() {
                DeValue::Table(inner) => tables.push((format!("{name}."), inner)),
                leaf => {
                    let value_text = text.get(value.span()).unwrap_or_default();
                    let origin = origin_at(line_at(value.span().start));
                    found.push((name, RawSetting { value: value_of(leaf, value_text), origin }));
                }
            }
        }
    }
    Ok(found)
}

/// Converts a value. Unsupported types keep their text, for the message.
fn value_of(value: &DeValue<'_>, text: &str) -> Value {
    let as_is = || Value::Other(text.split_whitespace().collect::<Vec<_>>().join(" "));
    match value {
        DeValue::String(word) => Value::Word(word.to_string()),
        DeValue::Integer(whole) => {
            i64::from_str_radix(whole.as_str(), whole.radix()).map_or_else(|_| as_is(), Value::Whole)
        }
        DeValue::Array(items) => {
            let words = items.iter().map(|item| item.get_ref().as_str().map(ToOwned::to_owned));
            words.collect::<Option<Vec<_>>>().map_or_else(as_is, Value::List)
        }
        _ => as_is(),
    }
}
