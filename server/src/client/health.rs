use chrono::{DateTime, Utc};
use orgmem_types::Health;
use reqwest::Method;
use reqwest::header::DATE;

use super::{Client, ClientError};

/// A response to a health check.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// The server's clock in whole seconds, if the response has a `Date`.
    pub clock: Option<DateTime<Utc>>,
}

impl Client {
    /// [`Client::check_health`], with the time of the response.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn read_pulse(&self) -> Result<Pulse, ClientError> {
        let response = self.send(self.request(Method::GET, &["healthz"])?).await?;
        let date = response.headers().get(DATE).and_then(|date| date.to_str().ok());
        let clock = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()).map(|date| date.to_utc());
        // other servers return 200 at any address, so the body is checked
        let _: Health = self.read(response).await?;
        Ok(Pulse { clock })
    }
}
