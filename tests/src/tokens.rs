//! Tokens signed with the server's secret, and forged ones.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::crypto::sign;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Map, Value, json};
use uuid::Uuid;

pub const SECRET: &str = "a public secret of the tests: 6b1f0c2e";

/// The header, the claims and the signature of a token.
#[derive(Clone, Debug)]
pub struct Token {
    header: Map<String, Value>,
    claims: Map<String, Value>,
    signature: Signature,
}

#[derive(Clone, Debug)]
enum Signature {
    By(String),
    None,
}

impl Token {
    /// A valid token for this role, with a lifetime of an hour from `now`.
    #[must_use]
    pub fn new(role: &str, workspace: Option<Uuid>, now: DateTime<Utc>) -> Self {
        let claims = json!({
            "iss": "orgmem",
            "aud": "orgmem",
            "sub": format!("{role} of the tests"),
            "role": role,
            "iat": now.timestamp(),
            "nbf": now.timestamp(),
            "exp": (now + TimeDelta::hours(1)).timestamp(),
            "jti": Uuid::new_v4(),
        });
        let token = Self {
            header: object(json!({"typ": "JWT", "alg": "HS256"})),
            claims: object(claims),
            signature: Signature::By(SECRET.to_owned()),
        };
        match workspace {
            Some(workspace) => token.claim("ws", json!(workspace)),
            None => token,
        }
    }

    /// Replaces a claim.
    #[must_use]
    pub fn claim(mut self, name: &str, value: Value) -> Self {
        self.claims.insert(name.to_owned(), value);
        self
    }

    /// Removes a claim.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.claims.remove(name);
        self
    }

    /// Replaces a member of the header.
    #[must_use]
    pub fn header(mut self, name: &str, value: Value) -> Self {
        self.header.insert(name.to_owned(), value);
        self
    }

    #[must_use]
    pub fn signed_with(mut self, secret: &str) -> Self {
        self.signature = Signature::By(secret.to_owned());
        self
    }

    #[must_use]
    pub fn unsigned(mut self) -> Self {
        self.signature = Signature::None;
        self
    }

    #[must_use]
    pub fn jti(&self) -> Uuid {
        self.claims["jti"].as_str().and_then(|jti| jti.parse().ok()).expect("`jti` is a UUID")
    }

    #[must_use]
    pub fn text(&self) -> String {
        let part = |object: &Map<String, Value>| URL_SAFE_NO_PAD.encode(Value::Object(object.clone()).to_string());
        let message = format!("{}.{}", part(&self.header), part(&self.claims));
        let signature = match &self.signature {
            Signature::None => String::new(),
            Signature::By(secret) => {
                sign(message.as_bytes(), &EncodingKey::from_secret(secret.as_bytes()), Algorithm::HS256)
                    .expect("HMAC accepts any secret")
            }
        };
        format!("{message}.{signature}")
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is not an object"),
    }
}
