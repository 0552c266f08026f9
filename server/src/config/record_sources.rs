//! Settings of the sources that records are fetched from.

use std::path::PathBuf;
use std::time::Duration;

use regex::Regex;
use reqwest::Url;
use reqwest::header::HeaderName;
use secrecy::SecretString;
use uuid::Uuid;

use super::outbound::{HEADER_VALUE, HeaderSecret, OutboundSettings};
use super::reader::{SettingsReader, ValueForm};
use super::{ConfigError, forms};

/// The placeholder of the entity in the address.
pub(crate) const ENTITY: &str = "{entity}";
/// The most bytes of a compiled expression.
const MAX_PATTERN: usize = 1 << 20;

/// A source of record that is asked for the values of claims.
#[derive(Clone, Debug)]
pub struct RecordSourceSettings {
    /// The name of the table, which is also the source of its records.
    pub name: String,
    /// The address of the record of an entity, with `{entity}`.
    pub url: String,
    /// Matches a whole entity.
    pub entities: Regex,
    /// The pointers of the values of fields.
    pub fields: Vec<(String, String)>,
    /// The pointers of the units of fields.
    pub units: Vec<(String, String)>,
    /// The pointer of the instant at which the values held.
    pub as_of: Option<String>,
    /// The roots of the orgs that ask it; none means all.
    pub roots: Vec<Uuid>,
    /// How long a response is used.
    pub ttl: Duration,
    /// The bounds of requests, and a header with a secret value.
    pub outbound: OutboundSettings,
}

const PATTERN: ValueForm<Regex> =
    ValueForm { allowed: "a regular expression for entities, such as `sku-[0-9]+`", read: pattern };
const POINTED: ValueForm<(String, String)> =
    ValueForm { allowed: "a field and the JSON pointer of its value, such as `price=/offer/amount`", read: pointed };
const POINTER: ValueForm<String> = ValueForm { allowed: "a JSON pointer such as `/offer/updated_at`", read: pointer };
const HEADER: ValueForm<HeaderName> =
    ValueForm { allowed: "the name of a header, such as `Authorization`", read: |text| text.parse().ok() };
const ROOT: ValueForm<Uuid> = ValueForm { allowed: "the id of a root", read: |text| text.parse().ok() };
const ADDRESS: ValueForm<String> = ValueForm {
    allowed: "an http(s) address with `{entity}` once in its path or query and without a password, such as `https://catalog.example/items/{entity}`",
    read: address,
};

impl RecordSourceSettings {
    pub(super) fn read_all(from: &SettingsReader<'_>) -> Result<Vec<Self>, ConfigError> {
        from.names_of("sources").into_iter().map(|name| Self::read(from, name)).collect()
    }

    fn read(from: &SettingsReader<'_>, name: String) -> Result<Self, ConfigError> {
        let setting = |key: &str| format!("sources.{name}.{key}");
        let url = from.text(&setting("url"), &ADDRESS)?;
        let parsed = parse(&url);
        let parsed = parsed.as_ref().map_or(url.as_str(), Url::as_str);
        let outbound = OutboundSettings::read(from, &format!("sources.{name}"), parsed)?;
        let fields: Vec<(String, String)> = from.list(&setting("fields"), &POINTED)?;
        if fields.is_empty() {
            return Err(from.refused(&setting("fields"), "at least one field, such as `price=/offer/amount`"));
        }
        let units: Vec<(String, String)> = from.list(&setting("units"), &POINTED)?;
        if let Some((unit, _)) = units.iter().find(|(unit, _)| !fields.iter().any(|(field, _)| field == unit)) {
            return Err(from.refused(&setting("units"), format!("a list of fields in `fields`, without `{unit}`")));
        }
        Ok(Self {
            entities: from.text(&setting("entities"), &PATTERN)?,
            fields,
            units,
            as_of: from.optional(&setting("as_of"), &POINTER)?,
            roots: from.list(&setting("roots"), &ROOT)?,
            ttl: from.seconds(&setting("ttl_seconds"), 1..=86_400)?,
            outbound: OutboundSettings { header: header(from, &setting)?, ..outbound },
            url,
            name,
        })
    }
}

fn header(
    from: &SettingsReader<'_>,
    setting: &impl Fn(&str) -> String,
) -> Result<Option<(HeaderName, HeaderSecret)>, ConfigError> {
    let header: Option<HeaderName> = from.optional(&setting("header"), &HEADER)?;
    let value: Option<SecretString> = from.optional(&setting("header_value"), &HEADER_VALUE)?;
    let file: Option<PathBuf> = from.optional(&setting("header_file"), &forms::PATH)?;
    match (header, value, file) {
        (None, None, None) => Ok(None),
        (Some(header), Some(value), None) => Ok(Some((header, HeaderSecret::Value(value)))),
        (Some(header), None, Some(file)) => Ok(Some((header, HeaderSecret::File(file)))),
        (Some(_), ..) => Err(from.refused(&setting("header"), "with one of `header_value` and `header_file`")),
        (None, ..) => Err(from.refused(&setting("header"), "set, as its value is")),
    }
}

/// The address with an entity that needs no escapes.
fn parse(url: &str) -> Option<Url> {
    Url::parse(&url.replace(ENTITY, "e")).ok()
}

fn address(text: &str) -> Option<String> {
    let (before, after) = text.split_once(ENTITY)?;
    let url = parse(text)?;
    let root_ends = before.find("://")? + 3;
    let is_after_host = before.get(root_ends..)?.contains(['/', '?']);
    let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (is_web && is_plain && is_after_host && !after.contains(ENTITY)).then(|| text.to_owned())
}

fn pattern(text: &str) -> Option<Regex> {
    let whole = format!("^(?:{text})$");
    let compiled = regex::RegexBuilder::new(&whole).size_limit(MAX_PATTERN).build().ok()?;
    (!text.trim().is_empty()).then_some(compiled)
}

fn pointed(text: &str) -> Option<(String, String)> {
    let (field, to) = text.split_once('=')?;
    let field = field.trim();
    (!field.is_empty()).then_some((field.to_owned(), pointer(to.trim())?))
}

fn pointer(text: &str) -> Option<String> {
    // `""` is the whole document, which is no value
    text.starts_with('/').then(|| text.to_owned())
}
