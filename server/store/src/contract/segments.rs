use std::collections::HashMap;
use std::sync::Arc;

use orgmem_hierarchy::OrgId;
use orgmem_recall::{Doc, LiveSegment, SegmentError};
use uuid::Uuid;

use crate::cache::{Effect, IndexChange, PartitionKey};

/// The segments of an org, and the changes that they lack.
#[derive(Debug)]
pub struct SegmentWork {
    pub(crate) state: SegmentState,
    /// The version at which the segments will have all changes; none to delete them.
    pub(crate) until: Option<i64>,
    pub(crate) partitions: Vec<PartitionWork>,
    /// Whether more changes are waiting.
    pub(crate) has_more: bool,
}

/// What a [`SegmentUpdate`] was made from. It is dropped if this has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentState {
    pub(crate) org: OrgId,
    /// The version of the segments; none if there are none.
    pub(crate) progress: Option<i64>,
    /// Grows when index rows are deleted, whose content must not come back.
    pub(crate) floor: i64,
}

/// A partition with changes.
#[derive(Debug)]
pub(crate) struct PartitionWork {
    pub(crate) key: PartitionKey,
    pub(crate) changes: Vec<IndexChange>,
    /// Its segments that the changes may concern, or that should be merged.
    pub(crate) stored: Vec<StoredSegment>,
    /// Of `stored`, the numbers of those that become one segment.
    pub(crate) merged: Vec<i64>,
    /// The number of the next segment.
    pub(crate) next: i64,
}

#[derive(Debug)]
pub(crate) struct StoredSegment {
    pub(crate) number: i64,
    pub(crate) deleted: Vec<u8>,
    pub(crate) data: Arc<[u8]>,
}

impl StoredSegment {
    pub(crate) fn read(self) -> Result<LiveSegment, SegmentError> {
        LiveSegment::read(self.data, &self.deleted)
    }
}

/// New segments of an org.
#[derive(Debug)]
pub struct SegmentUpdate {
    pub(crate) state: SegmentState,
    /// None deletes all segments, to write them again from the index rows.
    pub(crate) until: Option<i64>,
    pub(crate) partitions: Vec<PartitionUpdate>,
}

#[derive(Debug)]
pub(crate) struct PartitionUpdate {
    pub(crate) key: PartitionKey,
    /// Numbers of segments to delete.
    pub(crate) gone: Vec<i64>,
    /// Segments with more deleted documents.
    pub(crate) masked: Vec<(i64, LiveSegment)>,
    pub(crate) added: Vec<(i64, LiveSegment)>,
    /// Whether content left that no other table may have, so that the files have to be cleaned.
    pub(crate) is_purged: bool,
}

impl SegmentWork {
    /// The work that is left to be done when this is done: whether more changes are waiting.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Builds the new segments.
    ///
    /// # Returns
    /// The update. If a stored segment is damaged, the update that deletes all segments, and the error.
    #[must_use]
    pub fn build(self) -> (SegmentUpdate, Option<SegmentError>) {
        let SegmentWork { state, until, partitions, .. } = self;
        match partitions.into_iter().map(PartitionWork::build).collect() {
            Ok(partitions) => (SegmentUpdate { state, until, partitions }, None),
            Err(error) => (SegmentUpdate { state, until: None, partitions: Vec::new() }, Some(error)),
        }
    }
}

impl PartitionWork {
    fn build(self) -> Result<PartitionUpdate, SegmentError> {
        let PartitionWork { key, changes, stored, merged, mut next } = self;
        let mut segments: Vec<(i64, LiveSegment)> = stored
            .into_iter()
            .map(|stored| Ok((stored.number, stored.read()?)))
            .collect::<Result<_, SegmentError>>()?;
        // an earlier version can be erased later, or was erased already, so its content does not stay
        let added = changes.iter().filter_map(|change| match &change.effect {
            Effect::Add(doc) => Some(&**doc),
            Effect::Remove(_) | Effect::Purge(_) | Effect::PurgeAll => None,
        });
        let with_content = segments.iter().filter(|(_, segment)| segment.has_other_content(added.clone()));
        let mut rewritten: Vec<i64> = with_content.map(|(number, _)| *number).collect();
        let mut is_purged = !rewritten.is_empty();
        let mut masked = Vec::new();
        let mut docs: HashMap<Uuid, Doc> = HashMap::new();
        for change in changes {
            let removed = match change.effect {
                Effect::Add(doc) => {
                    docs.insert(doc.meta.id, *doc);
                    continue;
                }
                Effect::Remove(id) => id,
                Effect::Purge(id) => {
                    is_purged = true;
                    let with_content = segments.iter().filter(|(_, segment)| segment.contains(id));
                    rewritten.extend(with_content.map(|(number, _)| *number));
                    id
                }
                Effect::PurgeAll => continue,
            };
            docs.remove(&removed);
            let of = segments.iter_mut().filter_map(|(number, segment)| segment.remove(removed).then_some(*number));
            masked.extend(of);
        }
        let mut update = PartitionUpdate { key, gone: Vec::new(), masked: Vec::new(), added: Vec::new(), is_purged };
        let mut add = |update: &mut PartitionUpdate, segment: LiveSegment| {
            if !segment.is_empty() {
                update.added.push((next, segment));
                next += 1;
            }
        };
        let (to_merge, others): (Vec<_>, Vec<_>) =
            segments.into_iter().partition(|(number, _)| merged.contains(number));
        if !to_merge.is_empty() {
            update.gone.extend(to_merge.iter().map(|(number, _)| *number));
            add(&mut update, LiveSegment::merged(to_merge.iter().map(|(_, segment)| segment)));
        }
        for (number, segment) in others {
            if segment.is_empty() || segment.is_mostly_deleted() || rewritten.contains(&number) {
                update.gone.push(number);
                add(&mut update, LiveSegment::merged([&segment]));
            } else if masked.contains(&number) {
                update.masked.push((number, segment));
            }
        }
        LiveSegment::build(docs.values()).into_iter().for_each(|segment| add(&mut update, segment));
        Ok(update)
    }
}
