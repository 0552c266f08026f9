//! The server as such, told to whoever asks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /healthz` and `GET /readyz`: all is well.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: HealthStatus,
}

/// The one word of [`Health`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// All is well.
    Ok,
}

impl Health {
    /// All is well.
    #[must_use]
    pub fn ok() -> Self {
        Self { status: HealthStatus::Ok }
    }
}

/// `GET /version`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Version {
    /// Always `orgmem`.
    pub name: String,
    /// The release.
    pub version: String,
}
