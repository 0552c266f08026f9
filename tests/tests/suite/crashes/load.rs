//! Sixty-four concurrent writers, each with its own workspace, until the server stops responding.

use std::sync::Arc;

use orgmem_tests::generators::Seeded;
use orgmem_tests::orgs::Drawn;
use orgmem_tests::{Caller, On, Request, Response, TestApp};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::ledger::{Ledger, Outcome, WriteKind, WriteRecord};

pub(super) const WRITERS: usize = 64;

/// The parents between which the writers' workspaces move.
const LEADS: usize = 4;

/// An org with a root, parents, and a workspace for each writer.
pub(super) async fn create_org(app: &TestApp) -> Arc<Drawn> {
    let mut drawing = "acme\n".to_owned();
    for lead in 0..LEADS {
        drawing.push_str(&format!("  lead-{lead}\n"));
        for bot in (lead..WRITERS).step_by(LEADS) {
            drawing.push_str(&format!("    bot-{bot}\n"));
        }
    }
    Arc::new(app.plant(&drawing).await)
}

/// Running writers.
pub(super) struct Load {
    writers: Vec<JoinHandle<(usize, Vec<WriteRecord>)>>,
    acknowledged: UnboundedReceiver<()>,
}

struct Writer {
    number: usize,
    org: Arc<Drawn>,
    agent: Caller,
    admin: Caller,
    seeded: Seeded,
    /// Distinguishes its writes from those of other rounds.
    round: usize,
    /// Its memories acknowledged in this round.
    memories: Vec<Uuid>,
    records: Vec<WriteRecord>,
    /// The outcome of a response "store unavailable".
    refusal: Outcome,
    now: Arc<dyn Fn() -> usize + Send + Sync>,
    acknowledgement_sender: UnboundedSender<()>,
}

impl Load {
    /// Starts the writers. Each stops without a response or after a refusal. `now` returns the instant of an
    /// acknowledgement.
    pub(super) fn start(
        app: &TestApp,
        org: &Arc<Drawn>,
        round: usize,
        now: impl Fn() -> usize + Send + Sync + 'static,
    ) -> Self {
        let (acknowledgement_sender, acknowledged) = unbounded_channel();
        let now: Arc<dyn Fn() -> usize + Send + Sync> = Arc::new(now);
        let start = |number: usize| {
            let writer = Writer {
                number,
                org: org.clone(),
                agent: app.agent(org.id(&format!("bot-{number}"))),
                admin: app.admin(),
                seeded: Seeded::new((round * WRITERS + number) as u64),
                round,
                memories: Vec::new(),
                records: Vec::new(),
                // if a connection breaks during a commit, its outcome is unknown
                refusal: if app.on() == On::Sqlite { Outcome::Refused } else { Outcome::Unknown },
                now: now.clone(),
                acknowledgement_sender: acknowledgement_sender.clone(),
            };
            tokio::spawn(writer.work())
        };
        Self { writers: (0..WRITERS).map(start).collect(), acknowledged }
    }

    /// Waits for `count` acknowledgements.
    pub(super) async fn acknowledged(&mut self, count: usize) {
        for _ in 0..count {
            self.acknowledged.recv().await.expect("somebody writes as long as there is an answer");
        }
    }

    /// Waits for the end of all writers and adds their records to the ledger.
    pub(super) async fn end(self, ledger: &mut Ledger) {
        drop(self.acknowledged);
        for writer in self.writers {
            let (_, records) = writer.await.expect("the writer does not panic");
            ledger.0.extend(records);
        }
    }
}

impl Writer {
    async fn work(mut self) -> (usize, Vec<WriteRecord>) {
        for step in 0.. {
            let (kind, request) = self.next(step);
            let response = request.try_send().await;
            let is_over = self.record(kind, response);
            if is_over || self.acknowledgement_sender.send(()).is_err() {
                break;
            }
        }
        (self.number, self.records)
    }

    /// Records a request and its outcome; returns whether it was the last.
    fn record(&mut self, kind: WriteKind, response: Result<Response, String>) -> bool {
        let Ok(response) = response else {
            self.records.push(WriteRecord { kind, version: None, outcome: Outcome::Unknown });
            return true;
        };
        if !matches!(response.status, 200 | 201) {
            response.refused(503, "unavailable");
            self.records.push(WriteRecord { kind, version: None, outcome: self.refusal });
            return true;
        }
        let body = response.json();
        if let WriteKind::Committed(ids) = &kind {
            let is_whole = body.get("committed").is_none_or(|committed| *committed == json!(ids.len()));
            assert!(is_whole, "{}", response.describe());
            self.memories.extend(ids);
        }
        let version = body["version"].as_i64().filter(|_| matches!(kind, WriteKind::Put { .. }));
        self.records.push(WriteRecord { kind, version, outcome: Outcome::Done((self.now)()) });
        false
    }

    fn next(&mut self, step: usize) -> (WriteKind, Request) {
        let own = self.org.id(&format!("bot-{}", self.number));
        let mark = format!("r{}w{}s{step}", self.round, self.number);
        let at = |rest: &str| format!("/workspaces/{own}/{rest}");
        let agent = self.agent.clone();
        let post = |rest: &str, body: Value| agent.request("POST", &at(rest)).json(body);
        match self.seeded.one_of(&[0, 0, 0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7]) {
            0 => {
                let memory = self.memory(&mark);
                (WriteKind::Committed(vec![orgmem_tests::id_of(&memory, "id")]), post("memories", memory))
            }
            1 => {
                let memories: Vec<_> = (0..5).map(|item| self.memory(&format!("{mark}i{item}"))).collect();
                let ids = memories.iter().map(|memory| orgmem_tests::id_of(memory, "id")).collect();
                (WriteKind::Committed(ids), post("memories/batch", json!({"memories": memories})))
            }
            2 => {
                let put = |key| WriteKind::Put { workspace: own, key, value: mark.clone() };
                let key = self.seeded.one_of(&["state", "cursor", "plan"]);
                (put(key), post("memory", json!({"key": key, "value": mark})))
            }
            3 => {
                let body = json!({"activity_type": "agent_log", "summary": mark, "request_body": {"step": step}});
                (WriteKind::Appended(mark), post("activity", body))
            }
            4 => {
                let lead = self.seeded.one_of(&[0, 1, 2, 3]);
                let to = self.org.id(&format!("lead-{lead}"));
                let request = self.admin.request("PATCH", &format!("/workspaces/{own}"));
                (WriteKind::Moved { workspace: own, to }, request.json(json!({"parent_id": to})))
            }
            5 if !self.memories.is_empty() => {
                let id = self.memories.swap_remove(self.memories.len() / 2);
                (WriteKind::Forgotten(id), agent.request("DELETE", &at(&format!("memories/{id}"))))
            }
            6 if self.number.is_multiple_of(16) => self.import(&mark),
            _ => {
                let body = json!({"activity_type": "agent_log", "summary": mark});
                (WriteKind::Appended(mark), post("activity", body))
            }
        }
    }

    fn memory(&mut self, mark: &str) -> Value {
        let scope = self.seeded.one_of(&["LOCAL", "TEAM"]);
        let content = format!("{mark} the crane of the docks is oiled on every second tuesday {}", "x".repeat(200));
        json!({"id": self.seeded.id(), "scope": scope, "content": content})
    }

    /// An import of an org.
    fn import(&mut self, mark: &str) -> (WriteKind, Request) {
        let workspaces: Vec<Uuid> = (0..6).map(|_| self.seeded.id()).collect();
        let text = format!("{mark} imported");
        let node = |id: &Uuid, children: Vec<Value>| {
            let memories = json!([{"content": text, "scope": "TEAM"}]);
            json!({"id": id, "name": id.to_string(), "initial_memories": memories, "children": children})
        };
        let children = workspaces[1..].iter().map(|id| node(id, Vec::new())).collect();
        let document = node(&workspaces[0], children);
        let request = self.admin.request("POST", "/orgs/import").json(document);
        (WriteKind::Imported { workspaces, text }, request)
    }
}
