//! Settings of providers.

use std::collections::BTreeSet;

use orgmem_policies::providers::{Thresholds, is_closed};
use orgmem_store::OutboxLimits;
use reqwest::Url;
use reqwest::header::AUTHORIZATION;
use secrecy::SecretString;

use super::outbound::{HEADER_VALUE, HeaderSecret, OutboundSettings};
use super::reader::{SettingsReader, ValueForm};
use super::{ConfigError, forms};

/// The providers, and the surfaces that get none.
#[derive(Clone, Debug, Default)]
pub struct ProvidersSettings {
    /// Surfaces without a provider, besides those that never have one.
    pub closed_surfaces: Vec<String>,
    /// The providers by name.
    pub providers: Vec<ProviderSettings>,
}

/// A provider that serves the memory-plugin contract.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// The name of the table.
    pub name: String,
    /// The address before `/v1`, without a slash at its end.
    pub url: String,
    /// The bounds of requests, and the token.
    pub outbound: OutboundSettings,
    /// The values of `channel` that it shadows.
    pub surfaces: BTreeSet<String>,
    /// The bounds of its outbox in each org.
    pub outbox: OutboxLimits,
    /// The requirements of a promotion.
    pub thresholds: Thresholds,
}

const ADDRESS: ValueForm<String> = ValueForm {
    allowed: "an http(s) address without a password and a query, such as `https://memory.example`",
    read: address,
};

impl ProvidersSettings {
    pub(super) fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let closed_surfaces: Vec<String> = from.list("surfaces.without_provider", &forms::NOT_BLANK)?;
        let names = from.names_of("providers").into_iter();
        let providers =
            names.map(|name| ProviderSettings::read(from, name, &closed_surfaces)).collect::<Result<_, _>>()?;
        Ok(Self { closed_surfaces, providers })
    }
}

impl ProviderSettings {
    fn read(from: &SettingsReader<'_>, name: String, closed: &[String]) -> Result<Self, ConfigError> {
        let table = format!("providers.{name}");
        let setting = |key: &str| format!("{table}.{key}");
        let url = from.text(&setting("url"), &ADDRESS)?;
        let surfaces: Vec<String> = from.list(&setting("surfaces"), &forms::NOT_BLANK)?;
        if let Some(surface) = surfaces.iter().find(|surface| is_closed(surface, closed)) {
            let allowed = format!("a list of channels without `{surface}`, which never has a provider");
            return Err(from.refused(&setting("surfaces"), allowed));
        }
        let token: Option<SecretString> = from.optional(&setting("token"), &HEADER_VALUE)?;
        let file = from.optional(&setting("token_file"), &forms::PATH)?;
        let secret = match (token, file) {
            (None, None) => None,
            (Some(token), None) => Some(HeaderSecret::Value(token)),
            (None, Some(file)) => Some(HeaderSecret::File(file)),
            (Some(_), Some(_)) => return Err(from.refused(&setting("token"), "not set where `token_file` is")),
        };
        let outbound = OutboundSettings {
            header: secret.map(|secret| (AUTHORIZATION, secret)),
            scheme: "Bearer ",
            ..OutboundSettings::read(from, &table, &url)?
        };
        let percent = |key: &str| from.whole(&setting(key), 0..=100_u32).map(|percent| f64::from(percent) / 100.0);
        Ok(Self {
            outbound,
            surfaces: surfaces.into_iter().collect(),
            outbox: OutboxLimits {
                rows: from.whole(&setting("outbox_rows"), 1..=1_000_000_i64)?,
                bytes: from.whole(&setting("outbox_bytes"), 1_024..=1_073_741_824_i64)?,
            },
            thresholds: Thresholds {
                min_samples: from.whole(&setting("min_samples"), 1..=1_000_000_i64)?,
                min_agreement: percent("min_agreement_percent")?,
                max_error_rate: percent("max_error_percent")?,
            },
            url,
            name,
        })
    }
}

fn address(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_bare = url.query().is_none() && url.fragment().is_none();
    (is_web && is_plain && is_bare).then(|| text.trim_end_matches('/').to_owned())
}
