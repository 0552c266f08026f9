//! Issued tokens: last use and revocation.

use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    workspace_with_any_name_gets_a_token,
    invalid_token_request_names_the_field,
    last_use_equals_the_newest_audit_row,
    dry_run_of_revocation_counts_tokens_and_streams,
    revoked_admin_token_is_replaced_at_the_start,
    revocation_of_unknown_id_is_reported,
);

/// Issues a token; returns a caller with it, and its id.
async fn issued(app: &TestApp, workspace: Uuid, role: &str) -> (Caller, Uuid) {
    let token = app.admin().post(&format!("/workspaces/{workspace}/tokens"), json!({"role": role})).await.expect(201);
    let text = token.json()["token"].as_str().expect("a token").to_owned();
    (app.bearer(&text), token.id("jti"))
}

/// The token's row in the list.
async fn listed(app: &TestApp, workspace: Uuid, jti: Uuid) -> Value {
    let listed = app.admin().get(&format!("/workspaces/{workspace}/tokens")).await.expect(200).items();
    listed.into_iter().find(|token| id_of(token, "jti") == jti).expect("it is listed")
}

/// The time of the newest audit row of a token.
async fn newest(app: &TestApp, root: Uuid, jti: Uuid) -> Value {
    let rows = app.admin().get(&format!("/workspaces/{root}/access-log?subtree=true&limit=500")).await.expect(200);
    let of_it = rows.items().into_iter().find(|row| row["token_id"] == json!(jti));
    of_it.map_or(Value::Null, |row| row["at"].clone())
}

async fn workspace_with_any_name_gets_a_token(on: On) {
    let app = TestApp::new(on).await;
    for (letter, whole) in [("a", 200), ("\u{20ac}", 83), ("\u{20ac}", 84), ("\u{20ac}", 200), ("\u{1f30d}", 200)] {
        let name = letter.repeat(whole);
        let workspace = app.admin().post("/workspaces", json!({"name": name})).await.expect(201).id("id");
        let token = app.admin().post(&format!("/workspaces/{workspace}/tokens"), json!({"role": "agent"})).await;
        let (token, full) = (token.expect(201).json(), format!("agent:{name}"));
        let subject = token["subject"].as_str().expect("a subject");
        // truncated to the limit, at a character boundary
        assert!(full.starts_with(subject) && subject.len() <= 256, "{subject}");
        assert!(subject == full || subject.len() + letter.len() > 256, "{subject}");
        let bearer = app.bearer(token["token"].as_str().expect("a token"));
        assert_eq!(bearer.get("/me").await.expect(200).json()["subject"], subject);
    }
}

async fn invalid_token_request_names_the_field(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.plant("acme").await.id("acme");
    for (field, value) in [("expires_in", json!(0)), ("subject", json!("")), ("subject", json!("a".repeat(257)))] {
        let body = json!({"role": "agent", field: value});
        let refused = app.admin().post(&format!("/workspaces/{acme}/tokens"), body).await.expect(400).json();
        assert_eq!((&refused["code"], &refused["field"]), (&json!("invalid_field"), &json!(field)));
    }
}

async fn last_use_equals_the_newest_audit_row(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let (agent, of_agent) = issued(&app, bot, "agent").await;
    let (operator, of_operator) = issued(&app, acme, "operator").await;
    let (_, unused) = issued(&app, bot, "agent").await;
    let used = async |workspace: Uuid, jti: Uuid| listed(&app, workspace, jti).await["last_used_at"].clone();
    let sealed = async || app.admin().get(&format!("/workspaces/{acme}/access-log/verify")).await.expect(200);
    assert_eq!(used(bot, of_agent).await, Value::Null);
    // reads, writes and an operator's requests in the subtree count
    for step in 0..3 {
        app.advance(chrono::TimeDelta::seconds(10));
        match step {
            0 => drop(agent.search(bot, &[]).await),
            1 => drop(agent.commit(bot, "LOCAL", "written with a token that was issued").await),
            _ => drop(operator.search(bot, &[]).await),
        }
        for is_sealed in [false, true] {
            if is_sealed {
                sealed().await;
            }
            let reported = [used(bot, of_agent).await, used(acme, of_operator).await];
            let expected = [newest(&app, acme, of_agent).await, newest(&app, acme, of_operator).await];
            assert_eq!(reported, expected, "{step} {is_sealed}");
            assert!(reported[usize::from(step == 2)].is_string(), "{step}");
        }
    }
    // requests without an audit row do not count
    let before = used(bot, of_agent).await;
    app.advance(chrono::TimeDelta::seconds(10));
    agent.get("/me").await.expect(200);
    agent.post(&format!("/workspaces/{bot}/memories"), json!({"content": "x", "scope": "GLOBAL"})).await.expect(403);
    sealed().await;
    assert_eq!(used(bot, of_agent).await, before);
    assert_eq!(used(bot, unused).await, Value::Null);
    // also for a revoked token
    app.admin().delete(&format!("/tokens/{of_agent}")).await.expect(200);
    let revoked = listed(&app, bot, of_agent).await;
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(revoked["last_used_at"], before);
}

async fn dry_run_of_revocation_counts_tokens_and_streams(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let at = format!("/workspaces/{bot}/tokens");
    let tried = async || {
        let reported = app.operator(acme).delete(&(at.clone() + "?dry_run=true")).await.expect(200).json();
        assert_eq!(reported["dry_run"], json!(true));
        (reported["tokens"].as_i64().expect("a count"), reported["streams"].as_u64().expect("a count"))
    };
    let streams = async |jti: Uuid| listed(&app, bot, jti).await["streams"].clone();
    let (one, of_one) = issued(&app, bot, "agent").await;
    let (other, of_other) = issued(&app, bot, "viewer").await;
    let (_, of_third) = issued(&app, bot, "agent").await;
    issued(&app, peer, "agent").await;
    assert_eq!(tried().await, (3, 0));
    app.admin().delete(&format!("/tokens/{of_third}")).await.expect(200);
    assert_eq!(tried().await, (2, 0), "one that is refused already is not counted");

    let events = format!("/workspaces/{bot}/events");
    let mut first = one.subscribe(&events, None).await;
    let mut second = one.subscribe(&events, None).await;
    let mut third = other.subscribe(&events, None).await;
    // a token that was not issued here is bound to the workspace too
    let mut foreign = app.agent(bot).subscribe(&events, None).await;
    let _elsewhere = app.agent(peer).subscribe(&format!("/workspaces/{peer}/events"), None).await;
    for watching in [&mut first, &mut second, &mut third, &mut foreign] {
        assert_eq!(watching.next().await.expect("a beginning").event, "ready");
    }
    assert_eq!([streams(of_one).await, streams(of_other).await], [json!(2), json!(1)]);
    assert_eq!(tried().await, (2, 4));
    // =
    one.get(&format!("/workspaces/{bot}")).await.expect(200);

    app.admin().delete(&format!("/tokens/{of_one}")).await.expect(200);
    for watching in [first, second] {
        assert_eq!(watching.rest().await.last().expect("an end").event, "end");
    }
    assert_eq!([streams(of_one).await, streams(of_other).await], [json!(0), json!(1)]);
    assert_eq!(tried().await, (1, 2));
    // tokens contain the second of their issue
    app.advance(chrono::TimeDelta::seconds(1));
    app.admin().delete(&at).await.expect(200);
    for watching in [third, foreign] {
        assert_eq!(watching.rest().await.last().expect("an end").event, "end");
    }
    assert_eq!(tried().await, (0, 0));

    // the dry run is refused like the revocation
    for caller in [app.viewer(acme), app.agent(bot), app.operator(peer)] {
        let in_earnest = caller.delete(&at).await;
        assert_eq!(caller.delete(&(at.clone() + "?dry_run=true")).await.status, in_earnest.status);
        assert!(in_earnest.status >= 400);
    }
}

async fn revoked_admin_token_is_replaced_at_the_start(on: On) {
    let mut app = TestApp::new(on).await;
    let file = app.folder().join("admin.token");
    let listed = || std::fs::read_to_string(&file).expect("a token").trim().to_owned();
    let first = listed();
    app.restart().await;
    assert_eq!(listed(), first, "one that is good stays");
    let jti = app.bearer(&first).get("/me").await.expect(200).id("jti");
    app.bearer(&first).delete(&format!("/tokens/{jti}")).await.expect(200);
    app.bearer(&first).get("/me").await.refused(401, "token_invalid");
    app.restart().await;
    app.bearer(&listed()).get("/me").await.expect(200);
    app.bearer(&first).get("/me").await.refused(401, "token_invalid");
}

async fn revocation_of_unknown_id_is_reported(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let known =
        async |jti: Uuid| app.admin().delete(&format!("/tokens/{jti}")).await.expect(200).json()["known"].clone();
    for role in ["agent", "admin"] {
        let (_, jti) = issued(&app, bot, role).await;
        assert_eq!(known(jti).await, json!(true), "{role}");
        assert_eq!(known(jti).await, json!(true), "{role}, once more");
    }
    assert_eq!(known(Uuid::from_u128(7)).await, json!(false));
}
