//! The chain: rows become part of the chain of their org within a second of their commit.
//!
//! Any server may seal any org. Where two servers seal at once, the store accepts one seal and refuses the other.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt, stream};
use orgmem_hierarchy::OrgId;
use orgmem_policies::VerifyPass;
use orgmem_policies::chain::{GENESIS, Link, Seal, SealKey, check};
use orgmem_store::{CheckedPart, ReadPlan, ReadTx, SealedRange, Store, StoreError};

use super::{Anchors, CLOSED_AT_ONCE};
use crate::config::AccessLogSettings;

/// Rows of one seal at most.
const SEALED_ROWS: usize = 5000;

/// The chains of all orgs.
pub(crate) struct Chain {
    store: Store,
    /// The first one seals, all verify.
    keys: Vec<SealKey>,
    anchors: Anchors,
    retention: Option<Duration>,
    read_retention: Option<Duration>,
}

impl Chain {
    pub(super) fn new(store: Store, keys: Vec<SealKey>, anchors: Anchors, settings: &AccessLogSettings) -> Self {
        let (retention, read_retention) = (settings.retention, settings.read_retention);
        Self { store, keys, anchors, retention, read_retention }
    }

    /// Seals all rows that wait.
    pub(super) async fn close(&self) {
        let due = self.orgs_to_seal().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "orgs with unsealed rows could not be read");
            Vec::new()
        });
        let sealing = stream::iter(due).for_each_concurrent(CLOSED_AT_ONCE, |org| async move {
            if let Err(error) = self.seal(org).await {
                tracing::warn!(%error, "rows of the access log could not be sealed");
            }
        });
        sealing.await;
    }

    /// Orgs with rows that are not sealed.
    pub(crate) async fn orgs_to_seal(&self) -> Result<Vec<OrgId>, StoreError> {
        self.store.read(ReadPlan::Scan, |tx| tx.orgs_to_seal()).await
    }

    /// Orgs with rows past their retention.
    pub(crate) async fn orgs_to_trim(&self) -> Result<Vec<OrgId>, StoreError> {
        let Some(before) = self.before(self.retention) else { return Ok(Vec::new()) };
        self.store.read(ReadPlan::Scan, move |tx| tx.orgs_to_trim(before)).await
    }

    /// Orgs that may have rows of reads past their retention.
    pub(crate) async fn orgs_with_reads(&self) -> Result<Vec<OrgId>, StoreError> {
        match self.read_retention {
            Some(_) => self.store.read(ReadPlan::Scan, |tx| tx.orgs_with_seals()).await,
            None => Ok(Vec::new()),
        }
    }

    fn before(&self, retention: Option<Duration>) -> Option<DateTime<Utc>> {
        let retention = retention.and_then(|retention| TimeDelta::from_std(retention).ok())?;
        Some(self.store.now() - retention)
    }

    /// Seals the rows of one org that wait.
    pub(crate) async fn seal(&self, org: OrgId) -> Result<(), StoreError> {
        let Some(key) = self.keys.first() else { return Ok(()) };
        loop {
            let waiting = self.store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, SEALED_ROWS)).await?;
            let sealed = waiting.after.as_ref().map_or(0, |seal| seal.last);
            if self.anchors.of(org).is_some_and(|(anchored, _)| anchored > sealed) {
                // sealed rows are missing: the check reports that, and a new seal would hide it
                return Ok(());
            }
            let previous: Link = waiting.after.as_ref().map_or(GENESIS, |seal| seal.link);
            let Ok(seal) = Seal::of(org.uuid(), previous, &waiting.rows, key) else { return Ok(()) };
            let (last, link, is_full) = (seal.last, seal.link, waiting.rows.len() == SEALED_ROWS);
            let is_sealed = self.store.write(org, move |tx| tx.seal(&seal, &waiting)).await?;
            if is_sealed {
                self.anchors.remember(org, last, link);
            }
            if !is_full && is_sealed {
                return Ok(());
            }
        }
    }

    /// Checks a part of the chain, from the row after the seal `after` or from the beginning.
    pub(crate) fn check(
        &self,
        tx: &mut dyn ReadTx,
        pass: &VerifyPass,
        after: Option<&Seal>,
    ) -> Result<CheckedPart, StoreError> {
        tx.check_chain(pass, after, &self.keys, self.anchors.of(pass.org()))
    }

    /// Deletes the rows of one org that are past their retention.
    pub(crate) async fn trim(&self, org: OrgId) -> Result<(), StoreError> {
        let (Some(before), Some(key)) = (self.before(self.retention), self.keys.first()) else { return Ok(()) };
        while let Some(seal) = self.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await? {
            let checkpoint = seal.checkpoint(org.uuid(), key);
            let rows = self.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await?;
            tracing::info!(rows, "deleted old rows of the access log");
        }
        Ok(())
    }

    /// Deletes the rows of reads of one org that are past their retention. A range that differs from its seal stays as it
    /// is: the verification reports it.
    pub(crate) async fn trim_reads(&self, org: OrgId) -> Result<(), StoreError> {
        let (Some(before), Some(key)) = (self.before(self.read_retention), self.keys.first()) else { return Ok(()) };
        let mut after = i64::MIN;
        loop {
            let ranges = self.store.read(ReadPlan::Scan, move |tx| tx.old_reads(org, before, after)).await?;
            let Some(last) = ranges.last() else { return Ok(()) };
            after = last.seal.first;
            let mut seals = Vec::with_capacity(ranges.len());
            for SealedRange { seal, rows, reads } in ranges {
                match check(org.uuid(), &seal.previous, &seal, &rows, &self.keys) {
                    Ok(_) if reads.is_empty() => seals.push(seal),
                    Ok(_) => seals.push(seal.without(org.uuid(), reads, key)),
                    Err(fault) => tracing::warn!(%fault, "old rows of reads were not deleted"),
                }
            }
            let rows = self.store.write(org, move |tx| tx.trim_reads(&seals)).await?;
            if rows > 0 {
                tracing::info!(rows, "deleted old rows of reads of the access log");
            }
        }
    }
}
