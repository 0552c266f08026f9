//! Searches over a subtree: the partitions of many authors at once, and what their profiles hide.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Readable, WorkspaceId};
use orgmem_policies::ReadPass;
use uuid::Uuid;

use super::{MAX_SINGLE_READS, Tx};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, PartitionScope, TextEnum};
use crate::engine::RowContext;
use crate::schema::{memories, memory_partitions};

/// The id, kind, profile, subject and session of a memory.
type LabelsRow = (Id, String, Option<Id>, Option<String>, Option<String>);

/// Authors per statement.
const CHUNK: usize = 10_000;

impl Tx<'_> {
    /// The partitions of the authors whose every memory is in reach, without empty ones, in one statement for each
    /// [`CHUNK`]; `None` if there are so few that a statement for each is faster.
    pub(super) fn partitions_of_many(
        &mut self,
        pass: &ReadPass,
    ) -> Result<Option<HashMap<WorkspaceId, Vec<PartitionKey>>>, StoreError> {
        let own = pass.reach().parts().iter().filter_map(|part| match *part {
            Readable::Own(author) => Some(author),
            Readable::Team { .. } | Readable::Org(_) => None,
        });
        // the first is the reader, and only a pass for a subtree has others
        if own.clone().nth(MAX_SINGLE_READS).is_none() {
            return Ok(None);
        }
        self.load_partitions(pass.org(), &own.collect::<Vec<_>>()).map(Some)
    }

    fn load_partitions(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<HashMap<WorkspaceId, Vec<PartitionKey>>, StoreError> {
        let mut found: HashMap<WorkspaceId, Vec<PartitionKey>> = HashMap::new();
        for authors in authors.chunks(CHUNK) {
            let rows: Vec<(Id, TextEnum<PartitionScope>, Id)> = memory_partitions::table
                .filter(memory_partitions::org_id.eq(Id::from(org)))
                .filter(memory_partitions::author_id.eq_any(authors.iter().copied().map(Id::from)))
                .filter(memory_partitions::live_count.gt(0))
                .order((memory_partitions::author_id, memory_partitions::scope, memory_partitions::team_id))
                .select((memory_partitions::author_id, memory_partitions::scope, memory_partitions::team_id))
                .load(self.drained()?)
                .row_context("memory_partitions", org)?;
            for (author, scope, team) in rows {
                let key = PartitionKey::of_row(author, scope, team);
                found.entry(key.author).or_default().push(key);
            }
        }
        Ok(found)
    }

    /// The memories that a profile hides in a pass for a subtree.
    ///
    /// # Complexity
    /// O(memories of the authors with such a profile).
    pub(super) fn withheld_ids(&mut self, pass: &ReadPass) -> Result<HashSet<Uuid>, StoreError> {
        let mut hidden = HashSet::new();
        for withheld in pass.withheld() {
            for authors in withheld.authors.chunks(CHUNK) {
                let rows: Vec<LabelsRow> = memories::table
                    .filter(memories::org_id.eq(Id::from(pass.org())))
                    .filter(memories::author_id.eq_any(authors.iter().copied().map(Id::from)))
                    .select((
                        memories::id,
                        memories::kind,
                        memories::profile_id,
                        memories::subject,
                        memories::session_id,
                    ))
                    .load(self.drained()?)
                    .row_context("memories", pass.org())?;
                let is_hidden = |(_, kind, profile, subject, session): &LabelsRow| {
                    withheld.hides(kind, profile.map(|profile| profile.0), (subject.as_deref(), session.as_deref()))
                };
                hidden.extend(rows.into_iter().filter(is_hidden).map(|(id, ..)| id.0));
            }
        }
        Ok(hidden)
    }
}
