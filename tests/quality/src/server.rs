//! The benchmark with a server, over HTTP.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use orgmem_tests::{Caller, On, TestApp};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::data::{Conversation, Item, Set};
use crate::figures::{Figures, Table};
use crate::in_process::{LIMIT, Surface};

/// The maximum number of memories in one request.
const BATCH: usize = 500;

/// Asks all questions of all sets on a server with this database, with the model in the folder `model` if there is one.
pub async fn ask(sets: &[Set], on: On, model: Option<&Path>, surface: Surface) -> Table {
    let mut table = Table::default();
    for set in sets {
        let mut rankings = Vec::with_capacity(set.conversations.len());
        for conversation in &set.conversations {
            rankings.push(rankings_of(conversation, on, model, surface).await);
        }
        table.0.push((set.name.clone(), Figures::of(&set.conversations, &rankings)));
    }
    table
}

/// For each question of a conversation the ids of the results, best first. Starts a new server.
pub async fn rankings_of(
    conversation: &Conversation,
    on: On,
    model: Option<&Path>,
    surface: Surface,
) -> Vec<Vec<String>> {
    let start = conversation.items.iter().map(|item| item.at).min().unwrap_or_default();
    let mut app = TestApp::builder(on).at(start);
    if let Some(model) = model {
        app = app.with("ORGMEM_EMBEDDER", &model.display().to_string());
    }
    let mut org = Organisation::of(conversation, app.start().await).await;
    let mut rankings = Vec::with_capacity(conversation.questions.len());
    let mut committed = 0;
    for question in &conversation.questions {
        org.commit(&conversation.items[committed..question.after]).await;
        committed = question.after;
        if model.is_some() {
            org.wait_for_embeddings().await;
        }
        rankings.push(match surface {
            Surface::Search => org.ask(&question.text).await,
            Surface::Block => org.block(&question.text).await,
        });
    }
    rankings
}

/// The organisation of one conversation.
struct Organisation {
    app: TestApp,
    root: Uuid,
    /// By speaker.
    workspaces: HashMap<String, Uuid>,
    /// The item ids of the committed memories.
    items: HashMap<Uuid, String>,
}

impl Organisation {
    async fn of(conversation: &Conversation, app: TestApp) -> Self {
        let root = app.admin().create(&conversation.name, None).await;
        let mut workspaces = HashMap::new();
        for speaker in conversation.speakers() {
            workspaces.insert(speaker.to_owned(), app.admin().create(speaker, Some(root)).await);
        }
        Self { app, root, workspaces, items: HashMap::new() }
    }

    /// Commits each of `items` at its time, in the workspace of its speaker.
    async fn commit(&mut self, items: &[Item]) {
        let same_request = |a: &Item, b: &Item| a.at == b.at && a.speaker == b.speaker;
        for items in items.chunk_by(same_request).flat_map(|items| items.chunks(BATCH)) {
            let author = self.workspaces[&items[0].speaker];
            let caller = self.agent_at(items[0].at, author);
            let memory = |item: &Item| json!({"content": item.text, "scope": "TEAM", "session_id": item.session});
            let body = json!({"memories": items.iter().map(memory).collect::<Vec<_>>()});
            let response = caller.post(&format!("/workspaces/{author}/memories/batch"), body).await.expect(200).json();
            let ids = response["items"].as_array().into_iter().flatten().map(|item| parse_id(&item["committed"]["id"]));
            self.items.extend(ids.zip(items.iter().map(|item| item.id.clone())));
        }
    }

    /// Waits until all committed memories have embeddings.
    async fn wait_for_embeddings(&self) {
        let expected = format!("orgmem_embedding_embedded_total {}", self.items.len());
        let is_done = async || {
            let metrics = self.app.anonymous().get("/metrics").await.expect(200).body;
            String::from_utf8_lossy(&metrics).lines().any(|line| line == expected)
        };
        while !is_done().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn ask(&self, question: &str) -> Vec<String> {
        let limit = LIMIT.to_string();
        let caller = self.agent_at(self.app.now(), self.root);
        let response = caller.search(self.root, &[("q", question), ("limit", &limit)]).await;
        response.ids().iter().map(|id| self.items[id].clone()).collect()
    }

    /// The memories of the context block for `question`, by the default profile.
    async fn block(&self, question: &str) -> Vec<String> {
        let caller = self.agent_at(self.app.now(), self.root);
        let path = format!("/workspaces/{}/context", self.root);
        let context = caller.post(&path, json!({"query": question})).await.expect(200).json();
        let entries = context["entries"].as_array().into_iter().flatten();
        entries.map(|entry| self.items[&parse_id(&entry["id"])].clone()).collect()
    }

    /// The agent of `workspace`, after the server's clock is set to `time`.
    fn agent_at(&self, time: DateTime<Utc>, workspace: Uuid) -> Caller {
        self.app.advance(time - self.app.now());
        self.app.agent(workspace)
    }
}

fn parse_id(value: &Value) -> Uuid {
    value.as_str().and_then(|id| id.parse().ok()).expect("a committed memory has an id")
}
