//! Signing in to the console.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `POST /console/session`: what a session is opened with. One of the two.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OpenSession {
    /// A bearer token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The one-time code of the link that the server printed at its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}
