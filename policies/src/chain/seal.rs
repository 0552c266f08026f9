//! A stretch of the chain that was sealed at once.

use uuid::Uuid;

use super::link::after;
use super::{KeyId, Link, RowHash, SealKey};

/// Rows to seal that do not follow each other, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only rows that follow each other can be sealed")]
pub struct NotInOrder;

/// One stretch of the chain: the hashes of its rows, the link after them, and the word of a key for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The number of its first row.
    pub first: i64,
    /// The number of its last row.
    pub last: i64,
    /// One for each row; none where the rows were reclaimed.
    pub hashes: Vec<RowHash>,
    /// The link before its first row.
    pub previous: Link,
    /// The link after its last row.
    pub link: Link,
    /// Which key vouched for it.
    pub key: KeyId,
    /// The word of that key.
    pub mac: [u8; 32],
}

impl Seal {
    /// Seals rows, given as their numbers and hashes, after the link `previous`.
    ///
    /// # Errors
    /// [`NotInOrder`] when there are none, or when they do not follow each other.
    pub fn of(org: Uuid, previous: Link, rows: &[(i64, RowHash)], key: &SealKey) -> Result<Self, NotInOrder> {
        let (Some((first, _)), Some((last, _))) = (rows.first(), rows.last()) else { return Err(NotInOrder) };
        if rows.windows(2).any(|pair| pair[0].0.checked_add(1) != Some(pair[1].0)) {
            return Err(NotInOrder);
        }
        let link = rows.iter().fold(previous, |link, (seq, hash)| after(org, &link, *seq, hash));
        let hashes = rows.iter().map(|(_, hash)| *hash).collect();
        let mut seal = Self { first: *first, last: *last, hashes, previous, link, key: key.id(), mac: [0; 32] };
        seal.mac = key.mac(&seal.signed_bytes(org));
        Ok(seal)
    }

    /// The same stretch without the hashes of its rows: where a chain begins once older rows are reclaimed.
    #[must_use]
    pub fn checkpoint(self, org: Uuid, key: &SealKey) -> Self {
        let mut seal = Self { hashes: Vec::new(), key: key.id(), ..self };
        seal.mac = key.mac(&seal.signed_bytes(org));
        seal
    }

    /// Whether its rows were reclaimed.
    #[must_use]
    pub fn is_checkpoint(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The link that its hashes lead to.
    pub(super) fn reckoned(&self, org: Uuid) -> Link {
        let rows = (self.first..).zip(&self.hashes);
        rows.fold(self.previous, |link, (seq, hash)| after(org, &link, seq, hash))
    }

    /// What its key vouches for.
    pub(super) fn signed_bytes(&self, org: Uuid) -> Vec<u8> {
        let mut signed_bytes = b"orgmem access seal 1\0".to_vec();
        signed_bytes.extend_from_slice(org.as_bytes());
        signed_bytes.extend_from_slice(&self.first.to_be_bytes());
        signed_bytes.extend_from_slice(&self.last.to_be_bytes());
        signed_bytes.push(u8::from(self.is_checkpoint()));
        signed_bytes.extend_from_slice(&self.previous);
        signed_bytes.extend_from_slice(&self.link);
        signed_bytes
    }
}
