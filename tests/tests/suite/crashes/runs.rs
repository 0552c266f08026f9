//! Runs that lose their server: `kill -9` at any instant, and what they held back is all there or was never there.

use std::sync::Arc;

use orgmem_tests::generators::Seeded;
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use uuid::Uuid;

for_each_store!(two_hundred_runs_that_lose_their_server_leave_all_or_nothing);

/// Runs that are under way at once, and lose their server together.
const RUNNERS: usize = 16;
/// Kills. Each takes the server from as many runs as there are runners.
const ROUNDS: usize = 13;

/// A run as its client knows it.
#[derive(Debug)]
struct Told {
    run: Uuid,
    workspace: Uuid,
    /// Memories that were held back, as the server said.
    held: Vec<Uuid>,
    /// Whether a commit was under way when the server went.
    one_more: bool,
    end: End,
}

/// How a run ended, as far as its client knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The server went before the end was asked for.
    Never,
    /// The end was asked for, and nothing came back.
    Asked { well: bool },
    /// The server said that it ended.
    Acknowledged { well: bool },
}

async fn two_hundred_runs_that_lose_their_server_leave_all_or_nothing(on: On) {
    let mut seeded = Seeded::new(47);
    let mut app = TestApp::builder(on).as_program().with("ORGMEM_LOG", "error").start().await;
    let drawing: String = (0..RUNNERS).map(|n| format!("  bot-{n}\n")).collect();
    let org = app.plant(&format!("acme\n{drawing}")).await;
    let bots: Vec<Uuid> = (0..RUNNERS).map(|n| org.id(&format!("bot-{n}"))).collect();
    let (mut lost, mut ended) = (0, 0);
    for round in 0..ROUNDS {
        let (acknowledged, mut count) = watch::channel(0_usize);
        let acknowledged = Arc::new(acknowledged);
        let mut runners = JoinSet::new();
        for (number, &bot) in bots.iter().enumerate() {
            runners.spawn(keep_running(app.agent(bot), bot, round * RUNNERS + number, Arc::clone(&acknowledged)));
        }
        let until = seeded.one_of(&[10, 40, 75, 120, 200, 333]);
        count.wait_for(|count| *count >= until).await.expect("they run");
        app.kill().await;
        let told: Vec<Told> = runners.join_all().await.into_iter().flatten().collect();
        app.restart().await;
        for told in &told {
            let agent = app.agent(told.workspace);
            let path = format!("/workspaces/{}/memories?run_id={}", told.workspace, told.run);
            let (found, _) = agent.all_pages(&path).await;
            let mut found: Vec<Uuid> = found.iter().map(|item| orgmem_tests::id_of(item, "id")).collect();
            found.sort_unstable();
            let mut all = told.held.clone();
            all.sort_unstable();
            let counted = agent.get(&path.replace("/memories?", "/memories/count?")).await.expect(200).json();
            assert_eq!(counted["count"], json!(found.len()), "{told:?}");
            match told.end {
                End::Acknowledged { well: true } => assert_eq!(found, all, "{told:?}"),
                // whether it came through nobody knows, but not by halves
                End::Asked { well: true } => assert!(found.is_empty() || found == all, "{found:?} of {told:?}"),
                End::Acknowledged { well: false } | End::Asked { well: false } | End::Never => {
                    assert!(found.is_empty(), "{found:?} of {told:?}")
                }
            }
            match told.end {
                End::Acknowledged { .. } => ended += 1,
                End::Asked { .. } | End::Never => lost += 1,
            }
            // a run that lost its server is ended as well as any other
            if told.end == End::Never {
                let finish = format!("/workspaces/{}/runs/{}/finish", told.workspace, told.run);
                let well = told.held.len() % 2 == 0;
                let status = if well { "completed" } else { "failed" };
                agent.post(&finish, json!({"status": status})).await.expect(200);
                let (found, _) = agent.all_pages(&path).await;
                let expected = if well { told.held.len() } else { 0 };
                let more = usize::from(well && told.one_more);
                assert!((expected..=expected + more).contains(&found.len()), "{} of {told:?}", found.len());
            }
        }
    }
    assert!(lost >= 150, "the kills came when nothing ran: {lost}");
    assert!(ended > lost, "{ended} runs ended before");
}

/// Runs, one after the other, until the server is gone.
async fn keep_running(agent: Caller, bot: Uuid, number: usize, acknowledged: Arc<watch::Sender<usize>>) -> Vec<Told> {
    let mut all = Vec::new();
    let ask = async |path: String, body: serde_json::Value| {
        let response = agent.request("POST", &format!("/workspaces/{bot}{path}")).json(body).try_send().await.ok()?;
        acknowledged.send_modify(|count| *count += 1);
        Some(response)
    };
    for turn in 0.. {
        let Some(started) = ask("/runs".into(), json!({})).await else { break };
        let run = started.expect(201).id("run_id");
        let mut told = Told { run, workspace: bot, held: Vec::new(), one_more: false, end: End::Never };
        let commits = 1 + (number + turn) % 4;
        for n in 0..commits {
            let memory = json!({"content": format!("{n} of turn {turn} of {number}"), "scope": "TEAM", "run_id": run});
            match ask("/memories".into(), memory).await {
                Some(held) => told.held.push(held.expect(201).id("id")),
                None => told.one_more = true,
            }
            if told.one_more {
                break;
            }
        }
        if told.one_more {
            all.push(told);
            break;
        }
        let well = !(number + turn).is_multiple_of(3);
        let status = if well { "completed" } else { "failed" };
        told.end = match ask(format!("/runs/{run}/finish"), json!({"status": status})).await {
            Some(response) => {
                response.expect(200);
                End::Acknowledged { well }
            }
            None => End::Asked { well },
        };
        let is_lost = matches!(told.end, End::Asked { .. });
        all.push(told);
        if is_lost {
            break;
        }
    }
    all
}
