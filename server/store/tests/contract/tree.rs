//! The tree in transactions.

use orgmem_hierarchy::{Children, OrgId, TreeLimits, WorkspaceId};
use orgmem_policies::drafts::WorkspaceChange;
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Permission, ServerAction, ServerPass, TreePass};
use orgmem_store::{ReadPlan, Store, StoreError};

use super::orgs::{Failure, draw, named, nowhere, system};
use crate::stores::TestStore;

on_both!(
    new_org_is_visible_immediately,
    workspace_is_only_in_its_own_org_also_when_removed,
    move_is_visible_to_the_next_read,
    transaction_sees_its_own_tree_changes,
    restart_keeps_the_tree,
    promoted_children_move_up,
    cascade_removes_all_descendants,
    workspace_id_is_unique,
    unknown_org_has_an_empty_tree,
    name_is_the_current_one,
);

const ACME: &str = "
acme
  dev
    bot-1
    bot-2
  ops
    bot-3
";

async fn parent(store: &Store, org: OrgId, id: WorkspaceId) -> Option<WorkspaceId> {
    let parent: Result<_, StoreError> = store.read(ReadPlan::PointLookup, move |tx| Ok(tx.tree(org)?.parent(id))).await;
    parent.expect("a tree")
}

async fn relocate(store: &Store, org: OrgId, id: WorkspaceId, to: WorkspaceId) -> Result<(), Failure> {
    let moved = store.write(org, move |tx| {
        let pass = TreePass::relocate(&system(), &*tx.tree(org)?, id, to, TreeLimits::default())?;
        Ok::<_, Failure>(tx.change_tree(&pass)?)
    });
    moved.await
}

async fn remove(store: &Store, org: OrgId, id: WorkspaceId, children: Children) -> Result<(), Failure> {
    let removed = store.write(org, move |tx| {
        let pass = TreePass::remove(&system(), &*tx.tree(org)?, id, children)?;
        Ok::<_, Failure>(tx.change_tree(&pass)?)
    });
    removed.await
}

async fn new_org_is_visible_immediately(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    assert_eq!(parent(&t.store, acme.id, acme.get("bot-1")).await, Some(acme.get("dev")));
    let bot = acme.get("bot-3");
    let org: Result<_, StoreError> = t.store.read(ReadPlan::PointLookup, move |tx| tx.org_of(bot)).await;
    assert_eq!(org.expect("an answer"), Some(acme.id));
}

async fn workspace_is_only_in_its_own_org_also_when_removed(t: TestStore) {
    let (acme, other) = (draw(&t.store, ACME).await, draw(&t.store, "elsewhere\n  agent").await);
    let (bot, foreign, absent) = (acme.get("bot-1"), other.get("agent"), WorkspaceId::from(uuid::Uuid::now_v7()));
    remove(&t.store, acme.id, bot, Children::Promote).await.expect("removed");
    for (id, expected) in [(acme.get("dev"), true), (bot, true), (foreign, false), (absent, false)] {
        let org = acme.id;
        let found: Result<_, StoreError> = t.store.read(ReadPlan::PointLookup, move |tx| tx.is_in_org(org, id)).await;
        assert_eq!(found.expect("an answer"), expected, "{id}");
    }
}

async fn move_is_visible_to_the_next_read(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, dev, ops) = (acme.get("bot-1"), acme.get("dev"), acme.get("ops"));
    for to in [ops, dev, ops] {
        relocate(&t.store, acme.id, bot, to).await.expect("an allowed move");
        assert_eq!(parent(&t.store, acme.id, bot).await, Some(to));
    }
    assert!(matches!(relocate(&t.store, acme.id, ops, bot).await, Err(Failure::Refused(_))), "a cycle");
    assert_eq!(parent(&t.store, acme.id, bot).await, Some(ops));
}

async fn transaction_sees_its_own_tree_changes(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot, ops) = (acme.id, acme.get("bot-1"), acme.get("ops"));
    let result: Result<(), Failure> = t
        .store
        .write(org, move |tx| {
            let pass = TreePass::relocate(&system(), &*tx.tree(org)?, bot, ops, TreeLimits::default())?;
            tx.change_tree(&pass)?;
            assert_eq!(tx.tree(org)?.parent(bot), Some(ops));
            Err(Failure::OnPurpose)
        })
        .await;
    assert!(matches!(result, Err(Failure::OnPurpose)));
    assert_eq!(parent(&t.store, org, bot).await, Some(acme.get("dev")), "the move was undone with its job");
}

async fn restart_keeps_the_tree(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    relocate(&t.store, acme.id, acme.get("bot-2"), acme.get("bot-3")).await.expect("an allowed move");
    let t = t.reopened();
    assert_eq!(parent(&t.store, acme.id, acme.get("bot-2")).await, Some(acme.get("bot-3")));
    assert_eq!(parent(&t.store, acme.id, acme.get("bot-1")).await, Some(acme.get("dev")));
}

async fn promoted_children_move_up(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    remove(&t.store, acme.id, acme.get("dev"), Children::Promote).await.expect("an allowed removal");
    for bot in ["bot-1", "bot-2"] {
        assert_eq!(parent(&t.store, acme.id, acme.get(bot)).await, Some(acme.get("acme")));
    }
    let (org, dev) = (acme.id, acme.get("dev"));
    let row =
        t.store.read(ReadPlan::PointLookup, move |tx| tx.workspaces(org, &[dev])).await.expect("an answer").remove(0);
    assert_eq!((row.name.as_str(), row.removed_at), ("dev", Some(t.store.now())));
}

async fn cascade_removes_all_descendants(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let refused = remove(&t.store, acme.id, acme.get("dev"), Children::Refuse).await;
    assert!(matches!(refused, Err(Failure::Refused(_))));
    remove(&t.store, acme.id, acme.get("dev"), Children::Cascade).await.expect("an allowed removal");
    let org = acme.id;
    let live = |t: &TestStore| {
        let store = t.store.clone();
        async move { store.read(ReadPlan::PointLookup, move |tx| Ok::<_, StoreError>(tx.tree(org)?.len())).await }
    };
    assert_eq!(live(&t).await.expect("a tree"), 3);
    let t = t.reopened();
    assert_eq!(live(&t).await.expect("a tree"), 3);
    remove(&t.store, acme.id, acme.get("acme"), Children::Cascade).await.expect("an allowed removal");
    assert_eq!(live(&t).await.expect("a tree"), 0);
}

async fn workspace_id_is_unique(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let taken = acme.get("bot-1");
    let retry: Result<_, Failure> = t
        .store
        .write(OrgId::of_root(taken), move |tx| {
            let pass = ServerPass::grant(&system(), ServerAction::CreateOrg)?;
            Ok(tx.create_org(&pass, taken, &named("again"))?.ok_or(RuleViolation::WorkspaceTaken(taken))?)
        })
        .await;
    assert!(matches!(retry, Err(Failure::Rule(RuleViolation::WorkspaceTaken(id))) if id == taken));
    let other = draw(&t.store, "other\n  one").await;
    let (org, root) = (other.id, other.get("other"));
    let below: Result<_, Failure> =
        t.store.write(org, move |tx| super::orgs::create(tx, org, taken, root, "again")).await;
    assert!(matches!(below, Err(Failure::Rule(RuleViolation::WorkspaceTaken(id))) if id == taken));
}

async fn unknown_org_has_an_empty_tree(t: TestStore) {
    let live = t.store.read(ReadPlan::PointLookup, |tx| Ok::<_, StoreError>(tx.tree(nowhere())?.len())).await;
    assert_eq!(live.expect("a tree"), 0);
}

async fn name_is_the_current_one(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, dev, bot) = (acme.id, acme.get("dev"), acme.get("bot-1"));
    let names = || {
        let ids = [dev, bot, nowhere().root()];
        let names = t.store.read(ReadPlan::PointLookup, move |tx| tx.names(org, &ids));
        async { names.await.expect("an answer").into_iter().collect::<std::collections::BTreeMap<_, _>>() }
    };
    let called = |dev_name: &str| [(dev, dev_name.to_owned()), (bot, "bot-1".to_owned())].into_iter().collect();
    assert_eq!(names().await, called("dev"));
    let rename = |name: &'static str, end: fn() -> Result<(), Failure>| {
        t.store.write(org, move |tx| {
            let pass = ActPass::grant(&system(), Permission::EditWorkspace, &*tx.tree(org)?, dev)?;
            let org_version = WorkspaceChange::check(Some(name), None, None, Scrubber::built_in()).expect("a name");
            tx.patch_workspace(&pass, &org_version)?;
            assert_eq!(tx.names(org, &[dev])?[&dev], name, "its own change");
            end()
        })
    };
    assert!(rename("undone", || Err(Failure::OnPurpose)).await.is_err());
    assert_eq!(names().await, called("dev"));
    rename("development", || Ok(())).await.expect("a new name");
    assert_eq!(names().await, called("development"));
    remove(&t.store, org, dev, Children::Promote).await.expect("an allowed removal");
    assert_eq!(names().await, called("development"), "the transaction sees its own write");
}
