//! Console sessions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `POST /console/session`: exactly one credential.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OpenSession {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// One-time code of the link that the server printed at startup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}
