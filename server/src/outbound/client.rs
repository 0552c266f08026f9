//! The client of one host.

use std::net::SocketAddr;
use std::sync::Arc;

use orgmem_policies::addresses::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use secrecy::ExposeSecret;

use super::OutboundError;
use crate::config::{HeaderSecret, OutboundSettings};

/// Why a host did not answer.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchFault {
    #[error("it answers {0}")]
    Status(u16),
    #[error("it redirects, and redirects are not followed")]
    Redirected,
    #[error("its response is not JSON of the expected form")]
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
    pub(crate) fn label(&self) -> &'static str {
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

pub(crate) struct OutboundClient {
    client: Client,
    body_bytes: usize,
}

impl OutboundClient {
    /// # Errors
    /// [`OutboundError`], which names `table`.
    pub(crate) fn new(settings: &OutboundSettings, table: &str) -> Result<Self, OutboundError> {
        // a redirect, and a proxy, would connect to an address that was not checked
        let mut builder = Client::builder().redirect(Policy::none()).no_proxy();
        let timeout = settings.timeout;
        builder = builder.timeout(timeout).connect_timeout(timeout).default_headers(headers(settings, table)?);
        if !settings.is_private {
            builder = builder.dns_resolver(Arc::new(PublicAddresses));
        }
        let client = builder.build();
        let client = client.map_err(|error| OutboundError::Client(table.to_owned(), error.to_string()))?;
        Ok(Self { client, body_bytes: settings.body_bytes })
    }

    pub(crate) fn request(&self, method: Method, url: &str) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// The status and the body of a response that is no redirect.
    ///
    /// # Errors
    /// [`FetchFault`]. At most the permitted bytes of a body are read.
    pub(crate) async fn send(&self, request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), FetchFault> {
        let mut response = request.send().await.map_err(|error| fault_of(&error))?;
        let status = response.status();
        if status.is_redirection() {
            return Err(FetchFault::Redirected);
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
        Ok((status, body))
    }
}

fn headers(settings: &OutboundSettings, table: &str) -> Result<HeaderMap, OutboundError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let Some((name, secret)) = &settings.header else { return Ok(headers) };
    let text = match secret {
        HeaderSecret::Value(value) => value.expose_secret().to_owned(),
        HeaderSecret::File(path) => std::fs::read_to_string(path).map_err(|cause| OutboundError::Unreadable {
            table: table.to_owned(),
            path: path.clone(),
            cause,
        })?,
    };
    let text = Some(text.trim()).filter(|text| !text.is_empty()).map(|text| format!("{}{text}", settings.scheme));
    let value = text.and_then(|text| HeaderValue::from_str(&text).ok());
    let mut value = value.ok_or_else(|| OutboundError::Header(table.to_owned()))?;
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
