//! Evidence of procedures: uses by runs, reports, and what does not count.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    run_that_read_a_procedure_is_its_evidence,
    run_counts_once_and_only_before_its_end,
    edit_begins_a_new_count,
    report_needs_a_run_that_read_the_procedure,
    evidence_disappears_with_the_memory,
    five_successes_of_two_sessions_make_a_candidate,
    author_cannot_promote_itself,
    evidence_equals_a_naive_count,
);

/// An org with two agents that share a TEAM procedure of the first one.
pub(super) struct Team {
    pub(super) app: TestApp,
    pub(super) root: Uuid,
    pub(super) author: Uuid,
    pub(super) peer: Uuid,
    pub(super) procedure: Uuid,
}

impl Team {
    pub(super) async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  author\n  peer").await;
        let author = org.id("author");
        let procedure = procedure(&app.agent(author), author, "Deploy with the green button.").await;
        Self { root: org.id("acme"), author, peer: org.id("peer"), procedure, app }
    }

    pub(super) fn path(&self, workspace: Uuid, rest: &str) -> String {
        format!("/workspaces/{workspace}/memories/{}{rest}", self.procedure)
    }

    pub(super) async fn start(&self, workspace: Uuid, session: &str) -> Uuid {
        let body = match session {
            "" => json!({}),
            session => json!({"session_id": session}),
        };
        let runs = format!("/workspaces/{workspace}/runs");
        self.app.agent(workspace).post(&runs, body).await.expect(201).id("run_id")
    }

    pub(super) async fn finish(&self, workspace: Uuid, run: Uuid, status: &str) {
        let path = format!("/workspaces/{workspace}/runs/{run}/finish");
        self.app.agent(workspace).post(&path, json!({"status": status})).await.expect(200);
    }

    pub(super) async fn read_in(&self, workspace: Uuid, run: Uuid) {
        in_run(&self.app.agent(workspace), &self.path(workspace, ""), run).await;
    }

    /// A run that reads the procedure and ends.
    pub(super) async fn used(&self, workspace: Uuid, session: &str, status: &str) -> Uuid {
        let run = self.start(workspace, session).await;
        self.read_in(workspace, run).await;
        self.finish(workspace, run, status).await;
        run
    }

    pub(super) async fn evidence(&self) -> Value {
        self.app.agent(self.peer).get(&self.path(self.peer, "/evidence")).await.expect(200).json()
    }

    async fn report(&self, workspace: Uuid, body: Value) -> orgmem_tests::Response {
        self.app.agent(workspace).post(&self.path(workspace, "/outcome"), body).await
    }
}

pub(super) async fn procedure(caller: &Caller, author: Uuid, content: &str) -> Uuid {
    caller.commit_with(author, json!({"content": content, "kind": "procedure", "scope": "TEAM"})).await
}

async fn in_run(caller: &Caller, path: &str, run: Uuid) -> orgmem_tests::Response {
    caller.request("GET", path).header("x-run-id", run.to_string()).send().await.expect(200)
}

fn rows(app: &TestApp, query: &str) -> Vec<String> {
    app.tables().try_query(query).expect("the query succeeds")
}

fn counts(evidence: &Value) -> [u64; 4] {
    ["uses", "successes", "failures", "open"].map(|name| evidence[name].as_u64().expect("a count"))
}

async fn run_that_read_a_procedure_is_its_evidence(on: On) {
    let team = Team::new(on).await;
    let (app, peer) = (&team.app, team.peer);
    assert_eq!(counts(&team.evidence().await), [0, 0, 0, 0]);
    let agent = app.agent(peer);
    let by_search = team.start(peer, "s-1").await;
    in_run(&agent, &format!("/workspaces/{peer}/memories?q=green%20button"), by_search).await;
    let by_context = team.start(peer, "s-2").await;
    let context =
        agent.request("POST", &format!("/workspaces/{peer}/context")).header("x-run-id", by_context.to_string());
    let block = context.json(json!({"query": "green button"})).send().await.expect(200).json();
    assert!(block["block"].as_str().is_some_and(|block| block.contains("green button")), "{block}");
    let by_id = team.start(peer, "s-2").await;
    team.read_in(peer, by_id).await;
    assert_eq!(counts(&team.evidence().await), [0, 0, 0, 3]);
    for (run, status) in [(by_search, "completed"), (by_context, "failed"), (by_id, "cancelled")] {
        team.finish(peer, run, status).await;
    }
    let evidence = team.evidence().await;
    assert_eq!(counts(&evidence), [2, 1, 1, 0], "{evidence}");
    let distinct = ["runs", "sessions", "workspaces"].map(|name| evidence[name].as_u64());
    assert_eq!(distinct, [Some(2), Some(2), Some(1)]);
    // 1 of 2: (0.5 + 0.9604 − 1.96 · √(0.125 + 0.2401)) / 2.9208
    assert_eq!(evidence["lower_bound"], 0.0945);
    assert_eq!((&evidence["candidate"], evidence["recent"].as_array().map(Vec::len)), (&json!(false), Some(2)));
    // a fact has no evidence; what is out of reach does not exist
    let fact = app.agent(peer).commit(peer, "LOCAL", "a fact").await;
    agent.get(&format!("/workspaces/{peer}/memories/{fact}/evidence")).await.refused(409, "not_a_procedure");
    let hidden = agent.commit_with(peer, json!({"content": "x", "kind": "procedure", "scope": "LOCAL"})).await;
    let author = team.author;
    let path = format!("/workspaces/{author}/memories/{hidden}/evidence");
    app.agent(author).get(&path).await.refused(404, "not_found");
}

async fn run_counts_once_and_only_before_its_end(on: On) {
    let team = Team::new(on).await;
    let peer = team.peer;
    let run = team.start(peer, "").await;
    for _ in 0..5 {
        team.read_in(peer, run).await;
    }
    team.finish(peer, run, "completed").await;
    assert_eq!(counts(&team.evidence().await), [1, 1, 0, 0]);
    // a read after the end, a run of another workspace, an unknown run
    team.app.advance(TimeDelta::seconds(1));
    let late = team.start(peer, "").await;
    team.finish(peer, late, "completed").await;
    team.app.advance(TimeDelta::seconds(1));
    let theirs = team.start(team.author, "").await;
    for run in [late, theirs, Uuid::from_u128(5)] {
        team.read_in(peer, run).await;
    }
    team.finish(team.author, theirs, "completed").await;
    assert_eq!(counts(&team.evidence().await), [1, 1, 0, 0]);
}

async fn edit_begins_a_new_count(on: On) {
    let team = Team::new(on).await;
    team.used(team.peer, "s-1", "completed").await;
    team.used(team.peer, "s-2", "failed").await;
    let change = json!({"content": "Deploy with the blue button."});
    team.app.agent(team.author).patch(&team.path(team.author, ""), change).await.expect(200);
    let evidence = team.evidence().await;
    assert_eq!((counts(&evidence), &evidence["version"]), ([0, 0, 0, 0], &json!(2)));
    team.used(team.peer, "s-1", "completed").await;
    let evidence = team.evidence().await;
    assert_eq!(counts(&evidence), [1, 1, 0, 0]);
    let earlier = json!([{"version": 1, "uses": 2, "successes": 1, "failures": 1, "lower_bound": 0.0945}]);
    assert_eq!(evidence["history"], earlier);
}

async fn report_needs_a_run_that_read_the_procedure(on: On) {
    let team = Team::new(on).await;
    let (peer, author) = (team.peer, team.author);
    let unread = team.start(peer, "").await;
    let theirs = team.used(author, "", "completed").await;
    for run in [unread, theirs, Uuid::from_u128(5)] {
        team.report(peer, json!({"outcome": "success", "run_id": run})).await.refused(409, "never_read");
    }
    let failed = team.used(peer, "", "failed").await;
    team.report(peer, json!({"outcome": "success", "run_id": failed})).await.refused(409, "run_over");
    // what the end of a run does not show
    let cancelled = team.used(peer, "", "cancelled").await;
    let reported = team.report(peer, json!({"outcome": "success", "run_id": cancelled})).await.expect(200).json();
    assert_eq!(reported["version"], 1);
    // a failure outweighs the completed run, before and after its end
    let completed = team.used(peer, "", "completed").await;
    let note = "the button needs AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";
    let body = json!({"outcome": "failure", "run_id": completed, "note": note});
    let reported = team.report(peer, body).await.expect(200).json();
    assert_eq!(reported["redactions"][0]["field"], "note", "{reported}");
    let open = team.start(peer, "").await;
    team.read_in(peer, open).await;
    team.report(peer, json!({"outcome": "failure", "run_id": open})).await.expect(200);
    team.finish(peer, open, "completed").await;
    // without a run, the workspace has one voice
    for outcome in ["failure", "failure", "success"] {
        team.report(peer, json!({"outcome": outcome})).await.expect(200);
    }
    let evidence = team.evidence().await;
    // the author's run, the cancelled one and the voice worked; three failed
    assert_eq!(counts(&evidence), [6, 3, 3, 0], "{evidence}");
    assert_eq!(evidence.get("notes"), None, "notes are for people");
    let seen = team.app.viewer(team.root).get(&team.path(peer, "/evidence")).await.expect(200).json();
    let notes = &seen["notes"];
    assert!(notes[0]["note"].as_str().is_some_and(|note| note.contains("[REDACTED:")), "{notes}");
    let log = team.app.admin().get(&format!("/workspaces/{peer}/access-log?action=report_outcome")).await.expect(200);
    assert_eq!(log.items().len(), 6);
}

async fn evidence_disappears_with_the_memory(on: On) {
    let team = Team::new(on).await;
    let run = team.used(team.peer, "", "cancelled").await;
    let note = json!({"outcome": "success", "run_id": run, "note": "archaeopteryx"});
    team.report(team.peer, note).await.expect(200);
    let stored = |app: &TestApp| rows(app, "SELECT note AS line FROM memory_uses WHERE note IS NOT NULL");
    assert_eq!(stored(&team.app), ["archaeopteryx"]);
    let reason = json!({"reason": "a test"});
    team.app.operator(team.root).post(&team.path(team.author, "/redact"), reason).await.expect(200);
    assert_eq!(rows(&team.app, "SELECT ID(memory_id) AS line FROM memory_uses"), Vec::<String>::new());
    // a purge of the reader takes its uses
    let second = procedure(&team.app.agent(team.author), team.author, "Roll back.").await;
    let team = Team { procedure: second, ..team };
    team.used(team.peer, "", "completed").await;
    team.evidence().await;
    assert_eq!(rows(&team.app, "SELECT ID(memory_id) AS line FROM memory_uses").len(), 1);
    team.app.admin().delete(&format!("/workspaces/{}?purge=true", team.peer)).await.expect(200);
    assert_eq!(rows(&team.app, "SELECT ID(memory_id) AS line FROM memory_uses"), Vec::<String>::new());
}

async fn five_successes_of_two_sessions_make_a_candidate(on: On) {
    let team = Team::new(on).await;
    for n in 0..5 {
        assert_eq!(team.evidence().await["candidate"], false);
        team.used(team.peer, &format!("s-{}", n % 2), "completed").await;
    }
    let evidence = team.evidence().await;
    assert_eq!((&evidence["candidate"], &evidence["missing"]), (&json!(true), &json!([])), "{evidence}");
    assert_eq!(evidence["lower_bound"], 0.5655);
}

async fn author_cannot_promote_itself(on: On) {
    let team = Team::new(on).await;
    let (author, peer) = (team.author, team.peer);
    for n in 0..6 {
        team.used(author, &format!("s-{n}"), "completed").await;
    }
    let counted = team.evidence().await["counted"].clone();
    assert_eq!((&counted["successes"], &counted["runs"]), (&json!(2), &json!(2)));
    // a flood of one session counts as four
    for _ in 0..8 {
        team.used(peer, "flood", "completed").await;
    }
    let evidence = team.evidence().await;
    assert_eq!(evidence["counted"]["successes"], 6);
    assert_eq!(evidence["successes"], 14);
}

/// A reproducible sequence of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// What a run did, as a naive reader of the history sees it.
#[derive(Default)]
struct History {
    workspace: usize,
    session: String,
    versions: BTreeSet<u64>,
    end: Option<&'static str>,
    report: BTreeMap<u64, &'static str>,
}

async fn evidence_equals_a_naive_count(on: On) {
    let team = Team::new(on).await;
    let workspaces = [team.author, team.peer];
    for seed in [1, 2] {
        let content = format!("Procedure {seed}.");
        let team = &team;
        let id = procedure(&team.app.agent(team.author), team.author, &content).await;
        let path = |workspace: Uuid, rest: &str| format!("/workspaces/{workspace}/memories/{id}{rest}");
        let (mut numbers, mut version) = (Numbers(seed), 1_u64);
        let mut runs: BTreeMap<Uuid, History> = BTreeMap::new();
        for _ in 0..120 {
            team.app.advance(TimeDelta::seconds(1));
            let open: Vec<Uuid> = runs.iter().filter(|(_, run)| run.end.is_none()).map(|(id, _)| *id).collect();
            let chosen = (!open.is_empty()).then(|| open[numbers.below(open.len() as u64) as usize]);
            match (numbers.below(12), chosen) {
                (0..=2, _) | (_, None) => {
                    let workspace = numbers.below(2) as usize;
                    let session = ["", "s-1", "s-2"][numbers.below(3) as usize].to_owned();
                    let run = team.start(workspaces[workspace], &session).await;
                    runs.insert(run, History { workspace, session, ..History::default() });
                }
                (3..=7, Some(run)) => {
                    let run_of = runs.get_mut(&run).expect("a run");
                    in_run(&team.app.agent(workspaces[run_of.workspace]), &path(workspaces[run_of.workspace], ""), run)
                        .await;
                    run_of.versions.insert(version);
                }
                (8..=9, Some(run)) => {
                    let status = ["completed", "failed", "cancelled"][numbers.below(3) as usize];
                    let run_of = runs.get_mut(&run).expect("a run");
                    team.finish(workspaces[run_of.workspace], run, status).await;
                    run_of.end = Some(status);
                }
                (10, Some(run)) => {
                    let run_of = runs.get_mut(&run).expect("a run");
                    let outcome = ["success", "failure"][numbers.below(2) as usize];
                    let workspace = workspaces[run_of.workspace];
                    let body = json!({"outcome": outcome, "run_id": run});
                    let response = team.app.agent(workspace).post(&path(workspace, "/outcome"), body).await;
                    match run_of.versions.last() {
                        None => drop(response.refused(409, "never_read")),
                        Some(read) => {
                            response.expect(200);
                            run_of.report.insert(*read, outcome);
                        }
                    }
                }
                (_, Some(_)) => {
                    version += 1;
                    let change = json!({"content": format!("{content} {version}")});
                    team.app.agent(team.author).patch(&path(team.author, ""), change).await.expect(200);
                }
            }
        }
        let evidence = team.app.agent(team.peer).get(&path(team.peer, "/evidence")).await.expect(200).json();
        let mut naive: BTreeMap<u64, [u64; 3]> = BTreeMap::new();
        let (mut sessions, mut readers) = (BTreeSet::new(), BTreeSet::new());
        for run_of in runs.values() {
            for read in &run_of.versions {
                let outcomes = [run_of.end.unwrap_or(""), run_of.report.get(read).copied().unwrap_or("")];
                let row = naive.entry(*read).or_default();
                let is_known = if outcomes.iter().any(|word| matches!(*word, "failed" | "failure")) {
                    row[1] += 1;
                    true
                } else if outcomes.iter().any(|word| matches!(*word, "completed" | "success")) {
                    row[0] += 1;
                    true
                } else {
                    row[2] += u64::from(run_of.end.is_none());
                    false
                };
                if is_known && *read == version {
                    readers.insert(run_of.workspace);
                    let of =
                        if run_of.session.is_empty() { run_of.workspace.to_string() } else { run_of.session.clone() };
                    sessions.insert(of);
                }
            }
        }
        let [successes, failures, open] = naive.get(&version).copied().unwrap_or_default();
        assert_eq!(counts(&evidence), [successes + failures, successes, failures, open], "{evidence}");
        assert_eq!(evidence["sessions"], json!(sessions.len()), "{evidence}");
        assert_eq!(evidence["workspaces"], json!(readers.len()));
        for earlier in evidence["history"].as_array().expect("a list") {
            let of = naive.get(&earlier["version"].as_u64().expect("a number")).copied().unwrap_or_default();
            assert_eq!([&earlier["successes"], &earlier["failures"]], [&json!(of[0]), &json!(of[1])], "{earlier}");
        }
        let with_uses = naive.keys().filter(|read| **read != version).count();
        assert_eq!(evidence["history"].as_array().map(Vec::len), Some(with_uses));
    }
}
