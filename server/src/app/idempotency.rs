//! Idempotency keys: a repeated request returns the first response and changes nothing.

use orgmem_store::{Remembered, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::WriteCall;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// An `Idempotency-Key` and the hash of its request.
///
/// Source: `docs/spec/rest.md`, "Idempotency-Key".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The key chosen by the caller.
    pub key: String,
    /// SHA-256 of the method, the address and the body.
    pub body_hash: [u8; 32],
}

impl Idempotency {
    /// The root of an org that this request creates without an id. It is derived from the caller and the key, so that a
    /// repeated request finds the stored response in the same org.
    pub(super) fn root(&self, auth: &VerifiedClaims) -> Uuid {
        let identity = auth.identity();
        let owner = [identity.role.as_str(), &identity.subject, &self.key].join("\0");
        let digest: [u8; 32] = Sha256::digest(owner).into();
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
        uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
    }

    /// The key of a part of the request; that of the first part is the key itself. A caller's key has no space.
    pub(super) fn of_part(&self, number: usize) -> Self {
        match number {
            0 => self.clone(),
            _ => Self { key: format!("{} part {number}", self.key), ..self.clone() },
        }
    }

    /// Returns the stored response of this request, or runs `f` and stores the response in the same transaction.
    /// Refusals are not stored: a repeated request is decided again.
    ///
    /// # Errors
    /// [`AppError::IdempotencyMismatch`] if the key was used for another request; the errors of `f`.
    pub(super) fn answer<T, F>(&self, call: &mut WriteCall<'_>, mut f: F) -> Result<T, AppError>
    where
        T: Serialize + DeserializeOwned,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError>,
    {
        let owner = call.owner();
        if let Some(Remembered { body_hash, answer }) = call.tx.remembered(call.org, &owner, &self.key)? {
            if body_hash != self.body_hash {
                return Err(AppError::IdempotencyMismatch);
            }
            return serde_json::from_str(&answer).map_err(|error| unreadable(&self.key, &error).into());
        }
        let response = f(call)?;
        let text = serde_json::to_string(&response).map_err(|error| unreadable(&self.key, &error))?;
        let first = Remembered { body_hash: self.body_hash, answer: text };
        call.tx.remember(call.org, &owner, &self.key, call.workspace, first)?;
        Ok(response)
    }
}

impl App {
    /// The root of a new org whose request has no id.
    pub(super) fn new_root(&self, auth: &VerifiedClaims, idempotency: Option<&Idempotency>) -> Uuid {
        idempotency.map_or_else(|| self.store.new_id(), |idempotency| idempotency.root(auth))
    }
}

impl WriteCall<'_> {
    /// The owner of the caller's idempotency keys: role, bound workspace, subject, and the end user of the call.
    fn owner(&self) -> String {
        let bound = self.caller.workspace().map(|workspace| workspace.to_string()).unwrap_or_default();
        let owner = format!("{} {bound} {}", self.caller.role(), self.caller.subject());
        let user = self.caller.user();
        if user.subject().is_none() && user.session().is_none() {
            return owner;
        }
        // a hash, because the row is not erased with the end user
        let of_user = Sha256::new()
            .chain_update(user.subject().unwrap_or_default())
            .chain_update([0])
            .chain_update(user.session().unwrap_or_default())
            .finalize();
        format!("{owner} {}", hex::encode(of_user))
    }
}

fn unreadable(key: &str, error: &serde_json::Error) -> StoreError {
    StoreError::unreadable("idempotency_keys", key, error)
}
