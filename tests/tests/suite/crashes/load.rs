//! Sixty-four writers at once, each with a workspace of its own, who write until nobody answers any more.

use std::sync::Arc;

use orgmem_tests::generators::Seeded;
use orgmem_tests::orgs::Drawn;
use orgmem_tests::{Caller, On, Request, Response, TestApp};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::ledger::{AuditRecord, Ledger, Outcome, What};

/// How many write at once.
pub(super) const WRITERS: usize = 64;

/// The leads between whom the writers' workspaces move.
const LEADS: usize = 4;

/// An org for the writers: a root, leads, and a workspace for each writer.
pub(super) async fn plant(app: &TestApp) -> Arc<Drawn> {
    let mut drawing = "acme\n".to_owned();
    for lead in 0..LEADS {
        drawing.push_str(&format!("  lead-{lead}\n"));
        for bot in (lead..WRITERS).step_by(LEADS) {
            drawing.push_str(&format!("    bot-{bot}\n"));
        }
    }
    Arc::new(app.plant(&drawing).await)
}

/// Writers at work.
pub(super) struct Load {
    writers: Vec<JoinHandle<(usize, Vec<AuditRecord>)>>,
    acknowledged: UnboundedReceiver<()>,
}

/// One writer.
struct Writer {
    number: usize,
    org: Arc<Drawn>,
    agent: Caller,
    admin: Caller,
    seeded: Seeded,
    /// What tells its deeds from those of other rounds.
    round: usize,
    /// Its own memories that were acknowledged in this round.
    memories: Vec<Uuid>,
    deeds: Vec<AuditRecord>,
    /// What it means when the store is not available.
    refusal: Outcome,
    now: Arc<dyn Fn() -> usize + Send + Sync>,
    tell: UnboundedSender<()>,
}

impl Load {
    /// Sets them to work, each until it gets no response or was told something else than that it is done. `now` tells when
    /// an acknowledgement came.
    pub(super) fn start(
        app: &TestApp,
        org: &Arc<Drawn>,
        round: usize,
        now: impl Fn() -> usize + Send + Sync + 'static,
    ) -> Self {
        let (tell, acknowledged) = unbounded_channel();
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
                deeds: Vec::new(),
                // a connection that breaks during a commit leaves open whether that was carried out
                refusal: if app.on() == On::Sqlite { Outcome::Refused } else { Outcome::Unknown },
                now: now.clone(),
                tell: tell.clone(),
            };
            tokio::spawn(writer.work())
        };
        Self { writers: (0..WRITERS).map(start).collect(), acknowledged }
    }

    /// Waits until so many were acknowledged.
    pub(super) async fn acknowledged(&mut self, count: usize) {
        for _ in 0..count {
            self.acknowledged.recv().await.expect("somebody writes as long as there is an answer");
        }
    }

    /// Waits until all have ended: what they asked for, added to the ledger.
    pub(super) async fn end(self, ledger: &mut Ledger) {
        drop(self.acknowledged);
        for writer in self.writers {
            let (_, deeds) = writer.await.expect("a writer is told what it expects");
            ledger.0.extend(deeds);
        }
    }
}

impl Writer {
    async fn work(mut self) -> (usize, Vec<AuditRecord>) {
        for step in 0.. {
            let (what, request) = self.next(step);
            let response = request.try_send().await;
            let is_over = self.note(what, response);
            if is_over || self.tell.send(()).is_err() {
                break;
            }
        }
        (self.number, self.deeds)
    }

    /// Notes what was asked for and what came of it; says whether this was the last.
    fn note(&mut self, what: What, response: Result<Response, String>) -> bool {
        let Ok(response) = response else {
            self.deeds.push(AuditRecord { what, version: None, outcome: Outcome::Unknown });
            return true;
        };
        if !matches!(response.status, 200 | 201) {
            response.refused(503, "unavailable");
            self.deeds.push(AuditRecord { what, version: None, outcome: self.refusal });
            return true;
        }
        let body = response.json();
        if let What::Committed(ids) = &what {
            let is_whole = body.get("committed").is_none_or(|committed| *committed == json!(ids.len()));
            assert!(is_whole, "{}", response.describe());
            self.memories.extend(ids);
        }
        let version = body["version"].as_i64().filter(|_| matches!(what, What::Put { .. }));
        self.deeds.push(AuditRecord { what, version, outcome: Outcome::Done((self.now)()) });
        false
    }

    fn next(&mut self, step: usize) -> (What, Request) {
        let own = self.org.id(&format!("bot-{}", self.number));
        let mark = format!("r{}w{}s{step}", self.round, self.number);
        let at = |rest: &str| format!("/workspaces/{own}/{rest}");
        let agent = self.agent.clone();
        let post = |rest: &str, body: Value| agent.request("POST", &at(rest)).json(body);
        match self.seeded.one_of(&[0, 0, 0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7]) {
            0 => {
                let memory = self.memory(&mark);
                (What::Committed(vec![orgmem_tests::id_of(&memory, "id")]), post("memories", memory))
            }
            1 => {
                let memories: Vec<_> = (0..5).map(|item| self.memory(&format!("{mark}i{item}"))).collect();
                let ids = memories.iter().map(|memory| orgmem_tests::id_of(memory, "id")).collect();
                (What::Committed(ids), post("memories/batch", json!({"memories": memories})))
            }
            2 => {
                let put = |key| What::Put { workspace: own, key, value: mark.clone() };
                let key = self.seeded.one_of(&["state", "cursor", "plan"]);
                (put(key), post("memory", json!({"key": key, "value": mark})))
            }
            3 => {
                let body = json!({"activity_type": "agent_log", "summary": mark, "request_body": {"step": step}});
                (What::Appended(mark), post("activity", body))
            }
            4 => {
                let lead = self.seeded.one_of(&[0, 1, 2, 3]);
                let to = self.org.id(&format!("lead-{lead}"));
                let request = self.admin.request("PATCH", &format!("/workspaces/{own}"));
                (What::Moved { workspace: own, to }, request.json(json!({"parent_id": to})))
            }
            5 if !self.memories.is_empty() => {
                let id = self.memories.swap_remove(self.memories.len() / 2);
                (What::Forgotten(id), agent.request("DELETE", &at(&format!("memories/{id}"))))
            }
            6 if self.number.is_multiple_of(16) => self.import(&mark),
            _ => {
                let body = json!({"activity_type": "agent_log", "summary": mark});
                (What::Appended(mark), post("activity", body))
            }
        }
    }

    fn memory(&mut self, mark: &str) -> Value {
        let scope = self.seeded.one_of(&["LOCAL", "TEAM"]);
        let content = format!("{mark} the crane of the docks is oiled on every second tuesday {}", "x".repeat(200));
        json!({"id": self.seeded.id(), "scope": scope, "content": content})
    }

    /// A whole org from one document.
    fn import(&mut self, mark: &str) -> (What, Request) {
        let workspaces: Vec<Uuid> = (0..6).map(|_| self.seeded.id()).collect();
        let text = format!("{mark} imported");
        let node = |id: &Uuid, children: Vec<Value>| {
            let memories = json!([{"content": text, "scope": "TEAM"}]);
            json!({"id": id, "name": id.to_string(), "initial_memories": memories, "children": children})
        };
        let children = workspaces[1..].iter().map(|id| node(id, Vec::new())).collect();
        let document = node(&workspaces[0], children);
        let request = self.admin.request("POST", "/orgs/import").json(document);
        (What::Imported { workspaces, text }, request)
    }
}
