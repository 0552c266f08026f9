//! Exports of a workspace or an end user, imported into an org, over random histories with documents.

use std::collections::BTreeMap;
use std::io::Cursor;

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::{DocumentDraft, DocumentInput};
use orgmem_policies::rules::check_document;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ForgetPass, WritePass};
use orgmem_store::{ImportOptions, PartImport, ReadyDocument, Selection, StoreConfig, TransferError, import_part};
use uuid::Uuid;

use super::both_databases::{Random, create_org, org, workspace, write_something};
use super::budgets::{memories, set_budget, used};
use super::commits::{Commit, commit};
use super::orgs::{Failure, draw, system};
use super::redactions::{erase, redact};
use super::transfer::{empty, exported, imported};
use crate::stores::{On, TestStore};

on_both! {
    part_of_a_random_history_is_equal_after_its_import,
    removed_content_does_not_come_back,
    part_that_does_not_fit_changes_nothing,
}

/// Writes or deletes one of some documents.
pub(super) async fn write_document(t: &TestStore, random: &mut Random) {
    let author = workspace(random.below(12));
    let id = Uuid::from_u128(0xd0c0 + u128::from(random.below(9)));
    let sections = 1 + random.below(4);
    let content: String = (0..sections).map(|n| format!("# Part {n}\n\nlamp {}\n\n", random.below(3))).collect();
    let (deletes, scope) = (random.below(4) == 0, Scope::ALL[random.below(3) as usize]);
    let input = DocumentInput {
        title: format!("Guide {}", random.below(3)),
        content,
        media_type: Some("text/markdown".into()),
        collection: (random.below(2) == 0).then(|| "shop".into()),
        tags: vec!["a".into()],
        author: None,
        source_uri: None,
        metadata: None,
        expires_at: None,
        id: Some(id),
    };
    let draft = DocumentDraft::check(input, Scrubber::built_in(), t.store.now()).expect("a draft");
    let ready = ReadyDocument::from(draft);
    let written: Result<(), Failure> = t
        .store
        .write(org(), move |tx| {
            let tree = tx.tree(org())?;
            if deletes {
                let pass = ForgetPass::grant(&system(), &tree, author, author)?;
                drop(tree);
                tx.delete_document(&pass, id, None)?;
                return Ok(());
            }
            let team = None;
            let pass = WritePass::grant(&system(), &tree, author, scope, team)?;
            drop(tree);
            let facts = tx.document_facts(org(), author, &ready, id)?;
            if let Ok(plan) = check_document(author, id, facts) {
                tx.write_document(&pass, &ready, &plan)?;
            }
            Ok(())
        })
        .await;
    // refused for an id of another author
    let _ = written;
}

/// Random writes, documents among them.
pub(super) async fn write_history(t: &TestStore, random: &mut Random, steps: u64) {
    for _ in 0..steps {
        t.clock.advance(TimeDelta::milliseconds(1 + random.below(3000) as i64));
        if random.below(4) == 0 {
            write_document(t, random).await;
        } else {
            write_something(t, random).await;
        }
    }
}

fn import_into(
    config: &StoreConfig,
    file: &[u8],
    into: OrgId,
    options: ImportOptions,
) -> Result<PartImport, TransferError> {
    import_part(config, &mut Cursor::new(file), &into.uuid().to_string(), options, &mut |_| {})
}

const DRY_RUN: ImportOptions = ImportOptions { dry_run: true, skip_existing: false };
const SKIP: ImportOptions = ImportOptions { dry_run: false, skip_existing: true };

/// The lines of a part without the log, which an import leaves out.
fn rows(file: &[u8]) -> Vec<&str> {
    let lines = std::str::from_utf8(file).expect("UTF-8").lines();
    let is_row = |line: &&str| {
        ["{\"access_log\"", "{\"events\"", "{\"end\"", "{\"trailer\"", "{\"format\""]
            .iter()
            .all(|start| !line.starts_with(start))
    };
    lines.filter(is_row).collect()
}

fn sum(part: &PartImport, of: impl Fn(&orgmem_store::PartTable) -> u64) -> u64 {
    part.tables.values().map(of).sum()
}

fn by_table(part: &PartImport, of: impl Fn(&orgmem_store::PartTable) -> u64) -> BTreeMap<String, u64> {
    part.tables.iter().map(|(name, counts)| (name.clone(), of(counts))).filter(|(_, count)| *count > 0).collect()
}

fn part(id: WorkspaceId) -> Selection {
    Selection::Workspace(id.uuid().to_string())
}

fn on(t: &TestStore) -> On {
    if t.file().is_some() { On::Sqlite } else { On::Postgres }
}

async fn part_of_a_random_history_is_equal_after_its_import(t: TestStore) {
    for seed in 0..2 {
        let t = if seed == 0 { &t } else { &TestStore::new(on(&t)) };
        let mut random = Random(seed);
        create_org(t, &mut random).await;
        set_budget(&t.store, org(), workspace(0), memories(100_000)).await;
        let tree = exported(&t.config, &Selection::Org(org().uuid().to_string()));
        write_history(t, &mut random, 200).await;
        for other in [On::Sqlite, On::Postgres] {
            let fresh = empty(other);
            imported(&fresh.config, &tree, ImportOptions::default()).expect("the tree");
            let mut found = 0;
            for n in 0..12 {
                let file = exported(&t.config, &part(workspace(n)));
                let expected = import_into(&fresh.config, &file, org(), DRY_RUN).expect("a dry run");
                let done = import_into(&fresh.config, &file, org(), ImportOptions::default()).expect("an import");
                assert_eq!(expected.tables, done.tables);
                found += sum(&done, |counts| counts.imported);
                let copy = exported(&fresh.config, &part(workspace(n)));
                assert_eq!(moved(&rows(&file)), moved(&rows(&copy)));
                let again = import_into(&fresh.config, &file, org(), ImportOptions::default()).expect("the same again");
                assert_eq!(by_table(&again, |counts| counts.imported + counts.different), BTreeMap::new());
                assert_eq!(copy, exported(&fresh.config, &part(workspace(n))));
            }
            assert!(found > 60, "{found}");
            let fresh = fresh.reopened();
            fresh.clock.advance(t.store.now() - fresh.store.now());
            let everyone: Vec<WorkspaceId> = (0..12).map(workspace).collect();
            assert_eq!(
                used(&t.store, org(), everyone.clone()).await,
                used(&fresh.store, org(), everyone.clone()).await,
                "budgets count what was imported"
            );
            let counts = async |t: &TestStore| {
                let all = everyone.clone();
                t.store
                    .read(orgmem_store::ReadPlan::Scan, move |tx| tx.memory_counts(org(), &all))
                    .await
                    .expect("counts")
            };
            assert_eq!(format!("{:?}", counts(t).await), format!("{:?}", counts(&fresh).await));
        }
    }
}

/// Rows without the versions of the org, and without those of workspaces that moved after the export of the tree.
fn moved(rows: &[&str]) -> Vec<String> {
    let rows = rows.iter().filter(|line| !line.starts_with("{\"workspaces\"") && !line.starts_with("{\"budgets\""));
    let unversioned = |line: &&str| match line.split_once("\"org_version\":") {
        Some((before, after)) => format!("{before}{}", after.split_once(',').map_or("", |(_, rest)| rest)),
        None => (*line).to_owned(),
    };
    rows.map(unversioned).collect()
}

async fn removed_content_does_not_come_back(t: TestStore) {
    let acme = draw(&t.store, "acme\n  dev\n  ops").await;
    let of = |subject: &str, text: &str| {
        let subject = subject.to_owned();
        Commit::new(acme.get("dev"), Scope::Local, text).with(|input| input.subject = Some(subject))
    };
    let first = commit(&t.store, &acme, of("ada", "quetzal of ada")).await.expect("a memory").id;
    commit(&t.store, &acme, of("bob", "quetzal of bob")).await.expect("a memory");
    let file = exported(&t.config, &part(acme.get("dev")));
    let about_bob = Selection::Subject { org: "acme".into(), subject: "bob".into() };
    let about_bob = exported(&t.config, &about_bob);
    let fresh = empty(on(&t));
    imported(&fresh.config, &exported(&t.config, &Selection::Org("acme".into())), ImportOptions::default())
        .expect("all");
    let fresh = fresh.reopened();
    fresh.clock.advance(t.store.now() - fresh.store.now() + TimeDelta::seconds(1));
    redact(&fresh.store, &acme, acme.get("dev"), first).await.expect("redacted");
    erase(&fresh.store, &acme, Some("bob")).await;
    fresh.store.close();
    let before = exported(&fresh.config, &Selection::All);
    for (file, removed) in [(&file, 2), (&about_bob, 1)] {
        let done = import_into(&fresh.config, file, acme.id, ImportOptions::default()).expect("an import");
        assert_eq!(sum(&done, |counts| counts.imported), 0, "{done:?}");
        assert_eq!(done.tables["memories"].removed, removed, "{done:?}");
    }
    assert_eq!(before, exported(&fresh.config, &Selection::All), "nothing came back");
}

async fn part_that_does_not_fit_changes_nothing(t: TestStore) {
    let acme = draw(&t.store, "acme\n  dev\n    bot\n  ops").await;
    let about_ada = Commit::new(acme.get("bot"), Scope::Local, "quetzal sightings")
        .with(|input| input.subject = Some("ada".into()));
    commit(&t.store, &acme, about_ada).await.expect("a memory");
    let (bot, dev) = (exported(&t.config, &part(acme.get("bot"))), exported(&t.config, &part(acme.get("dev"))));
    let root = exported(&t.config, &part(acme.get("acme")));
    let ada = exported(&t.config, &Selection::Subject { org: "acme".into(), subject: "ada".into() });
    let whole = exported(&t.config, &Selection::All);
    let other = TestStore::new(on(&t));
    let globex = draw(&other.store, "globex\n  sales").await;
    other.store.close();
    let before = exported(&other.config, &Selection::All);
    let check = |file: &[u8], reason: &str| {
        for options in [DRY_RUN, ImportOptions::default()] {
            let error = import_into(&other.config, file, globex.id, options).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(before, exported(&other.config, &Selection::All));
    };
    check(&bot, "does not exist in the org");
    check(&root, "is the root of an org");
    check(&ada, "needs workspace");
    check(&whole, "import it without --into");
    let cut = bot.iter().rposition(|byte| *byte == b'{').expect("a line");
    check(&bot[..cut], "incomplete");
    let error = imported(&other.config, &bot, ImportOptions::default()).expect_err("a part").to_string();
    assert!(error.contains("with --into ORG"), "{error}");
    let unknown = import_part(&other.config, &mut Cursor::new(&bot), "zeppelin", DRY_RUN, &mut |_| {});
    assert!(unknown.expect_err("no org").to_string().contains("no org has the id or the name `zeppelin`"));
    // with its parents the same files fit into the other org's tree, if those are below its root
    drop(dev);
    // other content under the same id
    let mut changed = String::from_utf8(bot.clone()).expect("UTF-8");
    changed = changed.replace("quetzal sightings", "quetzal landings!");
    let changed = super::transfer::rehashed(changed.as_bytes());
    t.store.close();
    let before = exported(&t.config, &Selection::All);
    let error = import_into(&t.config, &changed, acme.id, ImportOptions::default()).expect_err("differs").to_string();
    assert!(error.starts_with("line ") && error.contains("exists in the org with other content"), "{error}");
    let skipped = import_into(&t.config, &changed, acme.id, SKIP).expect("skipped");
    assert_eq!(by_table(&skipped, |counts| counts.different), BTreeMap::from([("memories".to_owned(), 1)]));
    assert_eq!(before, exported(&t.config, &Selection::All));
}
