//! The tokens that were issued for a workspace: when each was last used, and what their revocation ends.

use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    a_workspace_of_any_name_gets_a_token,
    what_is_wrong_with_a_token_names_its_field,
    when_a_token_was_last_used_is_what_the_log_tells,
    what_a_revocation_ends_is_counted_before,
    an_admin_token_that_was_revoked_gives_way_to_a_new_one_at_the_start,
    who_revokes_an_id_that_was_never_issued_is_told,
);

/// A token that the server issues: who calls with it, and its id.
async fn issued(app: &TestApp, workspace: Uuid, role: &str) -> (Caller, Uuid) {
    let token = app.admin().post(&format!("/workspaces/{workspace}/tokens"), json!({"role": role})).await.expect(201);
    let text = token.json()["token"].as_str().expect("a token").to_owned();
    (app.bearer(&text), token.id("jti"))
}

/// What is told of a token.
async fn kept(app: &TestApp, workspace: Uuid, jti: Uuid) -> Value {
    let listed = app.admin().get(&format!("/workspaces/{workspace}/tokens")).await.expect(200).items();
    listed.into_iter().find(|token| id_of(token, "jti") == jti).expect("it is listed")
}

/// When the newest row was made that the log has of a token.
async fn newest(app: &TestApp, root: Uuid, jti: Uuid) -> Value {
    let rows = app.admin().get(&format!("/workspaces/{root}/access-log?subtree=true&limit=500")).await.expect(200);
    let of_it = rows.items().into_iter().find(|row| row["token_id"] == json!(jti));
    of_it.map_or(Value::Null, |row| row["at"].clone())
}

async fn a_workspace_of_any_name_gets_a_token(on: On) {
    let app = TestApp::new(on).await;
    for (letter, whole) in [("a", 200), ("\u{20ac}", 83), ("\u{20ac}", 84), ("\u{20ac}", 200), ("\u{1f30d}", 200)] {
        let name = letter.repeat(whole);
        let workspace = app.admin().post("/workspaces", json!({"name": name})).await.expect(201).id("id");
        let token = app.admin().post(&format!("/workspaces/{workspace}/tokens"), json!({"role": "agent"})).await;
        let (token, full) = (token.expect(201).json(), format!("agent:{name}"));
        let subject = token["subject"].as_str().expect("a subject");
        // as much as fits, and no part of a character
        assert!(full.starts_with(subject) && subject.len() <= 256, "{subject}");
        assert!(subject == full || subject.len() + letter.len() > 256, "{subject}");
        let bearer = app.bearer(token["token"].as_str().expect("a token"));
        assert_eq!(bearer.get("/me").await.expect(200).json()["subject"], subject);
    }
}

async fn what_is_wrong_with_a_token_names_its_field(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.plant("acme").await.id("acme");
    for (field, value) in [("expires_in", json!(0)), ("subject", json!("")), ("subject", json!("a".repeat(257)))] {
        let asked = json!({"role": "agent", field: value});
        let refused = app.admin().post(&format!("/workspaces/{acme}/tokens"), asked).await.expect(400).json();
        assert_eq!((&refused["code"], &refused["field"]), (&json!("invalid_field"), &json!(field)));
    }
}

async fn when_a_token_was_last_used_is_what_the_log_tells(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let (agent, of_agent) = issued(&app, bot, "agent").await;
    let (operator, of_operator) = issued(&app, acme, "operator").await;
    let (_, unused) = issued(&app, bot, "agent").await;
    let used = async |workspace: Uuid, jti: Uuid| kept(&app, workspace, jti).await["last_used_at"].clone();
    let sealed = async || app.admin().get(&format!("/workspaces/{acme}/access-log/verify")).await.expect(200);
    assert_eq!(used(bot, of_agent).await, Value::Null);
    // a read counts, a write counts, and so does what an operator does elsewhere in the subtree
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
            let told = [used(bot, of_agent).await, used(acme, of_operator).await];
            let expected = [newest(&app, acme, of_agent).await, newest(&app, acme, of_operator).await];
            assert_eq!(told, expected, "{step} {is_sealed}");
            assert!(told[usize::from(step == 2)].is_string(), "{step}");
        }
    }
    // what the log does not tell of is no use
    let before = used(bot, of_agent).await;
    app.advance(chrono::TimeDelta::seconds(10));
    agent.get("/me").await.expect(200);
    agent.post(&format!("/workspaces/{bot}/memories"), json!({"content": "x", "scope": "GLOBAL"})).await.expect(403);
    sealed().await;
    assert_eq!(used(bot, of_agent).await, before);
    assert_eq!(used(bot, unused).await, Value::Null);
    // it is told of one that is revoked too
    app.admin().delete(&format!("/tokens/{of_agent}")).await.expect(200);
    let revoked = kept(&app, bot, of_agent).await;
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(revoked["last_used_at"], before);
}

async fn what_a_revocation_ends_is_counted_before(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let at = format!("/workspaces/{bot}/tokens");
    let tried = async || {
        let told = app.operator(acme).delete(&(at.clone() + "?dry_run=true")).await.expect(200).json();
        assert_eq!(told["dry_run"], json!(true));
        (told["tokens"].as_i64().expect("a count"), told["streams"].as_u64().expect("a count"))
    };
    let streams = async |jti: Uuid| kept(&app, bot, jti).await["streams"].clone();
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
    // one that nobody issued here is bound to the workspace too
    let mut foreign = app.agent(bot).subscribe(&events, None).await;
    let _elsewhere = app.agent(peer).subscribe(&format!("/workspaces/{peer}/events"), None).await;
    for watching in [&mut first, &mut second, &mut third, &mut foreign] {
        assert_eq!(watching.next().await.expect("a beginning").event, "ready");
    }
    assert_eq!([streams(of_one).await, streams(of_other).await], [json!(2), json!(1)]);
    assert_eq!(tried().await, (2, 4));
    // a dry run ends nothing
    one.get(&format!("/workspaces/{bot}")).await.expect(200);

    app.admin().delete(&format!("/tokens/{of_one}")).await.expect(200);
    for watching in [first, second] {
        assert_eq!(watching.rest().await.last().expect("an end").event, "end");
    }
    assert_eq!([streams(of_one).await, streams(of_other).await], [json!(0), json!(1)]);
    assert_eq!(tried().await, (1, 2));
    // tokens bear the second that they were issued in
    app.advance(chrono::TimeDelta::seconds(1));
    app.admin().delete(&at).await.expect(200);
    for watching in [third, foreign] {
        assert_eq!(watching.rest().await.last().expect("an end").event, "end");
    }
    assert_eq!(tried().await, (0, 0));

    // refused beforehand as in earnest
    for caller in [app.viewer(acme), app.agent(bot), app.operator(peer)] {
        let in_earnest = caller.delete(&at).await;
        assert_eq!(caller.delete(&(at.clone() + "?dry_run=true")).await.status, in_earnest.status);
        assert!(in_earnest.status >= 400);
    }
}

async fn an_admin_token_that_was_revoked_gives_way_to_a_new_one_at_the_start(on: On) {
    let mut app = TestApp::new(on).await;
    let file = app.folder().join("admin.token");
    let kept = || std::fs::read_to_string(&file).expect("a token").trim().to_owned();
    let first = kept();
    app.restart().await;
    assert_eq!(kept(), first, "one that is good stays");
    let jti = app.bearer(&first).get("/me").await.expect(200).id("jti");
    app.bearer(&first).delete(&format!("/tokens/{jti}")).await.expect(200);
    app.bearer(&first).get("/me").await.refused(401, "token_invalid");
    app.restart().await;
    app.bearer(&kept()).get("/me").await.expect(200);
    app.bearer(&first).get("/me").await.refused(401, "token_invalid");
}

async fn who_revokes_an_id_that_was_never_issued_is_told(on: On) {
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
