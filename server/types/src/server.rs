//! Health and version of the server.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /healthz` and `GET /readyz`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Health {
    pub status: HealthStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    Ok,
}

impl Health {
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
    pub version: String,
}
