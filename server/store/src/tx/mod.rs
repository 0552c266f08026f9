//! The transaction: its view of each org, and its buffered writes.

mod chain_check;
pub(crate) mod condition;
mod group;
mod names;
pub(crate) mod one_of;
mod orgs;
mod part_rows;
mod queries;
mod removal_rows;
mod row_delta;
pub(crate) mod rows;
mod statement;
pub(crate) mod transactions;
pub(crate) mod upsert;
mod write_buffer;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use foldhash::fast::RandomState;
use orgmem_hierarchy::{OrgId, Placement, WorkspaceId};
use uuid::Uuid;

use self::row_delta::OrgRowDelta;
use super::{Conn, PROBE, SOLE_WRITER, insert, org_rows};
use crate::StoreError;
use crate::cache::{OrgCache, OrgRow, OwnTree};
use crate::columns::{Id, whole_micros};
use crate::contract::{Actor, SERVER, TreeRef};
use crate::engine::{Core, ReadLease, Retry, WriteQueue};
use crate::schema::workspace_orgs;
use orgmem_policies::TokenStatus;

pub(crate) use group::commit_group;
use transactions::{begin_savepoint, commit, is_lost, roll_back, roll_back_savepoint};
use write_buffer::WriteBuffer;

/// A transaction on one connection, or a read of the caches only. A write transaction serves a group of jobs.
pub(crate) struct Tx<'c> {
    /// None in a read of the caches only.
    pub(crate) conn: Option<&'c mut Conn>,
    pub(crate) core: &'c Core,
    pub(crate) now: DateTime<Utc>,
    pub(crate) views: OrgViews,
    pub(crate) retry: Cell<Option<Retry>>,
    pub(crate) kind: TxKind,
    pub(crate) pending: WriteBuffer,
    /// The org of the current job; its row is locked.
    pub(crate) org: OrgId,
    /// The caller of the current job; the server until the job sets the caller.
    pub(crate) actor: Actor,
    /// Whether the group has only one job.
    pub(crate) is_alone: bool,
    /// The jobs that wait for this group; none in a read.
    pub(crate) queue: Option<&'c WriteQueue>,
    /// Whether a write of rows of finished jobs failed.
    pub(crate) earlier_jobs_lost: bool,
    /// The commit counter before the snapshot; none if a commit was in progress.
    commits: Option<u64>,
    /// The limit on snapshots when the transaction began.
    snapshot_limit: u64,
    /// Of a read that may be cancelled; other reads and writes have none.
    lease: Option<&'c ReadLease>,
}

pub(crate) type OrgViews = HashMap<OrgId, OrgView, RandomState>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxKind {
    /// Reads the caches only; a cache miss requests a retry.
    Memory,
    /// Reads on a thread that must not block.
    Inline,
    /// Reads on a thread that may block.
    Read,
    /// Writes. A savepoint begins before the current job executes a statement of its own. If the group has only one
    /// job, the transaction itself serves as the savepoint.
    Write { savepoint: bool },
}

/// One org at the snapshot of the transaction, and the changes by the transaction.
pub(crate) struct OrgView {
    /// The row at the snapshot, without the changes.
    pub(crate) row: OrgRow,
    pub(crate) cache: Arc<OrgCache>,
    pub(crate) changes: Changes,
    /// Whether the org ever had something for a provider, after the first look.
    pub(crate) has_providers: Option<bool>,
}

/// The changes of a group of writes to one org, besides the buffered rows.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) row_delta: OrgRowDelta,
    /// `row_delta` after the last job whose changes were kept.
    saved_delta: OrgRowDelta,
    pub(crate) revocations: bool,
    pub(crate) profiles: bool,
    /// Whether names were erased. All other changes of names are changes of the tree.
    pub(crate) names: bool,
    pub(crate) placements: Vec<Placement>,
    /// The tree with `placements` applied; created by the first read.
    pub(crate) tree: Option<OwnTree>,
}

impl Changes {
    /// Keeps the changes of the current job.
    pub(crate) fn keep(&mut self) {
        self.saved_delta = self.row_delta;
    }

    /// Undoes the changes of the current job. Only `row_delta` has changes of earlier jobs: a job that changes any
    /// other field ends its group.
    pub(crate) fn undo(&mut self) {
        *self = Self { row_delta: self.saved_delta, saved_delta: self.saved_delta, ..Self::default() };
    }
}

impl OrgView {
    pub(crate) fn new(core: &Core, org: OrgId, row: Option<OrgRow>) -> Self {
        let row = row.unwrap_or_else(|| OrgRow::absent(org));
        Self { row, cache: core.caches.org(org), changes: Changes::default(), has_providers: None }
    }

    /// The `org_version` of the rows that the transaction changes.
    pub(crate) fn next_version(&self) -> i64 {
        self.row.version + 1
    }
}

impl<'c> Tx<'c> {
    /// Creates a transaction. Its first statement takes the snapshot.
    pub(crate) fn new(conn: Option<&'c mut Conn>, core: &'c Core, kind: TxKind) -> Self {
        let now = whole_micros(core.clock.now());
        let (views, retry, pending) = (OrgViews::default(), Cell::new(None), WriteBuffer::default());
        let (org, actor, is_alone) = (SERVER, Actor::server(), false);
        let (commits, snapshot_limit, earlier_jobs_lost) =
            (core.caches.commits.at_rest(), core.cleanup.snapshot_limit(), false);
        Self {
            conn,
            core,
            now,
            views,
            retry,
            kind,
            pending,
            org,
            actor,
            is_alone,
            queue: None,
            earlier_jobs_lost,
            commits,
            snapshot_limit,
            lease: None,
        }
    }

    /// The connection; without one, an error that requests [`Retry::WithConnection`]. An error too if the read is
    /// cancelled: its caller is gone, or the clean-up of deleted data waits for the snapshot.
    pub(crate) fn conn(&mut self) -> Result<&mut Conn, StoreError> {
        if let Some(lease) = self.lease {
            if let Some(cancelled) = lease.cancelled() {
                return Err(self.retry(cancelled.into()));
            }
        } else if self.kind == TxKind::Inline && self.core.cleanup.snapshot_limit() > self.snapshot_limit {
            return Err(self.retry(Retry::OutdatedSnapshot));
        }
        lent(&mut self.conn, &self.retry)
    }

    /// The org at this snapshot. A writer has locked the orgs of its jobs in advance. It must not change any other org,
    /// such as that of the server.
    pub(crate) fn view(&mut self, org: OrgId) -> Result<&mut OrgView, StoreError> {
        self.view_all(&[org])?;
        self.views.get_mut(&org).ok_or_else(|| StoreError::unreadable("orgs", org, "it was not looked at"))
    }

    /// Loads the missing views of several orgs. Existing views remain unchanged.
    pub(crate) fn view_all(&mut self, orgs: &[OrgId]) -> Result<(), StoreError> {
        if orgs.iter().all(|org| self.views.contains_key(org)) {
            return Ok(());
        }
        if self.kind == TxKind::Memory {
            return orgs.iter().try_for_each(|&org| self.recall(org));
        }
        let rows = org_rows::read(self.conn()?, orgs)?;
        let mut rows: HashMap<OrgId, OrgRow> = rows.into_iter().map(|row| (row.org_id.org(), row)).collect();
        for &org in orgs {
            if !self.views.contains_key(&org) {
                let view = OrgView::new(self.core, org, rows.remove(&org));
                self.cache_row(&view);
                self.views.insert(org, view);
            }
        }
        Ok(())
    }

    /// Creates the view of an org from the caches.
    fn recall(&mut self, org: OrgId) -> Result<(), StoreError> {
        let cache = self.core.caches.org(org);
        let row = cache.row.read().clone().ok_or_else(|| self.retry(Retry::WithConnection))?;
        let view = OrgView { row, cache, changes: Changes::default(), has_providers: None };
        self.views.entry(org).or_insert(view);
        Ok(())
    }

    /// Caches the org's row if this process is the only writer and no commit began since the snapshot.
    fn cache_row(&self, view: &OrgView) {
        let Some(before) = self.commits.filter(|_| SOLE_WRITER && !self.is_writer()) else { return };
        let mut cached = view.cache.row.write();
        if cached.is_none() && self.core.caches.commits.is_still(before) {
            *cached = Some(view.row.clone());
        }
    }

    pub(crate) fn is_writer(&self) -> bool {
        matches!(self.kind, TxKind::Write { .. })
    }

    /// Marks the org as changed. Returns the `org_version` of the changed rows.
    pub(crate) fn touch(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        view.changes.row_delta.touch();
        Ok(view.next_version())
    }

    /// Requests a retry. Callers pass the returned error up to the engine.
    pub(crate) fn retry(&self, reason: Retry) -> StoreError {
        self.retry.set(Some(reason));
        StoreError::Retry
    }
}

/// The connection; without one, an error that requests [`Retry::WithConnection`].
pub(crate) fn lent<'t>(
    conn: &'t mut Option<&mut Conn>,
    retry: &Cell<Option<Retry>>,
) -> Result<&'t mut Conn, StoreError> {
    conn.as_deref_mut().ok_or_else(|| {
        retry.set(Some(Retry::WithConnection));
        StoreError::Retry
    })
}

impl Tx<'_> {
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.now
    }

    pub(crate) fn org_of(&mut self, workspace: WorkspaceId) -> Result<Option<OrgId>, StoreError> {
        if let Some(org) = self.core.caches.workspace_orgs.get(&workspace) {
            return Ok(Some(org));
        }
        let row: Option<Id> = workspace_orgs::table
            .find(Id::from(workspace))
            .select(workspace_orgs::org_id)
            .first(self.conn()?)
            .optional()?;
        let org = row.map(Id::org);
        if let Some(org) = org
            && !matches!(self.kind, TxKind::Write { savepoint: true })
        {
            self.core.caches.workspace_orgs.insert(workspace, org, 1);
        }
        Ok(org)
    }

    pub(crate) fn is_in_org(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<bool, StoreError> {
        let mut is_in_org = self.tree_now(org)?.contains(workspace);
        if !is_in_org {
            let found: Option<Id> = workspace_orgs::table
                .filter(workspace_orgs::id.eq(Id::from(workspace)))
                .filter(workspace_orgs::org_id.eq(Id::from(org)))
                .select(workspace_orgs::org_id)
                .first(self.conn()?)
                .optional()?;
            is_in_org = found.is_some();
        }
        if is_in_org && !matches!(self.kind, TxKind::Write { savepoint: true }) {
            self.core.caches.workspace_orgs.insert(workspace, org, 1);
        }
        Ok(is_in_org)
    }

    pub(crate) fn tree(&mut self, org: OrgId) -> Result<TreeRef<'_>, StoreError> {
        self.tree_now(org)
    }

    pub(crate) fn token_status(
        &mut self,
        workspace: Option<WorkspaceId>,
        jti: Uuid,
    ) -> Result<TokenStatus, StoreError> {
        self.token_status_of(workspace, jti)
    }

    pub(crate) fn others_wait(&self) -> bool {
        self.queue.is_some_and(|queue| queue.has_others(self.org))
    }

    pub(crate) fn new_id(&mut self) -> Uuid {
        self.core.ids.next(self.now)
    }
}
