//! The layers laid over each other: for every setting the value that wins, and its origin.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::{ConfigError, FlagValue, Origin, Sources, data_dir, file};

/// The default file, which is also the list of all settings.
pub(super) const DEFAULTS: &str = include_str!("../../config/orgmem.toml");

/// Names in the environment that do not follow the rule, and the setting each stands for. Earlier ones give way to
/// the regular name.
const OTHER_NAMES: [(&str, &str); 2] = [("DATABASE_URL", "database_url"), ("ORGMEM_JWKS", "jwt.jwks")];

/// Names with our prefix that are not settings of the server: where the file is, and what the command line talks to.
const NOT_SETTINGS: [&str; 3] = ["ORGMEM_CONFIG", "ORGMEM_URL", "ORGMEM_TOKEN"];

/// What the test suite tells itself, and the servers it starts inherit.
const TESTS_PREFIX: &str = "ORGMEM_TEST_";

/// How Kubernetes tells every container of a Service named `orgmem`: service links, which are nobody's settings.
const SERVICE_LINKS: [&str; 2] = ["ORGMEM_SERVICE_HOST", "ORGMEM_SERVICE_PORT"];

/// Settings of later releases. Ignoring one in silence would let somebody believe that it works.
const NOT_YET: [(&str, &str); 1] = [("plugin_listen", "the port of the memory-plugin contract")];

/// A value as it was given, before its setting has had a look at it.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// What kinds of value there are.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Text in a file.
    Word(String),
    /// A number in a file.
    Whole(i64),
    /// A list of texts in a file.
    List(Vec<String>),
    /// Anything else in a file, as written there.
    Other(String),
    /// A variable or a flag: untyped text, which may be any of these.
    Untyped(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Other(text) | Self::Untyped(text) => f.write_str(text),
            Self::Whole(number) => number.fmt(f),
            Self::List(items) => f.write_str(&items.join(", ")),
        }
    }
}

/// The winning value of every setting.
pub(super) struct Layers(BTreeMap<String, Given>);

impl Layers {
    /// Lays the sources over the defaults, the later the stronger.
    pub(super) fn gather(sources: &Sources) -> Result<Self, ConfigError> {
        let defaults = file::parse(DEFAULTS, Path::new("the defaults"), |_| Origin::Default)?;
        let mut layers = Self(defaults.into_iter().collect());
        layers.lay_file(sources)?;
        layers.lay_variables(sources)?;
        for FlagValue { flag, setting, value } in &sources.flags {
            layers.lay(setting, (*flag).to_owned(), Value::Untyped(value.clone()), Origin::Flag((*flag).to_owned()))?;
        }
        layers.fill_data_dir(sources)?;
        Ok(layers)
    }

    pub(super) fn get(&self, setting: &str) -> Option<&Given> {
        self.0.get(setting)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Given)> {
        self.0.iter()
    }

    fn lay_file(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        let named = sources.file.clone().or_else(|| sources.variable("ORGMEM_CONFIG").map(PathBuf::from));
        let path = match named {
            Some(path) => path,
            None => match sources.folder.join("orgmem.toml") {
                path if path.exists() => path,
                _ => return Ok(()),
            },
        };
        let text =
            std::fs::read_to_string(&path).map_err(|source| ConfigError::Unreadable { path: path.clone(), source })?;
        let origin_at = |line| Origin::File { path: path.clone(), line };
        for (setting, given) in file::parse(&text, &path, origin_at)? {
            self.lay(&setting, setting.clone(), given.value, given.origin)?;
        }
        Ok(())
    }

    fn lay_variables(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        for (variable, setting) in OTHER_NAMES {
            self.lay_variable(sources, variable, setting)?;
        }
        let known: Vec<_> = self.0.keys().cloned().collect();
        for setting in known.iter().map(String::as_str).chain(NOT_YET.map(|(setting, _)| setting)) {
            self.lay_variable(sources, &variable_of(setting), setting)?;
        }
        let is_known = |name: &str| {
            known.iter().any(|setting| variable_of(setting) == name)
                || NOT_SETTINGS.contains(&name)
                || name.starts_with(TESTS_PREFIX)
                || OTHER_NAMES.iter().any(|(variable, _)| *variable == name)
        };
        let given = sources.variables.iter().filter(|(_, value)| !value.is_empty());
        let given = given.filter(|(name, value)| !is_service_link(&name.to_string_lossy(), &value.to_string_lossy()));
        let mut names = given.filter_map(|(name, _)| name.to_str());
        match names.find(|name| name.starts_with("ORGMEM_") && !is_known(name)) {
            Some(name) => Err(self.unknown(name.to_owned(), Origin::Variable(name.to_owned()))),
            None => Ok(()),
        }
    }

    fn lay_variable(&mut self, sources: &Sources, variable: &str, setting: &str) -> Result<(), ConfigError> {
        let Some(value) = sources.variable(variable) else { return Ok(()) };
        let origin = Origin::Variable(variable.to_owned());
        match value.to_str() {
            Some(text) => self.lay(setting, variable.to_owned(), Value::Untyped(text.to_owned()), origin),
            None => Err(ConfigError::NotAllowed {
                setting: setting.to_owned(),
                origin,
                allowed: "UTF-8".to_owned(),
                given: "other bytes".to_owned(),
            }),
        }
    }

    /// Puts one value over the one below. `name` is what the setting was called there.
    fn lay(&mut self, setting: &str, name: String, value: Value, origin: Origin) -> Result<(), ConfigError> {
        if let Some((_, what)) = NOT_YET.iter().find(|(later, _)| *later == setting) {
            return Err(ConfigError::NotYet { setting: setting.to_owned(), origin, what });
        }
        match self.0.get_mut(setting) {
            Some(given) => *given = Given { value, origin },
            None => return Err(self.unknown(name, origin)),
        }
        Ok(())
    }

    fn unknown(&self, name: String, origin: Origin) -> ConfigError {
        let spelling = |setting: &String| match origin {
            Origin::Variable(_) => variable_of(setting),
            _ => setting.clone(),
        };
        let nearest = self.0.keys().map(spelling).min_by_key(|candidate| distance(candidate, &name));
        ConfigError::Unknown { name, origin, nearest: nearest.unwrap_or_default() }
    }

    /// A data folder that nobody set is the platform's.
    fn fill_data_dir(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        match self.0.get_mut("data_dir") {
            Some(given) if given.value == Value::Word(String::new()) => {
                let folder = data_dir::of_platform(sources).ok_or(ConfigError::NoDataFolder)?;
                given.value = Value::Word(folder.to_string_lossy().into_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Whether a variable is one that Kubernetes makes of a Service named `orgmem`. `ORGMEM_PORT` is one with an address for
/// its value alone: `ORGMEM_PORT=8080` is somebody's mistake.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    if SERVICE_LINKS.contains(&name) || name.starts_with("ORGMEM_SERVICE_PORT_") {
        return true;
    }
    let Some(rest) = name.strip_prefix("ORGMEM_PORT") else { return false };
    if rest.is_empty() {
        return is_address;
    }
    // ORGMEM_PORT_7070_TCP, and the parts of its address with _PROTO, _PORT and _ADDR behind it
    let mut words = rest.trim_start_matches('_').split('_');
    let is_port = words.next().is_some_and(|port| port.parse::<u16>().is_ok());
    let is_protocol = words.next().is_some_and(|protocol| matches!(protocol, "TCP" | "UDP" | "SCTP"));
    let is_part = words.next().is_none_or(|part| matches!(part, "PROTO" | "PORT" | "ADDR"));
    is_port && is_protocol && is_part && words.next().is_none()
}

/// The environment variable of a setting.
pub(super) fn variable_of(setting: &str) -> String {
    format!("ORGMEM_{}", setting.replace('.', "_").to_uppercase())
}

/// Edits between two names (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
