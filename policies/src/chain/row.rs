//! A row of the access log as bytes.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::RowHash;

/// All that a row says, but for its number.
///
/// Its words are those that are stored, so that a row can be checked though they mean nothing to this release.
#[derive(Clone, Copy, Debug)]
pub struct ChainRow<'r> {
    /// Its org.
    pub org: Uuid,
    /// When it was done, whole microseconds.
    pub at: DateTime<Utc>,
    /// What was done.
    pub verb: &'r str,
    /// Who did it.
    pub subject: &'r str,
    /// In which role.
    pub role: &'r str,
    /// With which token.
    pub token: Option<Uuid>,
    /// As which workspace, or to which.
    pub workspace: Uuid,
    /// In which run.
    pub run: Option<Uuid>,
    /// The hash of the content that it was about.
    pub content_hash: Option<&'r [u8]>,
    /// Which memories, as they are stored.
    pub memories: &'r [u8],
    /// What else there is to know, as it is stored.
    pub context: &'r str,
}

/// The first bytes of every row that is hashed; another form of the row would have others.
const FORM: &[u8] = b"orgmem access row 1\0";

impl ChainRow<'_> {
    /// Its hash: SHA-256 over its parts, each after its length in eight bytes, the highest first; a part that is absent
    /// has the highest length and no bytes.
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
