//! A group of writes: many jobs, one transaction, one commit.

use std::collections::HashMap;

use orgmem_hierarchy::OrgId;

use super::Conn;
use super::insert::Outgoing;
use super::{Changes, OrgView, OrgViews, Tx, TxKind, lent};
use crate::StoreError;
use crate::cache::{IndexChange, OrgRow};
use crate::columns::whole_micros;
use crate::contract::Actor;
use crate::engine::{Core, TableSet, WriteJob, WriteQueue};

/// Runs jobs from the front of `jobs` in the open transaction, commits it and updates the caches. Returns the number of
/// finished jobs. A job that changes the tree or a profile or revokes tokens ends its group, so that the next job sees
/// the committed result.
pub(crate) fn commit_group(
    conn: &mut Conn,
    core: &Core,
    jobs: &mut [Box<dyn WriteJob>],
    queue: &WriteQueue,
) -> Result<usize, StoreError> {
    match run(conn, core, jobs, queue) {
        Ok(group) if group.is_undone => {
            super::roll_back(conn);
            Ok(group.done)
        }
        Ok(mut group) => {
            let has_changes = group.views.values().any(|view| view.changes.row_delta.is_touched());
            let _commit_in_progress = (super::SOLE_WRITER && has_changes).then(|| core.caches.commits.begin());
            let committed = super::commit(conn);
            group.cache_rows(core, committed.is_ok());
            committed?;
            group.update_caches(core);
            if !group.deleted_from.is_empty() {
                core.cleanup.add(std::mem::take(&mut group.deleted_from));
            }
            Ok(group.done)
        }
        Err(error) => {
            super::roll_back(conn);
            Err(error)
        }
    }
}

/// A group after its rows are written, before the commit.
struct Group {
    done: usize,
    /// Whether the transaction is rolled back, because its only job discards its changes.
    is_undone: bool,
    views: OrgViews,
    index_changes: Vec<IndexChange>,
    deleted_from: TableSet,
}

fn run(conn: &mut Conn, core: &Core, jobs: &mut [Box<dyn WriteJob>], queue: &WriteQueue) -> Result<Group, StoreError> {
    let mut tx = Tx::new(Some(conn), core, TxKind::Write { savepoint: false });
    tx.queue = Some(queue);
    tx.is_alone = jobs.len() == 1;
    let mut locked: Vec<OrgId> = jobs.iter().map(|job| job.org()).collect();
    locked.sort_unstable();
    locked.dedup();
    for row in super::org_rows::lock(tx.conn()?, &locked)? {
        let org = row.org_id.org();
        tx.views.insert(org, OrgView::new(core, org, Some(row)));
    }
    let (mut done, mut is_undone) = (0, false);
    for job in jobs {
        tx.now = whole_micros(core.clock.now());
        tx.org = job.org();
        tx.actor = Actor::server();
        tx.pending.begin_job();
        let keep = job.run(&mut tx);
        is_undone = tx.is_alone && !keep;
        tx.end_job(keep)?;
        if !is_undone && (tx.earlier_jobs_lost || !keep && super::is_lost(tx.conn()?)) {
            // the changes of the earlier jobs are lost too: the writer retries each job in its own transaction
            return Err(StoreError::Busy);
        }
        done += 1;
        if tx.views.values().any(|view| view.changes.ends_group()) {
            break;
        }
    }
    let mut out = Outgoing::new(lent(&mut tx.conn, &tx.retry)?);
    tx.pending.flush(&mut out)?;
    let changed = tx.views.values().filter(|view| view.changes.row_delta.is_any());
    super::orgs::update(&mut out, changed.map(OrgView::next_row).collect())?;
    out.send()?;
    let (index_changes, deleted_from) = (tx.pending.index_changes.into_vec(), tx.pending.deleted_from.into_vec());
    Ok(Group { done, is_undone, views: tx.views, index_changes, deleted_from: deleted_from.into_iter().collect() })
}

impl Tx<'_> {
    /// Keeps or undoes the changes of the job.
    fn end_job(&mut self, keep: bool) -> Result<(), StoreError> {
        if self.kind == (TxKind::Write { savepoint: true }) {
            match keep {
                _ if self.is_alone => {}
                true => super::commit(self.conn()?)?,
                false => super::roll_back_savepoint(self.conn()?)?,
            }
            self.kind = TxKind::Write { savepoint: false };
        }
        if !keep {
            self.pending.undo_job();
        }
        for view in self.views.values_mut() {
            if keep { view.changes.keep() } else { view.changes.undo() }
        }
        Ok(())
    }
}

impl Changes {
    fn ends_group(&self) -> bool {
        self.revocations || self.profiles || self.names || !self.placements.is_empty()
    }
}

impl OrgView {
    /// The org's row after this group.
    fn next_row(&self) -> OrgRow {
        let mut row = self.changes.row_delta.apply(&self.row);
        let version = row.version;
        if self.changes.names || !self.changes.placements.is_empty() {
            row.tree_version = version;
        }
        if self.changes.revocations {
            row.auth_version = version;
        }
        if self.changes.profiles {
            row.profile_version = version;
        }
        row
    }
}

impl Group {
    /// Caches the committed rows of the orgs, if this process is the only writer. A failed commit clears the cache
    /// entries, because its outcome is unknown until the next read.
    fn cache_rows(&self, core: &Core, is_committed: bool) {
        if !super::SOLE_WRITER {
            return;
        }
        for (org, view) in self.views.iter().filter(|(_, view)| view.changes.row_delta.is_any()) {
            // the stored row of a new org has columns that are unknown here
            let is_known = is_committed && view.row.version > 0;
            *core.caches.org(*org).row.write() = is_known.then(|| view.next_row());
        }
    }

    /// Advances the caches to the committed version, unless a reader has already advanced them from the committed rows.
    fn update_caches(&mut self, core: &Core) {
        let mut changes: HashMap<OrgId, Vec<IndexChange>> = HashMap::new();
        for update in self.index_changes.drain(..) {
            changes.entry(update.org).or_default().push(update);
        }
        for (org, view) in self.views.drain().filter(|(_, view)| view.changes.row_delta.is_touched()) {
            let wakes_subscribers = view.changes.row_delta.has_events() || view.changes.ends_group();
            let changes = changes.remove(&org).unwrap_or_default();
            let mut index = view.cache.index.lock();
            index.advance(&core.caches.partitions, view.row.version, view.next_version(), changes.into_iter());
            drop(index);
            view.cache.entries.begin_at(view.next_version());
            if view.changes.names {
                view.cache.names.forget();
            }
            update_cached_tree(core, org, view);
            if wakes_subscribers {
                core.notifier.wake_all(org);
            }
        }
    }
}

fn update_cached_tree(core: &Core, org: OrgId, view: OrgView) {
    let version = view.next_version();
    if view.changes.placements.is_empty() {
        return;
    }
    if let Some(tree) = view.changes.tree {
        tree.keep(version);
        return core.caches.weigh(org, &view.cache);
    }
    let mut cached = view.cache.tree.write();
    if let Some(tree) = cached.as_mut().filter(|tree| tree.version == view.row.tree_version) {
        tree.version = version;
        if tree.value.apply(&view.changes.placements).is_err() {
            // the next read builds the tree from all rows and reports the fault
            *cached = None;
        }
    }
    drop(cached);
    core.caches.weigh(org, &view.cache);
}
