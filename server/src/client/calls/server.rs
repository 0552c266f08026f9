//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.

use orgmem_types as wire;
use reqwest::Method;

use crate::client::{Client, ClientError};

impl Client {
    /// Checks whether the server is alive.
    ///
    /// `GET /healthz`
    pub async fn check_health(&self) -> Result<wire::Health, ClientError> {
        let path = ["healthz"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Checks whether the server is alive; the older name of `/healthz`.
    ///
    /// `GET /health`
    pub async fn check_health_older(&self) -> Result<wire::Health, ClientError> {
        let path = ["health"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Checks whether the store responds.
    ///
    /// `GET /readyz`
    pub async fn check_readiness(&self) -> Result<wire::Health, ClientError> {
        let path = ["readyz"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }

    /// Reads the release of the server.
    ///
    /// `GET /version`
    pub async fn read_version(&self) -> Result<wire::Version, ClientError> {
        let path = ["version"];
        let request = self.request(Method::GET, &path)?;
        self.answer(request).await
    }
}
