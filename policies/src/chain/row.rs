//! Encoding of audit rows.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::RowHash;

/// The content of a row without its number.
///
/// Names are in their stored form, so that rows with names unknown to this release can be verified.
#[derive(Clone, Copy, Debug)]
pub struct ChainRow<'r> {
    /// The org of the row.
    pub org: Uuid,
    /// In whole microseconds.
    pub at: DateTime<Utc>,
    /// The action.
    pub verb: &'r str,
    /// Subject of the caller.
    pub subject: &'r str,
    /// Role of the caller.
    pub role: &'r str,
    /// Id of the caller's token.
    pub token: Option<Uuid>,
    /// The workspace acted as, or the target.
    pub workspace: Uuid,
    /// The run of the request.
    pub run: Option<Uuid>,
    /// Hash of the content written or removed.
    pub content_hash: Option<&'r [u8]>,
    /// Memories read or written, as stored.
    pub memories: &'r [u8],
    /// Further facts, as stored.
    pub context: &'r str,
}

/// Prefix of every hashed row; a new encoding gets a new prefix.
const FORM: &[u8] = b"orgmem access row 1\0";

impl ChainRow<'_> {
    /// SHA-256 over the parts. Each part follows its length as eight big-endian bytes; an absent part has the maximum
    /// length and no bytes.
    #[must_use]
    pub fn hash(&self) -> RowHash {
        let mut hash = Sha256::new();
        hash.update(FORM);
        let at = self.at.timestamp_micros().to_be_bytes();
        let parts: [Option<&[u8]>; 11] = [
            Some(self.org.as_bytes()),
            Some(&at),
            Some(self.verb.as_bytes()),
            Some(self.subject.as_bytes()),
            Some(self.role.as_bytes()),
            self.token.as_ref().map(|id| id.as_bytes().as_slice()),
            Some(self.workspace.as_bytes()),
            self.run.as_ref().map(|id| id.as_bytes().as_slice()),
            self.content_hash,
            Some(self.memories),
            Some(self.context.as_bytes()),
        ];
        for part in parts {
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            hash.update(length.to_be_bytes());
            hash.update(part.unwrap_or_default());
        }
        hash.finalize().into()
    }
}
