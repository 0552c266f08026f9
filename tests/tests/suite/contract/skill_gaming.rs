//! Attempts to promote a procedure without work: each one through the interface, as an agent would make it.
//!
//! Source: `docs/spec/skills.md`, "What counts".

use orgmem_tests::{On, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::evidence::Team;

for_each_store!(
    agent_that_runs_its_own_procedure_stays_without_a_candidate,
    flood_of_one_session_stays_without_a_candidate,
    flood_of_reports_counts_once_for_each_session,
    text_that_replaces_a_candidate_inherits_no_evidence,
    agent_neither_approves_nor_changes_the_rule,
);

async fn is_candidate(team: &Team) -> bool {
    team.evidence().await["candidate"] == json!(true)
}

async fn agent_that_runs_its_own_procedure_stays_without_a_candidate(on: On) {
    let team = Team::new(on).await;
    for n in 0..12 {
        team.used(team.author, &format!("s-{n}"), "completed").await;
    }
    let evidence = team.evidence().await;
    assert_eq!((&evidence["successes"], &evidence["counted"]["successes"]), (&json!(12), &json!(2)), "{evidence}");
    assert!(!is_candidate(&team).await);
    // its failures all count
    team.used(team.author, "s-0", "failed").await;
    assert_eq!(team.evidence().await["counted"]["failures"], 1);
    // the org may say otherwise
    let rule = json!({"own_percent": 100});
    let path = format!("/workspaces/{}/skill-rule", team.root);
    team.app.operator(team.root).request("PUT", &path).json(rule).send().await.expect(200);
    assert_eq!(team.evidence().await["counted"]["successes"], 5, "as many as the rule asks for");
}

async fn flood_of_one_session_stays_without_a_candidate(on: On) {
    let team = Team::new(on).await;
    for _ in 0..12 {
        team.used(team.peer, "one", "completed").await;
    }
    let evidence = team.evidence().await;
    assert_eq!((&evidence["runs"], &evidence["counted"]["runs"]), (&json!(12), &json!(4)), "{evidence}");
    assert!(!is_candidate(&team).await);
    // runs that read nothing, and a run that reads again and again, add nothing
    for _ in 0..3 {
        let run = team.start(team.peer, "two").await;
        team.finish(team.peer, run, "completed").await;
    }
    let run = team.start(team.peer, "one").await;
    for _ in 0..5 {
        team.read_in(team.peer, run).await;
    }
    team.finish(team.peer, run, "completed").await;
    assert!(!is_candidate(&team).await);
    assert_eq!(team.evidence().await["runs"], 13);
}

async fn flood_of_reports_counts_once_for_each_session(on: On) {
    let team = Team::new(on).await;
    let report = async |workspace: Uuid, body: Value| {
        team.app.agent(workspace).post(&team.path(workspace, "/outcome"), body).await
    };
    // cancelled runs, each reported as a success
    for n in 0..12 {
        let run = team.used(team.peer, &format!("s-{}", n % 2), "cancelled").await;
        report(team.peer, json!({"outcome": "success", "run_id": run})).await.expect(200);
    }
    // one voice without a run, however often
    for _ in 0..6 {
        report(team.peer, json!({"outcome": "success"})).await.expect(200);
        report(team.author, json!({"outcome": "success"})).await.expect(200);
    }
    let evidence = team.evidence().await;
    assert!(evidence["counted"]["successes"].as_u64().is_some_and(|counted| counted <= 4), "{evidence}");
    assert!(!is_candidate(&team).await, "{evidence}");
    // a run that read nothing, one of another workspace, and one that failed
    let unread = team.start(team.peer, "").await;
    let theirs = team.used(team.author, "", "completed").await;
    for run in [unread, theirs] {
        report(team.peer, json!({"outcome": "success", "run_id": run})).await.refused(409, "never_read");
    }
    let failed = team.used(team.peer, "", "failed").await;
    report(team.peer, json!({"outcome": "success", "run_id": failed})).await.refused(409, "run_over");
}

async fn text_that_replaces_a_candidate_inherits_no_evidence(on: On) {
    let team = Team::new(on).await;
    for n in 0..6 {
        team.used(team.peer, &format!("s-{n}"), "completed").await;
    }
    assert!(is_candidate(&team).await);
    let (app, author) = (&team.app, team.author);
    let path = team.path(author, "");
    app.agent(author).patch(&path, json!({"content": "Deploy with the red button."})).await.expect(200);
    assert!(!is_candidate(&team).await);
    // nor by a replacement under the same id, nor by the return to the text before
    let memory =
        json!({"id": team.procedure, "content": "Deploy without a button.", "kind": "procedure", "scope": "TEAM"});
    app.agent(author).commit_with(author, memory).await;
    assert!(!is_candidate(&team).await);
    app.agent(author).post(&format!("{path}/restore"), json!({"version": 1})).await.expect(200);
    assert_eq!(team.evidence().await["uses"], 0);
}

async fn agent_neither_approves_nor_changes_the_rule(on: On) {
    let team = Team::new(on).await;
    let (app, author) = (&team.app, team.author);
    let skills = format!("/workspaces/{author}/skills");
    let draft = json!({"memory_ids": [team.procedure], "name": "deploy", "description": "Deploys."});
    app.agent(author).post(&skills, draft).await.expect(201);
    for workspace in [author, team.peer, team.root] {
        let refused = app.agent(workspace).post(&format!("{skills}/deploy/approve"), json!({})).await;
        refused.refused(403, "forbidden");
    }
    let rule = json!({"successes": 1, "runs": 1, "sessions": 1, "lower_bound": 0, "approval": "auto"});
    let path = |workspace: Uuid| format!("/workspaces/{workspace}/skill-rule");
    let put = |workspace: Uuid| app.agent(workspace).request("PUT", &path(workspace)).json(&rule);
    for workspace in [author, team.root] {
        put(workspace).send().await.refused(403, "forbidden");
    }
    // with that rule by an operator, a draft still needs evidence
    app.operator(team.root).request("PUT", &path(team.root)).json(&rule).send().await.expect(200);
    let listed = app.agent(author).get(&skills).await.expect(200).items();
    assert_eq!(listed, Vec::<Value>::new());
}
