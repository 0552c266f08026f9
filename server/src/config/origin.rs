use std::fmt;
use std::path::PathBuf;

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The compiled-in defaults.
    Default,
    /// A settings file.
    File {
        /// The file.
        path: PathBuf,
        /// The line of the value, from 1.
        line: usize,
    },
    /// The environment variable of this name.
    Variable(String),
    /// The command-line flag of this name, including dashes.
    Flag(String),
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}
