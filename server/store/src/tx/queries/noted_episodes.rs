//! Notes of changes of episodes that are, or would be, in text blocks.
//!
//! Blocks have the episodes of a workspace up to an id. Episodes beyond need no note: a search reads their rows.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;

use super::Tx;
use super::insert::{Outgoing, write_rows};
use crate::StoreError;
use crate::columns::Id;
use crate::schema::episode_changes;

/// A row of `episode_changes`.
#[derive(Clone, Copy, Debug, Insertable)]
#[diesel(table_name = episode_changes)]
pub(crate) struct EpisodeChange {
    org_id: Id,
    workspace_id: Id,
    /// Its own, so that a later change of the same episode is another row.
    id: Id,
    episode_id: Id,
}

pub(crate) fn insert(out: &mut Outgoing<'_>, rows: Vec<EpisodeChange>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(episode_changes::table).values(rows));
    Ok(())
}

impl Tx<'_> {
    /// The greatest id of an episode of `org` whose change has to be noted; none if it has no text blocks.
    pub(super) fn episodes_bound(&mut self, org: OrgId) -> Result<Option<Id>, StoreError> {
        Ok(self.view(org)?.row.episodes_bound)
    }

    /// Notes that an episode was added, changed or deleted, if blocks may have it.
    pub(super) fn note_episode(&mut self, org_id: Id, workspace_id: Id, episode_id: Id) -> Result<(), StoreError> {
        if self.episodes_bound(org_id.org())?.is_some_and(|bound| episode_id <= bound) {
            let id = Id(self.core.ids.next(self.now));
            self.pending.episode_changes.push(EpisodeChange { org_id, workspace_id, id, episode_id });
        }
        Ok(())
    }
}
