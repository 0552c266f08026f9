//! Searches over all workspaces that a caller may read.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Memory;

/// `GET /search`: the memories of all workspaces that the caller may read, by org.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct SearchOrgs {
    /// Query. Without it the newest come first, after pinned ones.
    pub q: Option<String>,
    /// Memories of each org; 5 by default, at most 20.
    pub limit: Option<u64>,
    /// Cursor of the next orgs, from the `Link` header of the previous page.
    pub cursor: Option<String>,
}

/// The memories that a search found in one org.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OrgMatches {
    pub org_id: Uuid,
    /// The searched workspace; for people, with all workspaces below it.
    pub workspace_id: Uuid,
    /// Its name; for an admin, that of the org.
    pub workspace_name: String,
    /// Best first. A memory with `via` `self` is readable as its author, any other as the searched workspace.
    pub memories: Vec<Memory>,
    /// Whether the org has further matches.
    pub more: bool,
}
