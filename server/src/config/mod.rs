//! The settings: defaults, overridden by `orgmem.toml`, by the environment, and by flags.
//!
//! `server/config/orgmem.toml` documents every setting and contains its default. It is compiled in; other names are
//! refused. Every value has an origin. An invalid value stops the start with one line that names the setting, its origin
//! and the allowed values.
//!
//! ```
//! use orgmem::config::{Config, Sources};
//!
//! let mut sources = Sources::empty("/srv/orgmem");
//! sources.variables.push(("ORGMEM_LISTEN".into(), "0.0.0.0:80".into()));
//! sources.variables.push(("ORGMEM_DATA_DIR".into(), "/srv/orgmem/data".into()));
//! let config = Config::load(&sources)?;
//!
//! assert_eq!(config.settings.listen.port(), 80);
//! assert_eq!(config.origin("listen").map(ToString::to_string).as_deref(), Some("ORGMEM_LISTEN"));
//! # Ok::<(), orgmem::config::ConfigError>(())
//! ```
//!
//! Source: `docs/spec/cli.md`, "Configuration".

mod claims;
mod data_dir;
mod error;
mod file;
mod forms;
mod layers;
mod load;
pub(crate) mod mask;
mod mcp;
mod models;
mod named_tables;
mod origin;
mod outbound;
mod pages;
mod plugin;
mod providers;
mod reader;
mod record_sources;
mod reranker;
mod settings;
mod sources;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;

pub use claims::ClaimName;
pub use error::ConfigError;
pub use load::{LoadLimits, LoadSettings};
pub use mcp::McpSettings;
pub use models::{ExtractorSettings, ModelSettings};
pub use origin::SettingOrigin;
pub use outbound::{HeaderSecret, OutboundSettings};
pub use pages::PageSettings;
pub use plugin::PluginSettings;
pub use providers::{ProviderSettings, ProvidersSettings};
pub(crate) use record_sources::ENTITY;
pub use record_sources::RecordSourceSettings;
pub use reranker::{RerankerSettings, RerankerSource};
pub use settings::{
    AccessLogSettings, EmbedderSettings, EmbedderSource, Jwks, JwtSettings, LimitSettings, LogFormat, Logging,
    Settings, StoreSettings, SummarySettings,
};
pub use sources::{FlagValue, Sources};

use std::fmt;

use layers::Layers;
use serde::Serialize;

/// The effective settings and their origins.
pub struct Config {
    /// The validated settings.
    pub settings: Settings,
    layers: Layers,
}

/// One line of `orgmem config show`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// The name, such as `limits.body_bytes`.
    pub setting: String,
    /// The value, with secrets masked; empty if it is not set.
    pub value: String,
    /// The origin of the value, for people.
    pub origin: String,
}

impl Config {
    /// Reads every layer and validates every value.
    ///
    /// # Errors
    /// [`ConfigError`] for the first mistake. Its text is one line.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let layers = Layers::merge(sources)?;
        Ok(Self { settings: Settings::read(&layers)?, layers })
    }

    /// The origin of the value of `setting`; `None` for an unknown setting.
    #[must_use]
    pub fn origin(&self, setting: &str) -> Option<&SettingOrigin> {
        self.layers.get(setting).map(|raw| &raw.origin)
    }

    /// Every setting with its value and origin, by name. Secrets are masked.
    #[must_use]
    pub fn show(&self) -> Vec<ShownSetting> {
        let line = |(setting, raw): (&String, &layers::RawSetting)| ShownSetting {
            setting: setting.clone(),
            value: mask::masked(setting, &raw.value.to_string()),
            origin: raw.origin.to_string(),
        };
        self.layers.iter().map(line).collect()
    }
}

/// Like [`Config::show`], so that no secret gets into a log.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.show()).finish()
    }
}
