//! The one who believes tokens, and issues them.

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
use super::{GrantError, KeyError, SignError, TokenGrant, TokenRefusal, VerifiedClaims, pem, self_check};
use crate::config::JwtSettings;

/// Verifies tokens with the keys in force, and issues them with the server's own.
pub struct Auth {
    rules: Rules,
    lifetimes: Lifetimes,
    signer: Option<Signer>,
    /// The keys that do not rotate while the server runs.
    fixed: Vec<Key>,
    ring: ArcSwap<KeyRing>,
    rotation: Option<Rotation>,
}

impl Auth {
    /// Gathers the keys: from the settings, or else from the data folder, where a secret is made on the first start.
    /// An identity provider that cannot be reached stops nothing; its tokens are refused until it can be.
    ///
    /// # Errors
    /// [`KeyError`] when a configured key cannot be used, the data folder's secret cannot be read, made or trusted,
    /// or the cryptographic library fails its self-check.
    ///
    /// # Source
    /// product.md, section 3: keys.
    pub async fn open(settings: &JwtSettings, data_dir: &Path, now: DateTime<Utc>) -> Result<Self, KeyError> {
        self_check::run()?;
        let mut own = own_secrets(settings, data_dir)?;
        let signer = own.first().map(Signer::new);
        own.extend(settings.previous_secret.clone().map(OwnSecret::new));
        let fixed = fixed_keys(&own, settings)?;
        let rotation = settings.jwks.clone().map(KeySource::new).transpose()?.map(Rotation::new);
        let auth = Self {
            rules: rules(settings),
            lifetimes: lifetimes(settings),
            signer,
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

    /// Verifies a token with the keys at hand: fast, and without waiting for anybody.
    ///
    /// # Errors
    /// [`TokenRefusal`], for the first thing that is wrong with it; its signature is looked at before its claims.
    ///
    /// # Source
    /// product.md, section 3; RFC 8725.
    pub fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Arc<VerifiedClaims>, TokenRefusal> {
        self.ring.load().verify(token, &self.rules, now)
    }

    /// Whether a token that was verified has expired since.
    #[must_use]
    pub fn is_over(&self, claims: &VerifiedClaims, now: DateTime<Utc>) -> bool {
        claims.check_times(&self.rules, now).is_err()
    }

    /// Like [`verify`](Self::verify), but asks the identity provider, at most every ten seconds, when the token names
    /// a key not seen yet.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub async fn authenticate(&self, token: &str, now: DateTime<Utc>) -> Result<Arc<VerifiedClaims>, TokenRefusal> {
        match (self.verify(token, now), &self.rotation) {
            (Err(TokenRefusal::UnknownKey | TokenRefusal::KeysUnavailable), Some(rotation)) => {
                if let Err(error) = rotation.read_if_due(now, |keys| self.put(keys)).await {
                    tracing::warn!(%error, "going on with the keys at hand");
                }
                self.verify(token, now)
            }
            (verified, _) => verified,
        }
    }

    /// Decides on a token that `pass` allows; [`sign`](Self::sign) makes it.
    ///
    /// # Arguments
    /// `expires_in`: its life in seconds; without it an agent's token lives 24 hours and a person's 12, unless the
    /// settings say otherwise.
    ///
    /// # Errors
    /// [`GrantError`] when the lifetime or the subject cannot be.
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

    /// The token of a grant: the same bytes each time, as long as the secret is the same.
    ///
    /// # Errors
    /// [`SignError::NoSecret`] when only others' keys are configured.
    pub fn sign(&self, grant: &TokenGrant) -> Result<String, SignError> {
        let signer = self.signer.as_ref().ok_or(SignError::NoSecret)?;
        signer.sign(grant, &self.rules.issuer, &self.rules.audience)
    }

    /// Reads the key set again; the keys at hand stay when that fails, and so does what they verified when it is the
    /// same. Nothing to do without one.
    ///
    /// # Errors
    /// [`KeyError`] when it cannot be had or used.
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

    /// How long a session that was opened with this token may last: as long as the token, and no longer than a person's
    /// token usually lives.
    #[must_use]
    pub fn session_lifetime(&self, claims: &VerifiedClaims, now: DateTime<Utc>) -> TimeDelta {
        (claims.expires_at() - now).min(self.lifetimes.people)
    }

    /// Whether tokens can be issued here.
    pub(super) fn can_sign(&self) -> bool {
        self.signer.is_some()
    }

    /// Puts the keys of the key set beside the fixed ones. A provider never speaks for a key of the server's own.
    fn put(&self, provided: Vec<Key>) {
        let is_free = |key: &Key| key.kid.is_none() || self.fixed.iter().all(|fixed| fixed.kid != key.kid);
        let keys: Vec<_> = self.fixed.iter().cloned().chain(provided.into_iter().filter(is_free)).collect();
        tracing::info!(keys = keys.len(), "the keys have changed");
        self.ring.store(Arc::new(KeyRing::new(keys, false)));
    }
}

/// The secrets of this server, the one that signs first; none when only others' keys are configured.
fn own_secrets(settings: &JwtSettings, data_dir: &Path) -> Result<Vec<OwnSecret>, KeyError> {
    match &settings.secret {
        Some(secret) => Ok(vec![OwnSecret::new(secret.clone())]),
        None if settings.jwks.is_some() || !settings.public_keys.is_empty() => Ok(Vec::new()),
        None => secrets::kept_in(data_dir),
    }
}

fn fixed_keys(own: &[OwnSecret], settings: &JwtSettings) -> Result<Vec<Key>, KeyError> {
    let mut keys: Vec<_> = own.iter().map(OwnSecret::key).collect();
    for path in &settings.public_keys {
        let key = pem::read(path)?;
        if keys.iter().any(|other| other.kid == key.kid) {
            return Err(KeyError::SameKid { kid: key.kid.unwrap_or_default() });
        }
        keys.push(key);
    }
    Ok(keys)
}

fn rules(settings: &JwtSettings) -> Rules {
    Rules {
        issuer: settings.issuer.clone(),
        audience: settings.audience.clone(),
        leeway: delta(settings.leeway),
        max_lifetime: delta(settings.max_lifetime),
    }
}

fn lifetimes(settings: &JwtSettings) -> Lifetimes {
    Lifetimes {
        agent: delta(settings.agent_lifetime),
        people: delta(settings.people_lifetime),
        max: delta(settings.max_lifetime),
    }
}

/// Settings are far below what overflows.
fn delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
}
