//! Runs during `kill -9`: the memories of a run all exist or none does.

use std::sync::Arc;

use orgmem_tests::generators::Seeded;
use orgmem_tests::{Caller, On, TestApp, for_each_store, repetitions};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use uuid::Uuid;

for_each_store!(interrupted_runs_commit_all_or_nothing);

/// Concurrent runs.
const RUNNERS: usize = 16;

/// The client's knowledge of a run.
#[derive(Debug)]
struct RunRecord {
    run: Uuid,
    workspace: Uuid,
    /// Memories that the server acknowledged as pending.
    pending: Vec<Uuid>,
    /// A commit had no response.
    has_unconfirmed: bool,
    end: End,
}

/// The end of a run, as far as the client knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The client did not request the end.
    Open,
    /// The client requested the end and received no response.
    Requested { well: bool },
    /// The server acknowledged the end.
    Acknowledged { well: bool },
}

async fn interrupted_runs_commit_all_or_nothing(on: On) {
    // each kill interrupts all concurrent runs
    let rounds = repetitions(5, 13);
    let mut seeded = Seeded::new(47);
    let mut app = TestApp::builder(on).as_program().with("ORGMEM_LOG", "error").start().await;
    let drawing: String = (0..RUNNERS).map(|n| format!("  bot-{n}\n")).collect();
    let org = app.plant(&format!("acme\n{drawing}")).await;
    let bots: Vec<Uuid> = (0..RUNNERS).map(|n| org.id(&format!("bot-{n}"))).collect();
    let (mut lost, mut ended) = (0, 0);
    for round in 0..rounds {
        let (acknowledged, mut count) = watch::channel(0_usize);
        let acknowledged = Arc::new(acknowledged);
        let mut runners = JoinSet::new();
        for (number, &bot) in bots.iter().enumerate() {
            runners.spawn(keep_running(app.agent(bot), bot, round * RUNNERS + number, Arc::clone(&acknowledged)));
        }
        let until = seeded.one_of(&[10, 40, 75, 120, 200, 333]);
        count.wait_for(|count| *count >= until).await.expect("they run");
        app.kill().await;
        let record: Vec<RunRecord> = runners.join_all().await.into_iter().flatten().collect();
        app.restart().await;
        for record in &record {
            let agent = app.agent(record.workspace);
            let path = format!("/workspaces/{}/memories?run_id={}", record.workspace, record.run);
            let (found, _) = agent.all_pages(&path).await;
            let mut found: Vec<Uuid> = found.iter().map(|item| orgmem_tests::id_of(item, "id")).collect();
            found.sort_unstable();
            let mut all = record.pending.clone();
            all.sort_unstable();
            let counted = agent.get(&path.replace("/memories?", "/memories/count?")).await.expect(200).json();
            assert_eq!(counted["count"], json!(found.len()), "{record:?}");
            match record.end {
                End::Acknowledged { well: true } => assert_eq!(found, all, "{record:?}"),
                // the outcome is unknown, but must be atomic
                End::Requested { well: true } => assert!(found.is_empty() || found == all, "{found:?} of {record:?}"),
                End::Acknowledged { well: false } | End::Requested { well: false } | End::Open => {
                    assert!(found.is_empty(), "{found:?} of {record:?}");
                }
            }
            match record.end {
                End::Acknowledged { .. } => ended += 1,
                End::Requested { .. } | End::Open => lost += 1,
            }
            // a run can be ended after a crash
            if record.end == End::Open {
                let finish = format!("/workspaces/{}/runs/{}/finish", record.workspace, record.run);
                let well = record.pending.len() % 2 == 0;
                let status = if well { "completed" } else { "failed" };
                agent.post(&finish, json!({"status": status})).await.expect(200);
                let (found, _) = agent.all_pages(&path).await;
                let expected = if well { record.pending.len() } else { 0 };
                let more = usize::from(well && record.has_unconfirmed);
                assert!((expected..=expected + more).contains(&found.len()), "{} of {record:?}", found.len());
            }
        }
    }
    assert!(lost >= rounds * RUNNERS * 2 / 3, "the kills came when nothing ran: {lost}");
    assert!(ended > lost, "{ended} runs ended before");
}

/// Runs sequentially until the server is gone.
async fn keep_running(
    agent: Caller,
    bot: Uuid,
    number: usize,
    acknowledged: Arc<watch::Sender<usize>>,
) -> Vec<RunRecord> {
    let mut all = Vec::new();
    let ask = async |path: String, body: serde_json::Value| {
        let response = agent.request("POST", &format!("/workspaces/{bot}{path}")).json(body).try_send().await.ok()?;
        acknowledged.send_modify(|count| *count += 1);
        Some(response)
    };
    for turn in 0.. {
        let Some(started) = ask("/runs".into(), json!({})).await else { break };
        let run = started.expect(201).id("run_id");
        let mut record = RunRecord { run, workspace: bot, pending: Vec::new(), has_unconfirmed: false, end: End::Open };
        let commits = 1 + (number + turn) % 4;
        for n in 0..commits {
            let memory = json!({"content": format!("{n} of turn {turn} of {number}"), "scope": "TEAM", "run_id": run});
            match ask("/memories".into(), memory).await {
                Some(pending) => record.pending.push(pending.expect(201).id("id")),
                None => record.has_unconfirmed = true,
            }
            if record.has_unconfirmed {
                break;
            }
        }
        if record.has_unconfirmed {
            all.push(record);
            break;
        }
        let well = !(number + turn).is_multiple_of(3);
        let status = if well { "completed" } else { "failed" };
        record.end = match ask(format!("/runs/{run}/finish"), json!({"status": status})).await {
            Some(response) => {
                response.expect(200);
                End::Acknowledged { well }
            }
            None => End::Requested { well },
        };
        let is_lost = matches!(record.end, End::Requested { .. });
        all.push(record);
        if is_lost {
            break;
        }
    }
    all
}
