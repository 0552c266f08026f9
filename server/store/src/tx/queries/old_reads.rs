//! Deletes old rows of reads from the sealed ranges of the access log. Their hashes remain, so the chain can still be
//! verified; the rows of writes remain too.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::Seal;

use super::audit_log::tails;
use super::chain::SealRow;
use super::episodes::Ids;
use super::{Condition, Tx};
use crate::StoreError;
use crate::clock::first_id_at;
use crate::columns::{Id, Time};
use crate::contract::{AuditRecord, SealedRange};
use crate::engine::RowContext;
use crate::schema::{access_log, access_seals, orgs};

/// Sealed ranges of one transaction at most.
const BATCH: i64 = 200;

/// Rows of one transaction, if it has more than one sealed range.
const MAX_ROWS: usize = 10_000;

/// Numbers per statement.
const CHUNK: usize = 1_000;

/// The condition of the partial index.
const NOT_LOOKED_THROUGH: &str = "removed IS NULL";

impl Tx<'_> {
    pub(crate) fn orgs_with_seals(&mut self) -> Result<Vec<OrgId>, StoreError> {
        let sealed: Vec<Id> = orgs::table
            .filter(orgs::sealed_seq.gt(0))
            .select(orgs::org_id)
            .load(self.drained()?)
            .row_context("orgs", "sealed")?;
        Ok(sealed.into_iter().map(Id::org).collect())
    }

    pub(crate) fn old_reads(
        &mut self,
        org: OrgId,
        before: DateTime<Utc>,
        after: i64,
    ) -> Result<Vec<SealedRange>, StoreError> {
        let seals: Vec<SealRow> = access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .filter(Condition(NOT_LOOKED_THROUGH))
            .filter(access_seals::first_seq.gt(after))
            .order(access_seals::first_seq)
            .limit(BATCH)
            .select(SealRow::as_select())
            .load(self.drained()?)
            .row_context("access_seals", org)?;
        let (mut ranges, mut count) = (Vec::new(), 0);
        for row in seals.iter().take_while(|row| row.sealed_at.0 < before) {
            let seal = row.seal().map_err(|fault| StoreError::unreadable("access_seals", org, fault))?;
            count += seal.hashes.len();
            if !ranges.is_empty() && count > MAX_ROWS {
                break;
            }
            let rows = match seal.is_checkpoint() {
                true => Vec::new(),
                false => self.raw_rows(org, seal.first, seal.last, usize::MAX)?,
            };
            let is_read = |verb: &str| verb.parse::<AuditAction>().is_ok_and(AuditAction::is_read);
            let reads = rows.iter().filter(|row| is_read(&row.verb)).map(|row| row.seq).collect();
            ranges.push(SealedRange { seal, rows: rows.iter().map(|row| (row.seq, row.hash())).collect(), reads });
        }
        Ok(ranges)
    }

    pub(crate) fn trim_reads(&mut self, seals: &[Seal]) -> Result<usize, StoreError> {
        let org = self.org;
        let org_id = Id::from(org);
        let (mut rows, mut reads) = (0, 0);
        for seal in seals {
            let key = (org_id, seal.first);
            let is_unchanged = access_seals::table
                .find(key)
                .filter(Condition(NOT_LOOKED_THROUGH))
                .filter(access_seals::link.eq(seal.link.to_vec()))
                .count();
            if is_unchanged.get_result::<i64>(self.writing()?)? == 0 {
                continue;
            }
            for removed in seal.removed.chunks(CHUNK) {
                reads += self.delete_read_episodes(org_id, removed)?;
                let old =
                    access_log::table.filter(access_log::org_id.eq(org_id)).filter(access_log::seq.eq_any(removed));
                rows += diesel::delete(old).execute(self.writing()?)?;
            }
            let removed: Vec<u8> = seal.removed.iter().flat_map(|seq| seq.to_be_bytes()).collect();
            let row = diesel::update(access_seals::table.find(key));
            if seal.removed.is_empty() {
                row.set(access_seals::removed.eq(Some(removed))).execute(self.writing()?)?;
                continue;
            }
            let left = self.raw_rows(org, seal.first, seal.last, usize::MAX)?;
            let set = (
                access_seals::named.eq(tails(left.iter().map(|row| row.memories.as_slice()))),
                access_seals::key_id.eq(seal.key.to_vec()),
                access_seals::mac.eq(seal.mac.to_vec()),
                access_seals::removed.eq(Some(removed)),
            );
            row.set(set).execute(self.writing()?)?;
        }
        if rows > 0 {
            let record = AuditRecord::new(AuditAction::TrimAccessLog, org.root())
                .context_field("until", seals.last().map(|seal| seal.last))
                .context_field("rule", "access_log.keep_read_days")
                .context_field("rows", rows)
                .context_field("episodes", reads);
            self.record(record)?;
        }
        Ok(rows)
    }

    /// Deletes the episodes of these reads: those of their workspaces and of their time. Returns their number.
    fn delete_read_episodes(&mut self, org: Id, rows: &[i64]) -> Result<usize, StoreError> {
        let conn = self.writing()?;
        let times: Vec<(Id, Time)> = access_log::table
            .filter(access_log::org_id.eq(org))
            .filter(access_log::seq.eq_any(rows))
            .select((access_log::workspace_id, access_log::at))
            .distinct()
            .load(conn)
            .row_context("access_log", "old reads")?;
        let mut deleted = 0;
        for (workspace, at) in times {
            let (from, below) = (first_id_at(at.0), first_id_at(at.0 + TimeDelta::milliseconds(1)));
            deleted += self.delete_reads(org, workspace, Ids { from: Id(from), below: Id(below) })?;
        }
        Ok(deleted)
    }
}
