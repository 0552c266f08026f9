//! Accepted and refused tokens.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::Role;
use uuid::Uuid;

use super::*;
use crate::auth::{TokenRefusal, bearer, token_id};

/// Checks that a server with [`SECRET`] refuses a token.
#[track_caller]
fn check(auth: &Auth, token: &str, refusal: &TokenRefusal) {
    assert_eq!(auth.verify(token, now()).map(drop), Err(refusal.clone()));
}

#[tokio::test]
async fn valid_token_gives_the_identity() {
    let auth = open(&settings_with_secret()).await;
    let verified = auth.verify(&token(&claims()), now()).expect("it is right");
    let identity = verified.identity();
    assert_eq!(&*identity.subject, "agent:backend");
    assert_eq!(identity.role, Role::Agent);
    assert_eq!(identity.workspace, Some(WorkspaceId::from(Uuid::try_parse(WORKSPACE).expect("a UUID"))));
    assert_eq!(identity.jti.to_string(), "018f2f66-0000-7000-8000-0000000000ff");
    assert_eq!(identity.issued_at, now() - seconds(60));
    assert_eq!(verified.expires_at(), now() + seconds(3540));
}

#[tokio::test]
async fn claims_allowed_by_the_standards_are_accepted() {
    #[track_caller]
    fn check(auth: &Auth, claims: &Value) {
        assert_eq!(auth.verify(&token(claims), now()).map(drop), Ok(()));
    }

    let auth = open(&settings_with_secret()).await;
    check(&auth, &with("aud", json!(["other", "orgmem"])));
    check(&auth, &with("exp", 1_800_000_000.5));
    check(&auth, &with("jti", "any text of the provider"));
    check(&auth, &with("email", "ada@example.org"));
    check(&auth, &with("nbf", now().timestamp() + 30));
    check(&auth, &with("iat", now().timestamp() + 30));
    check(&auth, &with("exp", now().timestamp() - 29));
    check(&auth, &with("exp", now().timestamp() - 60 + 365 * 24 * 60 * 60));
    let mut admin = without("ws");
    admin["role"] = "admin".into();
    check(&auth, &admin);
}

#[tokio::test]
async fn invalid_claim_is_refused() {
    use TokenRefusal::*;
    let auth = open(&settings_with_secret()).await;
    let now = now().timestamp();
    let check = |claims: Value, refusal: TokenRefusal| check(&auth, &token(&claims), &refusal);
    let mistyped = |claim, expected| ClaimMistyped { claim, expected };
    const TEXT: &str = "text of 1 to 256 bytes without control characters";
    const TIME: &str = "a time in seconds since 1970";
    const ROLE: &str = "`agent`, `viewer`, `operator` or `admin`";

    for claim in ["iss", "aud", "sub", "role", "iat", "nbf", "exp", "jti"] {
        check(without(claim), ClaimMissing(claim));
        check(with(claim, Value::Null), ClaimMissing(claim));
    }
    check(without("ws"), WorkspaceMissing(Role::Agent));
    check(with("role", "admin"), WorkspaceOfAdmin);

    check(with("iss", "somebody"), WrongIssuer);
    check(with("iss", json!(["orgmem"])), mistyped("iss", TEXT));
    check(with("aud", "other"), WrongAudience);
    check(with("aud", json!([])), WrongAudience);
    check(with("aud", 5), mistyped("aud", "text or a list of texts"));
    check(with("aud", json!(["orgmem", 5])), mistyped("aud", "text or a list of texts"));

    check(with("sub", ""), mistyped("sub", TEXT));
    check(with("sub", "a\nb"), mistyped("sub", TEXT));
    check(with("sub", "s".repeat(257)), mistyped("sub", TEXT));
    check(with("jti", 7), mistyped("jti", TEXT));
    check(with("role", "root"), mistyped("role", ROLE));
    check(with("role", json!(["agent"])), mistyped("role", ROLE));
    check(with("ws", "backend"), mistyped("ws", "the UUID of a workspace"));

    check(with("exp", "1800003600"), mistyped("exp", TIME));
    check(with("exp", true), mistyped("exp", TIME));
    check(with("exp", 1e300), mistyped("exp", TIME));
    check(with("exp", -1), mistyped("exp", TIME));
    check(with("nbf", now * 1000), mistyped("nbf", TIME));
    check(with("iat", json!({})), mistyped("iat", TIME));

    check(with("exp", now - 30), Expired { at: super::now() - seconds(30) });
    check(with("nbf", now + 31), NotYetValid { at: super::now() + seconds(31) });
    check(with("iat", now + 31), IssuedInTheFuture);
    check(with("exp", now - 60 + 365 * 24 * 60 * 60 + 1), WrongLifetime { max_seconds: 31_536_000 });
    check(with("exp", now - 60), WrongLifetime { max_seconds: 31_536_000 });
}

#[tokio::test]
async fn forged_or_malformed_token_is_refused() {
    use TokenRefusal::*;
    let auth = open(&settings_with_secret()).await;
    let good = token(&claims());
    let [header, payload, signature] = good.split('.').collect::<Vec<_>>()[..] else { panic!("three parts") };
    let key = SigningKey::secret(SECRET);

    check(&auth, "", &NotAToken);
    check(&auth, "a.b", &NotAToken);
    check(&auth, &format!("{good}.x"), &NotAToken);
    check(&auth, &format!("{header}.{payload}="), &NotAToken);
    check(&auth, &format!("{}.{payload}.{signature}", part("not json")), &NotAToken);
    check(&auth, &format!("{}.{payload}.{signature}", part(r#"{"typ":"JWT"}"#)), &NotAToken);
    check(&auth, &key.token(&json!({"alg": "HS256", "kid": 5}), &claims()), &NotAToken);
    check(&auth, &key.token(&json!({"alg": "HS256"}), &json!([1])), &NotAToken);
    check(&auth, &key.token(&json!({"alg": "HS256", "crit": ["b64"]}), &claims()), &CriticalHeader);

    let none = format!("{}.{payload}.", part(r#"{"alg":"none"}"#));
    check(&auth, &none, &WrongAlgorithm);
    check(&auth, &none.replace(&part(r#"{"alg":"none"}"#), &part(r#"{"alg":"nOnE"}"#)), &WrongAlgorithm);
    check(&auth, &key.token(&json!({"alg": "HS512"}), &claims()), &WrongAlgorithm);
    check(&auth, &key.token(&json!({"alg": "HS256", "kid": "another"}), &claims()), &UnknownKey);
    check(&auth, &SigningKey::secret("guessed").token(&json!({"alg": "HS256"}), &claims()), &WrongSignature);
    check(&auth, &format!("{header}.{payload}."), &WrongSignature);
    check(&auth, &format!("{header}.{}.{signature}", part(with("role", "operator").to_string())), &WrongSignature);
    check(&auth, &good[..good.len() - 1], &WrongSignature);
}

#[tokio::test]
async fn token_with_duplicate_claim_is_refused() {
    let auth = open(&settings_with_secret()).await;
    let twice = claims().to_string().replacen('{', r#"{"role":"operator","#, 1);
    let message = format!("{}.{}", part(r#"{"alg":"HS256"}"#), part(twice));
    let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, jsonwebtoken::Algorithm::HS256);
    check(&auth, &format!("{message}.{}", signature.expect("a signature")), &TokenRefusal::NotAToken);
}

#[tokio::test]
async fn cached_token_expires() {
    let auth = open(&settings_with_secret()).await;
    let token = token(&claims());
    let first = auth.verify(&token, now()).expect("it is right");
    let again = auth.verify(&token, now() + seconds(1)).expect("it is right");
    assert!(std::sync::Arc::ptr_eq(&first, &again), "verified once");
    let last = first.expires_at() + seconds(30);
    assert_eq!(auth.verify(&token, last - TimeDelta::microseconds(1)).map(drop), Ok(()));
    assert_eq!(auth.verify(&token, last).map(drop), Err(TokenRefusal::Expired { at: first.expires_at() }));
    let early = now() - seconds(91);
    assert_eq!(auth.verify(&token, early).map(drop), Err(TokenRefusal::IssuedInTheFuture));
}

#[test]
fn bearer_accepts_exactly_one_token() {
    #[track_caller]
    fn check(values: &[&str], expected: Result<&str, TokenRefusal>) {
        assert_eq!(bearer(values.iter().map(|value| value.as_bytes())), expected);
    }

    let longest = "t".repeat(8 * 1024);
    check(&["Bearer abc"], Ok("abc"));
    check(&["bEARER   abc "], Ok("abc"));
    check(&[&format!("Bearer {longest}")], Ok(&longest));
    check(&[&format!("Bearer {longest}t")], Err(TokenRefusal::TooLong));
    check(&[], Err(TokenRefusal::Missing));
    check(&[""], Err(TokenRefusal::NotBearer));
    check(&["Bearer"], Err(TokenRefusal::NotBearer));
    check(&["Bearer "], Err(TokenRefusal::NotBearer));
    check(&["Bearer a b"], Err(TokenRefusal::NotBearer));
    check(&["Bearer\tabc"], Err(TokenRefusal::NotBearer));
    check(&["Basic YWRhOmFkYQ=="], Err(TokenRefusal::NotBearer));
    check(&["Bearer abc", "Bearer abc"], Err(TokenRefusal::NotBearer));
    assert_eq!(bearer([&b"Bearer \xff"[..]]), Err(TokenRefusal::NotBearer));
}

#[test]
fn challenge_names_the_fault_of_a_token() {
    assert_eq!(TokenRefusal::Missing.challenge(), r#"Bearer realm="orgmem""#);
    assert_eq!(
        TokenRefusal::Expired { at: now() }.challenge(),
        r#"Bearer realm="orgmem", error="invalid_token", error_description="the token expired at 2027-01-15T08:00:00Z; get a new one""#
    );
}

#[test]
fn every_refusal_is_valid_in_a_header() {
    use TokenRefusal::*;
    let all = [
        NotBearer,
        TooLong,
        NotAToken,
        CriticalHeader,
        UnknownKey,
        WrongAlgorithm,
        WrongSignature,
        KeysUnavailable,
        ClaimMissing("exp"),
        ClaimMistyped { claim: "exp", expected: "a time" },
        WrongIssuer,
        WrongAudience,
        Expired { at: now() },
        NotYetValid { at: now() },
        IssuedInTheFuture,
        WrongLifetime { max_seconds: 1 },
        WorkspaceMissing(Role::Agent),
        WorkspaceOfAdmin,
    ];
    for refusal in all {
        // RFC 6750, section 3: no quotes, no backslash, nothing but ASCII.
        let text = refusal.to_string();
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\".contains(&byte)), "{text}");
    }
}

#[test]
fn token_id_is_derived_from_jti() {
    let id = "018f2f66-0000-7000-8000-0000000000ff";
    assert_eq!(token_id(id).to_string(), id);
    assert_eq!(token_id("onrtac:1").get_version_num(), 8);
    assert_ne!(token_id("onrtac:1"), token_id("onrtac:2"));
}
