//! What a disk may hold after its power was cut.
//!
//! The model is that of POSIX at its least: until a file is synced, each write to it may be there, or not, or in part, and
//! in any order; a name may be there or not until its folder is synced. SQLite relies on a little more, that a write
//! harms no byte beside it, and so does this.

use std::collections::BTreeMap;
use std::path::Path;

use super::log::{Log, What};

/// The files of a disk: what is durable of each, and what is not yet.
#[derive(Default)]
pub(super) struct Files(BTreeMap<String, Name>);

/// What a name may stand for.
#[derive(Default)]
struct Name {
    /// The file that it stands for now.
    file: Option<File>,
    /// The file that it stands for durably, where that is another one; none when the name is not there durably.
    before: Option<Option<File>>,
}

#[derive(Clone, Default)]
struct File {
    durable: Vec<u8>,
    /// Not synced, with the instants at which they were done.
    pending: Vec<(usize, Change)>,
}

#[derive(Clone)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Cut { len: usize },
}

/// The files after the power was cut at this instant.
pub(super) fn replay(log: &Log, at: usize, mut chance: impl FnMut() -> usize) -> Files {
    let mut files = Files::default();
    for (instant, deed) in log.until(at).iter().enumerate() {
        files.take(instant, &deed.name, &deed.what);
    }
    for name in files.0.values_mut() {
        if let Some(before) = name.before.take()
            && chance() < 50
        {
            name.file = before;
        }
        if let Some(file) = &mut name.file {
            for (_, change) in std::mem::take(&mut file.pending) {
                file.perhaps(change, &mut chance);
            }
        }
    }
    files
}

impl Files {
    fn take(&mut self, instant: usize, name: &str, what: &What) {
        let entry = self.0.entry(name.to_owned()).or_default();
        match what {
            What::Made if entry.file.is_none() => {
                let before = entry.before.take().unwrap_or_default();
                (entry.file, entry.before) = (Some(File::default()), Some(before));
            }
            What::Made => {}
            What::Written { at, bytes } => entry.change(instant, Change::Write { at: *at, bytes: bytes.clone() }),
            What::Cut { len } => entry.change(instant, Change::Cut { len: *len }),
            What::Synced { begun, with_folder } => {
                if let Some(file) = &mut entry.file {
                    file.sync(*begun);
                }
                if *with_folder {
                    self.0.values_mut().for_each(|name| name.before = None);
                }
            }
            What::Removed { durably } => {
                let file = entry.file.take();
                match (&entry.before, durably) {
                    (_, true) => entry.before = None,
                    (None, false) => entry.before = Some(file),
                    (Some(_), false) => {}
                }
            }
        }
    }

    /// Writes them into a folder.
    pub(super) fn write(self, to: &Path) {
        for (name, entry) in self.0 {
            if let Some(file) = entry.file {
                std::fs::write(to.join(name), file.durable).expect("a file can be written");
            }
        }
    }
}

impl Name {
    fn change(&mut self, instant: usize, change: Change) {
        // what is written to a file without a name is gone with it
        if let Some(file) = &mut self.file {
            file.pending.push((instant, change));
        }
    }
}

impl File {
    /// What was done before this instant is durable.
    fn sync(&mut self, begun: usize) {
        let (done, rest): (Vec<_>, _) = std::mem::take(&mut self.pending).into_iter().partition(|(at, _)| *at < begun);
        self.pending = rest;
        for (_, change) in done {
            self.make(change);
        }
    }

    fn perhaps(&mut self, change: Change, chance: &mut impl FnMut() -> usize) {
        match (chance(), change) {
            (0..40, _) => {}
            (40..60, Change::Write { at, mut bytes }) => {
                bytes.truncate(bytes.len() * chance() / 100);
                self.make(Change::Write { at, bytes });
            }
            (_, change) => self.make(change),
        }
    }

    fn make(&mut self, change: Change) {
        match change {
            Change::Cut { len } => self.durable.resize(len, 0),
            Change::Write { at, bytes } => {
                let end = at + bytes.len();
                if self.durable.len() < end {
                    self.durable.resize(end, 0);
                }
                self.durable[at..end].copy_from_slice(&bytes);
            }
        }
    }
}
