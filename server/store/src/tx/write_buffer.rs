//! Rows that wait to be written: what most writes do is append, and the rows of many jobs go to the database in one go,
//! before the commit or before a statement that must see them.

use super::Conn;
use super::insert::Outgoing;
use super::queries::audit_records::{AccessRow, EventRow};
use super::queries::episodes::AppendedRow;
use super::queries::idempotency::AnswerRow;
use super::queries::memory_rows::{IndexRow, MemoryRow};
use super::queries::partitions::PartitionDelta;
use super::{Tx, TxKind, lent};
use crate::StoreError;
use crate::cache::{EntryRow, IndexChange};
use crate::engine::ResidueSet;

/// Rows of one table, and which of them are of the job that runs.
pub(crate) struct RowBuffer<T> {
    rows: Vec<T>,
    /// Those before it are of earlier jobs.
    mark: usize,
}

impl<T> Default for RowBuffer<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), mark: 0 }
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
        self.mark = self.rows.len();
    }

    fn undo_job(&mut self) {
        self.rows.truncate(self.mark);
    }

    fn take_earlier(&mut self) -> Vec<T> {
        let own = self.rows.split_off(self.mark);
        self.mark = 0;
        std::mem::replace(&mut self.rows, own)
    }
}

/// What a group of writes has yet to write.
#[derive(Default)]
pub(crate) struct WriteBuffer {
    pub(crate) memories: RowBuffer<MemoryRow>,
    pub(crate) index: RowBuffer<IndexRow>,
    pub(crate) partitions: RowBuffer<PartitionDelta>,
    pub(crate) entries: RowBuffer<EntryRow>,
    pub(crate) episodes: RowBuffer<AppendedRow>,
    pub(crate) answers: RowBuffer<AnswerRow>,
    pub(crate) access: RowBuffer<AccessRow>,
    pub(crate) events: RowBuffer<EventRow>,
    /// Not for the database but for the index in memory, after the commit.
    pub(crate) index_changes: RowBuffer<IndexChange>,
    /// What was taken out, for the files to be looked through for it after the commit.
    traces: RowBuffer<ResidueSet>,
}

impl WriteBuffer {
    pub(crate) fn begin_job(&mut self) {
        self.memories.begin_job();
        self.index.begin_job();
        self.partitions.begin_job();
        self.entries.begin_job();
        self.episodes.begin_job();
        self.answers.begin_job();
        self.access.begin_job();
        self.events.begin_job();
        self.index_changes.begin_job();
        self.traces.begin_job();
    }

    pub(crate) fn undo_job(&mut self) {
        self.memories.undo_job();
        self.index.undo_job();
        self.partitions.undo_job();
        self.entries.undo_job();
        self.episodes.undo_job();
        self.answers.undo_job();
        self.access.undo_job();
        self.events.undo_job();
        self.index_changes.undo_job();
        self.traces.undo_job();
    }

    /// Notes a value that is taken out, as the table has it.
    pub(crate) fn trace(&mut self, table: &'static str, value: &[u8]) {
        let mut traces = ResidueSet::default();
        traces.add(table, value);
        self.traces.push(traces);
    }

    /// Notes that more of a table is taken out than can be looked for.
    pub(crate) fn trace_much(&mut self, table: &'static str) {
        let mut traces = ResidueSet::default();
        traces.add_much(table);
        self.traces.push(traces);
    }

    /// All that was taken out by the jobs that were kept.
    pub(crate) fn all_traces(&mut self) -> ResidueSet {
        let mut all = ResidueSet::default();
        std::mem::take(&mut self.traces).into_vec().into_iter().for_each(|traces| all.merge(traces));
        all
    }

    fn is_empty(&self) -> bool {
        self.memories.rows.is_empty()
            && self.index.rows.is_empty()
            && self.partitions.rows.is_empty()
            && self.entries.rows.is_empty()
            && self.episodes.rows.is_empty()
            && self.answers.rows.is_empty()
            && self.access.rows.is_empty()
            && self.events.rows.is_empty()
    }

    /// Writes the rows of the jobs before the one that runs.
    fn flush_earlier(&mut self, out: &mut Outgoing<'_>) -> Result<(), StoreError> {
        super::queries::memory_rows::insert(out, self.memories.take_earlier())?;
        super::queries::memory_rows::insert_index(out, self.index.take_earlier())?;
        super::queries::partitions::add(out, &self.partitions.take_earlier())?;
        super::queries::entries::upsert(out, self.entries.take_earlier())?;
        super::queries::episodes::insert(out, self.episodes.take_earlier())?;
        super::queries::idempotency::upsert(out, self.answers.take_earlier())?;
        super::queries::audit_records::insert_access(out, self.access.take_earlier())?;
        super::queries::audit_records::insert_events(out, self.events.take_earlier())
    }

    /// Writes all rows.
    pub(crate) fn flush(&mut self, out: &mut Outgoing<'_>) -> Result<(), StoreError> {
        self.begin_job();
        self.flush_earlier(out)
    }
}

impl Tx<'_> {
    /// The connection, for statements that must see what this transaction wrote so far.
    pub(crate) fn drained(&mut self) -> Result<&mut Conn, StoreError> {
        if !self.pending.is_empty() {
            // of those that fail here the jobs know nothing that were told they are done
            self.earlier_jobs_lost = true;
            let mut out = Outgoing::new(lent(&mut self.conn, &self.retry)?);
            self.pending.flush_earlier(&mut out)?;
            out.send()?;
            self.earlier_jobs_lost = false;
            if !self.pending.is_empty() {
                self.begin_savepoint()?;
                // what is not for the database stays the jobs' own
                let changes = std::mem::take(&mut self.pending.index_changes);
                let traces = std::mem::take(&mut self.pending.traces);
                let written = self.write_pending();
                self.pending.index_changes = changes;
                self.pending.traces = traces;
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

    /// The connection, for a statement that changes rows: from here on, the job that runs can be undone by itself.
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
