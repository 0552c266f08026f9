//! Grants: reads under them equal those of an org which holds only what the call may read, and they are stored and removed.

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::{GrantDraft, GrantInput, ReasonDraft, check_subject};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{
    Caller, EndUser, ErasePass, GrantPass, MAX_GRANTS, Permission, ReadPass, Sharing, ViewPass, rules,
};
use orgmem_store::{ReadPlan, Store, StoredGrant};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::audit_log::count;
use super::commits::{ACME, commit};
use super::end_users::{AUTHORS, Written, bound, found_of, random_history, separate};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::{TestStore, test_epoch};

on_both!(
    reads_under_grants_equal_those_of_a_store_with_only_the_readable_memories,
    grant_is_listed_until_it_expires_or_is_revoked_or_erased,
    revoked_grant_is_a_row_without_texts_until_it_would_have_expired,
    workspace_has_as_many_grants_as_the_limit,
);

async fn give(store: &Store, org: &Org, author: &str, input: GrantInput) -> StoredGrant {
    let (id, author) = (org.id, org.get(author));
    let given: Result<_, Failure> = store
        .write(id, move |tx| {
            let draft = GrantDraft::check(input.clone(), author, Scrubber::built_in(), test_epoch()).expect("a draft");
            let pass = GrantPass::grant(&system(), &*tx.tree(id)?, author)?;
            let plan = rules::check_grants(tx.grant_count(id, author)?)?;
            Ok(tx.give_grant(&pass, plan, &draft)?)
        })
        .await;
    given.expect("a grant")
}

async fn revoke(store: &Store, org: OrgId, workspace: WorkspaceId, caller: Caller, id: Uuid) -> bool {
    let revoked: Result<_, Failure> = store
        .write(org, move |tx| {
            let pass = GrantPass::grant(&caller, &*tx.tree(org)?, workspace)?;
            Ok(tx.revoke_grant(&pass, id)?)
        })
        .await;
    revoked.expect("an outcome")
}

async fn listed(store: &Store, org: &Org, workspace: &str, subject: Option<&'static str>) -> Vec<Uuid> {
    let (id, workspace) = (org.id, org.get(workspace));
    let rows: Result<Vec<StoredGrant>, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let pass = ViewPass::grant(&system(), Permission::ReadMemories, &*tx.tree(id)?, workspace)?;
            Ok(tx.list_grants(&pass, subject, None, 10)?)
        })
        .await;
    rows.expect("a list").into_iter().map(|row| row.grant.id).collect()
}

/// What a call reads with the grants to it.
async fn answers(store: &Store, org: &Org, caller: Caller, reader: &str, all: &[Written]) -> Vec<String> {
    let (id, reader) = (org.id, org.get(reader));
    let memories: Vec<Uuid> = all.iter().map(|written| written.id).collect();
    let read: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let profile = tx.default_settings(id, reader)?;
            let pass = ReadPass::grant(&caller, &*tx.tree(id)?, reader, &profile)?;
            let grants = match caller.user().subject() {
                Some(subject) => tx.grants_to(id, reader, subject)?,
                None => Vec::new(),
            };
            let now = tx.now();
            found_of(tx, &pass.under(&caller, &grants, now), &memories)
        })
        .await;
    read.expect("answers")
}

/// The sentences of the specification, for a reader whose profile keeps end users and sessions apart.
fn is_readable(org: &Org, grants: &[GrantInput], (reader, user): (&str, &EndUser), memory: &Written) -> bool {
    let is_of = |name: Option<&str>, named: Option<&str>| name.is_none() || name == named;
    let (subject, session) = (user.subject.as_deref(), user.session.as_deref());
    let is_granted = |(author, grant): (&str, &GrantInput)| {
        let is_in_session = grant.to_session.as_deref().is_none_or(|only| session == Some(only));
        author == memory.author
            && grant.to_workspace.is_none_or(|to| to == org.get(reader))
            && (grant.to_workspace.is_some() || author == reader)
            && is_in_session
            && memory.subject == Some(grant.subject.as_str())
            && subject == Some(grant.subject.as_str())
            && memory.session.is_some_and(|of| grant.sessions.as_ref().is_none_or(|all| all.iter().any(|it| it == of)))
    };
    let authors = AUTHORS.into_iter().cycle();
    let granted = || authors.zip(grants).any(is_granted);
    is_of(memory.subject, subject) && (is_of(memory.session, session) || granted())
}

async fn reads_under_grants_equal_those_of_a_store_with_only_the_readable_memories(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let all = random_history(&t.store, &acme, 43).await;
    for author in AUTHORS {
        separate(&t.store, &acme, author, Sharing::Separate, Sharing::Separate).await;
    }
    let mut random = StdRng::seed_from_u64(44);
    let mut pick = |from: usize| random.random_range(0..from);
    let mut grants = Vec::new();
    for number in 0..6 {
        let to_workspace = (pick(2) == 0).then(|| acme.get(AUTHORS[pick(3)]));
        let input = GrantInput {
            subject: ["ada", "eve"][pick(2)].to_owned(),
            sessions: (pick(3) > 0).then(|| vec![["s-1", "s-2"][pick(2)].to_owned()]),
            to_session: (to_workspace.is_none() || pick(2) == 0).then(|| ["s-1", "s-2"][pick(2)].to_owned()),
            to_workspace,
            expires_at: None,
            evidence: "yes".to_owned(),
        };
        give(&t.store, &acme, AUTHORS[number % 3], input.clone()).await;
        grants.push(input);
    }
    let mut widened = 0;
    for (subject, session) in
        [(None, Some("s-1")), (Some("ada"), None), (Some("ada"), Some("s-1")), (Some("eve"), Some("s-2"))]
    {
        let user = EndUser::named(subject, session);
        for reader in AUTHORS {
            let mirror = draw(&t.store, ACME).await;
            for written in all.iter().filter(|one| is_readable(&acme, &grants, (reader, &user), one)) {
                widened += usize::from(!is_readable(&acme, &[], (reader, &user), written));
                commit(&t.store, &mirror, written.in_org(&mirror)).await.expect("a commit");
            }
            let naming = system().naming(&user).expect("one end user");
            let (here, there) = (
                answers(&t.store, &acme, naming, reader, &all).await,
                answers(&t.store, &mirror, system(), reader, &all).await,
            );
            assert_eq!(here, there, "{reader} for {subject:?} in {session:?}");
        }
    }
    assert!(widened > 0, "some grant shows a memory");
}

async fn grant_is_listed_until_it_expires_or_is_revoked_or_erased(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let input = |subject: &str, hours: Option<i64>| GrantInput {
        subject: subject.to_owned(),
        to_session: Some("s-1".to_owned()),
        expires_at: hours.map(|hours| test_epoch() + TimeDelta::hours(hours)),
        evidence: "yes".to_owned(),
        ..GrantInput::default()
    };
    let ada = give(&t.store, &acme, "bot-1", input("ada", None)).await.grant.id;
    let eve = give(&t.store, &acme, "bot-1", input("eve", None)).await.grant.id;
    let short = give(&t.store, &acme, "bot-1", input("ada", Some(1))).await.grant.id;
    assert_eq!(listed(&t.store, &acme, "bot-1", None).await, [short, eve, ada]);
    assert_eq!(listed(&t.store, &acme, "bot-1", Some("ada")).await, [short, ada]);
    assert!(listed(&t.store, &acme, "bot-1", Some("a\0")).await.is_empty());
    assert!(listed(&t.store, &acme, "bot-2", None).await.is_empty());
    // absent from the instant of its end, swept or not
    t.clock.advance(TimeDelta::hours(1));
    assert_eq!(listed(&t.store, &acme, "bot-1", None).await, [eve, ada]);
    assert!(!revoke(&t.store, org, bot, system(), short).await);
    // neither another workspace nor a token of another end user revokes it
    assert!(!revoke(&t.store, org, acme.get("bot-2"), system(), ada).await);
    let of_eve = || bound(&acme, bot, EndUser::named(Some("eve"), None));
    assert!(!revoke(&t.store, org, bot, of_eve(), ada).await);
    assert!(revoke(&t.store, org, bot, of_eve(), eve).await);
    assert_eq!(listed(&t.store, &acme, "bot-1", None).await, [ada]);
    let erased: Result<_, Failure> = t
        .store
        .write(org, move |tx| {
            let subject = check_subject("ada", Scrubber::built_in()).expect("a subject");
            let pass = ErasePass::subject(&system(), org, subject)?;
            Ok(tx.erase(&pass, &ReasonDraft::check("a test", Scrubber::built_in()).expect("a reason"))?)
        })
        .await;
    erased.expect("a receipt");
    assert!(listed(&t.store, &acme, "bot-1", None).await.is_empty());
}

async fn revoked_grant_is_a_row_without_texts_until_it_would_have_expired(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let input = |hours: Option<i64>| GrantInput {
        subject: "quokka".to_owned(),
        sessions: Some(vec!["quokka".to_owned()]),
        to_session: Some("quokka".to_owned()),
        expires_at: hours.map(|hours| test_epoch() + TimeDelta::hours(hours)),
        evidence: "quokka".to_owned(),
        ..GrantInput::default()
    };
    let rows = |what: &str| count(&t, &format!("SELECT count(*) AS count FROM grants WHERE {what}"));
    for hours in [None, Some(1)] {
        let id = give(&t.store, &acme, "bot-1", input(hours)).await.grant.id;
        assert!(revoke(&t.store, org, bot, system(), id).await);
        assert!(!revoke(&t.store, org, bot, system(), id).await, "it is revoked once");
    }
    assert!(listed(&t.store, &acme, "bot-1", None).await.is_empty());
    let granted = t.store.read(ReadPlan::Scan, move |tx| tx.grants_to(org, bot, "quokka")).await.expect("grants");
    assert!(granted.is_empty());
    let counted = t.store.read(ReadPlan::Scan, move |tx| tx.grant_count(org, bot)).await.expect("a number");
    assert_eq!(counted, 0, "they do not count for the limit");
    assert_eq!((rows("revoked_at IS NOT NULL"), rows("revoked_at IS NULL")), (2, 0));
    let texts = "subject || evidence || granted_by <> '' OR sessions IS NOT NULL OR to_session IS NOT NULL";
    assert_eq!(rows(texts), 0);
    t.clock.advance(TimeDelta::hours(2));
    t.store.sweep().await.expect("a sweep");
    assert_eq!(rows("expires_at IS NULL"), 1);
    assert_eq!(rows("expires_at IS NOT NULL"), 0, "an expired grant comes back from no backup");
}

async fn workspace_has_as_many_grants_as_the_limit(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot, peer) = (acme.id, acme.get("bot-1"), acme.get("bot-2"));
    let input = |subject: String| GrantInput {
        subject,
        to_session: Some("s-1".to_owned()),
        evidence: "yes".to_owned(),
        ..GrantInput::default()
    };
    let give_many = async |author: WorkspaceId, count: usize| -> Result<Vec<Uuid>, Failure> {
        let given = t.store.write(org, move |tx| {
            let pass = GrantPass::grant(&system(), &*tx.tree(org)?, author)?;
            let mut given = Vec::new();
            for number in 0..count {
                let input = input(format!("u-{number}"));
                let draft = GrantDraft::check(input, author, Scrubber::built_in(), test_epoch()).expect("a draft");
                let plan = match number {
                    // counting all of them each time takes minutes
                    0 => rules::check_grants(tx.grant_count(org, author)?)?,
                    _ => rules::check_grants(0)?,
                };
                given.push(tx.give_grant(&pass, plan, &draft)?.grant.id);
            }
            Ok(given)
        });
        given.await
    };
    let limit = usize::try_from(MAX_GRANTS).expect("a number");
    let given = give_many(bot, limit - 1).await.expect("grants");
    let last = give_many(bot, 1).await.expect("the last one")[0];
    let refused = give_many(bot, 1).await;
    assert!(matches!(refused, Err(Failure::Rule(rules::RuleViolation::TooManyGrants))), "{refused:?}");
    assert_eq!(give_many(peer, 1).await.expect("another workspace has its own").len(), 1);
    // a revoked or an expired one makes room
    assert!(revoke(&t.store, org, bot, system(), given[7]).await);
    assert_eq!(give_many(bot, 1).await.expect("one in its place").len(), 1);
    assert!(give_many(bot, 1).await.is_err());
    assert!(revoke(&t.store, org, bot, system(), last).await);
}
