//! Settings of the sources that records are fetched from.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use orgmem_policies::addresses::is_public;
use regex::Regex;
use reqwest::Url;
use reqwest::header::HeaderName;
use secrecy::SecretString;
use uuid::Uuid;

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
    /// Whether the host may have an address that is not public.
    pub is_private: bool,
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
    /// The limit of a request.
    pub timeout: Duration,
    /// How long a response is used.
    pub ttl: Duration,
    /// The largest body.
    pub body_bytes: usize,
    /// A header with a secret value.
    pub header: Option<(HeaderName, HeaderSecret)>,
}

/// Where the value of the header is.
#[derive(Clone, Debug)]
pub enum HeaderSecret {
    /// In the settings.
    Value(SecretString),
    /// In a file.
    File(PathBuf),
}

const PATTERN: ValueForm<Regex> =
    ValueForm { allowed: "a regular expression for entities, such as `sku-[0-9]+`", read: pattern };
const POINTED: ValueForm<(String, String)> =
    ValueForm { allowed: "a field and the JSON pointer of its value, such as `price=/offer/amount`", read: pointed };
const POINTER: ValueForm<String> = ValueForm { allowed: "a JSON pointer such as `/offer/updated_at`", read: pointer };
const HEADER: ValueForm<HeaderName> =
    ValueForm { allowed: "the name of a header, such as `Authorization`", read: |text| text.parse().ok() };
const HEADER_VALUE: ValueForm<SecretString> = ValueForm { allowed: "visible ASCII", read: header_value };
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
        let private_host: Option<String> = from.optional(&setting("private_host"), &forms::NOT_BLANK)?;
        let parsed = parse(&url);
        let host = parsed.as_ref().and_then(Url::host_str).unwrap_or_default();
        if private_host.as_ref().is_some_and(|named| !named.eq_ignore_ascii_case(host)) {
            return Err(from.refused(&setting("private_host"), format!("`{host}`, the host of `url`, or not set")));
        }
        let is_private = private_host.is_some();
        if !is_private && url.starts_with("http://") {
            return Err(from.refused(&setting("url"), "https, or http with the host in `private_host`"));
        }
        let literal = host.trim_matches(['[', ']']).parse::<IpAddr>();
        if !is_private && literal.is_ok_and(|address| !is_public(address)) {
            return Err(from.refused(&setting("url"), "of a public address, or of the host in `private_host`"));
        }
        let fields: Vec<(String, String)> = from.list(&setting("fields"), &POINTED)?;
        if fields.is_empty() {
            return Err(from.refused(&setting("fields"), "at least one field, such as `price=/offer/amount`"));
        }
        let units: Vec<(String, String)> = from.list(&setting("units"), &POINTED)?;
        if let Some((unit, _)) = units.iter().find(|(unit, _)| !fields.iter().any(|(field, _)| field == unit)) {
            return Err(from.refused(&setting("units"), format!("a list of fields in `fields`, without `{unit}`")));
        }
        Ok(Self {
            is_private,
            entities: from.text(&setting("entities"), &PATTERN)?,
            fields,
            units,
            as_of: from.optional(&setting("as_of"), &POINTER)?,
            roots: from.list(&setting("roots"), &ROOT)?,
            timeout: Duration::from_millis(from.whole(&setting("timeout_ms"), 50..=10_000_u64)?),
            ttl: from.seconds(&setting("ttl_seconds"), 1..=86_400)?,
            body_bytes: from.whole(&setting("body_bytes"), 64..=16_777_216_usize)?,
            header: header(from, &setting)?,
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

fn header_value(text: &str) -> Option<SecretString> {
    let is_visible = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    (!text.trim().is_empty() && text.bytes().all(is_visible)).then(|| text.into())
}
