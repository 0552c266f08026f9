//! Buffered rows. Most writes only append, so the rows of many jobs go to the database together: before the commit, or
//! before a statement that must see them.

use super::Conn;
use super::insert::Outgoing;
use super::queries::audit_records::{EventRow, StoredAuditRow};
use super::queries::budgets::BudgetDelta;
use super::queries::episodes::AppendedRow;
use super::queries::idempotency::AnswerRow;
use super::queries::memory_rows::{IndexRow, MemoryRow};
use super::queries::noted_episodes::EpisodeChange;
use super::queries::page_work::PageWorkRow;
use super::queries::partitions::PartitionDelta;
use super::{Tx, TxKind, lent};
use crate::StoreError;
use crate::cache::{EntryRow, IndexChange};

/// Buffered rows of one table: those of earlier jobs, then those of the current job.
pub(crate) struct RowBuffer<T> {
    rows: Vec<T>,
    /// Index of the first row of the current job.
    job_start: usize,
}

impl<T> Default for RowBuffer<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), job_start: 0 }
    }
}

impl<T> RowBuffer<T> {
    pub(crate) fn push(&mut self, row: T) {
        self.rows.push(row);
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.rows.iter()
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        self.rows
    }

    fn begin_job(&mut self) {
        self.job_start = self.rows.len();
    }

    fn undo_job(&mut self) {
        self.rows.truncate(self.job_start);
    }

    fn take_earlier(&mut self) -> Vec<T> {
        let own = self.rows.split_off(self.job_start);
        self.job_start = 0;
        std::mem::replace(&mut self.rows, own)
    }
}

/// The buffered writes of a group.
#[derive(Default)]
pub(crate) struct WriteBuffer {
    pub(crate) memories: RowBuffer<MemoryRow>,
    pub(crate) index: RowBuffer<IndexRow>,
    pub(crate) partitions: RowBuffer<PartitionDelta>,
    pub(crate) budgets: RowBuffer<BudgetDelta>,
    pub(crate) entries: RowBuffer<EntryRow>,
    pub(crate) episodes: RowBuffer<AppendedRow>,
    pub(crate) episode_changes: RowBuffer<EpisodeChange>,
    pub(crate) page_work: RowBuffer<PageWorkRow>,
    pub(crate) answers: RowBuffer<AnswerRow>,
    pub(crate) access: RowBuffer<StoredAuditRow>,
    pub(crate) events: RowBuffer<EventRow>,
    /// Changes of the cached index, applied after the commit; not written to the database.
    pub(crate) index_changes: RowBuffer<IndexChange>,
    /// The tables from which content was deleted. After the commit the cleaner removes it from the database files.
    pub(crate) deleted_from: RowBuffer<&'static str>,
}

impl WriteBuffer {
    pub(crate) fn begin_job(&mut self) {
        self.memories.begin_job();
        self.index.begin_job();
        self.partitions.begin_job();
        self.budgets.begin_job();
        self.entries.begin_job();
        self.episodes.begin_job();
        self.episode_changes.begin_job();
        self.page_work.begin_job();
        self.answers.begin_job();
        self.access.begin_job();
        self.events.begin_job();
        self.index_changes.begin_job();
        self.deleted_from.begin_job();
    }

    pub(crate) fn undo_job(&mut self) {
        self.memories.undo_job();
        self.index.undo_job();
        self.partitions.undo_job();
        self.budgets.undo_job();
        self.entries.undo_job();
        self.episodes.undo_job();
        self.episode_changes.undo_job();
        self.page_work.undo_job();
        self.answers.undo_job();
        self.access.undo_job();
        self.events.undo_job();
        self.index_changes.undo_job();
        self.deleted_from.undo_job();
    }

    fn is_empty(&self) -> bool {
        self.memories.rows.is_empty()
            && self.index.rows.is_empty()
            && self.partitions.rows.is_empty()
            && self.budgets.rows.is_empty()
            && self.entries.rows.is_empty()
            && self.episodes.rows.is_empty()
            && self.episode_changes.rows.is_empty()
            && self.page_work.rows.is_empty()
            && self.answers.rows.is_empty()
            && self.access.rows.is_empty()
            && self.events.rows.is_empty()
    }

    /// Writes the rows of the jobs before the current one.
    fn flush_earlier(&mut self, out: &mut Outgoing<'_>) -> Result<(), StoreError> {
        super::queries::memory_rows::insert(out, self.memories.take_earlier())?;
        super::queries::memory_rows::insert_index(out, self.index.take_earlier())?;
        super::queries::partitions::add(out, &self.partitions.take_earlier())?;
        super::queries::budgets::add(out, &self.budgets.take_earlier())?;
        super::queries::entries::upsert(out, self.entries.take_earlier())?;
        super::queries::episodes::insert(out, self.episodes.take_earlier())?;
        super::queries::noted_episodes::insert(out, self.episode_changes.take_earlier())?;
        super::queries::page_work::upsert(out, self.page_work.take_earlier())?;
        super::queries::idempotency::upsert(out, self.answers.take_earlier())?;
        let access = self.access.take_earlier();
        super::queries::org_days::count(out, &access)?;
        super::queries::audit_records::insert_access(out, access)?;
        super::queries::audit_records::insert_events(out, self.events.take_earlier())
    }

    /// Writes the rows of all jobs, including the current one.
    pub(crate) fn flush(&mut self, out: &mut Outgoing<'_>) -> Result<(), StoreError> {
        self.begin_job();
        self.flush_earlier(out)
    }
}

impl Tx<'_> {
    /// Writes the buffered rows and returns the connection, for statements that must see these rows.
    pub(crate) fn drained(&mut self) -> Result<&mut Conn, StoreError> {
        if !self.pending.is_empty() {
            // an error here loses rows of jobs that have already reported success
            self.earlier_jobs_lost = true;
            let mut out = Outgoing::new(lent(&mut self.conn, &self.retry)?);
            self.pending.flush_earlier(&mut out)?;
            out.send()?;
            self.earlier_jobs_lost = false;
            if !self.pending.is_empty() {
                self.begin_savepoint()?;
                // `flush` must not change the job start of buffers that do not go to the database
                let changes = std::mem::take(&mut self.pending.index_changes);
                let deleted_from = std::mem::take(&mut self.pending.deleted_from);
                let written = self.write_pending();
                self.pending.index_changes = changes;
                self.pending.deleted_from = deleted_from;
                written?;
            }
        }
        self.conn()
    }

    fn write_pending(&mut self) -> Result<(), StoreError> {
        let mut out = Outgoing::new(lent(&mut self.conn, &self.retry)?);
        self.pending.flush(&mut out)?;
        out.send()
    }

    /// The connection, for a statement that changes rows. Begins a savepoint, so that the current job can be undone
    /// separately.
    pub(crate) fn writing(&mut self) -> Result<&mut Conn, StoreError> {
        self.drained()?;
        self.begin_savepoint()?;
        self.conn()
    }

    fn begin_savepoint(&mut self) -> Result<(), StoreError> {
        if self.kind == (TxKind::Write { savepoint: false }) {
            if !self.is_alone {
                super::begin_savepoint(self.conn()?)?;
            }
            self.kind = TxKind::Write { savepoint: true };
        }
        Ok(())
    }
}
