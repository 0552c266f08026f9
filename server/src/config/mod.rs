//! The settings: what the defaults say, then `orgmem.toml`, then the environment, then flags.
//!
//! The default file, `server/config/orgmem.toml`, is both the documentation and the defaults: it is compiled in, and
//! what it does not name is not a setting. Every value knows where it came from; whatever is wrong with one stops the
//! start with a line that names the setting, its origin and what is allowed.
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
//! Source: product.md, section 8.

mod data_dir;
mod error;
mod file;
mod forms;
mod layers;
mod mask;
mod origin;
mod reader;
mod settings;
mod sources;
#[cfg(test)]
mod tests;

pub use error::ConfigError;
pub use origin::Origin;
pub use settings::{
    AccessLogSettings, EmbedderSettings, EmbedderSource, Jwks, JwtSettings, LimitSettings, LogFormat, Logging,
    McpSettings, ModelSettings, Settings, StoreSettings, SummarySettings,
};
pub use sources::{FlagValue, Sources};

use std::fmt;

use layers::Layers;
use serde::Serialize;

/// The settings in force, and where each came from.
pub struct Config {
    /// The settings, checked and typed.
    pub settings: Settings,
    layers: Layers,
}

/// One line of `orgmem config show`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// Its name, such as `limits.body_bytes`.
    pub setting: String,
    /// Its value, with secrets masked; empty when it is not set.
    pub value: String,
    /// Where the value came from, for people.
    pub origin: String,
}

impl Config {
    /// Reads every layer and checks every value.
    ///
    /// # Errors
    /// [`ConfigError`], for the first mistake found. Its text is one line.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let layers = Layers::gather(sources)?;
        Ok(Self { settings: Settings::read(&layers)?, layers })
    }

    /// Where the value of `setting` came from; `None` when there is no such setting.
    #[must_use]
    pub fn origin(&self, setting: &str) -> Option<&Origin> {
        self.layers.get(setting).map(|given| &given.origin)
    }

    /// Every setting with its value and origin, by name. Secrets are masked.
    #[must_use]
    pub fn show(&self) -> Vec<ShownSetting> {
        let line = |(setting, given): (&String, &layers::Given)| ShownSetting {
            setting: setting.clone(),
            value: mask::shown(setting, &given.value.to_string()),
            origin: given.origin.to_string(),
        };
        self.layers.iter().map(line).collect()
    }
}

/// Like [`Config::show`], so that no secret gets into a log this way.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.show()).finish()
    }
}
