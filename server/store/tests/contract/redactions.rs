//! Redaction, erasure and purge.

use std::time::Duration;

use orgmem_hierarchy::{Children, Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{MemoryEdit, MemoryEditInput, ReasonDraft, check_subject};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{DraftLimits, ErasePass, RedactPass, Role, ServerAction, ServerPass, TreePass};
use orgmem_store::{AuditRecord, Erased, Erasure, MemoryStatus, ReadPlan, Redacted, Store, StoreError, VersionChange};
use uuid::Uuid;

use super::agent::read_pass;
use super::commits::{ACME, Commit, about, commit, contents, forget, search};
use super::orgs::{self, Failure, Org, draw, system};
use super::versions::change;
use crate::stores::{TestStore, test_epoch};

on_both!(
    redacted_memory_is_absent_and_has_a_reason,
    redaction_removes_every_version_of_one_memory,
    redacted_memory_stays_redacted_when_sent_again,
    erased_subject_is_in_no_memory_or_version,
    purge_removes_only_data_of_the_workspaces,
    purged_content_leaves_the_index_cache_of_the_server,
    audit_of_a_read_after_a_purge_leaves_no_content,
    erased_org_is_empty,
    dry_run_removes_nothing,
);

pub(crate) fn reason() -> ReasonDraft {
    ReasonDraft::check("asked for by the person", Scrubber::built_in()).expect("a reason")
}

pub(crate) async fn redact(store: &Store, org: &Org, author: WorkspaceId, id: Uuid) -> Option<Redacted> {
    let org = org.id;
    let redacted: Result<_, Failure> = store
        .write(org, move |tx| {
            let pass = RedactPass::grant(&system(), &*tx.tree(org)?, author, author)?;
            Ok(tx.redact_memory(&pass, id, &reason())?)
        })
        .await;
    redacted.expect("an answer")
}

pub(crate) async fn edit(
    store: &Store,
    org: &Org,
    author: WorkspaceId,
    id: Uuid,
    content: &str,
    subject: Option<&str>,
) {
    let input = MemoryEditInput {
        content: Some(content.into()),
        subject: Some(subject.map(str::to_owned)),
        ..MemoryEditInput::default()
    };
    org_version(store, org, author, id, input).await;
}

async fn org_version(store: &Store, org: &Org, author: WorkspaceId, id: Uuid, input: MemoryEditInput) {
    let edit = MemoryEdit::check(input, Role::Agent, DraftLimits::default(), Scrubber::built_in(), test_epoch());
    let edit = VersionChange::Edit(Box::new(edit.expect("an edit").into()));
    change(store, org.id, author, id, None, edit).await.expect("an edit");
}

pub(crate) async fn erase(store: &Store, org: &Org, subject: Option<&str>) -> Erasure {
    let subject = subject.map(|subject| check_subject(subject, Scrubber::built_in()).expect("a subject"));
    let org = org.id;
    let erased: Result<_, Failure> = store
        .write(org, move |tx| {
            let pass = match &subject {
                Some(subject) => ErasePass::subject(&system(), org, subject.clone())?,
                None => ErasePass::org_of(&system(), org)?,
            };
            Ok(tx.erase(&pass, &reason())?)
        })
        .await;
    erased.expect("an answer")
}

pub(crate) async fn purge(store: &Store, org: &Org, id: WorkspaceId) -> Erasure {
    let org = org.id;
    let purged: Result<_, Failure> = store
        .write(org, move |tx| {
            let removal = TreePass::remove(&system(), &*tx.tree(org)?, id, Children::Cascade)?;
            let erases = ErasePass::purge(&system(), &*tx.tree(org)?, id, &removal)?;
            tx.change_tree(&removal)?;
            Ok(tx.erase(&erases, &reason())?)
        })
        .await;
    purged.expect("an answer")
}

pub(crate) async fn found(store: &Store, org: &Org, reader: &str, query: &str) -> Vec<String> {
    let found = search(store, org, org.get(reader), about(query)).await;
    contents(&found).into_iter().map(str::to_owned).collect()
}

async fn redacted_memory_is_absent_and_has_a_reason(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot, peer) = (acme.id, acme.get("bot-1"), acme.get("bot-2"));
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "quetzal sightings")).await.expect("a commit").id;
    assert_eq!(found(&t.store, &acme, "bot-2", "quetzal").await.len(), 1);
    assert_eq!(redact(&t.store, &acme, peer, id).await, None, "it is another's");
    let redacted = redact(&t.store, &acme, bot, id).await.expect("it was there");
    assert_eq!((redacted.versions, redacted.before), (0, false));
    assert_eq!(redacted.redaction.reason, "asked for by the person");
    for reader in ["bot-1", "bot-2"] {
        assert_eq!(found(&t.store, &acme, reader, "quetzal").await, Vec::<String>::new());
        assert_eq!(found(&t.store, &acme, reader, "").await, Vec::<String>::new());
    }
    let retry = redact(&t.store, &acme, bot, id).await.expect("it is known");
    assert_eq!((retry.redaction, retry.before), (redacted.redaction.clone(), true));
    let position = t.store.read(ReadPlan::PointLookup, move |tx| tx.memory_location(org, id)).await.expect("an answer");
    assert_eq!(position.map(|position| position.status), Some(MemoryStatus::Redacted));
    let remaining = t.store.read(ReadPlan::PointLookup, move |tx| tx.redaction(org, id)).await.expect("an answer");
    assert_eq!(remaining, Some(redacted.redaction));
    assert!(!forget(&t.store, &acme, bot, id).await, "nothing is left to forget");
}

async fn redaction_removes_every_version_of_one_memory(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "first quetzal")).await.expect("a commit").id;
    edit(&t.store, &acme, bot, id, "second quetzal", None).await;
    edit(&t.store, &acme, bot, id, "third quetzal", None).await;
    let other = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "other quetzal")).await.expect("a commit").id;
    edit(&t.store, &acme, bot, other, "yet another quetzal", None).await;
    assert_eq!(redact(&t.store, &acme, bot, id).await.map(|redacted| redacted.versions), Some(2));
    assert_eq!(found(&t.store, &acme, "bot-2", "quetzal").await, ["yet another quetzal"]);
    let history: Result<_, Failure> = t
        .store
        .read(ReadPlan::PointLookup, move |tx| {
            let pass = read_pass(tx, org, bot)?;
            Ok((tx.memory_versions(&pass, id, None, 9)?, tx.memory_versions(&pass, other, None, 9)?))
        })
        .await;
    let (gone, remaining) = history.expect("an answer");
    assert_eq!((gone, remaining.map(|remaining| remaining.versions.len())), (None, Some(2)));
}

async fn redacted_memory_stays_redacted_when_sent_again(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, id) = (acme.get("bot-1"), Uuid::from_u128(7));
    let draft = || Commit::new(bot, Scope::Team, "quetzal").with(|input| input.id = Some(id));
    commit(&t.store, &acme, draft()).await.expect("a commit");
    redact(&t.store, &acme, bot, id).await.expect("it was there");
    commit(&t.store, &acme, draft()).await.expect_err("its id is taken");
    let old = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "old")).await.expect("a commit").id;
    let newer = Commit::new(bot, Scope::Team, "new").with(|input| input.supersedes = Some(old));
    commit(&t.store, &acme, newer).await.expect("a commit");
    assert!(redact(&t.store, &acme, bot, old).await.is_some(), "what was superseded can be redacted");
    assert_eq!(found(&t.store, &acme, "bot-2", "").await, ["new"]);
}

async fn erased_subject_is_in_no_memory_or_version(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot, dev) = (acme.id, acme.get("bot-1"), acme.get("dev"));
    let of = |author, text: &str, subject: &str| {
        Commit::new(author, Scope::Team, text).with(|input| input.subject = Some(subject.into()))
    };
    for (author, text) in [(bot, "ada likes tea"), (dev, "ada likes rain")] {
        commit(&t.store, &acme, of(author, text, "ada")).await.expect("a commit");
    }
    let moved = commit(&t.store, &acme, of(bot, "was about ada", "ada")).await.expect("a commit").id;
    edit(&t.store, &acme, bot, moved, "is about bob", Some("bob")).await;
    commit(&t.store, &acme, of(bot, "bob likes tea", "bob")).await.expect("a commit");
    let receipt = erase(&t.store, &acme, Some("ada")).await;
    assert_eq!((receipt.counts.memories, receipt.counts.versions), (2, 1));
    assert!(matches!(receipt.what, Erased::Subject(_)) && receipt.access_seq.is_some());
    let mut left = found(&t.store, &acme, "bot-1", "").await;
    left.sort();
    assert_eq!(left, ["bob likes tea", "is about bob"]);
    let none = erase(&t.store, &acme, Some("ada")).await;
    assert_eq!((none.counts.memories, none.counts.versions), (0, 0));
    let remaining: Result<_, Failure> = t
        .store
        .read(ReadPlan::PointLookup, move |tx| {
            let pass = ServerPass::grant(&system(), ServerAction::Erase)?;
            Ok(tx.erasures(&pass, org)?)
        })
        .await;
    assert_eq!(remaining.expect("an answer"), [none, receipt], "receipts remain, newest first");
}

async fn purge_removes_only_data_of_the_workspaces(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    for name in ["dev", "bot-1", "bot-2", "ops", "acme"] {
        let text = format!("of {name}");
        commit(&t.store, &acme, Commit::new(acme.get(name), Scope::Team, &text)).await.expect("a commit");
    }
    assert_eq!(found(&t.store, &acme, "acme", "").await.len(), 3);
    let receipt = purge(&t.store, &acme, acme.get("dev")).await;
    assert_eq!(receipt.what, Erased::Workspace(acme.get("dev")));
    assert_eq!((receipt.counts.workspaces, receipt.counts.memories), (3, 3));
    let mut left = found(&t.store, &acme, "acme", "").await;
    left.sort();
    assert_eq!(left, ["of acme", "of ops"]);
    let (org, dev) = (acme.id, acme.get("dev"));
    let row = t.store.read(ReadPlan::PointLookup, move |tx| tx.workspaces(org, &[dev])).await.expect("an answer");
    assert_eq!(row[0].name, "erased");
}

async fn audit_of_a_read_after_a_purge_leaves_no_content(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let append_read = async |name| {
        let record = AuditRecord::new(AuditAction::SearchMemories, acme.get(name)).about([(Uuid::nil(), 1)]);
        orgs::append_entry(&t.store, acme.id, t.store.now(), record.with_episode("found 1 memory".into(), None)).await;
    };
    let server = ServerPass::grant(&system(), ServerAction::ReadServer).expect("the server may");
    let episodes = async || {
        let server = server.clone();
        let stats: Result<_, StoreError> = t.store.read(ReadPlan::Scan, move |tx| tx.stats(&server)).await;
        stats.expect("an answer").episodes
    };
    append_read("bot-1").await;
    assert_eq!(episodes().await, 1);
    purge(&t.store, &acme, acme.get("dev")).await;
    append_read("bot-1").await;
    assert_eq!(episodes().await, 0);
    append_read("ops").await;
    assert_eq!(episodes().await, 1, "the others go on");
    purge(&t.store, &acme, acme.get("acme")).await;
    append_read("ops").await;
    assert_eq!(episodes().await, 0);
}

/// The server that executes a purge or an erasure changes its cached partitions by the commit, without reading rows.
async fn purged_content_leaves_the_index_cache_of_the_server(t: TestStore) {
    /// The size of some cached partitions without memories, which remain.
    const EMPTY: usize = 1_000;
    let acme = draw(&t.store, ACME).await;
    let words: String = (0..500).map(|number| format!(" word{number}")).collect();
    for name in ["bot-1", "bot-2"] {
        let text = format!("quetzal of {name}{words}");
        commit(&t.store, &acme, Commit::new(acme.get(name), Scope::Local, &text)).await.expect("a commit");
    }
    assert_eq!(found(&t.store, &acme, "bot-2", "quetzal").await.len(), 1);
    let of_one = t.store.load().index_bytes;
    assert!(of_one > 2 * EMPTY);
    assert_eq!(found(&t.store, &acme, "bot-1", "quetzal").await.len(), 1);
    assert!(t.store.load().index_bytes > of_one + 2 * EMPTY);
    purge(&t.store, &acme, acme.get("bot-1")).await;
    let remaining = t.store.load().index_bytes;
    assert!((of_one..of_one + EMPTY).contains(&remaining), "{remaining}: other partitions stay cached");
    assert_eq!(found(&t.store, &acme, "bot-2", "quetzal").await.len(), 1);
    erase(&t.store, &acme, None).await;
    let remaining = t.store.load().index_bytes;
    assert!(remaining < EMPTY, "{remaining}");
}

async fn erased_org_is_empty(t: TestStore) {
    let (acme, other) = (draw(&t.store, ACME).await, draw(&t.store, "other").await);
    commit(&t.store, &acme, Commit::new(acme.get("bot-1"), Scope::Team, "quetzal")).await.expect("a commit");
    commit(&t.store, &other, Commit::new(other.get("other"), Scope::Local, "condor")).await.expect("a commit");
    purge(&t.store, &acme, acme.get("dev")).await;
    let (org, ids) = (acme.id, ["acme", "dev", "bot-1", "ops"].map(|name| acme.get(name)));
    let names = || {
        let names = t.store.read(ReadPlan::PointLookup, move |tx| tx.names(org, &ids));
        async move {
            let names = names.await.expect("an answer");
            ids.map(|id| names[&id].clone())
        }
    };
    assert_eq!(names().await, ["acme", "erased", "erased", "ops"]);
    let receipt = erase(&t.store, &acme, None).await;
    assert_eq!(names().await, ["erased"; 4], "those that were known too");
    assert_eq!((receipt.what, receipt.counts.workspaces), (Erased::Org, 6));
    assert_eq!(found(&t.store, &acme, "acme", "").await, Vec::<String>::new());
    assert_eq!(found(&t.store, &other, "other", "").await, ["condor"]);
}

async fn dry_run_removes_nothing(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "quetzal")).await.expect("a commit").id;
    let tried: Result<_, Failure> = t
        .store
        .dry_run(org, move |tx| {
            let pass = RedactPass::grant(&system(), &*tx.tree(org)?, bot, bot)?;
            let redacted = tx.redact_memory(&pass, id, &reason())?;
            let erases = ErasePass::org_of(&system(), org)?;
            Ok((redacted.is_some(), tx.erase(&erases, &reason())?.counts.memories))
        })
        .await;
    assert_eq!(tried.expect("an answer"), (true, 1));
    assert_eq!(found(&t.store, &acme, "bot-2", "quetzal").await, ["quetzal"]);
    assert!(t.store.wait_until_clean(Duration::ZERO), "nothing is owed");
}
