use std::path::Path;

use chrono::{DateTime, Utc};
use orgmem_types::ProblemCode;
use secrecy::{ExposeSecret, SecretString};

use super::Finding;
use crate::auth::{Auth, KeyError};
use crate::cli::local::admin_token;
use crate::client::{Address, Client, ClientError};
use crate::config::Settings;
use crate::server_address;

const KEYS: &str = "keys";
const ADMIN: &str = "admin token";

/// Checks the keys and the admin token.
pub(super) async fn check(settings: &Settings, now: DateTime<Utc>) -> Vec<Finding> {
    let jwt = &settings.jwt;
    let is_configured = jwt.secret.is_some() || jwt.jwks.is_some() || !jwt.public_keys.is_empty();
    // opening the keys would create a missing secret
    if !is_configured && !settings.data_dir.join("jwt.secret").exists() {
        return vec![Finding::passed(KEYS, "not created yet; the first start creates them")];
    }
    let auth = match Auth::open(jwt, &settings.data_dir, now).await {
        Ok(auth) => auth,
        Err(error) => return vec![failed(&error)],
    };
    let keys = match auth.refresh(now).await {
        Ok(()) => Finding::passed(KEYS, "valid"),
        Err(error) => failed(&error),
    };
    [Some(keys), admin(&auth, &settings.data_dir, now).await].into_iter().flatten().collect()
}

fn failed(error: &KeyError) -> Finding {
    let advice = match error {
        KeyError::Unreachable { .. } => "tokens of the identity provider are refused until it responds",
        _ => "the server cannot start until this is fixed",
    };
    Finding::failed(KEYS, error, advice)
}

/// Checks the admin token. Servers that issue no tokens have none.
async fn admin(auth: &Auth, data_dir: &Path, now: DateTime<Utc>) -> Option<Finding> {
    let token = match admin_token(data_dir) {
        Ok(token) => token?,
        Err(error) => return Some(Finding::failed(ADMIN, error, "make the server's user its owner")),
    };
    let advice = "restart the server to write a new one";
    Some(match auth.verify(token.expose_secret(), now) {
        Ok(claims) => match refused(data_dir, token).await {
            None => Finding::passed(ADMIN, format!("valid until {}", claims.expires_at().format("%Y-%m-%d"))),
            Some(reason) => Finding::failed(ADMIN, reason, advice),
        },
        Err(refusal) => Finding::failed(ADMIN, refusal, advice),
    })
}

/// The reason why the running server of this folder refuses the token. Only its store knows revocations.
async fn refused(data_dir: &Path, token: SecretString) -> Option<String> {
    let address = Address::parse(&format!("http://{}", server_address::recorded(data_dir)?)).ok()?;
    let client = Client::new(address, Some(token)).ok()?;
    // skip the check if the server does not respond quickly
    client.for_health_checks().check_health().await.ok()?;
    match client.read_me().await {
        Err(ClientError::Problem(problem)) if problem.code == ProblemCode::TokenInvalid => Some(problem.detail),
        _ => None,
    }
}
