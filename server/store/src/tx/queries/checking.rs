//! Verification of the audit log's chain, range by range, and of the unsealed rows.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::chain::{self, ChainFault, GENESIS, RowHash, Seal, SealKey};

use super::Tx;
use super::audit_log::tails;
use super::chain::{RawRow, SealRow, workspaces_of};
use crate::StoreError;
use crate::columns::Id;
use crate::contract::CheckedPart;
use crate::engine::RowContext;
use crate::schema::{access_log, access_seals};

/// Rows per call after which the check pauses, and the maximum number of rows of one range.
const MAX_CHECKED: usize = 20_000;

impl Tx<'_> {
    /// Verifies the chain range by range. `part` receives the progress.
    pub(crate) fn check_sealed_ranges(
        &mut self,
        org: OrgId,
        after: Option<&Seal>,
        keys: &[SealKey],
        anchor: Option<(i64, [u8; 32])>,
        part: &mut CheckedPart,
    ) -> Result<Result<(), ChainFault>, StoreError> {
        let mut at = after.cloned();
        part.last = at.as_ref().map_or(0, |seal| seal.last);
        if at.is_none()
            && let Some(stray) = self.raw_rows(org, i64::MIN, 0, 1)?.first()
        {
            return Ok(Err(ChainFault::Inserted(stray.seq)));
        }
        while let Some(mut row) = self.next_seal(org, at.as_ref())? {
            if part.sealed >= MAX_CHECKED {
                part.more = at;
                return Ok(Ok(()));
            }
            let named = std::mem::take(&mut row.named);
            let seal = match row.seal() {
                Ok(seal) => seal,
                Err(fault) => return Ok(Err(fault)),
            };
            let previous = match &at {
                Some(before) if seal.first == before.last.saturating_add(1) => before.link,
                None if seal.first == 1 => GENESIS,
                // a trimmed chain begins with a checkpoint, which a row of the log must record
                None if seal.is_checkpoint() => {
                    if !self.records_checkpoint(org, &seal)? {
                        return Ok(Err(ChainFault::StartMissing(seal.last)));
                    }
                    seal.previous
                }
                None => return Ok(Err(ChainFault::SealMissing(1))),
                Some(before) => return Ok(Err(ChainFault::SealMissing(before.last.saturating_add(1)))),
            };
            let rows = match self.rows_to_check(org, seal.first, seal.last)? {
                Ok(rows) => rows,
                Err(fault) => return Ok(Err(fault)),
            };
            let hashes: Vec<(i64, RowHash)> = rows.iter().map(|row| (row.seq, row.hash())).collect();
            match chain::check(org.uuid(), &previous, &seal, &hashes, keys) {
                Ok(checked) => part.sealed += checked.rows,
                Err(fault) => return Ok(Err(fault)),
            }
            if tails(rows.iter().map(|row| row.memories.as_slice())) != named
                || !self.is_noted(org, seal.first, seal.last, &workspaces_of(&rows))?
            {
                return Ok(Err(ChainFault::Seal(seal.first)));
            }
            part.last = seal.last;
            let differs = |(last, link): (i64, [u8; 32])| {
                (seal.first..=seal.last).contains(&last) && (last != seal.last || link != seal.link)
            };
            if anchor.is_some_and(differs) {
                return Ok(Err(ChainFault::Replaced(seal.last)));
            }
            at = Some(seal);
        }
        self.check_tail(org, at.as_ref(), anchor, part)
    }

    /// Verifies the unsealed rows: they must continue after the last seal, up to the counter of the org.
    fn check_tail(
        &mut self,
        org: OrgId,
        last: Option<&Seal>,
        anchor: Option<(i64, [u8; 32])>,
        part: &mut CheckedPart,
    ) -> Result<Result<(), ChainFault>, StoreError> {
        let sealed = last.map_or(0, |seal| seal.last);
        let counted = self.view(org)?.row.access_seq;
        if counted < sealed {
            return Ok(Err(ChainFault::EndMissing { last: counted, anchored: sealed }));
        }
        let unsealed = access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::seq.gt(sealed))
            .order(access_log::seq)
            .select(access_log::seq);
        let unsealed: Vec<i64> = unsealed.load(self.drained()?).row_context("access_log", org)?;
        if let Err(fault) = chain::check_order(sealed, counted, unsealed.iter().copied()) {
            return Ok(Err(fault));
        }
        part.unsealed = unsealed.len();
        part.last = sealed.max(counted);
        match anchor {
            Some((anchored, _)) if anchored > sealed => Ok(Err(ChainFault::EndMissing { last: sealed, anchored })),
            _ => Ok(Ok(())),
        }
    }

    /// The rows of one range. An unreadable row counts as changed.
    fn rows_to_check(&mut self, org: OrgId, from: i64, to: i64) -> Result<Result<Vec<RawRow>, ChainFault>, StoreError> {
        match self.raw_rows(org, from, to, MAX_CHECKED) {
            Err(StoreError::Unreadable { .. }) => {}
            rows => return Ok(Ok(rows?)),
        }
        for seq in from..=to {
            match self.raw_rows(org, seq, seq, 1) {
                Err(StoreError::Unreadable { .. }) => return Ok(Err(ChainFault::Changed(seq))),
                row => drop(row?),
            }
        }
        Ok(Err(ChainFault::Changed(from)))
    }

    fn next_seal(&mut self, org: OrgId, after: Option<&Seal>) -> Result<Option<SealRow>, StoreError> {
        access_seals::table
            .filter(access_seals::org_id.eq(Id::from(org)))
            .filter(access_seals::first_seq.gt(after.map_or(i64::MIN, |seal| seal.first)))
            .order(access_seals::first_seq)
            .select(SealRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("access_seals", org)
    }

    /// Whether a row of the log records the deletion of the rows up to the end of `checkpoint`.
    fn records_checkpoint(&mut self, org: OrgId, checkpoint: &Seal) -> Result<bool, StoreError> {
        let contexts: Vec<String> = access_log::table
            .filter(access_log::org_id.eq(Id::from(org)))
            .filter(access_log::verb.eq(AuditAction::TrimAccessLog.as_str()))
            .select(access_log::context)
            .load(self.drained()?)
            .row_context("access_log", org)?;
        let link = hex::encode(checkpoint.link);
        Ok(contexts.iter().any(|context| {
            let context: serde_json::Value = serde_json::from_str(context).unwrap_or_default();
            context["until"] == checkpoint.last && context["link"] == link.as_str()
        }))
    }
}
