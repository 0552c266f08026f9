//! Public keys in files, and rotated secrets.

use std::fs;

use super::*;
use crate::auth::TokenRefusal;
use crate::config::Jwks;

#[tokio::test]
async fn every_kind_of_public_key_verifies_from_pem_and_key_set() {
    let folder = tempfile::tempdir().expect("a folder");
    for key in [SigningKey::rsa(), SigningKey::ec(), SigningKey::ed()] {
        let pem = folder.path().join("platform-1.pem");
        fs::write(&pem, &key.public_pem).expect("a file");
        let auth = open(&JwtSettings { public_keys: vec![pem], ..settings() }).await;
        assert!(auth.verify(&key.good_token("platform-1"), now()).is_ok());
        assert_eq!(auth.verify(&key.good_token("other"), now()).map(drop), Err(TokenRefusal::UnknownKey));

        let set = folder.path().join("jwks.json");
        fs::write(&set, json!({"keys": [key.jwk("2026-11")]}).to_string()).expect("a file");
        let auth = open(&JwtSettings { jwks: Some(Jwks::File(set)), ..settings() }).await;
        assert!(auth.verify(&key.good_token("2026-11"), now()).is_ok());
    }
}

#[tokio::test]
async fn token_signed_with_a_public_key_as_secret_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let pem = folder.path().join("platform.pem");
    for key in [SigningKey::rsa(), SigningKey::ec(), SigningKey::ed()] {
        fs::write(&pem, &key.public_pem).expect("a file");
        let auth = open(&JwtSettings { public_keys: vec![pem.clone()], ..settings_with_secret() }).await;
        let forger = SigningKey::secret(&key.public_pem);
        for header in [json!({"alg": "HS256", "kid": "platform"}), json!({"alg": "HS256"})] {
            let refusal = auth.verify(&forger.token(&header, &claims()), now()).expect_err("forged");
            assert!(matches!(refusal, TokenRefusal::WrongAlgorithm | TokenRefusal::WrongSignature), "{refusal}");
        }
        assert!(auth.verify(&key.good_token("platform"), now()).is_ok());
        assert!(auth.verify(&token(&claims()), now()).is_ok(), "the secret also verifies");
    }
}

#[tokio::test]
async fn invalid_key_file_stops_the_start() {
    async fn check(text: &str, reason: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let pem = folder.path().join("platform.pem");
        fs::write(&pem, text).expect("a file");
        let name = pem.display().to_string();
        let outcome = Auth::open(&JwtSettings { public_keys: vec![pem], ..settings() }, folder.path(), now()).await;
        let error = outcome.err().expect("invalid").to_string();
        assert_eq!(error, format!("cannot use the keys of `{name}`: {reason}"));
    }

    check("hello", "it is not a PEM file with a public key").await;
    check(&SigningKey::ed().private_pem, "it is a private key; the server needs only the public key").await;
    check(&SigningKey::ec_p384().public_pem, "an EC key must be on the curve P-256").await;
    check(WEAK_RSA, "an RSA key needs at least 2048 bits").await;
    let garbage = SigningKey::ed().public_pem.replace('M', "A");
    check(&garbage, "the key is not RSA, EC on P-256 or Ed25519").await;
}

#[tokio::test]
async fn duplicate_kid_stops_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["a/key.pem", "b/key.pem"].map(|name| folder.path().join(name));
    for file in &files {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, SigningKey::ed().public_pem).expect("a file");
    }
    let outcome = Auth::open(&JwtSettings { public_keys: files.to_vec(), ..settings() }, folder.path(), now()).await;
    assert_eq!(
        outcome.err().expect("a duplicate").to_string(),
        "two keys have the `kid` `key`; rename the file of one"
    );
}

#[tokio::test]
async fn previous_secret_verifies_but_does_not_sign() {
    let previous = settings_with_secret();
    let new = JwtSettings {
        secret: Some("another secret, which signs from now on".into()),
        previous_secret: previous.secret.clone(),
        ..settings()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let before = open(&previous).await;
    let path = before.ensure_admin_token(folder.path(), now()).expect("a token").expect("a secret").path;
    let old_token = fs::read_to_string(&path).expect("a file");
    let rotated = open(&new).await;
    assert!(rotated.verify(old_token.trim(), now()).is_ok());
    fs::remove_file(&path).expect("a file");
    rotated.ensure_admin_token(folder.path(), now()).expect("a token");
    let new_token = fs::read_to_string(&path).expect("a file");
    assert_eq!(before.verify(new_token.trim(), now()).map(drop), Err(TokenRefusal::UnknownKey));
}

/// A public key of 1024 bits.
const WEAK_RSA: &str = "-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDttg6CsacUCWWbwDp7/CkPXts3
3WzyPxQRPqpg48KJEPUtHPJplTPx8Fq/wU1tzWGF/nV9rPhGmtM2DG25HRf/P3Ai
WxUZZ92iub5pElYtsAl+ImNvBvsd4KXmD5CvxFv3Y+AMll4OanmmujuYDBdMegmh
cQ1JVfnvuSrJcKBKCQIDAQAB
-----END PUBLIC KEY-----
";
