//! Which memories of other sessions a call reads under grants, against a naive rule.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::{OrgId, Placement, Tree, WorkspaceId};
use orgmem_policies::drafts::{DraftFault, GrantDraft, GrantInput};
use orgmem_policies::rules::{RuleViolation, check_grants};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{
    CallUser, Caller, EndUser, Forbidden, GrantPass, MAX_GRANTS, ProfileSettings, ReadPass, Refusal, Role,
    SessionGrant, Sharing, TokenIdentity, TokenStatus,
};
use proptest::prelude::*;
use uuid::Uuid;

type Name = Option<&'static str>;

const READER: u128 = 2;

fn id(n: u128) -> WorkspaceId {
    Uuid::from_u128(n).into()
}

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

/// `1` with the children 2 and 3.
fn tree() -> Tree {
    let under = |child| Placement::under(id(child), id(1));
    Tree::build(OrgId::of_root(id(1)), [Placement::root(id(1)), under(2), under(3)]).expect("it is a tree")
}

fn caller(role: Role, workspace: u128, bound: EndUser) -> Caller {
    let token = TokenIdentity {
        subject: "someone".into(),
        role,
        workspace: role.is_bound().then(|| id(workspace)),
        jti: Uuid::nil(),
        issued_at: DateTime::UNIX_EPOCH,
        user: CallUser::bound_to(bound),
    };
    let org = role.is_bound().then(|| OrgId::of_root(id(1)));
    Caller::admit(&token, &TokenStatus { org, live: true, ..TokenStatus::default() }).expect("admitted")
}

fn any_name() -> impl Strategy<Value = Name> {
    prop::sample::select(&[None, Some("a"), Some("b")][..])
}

fn any_sharing() -> impl Strategy<Value = Sharing> {
    prop::sample::select(&[Sharing::Open, Sharing::Separate][..])
}

prop_compose! {
    fn any_grant()(
        number in 1_u128..9,
        workspace in 1_u128..4,
        subject in prop::sample::select(&["a", "b"][..]),
        sessions in prop::option::of(prop::collection::vec(prop::sample::select(&["a", "b"][..]), 1..3)),
        to_workspace in 1_u128..4,
        to_session in any_name(),
        lifetime in prop::option::of(-1_i64..2),
    ) -> SessionGrant {
        SessionGrant {
            id: Uuid::from_u128(number),
            workspace: id(workspace),
            subject: subject.to_owned(),
            sessions: sessions.map(|sessions| sessions.into_iter().map(str::to_owned).collect()),
            to_workspace: id(to_workspace),
            to_session: to_session.map(str::to_owned),
            expires_at: lifetime.map(|seconds| now() + TimeDelta::seconds(seconds)),
        }
    }
}

/// The sentences of the specification for one grant.
fn shows(grant: &SessionGrant, bound: (Name, Name), named: (Name, Name), memory: (u128, Name, Name)) -> bool {
    let (author, subject, session) = memory;
    let is_for_call = match &grant.to_session {
        Some(session) => named.1 == Some(session.as_str()),
        None => bound.1.is_none(),
    };
    let is_of_session = session.is_some_and(|session| match &grant.sessions {
        None => true,
        Some(sessions) => sessions.iter().any(|granted| granted == session),
    });
    let is_of_user = named.0 == Some(grant.subject.as_str()) && subject == Some(grant.subject.as_str());
    let is_valid = grant.expires_at.is_none_or(|end| end > now());
    is_valid
        && is_for_call
        && is_of_user
        && is_of_session
        && grant.workspace == id(author)
        && grant.to_workspace == id(READER)
}

proptest! {
    #[test]
    fn grant_shows_exactly_what_the_specification_says(
        grants in prop::collection::vec(any_grant(), 0..4),
        (bound, named) in ((any_name(), any_name()), (any_name(), any_name())),
        (subjects, sessions) in (any_sharing(), any_sharing()),
        memory in (1_u128..4, any_name(), any_name()),
    ) {
        let end_user = |(subject, session): (Name, Name)| EndUser::named(subject, session);
        let one = |bound: Name, named: Name| bound.is_none() || named.is_none() || bound == named;
        prop_assume!(one(bound.0, named.0) && one(bound.1, named.1));
        let caller = caller(Role::Agent, READER, end_user(bound)).naming(&end_user(named)).expect("one end user");
        let named = (bound.0.or(named.0), bound.1.or(named.1));
        let profile = Arc::new(ProfileSettings { subjects, sessions, ..ProfileSettings::default() });
        let plain = ReadPass::grant(&caller, &tree(), id(READER), &profile).expect("a pass");
        let widened = plain.clone().under(&caller, &grants, now());
        let (author, subject, session) = memory;
        let before = plain.users().permits(subject, session);
        let by: Vec<Uuid> = grants.iter().filter(|grant| shows(grant, bound, named, memory)).map(|grant| grant.id).collect();
        let users = widened.users();
        prop_assert_eq!(users.shows(id(author), subject, session), before || !by.is_empty());
        let expected = if before { None } else { by.iter().min().copied() };
        prop_assert_eq!(users.granted_by(id(author), subject, session), expected);
        prop_assert!(expected.is_none_or(|grant| users.grants().contains(&grant)));
        // nothing else changes: neither other items nor the reach
        prop_assert_eq!(users.permits(subject, session), before);
        prop_assert_eq!((users.subject(), users.session()), (plain.users().subject(), plain.users().session()));
        prop_assert_eq!(users.is_open(), plain.users().is_open());
        prop_assert_eq!(widened.reach().parts().len(), plain.reach().parts().len());
        // a memory of another end user or of none is not shown by any grant
        prop_assert!(expected.is_none() || subject == named.0);
    }
}

#[test]
fn only_people_over_the_workspace_and_the_end_user_give_grants() {
    let tree = tree();
    let decide = |role, workspace, subject: Name, session: Name, of: u128| {
        GrantPass::grant(&caller(role, workspace, EndUser::named(subject, session)), &tree, id(of))
    };
    for (role, workspace) in [(Role::Admin, 1), (Role::Operator, 1), (Role::Operator, 2)] {
        let pass = decide(role, workspace, None, None, 2).expect("a pass");
        assert!(pass.is_about("ada") && pass.is_about("eve") && pass.subject().is_none());
    }
    let own = decide(Role::Agent, 2, Some("ada"), None, 2).expect("a pass");
    assert!(own.is_about("ada") && !own.is_about("eve"));
    let refused = |decision: Result<GrantPass, Refusal>| match decision {
        Err(Refusal::Forbidden(forbidden)) => forbidden,
        other => panic!("{other:?}"),
    };
    assert!(matches!(refused(decide(Role::Agent, 2, None, None, 2)), Forbidden::Role { .. }));
    assert!(matches!(refused(decide(Role::Viewer, 1, None, None, 2)), Forbidden::Role { .. }));
    assert!(matches!(refused(decide(Role::Operator, 3, None, None, 2)), Forbidden::Elsewhere { .. }));
    assert!(matches!(refused(decide(Role::Agent, 3, Some("ada"), None, 2)), Forbidden::Elsewhere { .. }));
    // a token that is bound to a session does not lift its own limit
    for subject in [None, Some("ada")] {
        assert!(matches!(refused(decide(Role::Agent, 2, subject, Some("s-1"), 2)), Forbidden::BoundToken(_)));
    }
}

#[test]
fn draft_refuses_names_that_no_memory_has_and_grants_to_nobody() {
    let check = |change: fn(&mut GrantInput)| {
        let mut input = GrantInput {
            subject: "ada".into(),
            sessions: Some(vec!["s-1".into(), "s-1".into()]),
            to_session: Some("s-2".into()),
            evidence: "Ada: yes".into(),
            ..GrantInput::default()
        };
        change(&mut input);
        GrantDraft::check(input, id(2), Scrubber::built_in(), now())
    };
    let draft = check(|_| {}).expect("a draft");
    assert_eq!(draft.fields().sessions.as_deref(), Some(&["s-1".to_owned()][..]));
    assert_eq!(draft.fields().to_workspace, id(2));
    let field = |change: fn(&mut GrantInput)| check(change).expect_err("a fault").field();
    assert_eq!(field(|input| input.to_session = None), "to");
    assert_eq!(field(|input| input.subject = " ada".into()), "subject");
    assert_eq!(field(|input| input.subject = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD".into()), "subject");
    assert_eq!(field(|input| input.sessions = Some(Vec::new())), "sessions");
    assert_eq!(field(|input| input.sessions = Some(vec!["s".into(); 101])), "sessions");
    assert_eq!(field(|input| input.sessions = Some(vec![String::new()])), "sessions");
    assert_eq!(field(|input| input.to_session = Some("\n".into())), "to.session");
    assert_eq!(field(|input| input.expires_at = Some(now())), "expires_at");
    assert_eq!(field(|input| input.evidence = " \n".into()), "evidence");
    assert!(matches!(check(|input| input.evidence = "x".repeat(4097)), Err(DraftFault::TooLong { .. })));
    let secret = check(|input| input.evidence = "yes, with sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD".into());
    let secret = secret.expect("a draft");
    assert!(!secret.fields().evidence.as_str().contains("sk-proj-") && secret.redactions().len() == 1);
}

#[test]
fn number_of_grants_is_bounded() {
    assert!(check_grants(MAX_GRANTS - 1).is_ok());
    assert!(matches!(check_grants(MAX_GRANTS), Err(RuleViolation::TooManyGrants)));
}
