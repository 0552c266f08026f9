//! The hash chain of the audit log: stored rows and seals, and sealing.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::chain::{self, ChainFault, RowHash, Seal, SealKey};
use orgmem_policies::{AuditPass, VerifyPass};
use uuid::Uuid;

use super::Tx;
use super::audit_log::tails;
use crate::StoreError;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{AccessFilter, AccessPage, CheckedPart, MemoryReads, PendingAuditEntry, Unsealed};
use crate::engine::RowContext;
use crate::schema::{access_log, access_seals, orgs};

/// A row of `access_seals`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = access_seals)]
pub(crate) struct SealRow {
    org_id: Id,
    pub(crate) first_seq: i64,
    pub(crate) last_seq: i64,
    pub(crate) named: Vec<u8>,
    pub(crate) hashes: Vec<u8>,
    previous: Vec<u8>,
    link: Vec<u8>,
    key_id: Vec<u8>,
    mac: Vec<u8>,
    pub(crate) sealed_at: Time,
    /// None in a range that was not looked through for old reads.
    removed: Option<Vec<u8>>,
}

/// A row of `access_log` as stored text and bytes, which are hashed without interpretation.
#[derive(Queryable, Selectable)]
#[diesel(table_name = access_log)]
pub(crate) struct RawRow {
    org_id: Id,
    pub(crate) seq: i64,
    at: Time,
    pub(crate) verb: String,
    subject: String,
    role: String,
    token_id: Option<Id>,
    workspace_id: Id,
    run_id: Option<Id>,
    content_hash: Option<Vec<u8>>,
    pub(crate) memories: Vec<u8>,
    context: String,
}

impl RawRow {
    pub(crate) fn hash(&self) -> RowHash {
        chain::ChainRow {
            org: self.org_id.0,
            at: self.at.0,
            verb: &self.verb,
            subject: &self.subject,
            role: &self.role,
            token: self.token_id.map(|Id(id)| id),
            workspace: self.workspace_id.0,
            run: self.run_id.map(|Id(id)| id),
            content_hash: self.content_hash.as_deref(),
            memories: &self.memories,
            context: &self.context,
        }
        .hash()
    }
}

pub(crate) fn workspaces_of(rows: &[RawRow]) -> BTreeSet<Uuid> {
    rows.iter().map(|row| row.workspace_id.0).collect()
}

impl SealRow {
    fn new(org: Id, seal: &Seal, named: &[u8], sealed_at: Time) -> Self {
        Self {
            org_id: org,
            first_seq: seal.first,
            last_seq: seal.last,
            named: named.to_vec(),
            hashes: seal.hashes.concat(),
            previous: seal.previous.to_vec(),
            link: seal.link.to_vec(),
            key_id: seal.key.to_vec(),
            mac: seal.mac.to_vec(),
            sealed_at,
            removed: None,
        }
    }

    fn removed_rows(&self) -> Option<Vec<i64>> {
        let (rows, rest) = self.removed.as_deref().unwrap_or_default().as_chunks::<8>();
        rest.is_empty().then(|| rows.iter().map(|seq| i64::from_be_bytes(*seq)).collect())
    }

    /// Decodes the seal. A malformed seal counts as changed.
    pub(crate) fn seal(&self) -> Result<Seal, ChainFault> {
        let changed = |_| ChainFault::Seal(self.first_seq);
        let (hashes, rest) = self.hashes.as_chunks::<32>();
        if !rest.is_empty() {
            return Err(ChainFault::Seal(self.first_seq));
        }
        Ok(Seal {
            first: self.first_seq,
            last: self.last_seq,
            hashes: hashes.to_vec(),
            previous: self.previous.as_slice().try_into().map_err(changed)?,
            link: self.link.as_slice().try_into().map_err(changed)?,
            key: self.key_id.as_slice().try_into().map_err(changed)?,
            mac: self.mac.as_slice().try_into().map_err(changed)?,
            removed: self.removed_rows().ok_or(ChainFault::Seal(self.first_seq))?,
        })
    }
}

impl Tx<'_> {
    pub(crate) fn access_rows(
        &mut self,
        pass: &AuditPass,
        filter: &AccessFilter,
        before: Option<i64>,
        limit: usize,
    ) -> Result<AccessPage, StoreError> {
        self.access_page(pass, filter, before, limit)
    }

    pub(crate) fn memory_reads(&mut self, pass: &AuditPass, memories: &[Uuid]) -> Result<MemoryReads, StoreError> {
        self.reads_of(pass, memories)
    }

    pub(crate) fn orgs_to_seal(&mut self) -> Result<Vec<OrgId>, StoreError> {
        let due = orgs::table.filter(orgs::access_seq.gt(orgs::sealed_seq)).select(orgs::org_id);
        let due: Vec<Id> = due.load(self.drained()?).row_context("orgs", "to seal")?;
        Ok(due.into_iter().map(Id::org).collect())
    }

    pub(crate) fn unsealed(&mut self, org: OrgId, most: usize) -> Result<Unsealed, StoreError> {
        let after = match self.last_seal(org)? {
            None => None,
            Some(row) => Some(row.seal().map_err(|fault| StoreError::unreadable("access_seals", org, fault))?),
        };
        let sealed = after.as_ref().map_or(0, |seal| seal.last);
        // sealed rows are never sealed again; the check reports missing seals
        if sealed != self.view(org)?.row.sealed_seq {
            return Ok(Unsealed { after, ..Unsealed::default() });
        }
        let first = sealed + 1;
        let mut rows = self.raw_rows(org, first, i64::MAX, most)?;
        // rows after a gap are not sealed; the check reports the gap
        let consecutive = rows.iter().zip(first..).take_while(|(row, seq)| row.seq == *seq).count();
        rows.truncate(consecutive);
        let named = tails(rows.iter().map(|row| row.memories.as_slice()));
        let workspaces = workspaces_of(&rows);
        let used = self.tokens_used(org, rows.iter().filter_map(|row| Some((row.token_id?, row.at))))?;
        Ok(Unsealed { after, rows: rows.iter().map(|row| (row.seq, row.hash())).collect(), named, workspaces, used })
    }

    pub(crate) fn check_chain(
        &mut self,
        pass: &VerifyPass,
        after: Option<&Seal>,
        keys: &[SealKey],
        anchor: Option<(i64, [u8; 32])>,
    ) -> Result<CheckedPart, StoreError> {
        let mut part = CheckedPart { sealed: 0, unsealed: 0, last: 0, more: None, fault: None };
        let checked = self.check_sealed_ranges(pass.org(), after, keys, anchor, &mut part)?;
        part.fault = checked.err();
        Ok(part)
    }

    pub(crate) fn trimmable(&mut self, org: OrgId, before: DateTime<Utc>) -> Result<Option<Seal>, StoreError> {
        self.oldest_sealed_ranges(org, before)
    }

    pub(crate) fn orgs_to_trim(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        self.orgs_with_rows_from(before)
    }

    fn last_seal(&mut self, org: OrgId) -> Result<Option<SealRow>, StoreError> {
        access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .order(access_seals::first_seq.desc())
            .select(SealRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("access_seals", org)
    }

    pub(crate) fn raw_rows(&mut self, org: OrgId, from: i64, to: i64, most: usize) -> Result<Vec<RawRow>, StoreError> {
        access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::seq.ge(from).and(access_log::seq.le(to)))
            .order(access_log::seq)
            .limit(row_limit(most))
            .select(RawRow::as_select())
            .load(self.drained()?)
            .row_context("access_log", org)
    }

    pub(crate) fn seal(&mut self, seal: &Seal, sealed: &Unsealed) -> Result<bool, StoreError> {
        let org = self.org;
        let last = self.last_seal(org)?;
        let follows = match &last {
            None => seal.first == 1,
            Some(last) => seal.first == last.last_seq.saturating_add(1) && last.link == seal.previous,
        };
        if !follows {
            return Ok(false);
        }
        let row = SealRow::new(org.into(), seal, &sealed.named, Time(self.now));
        diesel::insert_into(access_seals::table).values(&row).execute(self.writing()?)?;
        self.add_sealed_range(org, seal.first, seal.last, &sealed.workspaces)?;
        self.note_use(org, &sealed.used)?;
        self.view(org)?.changes.row_delta.seal(seal.last);
        Ok(true)
    }

    pub(crate) fn append_audit_entries(&mut self, entries: &[PendingAuditEntry]) -> Result<(), StoreError> {
        for PendingAuditEntry { actor, at, record } in entries {
            let at = Time(crate::columns::whole_micros(*at));
            // a workspace that was removed since then may be purged, so it gets no episode
            if record.episode.is_some() && self.tree_now(self.org)?.contains(record.workspace) {
                self.note(at, record)?;
            }
            self.record_by(actor, at, record)?;
            self.open_reviews(&record.differences)?;
        }
        self.note_uses(entries)
    }

    pub(crate) fn trim_access_log(&mut self, checkpoint: &Seal) -> Result<usize, StoreError> {
        self.reclaim_rows(checkpoint)
    }
}
