//! Validates values. Every error names the allowed values.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::layers::{Layers, RawSetting, Value};
use super::{ConfigError, mask};

/// The form of a text: its description and its parser.
pub(super) struct ValueForm<T> {
    pub(super) allowed: &'static str,
    pub(super) read: fn(&str) -> Option<T>,
}

/// Reads typed values from the layers.
pub(super) struct SettingsReader<'a>(pub(super) &'a Layers);

impl SettingsReader<'_> {
    /// A required text.
    pub(super) fn text<T>(&self, setting: &str, form: &ValueForm<T>) -> Result<T, ConfigError> {
        let raw = self.raw(setting)?;
        let text = match &raw.value {
            Value::Word(text) | Value::Untyped(text) => Some(text),
            _ => None,
        };
        text.and_then(|text| (form.read)(text)).ok_or_else(|| not_allowed(setting, raw, form.allowed))
    }

    /// An optional text; `""` means absent.
    pub(super) fn optional<T>(&self, setting: &str, form: &ValueForm<T>) -> Result<Option<T>, ConfigError> {
        match &self.raw(setting)?.value {
            Value::Word(text) | Value::Untyped(text) if text.is_empty() => Ok(None),
            _ => self.text(setting, form).map(Some),
        }
    }

    /// A list of texts. Outside of files they are separated by commas.
    pub(super) fn list<T>(&self, setting: &str, form: &ValueForm<T>) -> Result<Vec<T>, ConfigError> {
        let raw = self.raw(setting)?;
        let items = match &raw.value {
            Value::List(items) => Some(items.clone()),
            Value::Untyped(text) => Some(text.split(',').map(|item| item.trim().to_owned()).collect()),
            _ => None,
        };
        let read = |items: Vec<String>| items.iter().map(|item| (form.read)(item)).collect::<Option<Vec<T>>>();
        items.and_then(read).ok_or_else(|| not_allowed(setting, raw, format!("a list, each {}", form.allowed)))
    }

    /// A whole number within `range`.
    pub(super) fn whole<T>(&self, setting: &str, range: RangeInclusive<T>) -> Result<T, ConfigError>
    where
        T: TryFrom<i64> + PartialOrd + Display,
    {
        let raw = self.raw(setting)?;
        let number = match &raw.value {
            Value::Whole(number) => Some(*number),
            Value::Untyped(text) => text.parse().ok(),
            _ => None,
        };
        let within = number.and_then(|number| T::try_from(number).ok()).filter(|number| range.contains(number));
        within.ok_or_else(|| {
            let allowed = format!("a whole number from {} to {}", range.start(), range.end());
            not_allowed(setting, raw, allowed)
        })
    }

    /// A duration in whole seconds.
    pub(super) fn seconds(&self, setting: &str, range: RangeInclusive<u64>) -> Result<Duration, ConfigError> {
        self.whole(setting, range).map(Duration::from_secs)
    }

    /// The names of the tables of a kind, such as `catalog` of `[sources.catalog]`.
    pub(super) fn names_of(&self, table: &str) -> Vec<String> {
        self.0.names_of(table)
    }

    /// The error for a value that conflicts with another setting.
    pub(super) fn refused(&self, setting: &str, allowed: impl Into<String>) -> ConfigError {
        match self.raw(setting) {
            Ok(raw) => not_allowed(setting, raw, allowed),
            Err(missing) => missing,
        }
    }

    fn raw(&self, setting: &str) -> Result<&RawSetting, ConfigError> {
        // a test checks that the default file has every setting
        self.0.get(setting).ok_or_else(|| ConfigError::Missing { setting: setting.to_owned() })
    }
}

fn not_allowed(setting: &str, raw: &RawSetting, allowed: impl Into<String>) -> ConfigError {
    let masked = mask::masked(setting, &raw.value.to_string());
    ConfigError::NotAllowed {
        setting: setting.to_owned(),
        origin: raw.origin.clone(),
        allowed: allowed.into(),
        value: match raw.value {
            // with quotes, which may be the mistake in a number
            Value::Word(_) => format!("`\"{masked}\"`"),
            _ => format!("`{masked}`"),
        },
    }
}
