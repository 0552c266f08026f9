//! Runs that time out: their pending memories are absent from that instant, and the sweep removes them.

use chrono::TimeDelta;
use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::RunDraft;
use orgmem_policies::rules::{self, RuleViolation};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{RunStatus, WritePass};
use orgmem_store::Run;
use uuid::Uuid;

use super::agent::Agent;
use super::commits::{ACME, Commit, about, search};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::TestStore;

on_both!(
    sweep_removes_pending_memories_of_timed_out_runs,
    number_of_pending_memories_is_limited,
    timed_out_run_has_ended_before_the_sweep,
    ended_runs_are_retained_for_a_time,
);

async fn start(agent: &Agent) -> Run {
    let started = agent.act(|tx, pass| {
        let draft = RunDraft::check(None, Some("nightly"), Scrubber::built_in()).expect("a draft");
        let until = tx.now() + TimeDelta::minutes(5);
        Ok(tx.start_run(pass, &draft, "tests", until)?)
    });
    started.await.expect("a run")
}

async fn stage(agent: &Agent, run: Uuid, commits: Vec<Commit>) -> Result<(), Failure> {
    let org = agent.org;
    let ready: Vec<_> = commits.iter().map(|commit| (commit.author, commit.scope, commit.ready())).collect();
    let pending = agent.store.write(org, move |tx| {
        for (author, scope, memory) in &ready {
            let pass = WritePass::grant(&system(), &*tx.tree(org)?, *author, *scope, None)?;
            let fields = memory.draft().fields();
            let id = fields.id.unwrap_or_else(|| tx.new_id());
            let facts = tx.stage_facts(&pass, run, memory, id)?;
            let plan = rules::check_stage(&pass, id, fields, facts, tx.now())?;
            tx.stage_memory(&pass, run, memory, plan)?;
        }
        Ok(())
    });
    pending.await
}

async fn read_run(agent: &Agent, run: Uuid) -> (Run, usize) {
    let (org, id) = (agent.org, agent.id);
    let look = agent.view(move |tx, pass| {
        let pending = tx.pending_memories(pass, run, 0, 10)?.len();
        Ok((tx.run(org, id, run)?, pending))
    });
    let (run, pending) = look.await;
    (run.expect("it was started"), pending)
}

async fn run_with_two_pending(t: &TestStore) -> (Org, Agent, Run) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let run = start(&agent).await;
    let commits = ["iguanodon one", "iguanodon two"].map(|text| Commit::new(agent.id, Scope::Team, text));
    stage(&agent, run.id, commits.to_vec()).await.expect("they are pending");
    (acme, agent, run)
}

async fn sweep_removes_pending_memories_of_timed_out_runs(t: TestStore) {
    let (acme, agent, run) = run_with_two_pending(&t).await;
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0, "it is open");
    assert_eq!(read_run(&agent, run.id).await.1, 2);
    t.clock.advance(TimeDelta::minutes(5));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 1);
    let (run, pending) = read_run(&agent, run.id).await;
    assert_eq!((run.status, run.written, run.dropped, pending), (RunStatus::TimedOut, 0, 2, 0));
    assert!(search(&t.store, &acme, acme.get("bot-2"), about("iguanodon")).await.hits.is_empty());
    assert!(t.store.wait_until_clean(std::time::Duration::from_secs(60)));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
}

async fn timed_out_run_has_ended_before_the_sweep(t: TestStore) {
    let (_, agent, run) = run_with_two_pending(&t).await;
    t.clock.advance(TimeDelta::minutes(5));
    let (late, pending) = read_run(&agent, run.id).await;
    assert_eq!((late.status, late.written, late.dropped, pending), (RunStatus::TimedOut, 0, 2, 0));
    let org = agent.org;
    let memory = agent.view(move |tx, _| tx.pending_ref(org, Uuid::from_u128(1))).await;
    assert_eq!(memory, None);
}

async fn number_of_pending_memories_is_limited(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let run = start(&agent).await;
    let many = |from: i64, to: i64| -> Vec<Commit> {
        (from..to).map(|n| Commit::new(agent.id, Scope::Local, &format!("memory {n}"))).collect()
    };
    stage(&agent, run.id, many(0, orgmem_policies::MAX_PENDING_PER_RUN)).await.expect("as many as are allowed");
    let refused = stage(&agent, run.id, many(1000, 1001)).await;
    assert!(matches!(refused, Err(Failure::Rule(RuleViolation::RunFull))), "{refused:?}");
    assert_eq!(read_run(&agent, run.id).await.0.written, orgmem_policies::MAX_PENDING_PER_RUN);
}

async fn ended_runs_are_retained_for_a_time(t: TestStore) {
    let retention = std::time::Duration::from_secs(3_600);
    let (_, agent, over) = run_with_two_pending(&t).await;
    t.clock.advance(TimeDelta::minutes(5));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 1);
    let open = start(&agent).await;
    t.clock.advance(TimeDelta::minutes(60));
    assert_eq!(t.store.sweep_runs(retention).await.expect("a sweep"), 0, "it ended an hour ago, and no longer");
    t.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(t.store.sweep_runs(retention).await.expect("a sweep"), 1);
    let (org, id, gone) = (agent.org, agent.id, over.id);
    assert_eq!(agent.view(move |tx, _| tx.run(org, id, gone)).await, None);
    // a timed-out run with pending memories stays until they are swept
    assert_eq!(read_run(&agent, open.id).await.0.status, RunStatus::TimedOut);
    assert_eq!(t.store.sweep_runs(retention).await.expect("a sweep"), 0);
    let more: Vec<Run> = vec![start(&agent).await, start(&agent).await];
    t.clock.advance(TimeDelta::minutes(5));
    assert_eq!(t.store.sweep().await.expect("a sweep"), more.len() + 1);
    t.clock.advance(TimeDelta::hours(2));
    assert_eq!(t.store.sweep_runs(retention).await.expect("a sweep"), more.len() + 1);
}
