//! One HTTP request to a source of record.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::config::{ENTITY, RecordSourceSettings};
use crate::outbound::{FetchFault, OutboundClient, OutboundError};

/// Everything but the unreserved characters of RFC 3986, so that an entity is one segment of a path.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(super) struct SourceClient {
    client: OutboundClient,
    url: String,
}

impl SourceClient {
    pub(super) fn new(settings: &RecordSourceSettings) -> Result<Self, OutboundError> {
        let client = OutboundClient::new(&settings.outbound, &format!("sources.{}", settings.name))?;
        Ok(Self { client, url: settings.url.clone() })
    }

    /// The document of an entity; `None` if the source has no such entity.
    pub(super) async fn get(&self, entity: &str) -> Result<Option<Value>, FetchFault> {
        let url = self.url.replace(ENTITY, &utf8_percent_encode(entity, ESCAPED).to_string());
        let (status, body) = self.client.send(self.client.request(Method::GET, &url)).await?;
        match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(None),
            StatusCode::OK => serde_json::from_slice(&body).map(Some).map_err(|_| FetchFault::NotJson),
            status => Err(FetchFault::Status(status.as_u16())),
        }
    }
}
