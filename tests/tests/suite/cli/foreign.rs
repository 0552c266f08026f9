//! Files of other tools through `orgmem import --from`. `tests/formats/files` has files that the tools themselves wrote;
//! `tests/formats/run` writes them again and imports those.

use std::path::Path;

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    files_of_other_tools_are_imported_completely_and_once,
    array_of_a_platform_finds_its_workspaces,
    faulty_file_imports_nothing_and_names_its_line,
    interrupted_import_of_a_file_is_completed_by_the_next_one,
);

/// A format, its file, and the numbers of read, imported and replaced parts.
const FILES: [(&str, &str, u64, &[&str]); 4] = [
    ("mcp-memory", "mcp-memory.jsonl", 8, &["prefers tea to coffee", "Depot 7 belongs to Brindlemoor", "Brindlemoor"]),
    ("mem0", "mem0.json", 4, &["prefers window seats", "I am allergic to nuts", "noted: no nuts"]),
    ("letta", "letta.af", 2, &["Name: Ada. Prefers short answers."]),
    ("markdown", "notes", 3, &["# Welcome\n\nRead the notes of operations first."]),
];

fn files() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/files");
    folder.display().to_string()
}

/// An org with the workspace `bot`.
async fn create(app: &TestApp) -> Uuid {
    let acme = app.admin().create("acme", None).await;
    app.admin().create("bot", Some(acme)).await
}

async fn import(shell: &Shell, arguments: &str) -> Value {
    let output = shell.enter(&format!("orgmem import --json {arguments}")).await.success();
    serde_json::from_str(&output.out).expect("JSON")
}

async fn files_of_other_tools_are_imported_completely_and_once(on: On) {
    let app = TestApp::builder(on).as_program().start().await;
    let bot = create(&app).await;
    let shell = Shell::to(&app);
    let mut total = 0;
    for (format, file, memories, contents) in FILES {
        let arguments = format!("--from {format} '{}/{file}' -w bot --scope TEAM", files());
        let before = app.dump();
        let tried = import(&shell, &format!("{arguments} --dry-run")).await;
        assert_eq!(app.dump(), before, "a dry run of {format} changes nothing");
        assert_eq!((&tried["imported"], &tried["exist"]), (&json!(memories), &json!(0)), "{tried}");
        let done = import(&shell, &arguments).await;
        for count in ["memories", "imported", "read", "unmapped", "redactions"] {
            assert_eq!(done[count], tried[count], "{count} of {format}");
        }
        let again = import(&shell, &arguments).await;
        assert_eq!((&again["imported"], &again["exist"]), (&json!(0), &json!(memories)), "{again}");
        total += memories;
        let found = app.admin().get(&format!("/workspaces/{bot}/memories?limit=50")).await.expect(200).items();
        assert_eq!(found.len() as u64, total, "{format}");
        for content in contents {
            assert!(found.iter().any(|memory| memory["content"] == *content && memory["scope"] == "TEAM"), "{content}");
        }
        // each file but the agent's has a credential
        assert_eq!(done["redactions"].as_object().is_some_and(|kinds| kinds.is_empty()), format == "letta", "{done}");
    }
    let stored = app.dump().join("\n");
    for credential in ["f3a91c77d0e24b6c", "hunter2horse", "glsa_x7Kp2mQ9"] {
        assert!(!stored.contains(credential), "{credential}");
    }
}

async fn array_of_a_platform_finds_its_workspaces(on: On) {
    let app = TestApp::builder(on).as_program().start().await;
    let shell = Shell::to(&app);
    let file = format!("--from platform '{}/platform.json'", files());
    let absent = shell.enter(&format!("orgmem import {file}")).await;
    assert_eq!(absent.code, Some(1), "{absent:#?}");
    assert!(absent.out.contains("line 11: [0]: no live workspace is named `Dev Lead`"), "{absent:#?}");
    assert!(absent.err.contains("2 memories cannot be imported, so nothing was"), "{absent:#?}");
    let acme = app.admin().create("Acme", None).await;
    let lead = app.admin().create("Dev Lead", Some(acme)).await;
    let done = import(&shell, &file).await;
    assert_eq!((&done["imported"], &done["unmapped"]), (&json!(2), &json!({"[].updated_at": 1})), "{done}");
    let found = app.admin().get(&format!("/workspaces/{lead}/memories")).await.expect(200).items();
    let row = |content: &str| found.iter().find(|memory| memory["content"] == content).cloned().unwrap_or_default();
    let own = row("staging deploys happen on Tuesdays");
    assert_eq!(
        (&own["id"], &own["created_at"], &own["namespace"]),
        (&json!("0b6f9f0e-3d5c-4c58-9a3e-5a6c1f1b7a01"), &json!("2026-02-03T04:05:06.789012Z"), &json!("deploys"))
    );
    assert_eq!(row("the whole company is closed in August")["via"], "org");
}

async fn faulty_file_imports_nothing_and_names_its_line(on: On) {
    let app = TestApp::builder(on).as_program().start().await;
    create(&app).await;
    let shell = Shell::to(&app);
    let before = app.dump();
    let good = r#"{"type":"entity","name":"a","entityType":"b","observations":["c"]}"#;
    let long = "x".repeat(300);
    for (format, text, expected) in [
        ("mcp-memory", format!("{good}\n{{\"type\":\"entity\",\"na"), "line 2: it is not JSON"),
        (
            "mem0",
            "{\"results\": [{\"id\": \"1\", \"memory\": \"a\"}, 7]}".to_owned(),
            "line 1: results[1]: it must be an object",
        ),
        (
            "mem0",
            format!(
                "[{{\"id\": \"{}\", \"memory\": \"a\"}},\n{{\"id\": \"1\", \"memory\": \"b\", \"metadata\": {{\"{long}\": 1, \"ghp_w2Jk9LmN4pQ7rS6tU5vW4xY3zA2bC1dE0fGh\": 2}}}}]",
                "2"
            ),
            "line 2: [1]: ",
        ),
    ] {
        std::fs::write(shell.home().join("file"), &text).expect("written");
        let output = shell.enter(&format!("orgmem import --from {format} file -w bot")).await;
        assert_eq!(output.code, Some(1), "{output:#?}");
        assert!(format!("{}{}", output.out, output.err).contains(expected), "{output:#?}");
        assert!(output.err.contains("nothing was"), "{output:#?}");
        assert_eq!(app.dump(), before, "{text}");
    }
    let skipped = shell.enter("orgmem import --from mem0 file -w bot --skip-invalid").await.success();
    assert!(skipped.out.contains("imported 1 memories") && skipped.out.contains("1 refused"), "{skipped:#?}");
    let usage = shell.enter("orgmem import --from mem0 file").await;
    assert_eq!(usage.code, Some(2), "{usage:#?}");
    assert!(usage.err.contains("--workspace"), "{usage:#?}");
}

/// The server ends in the middle; the same command completes the import.
async fn interrupted_import_of_a_file_is_completed_by_the_next_one(on: On) {
    let mut app = TestApp::builder(on).as_program().start().await;
    let bot = create(&app).await;
    let shell = Shell::to(&app);
    let memory = |number: usize| json!({"id": format!("m-{number}"), "memory": format!("fact number {number}")});
    let all: Vec<Value> = (0..600).map(memory).collect();
    let file = |memories: &[Value]| json!({"results": memories}).to_string();
    // the first 300 are there, as after an interruption
    std::fs::write(shell.home().join("file"), file(&all[..300])).expect("written");
    import(&shell, "--from mem0 file -w bot").await;
    app.kill().await;
    app.restart().await;
    let shell_after = Shell::to(&app);
    std::fs::write(shell_after.home().join("file"), file(&all)).expect("written");
    let done = import(&shell_after, "--from mem0 file -w bot").await;
    assert_eq!((&done["imported"], &done["exist"]), (&json!(300), &json!(300)), "{done}");
    let count = app.admin().get(&format!("/workspaces/{bot}/memories/count")).await.expect(200).json();
    assert_eq!(count["count"], 600);
}
