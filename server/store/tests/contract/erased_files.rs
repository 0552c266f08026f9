//! Absence of deleted data from every file of the data folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use diesel::SqliteConnection;
use diesel::connection::{Connection, SimpleConnection};
use orgmem_hierarchy::Scope;
use orgmem_store::{ReadPlan, Store, StoreError};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::commits::{ACME, Commit, about, commit, commit_all, forget, search};
use super::orgs::draw;
use super::redactions::{edit, erase, found, redact};
use super::stored_segments::store_segments;
use crate::stores::TestStore;

on_both!(
    removed_content_is_in_no_file,
    version_that_is_erased_before_its_segment_is_written_again_is_in_no_file,
    deleted_values_are_in_no_file_after_random_histories,
    residue_of_an_earlier_version_is_removed_once,
    files_become_clean_during_reads_and_writes,
    long_read_is_restarted_so_that_files_become_clean,
);

/// Longer than a loaded machine needs. The tests check that the files become clean, the benchmarks how soon.
const SOON: Duration = Duration::from_secs(60);

/// Unique texts.
fn marks(numbers: std::ops::Range<u32>) -> Vec<String> {
    numbers.map(|n| format!("quetzal{:x}", n.wrapping_mul(2_654_435_761))).collect()
}

/// The files of the data folder that contain one of these texts.
fn files_with(database: &Path, texts: &[String]) -> Vec<PathBuf> {
    let folder = database.parent().expect("a folder");
    let mut with = Vec::new();
    for file in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let bytes = std::fs::read(&file).expect("a file");
        let bytes = bytes.to_ascii_lowercase();
        let contains = |text: &String| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        if texts.iter().any(contains) {
            with.push(file);
        }
    }
    with
}

async fn removed_content_is_in_no_file(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let marks = marks(0..150);
    let mut ids = Vec::new();
    for (n, mark) in marks.iter().enumerate() {
        // of various lengths, so that rows move between pages
        let text = format!("{mark} {} {mark}", "so it goes ".repeat(n * 7 % 90));
        let tagged = Commit::new(bot, Scope::Team, &text).with(|input| {
            input.tags = vec![format!("tag-{mark}")];
            input.subject = Some(format!("subject-{mark}"));
            input.namespace = Some(format!("n-{mark}"));
            input.metadata = json!({"note": mark}).as_object().cloned();
        });
        ids.push(commit(&t.store, &acme, tagged).await.expect("a commit").id);
        if n % 3 == 0 {
            edit(&t.store, &acme, bot, ids[n], &format!("{mark} edited"), None).await;
        }
    }
    store_segments(&t.store, &acme).await;
    assert_eq!(search(&t.store, &acme, bot, about("")).await.hits.len(), 50, "a page");
    let (taken, remaining): (Vec<_>, Vec<_>) = (0..ids.len()).partition(|n| n % 5 != 0);
    for &n in &taken {
        if n % 2 == 0 {
            redact(&t.store, &acme, bot, ids[n]).await.expect("it was there");
        } else {
            assert!(forget(&t.store, &acme, bot, ids[n]).await);
        }
    }
    store_segments(&t.store, &acme).await;
    assert!(t.store.wait_until_clean(SOON), "the files are clean in time");
    if let Some(database) = t.file() {
        let taken: Vec<String> = taken.iter().map(|&n| marks[n].clone()).collect();
        assert_eq!(files_with(&database, &taken), Vec::<PathBuf>::new());
        let remaining: Vec<String> = remaining.iter().map(|&n| marks[n].clone()).collect();
        assert!(!files_with(&database, &remaining).is_empty(), "the search covers the files");
    }
    assert!(!found(&t.store, &acme, "bot-1", &marks[0]).await.is_empty(), "the remaining memory is found");
}

/// The files are cleaned after the erasure, and again when the segment with the version is gone.
async fn version_that_is_erased_before_its_segment_is_written_again_is_in_no_file(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, marks) = (acme.get("bot-1"), marks(4000..4001));
    let about_ada = Commit::new(bot, Scope::Team, &marks[0]).with(|input| input.subject = Some("ada".into()));
    let id = commit(&t.store, &acme, about_ada).await.expect("a commit").id;
    commit_all(&t.store, &acme, (0..39).map(|n| Commit::new(bot, Scope::Team, &format!("buoy {n}"))).collect()).await;
    store_segments(&t.store, &acme).await;
    edit(&t.store, &acme, bot, id, "about somebody else", Some("bob")).await;
    assert_eq!(erase(&t.store, &acme, Some("ada")).await.counts.versions, 1);
    assert!(t.store.wait_until_clean(SOON), "the files become clean in time");
    store_segments(&t.store, &acme).await;
    assert!(t.store.wait_until_clean(SOON), "the files become clean in time");
    if let Some(database) = t.file() {
        assert_eq!(files_with(&database, &marks), Vec::<PathBuf>::new());
    }
}

/// Texts of random lengths are committed, edited, forgotten, redacted and erased by subject; rows of all lengths split
/// and join pages.
async fn deleted_values_are_in_no_file_after_random_histories(t: TestStore) {
    let Some(database) = t.file() else { return };
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let mut random = StdRng::seed_from_u64(17);
    let (mut live, mut deleted, mut next) = (Vec::new(), Vec::new(), 10_000);
    let mut mark = || {
        next += 1;
        marks(next - 1..next).remove(0)
    };
    for round in 0..4 {
        for _ in 0..40 {
            let mark = mark();
            let text = format!("{mark} ").repeat([1, 5, 60, 700][random.random_range(0..4)]);
            if live.is_empty() || random.random_ratio(1, 2) {
                let subject = format!("person-{mark}");
                let new = Commit::new(bot, Scope::Team, &text).with(|input| input.subject = Some(subject.clone()));
                let id = commit(&t.store, &acme, new).await.expect("a commit").id;
                live.push((id, subject, vec![mark]));
                continue;
            }
            let chosen = random.random_range(0..live.len());
            if random.random_ratio(1, 2) {
                let (id, subject, marks) = &mut live[chosen];
                edit(&t.store, &acme, bot, *id, &text, Some(subject)).await;
                marks.push(mark);
                continue;
            }
            let (id, subject, marks) = live.swap_remove(chosen);
            match random.random_range(0..3) {
                0 => assert!(forget(&t.store, &acme, bot, id).await),
                1 => drop(redact(&t.store, &acme, bot, id).await.expect("it was there")),
                _ => assert_eq!(erase(&t.store, &acme, Some(&subject)).await.counts.memories, 1),
            }
            deleted.extend(marks);
        }
        store_segments(&t.store, &acme).await;
        assert!(t.store.wait_until_clean(SOON), "the files become clean in time");
        assert_eq!(files_with(&database, &deleted), Vec::<PathBuf>::new(), "round {round}");
    }
    assert!(deleted.len() > 20, "the histories delete");
}

/// Simulates residue of an earlier version: writes a text into the unused part of each page of an empty table.
fn write_stale_copies(database: &Path, text: &str) {
    let mut bytes = std::fs::read(database).expect("the file");
    let size = match u16::from_be_bytes([bytes[16], bytes[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    for page in bytes.chunks_mut(size) {
        // an empty leaf of a table or index
        if matches!(page[0], 10 | 13) && page[3..5] == [0, 0] {
            page[64..64 + text.len()].copy_from_slice(text.as_bytes());
        }
    }
    let mut file = std::fs::OpenOptions::new().write(true).open(database).expect("the file");
    std::io::Write::write_all(&mut file, &bytes).expect("the file");
}

fn execute(database: &Path, statement: &str) {
    let mut conn = SqliteConnection::establish(&database.to_string_lossy()).expect("a file");
    conn.batch_execute(statement).expect("a statement");
}

async fn residue_of_an_earlier_version_is_removed_once(t: TestStore) {
    let Some(database) = t.file() else { return };
    let [first, second] = [&marks(2000..2001), &marks(2001..2002)];
    let open = || Store::open(&t.config, t.clock.clone()).expect("a store opens again");
    t.store.close();
    write_stale_copies(&database, &first[0]);
    execute(&database, "PRAGMA application_id = 0");
    assert!(!files_with(&database, first).is_empty(), "it is there");
    open().close();
    assert_eq!(files_with(&database, first), Vec::<PathBuf>::new());
    write_stale_copies(&database, &second[0]);
    open().close();
    assert!(!files_with(&database, second).is_empty(), "the file is not searched again");
}

async fn files_become_clean_during_reads_and_writes(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, peer) = (acme.get("bot-1"), acme.get("bot-2"));
    let marks = marks(1000..1040);
    let mut ids = Vec::new();
    for mark in &marks {
        ids.push(commit(&t.store, &acme, Commit::new(bot, Scope::Team, mark)).await.expect("a commit").id);
    }
    let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut others = tokio::task::JoinSet::new();
    for reader in [bot, peer, acme.get("dev")] {
        let (store, acme, done) = (t.store.clone(), acme.clone(), done.clone());
        others.spawn(async move {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                search(&store, &acme, reader, about("quetzal")).await;
                commit(&store, &acme, Commit::new(reader, Scope::Local, "meanwhile")).await.expect("a commit");
            }
        });
    }
    for &id in &ids {
        redact(&t.store, &acme, bot, id).await.expect("it was there");
    }
    assert!(t.store.wait_until_clean(SOON), "the files become clean in time");
    if let Some(database) = t.file() {
        assert_eq!(files_with(&database, &marks), Vec::<PathBuf>::new());
    }
    done.store(true, std::sync::atomic::Ordering::Relaxed);
    others.join_all().await;
}

async fn long_read_is_restarted_so_that_files_become_clean(t: TestStore) {
    let Some(database) = t.file() else { return };
    let acme = draw(&t.store, ACME).await;
    let (org, bot, marks) = (acme.id, acme.get("bot-1"), marks(3000..3001));
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Team, &marks[0])).await.expect("a commit").id;
    let (begun, mut has_begun) = tokio::sync::mpsc::unbounded_channel();
    let (store, mut runs) = (t.store.clone(), 0);
    let read = tokio::spawn(async move {
        let read = store.read(ReadPlan::Scan, move |tx| {
            runs += 1;
            tx.redaction(org, id)?;
            begun.send(()).expect("the test waits");
            if runs == 1 {
                loop {
                    tx.redaction(org, id)?;
                }
            }
            Ok::<_, StoreError>(runs)
        });
        read.await
    });
    has_begun.recv().await.expect("a read");
    redact(&t.store, &acme, bot, id).await.expect("it was there");
    assert!(t.store.wait_until_clean(SOON), "the files become clean in time");
    assert_eq!(files_with(&database, &marks), Vec::<PathBuf>::new());
    assert_eq!(read.await.expect("a task").expect("a result"), 2, "the read ran again on a newer snapshot");
}
