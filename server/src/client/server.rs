//! The server as a whole, and imports.

use chrono::{DateTime, Utc};
use orgmem_types::{AdminTree, DryRun, Health, ImportNode, ImportResponse, Located, Me, ServerStats};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, DATE};
use uuid::Uuid;

use super::{Client, ClientError};

/// A response to a health check.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// The server's clock in whole seconds, if the response has a `Date`.
    pub clock: Option<DateTime<Utc>>,
}

impl Client {
    /// `GET /healthz`: the process is alive.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn health(&self) -> Result<Pulse, ClientError> {
        let client = self.for_health_checks();
        let response = client.send(client.request(Method::GET, &["healthz"])?).await?;
        let date = response.headers().get(DATE).and_then(|date| date.to_str().ok());
        let clock = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()).map(|date| date.to_utc());
        // other servers return 200 at any address, so the body is checked
        let _: Health = client.read(response).await?;
        Ok(Pulse { clock })
    }

    /// `GET /readyz`: the store responds.
    ///
    /// # Errors
    /// [`ClientError`]; [`ClientError::Problem`] if the store does not respond.
    pub async fn ready(&self) -> Result<(), ClientError> {
        let client = self.for_health_checks();
        let _: Health = client.answer(client.request(Method::GET, &["readyz"])?).await?;
        Ok(())
    }

    /// `GET /me`: the identity of the caller.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn me(&self) -> Result<Me, ClientError> {
        self.answer(self.request(Method::GET, &["me"])?).await
    }

    /// `GET /admin/stats`: the numbers of the server.
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

    /// `POST /orgs/import`: imports a tree, atomically.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn import_org(&self, org: &ImportNode) -> Result<ImportResponse, ClientError> {
        self.answer(self.request(Method::POST, &["orgs", "import"])?.json(org)).await
    }

    /// `POST /orgs/import` of a YAML or JSON document; with `dry_run` only the outcome.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn import_document(&self, document: Vec<u8>, dry_run: bool) -> Result<ImportResponse, ClientError> {
        let request = self.request(Method::POST, &["orgs", "import"])?.query(&DryRun { dry_run: Some(dry_run) });
        self.answer(request.header(CONTENT_TYPE, "application/yaml").body(document)).await
    }

    /// `GET /lookup/{id}`: the workspace of a profile or a memory.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn locate(&self, id: Uuid) -> Result<Located, ClientError> {
        self.answer(self.request(Method::GET, &["lookup", &id.to_string()])?).await
    }
}
