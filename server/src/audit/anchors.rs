//! How far each chain went, kept outside the database: who cuts off its end is found.
//!
//! One line for each step, the last one counts. The file may be behind the database after a crash, never ahead of it: a
//! line is written after the seal is durable.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use orgmem_hierarchy::OrgId;
use orgmem_policies::chain::Link;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::auth::KeyError;

/// The file in the data folder.
const FILE: &str = "access-anchors";

/// So many lines more than orgs, and the file is written anew.
const SPARE: usize = 20_000;

pub(super) struct Anchors {
    path: PathBuf,
    kept: Mutex<AnchorFile>,
}

struct AnchorFile {
    last: HashMap<OrgId, (i64, Link)>,
    lines: usize,
    file: Option<File>,
}

impl Anchors {
    /// What is remembered in this folder.
    ///
    /// # Errors
    /// [`KeyError`] when the file is there and cannot be read.
    pub(super) fn open(data_dir: &Path) -> Result<Self, KeyError> {
        let path = data_dir.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(|source| KeyError::unreadable(&path, source))?,
        };
        // the last line may be torn by a crash
        let last = text.lines().filter_map(parse).collect();
        let lines = text.lines().count();
        Ok(Self { path, kept: Mutex::new(AnchorFile { last, lines, file: None }) })
    }

    /// How far the chain of this org was known to go.
    pub(super) fn of(&self, org: OrgId) -> Option<(i64, Link)> {
        self.kept.lock().last.get(&org).copied()
    }

    /// Remembers that the chain of this org went to `seq`. A file that cannot be written is told, and tried again with
    /// the next line.
    pub(super) fn remember(&self, org: OrgId, seq: i64, link: Link) {
        let mut kept = self.kept.lock();
        if kept.last.get(&org).is_some_and(|(known, _)| *known >= seq) {
            return;
        }
        kept.last.insert(org, (seq, link));
        if let Err(error) = self.write(&mut kept, org, seq, &link) {
            kept.file = None;
            tracing::warn!(%error, path = %self.path.display(), "how far the access log went could not be noted");
        }
    }

    fn write(&self, kept: &mut AnchorFile, org: OrgId, seq: i64, link: &Link) -> std::io::Result<()> {
        if kept.lines > kept.last.len() + SPARE {
            let all: String = kept.last.iter().map(|(org, (seq, link))| line(*org, *seq, link)).collect();
            let draft = self.path.with_extension("new");
            std::fs::write(&draft, all)?;
            std::fs::rename(&draft, &self.path)?;
            kept.lines = kept.last.len();
            kept.file = None;
            return Ok(());
        }
        let file = match &mut kept.file {
            Some(file) => file,
            none => none.insert(OpenOptions::new().create(true).append(true).open(&self.path)?),
        };
        file.write_all(line(org, seq, link).as_bytes())?;
        kept.lines += 1;
        Ok(())
    }
}

fn line(org: OrgId, seq: i64, link: &Link) -> String {
    format!("{} {seq} {}\n", org.uuid(), hex::encode(link))
}

fn parse(line: &str) -> Option<(OrgId, (i64, Link))> {
    let mut words = line.split(' ');
    let org = Uuid::try_parse(words.next()?).ok()?;
    let seq = words.next()?.parse().ok()?;
    let mut link = Link::default();
    hex::decode_to_slice(words.next()?, &mut link).ok()?;
    Some((OrgId::from(org), (seq, link)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_remembered_is_known_after_a_restart_whatever_a_crash_left_of_the_last_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let (acme, other) = (OrgId::from(Uuid::from_u128(1)), OrgId::from(Uuid::from_u128(2)));
        let anchors = Anchors::open(folder.path()).expect("none yet");
        anchors.remember(acme, 5, [1; 32]);
        anchors.remember(other, 1, [2; 32]);
        anchors.remember(acme, 9, [3; 32]);
        anchors.remember(acme, 7, [4; 32]);
        let path = folder.path().join(FILE);
        let mut text = std::fs::read_to_string(&path).expect("lines");
        text.push_str(&line(acme, 12, &[5; 32])[..50]);
        std::fs::write(&path, text).expect("a torn line");
        let anchors = Anchors::open(folder.path()).expect("lines");
        assert_eq!((anchors.of(acme), anchors.of(other)), (Some((9, [3; 32])), Some((1, [2; 32]))));
    }
}
