//! Invalid tokens.

use chrono::TimeDelta;
use orgmem_tests::{On, Response, SECRET, Token, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    invalid_token_is_refused_with_the_reason,
    authorization_without_bearer_is_refused,
    revoked_token_is_refused_immediately,
    tokens_of_removed_workspace_are_refused_immediately,
);

async fn invalid_token_is_refused_with_the_reason(on: On) {
    let fixture = Fixture::new(on).await;
    let now = fixture.app.now();
    let at = |delta: TimeDelta| json!((now + delta).timestamp());
    let old = |token: Token| token.claim("iat", at(TimeDelta::hours(-1))).claim("nbf", at(TimeDelta::hours(-1)));
    let right = || old(fixture.app.token("agent", Some(fixture.drawn.id("bot"))));
    let cases: Vec<(Token, &str)> = vec![
        (
            right().claim("exp", at(TimeDelta::seconds(-31))),
            "401 token_invalid: the token expired at 2026-09-21T14:12:49Z; get a new one",
        ),
        (
            right().claim("nbf", at(TimeDelta::seconds(31))),
            "401 token_invalid: the token is not valid before 2026-09-21T14:13:51Z",
        ),
        (
            right().claim("iat", at(TimeDelta::seconds(31))),
            "401 token_invalid: the token was issued in the future; one of the two clocks is wrong",
        ),
        (
            right().claim("aud", json!("another")),
            "401 token_invalid: the token is for another audience: its `aud` does not name this server",
        ),
        (
            right().claim("aud", json!([])),
            "401 token_invalid: the token is for another audience: its `aud` does not name this server",
        ),
        (right().claim("iss", json!("another")), "401 token_invalid: the token's `iss` is not the trusted issuer"),
        (
            right().claim("role", json!("boss")),
            "401 token_invalid: the token's claim `role` must be `agent`, `viewer`, `operator` or `admin`",
        ),
        (
            right().claim("role", json!("admin")),
            "401 token_invalid: a token of role `admin` must not have `ws`: it is bound to no workspace",
        ),
        (
            right().claim("ws", json!("bot")),
            "401 token_invalid: the token's claim `ws` must be the UUID of a workspace",
        ),
        (
            right().claim("exp", json!("never")),
            "401 token_invalid: the token's claim `exp` must be a time in seconds since 1970",
        ),
        (
            right().claim("exp", at(TimeDelta::days(400))),
            "401 token_invalid: the token's lifetime, from `iat` to `exp`, must be more than 0 and at most 31536000 seconds",
        ),
        (
            right().claim("sub", json!("")),
            "401 token_invalid: the token's claim `sub` must be text of 1 to 256 bytes without control characters",
        ),
        (right().without("exp"), "401 token_invalid: the token lacks the claim `exp`"),
        (right().without("nbf"), "401 token_invalid: the token lacks the claim `nbf`"),
        (right().without("iat"), "401 token_invalid: the token lacks the claim `iat`"),
        (right().without("aud"), "401 token_invalid: the token lacks the claim `aud`"),
        (right().without("iss"), "401 token_invalid: the token lacks the claim `iss`"),
        (right().without("sub"), "401 token_invalid: the token lacks the claim `sub`"),
        (right().without("jti"), "401 token_invalid: the token lacks the claim `jti`"),
        (right().without("role"), "401 token_invalid: the token lacks the claim `role`"),
        (right().without("ws"), "401 token_invalid: a token of role `agent` must name its workspace in `ws`"),
        (
            right().header("alg", json!("none")).unsigned(),
            "401 token_invalid: the token's `alg` does not match its key",
        ),
        (right().header("alg", json!("None")), "401 token_invalid: the token's `alg` does not match its key"),
        (right().header("alg", json!("HS512")), "401 token_invalid: the token's `alg` does not match its key"),
        (right().header("alg", json!("RS256")), "401 token_invalid: the token's `alg` does not match its key"),
        (
            right().unsigned(),
            "401 token_invalid: the token's signature is invalid: it was signed with another key, or changed",
        ),
        (
            right().signed_with("another secret of at least 32 bytes, indeed"),
            "401 token_invalid: the token's signature is invalid: it was signed with another key, or changed",
        ),
        (
            right().header("kid", json!("unknown")),
            "401 token_invalid: the token's `kid` is not a key of this server; get a new token",
        ),
        (
            right().header("kid", json!("../../etc/passwd")),
            "401 token_invalid: the token's `kid` is not a key of this server; get a new token",
        ),
        (
            right().header("crit", json!(["b64"])),
            "401 token_invalid: the token's header has `crit`, which this server does not support",
        ),
        (
            fixture.app.token("agent", Some(uuid::Uuid::from_u128(5))),
            "401 token_invalid: the workspace that the token is bound to is not live; ask for a token of a live one",
        ),
        (
            right().header("jku", json!("http://127.0.0.1:1/keys")).signed_with("another secret, of the forger's own"),
            "401 token_invalid: the token's signature is invalid: it was signed with another key, or changed",
        ),
    ];
    for (token, expected) in cases {
        let caller = fixture.app.bearer(&token.text());
        for response in [
            caller.get("/me").await,
            caller.get(&fixture.filled("/workspaces/{bot}/memories")).await,
            caller.post(&fixture.filled("/workspaces/{bot}/memories"), json!({"content": "x", "scope": "LOCAL"})).await,
        ] {
            fixture.check_response(&response, expected);
            challenged(&response);
        }
    }
    // within the leeway
    for token in [
        right().claim("exp", at(TimeDelta::seconds(-29))),
        right().claim("nbf", at(TimeDelta::seconds(29))),
        right().claim("iat", at(TimeDelta::seconds(29))),
    ] {
        fixture.app.bearer(&token.text()).get("/me").await.expect(200);
    }
    fixture.nothing_changed();
}

fn challenged(response: &Response) {
    let challenge = response.header("www-authenticate").unwrap_or_default();
    assert!(challenge.starts_with("Bearer realm=\"orgmem\", error=\"invalid_token\""), "{challenge}");
}

async fn authorization_without_bearer_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let token = fixture.app.token("agent", Some(fixture.drawn.id("bot"))).text();
    let with = |values: &[String]| {
        let request = fixture.app.anonymous().request("GET", "/me");
        values.iter().fold(request, |request, value| request.header("authorization", value))
    };
    let cases = [
        (vec![], "401 token_missing: a token is required: send the header `Authorization: Bearer <token>`"),
        (vec![String::new()], "401 token_invalid: the Authorization header must be `Bearer <token>`, once"),
        (vec!["Bearer".to_owned()], "401 token_invalid: the Authorization header must be `Bearer <token>`, once"),
        (vec!["Bearer ".to_owned()], "401 token_invalid: the Authorization header must be `Bearer <token>`, once"),
        (
            vec!["Basic YWRtaW46YWRtaW4=".to_owned()],
            "401 token_invalid: the Authorization header must be `Bearer <token>`, once",
        ),
        (vec![token.clone()], "401 token_invalid: the Authorization header must be `Bearer <token>`, once"),
        (
            vec![format!("Bearer {token}"), format!("Bearer {token}")],
            "401 token_invalid: the Authorization header must be `Bearer <token>`, once",
        ),
        (
            vec![format!("Bearer {token} {token}")],
            "401 token_invalid: the Authorization header must be `Bearer <token>`, once",
        ),
        (
            vec!["Bearer not.a.token".to_owned()],
            "401 token_invalid: the token is not a JWT (three base64url parts with dots between them)",
        ),
        (
            vec!["Bearer a.b".to_owned()],
            "401 token_invalid: the token is not a JWT (three base64url parts with dots between them)",
        ),
        (
            vec![format!("Bearer {token}.x")],
            "401 token_invalid: the token is not a JWT (three base64url parts with dots between them)",
        ),
        (vec![format!("Bearer {}", "x".repeat(9000))], "401 token_invalid: the token is longer than 8 KiB"),
        (
            vec![format!("Bearer {SECRET}").replace(' ', "")],
            "401 token_invalid: the Authorization header must be `Bearer <token>`, once",
        ),
    ];
    for (values, expected) in cases {
        fixture.check_response(&with(&values).send().await, expected);
    }
    let missing = with(&[]).send().await;
    assert_eq!(missing.header("www-authenticate"), Some("Bearer realm=\"orgmem\""));
    // the scheme is case-insensitive (RFC 9110, section 11.1)
    with(&[format!("bearer {token}")]).send().await.expect(200);
    fixture.nothing_changed();
}

async fn revoked_token_is_refused_immediately(on: On) {
    let fixture = Fixture::new(on).await;
    let bot = fixture.drawn.id("bot");
    let (one, other) = (fixture.app.token("agent", Some(bot)), fixture.app.token("agent", Some(bot)));
    fixture.app.admin().delete(&format!("/tokens/{}", one.jti())).await.expect(200);
    let refused = fixture.app.bearer(&one.text()).get("/me").await;
    fixture.check_response(&refused, "401 token_invalid: the token was revoked; ask for a new one");
    challenged(&refused);
    fixture.app.bearer(&other.text()).get("/me").await.expect(200);
    fixture.app.operator(bot).delete(&format!("/workspaces/{bot}/tokens")).await.expect(200);
    fixture.check_response(
        &fixture.app.bearer(&other.text()).get("/me").await,
        "401 token_invalid: the token was revoked; ask for a new one",
    );
    // later tokens are not affected
    fixture.app.advance(TimeDelta::seconds(1));
    fixture.app.agent(bot).get("/me").await.expect(200);
}

async fn tokens_of_removed_workspace_are_refused_immediately(on: On) {
    let fixture = Fixture::new(on).await;
    let dev = fixture.drawn.id("dev");
    let tokens: Vec<_> = ["agent", "viewer", "operator"].map(|role| fixture.app.token(role, Some(dev)).text()).into();
    fixture.app.admin().delete(&format!("/workspaces/{dev}?children=cascade")).await.expect(200);
    for token in tokens {
        fixture.check_response(
            &fixture.app.bearer(&token).get("/me").await,
            "401 token_invalid: the workspace that the token is bound to is not live; ask for a token of a live one",
        );
    }
    // also tokens of descendants
    fixture.check_response(
        &fixture.caller("agent").get("/me").await,
        "401 token_invalid: the workspace that the token is bound to is not live; ask for a token of a live one",
    );
}
