use std::io;
use std::path::PathBuf;

use super::SettingOrigin;

/// A mistake in the configuration. Each text is one line for the operator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The settings file cannot be read.
    #[error("cannot read the settings file `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The settings file is not TOML.
    #[error("{}, line {line}: {message}", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The message of the parser, on one line.
        message: String,
    },
    /// An unknown name.
    #[error("{} is not a setting; the nearest is `{nearest}`", named(name, origin))]
    Unknown {
        /// The name in the source.
        name: String,
        /// The source.
        origin: SettingOrigin,
        /// The setting with the most similar name, in the spelling of the source.
        nearest: String,
    },
    /// The value has the wrong type or is out of range.
    #[error("`{setting}` ({origin}) must be {allowed}, not {value}")]
    NotAllowed {
        /// The setting.
        setting: String,
        /// The source of the value.
        origin: SettingOrigin,
        /// The allowed values.
        allowed: String,
        /// The value, masked if it is secret.
        value: String,
    },
    /// The default file lacks a setting: a bug.
    #[error("`{setting}` has no default; this is a bug in orgmem")]
    Missing {
        /// The setting.
        setting: String,
    },
    /// The platform has no default folder for data.
    #[error("the platform has no default folder for data; set `data_dir` or ORGMEM_DATA_DIR")]
    NoDataFolder,
}

/// A name and its origin, unless they are equal.
fn named(name: &str, origin: &SettingOrigin) -> String {
    match origin.to_string() {
        origin if origin == name => format!("`{name}`"),
        origin => format!("`{name}` ({origin})"),
    }
}
