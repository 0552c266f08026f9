//! The server as a whole, and whole orgs.

use chrono::{DateTime, Utc};
use orgmem_types::{AdminTree, Health, ImportNode, ImportResponse, Me, ServerStats};
use reqwest::Method;
use reqwest::header::DATE;

use super::{Client, ClientError};

/// That a server is alive.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// Its clock when it answered, whole seconds; none when it did not tell.
    pub clock: Option<DateTime<Utc>>,
}

impl Client {
    /// `GET /healthz`: the process is alive.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn health(&self) -> Result<Pulse, ClientError> {
        let client = self.in_a_hurry();
        let response = client.send(client.request(Method::GET, &["healthz"])?).await?;
        let date = response.headers().get(DATE).and_then(|date| date.to_str().ok());
        let clock = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()).map(|date| date.to_utc());
        // others answer 200 at any address: it is the words that tell who is there
        let _: Health = client.read(response).await?;
        Ok(Pulse { clock })
    }

    /// `GET /readyz`: the store answers.
    ///
    /// # Errors
    /// [`ClientError`]; a store that does not answer is a [`ClientError::Problem`].
    pub async fn ready(&self) -> Result<(), ClientError> {
        let client = self.in_a_hurry();
        let _: Health = client.answer(client.request(Method::GET, &["readyz"])?).await?;
        Ok(())
    }

    /// `GET /me`: whom the token speaks for.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn me(&self) -> Result<Me, ClientError> {
        self.answer(self.request(Method::GET, &["me"])?).await
    }

    /// `GET /admin/stats`: the server in numbers.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn stats(&self) -> Result<ServerStats, ClientError> {
        self.answer(self.request(Method::GET, &["admin", "stats"])?).await
    }

    /// `GET /admin/tree`: every org.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn admin_tree(&self) -> Result<AdminTree, ClientError> {
        self.answer(self.request(Method::GET, &["admin", "tree"])?).await
    }

    /// `POST /orgs/import`: a whole tree, all or nothing.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn import_org(&self, org: &ImportNode) -> Result<ImportResponse, ClientError> {
        self.answer(self.request(Method::POST, &["orgs", "import"])?.json(org)).await
    }
}
