//! Sealed ranges of the chain.

use uuid::Uuid;

use super::link::after;
use super::{KeyId, Link, RowHash, SealKey};

/// The rows to seal are not consecutive, or there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only consecutive rows can be sealed")]
pub struct NotInOrder;

/// A sealed range: the hashes of its rows, the link after them, and the signature of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Number of the first row.
    pub first: i64,
    /// Number of the last row.
    pub last: i64,
    /// One for each row; empty after their deletion.
    pub hashes: Vec<RowHash>,
    /// The link before the first row.
    pub previous: Link,
    /// The link after the last row.
    pub link: Link,
    /// Id of the signing key.
    pub key: KeyId,
    /// HMAC of the seal.
    pub mac: [u8; 32],
    /// Numbers of the rows that were deleted by their age, in ascending order. Their hashes remain.
    pub removed: Vec<i64>,
}

impl Seal {
    /// Seals rows, given as numbers and hashes, after the link `previous`.
    ///
    /// # Errors
    /// [`NotInOrder`] when there are no rows or they are not consecutive.
    pub fn of(org: Uuid, previous: Link, rows: &[(i64, RowHash)], key: &SealKey) -> Result<Self, NotInOrder> {
        let (Some((first, _)), Some((last, _))) = (rows.first(), rows.last()) else { return Err(NotInOrder) };
        if rows.windows(2).any(|pair| pair[0].0.checked_add(1) != Some(pair[1].0)) {
            return Err(NotInOrder);
        }
        let link = rows.iter().fold(previous, |link, (seq, hash)| after(org, &link, *seq, hash));
        let hashes = rows.iter().map(|(_, hash)| *hash).collect();
        let (key_id, mac, removed) = (key.id(), [0; 32], Vec::new());
        let mut seal = Self { first: *first, last: *last, hashes, previous, link, key: key_id, mac, removed };
        seal.mac = key.mac(&seal.signed_bytes(org));
        Ok(seal)
    }

    /// The seal without the hashes of its rows: the start of a chain whose older rows were deleted.
    #[must_use]
    pub fn checkpoint(self, org: Uuid, key: &SealKey) -> Self {
        let mut seal = Self { hashes: Vec::new(), removed: Vec::new(), key: key.id(), ..self };
        seal.mac = key.mac(&seal.signed_bytes(org));
        seal
    }

    /// The seal of the range without the rows of these numbers, whose hashes remain.
    #[must_use]
    pub fn without(self, org: Uuid, removed: Vec<i64>, key: &SealKey) -> Self {
        let mut seal = Self { removed, key: key.id(), ..self };
        seal.mac = key.mac(&seal.signed_bytes(org));
        seal
    }

    /// Whether the rows were deleted.
    #[must_use]
    pub fn is_checkpoint(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The link computed from the hashes.
    pub(super) fn computed_link(&self, org: Uuid) -> Link {
        let rows = (self.first..).zip(&self.hashes);
        rows.fold(self.previous, |link, (seq, hash)| after(org, &link, seq, hash))
    }

    /// The signed bytes.
    pub(super) fn signed_bytes(&self, org: Uuid) -> Vec<u8> {
        let mut signed_bytes = b"orgmem access seal 1\0".to_vec();
        signed_bytes.extend_from_slice(org.as_bytes());
        signed_bytes.extend_from_slice(&self.first.to_be_bytes());
        signed_bytes.extend_from_slice(&self.last.to_be_bytes());
        signed_bytes.push(u8::from(self.is_checkpoint()));
        signed_bytes.extend_from_slice(&self.previous);
        signed_bytes.extend_from_slice(&self.link);
        for seq in &self.removed {
            signed_bytes.extend_from_slice(&seq.to_be_bytes());
        }
        signed_bytes
    }
}
