//! Removals by the server: each has an audit row, an event and an episode with its rule.

use chrono::TimeDelta;
use orgmem_hierarchy::Scope;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::{EntryDraft, EntryInput, ProfileDraft, RunDraft};
use orgmem_policies::rules;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{AuditPass, DraftLimits, EventPass, ProfileSettings, Retention, WritePass};
use orgmem_store::{AccessFilter, AccessRow, EpisodeFilter, Event, ExpiryRule, MemoryState, ReadPlan};
use serde_json::{Value, json};
use uuid::Uuid;

use super::agent::Agent;
use super::commits::{ACME, Commit, commit};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::TestStore;

on_both!(
    expired_memory_is_recorded_with_expires_at,
    memory_beyond_its_age_is_recorded_with_the_profile,
    excess_memories_are_recorded_in_one_row,
    changed_expiry_changes_the_rule,
    expired_entry_is_recorded_by_its_hash,
    dropped_pending_memories_are_named,
    old_runs_are_recorded,
    end_of_a_session_is_recorded_as_an_expiry,
    failed_sweep_records_nothing,
);

const NO_RETENTION: Retention = Retention { max_age_seconds: None, max_entries: None };

/// Rows of removals, newest first.
async fn rows(t: &TestStore, acme: &Org, action: AuditAction) -> Vec<AccessRow> {
    let (org, root) = (acme.id, acme.get("acme"));
    let page = t.store.read(ReadPlan::Scan, move |tx| -> Result<_, Failure> {
        let pass = AuditPass::grant(&system(), &*tx.tree(org)?, root, true)?;
        let filter = AccessFilter { action: Some(action), ..AccessFilter::default() };
        Ok(tx.access_rows(&pass, &filter, None, 1000)?)
    });
    page.await.expect("a page").rows
}

fn context(row: &AccessRow) -> Value {
    serde_json::from_str(&row.context).expect("JSON")
}

async fn events(t: &TestStore, acme: &Org, kind: EventKind) -> Vec<Event> {
    let (org, root) = (acme.id, acme.get("acme"));
    let page = t.store.read(ReadPlan::Scan, move |tx| -> Result<_, Failure> {
        let profile = tx.default_settings(org, root)?;
        let pass = EventPass::grant(&system(), &*tx.tree(org)?, root, &profile, true)?;
        Ok(tx.events_after(&pass, 0, 1000)?)
    });
    page.await.expect("a page").events.into_iter().filter(|event| event.kind == kind).collect()
}

async fn summaries(agent: &Agent) -> Vec<String> {
    let filter = EpisodeFilter { activity_type: Some("memory_expire".into()), ..EpisodeFilter::default() };
    let episodes = agent.view(move |tx, pass| tx.list_episodes(pass, &filter, None, 100)).await;
    episodes.into_iter().filter_map(|episode| episode.summary).collect()
}

async fn state(agent: &Agent, memory: Uuid) -> MemoryState {
    let org = agent.org;
    agent.view(move |tx, _| Ok(tx.memory_location(org, memory)?.expect("a memory").state(tx.now()))).await
}

fn rule_of(state: MemoryState) -> Option<ExpiryRule> {
    match state {
        MemoryState::Expired(expiry) => expiry.rule,
        _ => None,
    }
}

async fn limit(agent: &Agent, retention: Retention) -> Uuid {
    let id = agent.store.new_id();
    let created = agent.act(move |tx, pass| {
        let settings = ProfileSettings { retention, ..ProfileSettings::default() };
        let draft = ProfileDraft::check("limited", settings, Scrubber::built_in()).expect("a draft");
        let names = tx.profile_names(pass.org(), pass.workspace())?;
        let plan = rules::check_profile_name(&names, id, draft.name(), true)?;
        Ok(tx.create_profile(pass, plan, &draft, 0)?)
    });
    created.await.expect("a profile").id
}

async fn remember(t: &TestStore, acme: &Org, agent: &Agent, text: &str, ttl_seconds: Option<i64>) -> Uuid {
    t.clock.advance(TimeDelta::seconds(1));
    let expires_at = ttl_seconds.map(|seconds| t.store.now() + TimeDelta::seconds(seconds));
    let memory = Commit::new(agent.id, Scope::Team, text).with(|input| input.expires_at = expires_at);
    commit(&t.store, acme, memory).await.expect("a commit").id
}

async fn expired_memory_is_recorded_with_expires_at(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let first = remember(&t, &acme, &agent, "for a minute", Some(60)).await;
    let second = remember(&t, &acme, &agent, "for a minute too", Some(60)).await;
    remember(&t, &acme, &agent, "for good", None).await;
    t.clock.advance(TimeDelta::seconds(60));
    t.store.sweep().await.expect("a sweep");
    let recorded = rows(&t, &acme, AuditAction::ExpireMemories).await;
    assert_eq!(recorded.len(), 1);
    let row = &recorded[0];
    assert_eq!((row.workspace, row.subject.as_str(), row.token), (agent.id, "orgmem", None));
    let mut named = row.memories.clone();
    named.sort_unstable();
    assert_eq!(named, [(first, 1), (second, 1)]);
    assert_eq!(context(row), json!({"rule": "expires_at", "versions": 0}));
    let deleted = events(&t, &acme, EventKind::MemoryDeleted).await;
    assert_eq!(deleted.len(), 2);
    for event in &deleted {
        assert!(event.memory == Some(first) || event.memory == Some(second));
        let details: Value = serde_json::from_str(&event.details).expect("JSON");
        assert_eq!(details, json!({"rule": "expires_at", "version": 1}));
    }
    assert_eq!(summaries(&agent).await, ["removed 2 memories by expires_at"]);
    assert_eq!(rule_of(state(&agent, first).await), Some(ExpiryRule::ExpiresAt));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
    assert_eq!(rows(&t, &acme, AuditAction::ExpireMemories).await.len(), 1);
}

async fn memory_beyond_its_age_is_recorded_with_the_profile(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let before = remember(&t, &acme, &agent, "written before the limit", None).await;
    let profile = limit(&agent, Retention { max_age_seconds: Some(60), max_entries: None }).await;
    let capped = remember(&t, &acme, &agent, "written under the limit", None).await;
    let own = remember(&t, &acme, &agent, "shorter than the limit", Some(10)).await;
    t.clock.advance(TimeDelta::seconds(70));
    // the instant counts, not the sweep
    assert_eq!(rule_of(state(&agent, capped).await), Some(ExpiryRule::MaxAge));
    assert_eq!(rule_of(state(&agent, own).await), Some(ExpiryRule::ExpiresAt));
    assert_eq!(state(&agent, before).await, MemoryState::Live);
    t.store.sweep().await.expect("a sweep");
    assert_eq!(rule_of(state(&agent, before).await), Some(ExpiryRule::MaxAge));
    let recorded = rows(&t, &acme, AuditAction::ExpireMemories).await;
    let of_age: Vec<&AccessRow> =
        recorded.iter().filter(|row| context(row)["rule"] == "retention.max_age_seconds").collect();
    let mut named: Vec<Uuid> = of_age.iter().flat_map(|row| row.memories.iter().map(|(id, _)| *id)).collect();
    named.sort_unstable();
    let mut expected = [before, capped];
    expected.sort_unstable();
    assert_eq!(named, expected);
    assert!(of_age.iter().all(|row| context(row)["profile_id"] == json!(profile)));
    let of_writer: Vec<&AccessRow> = recorded.iter().filter(|row| context(row)["rule"] == "expires_at").collect();
    assert_eq!(of_writer.len(), 1);
    assert_eq!((&of_writer[0].memories, &context(of_writer[0])["profile_id"]), (&vec![(own, 1)], &Value::Null));
}

async fn excess_memories_are_recorded_in_one_row(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let profile = limit(&agent, Retention { max_entries: Some(2), ..NO_RETENTION }).await;
    let mut written = Vec::new();
    for number in 0..6 {
        written.push(remember(&t, &acme, &agent, &format!("anchor number {number}"), None).await);
    }
    t.store.sweep().await.expect("a sweep");
    let recorded = rows(&t, &acme, AuditAction::ExpireMemories).await;
    assert_eq!(recorded.len(), 1);
    let mut named: Vec<Uuid> = recorded[0].memories.iter().map(|(id, _)| *id).collect();
    named.sort_unstable();
    assert_eq!(named, written[..4]);
    let expected = json!({"rule": "retention.max_entries", "profile_id": profile, "versions": 0});
    assert_eq!(context(&recorded[0]), expected);
    assert_eq!(events(&t, &acme, EventKind::MemoryDeleted).await.len(), 4);
    assert_eq!(summaries(&agent).await, ["removed 4 memories by retention.max_entries"]);
    assert_eq!(rule_of(state(&agent, written[0]).await), Some(ExpiryRule::MaxEntries));
    assert_eq!(state(&agent, written[5]).await, MemoryState::Live);
}

async fn changed_expiry_changes_the_rule(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    limit(&agent, Retention { max_age_seconds: Some(60), ..NO_RETENTION }).await;
    let id = remember(&t, &acme, &agent, "an anchor", Some(10)).await;
    // the same id again, without an end of its own
    let again = Commit::new(agent.id, Scope::Team, "an anchor again").with(|input| input.id = Some(id));
    commit(&t.store, &acme, again).await.expect("a commit");
    t.clock.advance(TimeDelta::seconds(60));
    assert_eq!(rule_of(state(&agent, id).await), Some(ExpiryRule::MaxAge));
    t.store.sweep().await.expect("a sweep");
    // the earlier version had the end of its writer
    let versions = rows(&t, &acme, AuditAction::ExpireVersions).await;
    let named: Vec<_> = versions.iter().flat_map(|row| row.memories.clone()).collect();
    let whole = rows(&t, &acme, AuditAction::ExpireMemories).await;
    assert_eq!((whole.len(), &whole[0].memories), (1, &vec![(id, 2)]));
    // it goes with the memory, or by itself
    assert_eq!(usize::try_from(context(&whole[0])["versions"].as_i64().expect("a number")), Ok(1 - named.len()));
}

async fn expired_entry_is_recorded_by_its_hash(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let now = t.store.now();
    let put = agent.act(move |tx, pass| {
        for (key, ttl_seconds) in [("plan/a", Some(60)), ("plan/b", Some(60)), ("plan/c", None)] {
            let input =
                EntryInput { key: key.into(), value: json!(1), ttl_seconds, if_match_version: None, subject: None };
            let draft = EntryDraft::check(input, DraftLimits::default(), Scrubber::built_in(), now);
            assert!(tx.put_entry(pass, &draft.expect("a draft"))?.is_ok());
        }
        Ok(())
    });
    put.await.expect("entries");
    t.clock.advance(TimeDelta::seconds(60));
    t.store.sweep().await.expect("a sweep");
    let recorded = rows(&t, &acme, AuditAction::ExpireEntries).await;
    assert_eq!(recorded.len(), 1);
    let context = context(&recorded[0]);
    assert_eq!((&context["rule"], &context["entries"]), (&json!("expires_at"), &json!(2)));
    let mut hashes = ["plan/a", "plan/b"].map(orgmem_store::key_hash);
    hashes.sort_unstable();
    let mut named: Vec<String> = serde_json::from_value(context["key_hashes"].clone()).expect("a list");
    named.sort_unstable();
    assert_eq!(named, hashes);
    let changed = events(&t, &acme, EventKind::KvChanged).await;
    let expired = changed.iter().filter(|event| event.details.contains("\"change\":\"expired\""));
    assert_eq!(expired.count(), 2);
}

/// Starts a run that is open for five minutes, with two pending memories.
async fn run_with_pending(t: &TestStore, agent: &Agent) -> (Uuid, Vec<Uuid>) {
    let (org, author) = (agent.org, agent.id);
    let ids = [agent.store.new_id(), agent.store.new_id()];
    let ready =
        ids.map(|id| Commit::new(author, Scope::Local, &format!("pending {id}")).with(|c| c.id = Some(id)).ready());
    let run = agent.act(move |tx, pass| {
        let draft = RunDraft::check(None, None, Scrubber::built_in()).expect("a draft");
        let until = tx.now() + TimeDelta::minutes(5);
        Ok(tx.start_run(pass, &draft, "tests", until)?.id)
    });
    let run = run.await.expect("a run");
    let staged = t.store.write(org, move |tx| -> Result<(), Failure> {
        for memory in &ready {
            let pass = WritePass::grant(&system(), &*tx.tree(org)?, author, Scope::Local, None)?;
            let fields = memory.draft().fields();
            let id = fields.id.expect("an id");
            let facts = tx.stage_facts(&pass, run, memory, id)?;
            let plan = rules::check_stage(&pass, id, fields, facts, tx.now())?;
            tx.stage_memory(&pass, run, memory, plan)?;
        }
        Ok(())
    });
    staged.await.expect("pending memories");
    (run, ids.to_vec())
}

async fn dropped_pending_memories_are_named(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let (run, pending) = run_with_pending(&t, &agent).await;
    t.clock.advance(TimeDelta::minutes(5));
    t.store.sweep().await.expect("a sweep");
    let recorded = rows(&t, &acme, AuditAction::FinishRun).await;
    assert_eq!((recorded.len(), recorded[0].run), (1, Some(run)));
    assert_eq!(recorded[0].memories, [(pending[0], 0), (pending[1], 0)]);
    let expected = json!({"rule": "runs.timeout_seconds", "status": "timed_out", "write_count": 0, "dropped_count": 2});
    assert_eq!(context(&recorded[0]), expected);
    let finished = events(&t, &acme, EventKind::RunFinished).await;
    assert_eq!((finished.len(), finished[0].memory), (1, None));
}

async fn old_runs_are_recorded(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let (run, _) = run_with_pending(&t, &agent).await;
    t.clock.advance(TimeDelta::minutes(5));
    t.store.sweep().await.expect("a sweep");
    t.clock.advance(TimeDelta::days(1));
    let dropped = t.store.sweep_runs(std::time::Duration::from_secs(3600)).await.expect("a sweep");
    assert_eq!(dropped, 1);
    let recorded = rows(&t, &acme, AuditAction::ExpireRuns).await;
    assert_eq!((recorded.len(), recorded[0].workspace), (1, agent.id));
    assert_eq!(context(&recorded[0]), json!({"rule": "runs.keep_seconds", "runs": [run]}));
}

async fn failed_sweep_records_nothing(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let id = remember(&t, &acme, &agent, "for a minute", Some(60)).await;
    t.clock.advance(TimeDelta::seconds(60));
    let due = t.store.read(ReadPlan::Scan, |tx| -> Result<_, Failure> { Ok(tx.due()?) }).await.expect("due rows");
    let (org, due) = due.into_iter().next().expect("an org");
    let undone = t.store.write(org, move |tx| -> Result<(), Failure> {
        tx.reclaim(org, &due)?;
        Err(Failure::OnPurpose)
    });
    assert!(undone.await.is_err());
    assert_eq!(rows(&t, &acme, AuditAction::ExpireMemories).await.len(), 0);
    t.store.sweep().await.expect("a sweep");
    assert_eq!(rows(&t, &acme, AuditAction::ExpireMemories).await[0].memories, [(id, 1)]);
}

/// A session-only memory of a session, or a memory that only names it.
async fn in_session(t: &TestStore, acme: &Org, agent: &Agent, session: &str, session_only: bool) -> Uuid {
    t.clock.advance(TimeDelta::seconds(1));
    let memory = Commit::new(agent.id, Scope::Team, "said in a session").with(|input| {
        (input.session_id, input.session_only) = (Some(session.to_owned()), session_only);
    });
    commit(&t.store, acme, memory).await.expect("a commit").id
}

async fn end_of_a_session_is_recorded_as_an_expiry(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (agent, peer) = (Agent::new(&t.store, &acme, "bot-1"), Agent::new(&t.store, &acme, "bot-2"));
    let first = in_session(&t, &acme, &agent, "s-1", true).await;
    let lasting = in_session(&t, &acme, &agent, "s-1", false).await;
    let of_peer = in_session(&t, &acme, &peer, "s-1", true).await;
    let idle = in_session(&t, &acme, &agent, "s-2", true).await;
    let ended = agent.act(|tx, pass| Ok(tx.end_session(pass, "s-1")?)).await;
    assert_eq!(ended.expect("an end"), 1);
    let again = agent.act(|tx, pass| Ok(tx.end_session(pass, "s-1")?)).await;
    assert_eq!(again.expect("an end"), 0);
    assert_eq!(rule_of(state(&agent, first).await), Some(ExpiryRule::SessionEnd));
    for id in [lasting, of_peer, idle] {
        assert_eq!(state(&agent, id).await, MemoryState::Live);
    }
    let recorded = rows(&t, &acme, AuditAction::ExpireMemories).await;
    assert_eq!(recorded.iter().map(context).collect::<Vec<_>>(), [json!({"rule": "session_end", "versions": 0})]);
    assert_eq!(recorded[0].memories, [(first, 1)]);
    assert_eq!(events(&t, &acme, EventKind::MemoryDeleted).await.len(), 1);
    assert_eq!(summaries(&agent).await, ["removed 1 memory by session_end"]);
    // a write in one session does not prolong another one, and a session without writes ends after its time exactly
    t.clock.advance(TimeDelta::seconds(3600));
    let late = in_session(&t, &acme, &peer, "s-1", true).await;
    let day = std::time::Duration::from_secs(3600);
    assert_eq!(t.store.end_idle_sessions(day).await.expect("a sweep"), 1);
    assert_eq!(rule_of(state(&agent, idle).await), Some(ExpiryRule::SessionIdle));
    for id in [of_peer, late] {
        assert_eq!(state(&agent, id).await, MemoryState::Live);
    }
    t.clock.advance(TimeDelta::seconds(3600));
    assert_eq!(t.store.end_idle_sessions(day).await.expect("a sweep"), 2);
    assert_eq!(t.store.end_idle_sessions(day).await.expect("a sweep"), 0);
    assert_eq!(state(&agent, lasting).await, MemoryState::Live);
}
