//! Settings of language models.

use std::time::Duration;

use secrecy::SecretString;

use super::reader::SettingsReader;
use super::{ConfigError, forms};

/// A language model with OpenAI's chat completions interface.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// Its address without `/chat/completions`.
    pub endpoint: String,
    /// The name of the model.
    pub name: String,
    /// The API key.
    pub key: Option<SecretString>,
    /// Timeout of a call.
    pub timeout: Duration,
}

impl ModelSettings {
    /// Reads the settings of a table; `None` without an endpoint.
    pub(super) fn read(from: &SettingsReader<'_>, table: &str) -> Result<Option<Self>, ConfigError> {
        let setting = |key: &str| format!("{table}.{key}");
        let endpoint: Option<String> = from.optional(&setting("endpoint"), &forms::ENDPOINT)?;
        let key = from.optional(&setting("api_key"), &forms::KEY)?;
        let timeout = from.seconds(&setting("timeout_seconds"), 1..=120)?;
        let name: Option<String> = from.optional(&setting("model"), &forms::NOT_BLANK)?;
        let Some(endpoint) = endpoint else { return Ok(None) };
        let name = name.map_or_else(|| from.text(&setting("model"), &forms::NOT_BLANK), Ok)?;
        Ok(Some(Self { endpoint, name, key, timeout }))
    }
}

/// The extraction of facts from turns.
#[derive(Clone, Debug)]
pub struct ExtractorSettings {
    /// The language model; `None` means that turns are stored and nothing more.
    pub model: Option<ModelSettings>,
    /// The extractions of an org on one day in UTC, at most.
    pub turns_per_day: i64,
}

impl ExtractorSettings {
    pub(super) fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let turns_per_day = from.whole("extractor.turns_per_day", 1..=10_000_000_i64)?;
        Ok(Self { model: ModelSettings::read(from, "extractor")?, turns_per_day })
    }
}
