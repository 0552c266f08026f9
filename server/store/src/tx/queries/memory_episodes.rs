//! The episodes that the server recorded about memories whose content is removed.

use diesel::prelude::*;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules;

use super::Tx;
use super::episodes::EpisodeRow;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::engine::RowContext;
use crate::schema::episodes;

impl Tx<'_> {
    /// Removes kind and session of a memory from the episodes that the server recorded about its changes.
    ///
    /// # Complexity
    /// O(episodes about the memory), found by an index.
    pub(crate) fn strip_episodes_of(&mut self, memory: &MemoryRow) -> Result<(), StoreError> {
        let rows: Vec<EpisodeRow> = episodes::table
            .filter(episodes::org_id.eq(memory.org_id))
            .filter(episodes::workspace_id.eq(memory.author_id))
            .filter(episodes::target_id.eq(Some(memory.id)))
            .select(EpisodeRow::as_select())
            .load(self.drained()?)
            .row_context("episodes", memory.id)?;
        for row in rows {
            let Some(summary) = row.summary.as_deref().filter(|_| is_change(&row)).and_then(rules::without_kind) else {
                continue;
            };
            self.pending.deleted_from.push("episodes");
            let stripped = row.without_session(summary);
            let folded = stripped.folded();
            let key = (stripped.org_id, stripped.workspace_id, stripped.id);
            diesel::update(episodes::table.find(key))
                .set((&stripped, episodes::folded.eq(folded)))
                .execute(self.writing()?)?;
        }
        Ok(())
    }
}

/// Whether the server recorded the episode of a change to a memory. An agent can append an equal one, but none with a
/// text of its own that has the form of the server's.
fn is_change(row: &EpisodeRow) -> bool {
    let action = row.method.as_deref().and_then(|method| method.parse::<AuditAction>().ok());
    action.is_some_and(|action| rules::activity_type(action) == row.activity_type && !action.shows_memories())
}
