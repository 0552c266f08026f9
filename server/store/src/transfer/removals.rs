//! Lists of removals: which content was removed from a database, for a copy of it that is older.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::export::json_line;
use super::lines::Lines;
use super::rows::Rows;
use super::{Counter, OnProgress, TransferError, open};
use crate::StoreConfig;
use crate::columns::Id;
use crate::contract::Removal;

const FORMAT: &str = "orgmem-removals";
const VERSION: u32 = 1;

/// Removals of a page of a file.
const PAGE: usize = 500;

/// The tables with removals, in the order in which a list has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemovalKind {
    Erasures,
    Memories,
    Documents,
    Episodes,
    Entries,
    Tokens,
    TokensOfWorkspaces,
    Grants,
}

impl RemovalKind {
    const ALL: [Self; 8] = [
        Self::Erasures,
        Self::Memories,
        Self::Documents,
        Self::Episodes,
        Self::Entries,
        Self::Tokens,
        Self::TokensOfWorkspaces,
        Self::Grants,
    ];
}

/// The key of the last row of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct RemovalPosition {
    pub(crate) first: Uuid,
    pub(crate) second: Uuid,
    pub(crate) key: String,
}

/// Removals page by page. Each page has removals of one org.
pub trait RemovalSource {
    /// The next page; empty at the end.
    ///
    /// # Errors
    /// [`TransferError`] when the source cannot be read.
    fn next_page(&mut self) -> Result<Vec<Removal>, TransferError>;
}

/// The removals that a database records, on one snapshot. The memory does not depend on their number.
pub struct DatabaseRemovals {
    rows: Box<dyn Rows>,
    orgs: Vec<Id>,
    org: usize,
    kind: usize,
    at: RemovalPosition,
}

impl DatabaseRemovals {
    /// Opens a database, which a server may use.
    ///
    /// # Errors
    /// [`TransferError::Open`] when it does not exist or has another schema.
    pub fn open(config: &StoreConfig) -> Result<Self, TransferError> {
        let mut rows = open::source(config)?;
        rows.begin_read()?;
        let orgs = rows.orgs()?;
        Ok(Self { rows, orgs, org: 0, kind: 0, at: RemovalPosition::default() })
    }
}

impl RemovalSource for DatabaseRemovals {
    fn next_page(&mut self) -> Result<Vec<Removal>, TransferError> {
        while let Some(&org) = self.orgs.get(self.org) {
            let Some(&kind) = RemovalKind::ALL.get(self.kind) else {
                (self.org, self.kind) = (self.org + 1, 0);
                continue;
            };
            let page = self.rows.removals(org, kind, &mut self.at)?;
            if !page.is_empty() {
                return Ok(page);
            }
            (self.kind, self.at) = (self.kind + 1, RemovalPosition::default());
        }
        Ok(Vec::new())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trailer {
    removals: u64,
    /// Of all lines before.
    sha256: String,
}

/// Writes the removals of a database as lines of JSON, and returns their number. Blocks.
///
/// # Errors
/// [`TransferError`]; the output is then incomplete.
pub fn export_removals(
    config: &StoreConfig,
    out: &mut dyn Write,
    progress: OnProgress<'_>,
) -> Result<u64, TransferError> {
    let mut source = DatabaseRemovals::open(config)?;
    let (mut sha256, mut removals) = (Sha256::new(), 0);
    let mut counter = Counter::new("removals", 0, progress);
    let mut write = |line: Vec<u8>| {
        sha256.update(&line);
        out.write_all(&line).map_err(TransferError::Write)
    };
    write(json_line(&Header { format: FORMAT.to_owned(), version: VERSION }))?;
    loop {
        let page = source.next_page()?;
        if page.is_empty() {
            break;
        }
        for removal in &page {
            write(json_line(removal))?;
        }
        removals += page.len() as u64;
        counter.add(page.len() as u64);
    }
    let trailer = Trailer { removals, sha256: hex::encode(sha256.finalize()) };
    out.write_all(&json_line(&trailer)).and_then(|()| out.flush()).map_err(TransferError::Write)?;
    Ok(removals)
}

/// The removals of a file that [`export_removals`] wrote.
pub struct FileRemovals<R> {
    lines: Lines<R>,
    sha256: Sha256,
    removals: u64,
    /// The first removal of the next page.
    next: Option<Removal>,
    is_done: bool,
}

impl<R: BufRead> FileRemovals<R> {
    /// Reads the first line.
    ///
    /// # Errors
    /// [`TransferError::Refused`] for another file.
    pub fn open(file: R) -> Result<Self, TransferError> {
        let mut lines = Lines::after(file, 0, 0);
        let mut sha256 = Sha256::new();
        let first = lines.next().map_err(unapplied)?.unwrap_or_default();
        let header: Option<Header> = serde_json::from_str(first).ok();
        sha256.update(first);
        match header {
            Some(Header { format, version }) if format == FORMAT && version == VERSION => {}
            Some(Header { format, version }) if format == FORMAT => {
                let reason = format!("it is a list of version {version}; this program reads version {VERSION}");
                return Err(fault(&lines, &reason));
            }
            _ => return Err(fault(&lines, "it is not the first line of a list of removals")),
        }
        Ok(Self { lines, sha256, removals: 0, next: None, is_done: false })
    }

    /// The next removal; none after the last line, which is verified.
    fn read(&mut self) -> Result<Option<Removal>, TransferError> {
        if self.is_done {
            return Ok(None);
        }
        let Some(line) = self.lines.next().map_err(unapplied)? else {
            return Err(fault(&self.lines, "the file ends without its last line; it is incomplete"));
        };
        if let Ok(trailer) = serde_json::from_str::<Trailer>(line) {
            let found = Trailer { removals: self.removals, sha256: hex::encode(self.sha256.clone().finalize()) };
            if trailer != found {
                return Err(fault(&self.lines, "the hash or the number of removals is wrong; the file was changed"));
            }
            if self.lines.next().map_err(unapplied)?.is_some() {
                return Err(fault(&self.lines, "there is more after the last line"));
            }
            self.is_done = true;
            return Ok(None);
        }
        let removal = serde_json::from_str(line);
        self.sha256.update(line);
        let removal = removal.map_err(|_| fault(&self.lines, "it is not a removal"))?;
        self.removals += 1;
        Ok(Some(removal))
    }
}

impl<R: BufRead> RemovalSource for FileRemovals<R> {
    fn next_page(&mut self) -> Result<Vec<Removal>, TransferError> {
        let first = match self.next.take() {
            Some(first) => Some(first),
            None => self.read()?,
        };
        let Some(first) = first else { return Ok(Vec::new()) };
        let mut page = vec![first];
        while page.len() < PAGE {
            match self.read()? {
                Some(removal) if removal.org == page[0].org => page.push(removal),
                other => {
                    self.next = other;
                    break;
                }
            }
        }
        Ok(page)
    }
}

fn fault<R: BufRead>(lines: &Lines<R>, reason: &str) -> TransferError {
    TransferError::Refused(format!("line {}: {reason}", lines.number()))
}

/// The error of a line, without the words about imports.
fn unapplied(error: TransferError) -> TransferError {
    match error {
        TransferError::Line { line, reason } => TransferError::Refused(format!("line {line}: {reason}")),
        error => error,
    }
}
