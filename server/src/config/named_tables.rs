//! Tables that a deployment declares by a name of its own, such as `[sources.catalog]`.
//!
//! The default file documents each kind as a table of the name `NAME` and contains the defaults of its settings.

use std::collections::BTreeMap;

use super::layers::RawSetting;

/// The name in the default file; names of deployments have lower-case letters.
const PLACEHOLDER: &str = "NAME";

type Entries = Vec<(String, RawSetting)>;

/// The default settings of a table of each kind.
pub(super) struct NamedTables(BTreeMap<String, BTreeMap<String, RawSetting>>);

impl NamedTables {
    /// Separates the tables from the other defaults.
    pub(super) fn split_from(defaults: Entries) -> (Self, BTreeMap<String, RawSetting>) {
        let (mut tables, mut others) = (Self(BTreeMap::new()), BTreeMap::new());
        for (setting, raw) in defaults {
            match parts(&setting) {
                Some((table, PLACEHOLDER, key)) => {
                    tables.0.entry(table.to_owned()).or_default().insert(key.to_owned(), raw);
                }
                _ => drop(others.insert(setting, raw)),
            }
        }
        (tables, others)
    }

    /// The settings with their defaults of the table that `setting` belongs to; `None` if there is no such setting.
    pub(super) fn named_by(&self, setting: &str) -> Option<Entries> {
        let (table, name, key) = parts(setting)?;
        self.0.get(table)?.get(key)?;
        self.named(table, name)
    }

    /// As [`named_by`](Self::named_by), for an environment variable such as `ORGMEM_SOURCES_CATALOG_URL`.
    pub(super) fn named_by_variable(&self, variable: &str) -> Option<Entries> {
        let rest = variable.strip_prefix("ORGMEM_")?;
        self.0.iter().find_map(|(table, keys)| {
            let rest = rest.strip_prefix(&format!("{}_", table.to_uppercase()))?;
            let name_before = |key: &String| rest.strip_suffix(&format!("_{}", key.to_uppercase()));
            // of two keys that fit, such as `file` and `header_file`, the longer one is meant
            let name = keys.keys().filter_map(name_before).min_by_key(|name| name.len())?;
            self.named(table, &name.to_lowercase())
        })
    }

    fn named(&self, table: &str, name: &str) -> Option<Entries> {
        let keys = self.0.get(table).filter(|_| is_name(name))?;
        Some(keys.iter().map(|(key, raw)| (format!("{table}.{name}.{key}"), raw.clone())).collect())
    }
}

/// Table, name and key of a setting of a named table.
fn parts(setting: &str) -> Option<(&str, &str, &str)> {
    let (table, rest) = setting.split_once('.')?;
    let (name, key) = rest.split_once('.')?;
    Some((table, name, key))
}

/// A name that is the same in a file and in a variable, and a label of metrics.
fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.len() <= 40 && name.bytes().all(is_plain)
}
