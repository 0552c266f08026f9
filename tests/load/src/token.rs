//! Tokens, signed with the server's secret.

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{EncodingKey, Header};
use orgmem_hierarchy::WorkspaceId;
use serde_json::json;
use uuid::Uuid;

use crate::error::Outcome;

pub(crate) const SECRET: &str = "the load generator's public secret";

pub(crate) fn agent(workspace: WorkspaceId) -> Outcome<String> {
    signed("agent", Some(workspace))
}

pub(crate) fn admin() -> Outcome<String> {
    signed("admin", None)
}

fn signed(role: &str, workspace: Option<WorkspaceId>) -> Outcome<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let mut claims = json!({
        "iss": "orgmem", "aud": "orgmem", "sub": "load", "role": role, "jti": Uuid::new_v4(),
        "iat": now, "nbf": now, "exp": now + 24 * 60 * 60,
    });
    if let Some(workspace) = workspace {
        claims["ws"] = json!(workspace.uuid());
    }
    Ok(jsonwebtoken::encode(&Header::default(), &claims, &EncodingKey::from_secret(SECRET.as_bytes()))?)
}
