//! Subjects, corrections and redaction of episodes, and the erasure of an end user's episodes and keys.

use std::time::{Duration, Instant};

use orgmem_tests::{On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

use super::redacting::{is_in_files, is_in_tables};

for_each_store!(
    correction_names_an_episode_of_its_workspace,
    superseded_episodes_are_marked,
    episodes_are_filtered_by_subject,
    redacted_episode_leaves_every_response_table_and_file,
    only_covering_operators_redact_episodes,
    erasure_of_end_user_covers_episodes_and_keys,
    stored_idempotent_response_has_no_content_of_the_episode,
);

/// A unique text.
const MARK: &str = "pachycephalosaurus";

fn activity(workspace: Uuid) -> String {
    format!("/workspaces/{workspace}/activity")
}

fn redact(workspace: Uuid, episode: Uuid) -> String {
    format!("/workspaces/{workspace}/activity/{episode}/redact")
}

/// An episode with the mark in every text.
fn marked() -> Value {
    json!({
        "activity_type": "agent_log", "method": MARK, "summary": format!("the {MARK} sleeps"), "status": MARK,
        "error_detail": MARK, "request_body": {"note": MARK}, "response_body": [MARK], "metadata": {"note": MARK},
        "actor": MARK, "channel": MARK, "correlation_id": MARK, "session_id": MARK, "kind": MARK, "outcome": "success",
        "subject": MARK, "salience": 0.9,
        "claims": [{"entity": MARK, "field": MARK, "value": MARK}],
    })
}

async fn correction_names_an_episode_of_its_workspace(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let log = json!({"activity_type": "agent_log", "summary": "x"});
    let theirs = app.agent(peer).post(&activity(peer), log).await.expect(201).id("id");
    let before = app.dump();
    let correction = |of: Uuid| json!({"activity_type": "agent_log", "supersedes": of});
    let unknown = agent.post(&activity(bot), correction(Uuid::from_u128(8))).await.refused(404, "not_found");
    let foreign = agent.post(&activity(bot), correction(theirs)).await.refused(404, "not_found");
    assert_eq!(unknown["detail"], foreign["detail"]);
    assert_eq!(app.dump(), before);
}

async fn superseded_episodes_are_marked(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let wrong = json!({"activity_type": "agent_log", "summary": "wrong"});
    let wrong = agent.post(&activity(bot), wrong).await.expect(201).id("id");
    let right = json!({"activity_type": "agent_log", "summary": "right", "supersedes": wrong});
    let right = agent.post(&activity(bot), right).await.expect(201).id("id");
    for path in ["activity?type=agent_log", "session-search?kind=activity"] {
        let rows = agent.get(&format!("/workspaces/{bot}/{path}")).await.expect(200).items();
        let mark =
            |id: Uuid| rows.iter().find(|row| id_of(row, "id") == id).expect("it is listed")["superseded_by"].clone();
        assert_eq!((mark(wrong), mark(right)), (json!(right), Value::Null), "{path}");
    }
}

async fn episodes_are_filtered_by_subject(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for subject in ["ada", "bob"] {
        let about = json!({"activity_type": "agent_log", "summary": "a call", "subject": subject});
        agent.post(&activity(bot), about).await.expect(201);
    }
    let listed = agent.get(&format!("{}?subject=ada", activity(bot))).await.expect(200).items();
    assert_eq!(listed.iter().map(|row| row["subject"].clone()).collect::<Vec<_>>(), [json!("ada")]);
    let long = json!({"activity_type": "agent_log", "subject": "x".repeat(201)});
    agent.post(&activity(bot), long).await.refused(400, "invalid_field");
}

async fn redacted_episode_leaves_every_response_table_and_file(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let (agent, operator) = (app.agent(bot), app.operator(bot));
    let id = agent.post(&activity(bot), marked()).await.expect(201).id("id");
    assert!(on == On::Postgres || is_in_files(app.folder(), MARK), "the search covers the database file");
    let path = redact(bot, id);
    let first = operator.post(&path, json!({"reason": "asked for"})).await.expect(200).json();
    assert_eq!((&first["id"], &first["already"]), (&json!(id), &json!(false)));
    assert!(!is_in_tables(&app, MARK));
    let listed = agent.get(&activity(bot)).await.expect(200).items();
    let row = listed.iter().find(|row| id_of(row, "id") == id).expect("it is listed");
    assert_eq!((&row["activity_type"], &row["is_redacted"]), (&json!("agent_log"), &json!(true)));
    assert_eq!(row["redacted_at"], first["redacted_at"]);
    for query in ["", "?q=agent_log"] {
        let found = agent.get(&format!("/workspaces/{bot}/session-search{query}")).await.expect(200);
        assert!(!found.ids().contains(&id), "{query}");
    }
    let again = operator.post(&path, json!({"reason": "again"})).await.expect(200).json();
    assert_eq!((&again["already"], &again["redacted_at"]), (&json!(true), &first["redacted_at"]));
    let rows =
        app.admin().get(&format!("/workspaces/{bot}/access-log?action=redact_episode")).await.expect(200).items();
    assert_eq!(rows.len(), 1);
    let context = &rows[0]["context"];
    assert_eq!((&context["episode_id"], &context["reason"]), (&json!(id), &json!("asked for")));
    let until = Instant::now() + Duration::from_secs(60);
    while is_in_files(app.folder(), MARK) {
        assert!(Instant::now() < until, "it stays in a file of the data folder");
        agent.search(bot, &[("q", "anything")]).await;
    }
}

async fn only_covering_operators_redact_episodes(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let id = app.agent(bot).post(&activity(bot), marked()).await.expect(201).id("id");
    let why = json!({"reason": "a test"});
    let before = app.dump();
    app.agent(bot).post(&redact(bot, id), why.clone()).await.refused(403, "forbidden");
    app.viewer(bot).post(&redact(bot, id), why.clone()).await.refused(403, "forbidden");
    app.operator(peer).post(&redact(peer, id), why.clone()).await.refused(404, "not_found");
    app.operator(bot).post(&redact(bot, id), json!({"reason": " "})).await.refused(400, "invalid_field");
    assert_eq!(app.dump(), before);
    app.operator(bot).post(&redact(bot, id), why).await.expect(200);
}

async fn erasure_of_end_user_covers_episodes_and_keys(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    for author in [bot, peer] {
        let agent = app.agent(author);
        agent.post(&activity(author), marked()).await.expect(201);
        let entries = format!("/workspaces/{author}/memory");
        let entry = json!({"key": format!("user/{MARK}"), "value": {"of": MARK}, "subject": MARK});
        agent.post(&entries, entry).await.expect(200);
        agent.post(&entries, json!({"key": "other", "value": 1, "subject": "bob"})).await.expect(200);
    }
    let entry = app.agent(bot).get(&format!("/workspaces/{bot}/memory/other")).await.expect(200).json();
    assert_eq!(entry["subject"], "bob");
    let erase = json!({"org_id": acme, "subject": MARK, "reason": "asked for"});
    let receipt = app.admin().post("/admin/erasures?dry_run=true", erase.clone()).await.expect(200).json();
    assert_eq!((&receipt["episodes"], &receipt["entries"]), (&json!(2), &json!(2)));
    assert!(is_in_tables(&app, MARK));
    let receipt = app.admin().post("/admin/erasures", erase).await.expect(200).json();
    assert_eq!((&receipt["episodes"], &receipt["entries"]), (&json!(2), &json!(2)));
    assert!(!is_in_tables(&app, MARK));
    for author in [bot, peer] {
        let entries = app.agent(author).get(&format!("/workspaces/{author}/memory")).await.expect(200).items();
        assert_eq!(entries.iter().map(|entry| entry["key"].clone()).collect::<Vec<_>>(), [json!("other")]);
    }
    let until = Instant::now() + Duration::from_secs(60);
    while is_in_files(app.folder(), MARK) {
        assert!(Instant::now() < until, "it stays in a file of the data folder");
        app.agent(bot).search(bot, &[("q", "anything")]).await;
    }
}

async fn stored_idempotent_response_has_no_content_of_the_episode(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let append = || app.agent(bot).request("POST", &activity(bot)).header("idempotency-key", "k").json(marked());
    let first = append().send().await.expect(201).json();
    assert_eq!(append().send().await.expect(201).json(), first);
    let id = id_of(&first, "id");
    app.operator(bot).post(&redact(bot, id), json!({"reason": "asked for"})).await.expect(200);
    assert!(!is_in_tables(&app, MARK));
}
