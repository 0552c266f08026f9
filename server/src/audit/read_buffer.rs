//! Rows of reads that wait to be written, org by org, and the number of those lost for want of space.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_store::{Actor, AuditRecord, PendingAuditEntry};
use tokio::sync::Mutex as Turn;

pub(super) struct ReadBuffer {
    /// The most rows that may wait.
    capacity: usize,
    /// INVARIANT: the sum of the counts of all orgs, and at most `capacity`.
    count: usize,
    /// Rows added since [`orgs`](Self::orgs) was last called.
    fresh: usize,
    orgs: HashMap<OrgId, OrgBuffer>,
}

#[derive(Default)]
struct OrgBuffer {
    rows: Vec<PendingAuditEntry>,
    /// Includes rows that are being written.
    count: usize,
    /// Workspaces whose activity gets an episode by `rows`.
    episodes: HashSet<WorkspaceId>,
    lost: Option<Lost>,
    /// Locked during a write: the next holder knows that all earlier rows are written.
    turn: Arc<Turn<()>>,
}

/// Reads of one org that are not in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lost {
    rows: u64,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    /// Rows that were waiting.
    pub(super) rows: u64,
    /// Reads that the log will never contain: these rows, and rows lost before without a gap row.
    pub(super) unrecorded: u64,
}

impl ReadBuffer {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, count: 0, fresh: 0, orgs: HashMap::new() }
    }

    /// Rows that wait, including those that are being written.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Rows added since [`orgs`](Self::orgs) was last called.
    pub(super) fn fresh(&self) -> usize {
        self.fresh
    }

    /// Adds a row, or counts it as lost where there is no space.
    ///
    /// # Returns
    /// Whether there was space.
    pub(super) fn add(&mut self, org: OrgId, entry: PendingAuditEntry) -> bool {
        let free = self.capacity.saturating_sub(self.count);
        let own = self.orgs.entry(org).or_default();
        // an org uses no more space than it leaves free, so its reads do not displace those of others
        if own.count >= free {
            own.lose(Lost { rows: 1, since: entry.at, until: entry.at });
            return false;
        }
        own.episodes.extend(entry.episode_workspace());
        own.rows.push(entry);
        own.count += 1;
        self.count += 1;
        self.fresh += 1;
        true
    }

    /// The orgs with rows that wait or are being written.
    pub(super) fn orgs(&mut self) -> Vec<OrgId> {
        self.fresh = 0;
        // turns are handed out under the lock that protects this buffer
        self.orgs.retain(|_, own| own.count > 0 || own.lost.is_some() || Arc::strong_count(&own.turn) > 1);
        self.orgs.keys().copied().collect()
    }

    /// The lock to hold while writing the rows of this org; `None` when none wait.
    pub(super) fn turn(&self, org: OrgId) -> Option<Arc<Turn<()>>> {
        self.orgs.get(&org).map(|own| Arc::clone(&own.turn))
    }

    /// Whether an episode of this workspace may be waiting or being written.
    pub(super) fn has_episode(&self, org: OrgId, workspace: WorkspaceId) -> bool {
        self.orgs.get(&org).is_some_and(|own| own.count > own.rows.len() || own.episodes.contains(&workspace))
    }

    /// Takes the rows of this org, for the holder of its turn. They count as waiting until they are written.
    pub(super) fn take(&mut self, org: OrgId) -> (Vec<PendingAuditEntry>, Option<Lost>) {
        let Some(own) = self.orgs.get_mut(&org) else { return (Vec::new(), None) };
        own.episodes.clear();
        (std::mem::take(&mut own.rows), own.lost.take())
    }

    /// Records that some of the rows that were taken are written.
    pub(super) fn written(&mut self, org: OrgId, rows: usize) {
        if let Some(own) = self.orgs.get_mut(&org) {
            own.count -= rows;
            self.count -= rows;
        }
    }

    /// Puts rows back that could not be written, before newer ones.
    pub(super) fn put_back(&mut self, org: OrgId, mut rows: Vec<PendingAuditEntry>, lost: Option<Lost>) {
        let own = self.orgs.entry(org).or_default();
        if let Some(lost) = lost {
            own.lose(lost);
        }
        own.episodes.extend(rows.iter().filter_map(PendingAuditEntry::episode_workspace));
        rows.append(&mut own.rows);
        own.rows = rows;
    }

    /// Drops all rows.
    pub(super) fn drop_all(&mut self) -> Dropped {
        let lost: u64 = self.orgs.drain().filter_map(|(_, own)| own.lost).map(|lost| lost.rows).sum();
        let rows = std::mem::take(&mut self.count) as u64;
        Dropped { rows, unrecorded: rows + lost }
    }
}

impl OrgBuffer {
    fn lose(&mut self, more: Lost) {
        self.lost = Some(self.lost.map_or(more, |lost| lost.and(more)));
    }
}

impl Lost {
    fn and(self, other: Self) -> Self {
        let (since, until) = (self.since.min(other.since), self.until.max(other.until));
        Self { rows: self.rows + other.rows, since, until }
    }

    /// The row of the log that records the gap.
    pub(super) fn into_entry(self, org: OrgId) -> PendingAuditEntry {
        let record = AuditRecord::new(AuditAction::LoseReads, org.root()).context_field("lost", self.rows);
        let record =
            record.context_field("since", self.since.to_rfc3339()).context_field("until", self.until.to_rfc3339());
        PendingAuditEntry { actor: Actor::server(), at: self.until, record }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use uuid::Uuid;

    use super::*;

    fn org(number: u128) -> OrgId {
        OrgId::from(Uuid::from_u128(number))
    }

    fn read_at(seconds: i64) -> PendingAuditEntry {
        let at = DateTime::from_timestamp(seconds, 0).expect("a time");
        PendingAuditEntry {
            actor: Actor::server(),
            at,
            record: AuditRecord::new(AuditAction::SearchMemories, org(1).root()),
        }
    }

    fn add(waiting: &mut ReadBuffer, number: u128, seconds: Range<i64>) {
        for second in seconds {
            waiting.add(org(number), read_at(second));
        }
    }

    /// Adds a hundred rows of each org in turn, and counts those that found space.
    fn added(waiting: &mut ReadBuffer, orgs: impl IntoIterator<Item = u128>) -> Vec<usize> {
        let of = |number| (0..100).filter(|second| waiting.add(org(number), read_at(*second))).count();
        orgs.into_iter().map(of).collect()
    }

    #[test]
    fn org_uses_no_more_space_than_it_leaves_free() {
        assert_eq!(added(&mut ReadBuffer::new(1), [1]), [1]);
        assert_eq!(added(&mut ReadBuffer::new(40), [1]), [20]);
        assert_eq!(added(&mut ReadBuffer::new(40), [1, 2, 3, 1]), [20, 10, 5, 0]);
        // those who read at the same time share alike, and leave as much again
        let mut waiting = ReadBuffer::new(40);
        for second in 0..100 {
            for number in 1..=3 {
                waiting.add(org(number), read_at(second));
            }
        }
        assert_eq!((waiting.count(), added(&mut waiting, [4])), (30, vec![5]));
    }

    #[test]
    fn rows_being_written_use_space() {
        let mut waiting = ReadBuffer::new(40);
        added(&mut waiting, [1]);
        let (rows, lost) = waiting.take(org(1));
        assert_eq!((rows.len(), lost.map(|lost| lost.rows)), (20, Some(80)));
        assert_eq!(added(&mut waiting, [1]), [0]);
        waiting.written(org(1), 15);
        assert_eq!((waiting.count(), added(&mut waiting, [1])), (5, vec![15]));
    }

    #[test]
    fn rows_that_could_not_be_written_precede_newer_ones() {
        let mut waiting = ReadBuffer::new(8);
        add(&mut waiting, 1, 0..5);
        let (rows, lost) = waiting.take(org(1));
        waiting.written(org(1), 1);
        add(&mut waiting, 1, 5..9);
        waiting.put_back(org(1), rows[1..].to_vec(), lost);
        let (rows, lost) = waiting.take(org(1));
        let at: Vec<i64> = rows.iter().map(|entry| entry.at.timestamp()).collect();
        let lost = lost.map(|lost| (lost.rows, lost.since.timestamp(), lost.until.timestamp()));
        assert_eq!((at, lost), (vec![1, 2, 3, 5], Some((4, 4, 8))));
    }

    #[test]
    fn org_without_rows_and_turn_is_removed() {
        let mut waiting = ReadBuffer::new(8);
        waiting.add(org(1), read_at(0));
        assert_eq!((waiting.fresh(), waiting.orgs(), waiting.fresh()), (1, vec![org(1)], 0));
        let turn = waiting.turn(org(1));
        waiting.take(org(1));
        waiting.written(org(1), 1);
        assert_eq!(waiting.orgs(), [org(1)], "an org whose turn is awaited stays");
        drop(turn);
        assert_eq!(waiting.orgs(), []);
        assert!(waiting.turn(org(1)).is_none());
    }

    #[test]
    fn dropped_rows_are_counted_with_earlier_losses() {
        let mut waiting = ReadBuffer::new(8);
        add(&mut waiting, 1, 0..5);
        waiting.add(org(2), read_at(0));
        assert_eq!(waiting.drop_all(), Dropped { rows: 5, unrecorded: 6 });
        assert_eq!((waiting.count(), waiting.drop_all()), (0, Dropped { rows: 0, unrecorded: 0 }));
    }

    #[test]
    fn episodes_of_waiting_rows_are_known_by_workspace() {
        let (reader, other) = (WorkspaceId::from(Uuid::from_u128(7)), WorkspaceId::from(Uuid::from_u128(8)));
        let record = AuditRecord::new(AuditAction::ReadMemory, reader).with_episode("read it".into(), None);
        let episode = PendingAuditEntry { record, ..read_at(0) };
        let mut waiting = ReadBuffer::new(8);
        let has_episode =
            |waiting: &ReadBuffer| [reader, other].map(|workspace| waiting.has_episode(org(1), workspace));
        waiting.add(org(1), read_at(0));
        assert_eq!(has_episode(&waiting), [false, false], "not every read leaves an episode");
        waiting.add(org(1), episode);
        assert_eq!(has_episode(&waiting), [true, false]);
        let (rows, lost) = waiting.take(org(1));
        assert_eq!(has_episode(&waiting), [true, true], "rows being written may be of any workspace");
        waiting.put_back(org(1), rows, lost);
        assert_eq!(has_episode(&waiting), [true, false]);
        let (rows, _) = waiting.take(org(1));
        waiting.written(org(1), rows.len());
        assert_eq!(has_episode(&waiting), [false, false]);
    }
}
