//! Backups of a SQLite database: increments, retention, damage, and interruptions.

use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use orgmem_hierarchy::Scope;
use orgmem_store::{
    BackedUp, BackupError, BackupOptions, RestoreOptions, Restored, Restoring, Retention, Selection, StoreConfig,
    backup, export, list_backups,
};
use tempfile::TempDir;

use super::commits::{ACME, Commit, commit, commit_all};
use super::orgs::{Org, draw};
use crate::stores::{On, TestStore};

/// A store with some megabytes, and an empty folder for its backups.
async fn filled() -> (TestStore, Org, TempDir) {
    let t = TestStore::new(On::Sqlite);
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    for part in 0..4 {
        let memory = |n: usize| {
            let words: String = (0..150).map(|word| format!("w{} ", (part * 400 + n) * 151 + word)).collect();
            Commit::new(bot, Scope::Team, &words)
        };
        commit_all(&t.store, &acme, (0..400).map(memory).collect()).await;
    }
    (t, acme, TempDir::new().expect("a temporary folder"))
}

fn back_up(t: &TestStore, folder: &Path, retention: Retention) -> Result<BackedUp, BackupError> {
    backup(&t.config, folder, &BackupOptions { retention, keys: Vec::new() }, &mut |_| {})
}

fn restore(folder: &Path, to: &Path) -> Result<Restored, BackupError> {
    let options = RestoreOptions { at: None, to: to.to_owned(), database: "orgmem.db", keys: Vec::new() };
    Restoring::begin(folder, options, &mut |_| {})?.finish()
}

fn exported(config: &StoreConfig) -> Vec<u8> {
    let mut file = Vec::new();
    export(config, &Selection::All, &mut file, &mut |_| {}).expect("an export");
    file
}

fn chunks(folder: &Path) -> HashSet<PathBuf> {
    let folders = fs::read_dir(folder.join("chunks")).expect("a folder").map(|entry| entry.expect("an entry").path());
    folders
        .flat_map(|folder| fs::read_dir(folder).expect("a folder"))
        .map(|file| file.expect("a file").path())
        .collect()
}

fn bytes(files: &HashSet<PathBuf>) -> u64 {
    files.iter().map(|file| fs::metadata(file).expect("a file").len()).sum()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

#[test]
fn later_backup_copies_only_changed_chunks_and_restores_exactly() {
    block_on(async {
        let (t, acme, folder) = filled().await;
        let first = back_up(&t, folder.path(), Retention::default()).expect("a backup");
        let before = chunks(folder.path());
        assert_eq!((first.new_chunks, first.new_bytes), (before.len() as u64, bytes(&before)));
        assert!(first.bytes > 8 << 20, "{first:?}");
        let second = back_up(&t, folder.path(), Retention::default()).expect("a backup of the same data");
        assert_eq!((second.new_chunks, second.bytes), (0, first.bytes));
        commit(&t.store, &acme, Commit::new(acme.get("bot-1"), Scope::Team, "quetzal")).await.expect("a commit");
        let third = back_up(&t, folder.path(), Retention::default()).expect("a backup after a commit");
        let added: HashSet<PathBuf> = chunks(folder.path()).difference(&before).cloned().collect();
        assert_eq!((third.new_chunks, third.new_bytes), (added.len() as u64, bytes(&added)));
        assert!(third.new_bytes < third.bytes / 2, "{third:?}");
        let to = folder.path().join("restored");
        assert_eq!(restore(folder.path(), &to).expect("a restore").name, third.name);
        assert!(exported(&t.config) == exported(&StoreConfig::sqlite(to.join("orgmem.db"))), "the export is the same");
        let names: Vec<_> =
            list_backups(folder.path()).expect("a list").into_iter().map(|backup| backup.name).collect();
        assert_eq!(names, [first.name, second.name, third.name]);
    });
}

#[test]
fn retention_drops_backups_and_their_chunks() {
    block_on(async {
        let (t, acme, folder) = filled().await;
        for n in 0..3 {
            let text = format!("quetzal {n}");
            commit(&t.store, &acme, Commit::new(acme.get("bot-1"), Scope::Team, &text)).await.expect("a commit");
            back_up(&t, folder.path(), Retention::default()).expect("a backup");
        }
        let old = fs::metadata(folder.path().join("backups")).map(|_| chunks(folder.path())).expect("a folder");
        let keep_days = Retention { keep: None, keep_days: Some(1) };
        let all = back_up(&t, folder.path(), keep_days).expect("a backup");
        assert_eq!((all.dropped.backups.len(), all.dropped.chunks), (0, 0), "none is a day old");
        let one = back_up(&t, folder.path(), Retention { keep: Some(1), keep_days: None }).expect("a backup");
        assert_eq!(one.dropped.backups.len(), 4);
        assert_eq!(list_backups(folder.path()).expect("a list").len(), 1);
        let left = chunks(folder.path());
        let gone: HashSet<PathBuf> = old.difference(&left).cloned().collect();
        assert_eq!(one.dropped.chunks, gone.len() as u64);
        assert!(!gone.is_empty() && left.len() as u64 <= one.chunks);
        restore(folder.path(), &folder.path().join("restored")).expect("the remaining backup is whole");
    });
}

#[test]
fn damage_is_named_and_nothing_is_restored() {
    block_on(async {
        let (t, _, folder) = filled().await;
        let made = back_up(&t, folder.path(), Retention::default()).expect("a backup");
        let manifest = folder.path().join("backups").join(format!("{}.json", made.name));
        let chunk = chunks(folder.path()).into_iter().min().expect("a chunk");
        let to = folder.path().join("restored");
        let check = |path: &Path, change: &dyn Fn(&mut Vec<u8>), reason: &str| {
            let intact = fs::read(path).expect("a file");
            let mut changed = intact.clone();
            change(&mut changed);
            fs::write(path, &changed).expect("written");
            let error = restore(folder.path(), &to).expect_err(reason);
            assert!(matches!(error, BackupError::Damaged(_)) && error.to_string().contains(reason), "{error}");
            assert!(error.to_string().contains(&path.display().to_string()), "{error}");
            assert!(!to.exists(), "nothing remains");
            fs::write(path, &intact).expect("written");
        };
        check(&chunk, &|bytes| bytes[1000] ^= 1, "was changed");
        check(&chunk, &|bytes| bytes.truncate(1000), "has 1000 bytes");
        check(&chunk, &|bytes| bytes.clear(), "has 0 bytes");
        check(&manifest, &|bytes| bytes[30] ^= 1, "was changed or is incomplete");
        check(&manifest, &|bytes| bytes.truncate(bytes.len() / 2), "is incomplete");
        check(&manifest, &|bytes| bytes.clear(), "is incomplete");
        let intact = fs::read(&chunk).expect("a file");
        fs::remove_file(&chunk).expect("removed");
        let error = restore(folder.path(), &to).expect_err("a missing chunk").to_string();
        assert!(error.contains("is missing") && !to.exists(), "{error}");
        // the next backup replaces damaged chunks, because the database has their bytes
        let repaired = back_up(&t, folder.path(), Retention::default()).expect("a backup");
        assert_eq!(repaired.new_chunks, 1);
        assert_eq!(fs::read(&chunk).expect("a file"), intact);
        restore(folder.path(), &to).expect("a restore");
        // a damaged manifest may name any chunk
        fs::write(&manifest, b"{}\n").expect("written");
        let after = back_up(&t, folder.path(), Retention { keep: Some(2), keep_days: None }).expect("a backup");
        assert_eq!((after.dropped.backups.len(), after.dropped.damaged), (1, None), "the damaged one is dropped first");
    });
}

#[test]
fn wrong_folders_and_times_are_refused() {
    block_on(async {
        let (t, _, folder) = filled().await;
        let check = |outcome: Result<Restored, BackupError>, reason: &str| {
            let error = outcome.expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        };
        let elsewhere = TempDir::new().expect("a folder");
        check(restore(folder.path(), &elsewhere.path().join("new")), "is not a folder of backups");
        fs::write(elsewhere.path().join("notes.txt"), "mine").expect("a file");
        let error = back_up(&t, elsewhere.path(), Retention::default()).expect_err("a foreign folder").to_string();
        assert!(error.contains("is not empty and has no backups"), "{error}");
        let made = back_up(&t, folder.path(), Retention::default()).expect("a backup");
        check(restore(folder.path(), elsewhere.path()), "is not empty; name an empty folder");
        assert_eq!(fs::read(elsewhere.path().join("notes.txt")).expect("it is there"), b"mine");
        let early = RestoreOptions {
            at: Some(made.taken_at - chrono::TimeDelta::microseconds(1)),
            to: elsewhere.path().join("new"),
            database: "orgmem.db",
            keys: Vec::new(),
        };
        check(Restoring::begin(folder.path(), early, &mut |_| {}).map(|it| it.restored().clone()), &made.name);
        assert!(!elsewhere.path().join("new").exists());
        fs::write(folder.path().join("format"), "orgmem-backup 9\n").expect("written");
        check(restore(folder.path(), &elsewhere.path().join("new")), "has the format `orgmem-backup 9`");
        let error = back_up(&t, folder.path(), Retention::default()).expect_err("a newer format").to_string();
        assert!(error.contains("this program uses orgmem-backup 1"), "{error}");
    });
}

#[test]
fn interrupted_backup_is_invisible_and_the_next_one_complete() {
    block_on(async {
        let (t, acme, folder) = filled().await;
        back_up(&t, folder.path(), Retention::default()).expect("a backup");
        for stop in [1, 3, 20, 35] {
            let text = format!("quetzal {stop}");
            commit(&t.store, &acme, Commit::new(acme.get("bot-1"), Scope::Team, &text)).await.expect("a commit");
            let interrupted = catch_unwind(AssertUnwindSafe(|| {
                let mut reports = 0;
                backup(&t.config, folder.path(), &BackupOptions::default(), &mut |_| {
                    reports += 1;
                    assert!(reports < stop, "on purpose");
                })
            }));
            assert!(interrupted.is_err(), "{stop}");
            assert_eq!(list_backups(folder.path()).expect("a list").len(), 1, "{stop}");
        }
        let next = back_up(&t, folder.path(), Retention { keep: Some(1), keep_days: None }).expect("a backup");
        assert!(!folder.path().join("partial").exists());
        assert!(chunks(folder.path()).len() as u64 <= next.chunks, "chunks of interrupted backups are gone");
        let to = folder.path().join("restored");
        restore(folder.path(), &to).expect("a restore");
        assert!(exported(&t.config) == exported(&StoreConfig::sqlite(to.join("orgmem.db"))), "the export is the same");
    });
}

#[test]
fn interrupted_restore_leaves_nothing_that_a_server_opens() {
    block_on(async {
        let (t, _, folder) = filled().await;
        back_up(&t, folder.path(), Retention::default()).expect("a backup");
        let to = folder.path().join("restored");
        let options = || RestoreOptions { at: None, to: to.clone(), database: "orgmem.db", keys: Vec::new() };
        for stop in [1, 10, 30] {
            let interrupted = catch_unwind(AssertUnwindSafe(|| {
                let mut reports = 0;
                Restoring::begin(folder.path(), options(), &mut |_| {
                    reports += 1;
                    assert!(reports < stop, "on purpose");
                })
            }));
            assert!(interrupted.is_err(), "{stop}");
            assert!(is_empty(&to), "{stop}");
        }
        // as after a kill, which runs no destructor
        fs::create_dir_all(to.join("restoring")).expect("a folder");
        fs::write(to.join("restoring/orgmem.db"), "half").expect("a file");
        restore(folder.path(), &to).expect("the next restore continues from the beginning");
        assert_eq!(fs::read_dir(&to).expect("a folder").count(), 1, "only the database");
        assert!(exported(&t.config) == exported(&StoreConfig::sqlite(to.join("orgmem.db"))), "the export is the same");
    });
}

#[test]
fn damaged_database_is_not_backed_up() {
    block_on(async {
        let (t, _, folder) = filled().await;
        t.store.close();
        let file = t.file().expect("a file");
        let mut bytes = fs::read(&file).expect("a file");
        let page = bytes.len() / 2 / 4096 * 4096;
        bytes[page..page + 4096].fill(0x0d);
        fs::write(&file, bytes).expect("written");
        let error = back_up(&t, folder.path(), Retention::default()).expect_err("a damaged database").to_string();
        assert!(error.contains("the database is damaged") || error.contains("malformed"), "{error}");
        assert!(list_backups(folder.path()).expect("a list").is_empty());
    });
}
