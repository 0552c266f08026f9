//! The work of a server outside requests: [`JOBS`] lists all of it.
//!
//! Servers on one database do not divide the work. A job that runs [`AnyByOrgRow`](RunsOn::AnyByOrgRow) may run on all
//! of them at once: its writes lock the row of the org and check there that the work is still due. So another server
//! continues when one dies.

mod check_disk;
mod embed_memories;
mod rounds;
mod runner;

pub(crate) use check_disk::{Disk, DiskShortage};
pub(crate) use embed_memories::EmbedMemories;
pub(crate) use runner::{JobError, Jobs};

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use orgmem_hierarchy::OrgId;
use orgmem_store::{Clock, Store, StoreError};

use crate::app::{AppError, sweep_plugin_namespaces};
use crate::audit::AccessLog;
use crate::auth::Auth;
use crate::compaction::Compactor;
use crate::extraction::Extraction;
use crate::processing::Processing;
use crate::providers::Providers;
use runner::{Job, Progress, RunsOn, Work};

/// Maximum number of concurrent orgs of a job: enough to share commits, and a small part of the write queue of the
/// store.
const MANY: usize = 64;

/// Changes of the index that are written at once.
const SEGMENT_CHANGES: usize = 2_000;

/// Pause after a failed read of the key set of the identity provider.
const RETRY_KEYS: Duration = Duration::from_secs(30);

/// The state that the jobs share.
pub(crate) struct JobContext {
    pub(crate) store: Store,
    pub(crate) auth: Arc<Auth>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) access: AccessLog,
    pub(crate) embedding: Option<EmbedMemories>,
    pub(crate) disk: Option<Arc<Disk>>,
    pub(crate) compactor: Compactor,
    pub(crate) processing: Processing,
    pub(crate) extraction: Extraction,
    pub(crate) providers: Option<Arc<Providers>>,
    pub(crate) event_retention: Duration,
    pub(crate) run_retention: Duration,
    pub(crate) session_idle: Duration,
}

/// All jobs of a server.
pub(crate) static JOBS: [Job<JobContext>; 19] = [
    Job {
        name: "check_disk",
        does: "measures the free space of the data folder, where the database is embedded",
        every: Duration::from_secs(10),
        runs_on: RunsOn::EveryServer,
        work: Work::Whole(|cx| async { cx.check_disk() }.boxed()),
    },
    Job {
        name: "refresh_keys",
        does: "reads the key set of the identity provider again",
        every: Duration::from_secs(300),
        runs_on: RunsOn::EveryServer,
        work: Work::Whole(|cx| async { cx.refresh_keys().await }.boxed()),
    },
    Job {
        name: "write_reads",
        does: "writes the audit rows of reads that this server has answered, sooner when there are many",
        every: Duration::from_millis(200),
        runs_on: RunsOn::EveryServer,
        work: Work::PerOrg {
            at_once: MANY,
            wake: Some(|cx| cx.access.reads.many()),
            due: |cx| async { Ok(cx.access.reads.orgs()) }.boxed(),
            run: |cx, org| done(cx.access.reads.write(org)).boxed(),
        },
    },
    Job {
        name: "seal_access_log",
        does: "adds new rows of the access log to the chain of their org",
        every: Duration::from_millis(500),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: MANY,
            wake: None,
            due: |cx| async { Ok(cx.access.chain.orgs_to_seal().await?) }.boxed(),
            run: |cx, org| done(cx.access.chain.seal(org)).boxed(),
        },
    },
    Job {
        name: "trim_access_log",
        does: "deletes rows of the access log that are older than `access_log.keep_days`",
        every: Duration::from_secs(60),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 1,
            wake: None,
            due: |cx| async { Ok(cx.access.chain.orgs_to_trim().await?) }.boxed(),
            run: |cx, org| done(cx.access.chain.trim(org)).boxed(),
        },
    },
    Job {
        name: "trim_reads",
        does: "deletes rows of reads of the access log that are older than `access_log.keep_read_days`",
        every: Duration::from_secs(3600),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 1,
            wake: None,
            due: |cx| async { Ok(cx.access.chain.orgs_with_reads().await?) }.boxed(),
            run: |cx, org| done(cx.access.chain.trim_reads(org)).boxed(),
        },
    },
    Job {
        name: "sweep_expired",
        does: "reclaims expired rows: memories, versions, entries, tokens, responses; ends runs that timed out",
        every: Duration::from_secs(60),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { swept(cx.store.sweep().await?) }.boxed()),
    },
    Job {
        name: "sweep_plugin_namespaces",
        does: "erases expired namespaces of the memory-plugin contract",
        every: Duration::from_secs(60),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { cx.sweep_plugin_namespaces().await }.boxed()),
    },
    Job {
        name: "sweep_events",
        does: "deletes events that are older than `events.keep_seconds`",
        every: Duration::from_secs(60),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { swept(cx.store.sweep_events(cx.event_retention).await?) }.boxed()),
    },
    Job {
        name: "sweep_runs",
        does: "deletes runs that ended longer ago than `runs.keep_seconds`",
        every: Duration::from_secs(60),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { swept(cx.store.sweep_runs(cx.run_retention).await?) }.boxed()),
    },
    Job {
        name: "end_idle_sessions",
        does: "ends sessions in which nothing happened for `sessions.idle_seconds`, with their session-only memories",
        every: Duration::from_secs(60),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { swept(cx.store.end_idle_sessions(cx.session_idle).await?) }.boxed()),
    },
    Job {
        name: "store_segments",
        does: "writes changes of the search index into segments, which a search after a start reads",
        every: Duration::from_secs(1),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 2,
            wake: None,
            due: |cx| async { Ok(cx.store.orgs_to_segment().await?) }.boxed(),
            run: |cx, org| one_step(cx.store.store_segments(org, SEGMENT_CHANGES)).boxed(),
        },
    },
    Job {
        name: "store_texts",
        does: "writes texts of episodes and memories into blocks, where session-search read many rows",
        every: Duration::from_secs(1),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 2,
            wake: None,
            due: |cx| async { Ok(cx.store.orgs_with_texts_due().await?) }.boxed(),
            run: |cx, org| one_step(cx.store.store_texts(org)).boxed(),
        },
    },
    Job {
        name: "embed_memories",
        does: "embeds memories that the embedder has not seen, where there is an embedder",
        every: Duration::from_millis(500),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { cx.embed_memories().await }.boxed()),
    },
    Job {
        name: "compact_pages",
        does: "compacts new, changed and ageing episodes into pages, every `pages.compact_seconds`",
        every: Duration::from_secs(5),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 1,
            wake: Some(|cx| cx.compactor.unfinished()),
            due: |cx| async { Ok(cx.compactor.due(cx.clock.now()).await?) }.boxed(),
            run: |cx, org| done(cx.compactor.run_some(org, cx.clock.now())).boxed(),
        },
    },
    Job {
        name: "run_processors",
        does: "runs the processors that are due by their schedules, one server at a time",
        every: Duration::from_secs(5),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 4,
            wake: None,
            due: |cx| async { Ok(cx.processing.due(cx.clock.now()).await?) }.boxed(),
            run: |cx, org| done(cx.run_processors(org)).boxed(),
        },
    },
    Job {
        name: "extract_facts",
        does: "lets the language model state the facts of turns, and stores those that are grounded",
        every: Duration::from_secs(1),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::PerOrg {
            at_once: 4,
            wake: None,
            due: |cx| async { Ok(cx.extraction.due(cx.clock.now()).await?) }.boxed(),
            run: |cx, org| done(cx.extract_facts(org)).boxed(),
        },
    },
    Job {
        name: "queue_for_providers",
        does: "moves what happened on shadowed surfaces to the outboxes of their providers",
        every: Duration::from_millis(200),
        runs_on: RunsOn::EveryServer,
        work: Work::Whole(|cx| async { cx.queue_for_providers().await }.boxed()),
    },
    Job {
        name: "send_to_providers",
        does: "sends the outboxes of providers, and compares their answers with the built-in ones",
        every: Duration::from_millis(200),
        runs_on: RunsOn::AnyByOrgRow,
        work: Work::Whole(|cx| async { cx.send_to_providers().await }.boxed()),
    },
];

impl JobContext {
    async fn refresh_keys(&self) -> Result<(), JobError> {
        self.auth.refresh(self.clock.now()).await.map_err(|error| JobError::of(error).retry_after(RETRY_KEYS))
    }

    fn check_disk(&self) -> Result<(), JobError> {
        let Some(disk) = &self.disk else { return Ok(()) };
        let before = disk.shortage();
        disk.measure().map_err(JobError::of)?;
        match (before, disk.shortage()) {
            (None, Some(DiskShortage { free_bytes, .. })) => {
                tracing::warn!(free_bytes, "the disk is almost full; the server is not ready");
            }
            (Some(_), None) => tracing::info!(free_bytes = disk.free_bytes(), "the disk has space again"),
            _ => {}
        }
        Ok(())
    }

    async fn sweep_plugin_namespaces(&self) -> Result<(), JobError> {
        match sweep_plugin_namespaces(&self.store).await {
            Ok(rows) => swept(rows),
            Err(AppError::Store(error)) => Err(error.into()),
            Err(error) => Err(JobError::of(error)),
        }
    }

    async fn run_processors(&self, org: OrgId) -> Result<(), JobError> {
        match self.processing.run_due(org, self.clock.now()).await {
            Ok(()) => Ok(()),
            Err(AppError::Store(error)) => Err(error.into()),
            Err(error) => Err(JobError::of(error)),
        }
    }

    async fn extract_facts(&self, org: OrgId) -> Result<(), JobError> {
        match self.extraction.run_due(org, self.clock.now()).await {
            Ok(()) => Ok(()),
            Err(AppError::Store(error)) => Err(error.into()),
            Err(error) => Err(JobError::of(error)),
        }
    }

    async fn queue_for_providers(&self) -> Result<(), JobError> {
        match &self.providers {
            Some(providers) => Ok(providers.queue_notices().await?),
            None => Ok(()),
        }
    }

    async fn send_to_providers(&self) -> Result<(), JobError> {
        match &self.providers {
            Some(providers) => Ok(providers.send().await?),
            None => Ok(()),
        }
    }

    async fn embed_memories(&self) -> Result<(), JobError> {
        match &self.embedding {
            Some(embedding) => embedding.run().await,
            None => Ok(()),
        }
    }
}

/// A step of work for an org, which returns whether there is more, and a pause as long as the step, so that a large
/// backlog takes at most half of a processor from requests.
async fn one_step(step: impl Future<Output = Result<bool, StoreError>>) -> Result<Progress, JobError> {
    let begun = Instant::now();
    let has_more = step.await?;
    if !has_more {
        return Ok(Progress::Done);
    }
    tokio::time::sleep(begun.elapsed()).await;
    Ok(Progress::HasMore)
}

/// Work that is complete in one run.
async fn done<E>(run: impl Future<Output = Result<(), E>>) -> Result<Progress, JobError>
where
    JobError: From<E>,
{
    run.await?;
    Ok(Progress::Done)
}

fn swept(rows: usize) -> Result<(), JobError> {
    if rows > 0 {
        tracing::debug!(rows, "swept");
    }
    Ok(())
}
