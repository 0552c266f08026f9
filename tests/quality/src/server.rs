//! With a server, over HTTP.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use orgmem_tests::{Caller, On, TestApp};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::data::{Conversation, Item, Set};
use crate::figures::{Figures, Table};
use crate::inside::LIMIT;

/// Memories of one batch.
const BATCH: usize = 500;

/// Asks all questions of all sets on this database, with the model of this folder if any.
pub async fn ask(sets: &[Set], on: On, model: Option<&Path>) -> Table {
    let mut table = Table::default();
    for set in sets {
        let mut rankings = Vec::with_capacity(set.conversations.len());
        for conversation in &set.conversations {
            rankings.push(rankings_of(conversation, on, model).await);
        }
        table.0.push((set.name.clone(), Figures::of(&set.conversations, &rankings)));
    }
    table
}

/// For each question of a conversation the ids of what was found, best first, on a server of its own.
pub async fn rankings_of(conversation: &Conversation, on: On, model: Option<&Path>) -> Vec<Vec<String>> {
    let begin = conversation.items.iter().map(|item| item.at).min().unwrap_or_default();
    let mut app = TestApp::builder(on).at(begin);
    if let Some(model) = model {
        app = app.with("ORGMEM_EMBEDDER", &model.display().to_string());
    }
    let mut room = Room::of(conversation, app.start().await).await;
    let mut rankings = Vec::with_capacity(conversation.questions.len());
    let mut said = 0;
    for question in &conversation.questions {
        room.say(&conversation.items[said..question.after]).await;
        said = question.after;
        if model.is_some() {
            room.understood().await;
        }
        rankings.push(room.ask(&question.text).await);
    }
    rankings
}

/// An org in which one conversation takes place.
struct Room {
    app: TestApp,
    root: Uuid,
    workspaces: HashMap<String, Uuid>,
    /// The items that memories are.
    items: HashMap<Uuid, String>,
}

impl Room {
    async fn of(conversation: &Conversation, app: TestApp) -> Self {
        let root = app.admin().create(&conversation.name, None).await;
        let mut workspaces = HashMap::new();
        for speaker in conversation.speakers() {
            workspaces.insert(speaker.to_owned(), app.admin().create(speaker, Some(root)).await);
        }
        Self { app, root, workspaces, items: HashMap::new() }
    }

    /// Commits `items`, each at its time and by its speaker.
    async fn say(&mut self, items: &[Item]) {
        let together = |a: &Item, b: &Item| a.at == b.at && a.speaker == b.speaker;
        for items in items.chunk_by(together).flat_map(|items| items.chunks(BATCH)) {
            let author = self.workspaces[&items[0].speaker];
            let caller = self.at(items[0].at, author);
            let memory = |item: &Item| json!({"content": item.text, "scope": "TEAM", "session_id": item.session});
            let body = json!({"memories": items.iter().map(memory).collect::<Vec<_>>()});
            let answer = caller.post(&format!("/workspaces/{author}/memories/batch"), body).await.expect(200).json();
            let ids = answer["items"].as_array().into_iter().flatten().map(|item| id(&item["committed"]["id"]));
            self.items.extend(ids.zip(items.iter().map(|item| item.id.clone())));
        }
    }

    /// Waits until all that was said is embedded.
    async fn understood(&self) {
        let count = format!("orgmem_embedding_embedded_total {}", self.items.len());
        let is_all = async || {
            let metrics = self.app.stranger().get("/metrics").await.expect(200).body;
            String::from_utf8_lossy(&metrics).lines().any(|line| line == count)
        };
        while !is_all().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn ask(&self, question: &str) -> Vec<String> {
        let limit = LIMIT.to_string();
        let found = self.at(self.app.now(), self.root).search(self.root, &[("q", question), ("limit", &limit)]).await;
        found.ids().iter().map(|id| self.items[id].clone()).collect()
    }

    /// The agent of a workspace, at a time.
    fn at(&self, time: DateTime<Utc>, workspace: Uuid) -> Caller {
        self.app.pass(time - self.app.now());
        self.app.agent(workspace)
    }
}

fn id(value: &Value) -> Uuid {
    value.as_str().and_then(|id| id.parse().ok()).expect("a committed memory has an id")
}
