//! A workspace with every kind of row moves into an org of another database.

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};

use super::scrubbing_stored::fill_workspace;

for_each_store!(workspace_with_everything_moves_into_an_org);

fn shell(app: &TestApp) -> Shell {
    let shell = Shell::new().with("ORGMEM_DATA_DIR", &app.folder().display().to_string());
    if let Some(url) = app.database_url() { shell.with("ORGMEM_DATABASE_URL", url) } else { shell }
}

/// The rows of a file, without the log of the org and the workspace's place, which stay with their orgs.
fn rows(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("an export");
    let other = ["format", "workspaces", "access_log", "events", "end", "trailer"].map(|name| format!("{{\"{name}\""));
    let lines = text.lines().filter(|line| other.iter().all(|start| !line.starts_with(start)));
    lines.map(str::to_owned).collect()
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
    source.stop().await;
    let _ = shell(&source).enter(&format!("orgmem export {part} --workspace {bot}")).await.success();
    let expected = rows(&part);
    for table in [
        "memories",
        "memory_versions",
        "documents",
        "document_versions",
        "document_passages",
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
