//! Verifies and issues tokens.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use chrono::{DateTime, TimeDelta, Utc};
use orgmem_policies::TokenPass;
use uuid::Uuid;

use super::claims::Rules;
use super::grant::Lifetimes;
use super::key::Key;
use super::ring::KeyRing;
use super::rotation::Rotation;
use super::secrets::{self, OwnSecret};
use super::signer::Signer;
use super::source::KeySource;
use super::trust::{Trust, TrustedKey};
use super::{GrantError, KeyError, SignError, TokenGrant, TokenRefusal, VerifiedClaims, pem, self_check};
use crate::config::JwtSettings;

/// Verifies tokens with the keys in force, and issues them with the server's own.
pub struct Auth {
    rules: Rules,
    lifetimes: Lifetimes,
    signer: Option<Signer>,
    /// The claims of the tokens that this server issues.
    own: Arc<Trust>,
    /// The requirements for the tokens of the identity provider.
    provider: Arc<Trust>,
    /// The keys that do not change while the server runs.
    fixed: Vec<TrustedKey>,
    ring: ArcSwap<KeyRing>,
    rotation: Option<Rotation>,
}

impl Auth {
    /// Reads the keys: from the settings, otherwise from the data folder, where the first start creates a secret. An
    /// unreachable identity provider does not stop the start; its tokens are refused until it responds.
    ///
    /// # Errors
    /// [`KeyError`] if a configured key is unusable, the data folder's secret cannot be read, created or trusted, or the
    /// cryptographic library fails its self-check.
    ///
    /// # Source
    /// `docs/spec/callers.md`, "Keys".
    pub async fn open(settings: &JwtSettings, data_dir: &Path, now: DateTime<Utc>) -> Result<Self, KeyError> {
        self_check::run()?;
        let mut own = own_secrets(settings, data_dir)?;
        let signer = own.first().map(Signer::new);
        own.extend(settings.previous_secret.clone().map(OwnSecret::new));
        let (own_trust, provider) = (Arc::new(own_trust(settings)), Arc::new(provider_trust(settings)));
        let fixed = fixed_keys(&own, &own_trust, settings)?;
        let rotation = settings.jwks.clone().map(KeySource::new).transpose()?.map(Rotation::new);
        let auth = Self {
            rules: rules(settings),
            lifetimes: lifetimes(settings),
            signer,
            own: own_trust,
            provider,
            ring: ArcSwap::from_pointee(KeyRing::new(fixed.clone(), rotation.is_some())),
            fixed,
            rotation,
        };
        match auth.refresh(now).await {
            Err(error @ KeyError::Unreachable { .. }) => tracing::warn!(%error, "starting without the provider's keys"),
            read => read?,
        }
        Ok(auth)
    }

    /// Verifies a token with the current keys, without waiting.
    ///
    /// # Errors
    /// [`TokenRefusal`] for the first fault. The signature is checked before the claims.
    ///
    /// # Source
    /// `docs/spec/callers.md`, "Tokens"; RFC 8725.
    pub fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Arc<VerifiedClaims>, TokenRefusal> {
        self.ring.load().verify(token, &self.rules, now)
    }

    /// Whether a verified token has expired since.
    #[must_use]
    pub fn is_over(&self, claims: &VerifiedClaims, now: DateTime<Utc>) -> bool {
        claims.check_times(&self.rules, now).is_err()
    }

    /// Like [`verify`](Self::verify), but for a token with an unknown key it reads the key set again, at most every ten
    /// seconds.
    ///
    /// # Errors
    /// Those of [`verify`](Self::verify).
    pub async fn authenticate(&self, token: &str, now: DateTime<Utc>) -> Result<Arc<VerifiedClaims>, TokenRefusal> {
        match (self.verify(token, now), &self.rotation) {
            (Err(TokenRefusal::UnknownKey | TokenRefusal::KeysUnavailable), Some(rotation)) => {
                if let Err(error) = rotation.read_if_due(now, |keys| self.put(keys)).await {
                    tracing::warn!(%error, "continuing with the current keys");
                }
                self.verify(token, now)
            }
            (verified, _) => verified,
        }
    }

    /// A grant for the token that `pass` allows, for [`sign`](Self::sign).
    ///
    /// # Arguments
    /// `expires_in`: the lifetime in seconds, by default that of the settings.
    ///
    /// # Errors
    /// [`GrantError`] if the lifetime or the subject is invalid.
    pub fn grant(
        &self,
        pass: &TokenPass,
        subject: &str,
        expires_in: Option<i64>,
        jti: Uuid,
        now: DateTime<Utc>,
    ) -> Result<TokenGrant, GrantError> {
        TokenGrant::new(pass, subject, expires_in, jti, now, &self.lifetimes)
    }

    /// Signs a grant. The same grant and secret give the same token.
    ///
    /// # Errors
    /// [`SignError::NoSecret`] if only keys of other issuers are configured.
    pub fn sign(&self, grant: &TokenGrant) -> Result<String, SignError> {
        let signer = self.signer.as_ref().ok_or(SignError::NoSecret)?;
        signer.sign(grant, &self.own.issuer, &self.own.audience)
    }

    /// Reads the key set again, if there is one. After a failure the current keys remain, and the cache of verified tokens
    /// remains if the set has not changed.
    ///
    /// # Errors
    /// [`KeyError`] if the set cannot be fetched or used.
    pub async fn refresh(&self, now: DateTime<Utc>) -> Result<(), KeyError> {
        match &self.rotation {
            Some(rotation) => rotation.read(now, |keys| self.put(keys)).await,
            None => Ok(()),
        }
    }

    /// The longest life a token may have.
    pub(super) fn max_lifetime(&self) -> TimeDelta {
        self.lifetimes.max
    }

    /// The lifetime of a session with this token: that of the token, at most the default for people.
    #[must_use]
    pub fn session_lifetime(&self, claims: &VerifiedClaims, now: DateTime<Utc>) -> TimeDelta {
        (claims.expires_at() - now).min(self.lifetimes.people)
    }

    pub(super) fn can_sign(&self) -> bool {
        self.signer.is_some()
    }

    /// Combines the fixed keys with those of the key set. Fixed keys take precedence over keys with the same `kid` and
    /// algorithm.
    fn put(&self, provided: Vec<Key>) {
        let same = |fixed: &TrustedKey, key: &Key| (&fixed.key.kid, fixed.key.algorithm) == (&key.kid, key.algorithm);
        let is_free = |key: &Key| key.kid.is_none() || !self.fixed.iter().any(|fixed| same(fixed, key));
        let provided = provided.into_iter().filter(is_free);
        let provided = provided.map(|key| TrustedKey { key, trust: Arc::clone(&self.provider) });
        let keys: Vec<_> = self.fixed.iter().cloned().chain(provided).collect();
        tracing::info!(keys = keys.len(), "the keys have changed");
        self.ring.store(Arc::new(KeyRing::new(keys, false)));
    }
}

/// The secrets of this server, the signing secret first. With keys of other issuers none is created, but an existing one of
/// the data folder stays valid.
fn own_secrets(settings: &JwtSettings, data_dir: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    match &settings.secret {
        Some(secret) => Ok(vec![OwnSecret::new(secret.clone())]),
        None if settings.jwks.is_some() || !settings.public_keys.is_empty() => secrets::existing_in_folder(data_dir),
        None => secrets::in_folder(data_dir),
    }
}

fn fixed_keys(own: &[OwnSecret], own_trust: &Arc<Trust>, settings: &JwtSettings) -> Result<Vec<TrustedKey>, KeyError> {
    let own = own.iter().map(|secret| TrustedKey { key: secret.key(), trust: Arc::clone(own_trust) });
    let mut keys: Vec<_> = own.collect();
    let issuer = settings.public_keys_issuer.as_ref().unwrap_or(&settings.issuer).clone();
    let trust = Arc::new(Trust { issuer, ..own_trust.as_ref().clone() });
    for path in &settings.public_keys {
        let key = pem::read(path)?;
        if keys.iter().any(|other| other.key.kid == key.kid) {
            return Err(KeyError::SameKid { kid: key.kid.unwrap_or_default() });
        }
        keys.push(TrustedKey { key, trust: Arc::clone(&trust) });
    }
    Ok(keys)
}

fn own_trust(settings: &JwtSettings) -> Trust {
    Trust { issuer: settings.issuer.clone(), audience: settings.audience.clone(), ..Trust::default() }
}

fn provider_trust(settings: &JwtSettings) -> Trust {
    Trust {
        issuer: settings.jwks_issuer.as_ref().unwrap_or(&settings.issuer).clone(),
        audience: settings.jwks_audience.as_ref().unwrap_or(&settings.audience).clone(),
        claims: settings.jwks_claims.clone(),
        roles: settings.jwks_roles.clone(),
    }
}

fn rules(settings: &JwtSettings) -> Rules {
    Rules { leeway: delta(settings.leeway), max_lifetime: delta(settings.max_lifetime) }
}

fn lifetimes(settings: &JwtSettings) -> Lifetimes {
    Lifetimes {
        agent: delta(settings.agent_lifetime),
        people: delta(settings.people_lifetime),
        max: delta(settings.max_lifetime),
    }
}

fn delta(duration: Duration) -> TimeDelta {
    // the limits of the settings exclude an overflow
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
}
