//! `--json` prints the server's response.

use chrono::TimeDelta;
use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(
    json_output_equals_the_response,
    json_output_of_a_write_names_the_written_object,
    session_filter_selects_its_rows,
    entry_list_is_by_confidence_then_newest_without_redacted_and_expired,
);

async fn json_output_equals_the_response(on: On) {
    let app = TestApp::new(on).await;
    let shell = Shell::to(&app);
    let (admin, bot) = (app.admin(), make(&shell).await);
    let cases = [
        ("workspace list --json", "/workspaces".to_owned()),
        ("workspace show Bot --json", format!("/workspaces/{bot}")),
        ("workspace budget Bot --json", format!("/workspaces/{bot}/budget")),
        ("workspace reach Bot --json", format!("/workspaces/{bot}/reach")),
        ("search -w Bot pumps --json", format!("/workspaces/{bot}/memories?q=pumps")),
        ("search -w Bot --json", format!("/workspaces/{bot}/memories")),
        ("activity search -w Bot --json", format!("/workspaces/{bot}/session-search")),
        ("kv list -w Bot --json", format!("/workspaces/{bot}/memory")),
        ("kv get -w Bot state --json", format!("/workspaces/{bot}/memory/state")),
        ("tree Bot --json", format!("/workspaces/{bot}/tree")),
    ];
    for (line, path) in cases {
        let printed = printed(&shell, line).await;
        let answered = admin.get(&path).await.expect(200).json();
        let answered = if line.starts_with("tree") { json!([answered]) } else { answered };
        assert_eq!(printed, answered, "{line}");
    }
    assert_eq!(printed(&shell, "kv get -w Bot state").await, json!({"step": 3}), "the value alone");
    let settings = printed(&shell, "config show --json").await;
    let listen = settings.as_array().into_iter().flatten().find(|row| row["setting"] == "listen");
    assert_eq!(listen, Some(&json!({"setting": "listen", "value": "127.0.0.1:7070", "origin": "default"})));
}

async fn json_output_of_a_write_names_the_written_object(on: On) {
    let app = TestApp::new(on).await;
    let shell = Shell::to(&app);
    let bot = make(&shell).await;
    let committed = printed(&shell, "commit -w Bot 'a third' --scope TEAM --json").await;
    let read = app.admin().get(&format!("/workspaces/{bot}/memories/{}", orgmem_tests::id_of(&committed, "id"))).await;
    assert_eq!(read.expect(200).json()["content"], "a third");
    let put = printed(&shell, "kv set -w Bot state 4 --json").await;
    assert_eq!((&put["key"], &put["version"]), (&json!("state"), &json!(2)));
    let issued = printed(&shell, "token issue Bot --json").await;
    let token = issued["token"].as_str().expect("a token is text");
    let me = app.bearer(token).get("/me").await.expect(200).json();
    assert_eq!((&me["jti"], &me["workspace_id"]), (&issued["jti"], &json!(bot)));
    let moved = printed(&shell, "workspace move Bot Acme --json").await;
    assert_eq!(moved["path"].as_array().map(Vec::len), Some(1), "{moved}");
    let renamed = printed(&shell, "workspace rename Bot Robot --json").await;
    assert_eq!(renamed["name"], "Robot");
    let removed = printed(&shell, "workspace remove Robot --json").await;
    assert_eq!(removed["status"], "removed");
    app.admin().get(&format!("/workspaces/{bot}")).await.refused(410, "gone");
}

async fn session_filter_selects_its_rows(on: On) {
    let app = TestApp::new(on).await;
    let shell = Shell::to(&app);
    let bot = make(&shell).await;
    let lines = "orgmem run start -w Bot 'by day' && orgmem run start -w Bot 'by night' --session-id night";
    let _ = shell.enter(lines).await.success();
    let activity = json!({"activity_type": "agent_log", "summary": "the night shift begins", "session_id": "night"});
    app.admin().post(&format!("/workspaces/{bot}/activity"), &activity).await.expect(201);
    let values = |rows: &Value, name: &str| -> Vec<String> {
        rows.as_array().into_iter().flatten().map(|row| row[name].as_str().unwrap_or_default().to_owned()).collect()
    };
    let runs = printed(&shell, "run list -w Bot --session-id night --json").await;
    assert_eq!(values(&runs, "label"), ["by night"]);
    let done = printed(&shell, "activity search -w Bot --kind activity --session-id night --json").await;
    assert_eq!(values(&done, "content"), ["the night shift begins"]);
}

/// Creates a small org and returns the id of its bot.
async fn make(shell: &Shell) -> uuid::Uuid {
    let root = printed(shell, "workspace create Acme --json").await;
    assert_eq!(root["name"], "Acme");
    let lines = "orgmem workspace create Lead --parent Acme && orgmem workspace create Bot --parent Lead && \
         orgmem commit -w Bot 'pumps are primed' && orgmem commit -w Acme 'pumps everywhere' --scope GLOBAL && \
         orgmem kv set -w Bot state '{\"step\": 3}'";
    let _ = shell.enter(lines).await.success();
    orgmem_tests::id_of(&printed(shell, "workspace show Bot --json").await, "id")
}

async fn printed(shell: &Shell, line: &str) -> Value {
    let output = shell.enter(&format!("orgmem {line}")).await.success();
    serde_json::from_str(&output.out).unwrap_or_else(|error| panic!("{error}: {output:#?}"))
}

/// No two of the three orders (by confidence, by time, as committed) agree.
async fn entry_list_is_by_confidence_then_newest_without_redacted_and_expired(on: On) {
    let app = TestApp::new(on).await;
    let shell = Shell::to(&app);
    let bot = make(&shell).await;
    let profile = json!({"name": "notes"});
    let profile = app.admin().post(&format!("/workspaces/{bot}/profiles"), profile).await.expect(201).id("id");
    let mut made = Vec::new();
    for (content, confidence) in
        [("b old", 0.5), ("a", 0.9), ("c", 0.1), ("b new", 0.5), ("redacted", 0.95), ("expired", 1.0)]
    {
        app.advance(TimeDelta::milliseconds(5));
        let mut memory = json!({
            "scope": "LOCAL", "content": content, "confidence": confidence, "profile_id": profile, "pin": content == "c",
        });
        if content == "expired" {
            memory["ttl_seconds"] = json!(60);
        }
        made.push((content, app.admin().commit_with(bot, memory).await));
    }
    let contents = async |line: &str| -> Vec<String> {
        let listed = printed(&shell, &format!("memory list-entries --profile {profile} {line} --json")).await;
        let listed = listed.as_array().cloned().unwrap_or_default();
        listed.iter().map(|memory| memory["content"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(contents("").await, ["expired", "redacted", "a", "b new", "b old", "c"]);
    assert_eq!(contents("--limit 2").await, ["expired", "redacted"]);
    app.advance(TimeDelta::seconds(60));
    assert_eq!(contents("").await, ["redacted", "a", "b new", "b old", "c"], "from the instant of the expiry");
    let redacted = made.iter().find(|(content, _)| *content == "redacted").map(|(_, id)| *id).expect("committed");
    let _ = shell.enter(&format!("orgmem memory redact {redacted} --reason pii")).await.success();
    assert_eq!(contents("").await, ["a", "b new", "b old", "c"]);
    assert_eq!(contents("--limit 3").await, ["a", "b new", "b old"]);
    assert_eq!(contents("--scope global").await, Vec::<String>::new());
}
