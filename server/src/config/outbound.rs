//! Settings of a host that the server sends requests to, which the tables of sources and of providers share.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use orgmem_policies::addresses::is_public;
use reqwest::Url;
use reqwest::header::HeaderName;
use secrecy::SecretString;

use super::reader::{SettingsReader, ValueForm};
use super::{ConfigError, forms};

/// The bounds of requests to a host, and a secret for it.
#[derive(Clone, Debug)]
pub struct OutboundSettings {
    /// Whether the host may have an address that is not public.
    pub is_private: bool,
    /// The limit of a request.
    pub timeout: Duration,
    /// The largest body of a response.
    pub body_bytes: usize,
    /// A header with a secret value.
    pub header: Option<(HeaderName, HeaderSecret)>,
    /// What comes before the secret in the header, such as `Bearer `.
    pub scheme: &'static str,
}

/// Where the value of the header is.
#[derive(Clone, Debug)]
pub enum HeaderSecret {
    /// In the settings.
    Value(SecretString),
    /// In a file.
    File(PathBuf),
}

pub(super) const HEADER_VALUE: ValueForm<SecretString> = ValueForm { allowed: "visible ASCII", read: header_value };

impl OutboundSettings {
    /// Reads the settings of the table `table` for `url`, without the header.
    pub(super) fn read(from: &SettingsReader<'_>, table: &str, url: &str) -> Result<Self, ConfigError> {
        let setting = |key: &str| format!("{table}.{key}");
        Ok(Self {
            is_private: is_private(from, table, url)?,
            timeout: Duration::from_millis(from.whole(&setting("timeout_ms"), 50..=10_000_u64)?),
            body_bytes: from.whole(&setting("body_bytes"), 64..=16_777_216_usize)?,
            header: None,
            scheme: "",
        })
    }
}

/// Whether the setting `private_host` names the host of the address.
fn is_private(from: &SettingsReader<'_>, table: &str, url: &str) -> Result<bool, ConfigError> {
    let setting = |key: &str| format!("{table}.{key}");
    let private_host: Option<String> = from.optional(&setting("private_host"), &forms::NOT_BLANK)?;
    let parsed = Url::parse(url).ok();
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
    Ok(is_private)
}

fn header_value(text: &str) -> Option<SecretString> {
    let is_visible = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    (!text.trim().is_empty() && text.bytes().all(is_visible)).then(|| text.into())
}
