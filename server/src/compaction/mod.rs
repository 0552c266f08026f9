//! Compactions of episodes into pages: the job, requests, and the rules in effect for a workspace.

mod pace;
mod plan;

use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_compact::{Budgets, Rules};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_store::{PageChange, PageThreads, PageWork, ReadPlan, ReadTx, Store, StoreError};
use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::config::PageSettings;
use crate::providers::Providers;
pub(crate) use plan::{Plan, Tally, plan};

/// Threads of one transaction, so that commits during a compaction do not wait for long.
const MAX_THREADS: usize = 100;
/// Attempts concurrent with other writes, before the compaction of a subject runs within a write.
const ATTEMPTS: usize = 3;

/// Compacts the episodes of all orgs.
#[derive(Clone)]
pub(crate) struct Compactor {
    store: Store,
    settings: Arc<PageSettings>,
    budgets: Budgets,
    /// The start of the last round of the job on this server.
    round_at: Arc<Mutex<Option<DateTime<Utc>>>>,
    /// Notified when a run of the job has left work.
    unfinished: Arc<Notify>,
    providers: Option<Arc<Providers>>,
}

/// The rules of a workspace: the kinds that the settings, the root's default profile and its own default profile exclude.
pub(crate) fn excluded_kinds(
    settings: &PageSettings,
    tx: &mut (impl ReadTx + ?Sized),
    org: OrgId,
    workspace: WorkspaceId,
) -> Result<Rules, StoreError> {
    let of_root = tx.default_settings(org, org.root())?;
    let own = tx.default_settings(org, workspace)?;
    let kinds = settings.excluded_kinds.iter().chain(&of_root.excluded_kinds).chain(&own.excluded_kinds);
    Ok(Rules::new(settings.require_kind, kinds))
}

/// The workspace and the ids of the pages of a change.
fn pages_of(change: &PageChange) -> (WorkspaceId, Vec<Uuid>) {
    (change.work.workspace, change.pages.iter().map(|page| page.facts.id).collect())
}

impl Compactor {
    pub(crate) fn new(store: Store, settings: &PageSettings) -> Self {
        let (settings, budgets) = (Arc::new(settings.clone()), Budgets::default());
        Self { store, settings, budgets, round_at: Arc::default(), unfinished: Arc::default(), providers: None }
    }

    /// The rules of a workspace: the kinds that the server, the root's default profile and its own default profile
    /// exclude.
    pub(crate) fn rules(
        &self,
        tx: &mut (impl ReadTx + ?Sized),
        org: OrgId,
        workspace: WorkspaceId,
    ) -> Result<Rules, StoreError> {
        excluded_kinds(&self.settings, tx, org, workspace)
    }

    /// The same, with providers that learn of pages.
    pub(crate) fn with_providers(self, providers: Option<Arc<Providers>>) -> Self {
        Self { providers, ..self }
    }

    fn note(&self, org: OrgId, written: Option<(WorkspaceId, Vec<Uuid>)>) {
        if let (Some(providers), Some((workspace, pages))) = (&self.providers, written) {
            providers.note_pages(org, workspace, pages.into_iter());
        }
    }

    /// The kinds that the server excludes in every workspace.
    pub(crate) fn kinds_without_pages(&self) -> &[String] {
        &self.settings.excluded_kinds
    }

    pub(crate) fn budgets(&self) -> Budgets {
        self.budgets
    }

    fn interval(&self) -> TimeDelta {
        TimeDelta::from_std(self.settings.compact_every).unwrap_or(TimeDelta::MAX)
    }

    /// The orgs with due work, at most once in the interval of the setting.
    pub(crate) async fn due(&self, now: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        {
            let mut round_at = self.round_at.lock();
            // the first round is one interval after the start
            let last = *round_at.get_or_insert(now);
            if now - last < self.interval() {
                return Ok(Vec::new());
            }
            *round_at = Some(now);
        }
        self.store.read(ReadPlan::Scan, |tx| tx.orgs_with_page_work()).await
    }

    /// When the job has work before its interval has passed.
    pub(crate) fn unfinished(&self) -> &Notify {
        &self.unfinished
    }

    /// Compacts what is due in an org, for the time of one run of the job, and pauses while others use the store.
    pub(crate) async fn run_some(&self, org: OrgId, now: DateTime<Utc>) -> Result<(), StoreError> {
        let started = Instant::now();
        while started.elapsed() < pace::RUN {
            let (before, step) = (self.store.load().calls, Instant::now());
            if !self.step(org, None, &mut Tally::default()).await? {
                return Ok(());
            }
            let others = (self.store.load().calls - before).saturating_sub(pace::OWN_CALLS);
            tokio::time::sleep(pace::pause(step.elapsed(), others)).await;
        }
        // the rest is due at once
        *self.round_at.lock() = now.checked_sub_signed(self.interval());
        self.unfinished.notify_one();
        Ok(())
    }

    /// Compacts what is due in a part of an org. Adds the counts to `tally`.
    pub(crate) async fn run(&self, org: OrgId, only: PageThreads, tally: &mut Tally) -> Result<(), StoreError> {
        while self.step(org, Some(&only), tally).await? {}
        Ok(())
    }

    /// Compacts one subject, or some of its threads. `false` if nothing is due.
    async fn step(&self, org: OrgId, only: Option<&PageThreads>, tally: &mut Tally) -> Result<bool, StoreError> {
        for _ in 0..ATTEMPTS {
            let (compactor, within) = (self.clone(), only.cloned());
            let planned = self.store.read(ReadPlan::Scan, move |tx| match tx.page_work(org, within.as_ref())? {
                Some(work) => compactor.plan(tx, org, work).map(Some),
                None => Ok(None),
            });
            let Some(Plan { change, tally: counts }) = planned.await? else { return Ok(false) };
            let pages = pages_of(&change);
            if self.store.write(org, move |tx| tx.put_pages(org, &change)).await?.is_some() {
                tally.add(counts);
                self.note(org, Some(pages));
                return Ok(true);
            }
        }
        let (compactor, within) = (self.clone(), only.cloned());
        let done = self.store.write(org, move |tx| {
            let Some(work) = tx.page_work(org, within.as_ref())? else { return Ok(None) };
            let plan = compactor.plan(tx, org, work)?;
            let pages = pages_of(&plan.change);
            Ok::<_, StoreError>(tx.put_pages(org, &plan.change)?.map(|_| (plan.tally, pages)))
        });
        let (counts, pages) = done.await?.unzip();
        tally.add(counts.unwrap_or_default());
        self.note(org, pages);
        Ok(true)
    }

    /// The compaction of one subject, or of a part of its threads.
    pub(crate) fn plan(
        &self,
        tx: &mut (impl ReadTx + ?Sized),
        org: OrgId,
        mut work: PageWork,
    ) -> Result<Plan, StoreError> {
        work.threads.truncate(MAX_THREADS);
        plan(self, tx, org, work)
    }

    /// The compaction of one subject with all its threads, for a report.
    pub(crate) fn plan_all(
        &self,
        tx: &mut (impl ReadTx + ?Sized),
        org: OrgId,
        work: PageWork,
    ) -> Result<Plan, StoreError> {
        plan(self, tx, org, work)
    }
}
