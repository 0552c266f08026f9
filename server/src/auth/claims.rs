//! Parses and checks the claims of a token.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{CallUser, EndUser, Forbidden, Role, TokenIdentity};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::TokenRefusal;
use super::trust::Trust;

/// Maximum length of subjects and ids: enough for every provider, short enough for a log line.
pub(crate) const TEXT_BYTES: usize = 256;

const TEXT: &str = "text of 1 to 256 bytes without control characters";

/// The requirements for every token, of any issuer.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) leeway: TimeDelta,
    pub(super) max_lifetime: TimeDelta,
}

/// The claims of a token with a valid signature, issuer, audience and times. Only
/// [`Auth::verify`](super::Auth::verify) creates them, and the memory-plugin listener for its callers. [`Caller::admit`](orgmem_policies::Caller::admit) checks, with data
/// of the store, whether the bearer is still admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedClaims {
    identity: TokenIdentity,
    not_before: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    request: Option<Arc<str>>,
    run: Option<Uuid>,
    context: Option<Arc<Value>>,
}

/// The claims of a token before validation: any JSON, each at most once. Other claims are ignored.
#[derive(Deserialize)]
struct RawClaims {
    iss: Option<Value>,
    aud: Option<Value>,
    sub: Option<Value>,
    role: Option<Value>,
    ws: Option<Value>,
    iat: Option<Value>,
    nbf: Option<Value>,
    exp: Option<Value>,
    jti: Option<Value>,
    subject: Option<Value>,
    session: Option<Value>,
}

impl RawClaims {
    fn parse(payload: &[u8], trust: &Trust) -> Result<Self, TokenRefusal> {
        let raw: Self = serde_json::from_slice(payload).map_err(|_| TokenRefusal::NotAToken)?;
        if trust.claims.is_empty() {
            return Ok(raw);
        }
        let mut claims = serde_json::from_slice(payload).map_err(|_| TokenRefusal::NotAToken)?;
        trust.rename(&mut claims);
        serde_json::from_value(Value::Object(claims)).map_err(|_| TokenRefusal::NotAToken)
    }
}

impl VerifiedClaims {
    /// The identity of the bearer, for [`Caller::admit`](orgmem_policies::Caller::admit).
    #[must_use]
    pub fn identity(&self) -> &TokenIdentity {
        &self.identity
    }

    /// The same claims with the id of the request, its run and the context of its caller, for the audit log.
    #[must_use]
    pub fn in_request(&self, id: &str, run: Option<Uuid>, context: Option<Value>) -> Self {
        Self { request: Some(id.into()), run, context: context.map(Arc::new), ..self.clone() }
    }

    /// The same claims of a request that names `user`.
    ///
    /// # Errors
    /// [`Forbidden::OtherEndUser`] where the token is bound to another one.
    pub fn naming(&self, user: &EndUser) -> Result<Self, Forbidden> {
        let identity = TokenIdentity { user: self.identity.user.naming(user)?, ..self.identity.clone() };
        Ok(Self { identity, ..self.clone() })
    }

    /// The checked and scrubbed object that the caller adds to the audit rows of the request.
    #[must_use]
    pub fn context(&self) -> Option<Arc<Value>> {
        self.context.clone()
    }

    /// The run of the request.
    #[must_use]
    pub fn run(&self) -> Option<Uuid> {
        self.run
    }

    /// The claims of the memory-plugin listener, which checks its callers itself: an operator of `root` at `now`.
    pub(crate) fn of_plugin(subject: &str, root: WorkspaceId, jti: Uuid, now: DateTime<Utc>) -> Self {
        Self {
            identity: TokenIdentity {
                subject: subject.into(),
                role: Role::Operator,
                workspace: Some(root),
                jti,
                issued_at: now,
                user: CallUser::default(),
            },
            not_before: now,
            expires_at: now,
            request: None,
            run: None,
            context: None,
        }
    }

    /// The id of the request.
    #[must_use]
    pub fn request(&self) -> Option<Arc<str>> {
        self.request.clone()
    }

    /// Exclusive end of validity, without the leeway.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.expires_at
    }

    /// Parses and checks the payload of a token with a valid signature.
    pub(super) fn read(payload: &[u8], trust: &Trust, rules: &Rules, now: DateTime<Utc>) -> Result<Self, TokenRefusal> {
        let raw = RawClaims::parse(payload, trust)?;
        check_audience(raw.aud, &trust.audience)?;
        if text("iss", raw.iss)? != trust.issuer {
            return Err(TokenRefusal::WrongIssuer);
        }
        let role = trust.role(&present("role", raw.role)?)?;
        let claims = Self {
            identity: TokenIdentity {
                subject: text("sub", raw.sub)?.into(),
                role,
                workspace: workspace(raw.ws, role)?,
                jti: token_id(&text("jti", raw.jti)?),
                issued_at: instant("iat", raw.iat)?,
                user: bound_user(raw.subject, raw.session, role)?,
            },
            not_before: instant("nbf", raw.nbf)?,
            expires_at: instant("exp", raw.exp)?,
            request: None,
            run: None,
            context: None,
        };
        claims.check_lifetime(rules)?;
        claims.check_times(rules, now)?;
        Ok(claims)
    }

    /// Whether the token is valid at `now`.
    pub(super) fn check_times(&self, rules: &Rules, now: DateTime<Utc>) -> Result<(), TokenRefusal> {
        if self.identity.issued_at - rules.leeway > now {
            return Err(TokenRefusal::IssuedInTheFuture);
        }
        if self.not_before - rules.leeway > now {
            return Err(TokenRefusal::NotYetValid { at: self.not_before });
        }
        if self.expires_at + rules.leeway <= now {
            return Err(TokenRefusal::Expired { at: self.expires_at });
        }
        Ok(())
    }

    fn check_lifetime(&self, rules: &Rules) -> Result<(), TokenRefusal> {
        let lifetime = self.expires_at - self.identity.issued_at;
        if lifetime > TimeDelta::zero() && lifetime <= rules.max_lifetime {
            return Ok(());
        }
        Err(TokenRefusal::WrongLifetime { max_seconds: rules.max_lifetime.num_seconds() })
    }
}

/// The id of a token with this `jti`, for revocations.
///
/// # Returns
/// The `jti` itself if it is a UUID, as in tokens of this server; otherwise a UUID (version 8) from its SHA-256, because
/// the `jti` of providers may be any text.
#[must_use]
pub fn token_id(jti: &str) -> Uuid {
    Uuid::try_parse(jti).unwrap_or_else(|_| {
        let digest: [u8; 32] = Sha256::digest(jti).into();
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
        uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
    })
}

fn present(claim: &'static str, value: Option<Value>) -> Result<Value, TokenRefusal> {
    value.ok_or(TokenRefusal::ClaimMissing(claim))
}

fn text(claim: &'static str, value: Option<Value>) -> Result<String, TokenRefusal> {
    match present(claim, value)? {
        Value::String(text) if is_plain(&text) => Ok(text),
        _ => Err(TokenRefusal::ClaimMistyped { claim, expected: TEXT }),
    }
}

/// Whether the text is valid as a subject and safe in a log line.
pub(super) fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= TEXT_BYTES && !text.contains(char::is_control)
}

/// The text, truncated to the maximum length of a subject.
pub(super) fn truncated(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES)]
}

/// A NumericDate: seconds since 1970, possibly with fractions (RFC 7519, section 2).
fn instant(claim: &'static str, value: Option<Value>) -> Result<DateTime<Utc>, TokenRefusal> {
    let value = present(claim, value)?;
    // values out of the range of i64 saturate, and are refused below
    let seconds = value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds.floor() as i64));
    // years beyond 9999 are a mistake, such as milliseconds
    let in_range = seconds.filter(|seconds| (0..=253_402_300_799).contains(seconds));
    in_range
        .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
        .ok_or(TokenRefusal::ClaimMistyped { claim, expected: "a time in seconds since 1970" })
}

/// RFC 7519, section 4.1.3: one audience or a list of them.
fn check_audience(value: Option<Value>, audience: &str) -> Result<(), TokenRefusal> {
    let is_this_server = |value: &Value| value.as_str() == Some(audience);
    let found = match present("aud", value)? {
        value @ Value::String(_) => is_this_server(&value),
        Value::Array(audiences) if audiences.iter().all(Value::is_string) => audiences.iter().any(is_this_server),
        _ => return Err(TokenRefusal::ClaimMistyped { claim: "aud", expected: "text or a list of texts" }),
    };
    if found { Ok(()) } else { Err(TokenRefusal::WrongAudience) }
}

/// The end user and the session that the token is bound to.
fn bound_user(subject: Option<Value>, session: Option<Value>, role: Role) -> Result<CallUser, TokenRefusal> {
    let subject = subject.map(|subject| text("subject", Some(subject))).transpose()?;
    let session = session.map(|session| text("session", Some(session))).transpose()?;
    let user = EndUser::named(subject.as_deref(), session.as_deref());
    if !user.is_nobody() && role != Role::Agent {
        return Err(TokenRefusal::EndUserOfRole(role));
    }
    Ok(CallUser::bound_to(user))
}

fn workspace(value: Option<Value>, role: Role) -> Result<Option<WorkspaceId>, TokenRefusal> {
    match (value, role.is_bound()) {
        (None, false) => Ok(None),
        (Some(_), false) => Err(TokenRefusal::WorkspaceOfAdmin),
        (None, true) => Err(TokenRefusal::WorkspaceMissing(role)),
        (Some(value), true) => match value.as_str().map(Uuid::try_parse) {
            Some(Ok(id)) => Ok(Some(id.into())),
            _ => Err(TokenRefusal::ClaimMistyped { claim: "ws", expected: "the UUID of a workspace" }),
        },
    }
}
