//! Transfers of random histories, interrupted at random points and continued, end as those that nothing interrupts.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use orgmem_store::{ImportOptions, Selection, StoreConfig, TransferError, export, import, import_part, migrate};

use super::both_databases::{Random, create_org, org, workspace};
use super::orgs::draw;
use super::parts::write_history;
use super::transfer::{empty, exported, imported, target};
use crate::stores::{On, TestStore, cluster};

on_both! {
    interrupted_transfers_end_as_uninterrupted_ones,
    wrong_password_is_named_and_changes_nothing,
}

/// A file that fails after this many bytes in all, and an output that does.
struct Failing<'f> {
    file: Cursor<&'f [u8]>,
    budget: u64,
}

impl Failing<'_> {
    fn spend(&mut self, most: usize) -> io::Result<usize> {
        let most = most.min(usize::try_from(self.budget).unwrap_or(usize::MAX));
        if most == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        self.budget -= most as u64;
        Ok(most)
    }
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.spend(buffer.len())?;
        self.file.read(&mut buffer[..most])
    }
}

impl Seek for Failing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl io::Write for Failing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.spend(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn interrupted_transfers_end_as_uninterrupted_ones(t: TestStore) {
    let mut random = Random(0x51de);
    create_org(&t, &mut random).await;
    let tree = exported(&t.config, &Selection::All);
    write_history(&t, &mut random, 150).await;
    draw(&t.store, "globex\n  ops\n  sales").await;
    t.store.sweep().await.expect("swept");
    let file = exported(&t.config, &Selection::All);
    assert!(file.windows(20).any(|bytes| bytes == b"{\"document_passages\""), "documents are part of the history");
    let other = if t.file().is_some() { On::Postgres } else { On::Sqlite };

    // an export whose output fails has no trailer, and one that follows is the same file
    let mut out = Failing { file: Cursor::new(&[]), budget: random.below(file.len() as u64) };
    assert!(export(&t.config, &Selection::All, &mut out, &mut |_| {}).is_err());
    assert_eq!(file, exported(&t.config, &Selection::All));

    // an import, whose progress or file ends at random points
    let fresh = empty(other);
    let (mut ended, reading) = (0, file.len() as u64 * 3);
    for round in 0..12 {
        let (budget, reports) = (1 + random.below(reading), 1 + random.below(20));
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut seen = 0;
            let mut failing =
                Failing { file: Cursor::new(&file), budget: if round % 2 == 0 { budget } else { u64::MAX } };
            import(&fresh.config, &mut failing, ImportOptions::default(), &mut |_| {
                seen += 1;
                assert!(round % 2 == 0 || seen < reports, "on purpose");
            })
        }));
        ended += u32::from(!matches!(result, Ok(Ok(_))));
    }
    assert!(ended > 0, "something was interrupted");
    imported(&fresh.config, &file, ImportOptions::default()).expect("the rest");
    assert!(file == exported(&fresh.config, &Selection::All), "an import ends the same");

    // parts of it into an org with the tree only
    let (one, two) = (empty(other), empty(other));
    for store in [&one, &two] {
        imported(&store.config, &tree, ImportOptions::default()).expect("the tree");
    }
    let into = org().uuid().to_string();
    for n in 0..12 {
        let part = exported(&t.config, &Selection::Workspace(workspace(n).uuid().to_string()));
        let budget = 1 + random.below(part.len() as u64 * 3);
        let mut failing = Failing { file: Cursor::new(&part), budget };
        let before = exported(&one.config, &Selection::All);
        if import_part(&one.config, &mut failing, &into, ImportOptions::default(), &mut |_| {}).is_err() {
            assert!(before == exported(&one.config, &Selection::All), "half a part was imported");
        }
        for store in [&one, &two] {
            let mut whole = Cursor::new(part.as_slice());
            import_part(&store.config, &mut whole, &into, ImportOptions::default(), &mut |_| {}).expect("the part");
        }
    }
    assert!(exported(&one.config, &Selection::All) == exported(&two.config, &Selection::All), "parts end the same");

    // a copy, whose progress ends at random points
    let (copy, _folder) = target(other);
    let mut stopped = 0;
    for _ in 0..8 {
        let reports = 1 + random.below(8);
        let copied = catch_unwind(AssertUnwindSafe(|| {
            let mut seen = 0;
            migrate(&t.config, &copy, "here", &mut |_| {
                seen += 1;
                assert!(seen < reports, "on purpose");
            })
        }));
        stopped += usize::from(copied.is_err());
    }
    assert!(stopped > 0, "some were stopped");
    migrate(&t.config, &copy, "here", &mut |_| {}).expect("the rest");
    assert!(file == exported(&copy, &Selection::All), "a copy ends the same");
}

/// Each kind of transfer, with a database that refuses the password as source and as target.
async fn wrong_password_is_named_and_changes_nothing(t: TestStore) {
    draw(&t.store, "acme\n  dev").await;
    let name = cluster().empty_database();
    // another test of this process may have created it
    let create = "DO $$ BEGIN CREATE ROLE locked LOGIN PASSWORD 'right'; EXCEPTION WHEN OTHERS THEN NULL; END $$";
    cluster().admin(create);
    let locked = StoreConfig::postgres(cluster().with_password(&name, "hunter2"));
    let file = exported(&t.config, &Selection::All);
    let (fresh, _folder) = target(On::Sqlite);
    let failures: [(&str, TransferError); 5] = [
        ("migrate to", migrate(&t.config, &locked, "here", &mut |_| {}).expect_err("refused")),
        ("migrate from", migrate(&locked, &fresh, "there", &mut |_| {}).expect_err("refused")),
        ("export", export(&locked, &Selection::All, &mut Vec::new(), &mut |_| {}).expect_err("refused")),
        ("import", imported(&locked, &file, ImportOptions::default()).expect_err("refused")),
        (
            "dry run",
            imported(&locked, &file, ImportOptions { dry_run: true, ..Default::default() }).expect_err("refused"),
        ),
    ];
    for (what, error) in &failures {
        let text = error.to_string();
        assert!(text.contains("password authentication failed for user \"locked\""), "{what}: {text}");
        assert!(!text.contains("hunter2") && !text.contains('\n'), "{what}: {text}");
    }
    if let StoreConfig::Sqlite { path, .. } = &fresh {
        assert!(!path.exists(), "a target was made before the source was read");
    }
    assert!(file == exported(&t.config, &Selection::All));
    let right = StoreConfig::postgres(cluster().with_password(&name, "right"));
    let error = export(&right, &Selection::All, &mut Vec::new(), &mut |_| {}).expect_err("it is empty").to_string();
    assert!(!error.contains("password"), "{error}");
}
