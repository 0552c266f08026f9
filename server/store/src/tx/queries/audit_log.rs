//! Reads of the audit log, newest row first.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{AuditPass, Role};
use uuid::Uuid;

use super::Tx;
use super::audit_ranges::{SeqRange, SeqRanges};
use super::audit_records::StoredAuditRow as Row;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, holds_nul, micros_from, row_limit};
use crate::contract::{AccessFilter, AccessPage, AccessRow, MemoryReads};
use crate::engine::RowContext;
use crate::schema::{access_log, access_seals};

/// Rows per statement.
const BATCH: usize = 500;

/// Rows scanned per call, rounded up to whole batches.
const MAX_SCANNED: usize = 20_000;

/// A row of an operation that returned memories: number, action, role, workspace, run and memories.
type MemoryReadRow = (i64, TextEnum<AuditAction>, TextEnum<Role>, Id, Option<Id>, Vec<u8>);

impl Row {
    fn into_row(self, sealed_until: i64) -> AccessRow {
        AccessRow {
            seq: self.seq,
            at: self.at.0,
            action: self.verb.0,
            subject: self.subject,
            role: self.role.0,
            token: self.token_id.map(|Id(id)| id),
            workspace: self.workspace_id.workspace(),
            run: self.run_id.map(|Id(id)| id),
            memories: decode_memories(&self.memories),
            content_hash: self.content_hash,
            context: self.context,
            sealed: self.seq <= sealed_until,
        }
    }
}

/// The inverse of [`encode_memories`](super::audit_records::encode_memories).
pub(crate) fn decode_memories(bytes: &[u8]) -> Vec<(Uuid, i64)> {
    let (parts, _) = bytes.as_chunks::<24>();
    let one = |part: &[u8; 24]| {
        let mut id = [0; 16];
        let mut version = [0; 8];
        id.copy_from_slice(&part[..16]);
        version.copy_from_slice(&part[16..]);
        (Uuid::from_bytes(id), i64::from_be_bytes(version))
    };
    parts.iter().map(one).collect()
}

fn contains_memory(bytes: &[u8], memory: Uuid) -> bool {
    let (parts, _) = bytes.as_chunks::<24>();
    parts.iter().any(|part| &part[..16] == memory.as_bytes())
}

/// The part of a memory's id that seals store: the last eight bytes.
fn tail_of(memory: Uuid) -> [u8; 8] {
    memory.as_u64_pair().1.to_be_bytes()
}

/// The id tails of the memories in the `memories` columns of rows, as seals store them: sorted, without duplicates.
pub(crate) fn tails<'r>(rows: impl Iterator<Item = &'r [u8]>) -> Vec<u8> {
    let mut tails: Vec<[u8; 8]> = rows.flat_map(decode_memories).map(|(memory, _)| tail_of(memory)).collect();
    tails.sort_unstable();
    tails.dedup();
    tails.concat()
}

impl Tx<'_> {
    pub(crate) fn access_page(
        &mut self,
        pass: &AuditPass,
        filter: &AccessFilter,
        before: Option<i64>,
        limit: usize,
    ) -> Result<AccessPage, StoreError> {
        let org = pass.org();
        let matches_nothing = filter.subject.as_deref().is_some_and(holds_nul);
        if matches_nothing {
            return Ok(AccessPage::default());
        }
        let row = self.view(org)?.row.clone();
        let before = before.unwrap_or(row.access_seq + 1).min(row.access_seq + 1);
        let SeqRanges { spans, more } = match filter.memory {
            Some(memory) => {
                SeqRanges { spans: self.ranges_of_memories(org, &[memory], row.sealed_seq, before)?, more: None }
            }
            None if pass.with_subtree() => SeqRanges { spans: vec![SeqRange { from: 0, below: before }], more: None },
            None => self.sealed_ranges_of(org, pass.top(), row.sealed_seq, before)?,
        };
        let mut below = Below::default();
        let mut page = AccessPage::default();
        let mut scanned = 0;
        for span in spans {
            let mut at = span.below;
            loop {
                let found = self.page_batch(pass, filter, SeqRange { from: span.from, below: at })?;
                let is_last = found.len() < BATCH;
                for found in found {
                    at = found.seq;
                    scanned += 1;
                    let is_match = filter.memory.is_none_or(|memory| contains_memory(&found.memories, memory));
                    if is_match && self.is_covered(&mut below, pass, found.workspace_id.workspace())? {
                        if page.rows.len() == limit {
                            page.next = page.rows.last().map(|row| row.seq);
                            return Ok(page);
                        }
                        page.rows.push(found.into_row(row.sealed_seq));
                    }
                }
                if is_last {
                    break;
                }
                if scanned >= MAX_SCANNED {
                    page.next = Some(at);
                    return Ok(page);
                }
            }
        }
        page.next = more;
        Ok(page)
    }

    fn page_batch(&mut self, pass: &AuditPass, filter: &AccessFilter, span: SeqRange) -> Result<Vec<Row>, StoreError> {
        let mut rows = access_log::table
            .filter(access_log::org_id.eq(Id::from(pass.org())))
            .filter(access_log::seq.ge(span.from).and(access_log::seq.lt(span.below)))
            .order(access_log::seq.desc())
            .limit(row_limit(BATCH))
            .select(Row::as_select())
            .into_boxed();
        if !pass.with_subtree() {
            rows = rows.filter(access_log::workspace_id.eq(Id::from(pass.top())));
        }
        let AccessFilter { memory: _, run, subject, by_people, action, since, until } = filter;
        if let Some(run) = run {
            rows = rows.filter(access_log::run_id.eq(Id(*run)));
        }
        if let Some(subject) = subject {
            rows = rows.filter(access_log::subject.eq(subject));
        }
        match by_people {
            Some(true) => rows = rows.filter(access_log::role.ne(TextEnum(Role::Agent))),
            Some(false) => rows = rows.filter(access_log::role.eq(TextEnum(Role::Agent))),
            None => {}
        }
        if let Some(action) = action {
            rows = rows.filter(access_log::verb.eq(TextEnum(*action)));
        }
        if let Some(since) = since {
            rows = rows.filter(access_log::at.ge(Time(micros_from(*since))));
        }
        if let Some(until) = until {
            rows = rows.filter(access_log::at.lt(Time(micros_from(*until))));
        }
        rows.load(self.drained()?).row_context("access_log", pass.org())
    }

    /// The ranges that may contain rows with one of these memories, newest first: all unsealed rows, then the sealed
    /// ranges whose seals list one of the memories.
    fn ranges_of_memories(
        &mut self,
        org: OrgId,
        memories: &[Uuid],
        sealed: i64,
        before: i64,
    ) -> Result<Vec<SeqRange>, StoreError> {
        let org = Id::from(org);
        let ranges: Vec<(i64, i64, Vec<u8>)> = access_seals::table
            .filter(access_seals::org_id.eq(org))
            .filter(access_seals::first_seq.lt(before))
            .order(access_seals::first_seq.desc())
            .select((access_seals::first_seq, access_seals::last_seq, access_seals::named))
            .load(self.drained()?)
            .row_context("access_seals", org)?;
        let tails: Vec<[u8; 8]> = memories.iter().copied().map(tail_of).collect();
        let has_any = |named: &[u8]| tails.iter().any(|tail| named.as_chunks().0.binary_search(tail).is_ok());
        let ranges = ranges.into_iter().filter(|(.., named)| has_any(named));
        let of = |(first, last, _): (i64, i64, Vec<u8>)| SeqRange { from: first, below: before.min(last + 1) };
        let unsealed = SeqRange { from: sealed + 1, below: before };
        Ok([unsealed].into_iter().chain(ranges.map(of)).filter(|span| span.from < span.below).collect())
    }

    pub(crate) fn reads_of(&mut self, pass: &AuditPass, memories: &[Uuid]) -> Result<MemoryReads, StoreError> {
        let sealed = self.view(pass.org())?.row.sealed_seq;
        let wanted: HashSet<Uuid> = memories.iter().copied().collect();
        let mut below = Below::default();
        let mut reads = MemoryReads::default();
        let mut scanned = 0;
        for span in self.ranges_of_memories(pass.org(), memories, sealed, i64::MAX)? {
            let mut at = span.below;
            loop {
                let found = self.memory_read_batch(pass, SeqRange { from: span.from, below: at })?;
                let is_last = found.len() < BATCH;
                for (seq, verb, role, workspace, run, named) in found {
                    (at, scanned) = (seq, scanned + 1);
                    // the run of a `ReadRun` row is the run that was read, not the run of the reader
                    let run = run.filter(|_| verb.0 != AuditAction::ReadRun);
                    let named = decode_memories(&named).into_iter().filter(|(memory, _)| wanted.contains(memory));
                    let named: Vec<Uuid> = named.map(|(memory, _)| memory).collect();
                    if !named.is_empty() && self.is_covered(&mut below, pass, workspace.workspace())? {
                        for memory in named {
                            let key = (memory, workspace.workspace(), run.map(|run| run.0));
                            reads.counts.entry(key).or_default().count(role.0);
                        }
                    }
                }
                if scanned >= MAX_SCANNED {
                    reads.partial = true;
                    return Ok(reads);
                }
                if is_last {
                    break;
                }
            }
        }
        Ok(reads)
    }

    /// The newest rows of a range whose operations returned memories, at most [`BATCH`].
    fn memory_read_batch(&mut self, pass: &AuditPass, span: SeqRange) -> Result<Vec<MemoryReadRow>, StoreError> {
        let read_actions = AuditAction::ALL.iter().copied().filter(|verb| verb.shows_memories()).map(TextEnum);
        access_log::table
            .filter(access_log::org_id.eq(Id::from(pass.org())))
            .filter(access_log::seq.ge(span.from).and(access_log::seq.lt(span.below)))
            .filter(access_log::verb.eq_any(read_actions))
            .order(access_log::seq.desc())
            .limit(row_limit(BATCH))
            .select((
                access_log::seq,
                access_log::verb,
                access_log::role,
                access_log::workspace_id,
                access_log::run_id,
                access_log::memories,
            ))
            .load(self.drained()?)
            .row_context("access_log", pass.org())
    }

    pub(crate) fn is_covered(
        &mut self,
        below: &mut Below,
        pass: &AuditPass,
        workspace: WorkspaceId,
    ) -> Result<bool, StoreError> {
        if pass.is_whole() || workspace == pass.top() {
            return Ok(true);
        }
        Ok(pass.with_subtree() && self.is_below(below, pass.org(), workspace, pass.top())?)
    }

    /// Whether a workspace is in the subtree of `top`. For a removed workspace, the position of its last parent counts.
    pub(crate) fn is_below(
        &mut self,
        known: &mut Below,
        org: OrgId,
        workspace: WorkspaceId,
        top: WorkspaceId,
    ) -> Result<bool, StoreError> {
        if let Some(known) = known.0.get(&workspace) {
            return Ok(*known);
        }
        let mut at = workspace;
        let is_below = loop {
            let tree = self.tree_now(org)?;
            if tree.contains(at) {
                break tree.is_within(at, top);
            }
            drop(tree);
            match self.workspaces(org, &[at])?.pop().and_then(|row| row.parent) {
                Some(parent) if parent != at => at = parent,
                _ => break false,
            }
        };
        known.0.insert(workspace, is_below);
        Ok(is_below)
    }
}

/// Results of [`Tx::is_below`] for one `top`, by workspace.
#[derive(Default)]
pub(crate) struct Below(HashMap<WorkspaceId, bool>);
