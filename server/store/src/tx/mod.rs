//! The transaction: what it has seen of each org, and what waits to be written.

mod group;
mod names;
mod orgs;
mod queries;
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

use super::{Conn, PROBE, SOLE_WRITER, insert, org_rows};
use crate::StoreError;
use crate::cache::{OrgCache, OrgRow, OwnTree};
use crate::columns::{Id, whole_micros};
use crate::contract::{Actor, SERVER, TreeRef};
use crate::engine::{Core, Retry};
use crate::schema::workspace_orgs;
use orgmem_policies::TokenStatus;

pub(crate) use group::commit_group;
use transactions::{begin_savepoint, commit, is_lost, roll_back, roll_back_savepoint};
use write_buffer::WriteBuffer;

/// A transaction on one connection, or a look at what is kept in memory; for a writer, the transaction of a whole group of
/// jobs.
pub(crate) struct Tx<'c> {
    /// None where only what is kept in memory is looked at.
    pub(crate) conn: Option<&'c mut Conn>,
    pub(crate) core: &'c Core,
    pub(crate) now: DateTime<Utc>,
    pub(crate) views: OrgViews,
    pub(crate) retry: Cell<Option<Retry>>,
    pub(crate) kind: TxKind,
    pub(crate) pending: WriteBuffer,
    /// The org that the job which runs has asked for; its row is locked.
    pub(crate) org: OrgId,
    /// On whose behalf the job runs.
    pub(crate) actor: Actor,
    /// Whether no other job shares the transaction.
    pub(crate) is_alone: bool,
    /// Whether rows of jobs that ended before could not be written.
    pub(crate) earlier_jobs_lost: bool,
    /// Where commits stood before the snapshot was taken, if none was on its way.
    before: Option<u64>,
}

/// The orgs that a transaction has looked at.
pub(crate) type OrgViews = HashMap<OrgId, OrgView, RandomState>;

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TxKind {
    /// Reads what is kept in memory; what is not is not there.
    Memory,
    /// Reads, on a thread that must not be held up.
    Inline,
    /// Reads.
    Read,
    /// Writes. Has a savepoint once the job that runs has written something of its own; for a job that is alone the
    /// transaction itself is one.
    Write { savepoint: bool },
}

/// One org at this transaction's snapshot, and what the transaction changes of it.
pub(crate) struct OrgView {
    /// As it was when the transaction began.
    pub(crate) row: OrgRow,
    pub(crate) cache: Arc<OrgCache>,
    pub(crate) changes: Changes,
}

/// What a group of writes does to one org, beside rows.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) row_delta: OrgRowDelta,
    /// As the last job left it whose writes were kept.
    kept: OrgRowDelta,
    pub(crate) revocations: bool,
    pub(crate) profiles: bool,
    /// Whether names were taken away; what else changes them changes the tree.
    pub(crate) names: bool,
    pub(crate) placements: Vec<Placement>,
    /// The tree with `placements`, once it was asked for.
    pub(crate) tree: Option<OwnTree>,
}

/// What the org's row has to tell of a group.
#[derive(Clone, Copy, Default)]
pub(crate) struct OrgRowDelta {
    /// Whether any row changed.
    pub(crate) touched: bool,
    /// Until which version index rows were reclaimed.
    pub(crate) index_floor: Option<i64>,
    /// How many memories were numbered.
    pub(crate) memories: i64,
    /// How many rows of the access log were numbered.
    pub(crate) accesses: i64,
    /// How many events were numbered.
    pub(crate) events: i64,
    /// Until where the access log was sealed.
    pub(crate) sealed: Option<i64>,
}

impl OrgRowDelta {
    /// Whether the org's row is to be written.
    pub(crate) fn is_any(&self) -> bool {
        self.touched || self.accesses > 0 || self.sealed.is_some()
    }
}

impl Changes {
    /// What the job did is part of the group.
    pub(crate) fn keep(&mut self) {
        self.kept = self.row_delta;
    }

    /// What the job did is undone. A job before it that had changed the tree or revoked tokens would have been the last
    /// of its group.
    pub(crate) fn undo(&mut self) {
        *self = Self { row_delta: self.kept, kept: self.kept, ..Self::default() };
    }
}

impl OrgView {
    pub(crate) fn new(core: &Core, org: OrgId, row: Option<OrgRow>) -> Self {
        let row = row.unwrap_or_else(|| OrgRow::absent(org));
        Self { row, cache: core.caches.org(org), changes: Changes::default() }
    }

    /// The number that changed rows carry.
    pub(crate) fn next_version(&self) -> i64 {
        self.row.version + 1
    }
}

impl<'c> Tx<'c> {
    /// One whose snapshot is not taken yet: that happens with its first statement.
    pub(crate) fn new(conn: Option<&'c mut Conn>, core: &'c Core, kind: TxKind) -> Self {
        let now = whole_micros(core.clock.now());
        let (views, retry, pending) = (OrgViews::default(), Cell::new(None), WriteBuffer::default());
        let (org, actor, is_alone) = (SERVER, Actor::server(), false);
        let before = core.caches.commits.at_rest();
        Self { conn, core, now, views, retry, kind, pending, org, actor, is_alone, earlier_jobs_lost: false, before }
    }

    /// The connection, where there is one.
    pub(crate) fn conn(&mut self) -> Result<&mut Conn, StoreError> {
        lent(&mut self.conn, &self.retry)
    }

    /// The org at this snapshot. A writer has locked the orgs of its jobs beforehand; what it sees of another, such as
    /// the server's own, it may not change.
    pub(crate) fn view(&mut self, org: OrgId) -> Result<&mut OrgView, StoreError> {
        self.view_all(&[org])?;
        self.views.get_mut(&org).ok_or_else(|| StoreError::unreadable("orgs", org, "it was not looked at"))
    }

    /// Looks at several orgs at once; what was seen before stays as it was.
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
                self.keep_row(&view);
                self.views.insert(org, view);
            }
        }
        Ok(())
    }

    /// Looks at an org as it is kept in memory.
    fn recall(&mut self, org: OrgId) -> Result<(), StoreError> {
        let cache = self.core.caches.org(org);
        let row = cache.row.read().clone().ok_or_else(|| self.retry(Retry::WithConnection))?;
        self.views.entry(org).or_insert(OrgView { row, cache, changes: Changes::default() });
        Ok(())
    }

    /// Keeps the org's row in memory, where this snapshot is still what everybody sees.
    fn keep_row(&self, view: &OrgView) {
        let Some(before) = self.before.filter(|_| SOLE_WRITER && !self.is_writer()) else { return };
        let mut kept = view.cache.row.write();
        if kept.is_none() && self.core.caches.commits.is_still(before) {
            *kept = Some(view.row.clone());
        }
    }

    pub(crate) fn is_writer(&self) -> bool {
        matches!(self.kind, TxKind::Write { .. })
    }

    /// Marks the org as changed; gives the number that the changed rows carry.
    pub(crate) fn touch(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        view.changes.row_delta.touched = true;
        Ok(view.next_version())
    }

    /// Asks for another snapshot; the error is what the caller passes on until the engine sees it.
    pub(crate) fn retry(&self, why: Retry) -> StoreError {
        self.retry.set(Some(why));
        StoreError::Retry
    }
}

/// The connection; where there is none, the question is to be asked again on one.
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

    pub(crate) fn new_id(&mut self) -> Uuid {
        self.core.ids.next(self.now)
    }
}
