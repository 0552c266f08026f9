//! Lists of workspaces, counts of orgs, and sweeps.

use chrono::TimeDelta;
use orgmem_hierarchy::{Children, OrgId, Scope, WorkspaceId};
use orgmem_policies::{Caller, OrgPass, Role, ServerAction, ServerPass, TokenIdentity, TokenStatus, TreePass};
use orgmem_store::{MemoryCounts, ReadPlan, Stats, Store, StoreError, Workspace, WorkspaceCursor, WorkspaceFilter};
use uuid::Uuid;

use super::commits::{ACME, Commit, about, commit, commit_all, contents, search};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::TestStore;

on_both!(
    list_pages_through_the_callers_workspaces,
    list_of_removed_workspaces_uses_their_former_positions,
    admin_lists_all_orgs_in_one_order,
    orgs_are_found_by_the_name_of_their_root,
    server_counts_are_correct,
    sweep_reclaims_expired_rows,
);

fn operator(org: &Org, at: &str) -> Caller {
    let workspace = org.get(at);
    let token = TokenIdentity {
        subject: "op".into(),
        role: Role::Operator,
        workspace: Some(workspace),
        jti: Uuid::nil(),
        issued_at: crate::stores::test_epoch(),
        user: Default::default(),
    };
    let token_status = TokenStatus { org: Some(org.id), live: true, ..TokenStatus::default() };
    Caller::admit(&token, &token_status).expect("admitted")
}

async fn list(store: &Store, org: OrgId, caller: Caller, filter: WorkspaceFilter, by: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut after: Option<WorkspaceCursor> = None;
    loop {
        let (caller, filter) = (caller.clone(), filter.clone());
        let page: Result<Vec<Workspace>, Failure> = store
            .read(ReadPlan::Scan, move |tx| {
                let pass = OrgPass::grant(&caller, &*tx.tree(org)?)?;
                Ok(tx.list_workspaces(&pass, &filter, after, by)?)
            })
            .await;
        let page = page.expect("a page");
        let Some(last) = page.last() else { return names };
        assert!(page.len() <= by);
        after = Some((last.created_at, last.org.uuid(), last.id.uuid()));
        names.extend(page.into_iter().map(|row| row.name));
    }
}

async fn list_pages_through_the_callers_workspaces(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    draw(&t.store, "other\n  bot-1").await;
    let all = ["acme", "dev", "bot-1", "bot-2", "ops", "bot-3"];
    for by in [1, 4, 100] {
        assert_eq!(list(&t.store, acme.id, system(), WorkspaceFilter::default(), by).await, all);
        let below_dev = list(&t.store, acme.id, operator(&acme, "dev"), WorkspaceFilter::default(), by).await;
        assert_eq!(below_dev, ["dev", "bot-1", "bot-2"]);
        let bots = WorkspaceFilter { name_contains: Some("BOT".into()), ..WorkspaceFilter::default() };
        assert_eq!(list(&t.store, acme.id, system(), bots, by).await, ["bot-1", "bot-2", "bot-3"]);
        let of_ops = WorkspaceFilter { parent: Some(acme.get("ops")), ..WorkspaceFilter::default() };
        assert_eq!(list(&t.store, acme.id, system(), of_ops.clone(), by).await, ["bot-3"]);
        assert_eq!(list(&t.store, acme.id, operator(&acme, "dev"), of_ops, by).await, Vec::<String>::new());
    }
}

async fn remove(store: &Store, org: OrgId, id: WorkspaceId) {
    let removed: Result<(), Failure> = store
        .write(org, move |tx| {
            let pass = TreePass::remove(&system(), &*tx.tree(org)?, id, Children::Cascade)?;
            Ok(tx.change_tree(&pass)?)
        })
        .await;
    removed.expect("an allowed removal");
}

async fn list_of_removed_workspaces_uses_their_former_positions(t: TestStore) {
    let acme = draw(&t.store, "acme\n  dev\n    a\n      a-1\n      a-2\n    b\n  ops\n    c").await;
    for name in ["a-1", "a", "c"] {
        remove(&t.store, acme.id, acme.get(name)).await;
    }
    let removed = WorkspaceFilter { removed: true, ..WorkspaceFilter::default() };
    assert_eq!(list(&t.store, acme.id, system(), removed.clone(), 2).await, ["a", "a-1", "a-2", "c"]);
    assert_eq!(list(&t.store, acme.id, operator(&acme, "dev"), removed.clone(), 2).await, ["a", "a-1", "a-2"]);
    assert_eq!(list(&t.store, acme.id, operator(&acme, "ops"), removed, 2).await, ["c"]);
}

fn server() -> ServerPass {
    ServerPass::grant(&system(), ServerAction::ReadServer).expect("the server may")
}

async fn admin_lists_all_orgs_in_one_order(t: TestStore) {
    draw(&t.store, "one\n  a\n  b").await;
    t.clock.advance(TimeDelta::seconds(1));
    draw(&t.store, "two\n  a").await;
    let mut listed: Vec<(String, Uuid)> = Vec::new();
    let mut after = None;
    loop {
        let filter = WorkspaceFilter::default();
        let page = t.store.read(ReadPlan::Scan, move |tx| tx.list_all_workspaces(&server(), &filter, after, 2)).await;
        let page = page.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some((last.created_at, last.org.uuid(), last.id.uuid()));
        listed.extend(page.iter().map(|row| (row.name.clone(), row.org.uuid())));
    }
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["one", "a", "b", "two", "a"]);
}

async fn orgs_are_found_by_the_name_of_their_root(t: TestStore) {
    let one = draw(&t.store, "acme\n  twin").await;
    let two = draw(&t.store, "acme").await;
    let gone = draw(&t.store, "acme").await;
    remove(&t.store, gone.id, gone.get("acme")).await;
    let named = |name: &'static str| t.store.read(ReadPlan::PointLookup, move |tx| tx.orgs_named(&server(), name));
    assert_eq!(named("acme").await.expect("an answer"), [one.id, two.id]);
    assert_eq!(named("twin").await.expect("an answer"), []);
    assert_eq!(named("a\0b").await.expect("no name has it"), []);
}

async fn server_counts_are_correct(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    t.clock.advance(TimeDelta::seconds(1));
    let other = draw(&t.store, "other").await;
    let commits = [
        (&acme, "acme", Scope::Global, None),
        (&acme, "dev", Scope::Team, None),
        (&acme, "bot-1", Scope::Local, Some(5)),
        (&acme, "bot-3", Scope::Local, None),
        (&other, "other", Scope::Local, None),
    ];
    for (org, name, scope, ttl) in commits {
        let draft = Commit::new(org.get(name), scope, "something").with(|input| input.ttl_seconds = ttl);
        commit(&t.store, org, draft).await.expect("a commit");
    }
    let written_at = Some(t.store.now());
    t.clock.advance(TimeDelta::seconds(5));
    remove(&t.store, acme.id, acme.get("ops")).await;
    let summaries = t.store.read(ReadPlan::Scan, |tx| tx.org_summaries(&server())).await.expect("an answer");
    let counts: Vec<_> =
        summaries.iter().map(|org| (org.org, org.name.as_str(), org.workspaces, org.memories)).collect();
    let expected_memories = MemoryCounts { local: 0, team: 1, global: 1, last_write_at: written_at };
    let elsewhere = MemoryCounts { local: 1, last_write_at: written_at, ..MemoryCounts::default() };
    assert_eq!(counts, [(acme.id, "acme", 4, expected_memories), (other.id, "other", 1, elsewhere)]);
    let stats = t.store.read(ReadPlan::Scan, |tx| tx.stats(&server())).await.expect("an answer");
    assert!(stats.size_bytes > 0);
    let memories = MemoryCounts { local: 1, team: 1, global: 1, last_write_at: written_at };
    assert_eq!(
        Stats { size_bytes: 0, ..stats },
        Stats { orgs: 2, workspaces: 5, memories, episodes: 5, ..Stats::default() }
    );
}

async fn sweep_reclaims_expired_rows(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let id = Uuid::from_u128(7);
    let brief = |n: usize| {
        Commit::new(bot, Scope::Local, &format!("brief {n}")).with(|input| {
            input.ttl_seconds = Some(10);
            input.id = (n == 0).then_some(id);
        })
    };
    commit_all(&t.store, &acme, (0..600).map(brief).collect()).await;
    commit(&t.store, &acme, Commit::new(bot, Scope::Local, "lasting")).await.expect("a commit");
    assert_eq!(search(&t.store, &acme, bot, about("brief")).await.hits.len(), 50);
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
    t.clock.advance(TimeDelta::seconds(10));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 600);
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
    assert_eq!(contents(&search(&t.store, &acme, bot, about("")).await), ["lasting"]);
    let counts: Result<_, StoreError> =
        t.store.read(ReadPlan::PointLookup, move |tx| tx.memory_counts(org, &[bot])).await;
    assert_eq!(counts.expect("an answer")[0].local, 1);
    let retry = Commit::new(bot, Scope::Local, "brief once more").with(|input| input.id = Some(id));
    assert_eq!(commit(&t.store, &acme, retry).await.expect("an upsert").version, 2);
    assert_eq!(contents(&search(&t.store, &acme, bot, about("brief")).await), ["brief once more"]);
}
