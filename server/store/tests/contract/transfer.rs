//! Exports, imports and copies, on and between both databases.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use chrono::TimeDelta;
use orgmem_hierarchy::Scope;
use orgmem_store::{
    ImportOptions, ImportOutcome, Selection, Store, StoreConfig, TransferError, export, import, migrate,
};
use tempfile::TempDir;

use super::both_databases::{Random, create_org, read_something, write_something};
use super::commits::{Commit, commit};
use super::orgs::draw;
use crate::stores::{On, TestStore, cluster};

on_both! {
    export_of_an_import_is_byte_identical,
    import_is_idempotent_and_never_replaces,
    interrupted_import_leaves_whole_orgs_and_continues,
    wrong_files_are_refused_with_their_line_and_change_nothing,
    parts_have_only_their_rows,
    copy_is_exact_and_follows_changes,
    interrupted_copy_continues_and_is_not_served,
}

const EACH: [On; 2] = [On::Sqlite, On::Postgres];

/// A store with a random history.
async fn history(t: &TestStore, seed: u64) {
    let mut random = Random(seed);
    create_org(t, &mut random).await;
    for _ in 0..120 {
        t.clock.advance(TimeDelta::milliseconds(1 + random.below(3000) as i64));
        write_something(t, &mut random).await;
        if random.below(40) == 0 {
            t.store.sweep().await.expect("swept");
        }
    }
}

pub(crate) fn exported(config: &StoreConfig, selection: &Selection) -> Vec<u8> {
    let mut file = Vec::new();
    export(config, selection, &mut file, &mut |_| {}).expect("an export");
    file
}

pub(crate) fn imported(
    config: &StoreConfig,
    file: &[u8],
    options: ImportOptions,
) -> Result<Vec<ImportOutcome>, TransferError> {
    let summary = import(config, &mut Cursor::new(file), options, &mut |_| {})?;
    Ok(summary.orgs.into_iter().map(|org| org.outcome).collect())
}

/// An empty store, closed.
pub(crate) fn empty(on: On) -> TestStore {
    let t = TestStore::new(on);
    t.store.close();
    t
}

/// A new database that no store uses: PostgreSQL shows the connections of a store until it is dropped.
pub(super) fn target(on: On) -> (StoreConfig, Option<TempDir>) {
    match on {
        On::Sqlite => {
            let folder = TempDir::new().expect("a temporary folder");
            (StoreConfig::sqlite(folder.path().join("orgmem.db")), Some(folder))
        }
        On::Postgres => (StoreConfig::postgres(cluster().database()), None),
    }
}

/// Searches and lists of a store, as text.
async fn reads(t: &TestStore) -> String {
    let mut random = Random(7);
    let mut text = String::new();
    for _ in 0..40 {
        text.push_str(&read_something(t, &mut random).await);
    }
    text
}

async fn export_of_an_import_is_byte_identical(t: TestStore) {
    for seed in 0..2 {
        let t = if seed == 0 { &t } else { &TestStore::new(on(&t)) };
        history(t, seed).await;
        let file = exported(&t.config, &Selection::All);
        assert_eq!(file, exported(&t.config, &Selection::All), "an export of the same rows is the same file");
        let before = reads(t).await;
        for other in EACH {
            let fresh = empty(other);
            let outcomes = imported(&fresh.config, &file, ImportOptions::default()).expect("an import");
            // the server itself has no rows of its own in both
            assert_eq!(outcomes, [ImportOutcome::Identical, ImportOutcome::Imported]);
            assert_eq!(text(&file), text(&exported(&fresh.config, &Selection::All)));
            let fresh = fresh.reopened();
            fresh.clock.advance(t.store.now() - fresh.store.now());
            assert_eq!(before, reads(&fresh).await, "searches find the same");
        }
    }
}

fn on(t: &TestStore) -> On {
    if t.file().is_some() { On::Sqlite } else { On::Postgres }
}

fn text(file: &[u8]) -> &str {
    std::str::from_utf8(file).expect("UTF-8")
}

async fn import_is_idempotent_and_never_replaces(t: TestStore) {
    history(&t, 3).await;
    let file = exported(&t.config, &Selection::All);
    let fresh = empty(on(&t));
    let dry_run = ImportOptions { dry_run: true, ..ImportOptions::default() };
    assert_eq!(imported(&fresh.config, &file, dry_run).expect("a dry run")[1], ImportOutcome::Imported);
    assert_eq!(exported(&fresh.config, &Selection::All).iter().filter(|byte| **byte == b'\n').count(), 4);
    imported(&fresh.config, &file, ImportOptions::default()).expect("an import");
    let again = imported(&fresh.config, &file, ImportOptions::default()).expect("the same import");
    assert_eq!(again, [ImportOutcome::Identical; 2]);
    assert_eq!(file, exported(&fresh.config, &Selection::All));
    // the org changes here
    let fresh = fresh.reopened();
    let mut random = Random(5);
    for _ in 0..20 {
        write_something(&fresh, &mut random).await;
    }
    fresh.store.close();
    let changed = exported(&fresh.config, &Selection::All);
    let error = imported(&fresh.config, &file, ImportOptions::default()).expect_err("refused").to_string();
    assert!(error.contains("exists here and differs from the file; nothing was imported"), "{error}");
    let skip = ImportOptions { skip_existing: true, ..ImportOptions::default() };
    assert_eq!(imported(&fresh.config, &file, skip).expect("skipped")[1], ImportOutcome::Different);
    assert_eq!(changed, exported(&fresh.config, &Selection::All));
}

/// A file that ends with an error after this many bytes of the second reading.
struct Breaking<'f> {
    file: Cursor<&'f [u8]>,
    rewinds: usize,
    budget: usize,
}

impl Read for Breaking<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = if self.rewinds < 2 { buffer.len() } else { buffer.len().min(self.budget) };
        if most == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        let read = self.file.read(&mut buffer[..most])?;
        if self.rewinds >= 2 {
            self.budget -= read;
        }
        Ok(read)
    }
}

impl Seek for Breaking<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.rewinds += 1;
        self.file.seek(to)
    }
}

async fn interrupted_import_leaves_whole_orgs_and_continues(t: TestStore) {
    history(&t, 4).await;
    draw(&t.store, "globex\n  ops\n  sales").await;
    draw(&t.store, "initech\n  it").await;
    let file = exported(&t.config, &Selection::All);
    let fresh = empty(on(&t));
    for budget in [1, file.len() / 5, file.len() / 2, file.len() - 700] {
        let mut breaking = Breaking { file: Cursor::new(file.as_slice()), rewinds: 0, budget };
        let result = import(&fresh.config, &mut breaking, ImportOptions::default(), &mut |_| {});
        // an org that exists already is not read again, so later rounds may succeed
        if let Err(error) = result {
            assert!(error.to_string().contains("the disk is gone"), "{error}");
        }
        let part = exported(&fresh.config, &Selection::All);
        for line in text(&part).lines().filter(|line| line.starts_with("{\"end\"")) {
            assert!(text(&file).contains(line) || line.contains("00000000-0000-0000-0000-000000000000"), "{line}");
        }
    }
    imported(&fresh.config, &file, ImportOptions::default()).expect("the rest");
    assert_eq!(file, exported(&fresh.config, &Selection::All));
}

/// The line that was replaced, counted from 0, of a file with new hashes nowhere: every change is found.
fn replaced(file: &[u8], line: usize, change: impl Fn(&str) -> String) -> Vec<u8> {
    let lines = text(file).lines().enumerate();
    lines
        .map(|(number, text)| if number == line { change(text) } else { format!("{text}\n") })
        .collect::<String>()
        .into_bytes()
}

async fn wrong_files_are_refused_with_their_line_and_change_nothing(t: TestStore) {
    draw(&t.store, "acme\n  dev\n    bot").await;
    let file = exported(&t.config, &Selection::All);
    let lines: Vec<&str> = text(&file).lines().collect();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).expect("a line");
    let workspace = at("{\"workspaces\"");
    let last = lines.len() - 1;
    let fresh = empty(on(&t));
    let nothing = exported(&fresh.config, &Selection::All);
    let check = |file: Vec<u8>, reason: &str| {
        let error = imported(&fresh.config, &file, ImportOptions::default()).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
        assert!(error.starts_with("line ") && error.ends_with("; nothing was imported"), "{error}");
        error
    };
    check(Vec::new(), "line 1: the file is empty");
    check(b"[]\n".to_vec(), "not the header");
    check(replaced(&file, 0, |line| line.replace("\"version\":1", "\"version\":2") + "\n"), "this program reads");
    check(replaced(&file, 0, |line| line.replace("\"schema\":\"0", "\"schema\":\"9") + "\n"), "newer server");
    check(file[..file.len() - 2].to_vec(), "incomplete");
    check(replaced(&file, last, |_| String::new()), "ends without a trailer");
    check([file.as_slice(), b"{}\n"].concat(), "more after the trailer");
    let numbered = check(replaced(&file, workspace, |_| "{\"workspaces\":{}}\n".into()), "has no `id`");
    assert!(numbered.starts_with(&format!("line {}: ", workspace + 1)), "{numbered}");
    check(replaced(&file, workspace, |line| format!("{line}\n{line}\n")), "duplicate");
    check(replaced(&file, workspace, |_| "\u{0}\n".into()), "not a JSON object");
    check(replaced(&file, workspace, |_| "{\"tokens\":{}}\n".into()), "not a table of an export");
    check(replaced(&file, workspace, |line| line.replace("\"acme\"", "\"a\\u0063me\"") + "\n"), "not in the form");
    check(replaced(&file, workspace, |line| line.replace("\"acme\"", "\"evil\"") + "\n"), "was changed");
    check(replaced(&file, workspace, |_| String::new()), "was changed");
    let root = lines[workspace].split("\"id\":\"").nth(1).and_then(|id| id.split('"').next()).expect("an id");
    let orphan =
        |line: &str| line.replace("\"name\"", "\"parent_id\":\"00000000-0000-0000-0000-00000000dead\",\"name\"") + "\n";
    check(rehashed(&replaced(&file, workspace, orphan)), "has a parent");
    let child = lines.iter().position(|line| line.contains(&format!("\"parent_id\":\"{root}\""))).expect("a child");
    let cycle = |line: &str| {
        let id = line.split("\"id\":\"").nth(1).and_then(|id| id.split('"').next()).expect("an id");
        line.replace(&format!("\"parent_id\":\"{root}\""), &format!("\"parent_id\":\"{id}\"")) + "\n"
    };
    check(rehashed(&replaced(&file, child, cycle)), "is on a cycle");
    assert_eq!(nothing, exported(&fresh.config, &Selection::All));
}

/// The file with correct hashes.
pub(super) fn rehashed(file: &[u8]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let (mut all, mut section, mut out) = (Sha256::new(), Sha256::new(), String::new());
    for line in text(file).lines() {
        let (start, end) = line.rsplit_once("\"sha256\":\"").unwrap_or((line, ""));
        let line = if line.starts_with("{\"end\"") {
            format!("{start}\"sha256\":\"{}\"}}}}\n", hex::encode(std::mem::take(&mut section).finalize()))
        } else if line.starts_with("{\"trailer\"") {
            format!("{start}\"sha256\":\"{}\"}}}}\n", hex::encode(all.clone().finalize()))
        } else {
            assert!(end.is_empty() || !end.contains("\"}}}"), "{line}");
            format!("{line}\n")
        };
        if !line.starts_with("{\"end\"") && !line.starts_with("{\"format\"") {
            section.update(&line);
        }
        all.update(&line);
        out.push_str(&line);
    }
    out.into_bytes()
}

async fn parts_have_only_their_rows(t: TestStore) {
    let acme = draw(&t.store, "acme\n  dev\n  ops").await;
    for (author, subject, content) in
        [("dev", "ada", "about ada"), ("dev", "bob", "about bob"), ("ops", "ada", "by ops")]
    {
        let about =
            Commit::new(acme.get(author), Scope::Local, content).with(|input| input.subject = Some(subject.into()));
        commit(&t.store, &acme, about).await.expect("a memory");
    }
    draw(&t.store, "acme2\n  dev").await;
    let contents = |selection: Selection| {
        let file = exported(&t.config, &selection);
        let lines = text(&file).lines().filter(|line| line.starts_with("{\"memories\""));
        let content =
            |line: &str| line.split("\"content\":\"").nth(1).and_then(|text| text.split('"').next()).map(str::to_owned);
        let mut contents: Vec<String> = lines.filter_map(content).collect();
        contents.sort_unstable();
        let error = imported(&empty(On::Sqlite).config, &file, ImportOptions::default());
        let imports = error.is_ok();
        (contents, imports)
    };
    let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let org = |org: &str| Selection::Org(org.into());
    assert_eq!(contents(org("acme")), (strings(&["about ada", "about bob", "by ops"]), true));
    assert_eq!(contents(org(&acme.id.uuid().to_string())).0.len(), 3);
    assert_eq!(contents(org("acme2")), (Vec::new(), true));
    let dev = Selection::Workspace(acme.get("dev").uuid().to_string());
    assert_eq!(contents(dev), (strings(&["about ada", "about bob"]), false), "a report is not imported");
    let ada = Selection::Subject { org: "acme".into(), subject: "ada".into() };
    assert_eq!(contents(ada), (strings(&["about ada", "by ops"]), false));
    let mut nowhere = Vec::new();
    for (selection, reason) in
        [(org("zeppelin"), "no org has"), (Selection::Workspace("dev".into()), "2 workspaces have the name")]
    {
        let error = export(&t.config, &selection, &mut nowhere, &mut |_| {}).expect_err("refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(nowhere.is_empty());
}

async fn copy_is_exact_and_follows_changes(t: TestStore) {
    history(&t, 11).await;
    for other in EACH {
        let (target, _folder) = target(other);
        // a server uses a SQLite source; PostgreSQL shows its connections
        let first = migrate(&t.config, &target, "here", &mut |_| {}).expect("a copy");
        assert!(!first.complete && first.written == first.rows - 1 && first.orgs == 2, "{first:?}");
        assert!(matches!(Store::open(&target, t.clock.clone()), Err(orgmem_store::OpenError::Incomplete(_))));
        let mut random = Random(12);
        for _ in 0..40 {
            t.clock.advance(TimeDelta::milliseconds(1 + random.below(3000) as i64));
            write_something(&t, &mut random).await;
        }
        let second = migrate(&t.config, &target, "here", &mut |_| {}).expect("the difference");
        assert!(!second.complete && second.written < second.rows, "{second:?}");
        let third = migrate(&t.config, &target, "here", &mut |_| {}).expect("nothing");
        assert_eq!(third.written, 0, "{third:?}");
        assert_eq!(text(&exported(&t.config, &Selection::All)), text(&exported(&target, &Selection::All)));
        let error = migrate(&t.config, &target, "elsewhere", &mut |_| {}).expect_err("another source").to_string();
        assert!(error.contains("an incomplete copy of `here`"), "{error}");
    }
    let before = reads(&t).await;
    let file = exported(&t.config, &Selection::All);
    let now = t.store.now();
    t.store.close();
    drop(t.store);
    // there and back
    let (there, _) = target(On::Postgres);
    wait_for_last_connection(&t.config, &there, "one").await;
    let back = empty(On::Sqlite);
    wait_for_last_connection(&there, &back.config, "two").await;
    assert_eq!(text(&file), text(&exported(&back.config, &Selection::All)));
    let error = migrate(&there, &back.config, "two", &mut |_| {}).expect_err("it has data").to_string();
    assert!(error.contains("the target has data"), "{error}");
    let back = back.reopened();
    back.clock.advance(now - back.store.now());
    assert_eq!(before, reads(&back).await);
}

/// Copies until the copy is complete: PostgreSQL shows closed connections for some milliseconds.
async fn wait_for_last_connection(from: &StoreConfig, to: &StoreConfig, name: &str) {
    while !migrate(from, to, name, &mut |_| {}).expect("a copy").complete {
        tokio::task::yield_now().await;
    }
    assert!(Store::open(to, std::sync::Arc::new(orgmem_store::SystemClock)).map(|store| store.close()).is_ok());
}

async fn interrupted_copy_continues_and_is_not_served(t: TestStore) {
    history(&t, 13).await;
    let (target, _folder) = target(on(&t));
    if let StoreConfig::Sqlite { path, .. } = &target {
        // a program that is killed while it creates the file leaves an empty one
        std::fs::write(path, b"").expect("a file");
    } else {
        // PostgreSQL refuses the name, so the mark fails after its first statement, as for a program that is killed there
        migrate(&t.config, &target, "here\0", &mut |_| {}).expect_err("no text of PostgreSQL");
    }
    let mut stops = 0;
    for stop in [1, 2, 3] {
        let copied = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut reports = 0;
            migrate(&t.config, &target, "here", &mut |_| {
                reports += 1;
                assert!(reports < stop, "on purpose");
            })
        }));
        stops += usize::from(copied.is_err());
        assert!(Store::open(&target, t.clock.clone()).is_err(), "an incomplete copy is not served");
    }
    assert!(stops > 0);
    migrate(&t.config, &target, "here", &mut |_| {}).expect("the rest");
    assert_eq!(text(&exported(&t.config, &Selection::All)), text(&exported(&target, &Selection::All)));
}
