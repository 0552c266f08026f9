//! A workspace with every kind of row moves into an org of another database.

use std::ops::RangeInclusive;

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::scrubbing_stored::fill_workspace;

for_each_store!(workspace_with_everything_moves_into_an_org);

fn shell(app: &TestApp) -> Shell {
    let shell = Shell::new().with("ORGMEM_DATA_DIR", &app.folder().display().to_string());
    if let Some(url) = app.database_url() { shell.with("ORGMEM_DATABASE_URL", url) } else { shell }
}

/// The rows of a file, without the log of the org and the workspace's place, which stay with their orgs, and without the
/// last row that a processor has read: the rows of a collection have other numbers in another org.
fn rows(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("an export");
    let other = ["format", "workspaces", "access_log", "events", "end", "trailer"].map(|name| format!("{{\"{name}\""));
    let lines = text.lines().filter(|line| other.iter().all(|start| !line.starts_with(start)));
    lines.map(unread).collect()
}

fn unread(line: &str) -> String {
    let mut row: Value = serde_json::from_str(line).expect("JSON");
    if let Some(processor) = row.get_mut("processors") {
        processor["read_seq"] = json!(0);
    }
    row.to_string()
}

/// Writes three rows, of which a processor makes a fact.
async fn fill_collection(app: &TestApp, root: Uuid, bot: Uuid) {
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    app.agent(bot).put(&at("collections/bugs"), json!({"key": "id"})).await.expect(200);
    add_rows(app, bot, 1..=3).await;
    // a schedule that no test meets
    let set = json!({"collection": "bugs", "schedule": "0 0 1 1 *"});
    app.operator(root).post(&at("processors"), json!({"built_in": "bug-import", "set": set})).await.expect(200);
    assert_eq!(run_processor(app, bot).await["inserted"], json!(1));
}

async fn add_rows(app: &TestApp, bot: Uuid, ids: RangeInclusive<u32>) {
    let row = |id| json!({"id": id, "component": "cart", "type": "crash", "root_cause": "race", "severity": "high"});
    let rows: Vec<Value> = ids.map(row).collect();
    app.agent(bot).post(&format!("/workspaces/{bot}/collections/bugs/rows"), rows).await.expect(200);
}

async fn run_processor(app: &TestApp, bot: Uuid) -> Value {
    let path = format!("/workspaces/{bot}/processors/bug-import/run");
    app.agent(bot).post(&path, json!(null)).await.expect(200).json()
}

async fn workspace_with_everything_moves_into_an_org(on: On) {
    let mut source = TestApp::new(on).await;
    let acme = source.plant("acme\n  bot").await;
    let (root, bot) = (acme.id("acme"), acme.id("bot"));
    let name = |name: &str| source.folder().join(name).display().to_string();
    let (tree, part, copy) = (name("tree.jsonl"), name("part.jsonl"), name("copy.jsonl"));
    source.stop().await;
    let _ = shell(&source).enter(&format!("orgmem export {tree}")).await.success();
    source.restart().await;
    let memory = fill_workspace(&source, root, bot).await;
    fill_collection(&source, root, bot).await;
    source.stop().await;
    let _ = shell(&source).enter(&format!("orgmem export {part} --workspace {bot}")).await.success();
    let expected = rows(&part);
    for table in [
        "memories",
        "memory_versions",
        "documents",
        "document_versions",
        "document_passages",
        "grants",
        "redactions",
        "runs",
        "pending_memories",
        "entries",
        "episodes",
        "profiles",
        "memory_uses",
        "skills",
        "skill_versions",
        "skill_sources",
        "collections",
        "collection_rows",
        "processors",
        "processor_rows",
        "processor_groups",
        "processor_runs",
    ] {
        assert!(expected.iter().any(|row| row.starts_with(&format!("{{\"{table}\""))), "{table} is not in the file");
    }

    let mut target = TestApp::new(if on == On::Sqlite { On::Postgres } else { On::Sqlite }).await;
    target.stop().await;
    let shell = shell(&target);
    let _ = shell.enter(&format!("orgmem import {tree} --skip-existing")).await.success();
    let refused = shell.enter(&format!("orgmem import {part}")).await;
    assert!(refused.err.contains("with --into ORG"), "{refused:?}");
    let import = format!("orgmem import {part} --into {root} --json");
    let tried = shell.enter(&format!("{import} --dry-run")).await.success();
    let done = shell.enter(&import).await.success();
    let counts = |out: &str| serde_json::from_str::<Value>(out).expect("JSON")["tables"].clone();
    assert_eq!(counts(&tried.out), counts(&done.out));
    let _ = shell.enter(&format!("orgmem export {copy} --workspace {bot}")).await.success();
    assert_eq!(rows(&copy), expected);
    let again = counts(&shell.enter(&import).await.success().out);
    let changed = again.as_object().expect("tables").values().map(|table| table["imported"].as_u64());
    assert_eq!(changed.sum::<Option<u64>>(), Some(0), "{again}");

    target.restart().await;
    let (agent, at) = (target.agent(bot), format!("/workspaces/{bot}"));
    assert_eq!(agent.search(bot, &[("q", "north gate"), ("mode", "keyword")]).await.ids(), [memory]);
    assert_eq!(agent.get(&format!("{at}/memories/{memory}/history")).await.expect(200).items().len(), 2);
    let passages = [("in", "documents"), ("q", "warden")];
    assert_eq!(target.operator(bot).search(bot, &passages).await.items().len(), 1);
    let skill = agent.get(&format!("{at}/skills/gate")).await.expect(200).json();
    assert_eq!(skill["sources"].as_array().map(Vec::len), Some(1));
    // the org goes on from there
    add_rows(&target, bot, 4..=4).await;
    let report = run_processor(&target, bot).await;
    assert_eq!(
        (&report["read"], &report["inserted"], &report["updated"]),
        (&json!(4), &json!(0), &json!(1)),
        "{report}"
    );
    let next = agent.commit(bot, "LOCAL", "written after the import").await;
    assert_eq!(agent.search(bot, &[("q", "written after"), ("mode", "keyword")]).await.ids(), [next]);
    let documents = target.operator(bot).get(&format!("{at}/documents")).await.expect(200).items();
    let id = documents[0]["id"].as_str().expect("an id");
    agent.delete(&format!("{at}/documents/{id}")).await.expect(200);
    assert_eq!(target.operator(bot).search(bot, &passages).await.items(), Vec::<Value>::new());
    // and its deletion stays when the same file is imported again
    target.stop().await;
    let counts = counts(&shell.enter(&format!("{import} --skip-existing")).await.success().out);
    assert_eq!(counts["documents"], json!({"imported": 0, "existing": 0, "different": 0, "removed": 1, "left_out": 0}));
    assert_eq!(counts["document_passages"]["imported"], 0);
}
