//! Merges the sources: the effective value of every setting, and its origin.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::named_tables::NamedTables;
use super::{ConfigError, FlagValue, SettingOrigin, Sources, data_dir, file};

/// The default file, which is also the list of all settings.
pub(super) const DEFAULTS: &str = include_str!("../../config/orgmem.toml");

/// Alternative names of environment variables and their settings. The regular name takes precedence.
const OTHER_NAMES: [(&str, &str); 2] = [("DATABASE_URL", "database_url"), ("ORGMEM_JWKS", "jwt.jwks")];

/// Variables with the prefix that are not settings of the server.
const NOT_SETTINGS: [&str; 3] = ["ORGMEM_CONFIG", "ORGMEM_URL", "ORGMEM_TOKEN"];

/// Variables of the test suite, which the servers that it starts inherit.
const TESTS_PREFIX: &str = "ORGMEM_TEST_";

/// Kubernetes sets these service links in every container next to a Service named `orgmem`.
const SERVICE_LINKS: [&str; 2] = ["ORGMEM_SERVICE_HOST", "ORGMEM_SERVICE_PORT"];

/// A value before validation.
#[derive(Clone)]
pub(super) struct RawSetting {
    pub(super) value: Value,
    pub(super) origin: SettingOrigin,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Text in a file.
    Word(String),
    /// A number in a file.
    Whole(i64),
    /// A list of texts in a file.
    List(Vec<String>),
    /// Another type in a file, as its text.
    Other(String),
    /// The text of a variable or a flag, which may be any type.
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

/// The effective value of every setting.
pub(super) struct Layers {
    settings: BTreeMap<String, RawSetting>,
    tables: NamedTables,
}

impl Layers {
    /// Merges file, environment and flags, in this order, into the defaults.
    pub(super) fn merge(sources: &Sources) -> Result<Self, ConfigError> {
        let defaults = file::parse(DEFAULTS, Path::new("the defaults"), |_| SettingOrigin::Default)?;
        let (tables, settings) = NamedTables::split_from(defaults);
        let mut layers = Self { settings, tables };
        layers.merge_file(sources)?;
        layers.merge_variables(sources)?;
        for FlagValue { flag, setting, value } in &sources.flags {
            layers.set(
                setting,
                (*flag).to_owned(),
                Value::Untyped(value.clone()),
                SettingOrigin::Flag((*flag).to_owned()),
            )?;
        }
        layers.fill_data_dir(sources)?;
        Ok(layers)
    }

    pub(super) fn get(&self, setting: &str) -> Option<&RawSetting> {
        self.settings.get(setting)
    }

    /// The names of the tables of a kind that some source declares, such as `catalog` of `[sources.catalog]`.
    pub(super) fn names_of(&self, table: &str) -> Vec<String> {
        let prefix = format!("{table}.");
        let of_table = self.settings.keys().filter_map(|setting| setting.strip_prefix(&prefix)?.split_once('.'));
        let mut names: Vec<String> = of_table.map(|(name, _)| name.to_owned()).collect();
        names.dedup();
        names
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &RawSetting)> {
        self.settings.iter()
    }

    fn merge_file(&mut self, sources: &Sources) -> Result<(), ConfigError> {
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
        let origin_at = |line| SettingOrigin::File { path: path.clone(), line };
        for (setting, raw) in file::parse(&text, &path, origin_at)? {
            self.set(&setting, setting.clone(), raw.value, raw.origin)?;
        }
        Ok(())
    }

    fn merge_variables(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        for (variable, setting) in OTHER_NAMES {
            self.merge_variable(sources, variable, setting)?;
        }
        let set = sources.variables.iter().filter(|(_, value)| !value.is_empty());
        let declared = set.filter_map(|(name, _)| self.tables.named_by_variable(name.to_str()?));
        let declared: Vec<_> = declared.flatten().collect();
        self.settings.extend(
            declared.into_iter().filter(|(setting, _)| !self.settings.contains_key(setting)).collect::<Vec<_>>(),
        );
        let known: Vec<_> = self.settings.keys().cloned().collect();
        for setting in &known {
            self.merge_variable(sources, &variable_of(setting), setting)?;
        }
        let is_known = |name: &str| {
            known.iter().any(|setting| variable_of(setting) == name)
                || NOT_SETTINGS.contains(&name)
                || name.starts_with(TESTS_PREFIX)
                || OTHER_NAMES.iter().any(|(variable, _)| *variable == name)
        };
        let variables = sources.variables.iter().filter(|(_, value)| !value.is_empty());
        let variables =
            variables.filter(|(name, value)| !is_service_link(&name.to_string_lossy(), &value.to_string_lossy()));
        let mut names = variables.filter_map(|(name, _)| name.to_str());
        match names.find(|name| name.starts_with("ORGMEM_") && !is_known(name)) {
            Some(name) => Err(self.unknown(name.to_owned(), SettingOrigin::Variable(name.to_owned()))),
            None => Ok(()),
        }
    }

    fn merge_variable(&mut self, sources: &Sources, variable: &str, setting: &str) -> Result<(), ConfigError> {
        let Some(value) = sources.variable(variable) else { return Ok(()) };
        let origin = SettingOrigin::Variable(variable.to_owned());
        match value.to_str() {
            Some(text) => self.set(setting, variable.to_owned(), Value::Untyped(text.to_owned()), origin),
            None => Err(ConfigError::NotAllowed {
                setting: setting.to_owned(),
                origin,
                allowed: "UTF-8".to_owned(),
                value: "other bytes".to_owned(),
            }),
        }
    }

    /// Overrides a value. `name` is the name of the setting in the source.
    fn set(&mut self, setting: &str, name: String, value: Value, origin: SettingOrigin) -> Result<(), ConfigError> {
        if !self.settings.contains_key(setting) {
            self.settings.extend(self.tables.named_by(setting).unwrap_or_default());
        }
        match self.settings.get_mut(setting) {
            Some(raw) => *raw = RawSetting { value, origin },
            None => return Err(self.unknown(name, origin)),
        }
        Ok(())
    }

    fn unknown(&self, name: String, origin: SettingOrigin) -> ConfigError {
        let spelling = |setting: &String| match origin {
            SettingOrigin::Variable(_) => variable_of(setting),
            _ => setting.clone(),
        };
        let nearest = self.settings.keys().map(spelling).min_by_key(|candidate| distance(candidate, &name));
        ConfigError::Unknown { name, origin, nearest: nearest.unwrap_or_default() }
    }

    /// Sets the platform's data folder if no source sets one.
    fn fill_data_dir(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        match self.settings.get_mut("data_dir") {
            Some(raw) if raw.value == Value::Word(String::new()) => {
                let folder = data_dir::of_platform(sources).ok_or(ConfigError::NoDataFolder)?;
                raw.value = Value::Word(folder.to_string_lossy().into_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Whether Kubernetes set this variable for a Service named `orgmem`. `ORGMEM_PORT` is a service link only with an address
/// as its value: `ORGMEM_PORT=8080` is a mistake.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    if SERVICE_LINKS.contains(&name) || name.starts_with("ORGMEM_SERVICE_PORT_") {
        return true;
    }
    let Some(rest) = name.strip_prefix("ORGMEM_PORT") else { return false };
    if rest.is_empty() {
        return is_address;
    }
    // ORGMEM_PORT_7070_TCP, and the same with the suffixes _PROTO, _PORT and _ADDR
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

/// The Levenshtein distance.
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
