//! A changed rule file is applied to what is stored.

use std::path::Path;
use std::time::{Duration, Instant};

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::redacting::is_in_files;

for_each_store!(
    changed_rules_are_applied_to_everything_that_is_stored,
    interrupted_scrub_is_completed_by_the_next_one,
    scrub_is_refused_without_permission_and_with_a_foreign_cursor,
);

/// The rules of a deployment: badges of its staff.
const RULES: &str = r#"
[[rule]]
id = "badge"
kind = "STAFF_BADGE"
keywords = ["BDG-"]
pattern = "BDG-[0-9]{6}-[A-Z]{4}"
matches = ["the badge «BDG-123456-QWER¦» opens the gate"]
ignores = ["BDG-12 is a part number"]
"#;

const BADGE: &str = "BDG-481516-QWER";

fn rules(folder: &Path) -> String {
    let path = folder.join("rules.toml");
    std::fs::write(&path, RULES).expect("written");
    path.display().to_string()
}

/// Writes the badge into every kind of row. Returns the workspace and a memory with two versions.
async fn fill(app: &TestApp) -> (Uuid, Uuid) {
    let acme = app.plant("acme\n  bot").await;
    (acme.id("bot"), fill_workspace(app, acme.id("acme"), acme.id("bot")).await)
}

/// The same in an existing workspace. Returns the memory.
pub(super) async fn fill_workspace(app: &TestApp, acme: Uuid, bot: Uuid) -> Uuid {
    let at = |rest: &str| format!("/workspaces/{bot}{rest}");
    let (agent, operator) = (app.agent(bot), app.operator(acme));
    let memory = json!({
        "content": format!("Ada uses {BADGE} at the gate"), "title": BADGE, "scope": "TEAM", "tags": [BADGE, "gate"],
        "metadata": {"badge": BADGE}, "subject": BADGE, "session_id": BADGE,
    });
    let memory = agent.commit_with(bot, memory).await;
    let edit = json!({"content": format!("Ada uses {BADGE} at the north gate")});
    agent.patch(&at(&format!("/memories/{memory}")), edit).await.expect(200);
    let procedure = json!({"content": format!("Show {BADGE}."), "kind": "procedure", "scope": "LOCAL"});
    let procedure = agent.commit_with(bot, procedure).await;
    let report = json!({"outcome": "success", "note": format!("with {BADGE}")});
    agent.post(&at(&format!("/memories/{procedure}/outcome")), report).await.expect(200);
    let skill = json!({"memory_ids": [procedure], "name": "gate", "description": format!("For {BADGE}.")});
    agent.post(&at("/skills"), skill).await.expect(201);
    operator.post(&at("/skills/gate/approve"), json!({})).await.expect(200);
    fill_document(app, bot).await;
    let grant =
        json!({"subject": BADGE, "sessions": [BADGE], "to": {"session": BADGE}, "evidence": format!("yes, {BADGE}")});
    operator.post(&at("/grants"), grant).await.expect(201);
    let old = agent.commit(bot, "LOCAL", &format!("superseded {BADGE}")).await;
    let newer = json!({"content": "the newer one", "scope": "LOCAL", "supersedes": old});
    agent.commit_with(bot, newer).await;
    agent.post(&at("/memory"), json!({"key": "gate", "value": {"who": [BADGE]}, "subject": BADGE})).await.expect(200);
    let episode = json!({
        "activity_type": "agent_log", "summary": format!("opened with {BADGE}"), "metadata": {"b": BADGE}, "actor": BADGE,
        "request_body": [BADGE], "session_id": BADGE, "correlation_id": BADGE, "subject": BADGE,
    });
    agent.post(&at("/activity"), episode).await.expect(201);
    app.admin().post(&at("/pages/compact"), json!({})).await;
    let run = agent.post(&at("/runs"), json!({"label": BADGE, "session_id": BADGE})).await.expect(201).id("run_id");
    let pending = json!({"content": format!("pending {BADGE}"), "scope": "LOCAL", "run_id": run, "title": BADGE});
    agent.commit_with(bot, pending).await;
    app.admin().post(&at("/profiles"), json!({"name": BADGE})).await.expect(201);
    operator
        .patch(&at(""), json!({"name": format!("bot {BADGE}"), "role": BADGE, "metadata": {"b": BADGE}}))
        .await
        .expect(200);
    let gone = agent.commit(bot, "LOCAL", "to be redacted").await;
    operator.post(&at(&format!("/memories/{gone}/redact")), json!({"reason": "a test"})).await.expect(200);
    // the reason is also in the sealed audit log, which a scrub does not change
    app.execute_sql(&format!("UPDATE redactions SET reason = 'named {BADGE}'"));
    let erase = json!({"org_id": acme, "subject": "nobody", "reason": BADGE});
    app.admin().post("/admin/erasures", erase).await.expect(200);
    memory
}

/// Writes the badge into every field of a document with two versions.
async fn fill_document(app: &TestApp, bot: Uuid) {
    let at = format!("/workspaces/{bot}/documents");
    let document = json!({
        "title": format!("Guide {BADGE}"), "content": format!("# The {BADGE}\n\nThe warden has {BADGE} with her.\n"),
        "media_type": "text/markdown", "scope": "TEAM", "collection": BADGE, "tags": [BADGE, "gate"],
        "metadata": {"badge": BADGE}, "author": BADGE, "source_uri": format!("file:///{BADGE}.md"),
    });
    let added = app.agent(bot).post(&at, document).await.expect(201).json();
    let edit = json!({"content": format!("# The {BADGE}\n\nThe warden shows {BADGE} twice.\n\n# Ends\n\nHere.\n")});
    app.agent(bot).patch(&format!("{at}/{}", added["id"].as_str().expect("an id")), edit).await.expect(200);
}

/// The document has the marker in every field, its passages are found by their other words, and offsets agree with the
/// text.
async fn check_document(app: &TestApp, bot: Uuid) {
    let (operator, at) = (app.operator(bot), format!("/workspaces/{bot}/documents"));
    let listed = operator.get(&at).await.expect(200).items();
    let read = operator.get(&format!("{at}/{}", listed[0]["id"].as_str().expect("an id"))).await.expect(200).json();
    assert_eq!(
        [&read["title"], &read["collection"], &read["tags"], &read["author"], &read["source_uri"]],
        [
            &json!("Guide [REDACTED:STAFF_BADGE]"),
            &json!("[REDACTED:STAFF_BADGE]"),
            &json!(["[REDACTED:STAFF_BADGE]", "gate"]),
            &json!("[REDACTED:STAFF_BADGE]"),
            &json!("file:///[REDACTED:STAFF_BADGE].md"),
        ]
    );
    assert_eq!(read["metadata"], json!({"badge": "[REDACTED:STAFF_BADGE]"}));
    let content = operator.get(&format!("{at}/{}/content", listed[0]["id"].as_str().expect("an id"))).await;
    let content = content.expect(200).json();
    let text = content["content"].as_str().expect("a text");
    assert!(text.contains("The warden shows [REDACTED:STAFF_BADGE] twice."), "{text}");
    let mut end = 0;
    for passage in content["passages"].as_array().expect("passages") {
        assert_eq!(passage["from"].as_u64(), Some(end), "{content}");
        end += passage["length"].as_u64().expect("a length");
    }
    assert_eq!(end, text.chars().count() as u64, "offsets agree with the text");
    let found = async |q: &str| operator.search(bot, &[("in", "documents"), ("q", q)]).await.items();
    assert_eq!(found("warden").await.len(), 1);
    assert!(found("481516").await.is_empty(), "the index has no term of it");
}

/// The sums of all calls: changed rows, and replacements by table.
async fn scrub(app: &TestApp, dry_run: bool) -> (u64, Vec<(String, u64)>) {
    let (mut changed, mut replaced, mut cursor) = (0, Vec::new(), String::new());
    loop {
        let path = format!("/admin/scrub?dry_run={dry_run}{cursor}");
        let response = app.admin().request("POST", &path).send().await.expect(200).json();
        assert_eq!(response["dry_run"], dry_run);
        changed += response["changed"].as_u64().unwrap_or_default();
        for count in response["replaced"].as_array().into_iter().flatten() {
            assert_eq!(count["kind"], "STAFF_BADGE", "{count}");
            let table = count["table"].as_str().unwrap_or_default().to_owned();
            replaced.push((table, count["count"].as_u64().unwrap_or_default()));
        }
        match response["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return (changed, replaced),
        }
    }
}

async fn changed_rules_are_applied_to_everything_that_is_stored(on: On) {
    let mut app = TestApp::new(on).await;
    let (bot, memory) = fill(&app).await;
    let before = app.agent(bot).get(&format!("/workspaces/{bot}/memories/{memory}")).await.expect(200).json();
    assert_eq!(scrub(&app, false).await, (0, Vec::new()), "the built-in rules find nothing");
    let file = rules(app.folder());
    app.set("ORGMEM_SCRUB_RULES", &file);
    app.restart().await;
    let dump = app.dump();
    let tried = scrub(&app, true).await;
    assert_eq!(app.dump(), dump, "a dry run changes nothing");
    let tables: Vec<&str> = tried.1.iter().map(|(table, _)| &**table).collect();
    for table in [
        "workspaces",
        "profiles",
        "memories",
        "memory_versions",
        "documents",
        "document_versions",
        "document_passages",
        "grants",
        "redactions",
        "erasures",
        "runs",
        "pending_memories",
        "entries",
        "episodes",
        "memory_uses",
        "skill_versions",
    ] {
        assert!(tables.contains(&table), "{table} is missing in {tables:?}");
    }
    assert_eq!(scrub(&app, false).await, tried, "the dry run counted what is changed");
    let left: Vec<String> = app.dump().into_iter().filter(|row| row.contains(BADGE)).collect();
    assert!(left.is_empty(), "{left:#?}");
    assert_eq!(scrub(&app, false).await, (0, Vec::new()), "a second scrub changes nothing");
    check_reads(&app, bot, memory, &before).await;
    check_document(&app, bot).await;
    // a skill stays in use, with its evidence
    let skill = app.agent(bot).get(&format!("/workspaces/{bot}/skills/gate")).await.expect(200).json();
    let (text, source) = (skill["files"].to_string(), skill["sources"][0].clone());
    assert!(text.contains("Show [REDACTED:STAFF_BADGE].") && !text.contains(BADGE), "{text}");
    assert_eq!(source["version"], 2);
    let procedure = source["memory_id"].as_str().expect("an id");
    let evidence = app.agent(bot).get(&format!("/workspaces/{bot}/memories/{procedure}/evidence")).await;
    assert_eq!(evidence.expect(200).json()["successes"], 1);
    // the audit log names each change, without the text
    let rows = app.admin().get(&format!("/workspaces/{bot}/access-log?action=scrub_memory")).await.expect(200).items();
    let named = rows.iter().find(|row| row["memories"][0]["id"] == json!(memory)).expect("the memory has a row");
    assert_eq!(
        (&named["context"]["table"], &named["context"]["replaced"]),
        (&json!("memories"), &json!({"STAFF_BADGE": 6}))
    );
    if on == On::Sqlite {
        let until = Instant::now() + Duration::from_secs(60);
        std::fs::remove_file(&file).expect("the rules themselves are removed");
        while ["bdg-481516", "481516"].iter().any(|text| is_in_files(app.folder(), text)) {
            assert!(Instant::now() < until, "it stays in a file of the data folder");
            tokio::task::yield_now().await;
        }
    }
}

/// Reads, searches and histories have the marker.
async fn check_reads(app: &TestApp, bot: Uuid, memory: Uuid, before: &Value) {
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}"));
    let read = agent.get(&format!("{at}/memories/{memory}")).await.expect(200).json();
    assert_eq!(read["content"], "Ada uses [REDACTED:STAFF_BADGE] at the north gate");
    assert!(
        read["version"].as_i64() > before["version"].as_i64(),
        "an edit that expects the earlier version is refused"
    );
    assert_eq!(read["created_at"], before["created_at"]);
    let history = agent.get(&format!("{at}/memories/{memory}/history")).await.expect(200).items();
    let contents: Vec<&Value> = history.iter().map(|version| &version["content"]).collect();
    assert_eq!(contents.last(), Some(&&json!("Ada uses [REDACTED:STAFF_BADGE] at the gate")), "{contents:?}");
    let found = async |q: &str| agent.search(bot, &[("q", q), ("mode", "keyword")]).await;
    assert_eq!(found("north gate").await.ids(), [memory]);
    assert!(found("481516").await.items().is_empty(), "the index has no term of it");
    let entry = agent.get(&format!("{at}/memory/gate")).await.expect(200).json();
    assert_eq!(entry["value"], json!({"who": ["[REDACTED:STAFF_BADGE]"]}));
    assert_eq!(entry["version"], 2);
    let row = app.admin().get(&at).await.expect(200).json();
    assert_eq!((&row["name"], &row["role"]), (&json!("bot [REDACTED:STAFF_BADGE]"), &json!("[REDACTED:STAFF_BADGE]")));
    let session = agent.get(&format!("{at}/session-search?q=481516")).await.expect(200).items();
    assert!(session.is_empty(), "{session:?}");
    let session = agent.get(&format!("{at}/session-search?q=opened")).await.expect(200).items();
    assert!(!session.is_empty(), "the episode is found by its other words");
}

/// `kill -9` after the first calls.
async fn interrupted_scrub_is_completed_by_the_next_one(on: On) {
    let mut app = TestApp::builder(on).as_program().start().await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let memory =
        |number: usize| json!({"content": format!("visit {number} with BDG-{number:06}-QWER"), "scope": "LOCAL"});
    let batch = json!({"memories": (0..250).map(memory).collect::<Vec<_>>()});
    app.agent(bot).post(&format!("/workspaces/{bot}/memories/batch"), batch).await.expect(200);
    let file = rules(app.folder());
    app.set("ORGMEM_SCRUB_RULES", &file);
    app.restart().await;
    // a call changes at most a hundred rows
    let first = app.admin().request("POST", "/admin/scrub").send().await.expect(200).json();
    let (mut response, mut changed) = (first, 0);
    while changed == 0 {
        let next = response["next"].as_str().expect("there are more rows").to_owned();
        response = app.admin().request("POST", &format!("/admin/scrub?cursor={next}")).send().await.expect(200).json();
        changed = response["changed"].as_u64().unwrap_or_default();
    }
    assert!((1..250).contains(&changed), "{response}");
    app.kill().await;
    app.restart().await;
    let output = Shell::to(&app).enter("orgmem scrub --json").await.success();
    let sums: Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(sums["changed"], json!(250 - changed), "{sums}");
    let left = app.dump().into_iter().filter(|row| row.contains("-QWER")).count();
    assert_eq!(left, 0);
    let listed = app.agent(bot).search(bot, &[("q", "visit"), ("limit", "50")]).await.items();
    assert_eq!(listed.len(), 50);
    assert!(
        listed
            .iter()
            .all(|memory| memory["content"].as_str().is_some_and(|text| text.ends_with("[REDACTED:STAFF_BADGE]")))
    );
}

async fn scrub_is_refused_without_permission_and_with_a_foreign_cursor(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for caller in [app.agent(bot), app.viewer(bot), app.operator(bot)] {
        caller.request("POST", "/admin/scrub").send().await.refused(403, "forbidden");
    }
    for cursor in ["x", "WyJtZW1vcmllcyIsN10"] {
        app.admin()
            .request("POST", &format!("/admin/scrub?cursor={cursor}"))
            .send()
            .await
            .refused(400, "invalid_cursor");
    }
}
