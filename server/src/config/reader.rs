//! Reading values as what they must be. Every refusal says what would be allowed.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::layers::{Given, Layers, Value};
use super::{ConfigError, mask};

/// A form that a text may have: what is allowed, in words, and the reading of it.
pub(super) struct ValueForm<T> {
    pub(super) allowed: &'static str,
    pub(super) read: fn(&str) -> Option<T>,
}

/// Reads the layers, setting by setting.
pub(super) struct SettingsReader<'a>(pub(super) &'a Layers);

impl SettingsReader<'_> {
    /// A text that must be there.
    pub(super) fn text<T>(&self, setting: &str, form: &ValueForm<T>) -> Result<T, ConfigError> {
        let given = self.given(setting)?;
        let text = match &given.value {
            Value::Word(text) | Value::Untyped(text) => Some(text),
            _ => None,
        };
        text.and_then(|text| (form.read)(text)).ok_or_else(|| not_allowed(setting, given, form.allowed))
    }

    /// A text that may be absent, which is `""`.
    pub(super) fn optional<T>(&self, setting: &str, form: &ValueForm<T>) -> Result<Option<T>, ConfigError> {
        match &self.given(setting)?.value {
            Value::Word(text) | Value::Untyped(text) if text.is_empty() => Ok(None),
            _ => self.text(setting, form).map(Some),
        }
    }

    /// A list of texts; outside files separated by commas.
    pub(super) fn list<T>(&self, setting: &str, form: &ValueForm<T>) -> Result<Vec<T>, ConfigError> {
        let given = self.given(setting)?;
        let items = match &given.value {
            Value::List(items) => Some(items.clone()),
            Value::Untyped(text) => Some(text.split(',').map(|item| item.trim().to_owned()).collect()),
            _ => None,
        };
        let read = |items: Vec<String>| items.iter().map(|item| (form.read)(item)).collect::<Option<Vec<T>>>();
        items.and_then(read).ok_or_else(|| not_allowed(setting, given, format!("a list, each {}", form.allowed)))
    }

    /// A whole number within `range`.
    pub(super) fn whole<T>(&self, setting: &str, range: RangeInclusive<T>) -> Result<T, ConfigError>
    where
        T: TryFrom<i64> + PartialOrd + Display,
    {
        let given = self.given(setting)?;
        let number = match &given.value {
            Value::Whole(number) => Some(*number),
            Value::Untyped(text) => text.parse().ok(),
            _ => None,
        };
        let within = number.and_then(|number| T::try_from(number).ok()).filter(|number| range.contains(number));
        within.ok_or_else(|| {
            let allowed = format!("a whole number from {} to {}", range.start(), range.end());
            not_allowed(setting, given, allowed)
        })
    }

    /// A length of time in whole seconds.
    pub(super) fn seconds(&self, setting: &str, range: RangeInclusive<u64>) -> Result<Duration, ConfigError> {
        self.whole(setting, range).map(Duration::from_secs)
    }

    fn given(&self, setting: &str) -> Result<&Given, ConfigError> {
        // The default file has every setting that is read; a test holds it to that.
        self.0.get(setting).ok_or_else(|| ConfigError::Missing { setting: setting.to_owned() })
    }
}

fn not_allowed(setting: &str, given: &Given, allowed: impl Into<String>) -> ConfigError {
    let shown = mask::shown(setting, &given.value.to_string());
    ConfigError::NotAllowed {
        setting: setting.to_owned(),
        origin: given.origin.clone(),
        allowed: allowed.into(),
        given: match given.value {
            // With its quotes, as they may be what is wrong with a number.
            Value::Word(_) => format!("`\"{shown}\"`"),
            _ => format!("`{shown}`"),
        },
    }
}
