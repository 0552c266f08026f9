//! Tokens issued by the server.

use orgmem_hierarchy::{OrgId, Placement, Tree, WorkspaceId};
use orgmem_policies::{Caller, EndUser, Role, TokenPass};
use uuid::Uuid;

use super::*;
use crate::auth::{GrantError, SignError, TokenGrant};

const JTI: Uuid = Uuid::from_u128(7);

fn pass(role: Role) -> TokenPass {
    let system = Caller::system("test");
    let root = WorkspaceId::from(Uuid::try_parse(WORKSPACE).expect("a UUID"));
    let tree = Tree::build(OrgId::of_root(root), [Placement::root(root)]).expect("a tree");
    let pass = match role {
        Role::Admin => TokenPass::admin(&system),
        bound => TokenPass::bound_to(&system, &tree, root, bound, &EndUser::default()),
    };
    pass.expect("the server may")
}

fn grant(auth: &Auth, role: Role, expires_in: Option<i64>) -> Result<TokenGrant, GrantError> {
    auth.grant(&pass(role), "somebody", expires_in, JTI, now() + TimeDelta::milliseconds(900))
}

#[tokio::test]
async fn issued_token_verifies_with_the_granted_claims() {
    let auth = open(&settings_with_secret()).await;
    for role in Role::ALL {
        let grant = grant(&auth, role, None).expect("a grant");
        let token = auth.sign(&grant).expect("a token");
        let verified = auth.verify(&token, now()).expect("it is right");
        let identity = verified.identity();
        assert_eq!((identity.role, &*identity.subject, identity.jti), (role, "somebody", JTI));
        assert_eq!((identity.workspace, identity.issued_at), (grant.workspace(), now()));
        assert_eq!(identity.workspace.is_some(), role.is_bound());
        assert_eq!(verified.expires_at(), grant.expires_at());
    }
}

#[tokio::test]
async fn lifetime_defaults_to_the_role_and_is_limited() {
    let auth = open(&settings_with_secret()).await;
    let check = |role, expires_in, seconds: Result<i64, GrantError>| {
        let life = grant(&auth, role, expires_in).map(|grant| (grant.expires_at() - grant.issued_at()).num_seconds());
        assert_eq!(life, seconds);
    };
    let refused = GrantError::Lifetime { max_seconds: 31_536_000 };
    check(Role::Agent, None, Ok(24 * 60 * 60));
    check(Role::Viewer, None, Ok(12 * 60 * 60));
    check(Role::Operator, None, Ok(12 * 60 * 60));
    check(Role::Admin, None, Ok(12 * 60 * 60));
    check(Role::Agent, Some(1), Ok(1));
    check(Role::Agent, Some(31_536_000), Ok(31_536_000));
    check(Role::Agent, Some(31_536_001), Err(refused));
    check(Role::Agent, Some(0), Err(refused));
    check(Role::Agent, Some(-1), Err(refused));
    check(Role::Agent, Some(i64::MAX), Err(refused));
    check(Role::Agent, Some(i64::MIN), Err(refused));
}

#[tokio::test]
async fn invalid_subject_is_refused() {
    let auth = open(&settings_with_secret()).await;
    for subject in ["", " ", "a\nb", &"s".repeat(257)] {
        assert_eq!(auth.grant(&pass(Role::Agent), subject, None, JTI, now()), Err(GrantError::Subject));
    }
}

#[tokio::test]
async fn stored_grant_gives_the_same_token() {
    let auth = open(&settings_with_secret()).await;
    let first = grant(&auth, Role::Agent, None).expect("a grant");
    let stored = serde_json::to_string(&first).expect("JSON");
    let again: TokenGrant = serde_json::from_str(&stored).expect("JSON");
    assert_eq!(again, first);
    assert_eq!(auth.sign(&again), auth.sign(&first));
}

#[tokio::test]
async fn server_without_secret_issues_no_tokens() {
    let folder = tempfile::tempdir().expect("a folder");
    let pem = folder.path().join("platform.pem");
    std::fs::write(&pem, SigningKey::ed().public_pem).expect("a file");
    let auth = open(&JwtSettings { public_keys: vec![pem], ..settings() }).await;
    let grant = grant(&auth, Role::Agent, None).expect("a grant");
    let error = auth.sign(&grant).expect_err("no secret");
    assert_eq!(error, SignError::NoSecret);
    assert_eq!(
        error.to_string(),
        "this server issues no tokens, because only keys of other issuers are configured; get a token there, or set `jwt.secret`"
    );
    assert_eq!(auth.ensure_admin_token(folder.path(), now()).expect("nothing to do"), None);
}
