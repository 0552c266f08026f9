//! Identity providers that publish invalid sets, rotate keys and fail.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::auth::{KeyError, TokenRefusal};
use crate::config::Jwks;

/// An identity provider on this machine.
struct Provider {
    address: String,
    /// Status and body.
    response: Arc<Mutex<(u16, String)>>,
    requests: Arc<AtomicUsize>,
}

impl Provider {
    async fn start(keys: &[Value]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/jwks.json", listener.local_addr().expect("a port"));
        let provider = Self { address, response: Arc::default(), requests: Arc::default() };
        provider.publish(keys);
        let (response, requests) = (Arc::clone(&provider.response), Arc::clone(&provider.requests));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                requests.fetch_add(1, Ordering::SeqCst);
                let (status, body) = response.lock().expect("no panic").clone();
                let head = format!(
                    "HTTP/1.1 {status} X\r\nconnection: close\r\nlocation: /\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            }
        });
        provider
    }

    fn publish(&self, keys: &[Value]) {
        self.respond_with(200, &json!({"keys": keys}).to_string());
    }

    fn respond_with(&self, status: u16, body: &str) {
        *self.response.lock().expect("no panic") = (status, body.to_owned());
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    fn settings(&self) -> JwtSettings {
        JwtSettings { jwks: Some(Jwks::Address(self.address.clone())), ..settings() }
    }
}

#[tokio::test]
async fn invalid_key_set_stops_the_start() {
    async fn check(body: Value, reason: &str) {
        let provider = Provider::start(&[]).await;
        provider.respond_with(200, &body.to_string());
        let outcome = Auth::open(&provider.settings(), Path::new("/nowhere"), now()).await;
        let error = outcome.err().expect("invalid").to_string();
        assert_eq!(error, format!("cannot use the keys of `{}`: {reason}", provider.address));
    }

    let ed = SigningKey::ed();
    let symmetric = "it holds a symmetric key (`kty` is `oct`), which must never be published";
    let nothing = "it holds no key for RS256, ES256 or EdDSA signatures";
    let mut encrypts = ed.jwk("a");
    encrypts["use"] = "enc".into();
    let mut other_algorithm = SigningKey::rsa().jwk("a");
    other_algorithm["alg"] = "PS256".into();
    check(json!({"keys": [ed.jwk("a"), SigningKey::secret(SECRET).jwk("b")]}), symmetric).await;
    check(json!({"keys": []}), nothing).await;
    check(json!({"keys": [encrypts]}), nothing).await;
    check(json!({"keys": [other_algorithm]}), nothing).await;
    check(json!({"keys": [SigningKey::ec_p384().jwk("a")]}), nothing).await;
    check(json!({"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}]}), nothing).await;
    check(json!({"keys": vec![ed.jwk("a"); 101]}), "it has more than 100 keys").await;
    check(json!([]), "it is not a JSON object with a list `keys`").await;
    check(json!({"keys": [], "padding": "p".repeat(1 << 20)}), "it is larger than 1 MiB").await;
}

#[tokio::test]
async fn unknown_kid_causes_a_read_at_most_every_ten_seconds() {
    let (old, new) = (SigningKey::ed(), SigningKey::ec());
    let provider = Provider::start(&[old.jwk("old")]).await;
    let auth = open(&provider.settings()).await;
    assert!(auth.verify(&old.good_token("old"), now()).is_ok());

    provider.publish(&[new.jwk("new")]);
    let soon = now() + seconds(9);
    let outcome = auth.authenticate(&new.good_token("new"), soon).await.map(drop);
    assert_eq!((outcome, provider.requests()), (Err(TokenRefusal::UnknownKey), 1), "not within ten seconds");
    let later = now() + seconds(10);
    assert_eq!(auth.authenticate(&new.good_token("new"), later).await.map(drop), Ok(()));
    assert_eq!(auth.verify(&old.good_token("old"), later).map(drop), Err(TokenRefusal::UnknownKey), "forgotten");
    for kid in 0..100 {
        let refusal = auth.authenticate(&new.good_token(&kid.to_string()), later).await.map(drop);
        assert_eq!(refusal, Err(TokenRefusal::UnknownKey));
    }
    assert_eq!(provider.requests(), 2, "made-up names do not reach the provider");
}

#[tokio::test]
async fn emptied_key_set_retires_its_keys() {
    let key = SigningKey::ed();
    let provider = Provider::start(&[key.jwk("a")]).await;
    let auth = open(&provider.settings()).await;
    assert!(auth.verify(&key.good_token("a"), now()).is_ok());
    provider.publish(&[]);
    assert_eq!(auth.refresh(now()).await.map_err(|error| error.to_string()), Ok(()));
    assert_eq!(auth.verify(&key.good_token("a"), now()).map(drop), Err(TokenRefusal::UnknownKey));
    provider.publish(&[key.jwk("a")]);
    assert_eq!(auth.refresh(now()).await.map_err(|error| error.to_string()), Ok(()));
    assert!(auth.verify(&key.good_token("a"), now()).is_ok(), "published again");
}

#[tokio::test]
async fn current_keys_remain_during_an_outage() {
    let key = SigningKey::ed();
    let provider = Provider::start(&[key.jwk("a")]).await;
    let auth = open(&provider.settings()).await;
    let verified = auth.verify(&key.good_token("a"), now()).expect("it is right");

    provider.respond_with(503, "");
    let error = auth.refresh(now()).await.expect_err("an outage").to_string();
    assert_eq!(error, format!("cannot fetch `{}`: it returned 503 Service Unavailable", provider.address));
    provider.respond_with(200, "<html>");
    assert!(matches!(auth.refresh(now()).await, Err(KeyError::Unusable { .. })));
    assert!(auth.verify(&key.good_token("a"), now()).is_ok());

    provider.publish(&[key.jwk("a")]);
    auth.refresh(now()).await.expect("it is back");
    let again = auth.verify(&key.good_token("a"), now()).expect("it is right");
    assert!(Arc::ptr_eq(&verified, &again), "the keys are the same, so the cache remains");
}

#[tokio::test]
async fn provider_down_at_the_start_is_read_later() {
    let key = SigningKey::ed();
    let provider = Provider::start(&[key.jwk("a")]).await;
    provider.respond_with(500, "");
    let auth = open(&provider.settings()).await;
    let token = key.good_token("a");
    assert_eq!(auth.verify(&token, now()).map(drop), Err(TokenRefusal::KeysUnavailable));
    provider.publish(&[key.jwk("a")]);
    assert_eq!(auth.authenticate(&token, now() + seconds(10)).await.map(drop), Ok(()));
}

#[tokio::test]
async fn redirect_of_a_provider_is_not_followed() {
    let provider = Provider::start(&[]).await;
    provider.respond_with(302, "");
    let auth = open(&provider.settings()).await;
    let error = auth.refresh(now()).await.expect_err("no keys").to_string();
    assert!(error.ends_with("it returned 302 Found"), "{error}");
}

#[tokio::test]
async fn fixed_key_takes_precedence_over_the_providers() {
    let folder = tempfile::tempdir().expect("a folder");
    let pem = folder.path().join("ours.pem");
    let (ours, theirs) = (SigningKey::ed(), SigningKey::ed());
    fs::write(&pem, &ours.public_pem).expect("a file");
    let provider = Provider::start(&[theirs.jwk("ours"), theirs.jwk("theirs")]).await;
    let auth = open(&JwtSettings { public_keys: vec![pem], ..provider.settings() }).await;
    assert!(auth.verify(&ours.good_token("ours"), now()).is_ok());
    assert!(auth.verify(&theirs.good_token("theirs"), now()).is_ok());
    assert_eq!(auth.verify(&theirs.good_token("ours"), now()).map(drop), Err(TokenRefusal::WrongSignature));
}

#[tokio::test]
async fn refresh_replaces_keys_and_keeps_them_while_it_fails() {
    let (old, new) = (SigningKey::ed(), SigningKey::ed());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("jwks.json");
    let publish = |keys: Value| fs::write(&file, json!({"keys": keys}).to_string()).expect("a file");
    publish(json!([old.jwk("old")]));
    let auth = open(&JwtSettings { jwks: Some(Jwks::File(file.clone())), ..settings() }).await;

    publish(json!([new.jwk("new")]));
    assert!(auth.verify(&old.good_token("old"), now()).is_ok());
    auth.refresh(now()).await.expect("new keys");
    assert!(auth.verify(&new.good_token("new"), now()).is_ok());

    fs::remove_file(&file).expect("a file");
    auth.refresh(now()).await.expect_err("no file");
    assert!(auth.verify(&new.good_token("new"), now()).is_ok(), "the last good keys are used");
    publish(json!([old.jwk("old")]));
    auth.refresh(now()).await.expect("old keys");
    assert!(auth.verify(&old.good_token("old"), now()).is_ok());
}

#[tokio::test]
async fn refresh_without_a_key_set_does_nothing() {
    open(&settings_with_secret()).await.refresh(now()).await.expect("nothing to read");
}
