//! Deletes the oldest rows of the access log, in whole sealed ranges, and the rows that depend on them.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::{max, min};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::Seal;

use super::Tx;
use super::chain::SealRow;
use super::episodes::Ids;
use crate::StoreError;
use crate::clock::first_id_at;
use crate::columns::{Id, Time};
use crate::contract::AuditRecord;
use crate::engine::RowContext;
use crate::schema::{access_log, access_seals, audit_ranges};

/// Sealed ranges that one transaction deletes.
const BATCH: i64 = 50;

impl Tx<'_> {
    pub(crate) fn oldest_sealed_ranges(
        &mut self,
        org: OrgId,
        before: DateTime<Utc>,
    ) -> Result<Option<Seal>, StoreError> {
        let seals: Vec<SealRow> = access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .order(access_seals::first_seq)
            .limit(BATCH)
            .select(SealRow::as_select())
            .load(self.drained()?)
            .row_context("access_seals", org)?;
        let old = seals.iter().take_while(|seal| seal.sealed_at.0 < before).last();
        let old = old.filter(|seal| !seal.hashes.is_empty());
        old.map(|row| row.seal().map_err(|fault| StoreError::unreadable("access_seals", org, fault))).transpose()
    }

    pub(crate) fn orgs_with_rows_from(&mut self, before: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        let old: Vec<Id> = access_log::table
            .inner_join(
                access_seals::table
                    .on(access_seals::org_id.eq(access_log::org_id).and(access_seals::first_seq.eq(access_log::seq))),
            )
            .filter(access_seals::sealed_at.lt(Time(before)))
            .select(access_log::org_id)
            .distinct()
            .load(self.drained()?)
            .row_context("access_seals", "old")?;
        Ok(old.into_iter().map(Id::org).collect())
    }

    pub(crate) fn reclaim_rows(&mut self, checkpoint: &Seal) -> Result<usize, StoreError> {
        let org = self.org;
        let until = checkpoint.last;
        let org_id = Id::from(org);
        let seals = access_seals::table.filter(access_seals::org_id.eq(org_id));
        let sealed = seals.filter(access_seals::first_seq.eq(checkpoint.first)).count();
        if sealed.get_result::<i64>(self.writing()?)? == 0 {
            return Ok(0);
        }
        let reads = self.delete_dependents(org, until)?;
        let conn = self.writing()?;
        let rows = access_log::table.filter(access_log::org_id.eq(org_id)).filter(access_log::seq.le(until));
        let deleted = diesel::delete(rows).execute(conn)?;
        diesel::delete(seals.filter(access_seals::first_seq.lt(checkpoint.first))).execute(conn)?;
        let emptied = (
            access_seals::named.eq(Vec::<u8>::new()),
            access_seals::hashes.eq(Vec::<u8>::new()),
            access_seals::key_id.eq(checkpoint.key.to_vec()),
            access_seals::mac.eq(checkpoint.mac.to_vec()),
            access_seals::removed.eq(Some(Vec::<u8>::new())),
        );
        diesel::update(seals.filter(access_seals::first_seq.eq(checkpoint.first))).set(emptied).execute(conn)?;
        let record = AuditRecord::new(AuditAction::TrimAccessLog, org.root());
        self.record(
            record
                .context_field("until", until)
                .context_field("rule", "access_log.keep_days")
                .context_field("rows", deleted)
                .context_field("episodes", reads)
                .context_field("link", hex::encode(checkpoint.link)),
        )?;
        Ok(deleted)
    }

    /// Deletes the rows that depend on log rows up to `until`: their audit ranges, and the read episodes of their time.
    /// Reads the log rows, so it must run before their deletion. Returns the number of episodes.
    fn delete_dependents(&mut self, org: OrgId, until: i64) -> Result<usize, StoreError> {
        let org = Id::from(org);
        let rows = access_log::table.filter(access_log::org_id.eq(org).and(access_log::seq.le(until)));
        let conn = self.writing()?;
        let span = rows.select((min(access_log::at), max(access_log::at)));
        let (Some(since), Some(last)) = span.first::<(Option<Time>, Option<Time>)>(conn)? else { return Ok(0) };
        let (from, below) = (first_id_at(since.0), first_id_at(last.0 + TimeDelta::microseconds(1)));
        let workspaces: Vec<Id> = rows.select(access_log::workspace_id).distinct().load(conn)?;
        let mut deleted = 0;
        for workspace in workspaces {
            let ranges = audit_ranges::table
                .filter(audit_ranges::org_id.eq(org).and(audit_ranges::workspace_id.eq(workspace)))
                .filter(audit_ranges::last_seq.le(until));
            diesel::delete(ranges).execute(self.writing()?)?;
            deleted += self.delete_reads(org, workspace, Ids { from: Id(from), below: Id(below) })?;
        }
        Ok(deleted)
    }
}
