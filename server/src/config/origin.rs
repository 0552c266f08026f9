use std::fmt;
use std::path::PathBuf;

/// Where the value of a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The defaults that are compiled in.
    Default,
    /// A settings file.
    File {
        /// The file as it was named or found.
        path: PathBuf,
        /// The line of the value, the first being 1.
        line: usize,
    },
    /// The environment variable of this name.
    Variable(String),
    /// The command-line flag of this name, dashes included.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}
