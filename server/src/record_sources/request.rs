//! One HTTP request to a source of record.

use std::net::SocketAddr;
use std::sync::Arc;

use orgmem_policies::addresses::is_public;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use secrecy::ExposeSecret;
use serde_json::Value;

use super::RecordSourceError;
use crate::config::{ENTITY, HeaderSecret, RecordSourceSettings};

/// Everything but the unreserved characters of RFC 3986, so that an entity is one segment of a path.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Why a source did not answer.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FetchFault {
    #[error("it answers {0}")]
    Status(u16),
    #[error("it redirects, and redirects are not followed")]
    Redirected,
    #[error("its response is not JSON")]
    NotJson,
    #[error("its response has more than {0} bytes")]
    TooLarge(usize),
    #[error("it did not respond in time")]
    Timeout,
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error("its host has an address that is not public; name the host in `private_host` if that is meant")]
    PrivateAddress,
    #[error("it failed repeatedly, so it is not asked for a while")]
    CircuitOpen,
    #[error("too many requests wait for it")]
    Busy,
}

impl FetchFault {
    /// The label in metrics.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::Redirected => "redirected",
            Self::NotJson => "not_json",
            Self::TooLarge(_) => "too_large",
            Self::Timeout => "timeout",
            Self::Unreachable(_) => "unreachable",
            Self::PrivateAddress => "private_address",
            Self::CircuitOpen => "circuit_open",
            Self::Busy => "busy",
        }
    }
}

pub(super) struct SourceClient {
    client: Client,
    url: String,
    body_bytes: usize,
}

impl SourceClient {
    pub(super) fn new(settings: &RecordSourceSettings) -> Result<Self, RecordSourceError> {
        // a redirect, and a proxy, would connect to an address that was not checked
        let mut builder = Client::builder().redirect(Policy::none()).no_proxy();
        builder =
            builder.timeout(settings.timeout).connect_timeout(settings.timeout).default_headers(headers(settings)?);
        if !settings.is_private {
            builder = builder.dns_resolver(Arc::new(PublicAddresses));
        }
        let client = builder.build();
        let client = client.map_err(|error| RecordSourceError::Client(settings.name.clone(), error.to_string()))?;
        Ok(Self { client, url: settings.url.clone(), body_bytes: settings.body_bytes })
    }

    /// The document of an entity; `None` if the source has no such entity.
    pub(super) async fn get(&self, entity: &str) -> Result<Option<Value>, FetchFault> {
        let url = self.url.replace(ENTITY, &utf8_percent_encode(entity, ESCAPED).to_string());
        let mut response = self.client.get(url).send().await.map_err(|error| fault_of(&error))?;
        match response.status() {
            StatusCode::NOT_FOUND | StatusCode::GONE => return Ok(None),
            status if status.is_redirection() => return Err(FetchFault::Redirected),
            StatusCode::OK => {}
            status => return Err(FetchFault::Status(status.as_u16())),
        }
        let too_large = || FetchFault::TooLarge(self.body_bytes);
        if response.content_length().is_some_and(|length| length > self.body_bytes as u64) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| fault_of(&error))? {
            if body.len() + chunk.len() > self.body_bytes {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&body).map(Some).map_err(|_| FetchFault::NotJson)
    }
}

fn headers(settings: &RecordSourceSettings) -> Result<HeaderMap, RecordSourceError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let Some((name, secret)) = &settings.header else { return Ok(headers) };
    let text =
        match secret {
            HeaderSecret::Value(value) => value.expose_secret().to_owned(),
            HeaderSecret::File(path) => std::fs::read_to_string(path).map_err(|cause| {
                RecordSourceError::Unreadable { source_name: settings.name.clone(), path: path.clone(), cause }
            })?,
        };
    let value = HeaderValue::from_str(text.trim()).ok().filter(|value| !value.is_empty());
    let mut value = value.ok_or_else(|| RecordSourceError::Header(settings.name.clone()))?;
    value.set_sensitive(true);
    headers.insert(name.clone(), value);
    Ok(headers)
}

/// Resolves names to public addresses only. The client connects to the addresses that were checked, so a name that
/// resolves to another address the next time is refused then.
struct PublicAddresses;

#[derive(Debug, thiserror::Error)]
#[error("an address that is not public")]
struct NotPublic;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.iter().any(|address| !is_public(address.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn fault_of(error: &reqwest::Error) -> FetchFault {
    if error.is_timeout() {
        return FetchFault::Timeout;
    }
    let mut cause: &dyn std::error::Error = error;
    loop {
        if cause.is::<NotPublic>() {
            return FetchFault::PrivateAddress;
        }
        match cause.source() {
            Some(inner) => cause = inner,
            None => return FetchFault::Unreachable(cause.to_string()),
        }
    }
}
