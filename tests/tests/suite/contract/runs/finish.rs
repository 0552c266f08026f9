//! The end of runs.

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store, id_of, repetitions};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{MARK, finish, in_run, is_in_tables, runs, start};

for_each_store!(
    finished_run_commits_atomically,
    failed_run_leaves_nothing,
    run_ends_once,
    failed_commit_leaves_the_run_open,
    failed_runs_leave_nothing,
    finished_runs_commit_all,
    removed_workspace_ends_its_open_runs,
    invalid_run_requests_are_refused,
);

async fn finished_run_commits_atomically(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    let old = agent.commit(bot, "TEAM", "deploys happen on mondays").await;
    let run = start(&agent, bot).await;
    let mine = agent.post(&at, in_run(run, "LOCAL", "a note")).await.expect(201).id("id");
    let mut new = in_run(run, "TEAM", "deploys happen on tuesdays");
    new["supersedes"] = json!(old);
    let new = agent.post(&at, new).await.expect(201).id("id");
    let mut newest = in_run(run, "TEAM", "deploys happen on thursdays");
    newest["supersedes"] = json!(new);
    let newest = agent.post(&at, newest).await.expect(201).id("id");
    assert_eq!(app.agent(peer).search(peer, &[]).await.ids(), [old], "nothing is replaced yet");
    app.advance(TimeDelta::seconds(30));
    let from = agent.subscribe(&format!("/workspaces/{bot}/events?follow=false"), None).await.rest().await[0].id;
    let done = finish(&agent, bot, run, "completed").await;
    assert_eq!(
        (&done["status"], &done["write_count"], &done["dropped_count"]),
        (&json!("completed"), &json!(3), &json!(0))
    );
    assert_eq!(app.agent(peer).search(peer, &[("q", "deploys")]).await.ids(), [newest]);
    let mut found = agent.search(bot, &[("run_id", &run.to_string())]).await.ids();
    found.sort_unstable();
    let mut wanted = vec![mine, newest];
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    let read = agent.get(&format!("{at}/{newest}")).await.expect(200).json();
    assert_eq!((&read["run_id"], &read["version"]), (&json!(run), &json!(1)));
    assert_eq!(read["created_at"], read["updated_at"]);
    assert_eq!(read["created_at"], done["finished_at"], "it is as old as the end of its run");
    // one event for each visible partition, and one for the run
    let stream = agent.subscribe(&format!("/workspaces/{bot}/events?follow=false"), from).await.rest().await;
    let details: Vec<_> = stream
        .iter()
        .filter(|event| event.event != "ready")
        .map(|event| (event.event.as_str(), event.data["details"]["write_count"].clone()))
        .collect();
    assert_eq!(details, [("memory_committed", json!(1)), ("memory_committed", json!(2)), ("run_finished", json!(3))]);
    let stream = app.agent(peer).subscribe(&format!("/workspaces/{peer}/events?follow=false"), from).await.rest().await;
    let details: Vec<_> =
        stream.iter().filter(|event| event.event != "ready").map(|event| &event.data["details"]).collect();
    assert_eq!(details, [&json!({"run_id": run, "write_count": 2})]);
    // a retry changes nothing
    let before = app.dump();
    assert_eq!(finish(&agent, bot, run, "completed").await, done);
    assert_eq!(app.dump(), before);
    assert!(!before.iter().any(|row| row.starts_with("pending_memories ")), "committed memories are no longer pending");
}

async fn failed_run_leaves_nothing(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    for status in ["failed", "cancelled"] {
        let run = start(&agent, bot).await;
        let id = agent.post(&at, in_run(run, "TEAM", MARK)).await.expect(201).id("id");
        assert!(is_in_tables(&app, MARK));
        let done = finish(&agent, bot, run, status).await;
        assert_eq!((&done["write_count"], &done["dropped_count"]), (&json!(0), &json!(1)));
        assert!(!is_in_tables(&app, MARK), "{status}");
        assert_eq!(agent.search(bot, &[]).await.ids(), Vec::<Uuid>::new());
        agent.get(&format!("{at}/{id}/why")).await.refused(404, "not_found");
        // the log records the staging and the end of the run
        let log = app.admin().get(&format!("/workspaces/{bot}/access-log?run_id={run}")).await.expect(200).items();
        let actions: Vec<_> = log.iter().map(|row| row["action"].clone()).collect();
        for action in ["start_run", "hold_memory", "finish_run"] {
            assert!(actions.contains(&json!(action)), "{actions:?}");
        }
    }
    // an old open run is timed out from that instant
    let run = start(&agent, bot).await;
    agent.post(&at, in_run(run, "TEAM", "too late")).await.expect(201);
    app.advance(TimeDelta::seconds(3600));
    let agent = app.agent(bot);
    let shown = agent.get(&runs(bot, &format!("/{run}"))).await.expect(200).json();
    assert_eq!((&shown["status"], &shown["pending"]), (&json!("timed_out"), &json!([])));
    assert_eq!((&shown["write_count"], &shown["dropped_count"]), (&json!(0), &json!(1)));
    let end = json!({"status": "completed"});
    agent.post(&runs(bot, &format!("/{run}/finish")), end).await.refused(409, "run_over");
    agent.post(&at, in_run(run, "TEAM", "later still")).await.refused(409, "run_over");
    assert_eq!(agent.search(bot, &[]).await.ids(), Vec::<Uuid>::new());
    let listed = agent.get(&runs(bot, "?status=timed_out")).await.expect(200).items();
    assert_eq!(listed.iter().map(|row| id_of(row, "run_id")).collect::<Vec<_>>(), [run]);
    assert_eq!(agent.all_pages(&runs(bot, "?limit=1")).await.0.len(), 3);
}

async fn run_ends_once(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    for first in ["completed", "failed", "cancelled"] {
        let run = start(&agent, bot).await;
        agent.post(&format!("/workspaces/{bot}/memories"), in_run(run, "LOCAL", first)).await.expect(201);
        let done = finish(&agent, bot, run, first).await;
        for again in ["completed", "failed", "cancelled"] {
            let before = app.dump();
            let response = agent.post(&runs(bot, &format!("/{run}/finish")), json!({"status": again})).await;
            if again == first {
                assert_eq!(response.expect(200).json(), done);
            } else {
                response.refused(409, "run_over");
            }
            assert_eq!(app.dump(), before);
        }
        let late = json!({"__lf_memory_writes": [{"content": "late"}]});
        agent.post(&runs(bot, &format!("/{run}/outputs")), late).await.refused(409, "run_over");
        let late = in_run(run, "LOCAL", "late");
        agent.post(&format!("/workspaces/{bot}/memories"), late).await.refused(409, "run_over");
    }
    let contents: Vec<_> = agent.search(bot, &[]).await.items().iter().map(|row| row["content"].clone()).collect();
    assert_eq!(contents, ["completed"]);
}

async fn failed_commit_leaves_the_run_open(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let (dev, bot, ops) = (org.id("dev"), org.id("bot"), org.id("ops"));
    let (agent, at) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    let run = start(&agent, bot).await;
    // a forbidden scope is refused when staged
    agent.post(&at, in_run(run, "GLOBAL", "x")).await.refused(403, "scope_forbidden");
    agent.post(&at, in_run(run, "LOCAL", "fine")).await.expect(201);
    let mut bound = in_run(run, "TEAM", "for the team of dev");
    bound["team"] = json!(dev);
    agent.post(&at, bound).await.expect(201);
    app.admin().move_workspace(bot, ops).await;
    let before = app.dump();
    let end = json!({"status": "completed"});
    let refused = agent.post(&runs(bot, &format!("/{run}/finish")), end.clone()).await;
    let details = refused.refused(403, "scope_forbidden")["detail"].as_str().expect("a detail").to_owned();
    assert!(details.contains("cannot be committed"), "{details}");
    assert_eq!(app.dump(), before, "nothing of it is there");
    assert_eq!(agent.search(bot, &[]).await.ids(), Vec::<Uuid>::new());
    // after the move back it can be committed
    app.admin().move_workspace(bot, dev).await;
    agent.post(&runs(bot, &format!("/{run}/finish")), end).await.expect(200);
    assert_eq!(agent.search(bot, &[]).await.ids().len(), 2);
    // a removed workspace commits nothing
    let run = start(&agent, bot).await;
    agent.post(&at, in_run(run, "TEAM", MARK)).await.expect(201);
    app.admin().delete(&format!("/workspaces/{bot}")).await.expect(200);
    let end = json!({"status": "completed"});
    agent.post(&runs(bot, &format!("/{run}/finish")), end.clone()).await.refused(401, "token_invalid");
    app.operator(dev).post(&runs(bot, &format!("/{run}/finish")), end).await.refused(410, "gone");
    assert_eq!(app.admin().search(dev, &[("q", MARK)]).await.ids(), Vec::<Uuid>::new());
}

async fn failed_runs_leave_nothing(on: On) {
    let mut app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let mut agent = app.agent(bot);
    let mut open = Vec::new();
    for n in 0..repetitions(67, 200) {
        let run = start(&agent, bot).await;
        let output: Vec<Value> =
            (0..1 + n % 3).map(|m| json!({"content": format!("{MARK} {n} {m}"), "scope": "TEAM"})).collect();
        let output = json!({"__lf_memory_writes": output});
        agent.post(&runs(bot, &format!("/{run}/outputs")), output).await.expect(200);
        match n % 4 {
            0 => drop(finish(&agent, bot, run, "failed").await),
            1 => drop(finish(&agent, bot, run, "cancelled").await),
            _ => open.push(run),
        }
        if n % 33 == 32 {
            // the server restarts
            app.restart().await;
            agent = app.agent(bot);
        }
        assert_eq!(agent.search(bot, &[("q", MARK)]).await.ids(), Vec::<Uuid>::new());
    }
    app.advance(TimeDelta::hours(2));
    for run in open {
        let shown = app.agent(bot).get(&runs(bot, &format!("/{run}"))).await.expect(200).json();
        assert_eq!((&shown["status"], &shown["pending"]), (&json!("timed_out"), &json!([])));
    }
    let agent = app.agent(bot);
    assert_eq!(agent.search(bot, &[]).await.ids(), Vec::<Uuid>::new());
    assert_eq!(agent.get(&format!("/workspaces/{bot}/memories/count")).await.expect(200).json()["count"], 0);
    assert!(!app.dump().iter().any(|row| row.starts_with("memories ") || row.starts_with("memory_index ")));
}

async fn finished_runs_commit_all(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let mut written = 0;
    for n in 0..repetitions(67, 200) {
        let run = start(&agent, bot).await;
        let output: Vec<Value> = (0..1 + n % 3).map(|m| json!({"content": format!("lesson {n} {m}")})).collect();
        let count = output.len();
        let output = json!({"__lf_memory_writes": output});
        agent.post(&runs(bot, &format!("/{run}/outputs")), output).await.expect(200);
        assert_eq!(finish(&agent, bot, run, "completed").await["write_count"], count);
        // a retry changes nothing
        assert_eq!(finish(&agent, bot, run, "completed").await["write_count"], count);
        written += count;
    }
    let count = agent.get(&format!("/workspaces/{bot}/memories/count")).await.expect(200).json();
    assert_eq!(count["count"], written);
}

async fn removed_workspace_ends_its_open_runs(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops\n  late").await;
    let [dev, bot, ops, late] = ["dev", "bot", "ops", "late"].map(|name| org.id(name));
    let mut open = Vec::new();
    for workspace in [dev, bot, ops] {
        let run = start(&app.agent(workspace), workspace).await;
        let path = format!("/workspaces/{workspace}/memories");
        app.agent(workspace).post(&path, in_run(run, "TEAM", &format!("{MARK} of {workspace}"))).await.expect(201);
        open.push(run);
    }
    let old = start(&app.agent(late), late).await;
    app.advance(TimeDelta::hours(2));
    let again = start(&app.agent(ops), ops).await;
    app.agent(ops).post(&format!("/workspaces/{ops}/memories"), in_run(again, "TEAM", "pterodactyl")).await.expect(201);
    // a dry run ends nothing
    app.admin().delete(&format!("/workspaces/{dev}?children=cascade&purge=true&dry_run=true")).await.expect(200);
    app.admin().delete(&format!("/workspaces/{late}")).await.expect(200);
    app.admin().delete(&format!("/workspaces/{dev}?children=cascade")).await.expect(200);
    for gone in [dev, bot] {
        assert!(
            !is_in_tables(&app, &format!("{MARK} of {gone}")),
            "pending memories of a removed workspace are in the tables"
        );
    }
    let ended = |run: Uuid| {
        let log = format!("/workspaces/{}/access-log?subtree=true&action=finish_run&run_id={run}", org.id("acme"));
        let admin = app.admin();
        async move {
            admin
                .get(&log)
                .await
                .expect(200)
                .items()
                .iter()
                .map(|row| row["context"]["status"].clone())
                .collect::<Vec<_>>()
        }
    };
    // the clock has advanced: the runs have timed out, and their status is reported
    assert_eq!(ended(open[0]).await, [json!("timed_out")]);
    assert_eq!(ended(old).await, [json!("timed_out")]);
    assert_eq!(ended(again).await, Vec::<Value>::new());
    app.admin().delete(&format!("/workspaces/{ops}")).await.expect(200);
    assert_eq!(ended(again).await, [json!("cancelled")]);
    assert!(!is_in_tables(&app, "pterodactyl"), "pending memories of a removed workspace are in the tables");
}

async fn invalid_run_requests_are_refused(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let run = start(&agent, bot).await;
    let before = app.dump();
    let at = |rest: &str| runs(bot, &format!("/{run}{rest}"));
    agent.post(&at("/finish"), json!({"status": "done"})).await.refused(400, "invalid_field");
    agent.post(&at("/finish"), json!({})).await.refused(400, "invalid_field");
    agent.post(&runs(bot, ""), json!({"label": "two\nlines"})).await.refused(400, "invalid_field");
    agent.post(&runs(bot, ""), json!({"lable": "x"})).await.refused(400, "invalid_field");
    agent.get(&runs(bot, "/nothing")).await.refused(404, "not_found");
    agent.get(&runs(bot, &format!("/{}", Uuid::from_u128(5)))).await.refused(404, "not_found");
    agent.get(&runs(bot, "?status=done")).await.refused(400, "invalid_field");
    let bad = [
        json!({"__lf_memory_writes": {"content": "no list"}}),
        json!({"__lf_memory_writes": [{"content": "fine"}, {"contents": "a typo"}]}),
        json!({"__lf_memory_writes": [{"content": "fine"}, {"content": " "}]}),
        json!({"__lf_memory_writes": ["text"]}),
        json!({"result": {"__lf_memory_writes": {"content": "no list"}}}),
        json!({"result": "{\"__lf_memory_writes\": [{\"content\": \"as text\"}]}"}),
        json!({"__lf_memory_writes": [{"content": "x", "metadata": {"__lf_memory_writes": []}}]}),
        json!({"_lf_memory_writes": [{"content": "misspelled"}]}),
        json!({"a": {"__lf_memory_writes": vec![json!({"content": "x"}); 250]}, "__lf_memory_writes": vec![json!({"content": "x"}); 251]}),
        json!({"__lf_memory_writes": [{"content": "of another", "run_id": Uuid::from_u128(9)}]}),
        json!({"__lf_memory_writes": vec![json!({"content": "x"}); 501]}),
        json!([1]),
    ];
    for output in bad {
        let response = agent.post(&at("/outputs"), output).await;
        assert_eq!(response.status, 400, "{}", response.describe());
    }
    agent
        .post(&at("/outputs"), json!({"__lf_memory_writes": [{"content": "x", "scope": "GLOBAL"}]}))
        .await
        .refused(403, "scope_forbidden");
    assert_eq!(app.dump(), before, "nothing is stored");
    // credentials are replaced before staging
    let key = format!("sk-{}", "abcdefghij0123456789ABCDEFGHIJ0123456789abcdefgh");
    let staged =
        agent.post(&at("/outputs"), json!({"__lf_memory_writes": [{"content": format!("the key {key}")}]})).await;
    assert_eq!(staged.expect(200).json()["items"][0]["redactions"].as_array().map(Vec::len), Some(1));
    assert!(!is_in_tables(&app, &key.to_lowercase()));
}
