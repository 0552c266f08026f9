//! Idempotency keys: the same request again gets the first answer again, and changes nothing.

use orgmem_store::{Remembered, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::WriteCall;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// An `Idempotency-Key` and what it stands for.
///
/// Source: docs/spec/rest.md, "Idempotency-Key".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The key, as the caller chose it.
    pub key: String,
    /// SHA-256 of the method, the address and the body.
    pub body_hash: [u8; 32],
}

impl Idempotency {
    /// The id of the org that this request founds where it names none. It is the same each time the caller asks, so the
    /// request finds in that org what it was answered first.
    pub(super) fn root(&self, who: &VerifiedClaims) -> Uuid {
        let identity = who.identity();
        let owner = [identity.role.as_str(), &identity.subject, &self.key].join("\0");
        let digest: [u8; 32] = Sha256::digest(owner).into();
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
        uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
    }

    /// The first answer to this request if there was one; otherwise does it and remembers the answer, in the same
    /// transaction. Refusals are not remembered: asked again, they are decided again.
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
        let answer = f(call)?;
        let text = serde_json::to_string(&answer).map_err(|error| unreadable(&self.key, &error))?;
        let first = Remembered { body_hash: self.body_hash, answer: text };
        call.tx.remember(call.org, &owner, &self.key, call.workspace, first)?;
        Ok(answer)
    }
}

impl App {
    /// The root of an org that is founded without naming one.
    pub(super) fn new_root(&self, who: &VerifiedClaims, idempotency: Option<&Idempotency>) -> Uuid {
        idempotency.map_or_else(|| self.store.new_id(), |idempotency| idempotency.root(who))
    }
}

impl WriteCall<'_> {
    /// Whose idempotency keys are looked at: those of this role, workspace and subject.
    fn owner(&self) -> String {
        let bound = self.caller.workspace().map(|workspace| workspace.to_string()).unwrap_or_default();
        format!("{} {bound} {}", self.caller.role(), self.caller.subject())
    }
}

fn unreadable(key: &str, error: &serde_json::Error) -> StoreError {
    StoreError::unreadable("idempotency_keys", key, error)
}
