//! Backups, restores, exports, imports and copies on a disk that is full.

use std::path::Path;
use std::sync::Arc;

use orgmem_store::{
    BackupOptions, ImportOptions, ManualClock, OpenError, RestoreOptions, Restoring, Selection, Store, StoreConfig,
    TransferError,
};

use crate::orgs::draw;
use crate::stores::test_epoch;
use crate::{append, block_on, on_a_small_disk, open, small_disk};

#[test]
fn backup_and_restore_on_full_disk_leave_nothing() {
    on_a_small_disk("files::inside_a_full_disk_for_backups");
}

#[test]
#[ignore = "run by the test above it, on a disk of its own"]
fn inside_a_full_disk_for_backups() {
    let small = small_disk();
    let large = tempfile::TempDir::new().expect("a temporary folder");
    let store = open(large.path());
    block_on(async {
        let org = draw(&store, "acme").await;
        for _ in 0..100 {
            append(&store, &org, "acme", 10_000).await.expect("there is room");
        }
    });
    store.close();
    let config = StoreConfig::sqlite(large.path().join("orgmem.db"));
    let back_up = |folder: &Path| orgmem_store::backup(&config, folder, &BackupOptions::default(), &mut |_| {});
    let (full, elsewhere) = (small.join("backups"), large.path().join("backups"));
    let ballast = small.join("ballast");
    for free in [0, 1 << 20, 5 << 19, 7 << 19] {
        std::fs::write(&ballast, vec![0; (6 << 20) - free - (64 << 10)]).expect("there is room");
        back_up(&full).expect_err("the disk is full");
        std::fs::remove_file(&ballast).expect("space again");
        let listed = orgmem_store::list_backups(&full).unwrap_or_default();
        assert!(listed.is_empty(), "{listed:?}");
    }
    back_up(&full).expect("there is room again");
    assert_eq!(orgmem_store::list_backups(&full).expect("a list").len(), 1);
    std::fs::remove_dir_all(&full).expect("space again");
    back_up(&elsewhere).expect("a backup");
    let to = small.join("restored");
    let restore = || {
        let options = RestoreOptions { at: None, to: to.clone(), database: "orgmem.db", keys: Vec::new() };
        Restoring::begin(&elsewhere, options, &mut |_| {})?.finish()
    };
    std::fs::write(&ballast, vec![0; 5 << 20]).expect("there is room");
    let error = restore().expect_err("the disk is full").to_string();
    assert!(error.contains("No space left") && !to.exists(), "{error}");
    std::fs::remove_file(&ballast).expect("space again");
    restore().expect("there is room again");
}

#[test]
fn export_import_and_copy_on_full_disk_leave_nothing_half_done() {
    on_a_small_disk("files::inside_a_full_disk_for_transfers");
}

#[test]
#[ignore = "run by the test above it, on a disk of its own"]
fn inside_a_full_disk_for_transfers() {
    let small = small_disk();
    let large = tempfile::TempDir::new().expect("a temporary folder");
    let store = open(large.path());
    block_on(async {
        for name in ["acme", "globex"] {
            let org = draw(&store, name).await;
            for _ in 0..25 {
                append(&store, &org, name, 10_000).await.expect("there is room");
            }
        }
    });
    store.close();
    drop(store);
    let source = StoreConfig::sqlite(large.path().join("orgmem.db"));
    let exported = |config: &StoreConfig| {
        let mut file = Vec::new();
        orgmem_store::export(config, &Selection::All, &mut file, &mut |_| {}).expect("an export");
        file
    };
    let whole = exported(&source);
    let ballast = small.join("ballast");
    let fill = |free: usize| std::fs::write(&ballast, vec![0; (6 << 20) - free]).expect("there is room");
    fill(64 << 10);
    let file = small.join("all.jsonl");
    let mut out = std::fs::File::create(&file).expect("a file");
    let error = orgmem_store::export(&source, &Selection::All, &mut out, &mut |_| {}).expect_err("the disk is full");
    assert!(matches!(error, TransferError::Write(_)) && error.to_string().contains("No space left"), "{error}");
    std::fs::remove_file(&file).expect("removed");
    // an org is imported whole or not at all
    let imported = StoreConfig::sqlite(small.join("imported.db"));
    let import = || {
        let mut file = std::io::Cursor::new(&whole);
        orgmem_store::import(&imported, &mut file, ImportOptions::default(), &mut |_| {})
    };
    let mut failed = 0;
    for free in [1 << 18, 1 << 20, 2 << 20] {
        std::fs::remove_file(&ballast).expect("space");
        let used: u64 = std::fs::read_dir(&small)
            .expect("a folder")
            .flatten()
            .filter_map(|file| Some(file.metadata().ok()?.len()))
            .sum();
        fill((free as u64 + used).min(6 << 20).try_into().expect("small"));
        // the last rounds may have enough space, as the orgs that are there are not imported again
        let outcome = import();
        failed += usize::from(outcome.is_err());
        // without an error the schema is complete, and the database has the server itself and whole orgs
        let mut part = Vec::new();
        if orgmem_store::export(&imported, &Selection::All, &mut part, &mut |_| {}).is_ok() {
            let part = String::from_utf8(part).expect("UTF-8");
            let ends = part.lines().filter(|line| line.starts_with("{\"end\""));
            assert!(ends.into_iter().all(|end| String::from_utf8_lossy(&whole).contains(end)), "{part}");
        }
    }
    std::fs::remove_file(&ballast).expect("space again");
    assert!(failed > 0, "the disk was never full");
    import().expect("there is room again");
    assert!(exported(&imported) == whole, "the import is complete");
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(small.join(format!("imported.db{suffix}")));
    }
    // a copy is marked as incomplete until it is complete
    let copied = StoreConfig::sqlite(small.join("copied.db"));
    let copy = || orgmem_store::migrate(&source, &copied, "here", &mut |_| {});
    fill(1 << 20);
    copy().expect_err("the disk is full");
    std::fs::remove_file(&ballast).expect("space again");
    let clock = Arc::new(ManualClock::at(test_epoch()));
    match Store::open(&copied, clock) {
        Err(error) => assert!(matches!(error, OpenError::Incomplete(_)), "{error}"),
        // the disk was full before the first row
        Ok(store) => {
            store.close();
            assert_eq!(
                String::from_utf8_lossy(&exported(&copied)).matches("{\"end\"").count(),
                1,
                "only the server itself"
            );
        }
    }
    assert!(copy().expect("there is room again").complete);
    assert!(exported(&copied) == whole, "the copy is complete");
}
