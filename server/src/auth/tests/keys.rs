//! Signing keys of every accepted kind.

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm,
    Ed25519KeyPair, KeyPair, RsaKeyPair,
};
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::{Algorithm, EncodingKey};

use super::*;

pub(super) struct SigningKey {
    algorithm: Algorithm,
    private: EncodingKey,
    /// The public key as PEM; empty for a secret.
    pub(super) public_pem: String,
    /// The private key as PEM; empty for a secret.
    pub(super) private_pem: String,
    /// The public key as members of a JWK.
    pub(super) jwk: Value,
}

impl SigningKey {
    pub(super) fn secret(secret: &str) -> Self {
        let private = EncodingKey::from_secret(secret.as_bytes());
        let jwk = json!({"kty": "oct", "k": part(secret)});
        Self { algorithm: Algorithm::HS256, private, public_pem: String::new(), private_pem: String::new(), jwk }
    }

    pub(super) fn rsa() -> Self {
        let pair = RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
        let private_pem = pem("PRIVATE KEY", pair.as_der().expect("a key").as_ref());
        let public = pair.public_key();
        let (n, e) = (public.modulus().big_endian_without_leading_zero(), public.exponent());
        Self {
            algorithm: Algorithm::RS256,
            private: EncodingKey::from_rsa_pem(private_pem.as_bytes()).expect("a key"),
            public_pem: pem("PUBLIC KEY", public.as_der().expect("a key").as_ref()),
            private_pem,
            jwk: json!({"kty": "RSA", "n": part(n), "e": part(e.big_endian_without_leading_zero())}),
        }
    }

    pub(super) fn ec() -> Self {
        Self::ec_on(&ECDSA_P256_SHA256_FIXED_SIGNING, Algorithm::ES256, "P-256")
    }

    pub(super) fn ec_p384() -> Self {
        Self::ec_on(&ECDSA_P384_SHA384_FIXED_SIGNING, Algorithm::ES384, "P-384")
    }

    fn ec_on(signing: &'static EcdsaSigningAlgorithm, algorithm: Algorithm, curve: &str) -> Self {
        let pair = EcdsaKeyPair::generate(signing).expect("a key");
        let private = pair.to_pkcs8v1().expect("a key");
        let point = &pair.public_key().as_ref()[1..];
        let (x, y) = point.split_at(point.len() / 2);
        Self {
            algorithm,
            private: EncodingKey::from_ec_der(private.as_ref()),
            public_pem: pem("PUBLIC KEY", pair.public_key().as_der().expect("a key").as_ref()),
            private_pem: pem("PRIVATE KEY", private.as_ref()),
            jwk: json!({"kty": "EC", "crv": curve, "x": part(x), "y": part(y)}),
        }
    }

    pub(super) fn ed() -> Self {
        let pair = Ed25519KeyPair::generate().expect("a key");
        let private = pair.to_pkcs8v1().expect("a key");
        Self {
            algorithm: Algorithm::EdDSA,
            private: EncodingKey::from_ed_der(private.as_ref()),
            public_pem: pem("PUBLIC KEY", pair.public_key().as_der().expect("a key").as_ref()),
            private_pem: pem("PRIVATE KEY", private.as_ref()),
            jwk: json!({"kty": "OKP", "crv": "Ed25519", "x": part(pair.public_key())}),
        }
    }

    /// A token with this header and these claims, signed with this key even if the header names another algorithm.
    pub(super) fn token(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", part(header.to_string()), part(claims.to_string()));
        let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &self.private, self.algorithm);
        format!("{message}.{}", signature.expect("a signature"))
    }

    /// A valid token, for a server that knows this key as `kid`.
    pub(super) fn good_token(&self, kid: &str) -> String {
        self.token(&json!({"alg": format!("{:?}", self.algorithm), "kid": kid}), &claims())
    }

    /// The public key as a JWK with this `kid`.
    pub(super) fn jwk(&self, kid: &str) -> Value {
        let mut jwk = self.jwk.clone();
        jwk["kid"] = kid.into();
        jwk
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    let base64 = STANDARD.encode(der);
    let lines: Vec<_> = base64.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}
