//! The episodes that the server recorded about memories whose content is removed.

use diesel::prelude::*;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules;

use super::episodes::EpisodeRow;
use super::memory_rows::MemoryRow;
use super::{Condition, Tx};
use crate::StoreError;
use crate::engine::RowContext;
use crate::schema::episodes;

impl Tx<'_> {
    /// Removes kind and session of a memory from the episodes that the server recorded about its changes.
    ///
    /// # Complexity
    /// O(changes of the memory since its content was last removed), found by an index. Reads of it do not count.
    pub(crate) fn strip_episodes_of(&mut self, memory: &MemoryRow) -> Result<(), StoreError> {
        let of_memory = || {
            let of_author = episodes::org_id.eq(memory.org_id).and(episodes::workspace_id.eq(memory.author_id));
            // the literal condition of the partial index, which a bound value would not match
            of_author.and(episodes::target_id.eq(Some(memory.id))).and(Condition(super::NAMES_TARGET))
        };
        let rows: Vec<EpisodeRow> = episodes::table
            .filter(of_memory())
            .select(EpisodeRow::as_select())
            .load(self.drained()?)
            .row_context("episodes", memory.id)?;
        // of an import, and from before this was recorded
        let mut has_others = false;
        for row in rows {
            let Some(summary) = row.summary.as_deref().filter(|_| is_change(&row)).and_then(rules::without_kind) else {
                has_others = true;
                continue;
            };
            self.pending.deleted_from.push("episodes");
            let stripped = row.without_session(summary);
            let folded = stripped.folded();
            let key = (stripped.org_id, stripped.workspace_id, stripped.id);
            diesel::update(episodes::table.find(key))
                .set((&stripped, episodes::folded.eq(folded)))
                .execute(self.writing()?)?;
            self.note_episode(stripped.org_id, stripped.workspace_id, stripped.id)?;
        }
        if has_others {
            let others = diesel::update(episodes::table.filter(of_memory()));
            others.set(episodes::names_target.eq(false)).execute(self.writing()?)?;
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

/// Whether the episode of an operation has the kind or session of the memory that it changes.
pub(super) fn names_memory(action: AuditAction, summary: &str, session: Option<&str>) -> bool {
    let has_kind = || rules::without_kind(summary).is_some_and(|without| without != summary);
    !action.shows_memories() && (session.is_some() || has_kind())
}
