use std::ffi::OsString;
use std::path::PathBuf;

/// All sources of settings except the defaults.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The folder of `orgmem.toml` if no file is named.
    pub folder: PathBuf,
    /// The settings file of `--config`. Named files must exist.
    pub file: Option<PathBuf>,
    /// The environment.
    pub variables: Vec<(OsString, OsString)>,
    /// The flags of the command line.
    pub flags: Vec<FlagValue>,
}

/// A flag of the command line that sets a setting.
#[derive(Clone, Debug)]
pub struct FlagValue {
    /// The flag, such as `--listen`.
    pub flag: &'static str,
    /// The setting, such as `listen`.
    pub setting: &'static str,
    /// The value.
    pub value: String,
}

impl Sources {
    /// The sources of this process.
    #[must_use]
    pub fn of_process(file: Option<PathBuf>, flags: Vec<FlagValue>) -> Self {
        Self { folder: PathBuf::new(), file, variables: std::env::vars_os().collect(), flags }
    }

    /// Only the `orgmem.toml` in `folder`, if it exists.
    #[must_use]
    pub fn empty(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), file: None, variables: Vec::new(), flags: Vec::new() }
    }

    /// The value of an environment variable. An empty value counts as absent.
    pub(super) fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value)
    }
}
