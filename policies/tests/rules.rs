//! The rules of commits, edits and profiles, on facts without a store.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::{OrgId, Placement, Scope, Tree, WorkspaceId};
use orgmem_policies::drafts::{MemoryDraft, MemoryFields, MemoryInput};
use orgmem_policies::rules::{
    CommitFacts, EditFacts, Expiry, ExpiryRule, MemoryLocation, MemoryState, MemoryStatus, ProfileName, RuleViolation,
    StageFacts, TargetProfile, check_commit, check_edit, check_profile_deletion, check_profile_name, check_stage,
    is_editable, is_forgettable,
};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{
    Caller, DraftLimits, MAX_PENDING_PER_RUN, MAX_PINS, MAX_PROFILES, ProfileSettings, Retention, Role, WritePass,
};
use uuid::Uuid;

const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

const ID: Uuid = Uuid::from_u128(10);
const OLD: Uuid = Uuid::from_u128(11);
const OTHER: Uuid = Uuid::from_u128(12);

fn author() -> WorkspaceId {
    Uuid::from_u128(2).into()
}

fn other_author() -> WorkspaceId {
    Uuid::from_u128(1).into()
}

fn pass() -> WritePass {
    let rows = [Placement::root(other_author()), Placement::under(author(), other_author())];
    let tree = Tree::build(OrgId::of_root(other_author()), rows).expect("the rows form a tree");
    WritePass::grant(&Caller::system("test"), &tree, author(), Scope::Local, None).expect("an admin may write LOCAL")
}

fn fields(change: impl FnOnce(&mut MemoryInput)) -> MemoryFields {
    let mut input = MemoryInput { content: "a fact".into(), ..MemoryInput::default() };
    change(&mut input);
    let draft = MemoryDraft::check(input, Role::Agent, DraftLimits::default(), Scrubber::built_in(), NOW);
    draft.expect("the draft is valid").fields().clone()
}

fn memory(author: WorkspaceId, status: MemoryStatus) -> MemoryLocation {
    MemoryLocation { author, scope: Scope::Local, team: None, status, expiry: None, superseded_by: None }
}

fn own(status: MemoryStatus) -> Option<MemoryLocation> {
    Some(memory(author(), status))
}

fn excluding(kinds: &[&str]) -> ProfileSettings {
    ProfileSettings { excluded_kinds: kinds.iter().map(ToString::to_string).collect(), ..ProfileSettings::default() }
}

fn default_profile() -> TargetProfile {
    TargetProfile::default_of(Arc::default())
}

fn facts() -> CommitFacts {
    CommitFacts {
        profile: Some(default_profile()),
        existing: None,
        is_of_other_user: false,
        superseded: None,
        pinned: Vec::new(),
        budgets: Vec::new(),
        bytes: 0,
    }
}

fn stage_facts(commit: CommitFacts) -> StageFacts {
    StageFacts { commit, write_count: 0, is_staged: false, supersedes_staged: false }
}

/// The outcome of both checks, which share all rules but the size of the run and the supersession of staged memories.
fn check(fields: &MemoryFields, facts: CommitFacts) -> Result<Option<Uuid>, RuleViolation> {
    let staged = check_stage(&pass(), ID, fields, stage_facts(facts.clone()), NOW).map(|plan| plan.id());
    let committed = check_commit(&pass(), ID, fields, facts, NOW);
    assert_eq!(staged, committed.as_ref().map(|plan| plan.id()).map_err(Clone::clone));
    committed.map(|plan| {
        assert_eq!(plan.id(), ID);
        plan.supersedes()
    })
}

#[test]
fn id_is_free_or_replaces_an_own_memory() {
    use MemoryStatus::{Deleted, Live, Pending, Redacted, Superseded};
    let taken = Err(RuleViolation::MemoryTaken(ID));
    let cases = [
        (None, Ok(None)),
        (own(Live), Ok(None)),
        (own(Superseded), Ok(None)),
        (own(Deleted), Ok(None)),
        (own(Redacted), taken.clone()),
        (own(Pending), taken.clone()),
        (Some(memory(other_author(), Live)), taken.clone()),
        (Some(memory(other_author(), Deleted)), taken),
    ];
    for (existing, outcome) in cases {
        assert_eq!(check(&fields(|_| ()), CommitFacts { existing, ..facts() }), outcome, "{existing:?}");
    }
}

#[test]
fn only_a_live_own_memory_can_be_superseded() {
    use MemoryStatus::{Deleted, Live, Pending, Redacted, Superseded};
    let expired = MemoryLocation { expiry: Some(Expiry::requested(NOW)), ..memory(author(), Live) };
    let expires_later = MemoryLocation { expiry: Some(Expiry::requested(NOW + TimeDelta::microseconds(1))), ..expired };
    let superseded_by = |by| MemoryLocation { superseded_by: Some(by), ..memory(author(), Superseded) };
    let missing = Err(RuleViolation::NothingToSupersede(OLD));
    let cases = [
        (own(Live), Ok(Some(OLD))),
        (Some(expires_later), Ok(Some(OLD))),
        // the repetition of a commit
        (Some(superseded_by(ID)), Ok(None)),
        (Some(superseded_by(OTHER)), missing.clone()),
        (Some(expired), missing.clone()),
        (own(Deleted), missing.clone()),
        (own(Redacted), missing.clone()),
        (own(Pending), missing.clone()),
        (Some(memory(other_author(), Live)), missing.clone()),
        (None, missing),
    ];
    for (superseded, outcome) in cases {
        let facts = CommitFacts { superseded, ..facts() };
        assert_eq!(check(&fields(|m| m.supersedes = Some(OLD)), facts), outcome, "{superseded:?}");
    }
}

#[test]
fn superseded_memory_cannot_supersede_its_successor() {
    let facts = CommitFacts { existing: own(MemoryStatus::Superseded), superseded: own(MemoryStatus::Live), ..facts() };
    let outcome = check(&fields(|m| m.supersedes = Some(OLD)), facts);
    assert_eq!(outcome, Err(RuleViolation::SupersededItself(ID)));
}

#[test]
fn live_memory_can_be_rewritten_to_supersede_another() {
    let facts = CommitFacts { existing: own(MemoryStatus::Live), superseded: own(MemoryStatus::Live), ..facts() };
    assert_eq!(check(&fields(|m| m.supersedes = Some(OLD)), facts), Ok(Some(OLD)));
}

#[test]
fn memory_cannot_supersede_itself() {
    let live = own(MemoryStatus::Live);
    let facts = CommitFacts { existing: live, superseded: live, ..facts() };
    let fields = fields(|m| m.supersedes = Some(ID));
    assert_eq!(check(&fields, facts.clone()), Err(RuleViolation::NothingToSupersede(ID)));

    let staged = StageFacts { supersedes_staged: true, ..stage_facts(facts) };
    let outcome = check_stage(&pass(), ID, &fields, staged, NOW).map(|plan| plan.id());
    assert_eq!(outcome, Err(RuleViolation::NothingToSupersede(ID)));
}

#[test]
fn staged_memory_can_supersede_another_of_its_run() {
    let fields = fields(|m| m.supersedes = Some(OLD));
    let outcome = |supersedes_staged| {
        let facts = StageFacts { supersedes_staged, ..stage_facts(facts()) };
        check_stage(&pass(), ID, &fields, facts, NOW).map(|plan| plan.id())
    };
    assert_eq!(outcome(true), Ok(ID));
    assert_eq!(outcome(false), Err(RuleViolation::NothingToSupersede(OLD)));
}

/// Ids of `count` pinned memories; the first ones are `first`.
fn pins(count: i64, first: &[Uuid]) -> Vec<Uuid> {
    let rest = (1000..).map(Uuid::from_u128);
    first.iter().copied().chain(rest).take(usize::try_from(count).expect("a small number")).collect()
}

#[test]
fn pins_are_limited_without_counting_replaced_memories() {
    let outcome = |pin, pinned: Vec<Uuid>| {
        let facts = CommitFacts { pinned, superseded: own(MemoryStatus::Live), ..facts() };
        check(&fields(|m| (m.pin, m.supersedes) = (pin, Some(OLD))), facts).map(drop)
    };
    assert_eq!(outcome(true, pins(MAX_PINS - 1, &[])), Ok(()));
    assert_eq!(outcome(true, pins(MAX_PINS, &[])), Err(RuleViolation::TooManyPins));
    assert_eq!(outcome(true, pins(MAX_PINS, &[ID])), Ok(()));
    assert_eq!(outcome(true, pins(MAX_PINS, &[OLD])), Ok(()));
    assert_eq!(outcome(true, pins(MAX_PINS + 1, &[ID, OLD])), Ok(()));
    assert_eq!(outcome(true, pins(MAX_PINS + 2, &[ID, OLD])), Err(RuleViolation::TooManyPins));
    assert_eq!(outcome(false, pins(MAX_PINS, &[])), Ok(()));
}

#[test]
fn edit_obeys_pins_and_excluded_kinds() {
    let edit = |kind: Option<&str>, becomes_pinned, pinned: &[Uuid]| {
        let profile = TargetProfile::default_of(Arc::new(excluding(&["trace"])));
        let new_kind = kind.map(str::to_owned);
        check_edit(EditFacts {
            id: ID,
            profile,
            new_kind,
            lacks_session: false,
            other_end_user: None,
            becomes_pinned,
            pinned: pinned.to_vec(),
            budgets: Vec::new(),
            bytes: 0,
        })
        .map(drop)
    };
    assert_eq!(edit(Some("fact"), true, &pins(MAX_PINS - 1, &[])), Ok(()));
    assert_eq!(edit(None, true, &pins(MAX_PINS, &[])), Err(RuleViolation::TooManyPins));
    assert_eq!(edit(None, true, &pins(MAX_PINS, &[ID])), Ok(()));
    assert_eq!(edit(None, false, &pins(MAX_PINS, &[])), Ok(()));
    assert_eq!(edit(Some("trace"), false, &[]), Err(RuleViolation::KindExcluded("trace".into())));
}

#[test]
fn full_run_takes_only_memories_that_it_already_has() {
    let outcome = |write_count, is_staged| {
        let facts = StageFacts { write_count, is_staged, ..stage_facts(facts()) };
        check_stage(&pass(), ID, &fields(|_| ()), facts, NOW).map(|plan| plan.id())
    };
    assert_eq!(outcome(MAX_PENDING_PER_RUN - 1, false), Ok(ID));
    assert_eq!(outcome(MAX_PENDING_PER_RUN, false), Err(RuleViolation::RunFull));
    assert_eq!(outcome(MAX_PENDING_PER_RUN, true), Ok(ID));
}

#[test]
fn kind_excluded_by_the_default_or_the_named_profile_is_refused() {
    let named = |default: &[&str], named: &[&str]| {
        TargetProfile::named(Some(OTHER), excluding(named), Arc::new(excluding(default)))
    };
    let excluded = Err(RuleViolation::KindExcluded("trace".into()));
    let cases = [
        (default_profile(), Ok(None)),
        (TargetProfile::default_of(Arc::new(excluding(&["trace"]))), excluded.clone()),
        (named(&["trace"], &[]), excluded.clone()),
        (named(&[], &["trace"]), excluded),
        (named(&["draft"], &["plan"]), Ok(None)),
    ];
    for (profile, outcome) in cases {
        let facts = CommitFacts { profile: Some(profile.clone()), ..facts() };
        assert_eq!(check(&fields(|m| m.kind = Some("trace".into())), facts), outcome, "{profile:?}");
    }
}

#[test]
fn unknown_profile_is_refused() {
    let facts = CommitFacts { profile: None, ..facts() };
    assert_eq!(check(&fields(|m| m.profile_id = Some(OTHER)), facts), Err(RuleViolation::NoProfile(OTHER)));
}

#[test]
fn plan_has_the_profile_of_the_facts() {
    let profile = TargetProfile::named(Some(OTHER), excluding(&["trace"]), Arc::default());
    let plan = check_commit(&pass(), ID, &fields(|_| ()), CommitFacts { profile: Some(profile), ..facts() }, NOW);
    let plan = plan.expect("no rule is broken");
    assert_eq!(plan.profile().id(), Some(OTHER));
    assert!(plan.profile().settings().excludes("trace"));
}

#[test]
fn expiry_is_the_earlier_of_the_own_and_the_maximal_age() {
    let at = |seconds| NOW + TimeDelta::seconds(seconds);
    let aged = |max_age_seconds| ProfileSettings {
        retention: Retention { max_age_seconds, ..Retention::default() },
        ..ProfileSettings::default()
    };
    let default = |age| TargetProfile::default_of(Arc::new(aged(age)));
    let named = |age| TargetProfile::named(Some(OTHER), aged(age), Arc::new(aged(Some(1))));
    let cases = [
        (default(None), None, None),
        (default(None), Some(at(5)), Some((at(5), ExpiryRule::ExpiresAt))),
        (default(Some(10)), None, Some((at(10), ExpiryRule::MaxAge))),
        (default(Some(10)), Some(at(5)), Some((at(5), ExpiryRule::ExpiresAt))),
        (default(Some(10)), Some(at(10)), Some((at(10), ExpiryRule::ExpiresAt))),
        (default(Some(10)), Some(at(15)), Some((at(10), ExpiryRule::MaxAge))),
        // the age of the named profile applies, not that of the default one
        (named(Some(10)), None, Some((at(10), ExpiryRule::MaxAge))),
        (named(None), None, None),
    ];
    for (profile, own, expected) in cases {
        let expected = expected.map(|(at, rule)| Expiry { at, rule: Some(rule) });
        assert_eq!(profile.expiry(NOW, own.map(Expiry::requested)), expected, "{own:?} {profile:?}");
    }
}

#[test]
fn removal_and_supersession_come_before_expiry() {
    use MemoryStatus::{Deleted, Live, Pending, Redacted, Superseded};
    let cases = [
        (Live, MemoryState::Expired(Expiry::requested(NOW))),
        (Pending, MemoryState::Pending),
        (Superseded, MemoryState::Superseded(Some(OTHER))),
        (Redacted, MemoryState::Redacted),
        (Deleted, MemoryState::Deleted),
    ];
    for (status, state) in cases {
        let expired = MemoryLocation {
            expiry: Some(Expiry::requested(NOW)),
            superseded_by: Some(OTHER),
            ..memory(author(), status)
        };
        assert_eq!(expired.state(NOW), state);
        assert!(!expired.is_live(NOW));
        assert_eq!(expired.is_live(NOW - TimeDelta::microseconds(1)), status == Live);
        assert_eq!(status.as_str().parse(), Ok(status));
    }
}

#[test]
fn author_edits_live_memories_and_forgets_those_with_content() {
    use MemoryStatus::{Deleted, Live, Pending, Redacted, Superseded};
    let expired = Some(Expiry::requested(NOW));
    let cases = [
        (own(Live), true, true),
        (own(Superseded), false, true),
        (own(Pending), false, false),
        (own(Redacted), false, false),
        (own(Deleted), false, false),
        (Some(memory(other_author(), Live)), false, false),
        (own(Live).map(|memory| MemoryLocation { expiry: expired, ..memory }), false, false),
        (own(Superseded).map(|memory| MemoryLocation { expiry: expired, ..memory }), false, false),
    ];
    for (memory, editable, forgettable) in cases {
        let memory = memory.expect("a memory");
        assert_eq!(is_editable(&memory, author(), NOW), editable, "{memory:?}");
        assert_eq!(is_forgettable(&memory, author(), NOW), forgettable, "{memory:?}");
    }
}

#[test]
fn edit_keeps_the_rule_of_an_unchanged_end() {
    let at = |seconds| NOW + TimeDelta::seconds(seconds);
    let by_age = Some(Expiry { at: at(10), rule: Some(ExpiryRule::MaxAge) });
    let facts = EditFacts {
        id: ID,
        profile: default_profile(),
        new_kind: None,
        lacks_session: false,
        other_end_user: None,
        becomes_pinned: false,
        pinned: Vec::new(),
        budgets: Vec::new(),
        bytes: 0,
    };
    let plan = check_edit(facts).expect("a plan");
    assert_eq!(plan.expiry(by_age, Some(at(10)), NOW), by_age);
    assert_eq!(plan.expiry(by_age, Some(at(20)), NOW), Some(Expiry::requested(at(20))));
    assert_eq!(plan.expiry(by_age, None, NOW), None);
}

fn profile(n: u128, name: &str) -> ProfileName {
    ProfileName { id: Uuid::from_u128(n), name: name.into(), is_default: false, is_stored: true }
}

fn unstored_default() -> ProfileName {
    ProfileName { is_default: true, is_stored: false, ..profile(1, "default") }
}

#[test]
fn profile_name_is_unique_in_the_workspace() {
    let named = |name: &str| Err(RuleViolation::ProfileNamed(name.into()));
    let existing = [unstored_default(), profile(2, "research")];
    let cases = [
        (3, "draft", false, Ok(())),
        (3, "research", false, named("research")),
        (3, "research", true, named("research")),
        // a profile does not compete with its own name
        (2, "research", false, Ok(())),
        (1, "default", true, Ok(())),
        // the unstored default remains when another profile becomes the default
        (3, "default", false, named("default")),
        (3, "default", true, named("default")),
        (2, "default", false, named("default")),
        (2, "default", true, named("default")),
    ];
    for (n, name, is_default, outcome) in cases {
        let plan = check_profile_name(&existing, Uuid::from_u128(n), name, is_default);
        let expected = outcome.map(|()| (Uuid::from_u128(n), is_default));
        assert_eq!(plan.map(|plan| (plan.id(), plan.is_default())), expected, "{n} {name} {is_default}");
    }
}

#[test]
fn profiles_are_limited_without_counting_the_unstored_default() {
    let stored = |count: usize| (100..).take(count).map(|n| profile(n, &format!("profile {n}")));
    let existing = |count| [unstored_default()].into_iter().chain(stored(count)).collect::<Vec<_>>();
    let outcome = |count, n| check_profile_name(&existing(count), Uuid::from_u128(n), "new", false).map(drop);
    assert_eq!(outcome(MAX_PROFILES - 1, 2), Ok(()));
    assert_eq!(outcome(MAX_PROFILES, 2), Err(RuleViolation::TooManyProfiles));
    // a stored profile can be renamed at the limit
    assert_eq!(outcome(MAX_PROFILES, 100), Ok(()));
}

#[test]
fn default_profile_cannot_be_deleted() {
    assert_eq!(check_profile_deletion(ID, true), Err(RuleViolation::ProfileIsDefault));
    assert_eq!(check_profile_deletion(ID, false).map(|deletion| deletion.id()), Ok(ID));
}
