//! The possible states of a disk after a power cut.
//!
//! The model is POSIX's minimum. Until a file is synced, each write to it may be present, absent or partial, in any
//! order. A name may be present or absent until its folder is synced. Like SQLite, the model also assumes that a write
//! does not damage neighbouring bytes.

use std::collections::BTreeMap;
use std::path::Path;

use super::log::{Log, OperationKind};

/// The files of a disk, with their durable and pending content.
#[derive(Default)]
pub(super) struct Files(BTreeMap<String, Name>);

#[derive(Default)]
struct Name {
    /// The current file.
    file: Option<File>,
    /// The durable file, if it differs from the current one; the inner `None` means that the name is not durable.
    before: Option<Option<File>>,
}

#[derive(Clone, Default)]
struct File {
    durable: Vec<u8>,
    /// Changes that are not synced, each with its instant.
    pending: Vec<(usize, Change)>,
}

#[derive(Clone)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Truncate { len: usize },
}

pub(super) fn replay(log: &Log, at: usize, mut chance: impl FnMut() -> usize) -> Files {
    let mut files = Files::default();
    for (instant, operation) in log.until(at).iter().enumerate() {
        files.apply(instant, &operation.name, &operation.kind);
    }
    for name in files.0.values_mut() {
        if let Some(before) = name.before.take()
            && chance() < 50
        {
            name.file = before;
        }
        if let Some(file) = &mut name.file {
            for (_, change) in std::mem::take(&mut file.pending) {
                file.apply_at_random(change, &mut chance);
            }
        }
    }
    files
}

impl Files {
    fn apply(&mut self, instant: usize, name: &str, kind: &OperationKind) {
        let entry = self.0.entry(name.to_owned()).or_default();
        match kind {
            OperationKind::Created if entry.file.is_none() => {
                let before = entry.before.take().unwrap_or_default();
                (entry.file, entry.before) = (Some(File::default()), Some(before));
            }
            OperationKind::Created => {}
            OperationKind::Written { at, bytes } => {
                entry.change(instant, Change::Write { at: *at, bytes: bytes.clone() });
            }
            OperationKind::Truncated { len } => entry.change(instant, Change::Truncate { len: *len }),
            OperationKind::Synced { begun, with_folder } => {
                if let Some(file) = &mut entry.file {
                    file.sync(*begun);
                }
                if *with_folder {
                    self.0.values_mut().for_each(|name| name.before = None);
                }
            }
            OperationKind::Removed { durably } => {
                let file = entry.file.take();
                match (&entry.before, durably) {
                    (_, true) => entry.before = None,
                    (None, false) => entry.before = Some(file),
                    (Some(_), false) => {}
                }
            }
        }
    }

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
        // a file without a name loses its changes
        if let Some(file) = &mut self.file {
            file.pending.push((instant, change));
        }
    }
}

impl File {
    /// Makes the changes before this instant durable.
    fn sync(&mut self, begun: usize) {
        let (done, rest): (Vec<_>, _) = std::mem::take(&mut self.pending).into_iter().partition(|(at, _)| *at < begun);
        self.pending = rest;
        for (_, change) in done {
            self.apply(change);
        }
    }

    fn apply_at_random(&mut self, change: Change, chance: &mut impl FnMut() -> usize) {
        match (chance(), change) {
            (0..40, _) => {}
            (40..60, Change::Write { at, mut bytes }) => {
                bytes.truncate(bytes.len() * chance() / 100);
                self.apply(Change::Write { at, bytes });
            }
            (_, change) => self.apply(change),
        }
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Truncate { len } => self.durable.resize(len, 0),
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
