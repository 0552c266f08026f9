use std::io;
use std::path::PathBuf;

use super::Origin;

/// What is wrong with the configuration. Each text is one line; whoever runs the server can put it right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The settings file cannot be read.
    #[error("cannot read the settings file `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The settings file is not TOML.
    #[error("{}, line {line}: {message}", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// The line, the first being 1.
        line: usize,
        /// What the parser says, on one line.
        message: String,
    },
    /// There is no setting of this name.
    #[error("{} is not a setting; the nearest is `{nearest}`", named(name, origin))]
    Unknown {
        /// The name as it was given.
        name: String,
        /// Where.
        origin: Origin,
        /// The setting spelt most like it, as it would be written there.
        nearest: String,
    },
    /// The value has the wrong type or lies outside what is allowed.
    #[error("`{setting}` ({origin}) must be {allowed}, not {given}")]
    NotAllowed {
        /// The setting.
        setting: String,
        /// Where its value came from.
        origin: Origin,
        /// What would be allowed.
        allowed: String,
        /// The value as it was given, masked when it is secret.
        given: String,
    },
    /// The default file lacks a setting that is read: a fault of the program, not of whoever runs it.
    #[error("`{setting}` has no default; this is a fault of orgmem")]
    Missing {
        /// The setting.
        setting: String,
    },
    /// The setting belongs to something that this release does not have.
    #[error("`{setting}` ({origin}) asks for {what}, which this release does not have; remove the setting")]
    NotYet {
        /// The setting.
        setting: String,
        /// Where its value came from.
        origin: Origin,
        /// What it asks for.
        what: &'static str,
    },
    /// The platform does not say where data belongs.
    #[error("the platform names no folder for data; set `data_dir` or ORGMEM_DATA_DIR")]
    NoDataFolder,
}

/// A name and where it stands, once when that is the same.
fn named(name: &str, origin: &Origin) -> String {
    match origin.to_string() {
        origin if origin == name => format!("`{name}`"),
        origin => format!("`{name}` ({origin})"),
    }
}
