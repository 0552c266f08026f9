use std::ffi::OsString;
use std::path::PathBuf;

/// Everything that settings can come from, besides the defaults.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The folder in which `orgmem.toml` is looked for when no file is named.
    pub folder: PathBuf,
    /// The settings file named by `--config`. It must exist, as must one named by ORGMEM_CONFIG.
    pub file: Option<PathBuf>,
    /// The environment.
    pub variables: Vec<(OsString, OsString)>,
    /// The flags that were given.
    pub flags: Vec<FlagValue>,
}

/// A flag of the command line that stands for a setting.
#[derive(Clone, Debug)]
pub struct FlagValue {
    /// The flag as it is typed, such as `--listen`.
    pub flag: &'static str,
    /// The setting, such as `listen`.
    pub setting: &'static str,
    /// Its value as it was typed.
    pub value: String,
}

impl Sources {
    /// The environment and working folder of this process, `file` from `--config`, and `flags`.
    #[must_use]
    pub fn of_process(file: Option<PathBuf>, flags: Vec<FlagValue>) -> Self {
        Self { folder: PathBuf::new(), file, variables: std::env::vars_os().collect(), flags }
    }

    /// Nothing but the defaults and, if it is there, the `orgmem.toml` of `folder`.
    #[must_use]
    pub fn empty(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), file: None, variables: Vec::new(), flags: Vec::new() }
    }

    /// The value of an environment variable; an empty one counts as absent.
    pub(super) fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value)
    }
}
