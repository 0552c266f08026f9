//! The last seal of each chain, in a file outside the database, so that a chain that was cut off is detected.
//!
//! Each seal adds a line, and the last one of an org counts. After a crash the file may be behind the database but never
//! ahead of it: a line is written after the seal is durable.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use orgmem_hierarchy::OrgId;
use orgmem_policies::chain::Link;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::auth::KeyError;

const FILE: &str = "access-anchors";

/// The file is rewritten when it has this many more lines than orgs.
const SPARE: usize = 20_000;

pub(super) struct Anchors {
    path: PathBuf,
    state: Mutex<AnchorFile>,
}

struct AnchorFile {
    last: HashMap<OrgId, (i64, Link)>,
    lines: usize,
    file: Option<File>,
}

impl Anchors {
    /// # Errors
    /// [`KeyError`] when the file exists and cannot be read.
    pub(super) fn open(data_dir: &Path) -> Result<Self, KeyError> {
        let path = data_dir.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(|source| KeyError::unreadable(&path, source))?,
        };
        // the last line may be torn by a crash
        let last = text.lines().filter_map(parse).collect();
        let lines = text.lines().count();
        Ok(Self { path, state: Mutex::new(AnchorFile { last, lines, file: None }) })
    }

    /// The last known row and link of the chain of this org.
    pub(super) fn of(&self, org: OrgId) -> Option<(i64, Link)> {
        self.state.lock().last.get(&org).copied()
    }

    /// Records that the chain of this org is sealed up to `seq`. A write that fails is logged and retried with the next line.
    pub(super) fn remember(&self, org: OrgId, seq: i64, link: Link) {
        let mut state = self.state.lock();
        if state.last.get(&org).is_some_and(|(known, _)| *known >= seq) {
            return;
        }
        state.last.insert(org, (seq, link));
        if let Err(error) = self.write(&mut state, org, seq, &link) {
            state.file = None;
            tracing::warn!(%error, path = %self.path.display(), "the anchor of the access log could not be written");
        }
    }

    fn write(&self, state: &mut AnchorFile, org: OrgId, seq: i64, link: &Link) -> std::io::Result<()> {
        if state.lines > state.last.len() + SPARE {
            let all: String = state.last.iter().map(|(org, (seq, link))| line(*org, *seq, link)).collect();
            let draft = self.path.with_extension("new");
            std::fs::write(&draft, all)?;
            std::fs::rename(&draft, &self.path)?;
            state.lines = state.last.len();
            state.file = None;
            return Ok(());
        }
        let file = match &mut state.file {
            Some(file) => file,
            none => none.insert(OpenOptions::new().create(true).append(true).open(&self.path)?),
        };
        file.write_all(line(org, seq, link).as_bytes())?;
        state.lines += 1;
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
    fn anchors_are_read_after_a_crash_that_tore_the_last_line() {
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
