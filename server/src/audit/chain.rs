//! The sealer: rows become part of the chain of their org within a second of their commit.
//!
//! Any server may seal any org. Two that try at once are told apart by the org's row: the store takes one seal and
//! refuses the other. So nothing is handed over when a server dies: whoever is left seals what it wrote.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::OrgId;
use orgmem_policies::VerifyPass;
use orgmem_policies::chain::{GENESIS, Link, Seal, SealKey};
use orgmem_store::{CheckedPart, ReadPlan, ReadTx, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::Anchors;
use super::rounds::Rounds;

/// How often rows are looked for.
const EVERY: Duration = Duration::from_millis(500);

/// Rows of one seal at most.
const STRETCH: usize = 5000;

/// How often old rows are looked for.
const TRIM_EVERY: Duration = Duration::from_secs(60);

/// The chains of all orgs.
pub(crate) struct Chain {
    store: Store,
    /// The first one seals, all verify.
    keys: Vec<SealKey>,
    anchors: Anchors,
    kept: Option<Duration>,
}

impl Chain {
    pub(super) fn new(store: Store, keys: Vec<SealKey>, anchors: Anchors, kept: Option<Duration>) -> Self {
        Self { store, keys, anchors, kept }
    }

    /// Seals and reclaims, now and then, until `stopping`; what was begun is ended. Neither waits for the other.
    pub(super) async fn run(&self, stopping: &CancellationToken) {
        let sealing = async {
            let mut rounds = Rounds::new();
            while rounds.until(stopping.run_until_cancelled(tokio::time::sleep(EVERY))).await.is_some() {
                let due = rounds.until(self.due()).await;
                self.begin_round(&mut rounds, due);
            }
            rounds.finish().await;
        };
        let trimming = async {
            while stopping.run_until_cancelled(tokio::time::sleep(TRIM_EVERY)).await.is_some() {
                self.trim_due().await;
            }
        };
        tokio::join!(sealing, trimming);
    }

    /// Seals what waits, of every org.
    pub(super) async fn seal_due(&self) {
        let mut rounds = Rounds::new();
        self.begin_round(&mut rounds, self.due().await);
        rounds.finish().await;
    }

    /// The orgs that have rows to seal.
    async fn due(&self) -> Vec<OrgId> {
        match self.store.read(ReadPlan::Scan, |tx| tx.orgs_to_seal()).await {
            Ok(due) => return due,
            Err(StoreError::Closed) => {}
            Err(error) => tracing::warn!(%error, "rows of the access log could not be looked for"),
        }
        Vec::new()
    }

    fn begin_round<'r>(&'r self, rounds: &mut Rounds<'r>, due: Vec<OrgId>) {
        rounds.begin(due, move |org| async move {
            match self.seal(org).await {
                Ok(()) | Err(StoreError::Closed) => {}
                Err(error) => tracing::warn!(%error, "rows of the access log could not be sealed"),
            }
        });
    }

    /// Seals what waits, of one org.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn seal(&self, org: OrgId) -> Result<(), StoreError> {
        let Some(key) = self.keys.first() else { return Ok(()) };
        loop {
            let waiting = self.store.read(ReadPlan::Scan, move |tx| tx.unsealed(org, STRETCH)).await?;
            let sealed = waiting.after.as_ref().map_or(0, |seal| seal.last);
            if self.anchors.of(org).is_some_and(|(anchored, _)| anchored > sealed) {
                // what was sealed once is not sealed anew: it is for the check to tell
                return Ok(());
            }
            let previous: Link = waiting.after.as_ref().map_or(GENESIS, |seal| seal.link);
            let Ok(seal) = Seal::of(org.uuid(), previous, &waiting.rows, key) else { return Ok(()) };
            let (last, link, is_full) = (seal.last, seal.link, waiting.rows.len() == STRETCH);
            let is_sealed = self.store.write(org, move |tx| tx.seal(&seal, &waiting)).await?;
            if is_sealed {
                self.anchors.remember(org, last, link);
            }
            if !is_full && is_sealed {
                return Ok(());
            }
        }
    }

    /// Checks a part of the chain, after the seal that is given or from the beginning.
    pub(crate) fn check(
        &self,
        tx: &mut dyn ReadTx,
        pass: &VerifyPass,
        after: Option<&Seal>,
    ) -> Result<CheckedPart, StoreError> {
        tx.check_chain(pass, after, &self.keys, self.anchors.of(pass.org()))
    }

    /// Reclaims rows that are older than the settings keep, of one org after the other.
    async fn trim_due(&self) {
        let Some(kept) = self.kept.and_then(|kept| TimeDelta::from_std(kept).ok()) else { return };
        let before = self.store.now() - kept;
        let due = match self.store.read(ReadPlan::Scan, move |tx| tx.orgs_to_trim(before)).await {
            Ok(due) => due,
            Err(error) => return tracing::warn!(%error, "old rows of the access log could not be looked for"),
        };
        for org in due {
            if let Err(error) = self.trim(org, before).await {
                tracing::warn!(%error, "old rows of the access log could not be reclaimed");
            }
        }
    }

    /// Reclaims the rows of one org that are older than `before`.
    async fn trim(&self, org: OrgId, before: DateTime<Utc>) -> Result<(), StoreError> {
        while let Some(seal) = self.store.read(ReadPlan::Scan, move |tx| tx.trimmable(org, before)).await? {
            let Some(key) = self.keys.first() else { return Ok(()) };
            let checkpoint = seal.checkpoint(org.uuid(), key);
            let rows = self.store.write(org, move |tx| tx.trim_access_log(&checkpoint)).await?;
            tracing::info!(rows, "old rows of the access log were reclaimed");
        }
        Ok(())
    }
}
