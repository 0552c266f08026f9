//! Runs of processors: rows to facts, in short transactions. A run that ends after any of them loses nothing, because each
//! leaves what the next one needs: the last change that was read, and the groups whose facts are out of date.

mod facts;
mod plan;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_distil::{Guard, Processor};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Caller, DraftLimits, Permission, ViewPass};
use orgmem_store::{Actor, ProcessorRun, ReadPlan, ReadTx, Store, StoreError, StoredProcessor, WriteTx};

use crate::app::AppError;
use facts::{Planned, apply};
pub(crate) use facts::{retire_all, scope_of};
pub(crate) use plan::DryRun;
use plan::{assignments, planned_changes};

/// Rows of one transaction, and their bytes.
const ROWS: usize = 1_000;
const BYTES: i64 = 2 << 20;
/// Groups of one transaction. Each may write a memory.
const GROUPS: usize = 20;
/// How long a run may take. The next one continues at once.
const LONGEST: Duration = Duration::from_secs(10);
/// How long no other server begins a run after the last sign of this one.
const CLAIM: TimeDelta = TimeDelta::seconds(60);
/// Attempts to settle groups that others change meanwhile.
const ATTEMPTS: usize = 3;

/// The reports of runs name the limit that ended them.
const BY_FACTS: &str = "max_facts_per_run";
const BY_TIME: &str = "time";
const BY_CHANGES: &str = "concurrent_changes";

/// Runs the processors of all orgs.
#[derive(Clone)]
pub(crate) struct Processing {
    store: Store,
    scrubber: &'static Scrubber,
    limits: DraftLimits,
}

/// The processor of a run.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) org: OrgId,
    pub(crate) workspace: WorkspaceId,
    pub(crate) name: Arc<str>,
}

/// A run and its state between transactions.
pub(crate) struct Run {
    place: Place,
    processor: Arc<Processor>,
    collection: Arc<str>,
    read_seq: i64,
    guard: Guard,
    /// Batches in a row of which no group was as it had been read.
    missed: usize,
    actor: Option<Actor>,
    report: ProcessorRun,
}

/// What a step of a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It read rows or settled groups.
    More,
    /// Nothing is left, or a limit is reached.
    Done,
    /// Another run works on the processor now, or its definition changed.
    Lost,
}

/// The server, with the permissions of an admin; rules of scopes apply to it too.
pub(crate) fn server() -> Caller {
    Caller::system("processor")
}

fn view(tx: &mut (impl ReadTx + ?Sized), place: &Place) -> Result<ViewPass, AppError> {
    Ok(ViewPass::grant(&server(), Permission::ReadRows, &*tx.tree(place.org)?, place.workspace)?)
}

fn act(tx: &mut (impl WriteTx + ?Sized), place: &Place) -> Result<ActPass, AppError> {
    Ok(ActPass::grant(&server(), Permission::WriteRows, &*tx.tree(place.org)?, place.workspace)?)
}

/// The processor of a stored definition.
pub(crate) fn compiled(stored: &StoredProcessor) -> Result<Processor, StoreError> {
    Processor::from_json(&stored.definition).map_err(|error| StoreError::unreadable("processors", &stored.name, error))
}

impl Processing {
    pub(crate) fn new(store: Store, scrubber: &'static Scrubber, limits: DraftLimits) -> Self {
        Self { store, scrubber, limits }
    }

    /// The orgs with a due processor.
    pub(crate) async fn due(&self, now: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        self.store.read(ReadPlan::Scan, move |tx| tx.orgs_with_due_processors(now)).await
    }

    /// Runs what is due in an org. A run that another server begins first is left to it.
    pub(crate) async fn run_due(&self, org: OrgId, now: DateTime<Utc>) -> Result<(), AppError> {
        let due = self
            .store
            .read(ReadPlan::Scan, move |tx| -> Result<_, AppError> {
                let mut due = tx.due_processors(org, now)?;
                let tree = tx.tree(org)?;
                // a removed workspace has no runs
                due.retain(|(workspace, _)| tree.contains(*workspace));
                Ok(due)
            })
            .await?;
        for (workspace, name) in due {
            let place = Place { org, workspace, name: name.into() };
            match self.run(place, "schedule", None).await {
                Ok(_) | Err(AppError::NotFound { .. } | AppError::ProcessorBusy) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Runs a processor to the end, or until a limit. The report is stored.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::ProcessorBusy`] while another run works on it.
    pub(crate) async fn run(
        &self,
        place: Place,
        cause: &'static str,
        actor: Option<Actor>,
    ) -> Result<ProcessorRun, AppError> {
        let begun = Instant::now();
        let mut run = self.begin(place, cause, actor).await?;
        let outcome = loop {
            if begun.elapsed() >= LONGEST {
                run.report.capped = Some(BY_TIME.to_owned());
                break Ok(());
            }
            let working = Instant::now();
            match self.step(&mut run).await {
                Ok(Step::More) => {}
                Ok(Step::Done) => break Ok(()),
                Ok(Step::Lost) => return Err(AppError::ProcessorBusy),
                Err(AppError::Store(error)) => return Err(error.into()),
                Err(refused) => break Err(refused),
            }
            // half of the time is for others
            if cause == "schedule" {
                tokio::time::sleep(working.elapsed().min(Duration::from_millis(200))).await;
            }
        };
        if let Err(refused) = outcome {
            run.report.error = Some(refused.to_string());
        }
        self.end(run).await
    }

    /// Begins a run.
    pub(crate) async fn begin(&self, place: Place, cause: &'static str, actor: Option<Actor>) -> Result<Run, AppError> {
        let (of, org) = (place.clone(), place.org);
        let beginning = self.store.write(org, move |tx| -> Result<_, AppError> {
            let (pass, viewed) = (act(tx, &of)?, view(tx, &of)?);
            let stored = tx.processor(&viewed, &of.name)?.ok_or(AppError::PROCESSOR_NOT_FOUND)?;
            let (id, now) = (tx.new_id(), tx.now());
            if !tx.claim_processor(&pass, &of.name, id, now + CLAIM)? {
                return Err(AppError::ProcessorBusy);
            }
            Ok((stored, id, now))
        });
        let (stored, id, now) = beginning.await?;
        let processor = compiled(&stored)?;
        let report =
            ProcessorRun { id, cause: cause.to_owned(), started_at: now, ended_at: now, ..ProcessorRun::default() };
        Ok(Run {
            guard: processor.guard(),
            processor: Arc::new(processor),
            collection: stored.collection.into(),
            read_seq: stored.read_seq,
            missed: 0,
            place,
            actor,
            report,
        })
    }

    /// One transaction of a run: reads changed rows, or settles touched groups once all rows are read.
    pub(crate) async fn step(&self, run: &mut Run) -> Result<Step, AppError> {
        match self.read_rows(run).await? {
            Some(step) => Ok(step),
            None => self.settle_groups(run).await,
        }
    }

    /// Reads the next changed rows; `None` if there are none.
    async fn read_rows(&self, run: &mut Run) -> Result<Option<Step>, AppError> {
        let (place, collection, after) = (run.place.clone(), Arc::clone(&run.collection), run.read_seq);
        let rows = self
            .store
            .read(ReadPlan::Scan, move |tx| -> Result<_, AppError> {
                let pass = view(tx, &place)?;
                Ok(tx.changed_rows(&pass, &collection, after, ROWS, BYTES)?)
            })
            .await?;
        let Some(upto) = rows.last().map(|row| row.seq) else { return Ok(None) };
        let (processor, scrubber, read) = (Arc::clone(&run.processor), self.scrubber, rows.len());
        let assigned = blocking(move || assignments(&processor, scrubber, rows)).await??;
        let grouped = assigned.iter().filter(|row| row.group.is_some()).count();
        let (place, id, actor, org) = (run.place.clone(), run.report.id, run.actor.clone(), run.place.org);
        let writing = self.store.write_many(org, move |tx| -> Result<bool, AppError> {
            with_actor(tx, actor.as_ref());
            let (pass, until) = (act(tx, &place)?, tx.now() + CLAIM);
            Ok(tx.assign_rows(&pass, &place.name, id, upto, &assigned)?
                && tx.claim_processor(&pass, &place.name, id, until)?)
        });
        if !writing.await? {
            return Ok(Some(Step::Lost));
        }
        run.read_seq = upto;
        run.report.read += count(read);
        run.report.grouped += count(grouped);
        Ok(Some(Step::More))
    }

    async fn settle_groups(&self, run: &mut Run) -> Result<Step, AppError> {
        let (place, processor) = (run.place.clone(), Arc::clone(&run.processor));
        let found = self
            .store
            .read(ReadPlan::Scan, move |tx| {
                let pass = view(tx, &place)?;
                planned_changes(tx, &pass, &processor, &place.name, GROUPS)
            })
            .await?;
        if found.is_empty() {
            return Ok(Step::Done);
        }
        let mut admitted = Vec::with_capacity(found.len());
        let mut guard = run.guard;
        let mut is_capped = false;
        for (group, change) in found {
            if !guard.admit(&change) {
                is_capped = true;
                break;
            }
            admitted.push((group, change));
        }
        if admitted.is_empty() {
            run.report.capped = Some(BY_FACTS.to_owned());
            return Ok(Step::Done);
        }
        let (processor, scrubber, limits) = (Arc::clone(&run.processor), self.scrubber, self.limits);
        let now = self.store.now();
        let planned = blocking(move || -> Result<Vec<Planned>, AppError> {
            let plan = |(group, change)| Planned::new(&processor, group, change, (scrubber, limits, now));
            admitted.into_iter().map(plan).collect()
        });
        let planned = Arc::new(planned.await??);
        let (place, id, actor, org) = (run.place.clone(), run.report.id, run.actor.clone(), run.place.org);
        let writing = self.store.write_many(org, move |tx| -> Result<_, AppError> {
            with_actor(tx, actor.as_ref());
            let (pass, until) = (act(tx, &place)?, tx.now() + CLAIM);
            if !tx.claim_processor(&pass, &place.name, id, until)? {
                return Ok(None);
            }
            apply(tx, &pass, &place, id, &planned).map(Some)
        });
        let Some(done) = writing.await? else { return Ok(Step::Lost) };
        done.add_to(&mut run.report);
        run.guard = guard.returned(done.skipped_writes);
        run.missed = if done.settled == 0 { run.missed + 1 } else { 0 };
        if is_capped {
            run.report.capped = Some(BY_FACTS.to_owned());
            return Ok(Step::Done);
        }
        if run.missed >= ATTEMPTS {
            run.report.capped = Some(BY_CHANGES.to_owned());
            return Ok(Step::Done);
        }
        Ok(Step::More)
    }

    /// Ends a run and stores its report. A run that was ended by the time goes on at once, others by the schedule.
    pub(crate) async fn end(&self, run: Run) -> Result<ProcessorRun, AppError> {
        let Run { place, processor, actor, report, .. } = run;
        let org = place.org;
        let ending = self.store.write(org, move |tx| -> Result<_, AppError> {
            with_actor(tx, actor.as_ref());
            let (pass, now) = (act(tx, &place)?, tx.now());
            let report = ProcessorRun { ended_at: now, ..report.clone() };
            let is_ended_by_time = report.capped.as_deref() == Some(BY_TIME) && report.error.is_none();
            let due_at = if is_ended_by_time { now } else { next_run(&processor, report.started_at) };
            if !tx.end_processor_run(&pass, &place.name, &report, due_at)? {
                return Err(AppError::ProcessorBusy);
            }
            Ok(report)
        });
        ending.await
    }

    /// What a run would do now. Nothing is written.
    pub(crate) async fn dry_run(&self, place: Place) -> Result<DryRun, AppError> {
        let scrubber = self.scrubber;
        self.store
            .read(ReadPlan::Scan, move |tx| {
                let pass = view(tx, &place)?;
                let stored = tx.processor(&pass, &place.name)?.ok_or(AppError::PROCESSOR_NOT_FOUND)?;
                plan::dry_run(tx, &pass, &stored, &compiled(&stored)?, scrubber)
            })
            .await
    }
}

/// The first time of the schedule after an instant.
pub(crate) fn next_run(processor: &Processor, after: DateTime<Utc>) -> DateTime<Utc> {
    let next = processor.schedule().next_after(after.timestamp_micros());
    // a checked schedule always has a next time
    next.and_then(DateTime::from_timestamp_micros).unwrap_or(after + TimeDelta::days(1))
}

fn with_actor(tx: &mut (impl WriteTx + ?Sized), actor: Option<&Actor>) {
    if let Some(actor) = actor {
        tx.set_actor(actor.clone());
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(StoreError::Closed),
    }
}

pub(crate) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
