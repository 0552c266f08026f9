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

/// The keys, and the admin token that they are to verify.
pub(super) async fn check(settings: &Settings, now: DateTime<Utc>) -> Vec<Finding> {
    let jwt = &settings.jwt;
    let is_configured = jwt.secret.is_some() || jwt.jwks.is_some() || !jwt.public_keys.is_empty();
    // Opening the keys would make a secret where there is none.
    if !is_configured && !settings.data_dir.join("jwt.secret").exists() {
        return vec![Finding::well(KEYS, "are made at the first start")];
    }
    let auth = match Auth::open(jwt, &settings.data_dir, now).await {
        Ok(auth) => auth,
        Err(error) => return vec![ill(&error)],
    };
    let keys = match auth.refresh(now).await {
        Ok(()) => Finding::well(KEYS, "can be used"),
        Err(error) => ill(&error),
    };
    [Some(keys), admin(&auth, &settings.data_dir, now).await].into_iter().flatten().collect()
}

fn ill(error: &KeyError) -> Finding {
    let advice = match error {
        KeyError::Unreachable { .. } => "its tokens are refused until it answers",
        _ => "the server does not start before this is put right",
    };
    Finding::ill(KEYS, error, advice)
}

/// The admin token; nothing to tell when there is none, as servers that issue no tokens have none.
async fn admin(auth: &Auth, data_dir: &Path, now: DateTime<Utc>) -> Option<Finding> {
    let token = match admin_token(data_dir) {
        Ok(token) => token?,
        Err(error) => return Some(Finding::ill(ADMIN, error, "give it to the server's user")),
    };
    let renewed = "start the server again to have a new one written";
    Some(match auth.verify(token.expose_secret(), now) {
        Ok(claims) => match refused(data_dir, token).await {
            None => Finding::well(ADMIN, format!("is good until {}", claims.expires_at().format("%Y-%m-%d"))),
            Some(why) => Finding::ill(ADMIN, why, renewed),
        },
        Err(refusal) => Finding::ill(ADMIN, refusal, renewed),
    })
}

/// Why the server of this folder refuses the token, if it runs and does: that one was revoked is for the store to know.
async fn refused(data_dir: &Path, token: SecretString) -> Option<String> {
    let address = Address::parse(&format!("http://{}", server_address::recorded(data_dir)?)).ok()?;
    let client = Client::new(address, Some(token)).ok()?;
    // who does not say at once that it is alive is not waited for
    client.health().await.ok()?;
    match client.me().await {
        Err(ClientError::Problem(problem)) if problem.code == ProblemCode::TokenInvalid => Some(problem.detail),
        _ => None,
    }
}
