//! The scrubber's corpora at every entry point: credentials are replaced in storage, other text is stored unchanged.

use std::collections::BTreeMap;

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(credentials_are_replaced_and_other_text_is_unchanged_at_every_entry_point);

#[derive(Deserialize)]
struct Credentials {
    credential: Vec<Credential>,
}

#[derive(Deserialize)]
struct Credential {
    kinds: Vec<String>,
    text: String,
}

impl Credential {
    /// The sent text and the expected stored text, in which each `«…»` is replaced by the mark of its kind.
    fn sent_and_stored(&self) -> (String, String) {
        let written = self.text.replace('¦', "");
        let mut stored = String::new();
        let mut kinds = self.kinds.iter();
        for (part, piece) in written.split(['«', '»']).enumerate() {
            match part % 2 {
                0 => stored.push_str(piece),
                _ => stored.push_str(&format!("[REDACTED:{}]", kinds.next().expect("a kind for every secret"))),
            }
        }
        (written.replace(['«', '»'], ""), stored)
    }
}

/// Pairs of sent and expected stored text.
fn texts() -> Vec<(String, String)> {
    let credentials = include_str!("../../../../policies/tests/scrub/credentials.toml");
    let credentials: Credentials = toml::from_str(credentials).expect("a corpus");
    let harmless = include_str!("../../../../policies/tests/scrub/harmless.toml");
    let harmless: BTreeMap<String, Vec<String>> = toml::from_str(harmless).expect("a corpus");
    // texts that imitate a quotation mark are changed on purpose, see `quoting.rs`
    let harmless = harmless.into_values().flatten().filter(|text| !text.to_lowercase().contains("[memory "));
    let harmless: Vec<_> = harmless.map(|text| (text.clone(), text)).collect();
    assert!(credentials.credential.len() >= 60 && harmless.len() >= 200, "the corpora are large enough");
    // each once, because an import deduplicates
    let texts = credentials.credential.iter().map(Credential::sent_and_stored).chain(harmless);
    let by_stored: BTreeMap<String, String> = texts.map(|(sent, stored)| (stored, sent)).collect();
    by_stored.into_iter().map(|(stored, sent)| (sent, stored)).collect()
}

async fn credentials_are_replaced_and_other_text_is_unchanged_at_every_entry_point(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  single\n  batch\n  output\n  mcp\n  entry\n  episode").await;
    let texts = texts();
    let sent = || texts.iter().map(|(sent, _)| sent.as_str());

    let (single, at) = (org.id("single"), format!("/workspaces/{}/memories", org.id("single")));
    for text in sent() {
        app.agent(single).post(&at, local(text)).await.expect(201);
    }
    check("a memory", &texts, memories(&app, single).await);

    let (batch, at) = (org.id("batch"), format!("/workspaces/{}/memories/batch", org.id("batch")));
    let part: Vec<_> = sent().map(local).collect();
    let response = app.agent(batch).post(&at, json!({"memories": part})).await.expect(200);
    assert_eq!(response.json()["refused"], 0);
    check("a batch", &texts, memories(&app, batch).await);

    let (output, runs) = (org.id("output"), format!("/workspaces/{}/runs", org.id("output")));
    let agent = app.agent(output);
    let run = agent.post(&runs, json!({})).await.expect(201).id("run_id");
    let part: Vec<_> = sent().map(local).collect();
    agent.post(&format!("{runs}/{run}/outputs"), json!({"__lf_memory_writes": part})).await.expect(200);
    agent.post(&format!("{runs}/{run}/finish"), json!({"status": "completed"})).await.expect(200);
    check("an output of a run", &texts, memories(&app, output).await);

    let mcp = org.id("mcp");
    for text in sent() {
        commit_by_mcp(&app.agent(mcp), text).await;
    }
    check("MCP", &texts, memories(&app, mcp).await);

    let (entry, at) = (org.id("entry"), format!("/workspaces/{}/memory", org.id("entry")));
    for (number, text) in sent().enumerate() {
        let put = json!({"key": format!("k{number:04}"), "value": {"note": text}});
        app.agent(entry).post(&at, put).await.expect(200);
    }
    let (entries, _) = app.viewer(entry).all_pages(&at).await;
    check("an entry", &texts, all(&entries, |entry| &entry["value"]["note"]));

    let (episode, at) = (org.id("episode"), format!("/workspaces/{}/activity", org.id("episode")));
    for text in sent() {
        app.agent(episode).post(&at, json!({"activity_type": "agent_log", "summary": text})).await.expect(201);
    }
    let (episodes, _) = app.viewer(episode).all_pages(&format!("{at}?type=agent_log")).await;
    check("an episode", &texts, all(&episodes, |episode| &episode["summary"]));

    let document = json!({
        "name": "Imported",
        "initial_memories": sent().map(local).collect::<Vec<_>>(),
        "episodes": sent().map(|text| json!({"activity_type": "agent_log", "summary": text})).collect::<Vec<_>>(),
    });
    let imported = app.admin().post("/orgs/import", document).await.expect(201).id("org_id");
    check("an import", &texts, memories(&app, imported).await);
    let (episodes, _) = app.admin().all_pages(&format!("/workspaces/{imported}/activity?type=agent_log")).await;
    check("an import's episodes", &texts, all(&episodes, |episode| &episode["summary"]));
}

fn local(text: &str) -> Value {
    json!({"content": text, "scope": "LOCAL"})
}

async fn commit_by_mcp(agent: &Caller, text: &str) {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "commit_memory", "arguments": {"content": text}},
    });
    let call = agent.request("POST", "/mcp").header("accept", "application/json, text/event-stream").json(call);
    let response = call.header("mcp-protocol-version", "2025-06-18").send_unchecked().await;
    assert!(!String::from_utf8_lossy(&response.body).contains("\"isError\":true"), "{}", response.describe());
}

async fn memories(app: &TestApp, workspace: Uuid) -> Vec<String> {
    let (items, _) = app.admin().all_pages(&format!("/workspaces/{workspace}/memories?limit=50&scope=LOCAL")).await;
    all(&items, |memory| &memory["content"])
}

fn all(items: &[Value], text: impl Fn(&Value) -> &Value) -> Vec<String> {
    items.iter().map(|item| text(item).as_str().unwrap_or_default().to_owned()).collect()
}

fn check(entry_point: &str, texts: &[(String, String)], mut stored: Vec<String>) {
    let mut expected: Vec<&str> = texts.iter().map(|(_, stored)| stored.as_str()).collect();
    expected.sort_unstable();
    stored.sort_unstable();
    let missing: Vec<_> = expected.iter().filter(|text| !stored.iter().any(|stored| stored == *text)).collect();
    let others: Vec<_> = stored.iter().filter(|stored| !expected.contains(&stored.as_str())).collect();
    assert!(missing.is_empty() && others.is_empty(), "{entry_point}: expected {missing:#?}, got {others:#?}");
    assert_eq!(stored.len(), expected.len(), "{entry_point}");
}
