//! The changes of a group of writes to the row of an org.

use crate::cache::OrgRow;
use crate::columns::Id;

/// The numbers that a group assigns, and the other changes of the row.
///
/// INVARIANT: a number is assigned only by a method that also has it stored, so that no later write assigns it again.
/// The fields are private for that reason.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OrgRowDelta {
    /// Whether the group increments the version of the org.
    is_touched: bool,
    /// The version up to which index rows were reclaimed.
    index_floor: Option<i64>,
    /// Number of sequence numbers assigned to memories.
    memories: i64,
    /// Number of sequence numbers assigned to rows of the audit log.
    accesses: i64,
    /// Number of sequence numbers assigned to events.
    events: i64,
    /// Sequence number of the last sealed row of the audit log.
    sealed: Option<i64>,
    /// The greatest id of an episode whose change is noted for the text blocks.
    episodes_bound: Option<Id>,
}

impl OrgRowDelta {
    /// Increments the version of the org.
    pub(crate) fn touch(&mut self) {
        self.is_touched = true;
    }

    pub(crate) fn is_touched(&self) -> bool {
        self.is_touched
    }

    pub(crate) fn has_events(&self) -> bool {
        self.events > 0
    }

    /// Whether the row needs an update.
    pub(crate) fn is_any(&self) -> bool {
        self.is_touched || self.accesses > 0 || self.sealed.is_some() || self.episodes_bound.is_some()
    }

    /// The next sequence number of a memory. `row` is the row before the group.
    pub(crate) fn next_memory(&mut self, row: &OrgRow) -> i64 {
        self.touch();
        self.memories += 1;
        row.last_seq + self.memories
    }

    /// The next sequence number of an event. Subscribers on other servers wake up by the version, so it grows too.
    pub(crate) fn next_event(&mut self, row: &OrgRow) -> i64 {
        self.touch();
        self.events += 1;
        row.event_seq + self.events
    }

    /// The next sequence number of the audit log. The version does not grow, because a read does not affect the caches.
    pub(crate) fn next_access(&mut self, row: &OrgRow) -> i64 {
        self.accesses += 1;
        row.access_seq + self.accesses
    }

    /// The audit log is sealed up to this row. The version does not grow.
    pub(crate) fn seal(&mut self, last: i64) {
        self.sealed = Some(last);
    }

    /// Index rows of removed memories were deleted up to this version: older caches are dropped.
    pub(crate) fn raise_index_floor(&mut self, version: i64) {
        self.touch();
        self.index_floor = self.index_floor.max(Some(version));
    }

    /// Changes of episodes up to this id are noted from now on. The version does not grow, as no cache depends on it.
    pub(crate) fn raise_episodes_bound(&mut self, until: Id) {
        self.episodes_bound = self.episodes_bound.max(Some(until));
    }

    /// The row after the group.
    pub(crate) fn apply(&self, row: &OrgRow) -> OrgRow {
        OrgRow {
            version: row.version + i64::from(self.is_touched),
            index_floor: row.index_floor.max(self.index_floor.unwrap_or(row.index_floor)),
            last_seq: row.last_seq + self.memories,
            access_seq: row.access_seq + self.accesses,
            sealed_seq: self.sealed.unwrap_or(row.sealed_seq),
            event_seq: row.event_seq + self.events,
            episodes_bound: row.episodes_bound.max(self.episodes_bound),
            ..row.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use orgmem_hierarchy::OrgId;
    use uuid::Uuid;

    use super::*;

    type Number = (&'static str, fn(&mut OrgRowDelta, &OrgRow) -> i64, fn(&OrgRow) -> i64);

    #[test]
    fn every_assigned_number_is_stored() {
        let absent = OrgRow::absent(OrgId::from(Uuid::from_u128(1)));
        let before = OrgRow { version: 7, last_seq: 20, event_seq: 30, access_seq: 40, ..absent };
        let numbers: [Number; 3] = [
            ("memory", OrgRowDelta::next_memory, |row| row.last_seq),
            ("event", OrgRowDelta::next_event, |row| row.event_seq),
            ("audit row", OrgRowDelta::next_access, |row| row.access_seq),
        ];
        for (name, next, last) in numbers {
            let mut delta = OrgRowDelta::default();
            assert!(!delta.is_any());
            let assigned = [next(&mut delta, &before), next(&mut delta, &before)];
            assert_eq!(assigned, [last(&before) + 1, last(&before) + 2], "{name}");
            assert!(delta.is_any(), "{name}: the row is updated");
            let after = delta.apply(&before);
            assert_eq!(last(&after), assigned[1], "{name}");
            assert_eq!(after.version > before.version, name != "audit row", "{name}");
        }
    }
}
