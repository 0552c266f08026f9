//! Redaction, purge and erasure remove content from responses immediately and from files soon.

use std::path::Path;
use std::time::{Duration, Instant};

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    redacted_memory_is_in_no_response_and_table,
    batch_redacts_each_memory_independently,
    only_covering_operators_redact,
    repeated_redaction_returns_the_first_result,
    invalid_reason_is_refused,
    stored_idempotent_response_has_no_content,
    end_user_is_erased_with_a_receipt,
    purged_workspace_is_in_no_table,
    purged_id_is_reused_and_redacted_again,
    erased_org_is_in_no_table,
    removed_content_leaves_every_file_within_five_seconds,
);

/// A unique text.
const MARK: &str = "quetzalcoatlus";

fn at(workspace: Uuid, memory: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/memories/{memory}{rest}")
}

/// Searches all tables for a text, as text and as bytes.
pub(super) fn is_in_tables(app: &TestApp, text: &str) -> bool {
    let rows = app.dump().join("\n").to_lowercase();
    let bytes: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    rows.contains(text) || rows.contains(&bytes)
}

/// A memory with the mark in every field.
fn marked() -> Value {
    json!({
        "content": format!("the {MARK} nests here"), "title": MARK, "scope": "TEAM", "tags": [MARK], "subject": MARK, "session_id": "s",
        "namespace": MARK, "metadata": {"note": MARK},
    })
}

async fn redacted_memory_is_in_no_response_and_table(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (dev, bot, peer) = (org.id("dev"), org.id("bot"), org.id("peer"));
    let id = app.agent(bot).commit_with(bot, marked()).await;
    app.agent(bot).patch(&at(bot, id, ""), json!({"content": format!("the {MARK} left")})).await.expect(200);
    assert_eq!(app.agent(peer).search(peer, &[("q", MARK)]).await.ids(), [id]);
    let path = at(dev, id, "/redact");
    let response = app.operator(dev).post(&path, json!({"reason": "asked for by the person"})).await.expect(200).json();
    assert_eq!((&response["reason"], &response["versions"]), (&json!("asked for by the person"), &json!(1)));
    assert!(response["older_backups"].as_str().is_some_and(|hint| hint.contains("backup")), "{response}");
    for reader in [bot, peer] {
        let agent = app.agent(reader);
        for query in [("q", MARK), ("tag", MARK), ("subject", MARK), ("namespace", MARK), ("kind", "fact")] {
            assert_eq!(agent.search(reader, &[query]).await.ids(), Vec::<Uuid>::new(), "{query:?}");
        }
        agent.get(&at(reader, id, "/history")).await.refused(404, "not_found");
        assert_eq!(agent.get(&at(reader, id, "")).await.expect(200).json()["content"], "[redacted]");
        agent.delete(&at(reader, id, "")).await.refused(404, "not_found");
    }
    let found = app.agent(bot).get(&format!("/workspaces/{bot}/session-search?q={MARK}")).await.expect(200);
    assert_eq!(found.json(), json!([]));
    assert!(!is_in_tables(&app, MARK));
    let row = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json();
    assert_eq!(row["memories"]["team"], 0);
}

async fn batch_redacts_each_memory_independently(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let (dev, bot, ops) = (org.id("dev"), org.id("bot"), org.id("ops"));
    let own = app.agent(dev).commit(dev, "TEAM", "own").await;
    let below = app.agent(bot).commit(bot, "TEAM", "below").await;
    let sibling = app.agent(ops).commit(ops, "TEAM", "sibling").await;
    let hidden = app.agent(bot).commit(bot, "LOCAL", "hidden").await;
    let absent = Uuid::from_u128(404);
    let body = json!({"memories": [own, below, sibling, hidden, absent], "reason": "tidying up"});
    let path = format!("/workspaces/{dev}/memories/redact");
    let response = app.operator(dev).post(&path, body).await.expect(200).json();
    assert_eq!((&response["redacted"], &response["refused"]), (&json!(2), &json!(3)));
    let refused = |n: usize| response["items"][n]["refused"]["status"].clone();
    assert_eq!([refused(2), refused(3), refused(4)], [json!(403), json!(404), json!(404)]);
    assert_eq!(app.agent(bot).search(bot, &[]).await.ids(), [hidden]);
    for bad in [json!([]), json!(vec![absent; 501])] {
        let body = json!({"memories": bad, "reason": "tidying up"});
        app.operator(dev).post(&path, body).await.refused(400, "invalid_field");
    }
}

async fn only_covering_operators_redact(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\nother").await;
    let (acme, dev, bot, peer) = (org.id("acme"), org.id("dev"), org.id("bot"), org.id("peer"));
    let id = app.agent(bot).commit(bot, "TEAM", "shared").await;
    let rule = app.agent(acme).commit(acme, "GLOBAL", "a rule").await;
    let why = json!({"reason": "a test"});
    let before = app.dump();
    app.agent(bot).post(&at(bot, id, "/redact"), why.clone()).await.refused(403, "forbidden");
    app.viewer(dev).post(&at(bot, id, "/redact"), why.clone()).await.refused(403, "forbidden");
    app.operator(peer).post(&at(peer, id, "/redact"), why.clone()).await.refused(403, "forbidden");
    app.operator(dev).post(&at(dev, rule, "/redact"), why.clone()).await.refused(403, "forbidden");
    let (ops, other) = (org.id("ops"), org.id("other"));
    app.operator(ops).post(&at(ops, id, "/redact"), why.clone()).await.refused(404, "not_found");
    app.operator(other).post(&at(other, id, "/redact"), why.clone()).await.refused(404, "not_found");
    app.operator(other).post(&at(bot, id, "/redact"), why.clone()).await.refused(404, "not_found");
    assert_eq!(app.dump(), before);
    app.operator(dev).post(&at(bot, id, "/redact"), why.clone()).await.expect(200);
    app.admin().post(&at(dev, rule, "/redact"), why).await.expect(200);
}

async fn repeated_redaction_returns_the_first_result(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let id = app.agent(bot).commit(bot, "LOCAL", "soon gone").await;
    let first =
        app.operator(bot).post(&at(bot, id, "/redact"), json!({"reason": "the first"})).await.expect(200).json();
    app.advance(chrono::TimeDelta::minutes(1));
    let again = app.operator(bot).post(&at(bot, id, "/redact"), json!({"reason": "another"})).await.expect(200).json();
    assert_eq!((&again["reason"], &again["already"]), (&json!("the first"), &json!(true)));
    assert_eq!(again["redacted_at"], first["redacted_at"]);
    let memory = json!({"id": id, "content": "back again", "scope": "LOCAL"});
    app.agent(bot).post(&format!("/workspaces/{bot}/memories"), memory).await.refused(409, "id_taken");
}

async fn invalid_reason_is_refused(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let id = app.agent(bot).commit(bot, "LOCAL", "stays").await;
    let before = app.dump();
    let path = at(bot, id, "/redact");
    for reason in [" ".to_owned(), "two\nlines".to_owned(), "x".repeat(501), "x".repeat(1 << 20)] {
        let response = app.operator(bot).post(&path, json!({"reason": reason})).await;
        assert!(matches!(response.status, 400 | 413), "{}", response.status);
    }
    app.operator(bot).post(&path, json!({})).await.refused(400, "invalid_field");
    app.operator(bot).post(&path, json!({"reason": "why", "more": 1})).await.refused(400, "invalid_field");
    for body in [
        json!({"org_id": bot, "reason": "a test"}),
        json!({"org_id": bot, "subject": "ada", "whole_org": true, "reason": "a test"}),
        json!({"org_id": bot, "subject": " ", "reason": "a test"}),
    ] {
        app.admin().post("/admin/erasures", body).await.refused(400, "invalid_field");
    }
    // not a root
    let body = json!({"org_id": bot, "subject": "ada", "reason": "a test"});
    app.admin().post("/admin/erasures", body).await.refused(404, "not_found");
    assert_eq!(app.dump(), before);
    let key = "ghp_w2Jk9LmN4pQ7rS6tU5vW4xY3zA2bC1dE0fGh";
    let response = app.operator(bot).post(&path, json!({"reason": format!("leaked {key}")})).await.expect(200).json();
    assert_eq!(response["reason"], "leaked [REDACTED:GITHUB_TOKEN]");
    assert_eq!(response["redactions"][0]["field"], "reason");
    assert!(!app.dump().join("\n").contains(key));
}

async fn stored_idempotent_response_has_no_content(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let path = format!("/workspaces/{bot}/memories");
    let once =
        |path: &str, key: &str, body: &Value| agent.request("POST", path).header("idempotency-key", key).json(body);
    let first = once(&path, "one", &marked()).send().await.expect(201);
    let batch = json!({"memories": [marked(), {"content": " ", "scope": "TEAM"}]});
    let batch_path = format!("{path}/batch");
    let many = once(&batch_path, "many", &batch).send().await.expect(200);
    assert_eq!(many.json()["items"][0]["committed"]["namespace"], MARK);
    let other = many.json()["items"][0]["committed"]["id"].as_str().expect("an id").parse().expect("an id");
    agent.patch(&at(bot, other, ""), json!({"content": format!("no {MARK} any more")})).await.expect(200);
    once(&at(bot, other, "/restore"), "back", &json!({"version": 1})).send().await.expect(200);
    for id in [first.id("id"), other] {
        app.operator(bot).post(&at(bot, id, "/redact"), json!({"reason": "a test"})).await.expect(200);
    }
    assert!(!is_in_tables(&app, MARK), "a stored response contains it");
    // the repeated request returns the same response and restores nothing
    assert_eq!(once(&path, "one", &marked()).send().await.expect(201).json(), first.json());
    assert_eq!(once(&batch_path, "many", &batch).send().await.expect(200).json(), many.json());
    assert_eq!(agent.search(bot, &[]).await.ids(), Vec::<Uuid>::new());
}

async fn end_user_is_erased_with_a_receipt(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\nother").await;
    let (acme, bot, peer, other) = (org.id("acme"), org.id("bot"), org.id("peer"), org.id("other"));
    for (author, scope) in [(bot, "TEAM"), (peer, "LOCAL"), (other, "LOCAL")] {
        let memory = json!({"content": format!("likes {MARK}"), "scope": scope, "subject": "ada-lovelace"});
        app.agent(author).commit_with(author, memory).await;
    }
    let stays = app.agent(bot).commit(bot, "TEAM", "the weather").await;
    let body = json!({"org_id": acme, "subject": "ada-lovelace", "reason": "a request"});
    app.operator(acme).post("/admin/erasures", body.clone()).await.refused(403, "forbidden");
    let before = app.dump();
    let tried = app.admin().post("/admin/erasures?dry_run=true", body.clone()).await.expect(200).json();
    assert_eq!(tried["memories"], 2);
    assert_eq!(app.dump(), before);
    let receipt = app.admin().post("/admin/erasures", body).await.expect(200).json();
    assert_eq!((&receipt["erased"], &receipt["memories"]), (&json!("subject"), &json!(2)));
    assert_eq!(receipt["subject_sha256"].as_str().map(str::len), Some(64));
    assert!(receipt["access_seq"].is_i64() && receipt["erased_by"].is_string(), "{receipt}");
    assert_eq!(app.agent(bot).search(bot, &[]).await.ids(), [stays]);
    assert_eq!(app.agent(other).search(other, &[("subject", "ada-lovelace")]).await.ids().len(), 1, "of another org");
    let receipts = app.admin().get(&format!("/admin/erasures?org_id={acme}")).await.expect(200).json();
    assert_eq!(receipts, json!([receipt]));
}

async fn purged_workspace_is_in_no_table(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let (dev, bot, ops) = (org.id("dev"), org.id("bot"), org.id("ops"));
    for workspace in [dev, bot] {
        fill(&app, workspace).await;
    }
    let stays = app.agent(ops).commit(ops, "TEAM", "stays").await;
    app.viewer(dev).delete(&format!("/workspaces/{dev}?children=cascade&purge=true")).await.refused(403, "forbidden");
    app.operator(dev).delete(&format!("/workspaces/{dev}?purge=true")).await.expect(409);
    assert!(is_in_tables(&app, MARK));
    let path = format!("/workspaces/{dev}?children=cascade&purge=true");
    let receipt = app.operator(dev).delete(&path).await.expect(200).json()["erased"].clone();
    assert_eq!((&receipt["workspaces"], &receipt["memories"], &receipt["entries"]), (&json!(2), &json!(2), &json!(2)));
    assert!(!is_in_tables(&app, MARK), "content of a purged workspace is in the tables");
    assert_eq!(app.agent(ops).search(ops, &[]).await.ids(), [stays]);
}

async fn purged_id_is_reused_and_redacted_again(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer\n  ops").await;
    let (acme, bot, peer, ops) = (org.id("acme"), org.id("bot"), org.id("peer"), org.id("ops"));
    let id = Uuid::from_u128(7);
    let memory = json!({"content": "the first", "scope": "LOCAL", "id": id, "subject": "ada"});
    let redact = async |author: Uuid| {
        app.operator(author).post(&at(author, id, "/redact"), json!({"reason": format!("for {MARK}")})).await
    };
    app.agent(bot).commit_with(bot, memory.clone()).await;
    redact(bot).await.expect(200);
    assert!(is_in_tables(&app, MARK));
    app.admin().delete(&format!("/workspaces/{bot}?purge=true")).await.expect(200);
    // the reason remains only in the audit log
    let of_reason: Vec<String> = app.dump().into_iter().filter(|row| row.contains(MARK)).collect();
    assert!(of_reason.iter().all(|row| row.starts_with("access_log ")), "{of_reason:?}");

    app.agent(peer).commit_with(peer, memory.clone()).await;
    assert_eq!(redact(peer).await.expect(200).json()["already"], false);
    app.admin().delete(&format!("/workspaces/{peer}?purge=true")).await.expect(200);
    // an erasure of an end user accepts such an id
    app.agent(ops).commit_with(ops, memory).await;
    let body = json!({"org_id": acme, "subject": "ada", "reason": format!("for {MARK}")});
    assert_eq!(app.admin().post("/admin/erasures", body).await.expect(200).json()["memories"], 1);
    let body = json!({"org_id": acme, "whole_org": true, "reason": "the contract ended"});
    app.admin().post("/admin/erasures", body).await.expect(200);
    let rows = app.dump();
    assert!(!rows.iter().any(|row| row.starts_with("redactions ")), "{rows:?}");
}

async fn erased_org_is_in_no_table(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nother\n  agent").await;
    let (acme, bot, other) = (org.id("acme"), org.id("bot"), org.id("agent"));
    fill(&app, bot).await;
    let stays = app.agent(other).commit(other, "LOCAL", "stays").await;
    let body = json!({"org_id": acme, "whole_org": true, "reason": "the contract ended"});
    let receipt = app.admin().post("/admin/erasures", body).await.expect(200).json();
    assert_eq!(
        (&receipt["erased"], &receipt["workspaces"], &receipt["memories"]),
        (&json!("org"), &json!(2), &json!(1))
    );
    assert!(!is_in_tables(&app, MARK));
    app.agent(bot).get(&format!("/workspaces/{bot}/memories")).await.refused(401, "token_invalid");
    assert_eq!(app.agent(other).search(other, &[]).await.ids(), [stays]);
}

/// Writes the mark into every field of a workspace.
async fn fill(app: &TestApp, workspace: Uuid) {
    let agent = app.agent(workspace);
    agent.commit_with(workspace, marked()).await;
    let path = format!("/workspaces/{workspace}");
    agent.post(&format!("{path}/memory"), json!({"key": MARK, "value": MARK})).await.expect(200);
    let episode = json!({"activity_type": "agent_log", "summary": MARK, "request_body": {"a": MARK}});
    let appended = agent.request("POST", &format!("{path}/activity")).header("idempotency-key", "k").json(episode);
    appended.send().await.expect(201);
    app.admin().patch(&path, json!({"name": MARK, "role": MARK, "metadata": {"a": MARK}})).await.expect(200);
}

async fn removed_content_leaves_every_file_within_five_seconds(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let redacted = agent.commit_with(bot, marked()).await;
    let forgotten = agent.commit_with(bot, marked()).await;
    agent
        .post(&format!("/workspaces/{bot}/memory"), json!({"key": "k", "value": format!("{MARK} {MARK}")}))
        .await
        .expect(200);
    assert!(on == On::Postgres || is_in_files(app.folder(), MARK), "the search covers the database file");
    app.operator(bot).post(&at(bot, redacted, "/redact"), json!({"reason": "a test"})).await.expect(200);
    agent.delete(&at(bot, forgotten, "")).await.expect(200);
    agent.delete(&format!("/workspaces/{bot}/memory/k")).await.expect(200);
    let until = Instant::now() + Duration::from_secs(60);
    while is_in_files(app.folder(), MARK) {
        assert!(Instant::now() < until, "it stays in a file of the data folder");
        // requests succeed meanwhile
        agent.search(bot, &[("q", "anything")]).await;
    }
}

/// Searches the files of a folder for a text, ignoring case.
pub(super) fn is_in_files(folder: &Path, text: &str) -> bool {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    // the write-ahead log before its database, which has the pages by the time that the log is emptied
    paths.sort_unstable_by(|one, other| other.cmp(one));
    paths.into_iter().any(|path| {
        if path.is_dir() {
            return is_in_files(&path, text);
        }
        let bytes = std::fs::read(path).unwrap_or_default().to_ascii_lowercase();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}
