//! Reclaiming the oldest rows of the access log, whole stretches at a time, and what goes with them.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::{max, min};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::Seal;

use super::Tx;
use super::audit_records::MEMORY_READ;
use super::chain::SealRow;
use crate::StoreError;
use crate::clock::first_id_at;
use crate::columns::{Id, Time};
use crate::contract::AuditRecord;
use crate::engine::RowContext;
use crate::schema::{access_log, access_seals, audit_ranges, episodes};

/// Stretches that are reclaimed in one go.
const TRIMMED: i64 = 50;

impl Tx<'_> {
    pub(crate) fn oldest_stretches(&mut self, org: OrgId, before: DateTime<Utc>) -> Result<Option<Seal>, StoreError> {
        let seals: Vec<SealRow> = access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .order(access_seals::first_seq)
            .limit(TRIMMED)
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
        let mine = access_seals::table.filter(access_seals::org_id.eq(org_id));
        let there = mine.filter(access_seals::first_seq.eq(checkpoint.first)).count();
        if there.get_result::<i64>(self.writing()?)? == 0 {
            return Ok(0);
        }
        self.forget_with_rows(org, until)?;
        let conn = self.writing()?;
        let rows = access_log::table.filter(access_log::org_id.eq(org_id)).filter(access_log::seq.le(until));
        let gone = diesel::delete(rows).execute(conn)?;
        diesel::delete(mine.filter(access_seals::first_seq.lt(checkpoint.first))).execute(conn)?;
        let emptied = (
            access_seals::named.eq(Vec::<u8>::new()),
            access_seals::hashes.eq(Vec::<u8>::new()),
            access_seals::key_id.eq(checkpoint.key.to_vec()),
            access_seals::mac.eq(checkpoint.mac.to_vec()),
        );
        diesel::update(mine.filter(access_seals::first_seq.eq(checkpoint.first))).set(emptied).execute(conn)?;
        let record = AuditRecord::new(AuditAction::TrimAccessLog, org.root());
        self.record(
            record
                .context_field("until", until)
                .context_field("rows", gone)
                .context_field("link", hex::encode(checkpoint.link)),
        )?;
        Ok(gone)
    }

    /// Forgets what goes with rows that are about to be reclaimed, those up to `until`: where they are, and the episodes
    /// of reads of their time.
    fn forget_with_rows(&mut self, org: OrgId, until: i64) -> Result<(), StoreError> {
        let org = Id::from(org);
        let conn = self.writing()?;
        let gone = access_log::table.filter(access_log::org_id.eq(org).and(access_log::seq.le(until)));
        let span = gone.select((min(access_log::at), max(access_log::at)));
        let (Some(since), Some(last)) = span.first::<(Option<Time>, Option<Time>)>(conn)? else { return Ok(()) };
        let (from, below) = (first_id_at(since.0), first_id_at(last.0 + TimeDelta::microseconds(1)));
        let theirs: Vec<Id> = gone.select(access_log::workspace_id).distinct().load(conn)?;
        for workspace in theirs {
            let ranges = audit_ranges::table
                .filter(audit_ranges::org_id.eq(org).and(audit_ranges::workspace_id.eq(workspace)))
                .filter(audit_ranges::last_seq.le(until));
            diesel::delete(ranges).execute(conn)?;
            let reads = episodes::table
                .filter(episodes::org_id.eq(org).and(episodes::workspace_id.eq(workspace)))
                .filter(episodes::id.ge(Id(from)).and(episodes::id.lt(Id(below))))
                .filter(episodes::activity_type.eq(MEMORY_READ));
            diesel::delete(reads).execute(conn)?;
        }
        Ok(())
    }
}
