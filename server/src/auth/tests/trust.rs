//! Own keys and those of an identity provider at once: each with its issuer, audience and names of claims.

use std::fs;
use std::path::PathBuf;

use orgmem_policies::Role;

use super::*;
use crate::auth::TokenRefusal;
use crate::config::{ClaimName, Jwks};

const ISSUER: &str = "https://idp.example.org";

/// Settings with the key set of a provider whose key has this `kid`.
fn with_provider(folder: &Path, key: &SigningKey, kid: &str) -> JwtSettings {
    let set = folder.join("jwks.json");
    fs::write(&set, json!({"keys": [key.jwk(kid)]}).to_string()).expect("a file");
    JwtSettings { jwks: Some(Jwks::File(set)), jwks_issuer: Some(ISSUER.into()), ..settings() }
}

fn provider_token(key: &SigningKey, claims: &Value) -> String {
    key.token(&json!({"alg": "EdDSA", "kid": "provider"}), claims)
}

#[tokio::test]
async fn secret_of_the_folder_stays_valid_next_to_a_provider() {
    let (folder, ed) = (tempfile::tempdir().expect("a folder"), SigningKey::ed());
    let before = Auth::open(&settings(), folder.path(), now()).await.expect("it opens");
    let admin = before.ensure_admin_token(folder.path(), now()).expect("a token").expect("a secret").path;
    let admin = fs::read_to_string(admin).expect("a file");
    let settings = with_provider(folder.path(), &ed, "provider");
    let both = Auth::open(&settings, folder.path(), now()).await.expect("it opens");
    assert_eq!(both.verify(admin.trim(), now()).expect("the own secret").identity().role, Role::Admin);
    assert!(both.verify(&provider_token(&ed, &with("iss", ISSUER)), now()).is_ok());
    let again = both.ensure_admin_token(folder.path(), now()).expect("a token").expect("the own secret signs");
    assert!(!again.is_new, "the admin token stays");
}

#[tokio::test]
async fn first_start_with_a_provider_creates_no_secret() {
    let (folder, ed) = (tempfile::tempdir().expect("a folder"), SigningKey::ed());
    let settings = with_provider(folder.path(), &ed, "provider");
    let auth = Auth::open(&settings, folder.path(), now()).await.expect("it opens");
    assert!(auth.ensure_admin_token(folder.path(), now()).expect("no fault").is_none());
    assert!(!folder.path().join("jwt.secret").exists());
}

#[tokio::test]
async fn each_key_accepts_only_its_issuer() {
    let (folder, ed) = (tempfile::tempdir().expect("a folder"), SigningKey::ed());
    let (pem, rsa) = (folder.path().join("partner.pem"), SigningKey::rsa());
    fs::write(&pem, &rsa.public_pem).expect("a file");
    let settings = JwtSettings {
        secret: Some(SECRET.into()),
        public_keys: vec![pem],
        public_keys_issuer: Some("partner".into()),
        jwks_audience: Some("memory".into()),
        ..with_provider(folder.path(), &ed, "provider")
    };
    let auth = open(&settings).await;
    let of_provider = |issuer: &str, audience: &str| {
        let mut claims = with("iss", issuer);
        claims["aud"] = audience.into();
        auth.verify(&provider_token(&ed, &claims), now()).map(drop)
    };
    let of_partner = |issuer: &str| {
        let header = json!({"alg": "RS256", "kid": "partner"});
        auth.verify(&rsa.token(&header, &with("iss", issuer)), now()).map(drop)
    };
    let own = |issuer: &str| auth.verify(&token(&with("iss", issuer)), now()).map(drop);
    assert_eq!(of_provider(ISSUER, "memory"), Ok(()));
    assert_eq!(of_provider("orgmem", "memory"), Err(TokenRefusal::WrongIssuer));
    assert_eq!(of_provider("partner", "memory"), Err(TokenRefusal::WrongIssuer));
    assert_eq!(of_provider(ISSUER, "orgmem"), Err(TokenRefusal::WrongAudience));
    assert_eq!(of_partner("partner"), Ok(()));
    assert_eq!(of_partner(ISSUER), Err(TokenRefusal::WrongIssuer));
    assert_eq!(own("orgmem"), Ok(()));
    assert_eq!(own(ISSUER), Err(TokenRefusal::WrongIssuer));
}

#[tokio::test]
async fn same_kid_with_another_algorithm_is_another_key() {
    let (folder, ed) = (tempfile::tempdir().expect("a folder"), SigningKey::ed());
    let kid = crate::auth::secrets::OwnSecret::new(SECRET.into()).kid();
    let settings = JwtSettings { secret: Some(SECRET.into()), ..with_provider(folder.path(), &ed, &kid) };
    let auth = open(&settings).await;
    let header = |algorithm: &str| json!({"alg": algorithm, "kid": kid});
    let own = SigningKey::secret(SECRET).token(&header("HS256"), &claims());
    let theirs = ed.token(&header("EdDSA"), &with("iss", ISSUER));
    assert!(auth.verify(&own, now()).is_ok() && auth.verify(&theirs, now()).is_ok());
}

fn mapped(folder: &Path, key: &SigningKey) -> JwtSettings {
    let claim = |name, theirs: &str| (name, theirs.to_owned());
    JwtSettings {
        jwks_claims: vec![
            claim(ClaimName::Role, "realm.roles"),
            claim(ClaimName::Ws, "https://idp.example.org/workspace"),
            claim(ClaimName::Jti, "uti"),
            claim(ClaimName::Nbf, "iat"),
        ],
        jwks_roles: vec![("memory-ops".into(), Role::Operator), ("bots".into(), Role::Agent)],
        ..with_provider(folder, key, "provider")
    }
}

/// The claims of a provider with names of its own.
fn foreign(roles: Value) -> Value {
    let own = claims();
    json!({
        "iss": ISSUER, "aud": "orgmem", "sub": "ada", "iat": own["iat"], "exp": own["exp"], "uti": "t-1",
        "realm": {"roles": roles}, "https://idp.example.org/workspace": WORKSPACE,
    })
}

#[tokio::test]
async fn claims_of_a_provider_are_mapped() {
    let (folder, ed) = (tempfile::tempdir().expect("a folder"), SigningKey::ed());
    let auth = open(&mapped(folder.path(), &ed)).await;
    let role =
        |roles: Value| auth.verify(&provider_token(&ed, &foreign(roles)), now()).map(|read| read.identity().role);
    assert_eq!(role(json!(["staff", "bots", "memory-ops"])), Ok(Role::Operator));
    assert_eq!(role(json!("bots")), Ok(Role::Agent));
    for roles in [json!(["staff"]), json!(["operator"]), json!([]), json!(7), json!("Bots")] {
        assert_eq!(role(roles.clone()), Err(TokenRefusal::NoMappedRole), "{roles}");
    }
    let mut own_names = foreign(json!("bots"));
    own_names["role"] = "admin".into();
    own_names["jti"] = "other".into();
    let read = auth.verify(&provider_token(&ed, &own_names), now()).expect("mapped claims count");
    assert_eq!((read.identity().role, read.identity().jti), (Role::Agent, crate::auth::token_id("t-1")));
    let mut absent = foreign(json!("bots"));
    absent.as_object_mut().expect("an object").remove("uti");
    assert_eq!(auth.verify(&provider_token(&ed, &absent), now()).err(), Some(TokenRefusal::ClaimMissing("jti")));
}

#[tokio::test]
async fn mapping_does_not_apply_to_own_tokens() {
    let (folder, ed) = (tempfile::tempdir().expect("a folder"), SigningKey::ed());
    let auth = open(&JwtSettings { secret: Some(SECRET.into()), ..mapped(folder.path(), &ed) }).await;
    assert!(auth.verify(&token(&claims()), now()).is_ok());
    let mut theirs = foreign(json!("bots"));
    theirs["iss"] = "orgmem".into();
    assert_eq!(auth.verify(&token(&theirs), now()).err(), Some(TokenRefusal::ClaimMissing("role")));
}

#[test]
fn mappings_are_read_from_the_settings() {
    let load = |variable: &str, value: &str| {
        let mut sources = Sources::empty("/nowhere");
        let variables = [("ORGMEM_DATA_DIR", "/nowhere"), (variable, value)];
        sources.variables.extend(variables.map(|(name, value)| (name.into(), value.into())));
        Config::load(&sources).map(|config| config.settings.jwt).map_err(|error| error.to_string())
    };
    let claims = load("ORGMEM_JWT_JWKS_CLAIMS", "role=realm.roles, nbf=iat").expect("right").jwks_claims;
    assert_eq!(claims, [(ClaimName::Role, "realm.roles".into()), (ClaimName::Nbf, "iat".into())]);
    let roles = load("ORGMEM_JWT_JWKS_ROLES", "a=b=admin").expect("right").jwks_roles;
    assert_eq!(roles, [("a=b".into(), Role::Admin)]);
    let jwks = load("ORGMEM_JWKS", "keys.json").expect("right");
    assert_eq!((jwks.jwks, jwks.jwks_issuer), (Some(Jwks::File(PathBuf::from("keys.json"))), None));
    for (variable, value) in
        [("ORGMEM_JWT_JWKS_CLAIMS", "aud=x"), ("ORGMEM_JWT_JWKS_CLAIMS", "role"), ("ORGMEM_JWT_JWKS_ROLES", "x=boss")]
    {
        assert!(load(variable, value).expect_err(value).contains("must be a list, each"), "{value}");
    }
}
