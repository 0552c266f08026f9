//! Versions of memories: edits, history and restores.

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::{MemoryEdit, MemoryEditInput};
use orgmem_policies::rules::{self, RuleViolation};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{DraftLimits, EditPass, Role};
use orgmem_store::{Edited, History, NoEdit, ReadPlan, ReadyEdit, Store, VersionChange, VersionConflict};
use uuid::Uuid;

use super::agent::read_pass;
use super::commits::{ACME, Commit, about, commit, contents, forget, search};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::{TestStore, test_epoch};

on_both!(
    edit_adds_a_version_found_by_the_next_search,
    edit_without_changes_adds_no_version,
    edit_on_another_version_changes_nothing,
    only_own_live_memories_are_edited,
    upsert_keeps_earlier_versions,
    version_is_visible_to_its_former_readers,
    restored_version_has_the_earlier_content,
    expired_version_is_absent,
    deleted_memory_has_no_history,
    edit_beyond_the_pin_limit_is_refused,
    history_continues_before_its_last_version,
);

fn ready(org_version: impl FnOnce(&mut MemoryEditInput)) -> ReadyEdit {
    let mut input = MemoryEditInput::default();
    org_version(&mut input);
    let (scrubber, limits) = (Scrubber::built_in(), DraftLimits::default());
    MemoryEdit::check(input, Role::Agent, limits, scrubber, test_epoch()).expect("an edit").into()
}

fn with_content(content: &str) -> ReadyEdit {
    ready(|input| input.content = Some(content.into()))
}

async fn edit(
    store: &Store,
    org: &Org,
    author: WorkspaceId,
    id: Uuid,
    if_match: Option<i64>,
    edit: ReadyEdit,
) -> Result<Edited, Failure> {
    change(store, org.id, author, id, if_match, VersionChange::Edit(Box::new(edit))).await
}

async fn restore(store: &Store, org: &Org, author: WorkspaceId, id: Uuid, version: i64) -> Result<Edited, Failure> {
    change(store, org.id, author, id, None, VersionChange::Restore(version)).await
}

/// Changes a memory as its author.
pub(crate) async fn change(
    store: &Store,
    org: OrgId,
    author: WorkspaceId,
    id: Uuid,
    if_match: Option<i64>,
    change: VersionChange,
) -> Result<Edited, Failure> {
    let changed = store.write(org, move |tx| {
        let pass = EditPass::grant(&system(), &*tx.tree(org)?, author, author)?;
        let facts = tx.edit_facts(&pass, id, if_match, &change)?.map_err(Failure::NoEdit)?;
        Ok(tx.edit_memory(&pass, &rules::check_edit(facts)?, &change)?)
    });
    changed.await
}

async fn history(store: &Store, org: &Org, reader: WorkspaceId, id: Uuid, before: Option<i64>) -> Option<History> {
    let org = org.id;
    let listed: Result<_, Failure> = store
        .read(ReadPlan::PointLookup, move |tx| {
            let pass = read_pass(tx, org, reader)?;
            Ok(tx.memory_versions(&pass, id, before, 3)?)
        })
        .await;
    listed.expect("an answer")
}

/// The versions that a reader sees, newest first.
async fn visible_versions(store: &Store, org: &Org, reader: WorkspaceId, id: Uuid) -> Vec<(i64, String)> {
    let history = history(store, org, reader, id, None).await.map(|history| history.versions).unwrap_or_default();
    history.into_iter().map(|version| (version.version, version.authored.content)).collect()
}

fn done(outcome: Result<Edited, Failure>) -> Edited {
    outcome.expect("an edit")
}

/// The reason why there was nothing to edit.
fn refusal(outcome: Result<Edited, Failure>) -> NoEdit {
    match outcome {
        Err(Failure::NoEdit(reason)) => reason,
        other => panic!("it has another outcome: {other:?}"),
    }
}

fn versions(contents: &[(i64, &str)]) -> Vec<(i64, String)> {
    contents.iter().map(|(version, text)| (*version, (*text).to_owned())).collect()
}

async fn edit_adds_a_version_found_by_the_next_search(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, peer) = (acme.get("bot-1"), acme.get("bot-2"));
    let tagged = Commit::new(bot, Scope::Team, "the limit is ten").with(|input| input.tags = vec!["limits".into()]);
    let id = commit(&t.store, &acme, tagged).await.expect("a commit").id;
    let written_at = t.store.now();
    t.clock.advance(TimeDelta::minutes(1));
    assert_eq!(contents(&search(&t.store, &acme, peer, about("ten")).await), ["the limit is ten"]);
    let edited = done(edit(&t.store, &acme, bot, id, Some(1), with_content("the limit is twenty")).await);
    assert_eq!((edited.version, edited.created_at), (2, written_at));
    for reader in [bot, peer] {
        assert_eq!(search(&t.store, &acme, reader, about("ten")).await.hits.len(), 0);
        let found = search(&t.store, &acme, reader, about("twenty")).await;
        assert_eq!(contents(&found), ["the limit is twenty"]);
        assert_eq!(found.hits[0].memory.authored.tags, ["limits"], "what is not named stays");
        let history = history(&t.store, &acme, reader, id, None).await.expect("it is in reach");
        assert_eq!(history.author, bot);
        let times: Vec<_> = history.versions.iter().map(|version| (version.version, version.written_at)).collect();
        assert_eq!(times, [(2, t.store.now()), (1, written_at)]);
    }
    let t = t.reopened();
    let both = versions(&[(2, "the limit is twenty"), (1, "the limit is ten")]);
    assert_eq!(visible_versions(&t.store, &acme, peer, id).await, both);
    assert_eq!(contents(&search(&t.store, &acme, peer, about("limit")).await), ["the limit is twenty"]);
}

async fn edit_without_changes_adds_no_version(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "the same")).await.expect("a commit").id;
    for org_version in [with_content("the same"), ready(|_| {}), ready(|input| input.confidence = Some(0.5))] {
        assert_eq!(done(edit(&t.store, &acme, bot, id, None, org_version).await).version, 1);
    }
    assert_eq!(
        done(edit(&t.store, &acme, bot, id, None, ready(|input| input.confidence = Some(0.9))).await).version,
        2
    );
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(2, "the same"), (1, "the same")]));
}

async fn edit_on_another_version_changes_nothing(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "first")).await.expect("a commit").id;
    done(edit(&t.store, &acme, bot, id, Some(1), with_content("second")).await);
    for expected in [0, 1, 3] {
        let outcome = refusal(edit(&t.store, &acme, bot, id, Some(expected), with_content("late")).await);
        assert_eq!(outcome, NoEdit::Conflict(VersionConflict { expected, current: Some(2) }));
    }
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(2, "second"), (1, "first")]));
}

async fn only_own_live_memories_are_edited(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, peer) = (acme.get("bot-1"), acme.get("bot-2"));
    let theirs = commit(&t.store, &acme, Commit::new(peer, Scope::Team, "theirs")).await.expect("a commit").id;
    let old = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "old")).await.expect("a commit").id;
    let newer = Commit::new(bot, Scope::Team, "new").with(|input| input.supersedes = Some(old));
    commit(&t.store, &acme, newer).await.expect("a commit");
    let brief = Commit::new(bot, Scope::Team, "brief").with(|input| input.ttl_seconds = Some(1));
    let brief = commit(&t.store, &acme, brief).await.expect("a commit").id;
    let gone = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "gone")).await.expect("a commit").id;
    assert!(forget(&t.store, &acme, bot, gone).await);
    t.clock.advance(TimeDelta::seconds(1));
    for id in [theirs, old, brief, gone, Uuid::from_u128(404)] {
        let outcome = refusal(edit(&t.store, &acme, bot, id, None, with_content("changed")).await);
        assert_eq!(outcome, NoEdit::NoMemory);
        assert_eq!(refusal(restore(&t.store, &acme, bot, id, 1).await), NoEdit::NoMemory);
    }
    assert_eq!(search(&t.store, &acme, bot, about("changed")).await.hits.len(), 0);
}

async fn upsert_keeps_earlier_versions(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, id) = (acme.get("bot-1"), Uuid::from_u128(7));
    for text in ["one", "two", "three"] {
        let draft = Commit::new(bot, Scope::Team, text).with(|input| input.id = Some(id));
        commit(&t.store, &acme, draft).await.expect("a commit");
    }
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(3, "three"), (2, "two"), (1, "one")]));
}

async fn version_is_visible_to_its_former_readers(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, dev, id) = (acme.get("bot-1"), acme.get("dev"), Uuid::from_u128(7));
    let draft = |scope, text| Commit::new(bot, scope, text).with(|input| input.id = Some(id));
    commit(&t.store, &acme, draft(Scope::Local, "between us")).await.expect("a commit");
    let to_dev = Commit { team: Some(dev), ..draft(Scope::Team, "for the team of dev") };
    commit(&t.store, &acme, to_dev).await.expect("a commit");
    commit(&t.store, &acme, draft(Scope::Team, "for all near")).await.expect("a commit");
    let all = versions(&[(3, "for all near"), (2, "for the team of dev"), (1, "between us")]);
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, all);
    for reader in ["bot-2", "dev"] {
        assert_eq!(visible_versions(&t.store, &acme, acme.get(reader), id).await, all[..2], "{reader}");
    }
    assert_eq!(history(&t.store, &acme, acme.get("ops"), id, None).await, None, "it is not in reach");
}

async fn restored_version_has_the_earlier_content(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let first = Commit::new(bot, Scope::Team, "deploy on mondays").with(|input| {
        input.tags = vec!["when".into()];
        input.metadata = serde_json::json!({"by": "ada"}).as_object().cloned();
    });
    let id = commit(&t.store, &acme, first).await.expect("a commit").id;
    let org_version = ready(|input| {
        input.content = Some("deploy on fridays".into());
        input.tags = Some(Vec::new());
        input.metadata = Some(None);
        input.pin = Some(true);
    });
    done(edit(&t.store, &acme, bot, id, None, org_version).await);
    assert_eq!(refusal(restore(&t.store, &acme, bot, id, 7).await), NoEdit::NoVersion);
    assert!(matches!(restore(&t.store, &acme, bot, id, 2).await, Ok(now) if now.version == 2));
    assert!(matches!(restore(&t.store, &acme, bot, id, 1).await, Ok(now) if now.version == 3));
    let found = search(&t.store, &acme, bot, about("mondays")).await;
    assert_eq!(contents(&found), ["deploy on mondays"]);
    let memory = &found.hits[0].memory;
    assert_eq!((memory.authored.tags.as_slice(), memory.authored.pin), (["when".to_owned()].as_slice(), true));
    assert_eq!(memory.authored.metadata.as_deref(), Some(r#"{"by":"ada"}"#));
    assert_eq!(search(&t.store, &acme, bot, about("fridays")).await.hits.len(), 0);
    let all = versions(&[(3, "deploy on mondays"), (2, "deploy on fridays"), (1, "deploy on mondays")]);
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, all);
}

async fn expired_version_is_absent(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let brief = Commit::new(bot, Scope::Local, "brief").with(|input| input.ttl_seconds = Some(60));
    let id = commit(&t.store, &acme, brief).await.expect("a commit").id;
    let lasting = ready(|input| {
        input.content = Some("lasting".into());
        input.expires_at = Some(None);
    });
    done(edit(&t.store, &acme, bot, id, None, lasting).await);
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(2, "lasting"), (1, "brief")]));
    t.clock.advance(TimeDelta::seconds(60));
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(2, "lasting")]));
    assert_eq!(refusal(restore(&t.store, &acme, bot, id, 1).await), NoEdit::NoVersion);
    assert_eq!(t.store.sweep().await.expect("a sweep"), 1);
    assert_eq!(t.store.sweep().await.expect("a sweep"), 0);
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(2, "lasting")]));
}

async fn deleted_memory_has_no_history(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, id) = (acme.get("bot-1"), Uuid::from_u128(7));
    let draft = |text| Commit::new(bot, Scope::Team, text).with(|input| input.id = Some(id));
    commit(&t.store, &acme, draft("first")).await.expect("a commit");
    done(edit(&t.store, &acme, bot, id, None, with_content("second")).await);
    assert!(forget(&t.store, &acme, bot, id).await);
    assert_eq!(history(&t.store, &acme, bot, id, None).await, None);
    commit(&t.store, &acme, draft("third")).await.expect("its id may come back");
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(4, "third")]));
}

async fn edit_beyond_the_pin_limit_is_refused(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    for n in 0..20 {
        let pinned = Commit::new(bot, Scope::Local, &format!("pinned {n}")).with(|input| input.pin = true);
        commit(&t.store, &acme, pinned).await.expect("a commit");
    }
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "plain")).await.expect("a commit").id;
    let pin = || ready(|input| input.pin = Some(true));
    let refused = edit(&t.store, &acme, bot, id, None, pin()).await;
    assert!(matches!(refused, Err(Failure::Rule(RuleViolation::TooManyPins))));
    assert_eq!(visible_versions(&t.store, &acme, bot, id).await, versions(&[(1, "plain")]));
}

async fn history_continues_before_its_last_version(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "1")).await.expect("a commit").id;
    for n in 2..=8 {
        done(edit(&t.store, &acme, bot, id, None, with_content(&n.to_string())).await);
    }
    let mut listed = Vec::new();
    let mut before = None;
    while let Some(page) = history(&t.store, &acme, bot, id, before).await.filter(|page| !page.versions.is_empty()) {
        assert!(page.versions.len() <= 3);
        before = page.versions.last().map(|version| version.version);
        listed.extend(page.versions.into_iter().map(|version| version.version));
    }
    assert_eq!(listed, [8, 7, 6, 5, 4, 3, 2, 1]);
}
