//! Profiles: retention and sweeps.

use chrono::TimeDelta;
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::rules::{self, RuleViolation};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{Isolation, ProfileSettings, Retention, WritePass};
use orgmem_store::Profile;
use uuid::Uuid;

use super::agent::Agent;
use super::commits::{ACME, Commit, about, commit, commit_ready, contents, search};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::TestStore;

on_both!(
    sweep_removes_memories_too_old_for_a_changed_profile,
    maximum_age_applies_to_earlier_memories,
    tree_change_may_read_profiles,
    sweep_leaves_the_maximum_number_of_memories,
    pinned_memories_are_retained_first,
    retention_applies_per_profile,
    dry_run_counts_equal_the_sweep,
    cached_profiles_agree_with_the_snapshot,
);

fn settings(max_age_seconds: Option<i64>, max_entries: Option<i64>) -> ProfileSettings {
    ProfileSettings { retention: Retention { max_age_seconds, max_entries }, ..ProfileSettings::default() }
}

async fn create(agent: &Agent, name: &'static str, settings: ProfileSettings, is_default: bool) -> Profile {
    let id = agent.store.new_id();
    let made = agent.act(move |tx, pass| {
        let draft = ProfileDraft::check(name, settings.clone(), Scrubber::built_in()).expect("a draft");
        let names = tx.profile_names(pass.org(), pass.workspace())?;
        let plan = rules::check_profile_name(&names, id, draft.name(), is_default)?;
        Ok(tx.create_profile(pass, plan, &draft, 0)?)
    });
    made.await.expect("a profile")
}

async fn remember(t: &TestStore, acme: &Org, agent: &Agent, profile: Option<Uuid>, texts: &[&str]) {
    for text in texts {
        t.clock.advance(TimeDelta::seconds(1));
        let mut memory = Commit::new(agent.id, Scope::Team, text);
        memory.input.profile_id = profile;
        memory.input.pin = text.starts_with("pinned");
        commit(&t.store, acme, memory).await.expect("a commit");
    }
}

async fn left(t: &TestStore, acme: &Org, agent: &Agent) -> Vec<String> {
    let mut found: Vec<String> =
        contents(&search(&t.store, acme, agent.id, about("")).await).into_iter().map(str::to_owned).collect();
    found.sort();
    found
}

async fn sweep_removes_memories_too_old_for_a_changed_profile(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    remember(&t, &acme, &agent, None, &["an old anchor", "an older anchor"]).await;
    t.clock.advance(TimeDelta::seconds(60));
    remember(&t, &acme, &agent, None, &["a new anchor"]).await;
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
    create(&agent, "short", settings(Some(60), None), true).await;
    assert!(t.store.sweep().await.expect("a sweep") > 0);
    assert_eq!(left(&t, &acme, &agent).await, ["a new anchor"]);
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0, "nothing is left to do");
}

async fn maximum_age_applies_to_earlier_memories(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    for (text, ttl_seconds) in [("for good", None), ("for an hour", Some(3600)), ("for a moment", Some(20))] {
        let memory = Commit::new(agent.id, Scope::Team, text).with(|input| input.ttl_seconds = ttl_seconds);
        commit(&t.store, &acme, memory).await.expect("a commit");
    }
    t.clock.advance(TimeDelta::seconds(10));
    create(&agent, "short", settings(Some(60), None), true).await;
    remember(&t, &acme, &agent, None, &["written since"]).await;
    t.store.sweep().await.expect("a sweep");
    t.clock.advance(TimeDelta::seconds(48));
    t.store.sweep().await.expect("a sweep");
    assert_eq!(left(&t, &acme, &agent).await, ["for an hour", "for good", "written since"]);
    t.clock.advance(TimeDelta::seconds(1));
    t.store.sweep().await.expect("a sweep");
    assert_eq!(left(&t, &acme, &agent).await, ["written since"]);
    t.clock.advance(TimeDelta::days(1));
    while t.store.sweep().await.expect("a sweep") > 0 {}
    assert_eq!(left(&t, &acme, &agent).await, [""; 0]);
}

/// The profile's check must not wait for the tree that the write changes.
async fn tree_change_may_read_profiles(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    create(&Agent::new(&t.store, &acme, "bot-1"), "short", settings(Some(60), None), true).await;
    let t = t.reopened();
    let (org, dev, new) = (acme.id, acme.get("dev"), WorkspaceId::from(t.store.new_id()));
    let memory = Commit::new(new, Scope::Team, "a new anchor").ready();
    let written: Result<_, Failure> = t
        .store
        .write(org, move |tx| {
            super::orgs::create(tx, org, new, dev, "bot-new")?;
            let pass = WritePass::grant(&system(), &*tx.tree(org)?, new, Scope::Team, None)?;
            commit_ready(tx, &pass, &memory)
        })
        .await;
    written.expect("a commit");
    assert_eq!(contents(&search(&t.store, &acme, new, about("anchor")).await), ["a new anchor"]);
}

async fn sweep_leaves_the_maximum_number_of_memories(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    create(&agent, "few", settings(None, Some(2)), true).await;
    t.store.sweep().await.expect("a sweep");
    let texts: Vec<String> = (10..60).map(|n| format!("anchor number {n}")).collect();
    remember(&t, &acme, &agent, None, &texts.iter().map(String::as_str).collect::<Vec<_>>()).await;
    t.store.sweep().await.expect("a sweep");
    assert_eq!(left(&t, &acme, &agent).await, ["anchor number 58", "anchor number 59"]);
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0, "nothing is left to do");
    remember(&t, &acme, &agent, None, &["anchor number 60"]).await;
    t.store.sweep().await.expect("a sweep");
    assert_eq!(left(&t, &acme, &agent).await, ["anchor number 59", "anchor number 60"]);
}

async fn pinned_memories_are_retained_first(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    remember(&t, &acme, &agent, None, &["pinned rope", "a plain sail", "the newest mast"]).await;
    create(&agent, "few", settings(None, Some(2)), true).await;
    t.store.sweep().await.expect("a sweep");
    assert_eq!(left(&t, &acme, &agent).await, ["pinned rope", "the newest mast"]);
}

async fn retention_applies_per_profile(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let other = Agent::new(&t.store, &acme, "bot-2");
    let few = create(&agent, "few", settings(None, Some(1)), false).await;
    remember(&t, &acme, &agent, None, &["rope of the default one", "sail of the default one"]).await;
    remember(&t, &acme, &agent, Some(few.id), &["mast of few", "keel of few"]).await;
    remember(&t, &acme, &other, None, &["tiller of the other"]).await;
    t.store.sweep().await.expect("a sweep");
    let remaining = ["keel of few", "rope of the default one", "sail of the default one", "tiller of the other"];
    assert_eq!(left(&t, &acme, &agent).await, remaining);
    // memories of a deleted profile belong to the default one and its retention
    create(&agent, "fewer", settings(None, Some(2)), true).await;
    let deletion = rules::check_profile_deletion(few.id, few.is_default).expect("it is not the default");
    agent.act(move |tx, pass| Ok(tx.delete_profile(pass, deletion)?)).await.expect("it is deleted");
    t.store.sweep().await.expect("a sweep");
    let remaining = ["keel of few", "sail of the default one", "tiller of the other"];
    assert_eq!(left(&t, &acme, &agent).await, remaining);
}

async fn dry_run_counts_equal_the_sweep(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let few = create(&agent, "few", ProfileSettings::default(), false).await;
    remember(&t, &acme, &agent, None, &["pinned buoy", "an old rudder", "an older hatch"]).await;
    remember(&t, &acme, &agent, Some(few.id), &["a winch of few", "a cleat of few"]).await;
    t.clock.advance(TimeDelta::seconds(60));
    remember(&t, &acme, &agent, None, &["a new pulley", "a newer shackle", "the newest thimble"]).await;
    let (org, id) = (acme.id, agent.id);
    let cases = [
        (None, None, false, (0, 0)),
        (None, Some(1), false, (0, 1)),
        (Some(60), None, false, (1, 0)),
        (Some(3600), Some(100), true, (0, 0)),
        // memories without a profile belong to the default one; the pinned one is as old as the others
        (Some(60), Some(2), false, (3, 1)),
        (None, Some(2), false, (0, 0)),
    ];
    for (age, most, becomes_default, expected) in cases {
        let before = left(&t, &acme, &agent).await.len();
        let changed = agent.act(move |tx, pass| {
            let known = tx.profile(org, id, few.id)?.expect("it is there");
            let draft = ProfileDraft::check("few", settings(age, most), Scrubber::built_in()).expect("a draft");
            let names = tx.profile_names(org, id)?;
            let is_default = known.is_default || becomes_default;
            let plan = rules::check_profile_name(&names, known.id, draft.name(), is_default)?;
            let profile = tx.change_profile(pass, plan, &known, &draft)?;
            Ok(tx.excess(org, &profile)?)
        });
        let counts = changed.await.expect("counts");
        assert_eq!((counts.too_old, counts.too_many), expected, "{age:?} {most:?}");
        t.store.sweep().await.expect("a sweep");
        let taken = before - left(&t, &acme, &agent).await.len();
        assert_eq!(i64::try_from(taken).expect("few"), counts.too_old + counts.too_many, "{age:?} {most:?}");
    }
    assert_eq!(left(&t, &acme, &agent).await, ["a newer shackle", "the newest thimble"]);
}

async fn cached_profiles_agree_with_the_snapshot(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let agent = Agent::new(&t.store, &acme, "bot-1");
    let (org, id) = (acme.id, agent.id);
    let isolation = async || agent.view(move |tx, _| Ok(tx.default_settings(org, id)?.isolation)).await;
    assert_eq!(isolation().await, Isolation::Tree);
    let strict = ProfileSettings { isolation: Isolation::Team, ..ProfileSettings::default() };
    let profile = create(&agent, "strict", strict.clone(), true).await;
    assert_eq!(isolation().await, Isolation::Team);
    // a job sees its own changes, and no reader sees undone ones
    let mine = profile.clone();
    let undone = agent.act(move |tx, pass| {
        let lax = ProfileDraft::check("lax", ProfileSettings::default(), Scrubber::built_in()).expect("a draft");
        let plan = rules::check_profile_name(&tx.profile_names(org, id)?, mine.id, lax.name(), mine.is_default)?;
        tx.change_profile(pass, plan, &mine, &lax)?;
        assert_eq!(tx.default_settings(org, id)?.isolation, Isolation::Tree);
        Err::<(), _>(Failure::OnPurpose)
    });
    assert!(undone.await.is_err());
    assert_eq!(isolation().await, Isolation::Team);
    let taken = agent.act(move |tx, pass| {
        let draft = ProfileDraft::check("strict", strict.clone(), Scrubber::built_in()).expect("a draft");
        let names = tx.profile_names(pass.org(), pass.workspace())?;
        let plan = rules::check_profile_name(&names, Uuid::from_u128(5), draft.name(), false)?;
        Ok(tx.create_profile(pass, plan, &draft, 0)?)
    });
    assert!(matches!(taken.await, Err(Failure::Rule(RuleViolation::ProfileNamed(_)))));
    let t = t.reopened();
    let retry = Agent::new(&t.store, &acme, "bot-1");
    let isolation = retry.view(move |tx, _| Ok(tx.default_settings(org, id)?.isolation)).await;
    assert_eq!(isolation, Isolation::Team);
}
