//! The key that signs seals.

use std::fmt;

use sha2::{Digest, Sha256};

/// Identifies the key of a seal without revealing the key.
pub type KeyId = [u8; 8];

const BLOCK: usize = 64;

/// A secret that is not in the database, so that access to the database is not enough to forge a seal.
#[derive(Clone)]
pub struct SealKey {
    block: [u8; BLOCK],
}

impl SealKey {
    /// Derives the key from a secret.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        // RFC 2104 hashes keys longer than a block. Hashing every secret also separates this use of it from others.
        let mut hash = Sha256::new();
        hash.update(b"orgmem seal key 1\0");
        hash.update(secret);
        let mut block = [0; BLOCK];
        block[..32].copy_from_slice(&hash.finalize());
        Self { block }
    }

    /// Id of the key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        let [a, b, c, d, e, f, g, h, ..] = self.mac(b"orgmem seal key id");
        [a, b, c, d, e, f, g, h]
    }

    /// HMAC-SHA-256 (RFC 2104) of `bytes`.
    #[must_use]
    pub fn mac(&self, bytes: &[u8]) -> [u8; 32] {
        hmac(&self.block, bytes)
    }
}

fn hmac(block: &[u8; BLOCK], bytes: &[u8]) -> [u8; 32] {
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(bytes).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SealKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::hmac;

    /// RFC 4231, test case 2.
    #[test]
    fn hmac_equals_the_rfc_4231_test_case() {
        let mut block = [0; 64];
        block[..4].copy_from_slice(b"Jefe");
        let mac = hmac(&block, b"what do ya want for nothing?");
        assert_eq!(hex::encode(mac), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
