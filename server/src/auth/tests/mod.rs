//! Tests with tokens and keys of every kind.

mod files;
mod issuing;
mod keys;
mod provider;
mod public_keys;
mod refusals;
mod trust;

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use self::keys::SigningKey;
use super::Auth;
use crate::config::{Config, JwtSettings, Sources};

const SECRET: &str = "a secret of this test, and of nothing else";
const WORKSPACE: &str = "018f2f66-0000-7000-8000-000000000001";

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("a time")
}

fn seconds(seconds: i64) -> TimeDelta {
    TimeDelta::seconds(seconds)
}

fn settings() -> JwtSettings {
    let mut sources = Sources::empty("/nowhere");
    sources.variables.push(("ORGMEM_DATA_DIR".into(), "/nowhere".into()));
    Config::load(&sources).expect("the defaults are right").settings.jwt
}

/// The default settings and [`SECRET`].
fn settings_with_secret() -> JwtSettings {
    JwtSettings { secret: Some(SECRET.into()), ..settings() }
}

/// Opens keys that need no data folder.
async fn open(settings: &JwtSettings) -> Auth {
    Auth::open(settings, Path::new("/nowhere"), now()).await.expect("it opens")
}

/// The claims of a valid agent token.
fn claims() -> Value {
    let iat = now().timestamp() - 60;
    json!({
        "iss": "orgmem", "aud": "orgmem", "sub": "agent:backend", "role": "agent", "ws": WORKSPACE,
        "iat": iat, "nbf": iat, "exp": iat + 3600, "jti": "018f2f66-0000-7000-8000-0000000000ff",
    })
}

/// [`claims`] with another value of one claim.
fn with(claim: &str, value: impl Into<Value>) -> Value {
    let mut claims = claims();
    claims[claim] = value.into();
    claims
}

/// [`claims`] without one claim.
fn without(claim: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().expect("an object").remove(claim);
    claims
}

/// A token with these claims, signed with [`SECRET`], without a `kid`.
fn token(claims: &Value) -> String {
    SigningKey::secret(SECRET).token(&json!({"alg": "HS256", "typ": "JWT"}), claims)
}

/// One part of a token.
fn part(text: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(text)
}
