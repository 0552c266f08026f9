//! The registry of tokens: status and revocation.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::{Children, WorkspaceId};
use orgmem_policies::{
    Caller, EndUser, NotAdmitted, Role, ServerAction, ServerPass, TokenIdentity, TokenPass, TokenStatus, TreePass,
};
use orgmem_store::{KnownToken, ReadPlan, SERVER, Store, StoreError};
use uuid::Uuid;

use super::agent::Agent;
use super::orgs::{Failure, draw, system};
use super::redactions::erase;
use crate::stores::{On, TestStore};

on_both!(
    issued_token_is_known,
    token_list_shows_revoked_tokens,
    token_list_shows_bindings_until_the_erasure_of_the_end_user,
    revoked_token_is_refused_immediately,
    only_the_workspace_of_a_token_can_revoke_it,
    admin_can_revoke_any_token,
    all_tokens_of_a_workspace_are_revoked_together,
    token_issued_in_the_second_of_the_revocation_is_accepted,
    tokens_are_issued_after_the_clock_was_set_back,
    tokens_of_removed_workspace_are_refused,
    failed_revocation_revokes_nothing,
    revocation_is_stored_longer_than_its_token,
);

/// =
async fn issue(agent: &Agent) -> TokenIdentity {
    let (org, id) = (agent.org, agent.id);
    let identity = agent.act(move |tx, _| {
        let pass = TokenPass::bound_to(&system(), &*tx.tree(org)?, id, Role::Agent, &EndUser::default())?;
        let (jti, issued_at) = (tx.new_id(), tx.token_time(&pass)?);
        tx.record_token(&pass, jti, "agent:bot", issued_at, issued_at + TimeDelta::hours(24))?;
        Ok(TokenIdentity {
            subject: "agent:bot".into(),
            role: Role::Agent,
            workspace: Some(id),
            jti,
            issued_at,
            user: Default::default(),
        })
    });
    identity.await.expect("a token")
}

/// The end user and the session in the record of each token, by name.
async fn bindings(agent: &Agent) -> Vec<(String, Option<String>, Option<String>)> {
    let listed = agent.act(|tx, pass| Ok(tx.tokens_of(pass, None, 9)?)).await.expect("an answer");
    let mut bindings: Vec<_> =
        listed.into_iter().map(|token| (token.subject, token.end_user, token.session_id)).collect();
    bindings.sort();
    bindings
}

async fn token_list_shows_bindings_until_the_erasure_of_the_end_user(t: TestStore) {
    let tree = draw(&t.store, "acme\n  bot").await;
    let bot = Agent::new(&t.store, &tree, "bot");
    let (org, id) = (bot.org, bot.id);
    for (name, subject, session) in
        [("a", Some("ada"), Some("s-1")), ("b", Some("ada"), None), ("c", Some("bob"), Some("s-1")), ("d", None, None)]
    {
        let issued = bot.act(move |tx, _| {
            let user = EndUser::named(subject, session);
            let pass = TokenPass::bound_to(&system(), &*tx.tree(org)?, id, Role::Agent, &user)?;
            let (jti, issued_at) = (tx.new_id(), tx.token_time(&pass)?);
            Ok(tx.record_token(&pass, jti, name, issued_at, issued_at + TimeDelta::hours(24))?)
        });
        issued.await.expect("a token");
    }
    let row = |name: &str, user: Option<&str>, session: Option<&str>| {
        (name.to_owned(), user.map(str::to_owned), session.map(str::to_owned))
    };
    let (c, d) = (row("c", Some("bob"), Some("s-1")), row("d", None, None));
    let issued = [row("a", Some("ada"), Some("s-1")), row("b", Some("ada"), None), c.clone(), d.clone()];
    assert_eq!(bindings(&bot).await, issued);
    erase(&t.store, &tree, Some("ada")).await;
    // they are bound still, and do not appear as tokens for everybody
    let erased = [row("a", Some("[erased]"), Some("[erased]")), row("b", Some("[erased]"), None), c, d];
    assert_eq!(bindings(&bot).await, erased);
}

/// A token signed by a platform, now.
fn foreign(store: &Store, workspace: WorkspaceId) -> TokenIdentity {
    let issued_at = DateTime::from_timestamp(store.now().timestamp(), 0).expect("a time");
    let jti = Uuid::from_u128(0xf00);
    TokenIdentity {
        subject: "elsewhere".into(),
        role: Role::Agent,
        workspace: Some(workspace),
        jti,
        issued_at,
        user: Default::default(),
    }
}

async fn token_status(store: &Store, token: &TokenIdentity) -> TokenStatus {
    let (workspace, jti) = (token.workspace, token.jti);
    let read = async |cost| -> Result<TokenStatus, StoreError> {
        store.read(cost, move |tx| tx.token_status(workspace, jti)).await
    };
    let token_status = read(ReadPlan::Cached).await.expect("an answer");
    assert_eq!(read(ReadPlan::Scan).await.expect("an answer"), token_status);
    token_status
}

async fn admitted(store: &Store, token: &TokenIdentity) -> Result<(), NotAdmitted> {
    Caller::admit(token, &token_status(store, token).await).map(drop)
}

async fn revoke(agent: &Agent, jti: Uuid) -> bool {
    agent.act(move |tx, pass| Ok(tx.revoke_token(pass, jti)?)).await.expect("an answer")
}

async fn revoke_all(agent: &Agent) {
    agent.act(|tx, pass| Ok(tx.revoke_tokens_of(pass)?)).await.expect("an answer");
}

/// Revokes a token of any org.
pub(crate) async fn revoke_any(store: &Store, jti: Uuid) {
    let revoked: Result<(), Failure> = store
        .write(SERVER, move |tx| {
            let pass = ServerPass::grant(&system(), ServerAction::ManageAdminTokens)?;
            Ok(tx.revoke_any_token(&pass, jti)?)
        })
        .await;
    revoked.expect("it is done");
}

async fn issued_token_is_known(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let issued = issue(&bot).await;
    let second: DateTime<Utc> = DateTime::from_timestamp(t.store.now().timestamp(), 0).expect("a time");
    assert_eq!(issued.issued_at, second);
    let find = |jti| t.store.read(ReadPlan::PointLookup, move |tx| tx.token(jti));
    let expected = KnownToken { org: bot.org, workspace: Some(bot.id) };
    assert_eq!(find(issued.jti).await.expect("an answer"), Some(expected));
    assert_eq!(find(Uuid::from_u128(1)).await.expect("an answer"), None);
    assert_eq!(admitted(&t.store, &issued).await, Ok(()));
    let admin = Uuid::from_u128(0xad);
    let recorded: Result<(), Failure> = t
        .store
        .write(SERVER, move |tx| {
            let pass = TokenPass::admin(&system())?;
            let time = tx.token_time(&pass)?;
            Ok(tx.record_token(&pass, admin, "admin", time, time + TimeDelta::hours(12))?)
        })
        .await;
    recorded.expect("it is done");
    assert_eq!(find(admin).await.expect("an answer"), Some(KnownToken { org: SERVER, workspace: None }));
}

async fn token_list_shows_revoked_tokens(t: TestStore) {
    let tree = draw(&t.store, "acme\n  bot\n  other").await;
    let (bot, other) = (Agent::new(&t.store, &tree, "bot"), Agent::new(&t.store, &tree, "other"));
    let listed = async |before, most| {
        let listed = bot.act(move |tx, pass| Ok(tx.tokens_of(pass, before, most)?)).await.expect("an answer");
        listed.into_iter().map(|token| (token.jti, token.issued_at, token.revoked_at.is_some())).collect::<Vec<_>>()
    };
    let (one, two, three) = (issue(&bot).await, issue(&bot).await, issue(&bot).await);
    issue(&other).await;
    let all = listed(None, 9).await;
    assert_eq!(all.len(), 3);
    assert!([one.jti, two.jti, three.jti].iter().all(|jti| all.iter().any(|token| token.0 == *jti && !token.2)));
    let first = listed(None, 2).await;
    assert_eq!(first, all[..2]);
    assert_eq!(listed(first.last().map(|token| (token.1, token.0)), 9).await, all[2..], "where it goes on");
    assert!(revoke(&bot, two.jti).await);
    assert!(listed(None, 9).await.iter().all(|token| token.2 == (token.0 == two.jti)));
    revoke_all(&bot).await;
    assert!(listed(None, 9).await.iter().all(|token| token.2));
    let next = issue(&bot).await;
    assert!(listed(None, 9).await.iter().all(|token| token.2 != (token.0 == next.jti)));
    t.clock.advance(TimeDelta::hours(25));
    assert_eq!(listed(None, 9).await, [], "what has expired is of no use to anybody");
}

async fn revoked_token_is_refused_immediately(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let (one, other) = (issue(&bot).await, issue(&bot).await);
    assert_eq!(admitted(&t.store, &one).await, Ok(()));
    assert!(revoke(&bot, one.jti).await);
    assert!(revoke(&bot, one.jti).await, "once more does no harm");
    assert_eq!(admitted(&t.store, &one).await, Err(NotAdmitted::Revoked));
    assert_eq!(admitted(&t.store, &other).await, Ok(()));
    let t = t.reopened();
    assert_eq!(admitted(&t.store, &one).await, Err(NotAdmitted::Revoked));
}

#[test]
fn token_revoked_on_one_server_is_refused_by_another() {
    crate::run(On::Postgres, async |t: TestStore| {
        let elsewhere = t.second_server();
        let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
        for _ in 0..5 {
            let token = issue(&bot).await;
            assert_eq!(admitted(&elsewhere, &token).await, Ok(()));
            revoke(&bot, token.jti).await;
            assert_eq!(admitted(&elsewhere, &token).await, Err(NotAdmitted::Revoked));
        }
    });
}

async fn only_the_workspace_of_a_token_can_revoke_it(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two").await;
    let (one, two) = (Agent::new(&t.store, &acme, "one"), Agent::new(&t.store, &acme, "two"));
    let other_org = Agent::new(&t.store, &draw(&t.store, "other").await, "other");
    let token = issue(&one).await;
    assert!(!revoke(&two, token.jti).await);
    assert!(!revoke(&other_org, token.jti).await);
    assert!(!revoke(&one, Uuid::from_u128(1)).await);
    assert_eq!(admitted(&t.store, &token).await, Ok(()));
}

async fn admin_can_revoke_any_token(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let (issued, foreign) = (issue(&bot).await, foreign(&t.store, bot.id));
    let admin = TokenIdentity { role: Role::Admin, workspace: None, jti: Uuid::from_u128(0xad), ..foreign.clone() };
    for token in [issued, foreign, admin] {
        assert_eq!(admitted(&t.store, &token).await, Ok(()));
        revoke_any(&t.store, token.jti).await;
        assert_eq!(admitted(&t.store, &token).await, Err(NotAdmitted::Revoked));
    }
}

async fn all_tokens_of_a_workspace_are_revoked_together(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two").await;
    let (one, two) = (Agent::new(&t.store, &acme, "one"), Agent::new(&t.store, &acme, "two"));
    let (issued, foreign, others) = (issue(&one).await, foreign(&t.store, one.id), issue(&two).await);
    t.clock.advance(TimeDelta::seconds(3));
    revoke_all(&one).await;
    for token in [&issued, &foreign] {
        assert_eq!(admitted(&t.store, token).await, Err(NotAdmitted::Revoked));
    }
    assert_eq!(admitted(&t.store, &others).await, Ok(()));
    t.clock.advance(TimeDelta::seconds(1));
    let later = issue(&one).await;
    assert_eq!(later.issued_at.timestamp(), t.store.now().timestamp());
    assert_eq!(admitted(&t.store, &later).await, Ok(()));
}

async fn token_issued_in_the_second_of_the_revocation_is_accepted(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let check = async |into_the_second: i64| {
        t.clock.advance(TimeDelta::seconds(100));
        let fraction = t.store.now().timestamp_subsec_micros();
        t.clock.advance(TimeDelta::microseconds(into_the_second - i64::from(fraction)));
        let mut before = issue(&bot).await;
        // three issues and revocations within one second
        for times in 1..4 {
            revoke_all(&bot).await;
            assert_eq!(admitted(&t.store, &before).await, Err(NotAdmitted::Revoked), "{into_the_second} {times}");
            let after = issue(&bot).await;
            assert_eq!(admitted(&t.store, &after).await, Ok(()), "{into_the_second} {times}");
            assert!(after.issued_at - t.store.now() <= TimeDelta::seconds(times));
            before = after;
        }
        t.clock.advance(TimeDelta::seconds(10));
        assert_eq!(admitted(&t.store, &before).await, Ok(()));
        assert_eq!(issue(&bot).await.issued_at.timestamp(), t.store.now().timestamp());
    };
    for into_the_second in [0, 1, 500_000, 999_999] {
        check(into_the_second).await;
    }
}

/// The clock was an hour ahead when all tokens were revoked.
async fn tokens_are_issued_after_the_clock_was_set_back(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let before = issue(&bot).await;
    let foreign = foreign(&t.store, bot.id);
    t.clock.advance(TimeDelta::hours(1));
    let ahead = issue(&bot).await;
    revoke_all(&bot).await;
    let later = issue(&bot).await;
    t.clock.advance(TimeDelta::hours(-1));
    let now = t.store.now();
    let issued = issue(&bot).await;
    assert!(issued.issued_at <= now + TimeDelta::seconds(1), "{} at {now}", issued.issued_at);
    for (token, is_admitted) in [
        (&before, false),
        (&foreign, false),
        (&ahead, false),
        (&later, true),
        (&issued, true),
        (&issue(&bot).await, true),
    ] {
        assert_eq!(admitted(&t.store, token).await.is_ok(), is_admitted, "{token:?}");
    }
    revoke_all(&bot).await;
    assert!(admitted(&t.store, &issued).await.is_err(), "it is revoked like any other");
    let issued = issue(&bot).await;
    assert!(issued.issued_at <= now + TimeDelta::seconds(5), "{} at {now}", issued.issued_at);
    assert_eq!(admitted(&t.store, &issued).await, Ok(()));
}

async fn tokens_of_removed_workspace_are_refused(t: TestStore) {
    let acme = draw(&t.store, "acme\n  dev\n    bot").await;
    let bot = Agent::new(&t.store, &acme, "bot");
    let token = issue(&bot).await;
    let (org, dev) = (acme.id, acme.get("dev"));
    let removed: Result<(), Failure> = t
        .store
        .write(org, move |tx| {
            let pass = TreePass::remove(&system(), &*tx.tree(org)?, dev, Children::Cascade)?;
            Ok(tx.change_tree(&pass)?)
        })
        .await;
    removed.expect("an allowed removal");
    assert_eq!(admitted(&t.store, &token).await, Err(NotAdmitted::WorkspaceNotLive));
}

async fn failed_revocation_revokes_nothing(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let token = issue(&bot).await;
    let (jti, token) = (token.jti, token.clone());
    let failed = bot.act(move |tx, pass| -> Result<(), Failure> {
        tx.revoke_token(pass, jti)?;
        tx.revoke_tokens_of(pass)?;
        let token_status = tx.token_status(token.workspace, jti)?;
        assert!(token_status.revoked && token_status.revoked_until.is_some(), "the job sees what it did");
        Err(Failure::OnPurpose)
    });
    assert!(matches!(failed.await, Err(Failure::OnPurpose)));
    let expected = TokenStatus { org: Some(bot.org), live: true, revoked: false, revoked_until: None };
    assert_eq!(token_status(&t.store, &token).await, expected);
}

async fn revocation_is_stored_longer_than_its_token(t: TestStore) {
    let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
    let token = issue(&bot).await;
    let known = async || {
        let jti = token.jti;
        let known: Result<_, StoreError> = t.store.read(ReadPlan::PointLookup, move |tx| tx.token(jti)).await;
        known.expect("an answer").is_some()
    };
    revoke(&bot, token.jti).await;
    // expired tokens are accepted within a leeway, so the revocation must last longer
    t.clock.advance(TimeDelta::hours(24) + TimeDelta::minutes(5));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
    assert!(known().await);
    assert_eq!(admitted(&t.store, &token).await, Err(NotAdmitted::Revoked));
    t.clock.advance(TimeDelta::hours(1));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 2);
    assert!(!known().await);
}
