//! Mappings, positions of faults, and bounds of memory. The files of the tools themselves are in `tests/formats`.

use std::io::{BufReader, Read};
use std::path::Path;

use chrono::{DateTime, TimeZone, Utc};
use orgmem_hierarchy::Scope;
use orgmem_types::ExportedMemory;
use serde_json::json;
use uuid::Uuid;

use super::*;

fn target() -> Target {
    Target {
        workspace: Some(Uuid::from_u128(7)),
        scope: Scope::Team,
        now: Utc.with_ymd_and_hms(2026, 11, 20, 8, 0, 0).single().expect("a time"),
    }
}

/// The memories and the counts of a file.
fn mapped(format: Format, file: &str) -> (Vec<ExportedMemory>, Tally) {
    try_mapped(format, file.as_bytes()).expect("a valid file")
}

fn try_mapped(format: Format, file: impl Read) -> Result<(Vec<ExportedMemory>, Tally), ForeignError> {
    let mut memories = Vec::new();
    let mut give = |found: ForeignMemory| {
        memories.push(found.memory);
        Ok(())
    };
    let mut output = Output::new(&mut give);
    format.read_file(BufReader::new(file), &target(), &mut output)?;
    let tally = output.into_tally();
    Ok((memories, tally))
}

fn refused(format: Format, file: impl Read) -> String {
    try_mapped(format, file).map(|_| ()).expect_err("refused").to_string()
}

fn unmapped(tally: &Tally) -> Vec<(&str, u64)> {
    tally.unmapped.iter().map(|(path, count)| (&**path, *count)).collect()
}

#[test]
fn knowledge_graph_becomes_a_memory_for_each_observation_and_relation() {
    let file = concat!(
        r#"{"type":"entity","name":"Ada Lovelace","entityType":"Person (staff)","observations":["likes tea","works at night"],"emb":[1]}"#,
        "\n\n",
        r#"{"type":"entity","name":"Depot 7","entityType":"place","observations":[]}"#,
        "\n",
        r#"{"type":"relation","from":"Ada Lovelace","to":"Depot 7","relationType":"works at"}"#,
        "\n",
        r#"{"type":"note","text":"x"}"#,
    );
    let (memories, tally) = mapped(Format::McpMemory, file);
    let contents: Vec<&str> = memories.iter().map(|memory| &*memory.content).collect();
    assert_eq!(contents, ["likes tea", "works at night", "Depot 7", "Ada Lovelace works at Depot 7"]);
    let tea = &memories[0];
    assert_eq!((tea.title.as_deref(), tea.kind.as_deref()), (Some("Ada Lovelace"), Some("person__staff")));
    assert_eq!((&*tea.tags, tea.scope), (&["Ada Lovelace".to_owned()][..], Scope::Team));
    let metadata = serde_json::to_value(&tea.metadata).expect("JSON");
    assert_eq!(metadata["mcp_memory"], json!({"entity": "Ada Lovelace", "entity_type": "Person (staff)"}));
    assert_eq!(memories[3].kind.as_deref(), Some("relation"));
    assert_eq!(unmapped(&tally), [("entity.emb", 1), ("lines of the type `note`", 1)]);
    assert_eq!((tally.memories, tally.read["entities"], tally.read["observations"]), (4, 2, 2));
}

#[test]
fn ids_depend_on_the_workspace_and_the_record_only() {
    let line = r#"{"type":"entity","name":"a","entityType":"b","observations":["one","two"]}"#;
    let (memories, _) = mapped(Format::McpMemory, line);
    let (again, _) = mapped(Format::McpMemory, line);
    assert_eq!(memories, again);
    assert_ne!(memories[0].id, memories[1].id);
    let other = Target { workspace: Some(Uuid::from_u128(8)), ..target() };
    assert_ne!(target().id_of(&["a"]), other.id_of(&["a"]));
    assert_ne!(target().id_of(&["ab", "c"]), target().id_of(&["a", "bc"]));
}

#[test]
fn mem0_list_has_a_place_for_every_field_but_the_derived_ones() {
    let file = json!({
        "results": [{
            "id": "6a36c4a8-5b6c-4a8e-9c5e-0c9e7a1f0b01",
            "memory": "prefers window seats",
            "hash": "5d41",
            "score": 0.7,
            "metadata": {"mem0": 1, "trip": "rome"},
            "created_at": "2026-01-02T03:04:05.678901-07:00",
            "updated_at": null,
            "user_id": "ada",
            "agent_id": "planner",
            "run_id": "r-1",
            "role": "user",
            "categories": ["travel"],
            "expiration_date": "2099-01-01",
        }, {"id": "2", "memory": " "}, {"id": "3", "memory": "gone", "expiration_date": "2020-01-01"}],
        "relations": [{"source": "ada", "relationship": "visits", "target": "rome"}],
        "count": 3,
    });
    let (memories, tally) = mapped(Format::Mem0, &file.to_string());
    let first = memories.iter().find(|memory| memory.content == "prefers window seats").expect("mapped");
    assert_eq!(first.id, Uuid::try_parse("6a36c4a8-5b6c-4a8e-9c5e-0c9e7a1f0b01").ok());
    assert_eq!((first.subject.as_deref(), first.session_id.as_deref()), (Some("ada"), Some("r-1")));
    assert_eq!(first.created_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-01-02T10:04:05.678901+00:00"));
    assert_eq!(first.expires_at.map(|at| at.to_rfc3339()).as_deref(), Some("2099-01-01T00:00:00+00:00"));
    assert_eq!((first.source, &*first.tags), (Some(orgmem_types::Source::User), &["travel".to_owned()][..]));
    let metadata = serde_json::to_value(&first.metadata).expect("JSON");
    assert_eq!(metadata, json!({"mem0": 1, "trip": "rome", "mem0.agent_id": "planner", "mem0.role": "user"}));
    assert!(memories.iter().any(|memory| memory.content == "ada visits rome"));
    assert_eq!(
        unmapped(&tally),
        [
            ("count", 1),
            ("records that have expired", 1),
            ("records without text", 1),
            ("results[].hash", 1),
            ("results[].score", 1),
        ]
    );
    let (bare, _) = mapped(Format::Mem0, r#"[{"id": "x", "memory": "bare"}]"#);
    assert_eq!(bare[0].content, "bare");
}

#[test]
fn agent_file_becomes_its_blocks_and_counts_the_rest() {
    let file = json!({
        "agents": [{
            "id": "agent-0", "name": "scribe", "system": "You are …", "block_ids": ["block-0"],
            "messages": [{"role": "user"}, {"role": "assistant"}], "tags": [],
        }],
        "blocks": [
            {"id": "block-0", "label": "human", "value": "Name: Ada", "limit": 5000, "description": "the user", "read_only": true, "metadata": {}},
            {"id": "block-1", "label": "persona", "value": "", "limit": 5000},
        ],
        "tools": [{"name": "t"}], "groups": [], "created_at": "2026-01-01",
    });
    let (memories, tally) = mapped(Format::Letta, &file.to_string());
    assert_eq!(memories.len(), 1);
    assert_eq!((memories[0].title.as_deref(), memories[0].kind.as_deref()), (Some("human"), Some("block")));
    assert_eq!(memories[0].tags, ["scribe"]);
    let metadata = serde_json::to_value(&memories[0].metadata).expect("JSON");
    assert_eq!(metadata["letta"], json!({"agents": ["scribe"], "description": "the user", "read_only": true}));
    assert_eq!(
        unmapped(&tally),
        [
            ("agents[].messages[]", 2),
            ("agents[].system", 1),
            ("blocks[].limit", 2),
            ("created_at", 1),
            ("records without text", 1),
            ("tools[]", 1),
        ]
    );
    let passages = r#"[{"id": "passage-6a36c4a8-5b6c-4a8e-9c5e-0c9e7a1f0b01", "text": "the pager is with Ada", "embedding": [0.1]}]"#;
    let (memories, tally) = mapped(Format::Letta, passages);
    assert_eq!(memories[0].id, Uuid::try_parse("6a36c4a8-5b6c-4a8e-9c5e-0c9e7a1f0b01").ok());
    assert_eq!(unmapped(&tally), [("[].embedding", 1)]);
}

#[test]
fn array_of_a_platform_has_its_authors_unless_a_workspace_is_chosen() {
    let file = r#"[{"id": "6a36c4a8-5b6c-4a8e-9c5e-0c9e7a1f0b01", "content": "x", "scope": "GLOBAL",
        "workspace_name": "Dev", "created_at": "2026-01-02T03:04:05", "tier": 2}]"#;
    let mut memories = Vec::new();
    let mut give = |found: ForeignMemory| {
        memories.push(found.memory);
        Ok(())
    };
    let mut output = Output::new(&mut give);
    let own = Target { workspace: None, ..target() };
    Format::Platform.read_file(file.as_bytes(), &own, &mut output).expect("read");
    assert_eq!(unmapped(&output.into_tally()), [("[].tier", 1)]);
    assert_eq!((memories[0].workspace_name.as_deref(), memories[0].scope), (Some("Dev"), Scope::Global));
    assert_eq!(memories[0].created_at.map(|at: DateTime<Utc>| at.timestamp()), Some(1_767_323_045));
    let (chosen, _) = mapped(Format::Platform, file);
    assert_eq!((chosen[0].workspace_id, &chosen[0].workspace_name), (target().workspace, &None));
}

#[test]
fn long_text_becomes_several_memories_without_a_gap() {
    let paragraph = format!("{}\n\n", "wörter ".repeat(500));
    let text = paragraph.repeat(40);
    let file = json!([{"id": "long", "memory": text}]).to_string();
    let (memories, _) = mapped(Format::Mem0, &file);
    assert!(memories.len() > 2 && memories.iter().all(|memory| memory.content.len() <= 60 * 1024));
    assert_eq!(memories.iter().map(|memory| &*memory.content).collect::<String>(), text);
    let part = |number: usize| memories[number].metadata.as_ref().and_then(|metadata| metadata.get("part")).cloned();
    assert_eq!(part(1), Some(json!({"number": 2, "of": memories.len()})));
    let unbroken = json!([{"id": "unbroken", "memory": "ü".repeat(100_000)}]).to_string();
    assert_eq!(mapped(Format::Mem0, &unbroken).0.len(), 4);
}

#[test]
fn long_labels_are_shortened_and_remain_in_the_metadata() {
    let name = "n".repeat(300);
    let line = json!({"type": "entity", "name": name, "entityType": "Österreich", "observations": ["x"]}).to_string();
    let (memories, _) = mapped(Format::McpMemory, &line);
    assert_eq!(memories[0].title.as_ref().map(|title| title.chars().count()), Some(200));
    assert_eq!(memories[0].kind.as_deref(), Some("sterreich"));
    let metadata = serde_json::to_value(&memories[0].metadata).expect("JSON");
    assert_eq!(metadata["original"]["title"], json!(name));
    assert_eq!(metadata["original"]["tags"], json!([name]));
    assert_eq!(metadata["mcp_memory"]["entity_type"], "Österreich");
}

#[test]
fn faults_name_the_line_and_the_field() {
    let mut wrong = Vec::new();
    let mut check = |format, file: &[u8], expected: &str| {
        let error = refused(format, file);
        if error != expected {
            wrong.push((error, expected.to_owned()));
        }
    };
    let good = r#"{"type":"entity","name":"a","entityType":"b","observations":["c"]}"#;
    let line = |text: &str| format!("{good}\n{text}\n").into_bytes();
    check(Format::McpMemory, &line("{\"type\":\"enti"), "line 2: it is not JSON: EOF while parsing a string");
    check(Format::McpMemory, &line("[]"), "line 2: it must be an object, not an array");
    check(Format::McpMemory, &line("{}"), "line 2: `type` is missing; it is `entity` or `relation`");
    check(
        Format::McpMemory,
        &line(r#"{"type":"entity","name":"a","observations":["c",7]}"#),
        "line 2: `observations[1]` must be a string, not `7`",
    );
    check(Format::McpMemory, &line(r#"{"type":"relation","from":"a"}"#), "line 2: `to` is missing");
    check(Format::McpMemory, b"{\"type\":\"entity\",\"name\":\"\xff\"}", "line 1: it is not UTF-8");
    check(Format::Mem0, br#"{"results": 7}"#, "line 1: results: `results` must be an array, not a number");
    check(
        Format::Mem0,
        b"{\"results\": [{\"id\": \"1\",\n \"memory\": 5}]}",
        "line 2: results[0]: `memory` must be a string, not `5`",
    );
    check(Format::Mem0, b"{\"results\": [\n{\"id\": \"1\"", "line 2: it is not JSON: EOF while parsing an object");
    check(Format::Mem0, b"[{\"memory\": \"\xff\"}]", "line 1: it is not JSON: invalid unicode code point");
    check(Format::Mem0, b"[] x", "line 1: it is not JSON: trailing characters");
    check(Format::Letta, b"7", "line 1: invalid type: integer `7`, expected an array or an object");
    check(Format::Letta, br#"{"blocks": {}}"#, "line 1: blocks: it must be an array, not an object");
    check(Format::Platform, br#"{"memories": [1]}"#, "line 1: memories[0]: the file must be an array of memories");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_same_id_with_another_text_is_refused_and_an_equal_record_counted() {
    let same = r#"[{"id": "1", "memory": "a"}, {"id": "1", "memory": "a"}]"#;
    let (memories, tally) = mapped(Format::Mem0, same);
    assert_eq!((memories.len(), tally.duplicates), (1, 1));
    let other = r#"[{"id": "1", "memory": "a"}, {"id": "1", "memory": "b"}]"#;
    let error = refused(Format::Mem0, other.as_bytes());
    assert!(error.starts_with("line 1: [1]: an earlier record with another text has the same id `"), "{error}");
}

#[test]
fn endless_records_are_refused_in_bounded_memory() {
    let endless = |start: &'static str| start.as_bytes().chain(std::io::repeat(b'x').take(10 << 30));
    let error = refused(Format::McpMemory, endless("{\"type\":\""));
    assert_eq!(error, "line 1: the line is longer than 67108864 bytes");
    let error = refused(Format::Mem0, endless("[{\"memory\": \""));
    assert_eq!(error, "line 1: the record is longer than 67108864 bytes");
    let deep = refused(Format::Mem0, std::io::repeat(b'[').take(10 << 30));
    assert_eq!(deep, "line 1: it is not JSON: recursion limit exceeded");
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
    folder
}

fn mapped_folder(path: &Path) -> Result<(Vec<ExportedMemory>, Tally), ForeignError> {
    let mut memories = Vec::new();
    let mut give = |found: ForeignMemory| {
        memories.push(found.memory);
        Ok(())
    };
    let mut output = Output::new(&mut give);
    Format::Markdown.read(path, &target(), &mut output)?;
    let tally = output.into_tally();
    Ok((memories, tally))
}

#[test]
fn folder_of_notes_keeps_path_title_and_front_matter() {
    let notes = folder(&[
        (
            "ops/on-call.md",
            b"---\ntitle: On call\ntags: [pager, '#night']\ncreated: 2026-01-02\nid: 12\naliases: [duty]\n---\n\n# Duty\n\nAda has the pager.\r\n",
        ),
        ("README.md", b"# Welcome\n\nRead ops first."),
        ("empty.md", b"---\n---\n"),
        ("ops/plain.markdown", b"no heading"),
        ("ops/logo.png", b"\x89PNG"),
        (".obsidian/app.json", b"{}"),
    ]);
    let (memories, tally) = mapped_folder(notes.path()).expect("read");
    let by_title = |title: &str| memories.iter().find(|memory| memory.title.as_deref() == Some(title)).expect("mapped");
    let duty = by_title("On call");
    assert_eq!(duty.content, "# Duty\n\nAda has the pager.");
    assert_eq!((duty.namespace.as_deref(), &*duty.tags), (Some("ops"), &["pager".to_owned(), "night".to_owned()][..]));
    assert_eq!(duty.created_at.map(|at| at.to_rfc3339()).as_deref(), Some("2026-01-02T00:00:00+00:00"));
    let metadata = serde_json::to_value(&duty.metadata).expect("JSON");
    assert_eq!(metadata["markdown"], json!({"path": "ops/on-call.md", "id": "12", "aliases": ["duty"]}));
    assert_eq!(by_title("Welcome").namespace, None);
    assert_eq!(by_title("plain").content, "no heading");
    assert_eq!(
        unmapped(&tally),
        [("files that are not Markdown", 1), ("hidden folders", 1), ("records without text", 1)]
    );
    assert_eq!(mapped_folder(notes.path()).expect("read").0, memories, "the order and the ids are stable");
    let one = mapped_folder(&notes.path().join("README.md")).expect("a file");
    assert_eq!(one.0[0].content, "# Welcome\n\nRead ops first.");
}

#[test]
fn faults_of_a_folder_name_the_file() {
    let check = |text: &[u8], expected: &str| {
        let notes = folder(&[("a/note.md", text)]);
        let error = mapped_folder(notes.path()).map(|_| ()).expect_err("refused").to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check(b"fine\n\xff", "`a/note.md`: line 2 is not UTF-8");
    check(b"---\ntitle: [unclosed\n---\nx", "`a/note.md`: the front matter is not valid");
    check(b"---\ntitle: [a, b]\n---\nx", "`a/note.md`: `title` must be a string");
    let absent = mapped_folder(Path::new("/nonexistent/notes")).map(|_| ()).expect_err("absent").to_string();
    assert!(absent.starts_with("cannot read `/nonexistent/notes`: "), "{absent}");
}
