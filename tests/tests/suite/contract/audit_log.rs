//! The audit log: its rows, and the detection of changes.

use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    every_call_is_recorded,
    log_lists_readers_of_a_memory_and_reads_of_a_run,
    reads_by_agents_and_by_people_are_listed_apart,
    callers_read_only_rows_of_their_workspaces,
    log_contains_hashes_and_no_content,
    pages_continue_without_gaps,
    changed_row_is_detected_and_named,
    truncated_log_is_detected,
    unwritable_log_blocks_writes_but_not_reads,
    invalid_parameters_are_refused,
    command_line_lists_exports_and_verifies,
);

pub(super) async fn log(caller: &Caller, of: Uuid, query: &str) -> Vec<Value> {
    caller.all_pages(&format!("/workspaces/{of}/access-log{query}")).await.0
}

pub(super) fn actions(rows: &[Value]) -> Vec<&str> {
    rows.iter().rev().filter_map(|row| row["action"].as_str()).collect()
}

async fn verify(caller: &Caller, of: Uuid) -> Value {
    caller.get(&format!("/workspaces/{of}/access-log/verify")).await.expect(200).json()
}

async fn every_call_is_recorded(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let (acme, dev, bot, ops) = (org.id("acme"), org.id("dev"), org.id("bot"), org.id("ops"));
    let (agent, admin) = (app.agent(bot), app.admin());
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    let before = log(&admin, acme, "?subtree=true").await.len();
    let memory = agent.commit(bot, "TEAM", "deploys happen on tuesdays").await;
    agent.search(bot, &[("q", "deploys")]).await;
    agent.get(&at(&format!("memories/{memory}"))).await.expect(200);
    agent.post(&at("memory"), json!({"key": "state", "value": 1})).await.expect(200);
    agent.get(&at("memory/state")).await.expect(200);
    agent.get(&at("memory")).await.expect(200);
    agent.delete(&at("memory/state")).await.expect(200);
    agent.post(&at("activity"), json!({"activity_type": "agent_log"})).await.expect(201);
    agent.get(&at("activity")).await.expect(200);
    agent.get(&at("session-search")).await.expect(200);
    agent.delete(&at(&format!("memories/{memory}"))).await.expect(200);
    admin.patch(&format!("/workspaces/{bot}"), json!({"name": "bot-7"})).await.expect(200);
    admin.move_workspace(bot, ops).await;
    let token = admin.post(&at("tokens"), json!({"role": "agent"})).await.expect(201).id("jti");
    admin.delete(&format!("/tokens/{token}")).await.expect(200);
    admin.delete(&at("tokens")).await.expect(200);
    admin.delete(&format!("/workspaces/{dev}")).await.expect(200);
    let rows = log(&admin, acme, "?subtree=true").await;
    let new = &rows[..rows.len() - before];
    let mut result = actions(new);
    result.sort_unstable();
    let mut expected = vec![
        "append_episode",
        "commit_memory",
        "drop_entry",
        "edit_workspace",
        "forget_memory",
        "issue_token",
        "list_entries",
        "list_episodes",
        "move_workspace",
        "put_entry",
        "read_access_log",
        "read_entry",
        "read_memory",
        "remove_workspace",
        "revoke_token",
        "revoke_tokens",
        "search_memories",
        "search_session",
    ];
    expected.sort_unstable();
    assert_eq!(
        result.iter().filter(|result| **result != "read_access_log").collect::<Vec<_>>(),
        expected.iter().filter(|result| **result != "read_access_log").collect::<Vec<_>>()
    );
    let seqs: Vec<i64> = rows.iter().filter_map(|row| row["seq"].as_i64()).collect();
    assert_eq!(seqs, (1..=seqs.len() as i64).rev().collect::<Vec<_>>(), "rows are counted without a gap");
    let checked = verify(&admin, acme).await;
    assert_eq!((&checked["intact"], &checked["waiting_rows"]), (&json!(true), &json!(0)), "{checked}");
}

async fn log_lists_readers_of_a_memory_and_reads_of_a_run(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let (memory, run) = (app.agent(bot).commit(bot, "TEAM", "deploys happen on tuesdays").await, Uuid::from_u128(77));
    app.agent(bot).commit(bot, "LOCAL", "something else").await;
    // covers sealed and unsealed rows
    verify(&app.admin(), acme).await;
    let search = format!("/workspaces/{peer}/memories?q=deploys");
    app.agent(peer).request("GET", &search).header("x-run-id", run.to_string()).send().await.expect(200);
    app.viewer(acme).get(&format!("/workspaces/{bot}/memories/{memory}")).await.expect(200);
    let rows_of_memory =
        app.admin().get(&format!("/workspaces/{bot}/memories/{memory}/access-log")).await.expect(200).items();
    assert_eq!(actions(&rows_of_memory), ["commit_memory", "search_memories", "read_memory"]);
    let of_peer = &rows_of_memory[1];
    assert_eq!(of_peer["workspace_id"], json!(peer));
    assert_eq!(of_peer["run_id"], json!(run));
    assert_eq!(of_peer["memories"], json!([{"id": memory, "version": 1}]));
    assert_eq!(rows_of_memory[0]["role"], "viewer");
    let of_run = log(&app.admin(), acme, &format!("?subtree=true&run_id={run}")).await;
    assert_eq!((of_run.len(), &of_run[0]["seq"]), (1, &of_peer["seq"]));
    verify(&app.admin(), acme).await;
    let sealed = log(&app.admin(), acme, &format!("?subtree=true&run_id={run}")).await;
    assert_eq!(sealed[0]["sealed"], true);
    app.agent(peer).get(&format!("/workspaces/{peer}/memories/{memory}/access-log")).await.expect(200);
}

async fn reads_by_agents_and_by_people_are_listed_apart(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let memory = app.agent(bot).commit(bot, "TEAM", "deploys happen on tuesdays").await;
    app.agent(peer).search(peer, &[("q", "deploys")]).await;
    for person in [app.viewer(acme), app.operator(acme), app.admin()] {
        person.search(peer, &[("q", "deploys")]).await;
    }
    for (callers, roles) in [("agents", &["agent"][..]), ("people", &["admin", "operator", "viewer"])] {
        let rows = log(&app.admin(), peer, &format!("?action=search_memories&callers={callers}")).await;
        assert_eq!(rows.iter().map(|row| row["role"].as_str().expect("a role")).collect::<Vec<_>>(), roles);
        let path = format!("/workspaces/{bot}/memories/{memory}/access-log?callers={callers}");
        let rows = app.admin().get(&path).await.expect(200).items();
        assert_eq!(rows.iter().filter(|row| row["action"] == "search_memories").count(), roles.len());
    }
    let dry_run = format!("/workspaces/{bot}/memories/{memory}/redact?dry_run=true");
    let planned = app.admin().post(&dry_run, json!({"reason": "it was wrong"})).await.expect(200).json();
    let [reader] = planned["readers"].as_array().expect("a list").as_slice() else { panic!("{planned}") };
    assert_eq!((id_of(reader, "workspace_id"), &reader["reads"]), (peer, &json!(4)));
    assert_eq!(reader["reads_by_people"], 3);
}

async fn callers_read_only_rows_of_their_workspaces(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let (acme, dev, bot, peer, ops) = (org.id("acme"), org.id("dev"), org.id("bot"), org.id("peer"), org.id("ops"));
    let memory = app.agent(bot).commit(bot, "TEAM", "shared").await;
    app.agent(peer).search(peer, &[]).await;
    app.agent(dev).search(dev, &[]).await;
    app.admin().commit(acme, "GLOBAL", "for all").await;
    let whose = |rows: &[Value]| -> Vec<Uuid> {
        let mut ids: Vec<Uuid> = rows.iter().map(|row| orgmem_tests::id_of(row, "workspace_id")).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let sorted = |mut ids: Vec<Uuid>| {
        ids.sort_unstable();
        ids
    };
    assert_eq!(whose(&log(&app.agent(bot), bot, "").await), [bot]);
    assert_eq!(whose(&log(&app.viewer(dev), dev, "?subtree=true").await), sorted(vec![dev, bot, peer]));
    let all = whose(&log(&app.viewer(acme), acme, "?subtree=true").await);
    assert_eq!(all, sorted(vec![acme, dev, bot, peer, ops]));
    app.agent(bot).get(&format!("/workspaces/{bot}/access-log?subtree=true")).await.refused(403, "forbidden");
    app.agent(bot).get(&format!("/workspaces/{peer}/access-log")).await.refused(403, "forbidden");
    // each caller sees rows of workspaces that it may read
    let of = |at: Uuid| format!("/workspaces/{at}/memories/{memory}/access-log");
    assert_eq!(whose(&app.agent(bot).get(&of(bot)).await.expect(200).items()), [bot]);
    assert_eq!(whose(&app.agent(peer).get(&of(peer)).await.expect(200).items()), [peer]);
    assert_eq!(whose(&app.viewer(dev).get(&of(bot)).await.expect(200).items()), sorted(vec![bot, peer, dev]));
    app.agent(ops).get(&of(ops)).await.refused(404, "not_found");
    // rows of removed workspaces remain visible to callers that covered them
    app.admin().delete(&format!("/workspaces/{peer}")).await.expect(200);
    assert!(whose(&log(&app.viewer(dev), dev, "?subtree=true").await).contains(&peer));
    assert!(!whose(&log(&app.viewer(ops), ops, "?subtree=true").await).contains(&peer));
    // the chain requires access to the whole log
    app.viewer(dev).get(&format!("/workspaces/{dev}/access-log/verify")).await.refused(403, "forbidden");
    assert_eq!(verify(&app.viewer(acme), dev).await["intact"], true);
}

async fn log_contains_hashes_and_no_content(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    agent.commit(bot, "LOCAL", "quetzalcoatlus nests here").await;
    agent.post(&format!("/workspaces/{bot}/memory"), json!({"key": "archaeopteryx", "value": "dimetrodon"})).await;
    agent.search(bot, &[("q", "quetzalcoatlus")]).await;
    let rows = log(&agent, bot, "").await;
    assert_eq!(rows[rows.len() - 1]["action"], "create_workspace");
    let commit = rows.iter().find(|row| row["action"] == "commit_memory").expect("a row");
    // SHA-256 of the content
    let hash = "a6a9575f51dd70a6e78617b13114d08c2f324ee4f38bbe4ec605b302c2209234";
    assert_eq!(commit["content_hash"], hash);
    let stored: Vec<String> = app.dump().into_iter().filter(|row| row.starts_with("access_log ")).collect();
    let stored = stored.join("\n").to_lowercase();
    assert!(!stored.is_empty());
    for text in ["quetzal", "archaeopteryx", "dimetrodon"] {
        assert!(!stored.contains(text), "`{text}` is in the log");
    }
}

async fn pages_continue_without_gaps(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    for n in 0..30 {
        app.agent(bot).commit(bot, "LOCAL", &format!("memory {n}")).await;
    }
    // rows show whether they are sealed, so seal them before comparing pages
    verify(&app.admin(), acme).await;
    let filter = "?action=commit_memory";
    let whole = log(&app.agent(bot), bot, filter).await;
    let (paged, pages) = app.agent(bot).all_pages(&format!("/workspaces/{bot}/access-log{filter}&limit=7")).await;
    assert_eq!((whole.len(), &paged, pages), (30, &whole, 5));
}

/// Changes of one column of one row, on either database.
fn changes(on: On) -> Vec<(&'static str, String)> {
    let (bytes, uuid, nothing) = match on {
        On::Sqlite => ("x'00'", "x'000102030405060708090a0b0c0d0e0f'", "x''"),
        On::Postgres => ("'\\x00'::bytea", "'00010203-0405-0607-0809-0a0b0c0d0e0f'", "''::bytea"),
    };
    let later = if on == On::Sqlite { "at + 1" } else { "at + interval '1 microsecond'" };
    vec![
        ("at", later.to_owned()),
        ("verb", "'read_memory'".to_owned()),
        ("verb", "'no verb at all'".to_owned()),
        ("subject", "subject || 'x'".to_owned()),
        ("role", "'admin'".to_owned()),
        ("token_id", uuid.to_owned()),
        ("token_id", "NULL".to_owned()),
        ("workspace_id", uuid.to_owned()),
        ("run_id", uuid.to_owned()),
        ("content_hash", bytes.to_owned()),
        ("content_hash", "NULL".to_owned()),
        ("memories", nothing.to_owned()),
        ("context", "context || ' '".to_owned()),
    ]
}

async fn changed_row_is_detected_and_named(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    for n in 0..6 {
        app.agent(bot).commit(bot, "LOCAL", &format!("memory {n}")).await;
        if n % 2 == 0 {
            verify(&app.admin(), acme).await;
        }
    }
    let whole = verify(&app.admin(), acme).await;
    assert_eq!(whole["intact"], true, "{whole}");
    app.execute_sql(
        "CREATE TABLE kept_rows AS SELECT * FROM access_log; CREATE TABLE kept_seals AS SELECT * FROM access_seals; \
         CREATE TABLE saved_ranges AS SELECT * FROM audit_ranges",
    );
    let restore = "DELETE FROM access_log; INSERT INTO access_log SELECT * FROM kept_rows; \
                   DELETE FROM access_seals; INSERT INTO access_seals SELECT * FROM kept_seals; \
                   DELETE FROM audit_ranges; INSERT INTO audit_ranges SELECT * FROM saved_ranges";
    let check = async |what: &str, statement: String, fault: Option<&str>| {
        app.execute_sql(&statement);
        let result = verify(&app.admin(), acme).await;
        assert_eq!(result["intact"], false, "{what} was not found: {statement}");
        if let Some(fault) = fault {
            assert_eq!(result["fault"], fault, "{what}");
        }
        app.execute_sql(restore);
    };
    for (column, value) in changes(on) {
        let statement =
            format!("UPDATE access_log SET {column} = {value} WHERE seq = 5 AND {column} IS DISTINCT FROM {value}");
        check(column, statement, Some("row 5 of the audit log was changed")).await;
    }
    check("a row", "DELETE FROM access_log WHERE seq = 3".into(), Some("row 3 of the audit log is missing")).await;
    let swap = "UPDATE access_log SET seq = -1 WHERE seq = 4; UPDATE access_log SET seq = 4 WHERE seq = 5; \
                UPDATE access_log SET seq = 5 WHERE seq = -1";
    check("an order", swap.into(), None).await;
    let behind = "INSERT INTO access_log SELECT org_id, 1000, at, verb, subject, role, token_id, workspace_id, run_id, \
                  content_hash, memories, context FROM access_log WHERE seq = 5";
    check("a row behind", behind.into(), None).await;
    check("a row before", behind.replace("1000", "0"), Some("row 0 of the audit log was inserted")).await;
    for column in ["named", "hashes", "previous", "link", "key_id", "mac"] {
        let value = if on == On::Sqlite { "x'00'" } else { "'\\x00'::bytea" };
        check(column, format!("UPDATE access_seals SET {column} = {value} WHERE first_seq = 1"), None).await;
    }
    check("where rows are", "DELETE FROM audit_ranges WHERE first_seq = 1".into(), None).await;
    check("how far they go", "UPDATE audit_ranges SET last_seq = last_seq - 1 WHERE first_seq = 1".into(), None).await;
    check("a seal", "DELETE FROM access_seals WHERE first_seq = 1".into(), None).await;
    check("all seals", "DELETE FROM access_seals".into(), None).await;
    let after = verify(&app.admin(), acme).await;
    assert_eq!(after["intact"], true, "what was put back is as it was: {after}");
}

async fn truncated_log_is_detected(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    for n in 0..3 {
        app.agent(bot).commit(bot, "LOCAL", &format!("memory {n}")).await;
        verify(&app.admin(), acme).await;
    }
    let last = verify(&app.admin(), acme).await["last_seq"].as_i64().expect("a number");
    // the last row, its seal, and all counts in the database
    app.execute_sql(&format!(
        "DELETE FROM access_log WHERE seq >= (SELECT max(first_seq) FROM access_seals); \
         DELETE FROM access_seals WHERE first_seq = (SELECT max(first_seq) FROM access_seals); \
         UPDATE orgs SET access_seq = (SELECT max(seq) FROM access_log), \
         sealed_seq = (SELECT max(last_seq) FROM access_seals) WHERE access_seq = {last}"
    ));
    let result = verify(&app.admin(), acme).await;
    let fault = result["fault"].as_str().expect("a fault");
    assert!(fault.ends_with(&format!("row {last} was sealed: its end is missing")), "{fault}");
}

async fn unwritable_log_blocks_writes_but_not_reads(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let agent = app.agent(bot);
    agent.commit(bot, "LOCAL", "before").await;
    app.execute_sql("ALTER TABLE access_log RENAME TO access_log_elsewhere");
    let write = json!({"scope": "LOCAL", "content": "during"});
    let refused = agent.post(&format!("/workspaces/{bot}/memories"), &write).await;
    assert!(refused.status >= 500, "{}", refused.describe());
    assert_eq!(agent.search(bot, &[]).await.items().len(), 1);
    app.execute_sql("ALTER TABLE access_log_elsewhere RENAME TO access_log");
    agent.post(&format!("/workspaces/{bot}/memories"), &write).await.expect(201);
    let rows = log(&app.admin(), bot, "").await;
    assert!(actions(&rows).contains(&"search_memories"), "the read is recorded when the log is writable again");
    assert_eq!(verify(&app.admin(), acme).await["intact"], true);
}

async fn command_line_lists_exports_and_verifies(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let memory = app.agent(bot).commit(bot, "LOCAL", "deploys happen on tuesdays").await;
    let (url, token) = (app.address().to_owned(), app.admin().token().expect("a token").to_owned());
    let orgmem = async |words: &[&str]| {
        let mut command = std::process::Command::new(orgmem_tests::program());
        command.args(words).env("ORGMEM_URL", &url).env("ORGMEM_TOKEN", &token);
        let ran = tokio::task::spawn_blocking(move || command.output()).await.expect("it ends").expect("it starts");
        (ran.status.code(), String::from_utf8(ran.stdout).expect("text"), String::from_utf8(ran.stderr).expect("text"))
    };
    let root = acme.to_string();
    let (code, verified, _) = orgmem(&["audit", "verify", &root]).await;
    assert_eq!((code, verified.starts_with("intact: ")), (Some(0), true), "{verified}");
    let (_, exported, _) = orgmem(&["audit", "export", &root, "--subtree", "--memory", &memory.to_string()]).await;
    let rows: Vec<Value> = exported.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(actions(&rows), ["commit_memory"]);
    let by_people = ["audit", "export", &root, "--subtree", "--callers", "people", "--memory", &memory.to_string()];
    assert_eq!(orgmem(&by_people).await.1, "", "an agent wrote it");
    let (_, listed, _) = orgmem(&["audit", "list", &root, "--subtree"]).await;
    assert!(listed.contains("commit_memory") && listed.contains("create_workspace"), "{listed}");
    app.execute_sql("UPDATE access_log SET subject = 'somebody else' WHERE seq = 2");
    let (code, _, fault) = orgmem(&["audit", "verify", &root]).await;
    assert_eq!(code, Some(1));
    assert!(fault.contains("row 2 of the audit log was changed"), "{fault}");
}

async fn invalid_parameters_are_refused(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let admin = app.admin();
    admin.get(&format!("/workspaces/{bot}/access-log?action=do_it")).await.refused(400, "invalid_field");
    admin.get(&format!("/workspaces/{bot}/access-log?cursor=nonsense")).await.refused(400, "invalid_cursor");
    admin.get(&format!("/workspaces/{bot}/access-log?since=yesterday")).await.refused(400, "invalid_field");
    admin.get(&format!("/workspaces/{bot}/access-log?callers=robots")).await.refused(400, "invalid_field");
    admin.get(&format!("/workspaces/{bot}/access-log?color=red")).await.refused(400, "invalid_field");
    admin.get(&format!("/workspaces/{acme}/access-log/verify?cursor=x")).await.refused(400, "invalid_cursor");
    let foreign = Uuid::from_u128(9);
    admin.get(&format!("/workspaces/{bot}/memories/{foreign}/access-log")).await.refused(404, "not_found");
    let odd = admin.request("GET", &format!("/workspaces/{bot}/memories")).header("x-run-id", "run 7");
    odd.send().await.refused(400, "invalid_field");
    assert!(log(&admin, bot, "?subject=nobody%00").await.is_empty());
}
