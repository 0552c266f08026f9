//! Which memories of end users a call reads and writes, against a naive rule.

use orgmem_policies::{CallUser, EndUser, Forbidden, Sharing};
use proptest::prelude::*;

type Name = Option<&'static str>;

fn any_name() -> impl Strategy<Value = Name> {
    prop::sample::select(&[None, Some("a"), Some("b"), Some("c")][..])
}

fn any_sharing() -> impl Strategy<Value = Sharing> {
    prop::sample::select(&[Sharing::Open, Sharing::Separate][..])
}

/// The sentences of the specification, for subjects or for sessions.
fn reads(sharing: Sharing, bound: Name, named: Name, of_memory: Name) -> bool {
    let Some(of_memory) = of_memory else { return true };
    match (bound, sharing) {
        // a token that is bound reads its own, whatever the profile
        (Some(bound), _) => bound == of_memory,
        (None, Sharing::Open) => true,
        (None, Sharing::Separate) => named == Some(of_memory),
    }
}

proptest! {
    #[test]
    fn call_reads_and_writes_exactly_what_the_specification_says(
        (bound, in_header, in_body) in (
            (any_name(), any_name()), (any_name(), any_name()), (any_name(), any_name()),
        ),
        (subjects, sessions) in (any_sharing(), any_sharing()),
        (subject, session) in (any_name(), any_name()),
    ) {
        let end_user = |(subject, session): (Name, Name)| EndUser::named(subject, session);
        let one_of = |names: [Name; 3]| {
            let mut given: Vec<&str> = names.into_iter().flatten().collect();
            given.dedup();
            (given.len() <= 1).then(|| given.first().copied())
        };
        let token = CallUser::bound_to(end_user(bound));
        let call = token.naming(&end_user(in_header)).and_then(|call| call.naming(&end_user(in_body)));
        let (expected_subject, expected_session) =
            (one_of([bound.0, in_header.0, in_body.0]), one_of([bound.1, in_header.1, in_body.1]));
        let call = match (expected_subject, expected_session) {
            (Some(_), Some(_)) => call.expect("one end user and one session"),
            _ => {
                let is_refused = matches!(call, Err(Forbidden::OtherEndUser { .. }));
                prop_assert!(is_refused);
                return Ok(());
            }
        };
        let (named_subject, named_session) = (expected_subject.flatten(), expected_session.flatten());
        prop_assert_eq!((call.subject(), call.session()), (named_subject, named_session));
        let view = call.view(subjects, sessions);
        let is_readable = reads(subjects, bound.0, named_subject, subject) && reads(sessions, bound.1, named_session, session);
        prop_assert_eq!(view.permits(subject, session), is_readable);
        // the limits of statements say the same
        let in_limit = |limit: Option<Option<&str>>, value: Name| match (limit, value) {
            (None, _) | (_, None) => true,
            (Some(named), value) => named == value,
        };
        prop_assert_eq!(in_limit(view.subject(), subject) && in_limit(view.session(), session), is_readable);
        let is_open = bound == (None, None) && subjects == Sharing::Open && sessions == Sharing::Open;
        prop_assert_eq!(view.is_open(), is_open);
        // what a bound token may write it can read
        let is_own = bound.0.is_none_or(|bound| subject == Some(bound)) && bound.1.is_none_or(|bound| session == Some(bound));
        prop_assert_eq!(call.check_write(subject, session).is_ok(), is_own);
        let all_bound = bound.0.is_some() && bound.1.is_some();
        prop_assert!(!(all_bound && is_own) || is_readable);
    }
}
