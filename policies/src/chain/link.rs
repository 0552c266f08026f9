use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Hash of a row.
pub type RowHash = [u8; 32];

/// State of a chain after a row.
pub type Link = [u8; 32];

/// State of a chain before its first row.
pub const GENESIS: Link = [0; 32];

/// State after row `seq` with this hash.
pub(super) fn after(org: Uuid, before: &Link, seq: i64, row: &RowHash) -> Link {
    let mut hash = Sha256::new();
    hash.update(b"orgmem access link 1\0");
    hash.update(org.as_bytes());
    hash.update(before);
    hash.update(seq.to_be_bytes());
    hash.update(row);
    hash.finalize().into()
}
