//! A verifying key with its single algorithm.

use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};

/// RFC 7518, section 3.3.
const RSA_MODULUS_BYTES: usize = 2048 / 8;
/// An uncompressed point of P-256.
const P256_POINT_BYTES: usize = 65;
const ED25519_BYTES: usize = 32;

/// The accepted algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pinned {
    Hs256,
    Rs256,
    Es256,
    EdDsa,
}

impl Pinned {
    /// The name in JOSE headers and key sets.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Hs256 => "HS256",
            Self::Rs256 => "RS256",
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
        }
    }

    const fn algorithm(self) -> Algorithm {
        match self {
            Self::Hs256 => Algorithm::HS256,
            Self::Rs256 => Algorithm::RS256,
            Self::Es256 => Algorithm::ES256,
            Self::EdDsa => Algorithm::EdDSA,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Key {
    /// A key without a `kid` only verifies tokens without one.
    pub(super) kid: Option<String>,
    pub(super) algorithm: Pinned,
    // INVARIANT: has the family and size of the algorithm
    decoding: DecodingKey,
}

impl Key {
    pub(super) fn from_secret(kid: String, secret: &[u8]) -> Self {
        Self { kid: Some(kid), algorithm: Pinned::Hs256, decoding: DecodingKey::from_secret(secret) }
    }

    /// # Errors
    /// The reason, for a key that is too small or on another curve.
    pub(super) fn public(kid: Option<String>, algorithm: Pinned, decoding: DecodingKey) -> Result<Self, &'static str> {
        match (algorithm, size(&decoding)) {
            (Pinned::Hs256, _) => Err("a secret is not a public key"),
            (Pinned::Rs256, Some(bytes)) if bytes < RSA_MODULUS_BYTES => Err("an RSA key needs at least 2048 bits"),
            (Pinned::Es256, Some(P256_POINT_BYTES))
            | (Pinned::EdDsa, Some(ED25519_BYTES))
            | (Pinned::Rs256, Some(_)) => Ok(Self { kid, algorithm, decoding }),
            (Pinned::Es256, _) => Err("an EC key must be on the curve P-256"),
            (Pinned::EdDsa | Pinned::Rs256, _) => Err("the key cannot be read"),
        }
    }

    /// Whether `signature`, in base64url, is valid for `message`.
    pub(super) fn verifies(&self, message: &str, signature: &str) -> bool {
        // the only possible error is a signature that is not base64url
        jsonwebtoken::crypto::verify(signature, message.as_bytes(), &self.decoding, self.algorithm.algorithm())
            .unwrap_or(false)
    }
}

/// The size in bytes of an RSA modulus or of another public key.
fn size(key: &DecodingKey) -> Option<usize> {
    let significant = |n: &[u8]| n.len() - n.iter().take_while(|byte| **byte == 0).count();
    match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, .. } => Some(significant(n)),
        DecodingKeyKind::SecretOrDer(der) if key.family() == jsonwebtoken::AlgorithmFamily::Rsa => {
            let read = jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER.key_utils.rsa_pub_components_from_public_key;
            read(der).ok().map(|(n, _)| significant(&n))
        }
        DecodingKeyKind::SecretOrDer(bytes) => Some(bytes.len()),
    }
}
