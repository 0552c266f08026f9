//! Scrubbing of stored rows with the current rules.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ServerPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules::MemoryChange;
use orgmem_policies::scrub::Scrubber;
use serde_json::Value as Json;

use super::super::rows::{read_page, update_row};
use super::Tx;
use super::audit_records::memory_record;
use super::episodes::EpisodeRow;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{Analysed, AuditRecord};
use crate::engine::RowContext;
use crate::schema::{entries, episodes, orgs};
use crate::scrub::{ScrubPosition, ScrubTable, ScrubbedRow, ScrubbedRows};
use crate::transfer::{Part, Value};

/// Rows and bytes of text of one transaction.
const MAX_ROWS: u64 = 500;
const MAX_BYTES: usize = 1 << 20;
/// Rows of a statement.
const PAGE: usize = 100;
/// Changed rows of one transaction, each of which is written and audited.
const MAX_CHANGED: u64 = 100;

impl Tx<'_> {
    pub(crate) fn scrub_rows(
        &mut self,
        _: &ServerPass,
        org: OrgId,
        scrubber: &Scrubber,
        after: &ScrubPosition,
    ) -> Result<ScrubbedRows, StoreError> {
        let (mut rows, mut at, mut bytes) = (ScrubbedRows::default(), after.clone(), 0);
        while let Some(of) = at.table() {
            let key = at.key();
            let page = read_page(self.drained()?, &of.table, &Part::whole(org.into()), key.as_deref(), PAGE)?;
            let is_last = page.len() < PAGE;
            for mut row in page {
                at = at.after(&row);
                bytes += of.bytes(&row);
                rows.rows += 1;
                if let Some(scrubbed) = of.scrub(scrubber, &mut row, &mut rows) {
                    self.put_scrubbed(org, of, &row, &scrubbed)?;
                    rows.changed += 1;
                }
                if rows.rows >= MAX_ROWS || rows.changed >= MAX_CHANGED || bytes >= MAX_BYTES {
                    rows.next = Some(at);
                    return Ok(rows);
                }
            }
            if is_last {
                at = at.next_table();
            }
        }
        let next: Option<Id> = orgs::table
            .filter(orgs::org_id.gt(Id::from(org)))
            .order(orgs::org_id)
            .select(orgs::org_id)
            .first(self.drained()?)
            .optional()
            .row_context("orgs", org)?;
        rows.next_org = next.map(Id::org);
        Ok(rows)
    }

    /// Writes a changed row and everything that is made of it, and records the change.
    fn put_scrubbed(
        &mut self,
        org: OrgId,
        of: &ScrubTable,
        row: &[Value],
        scrubbed: &ScrubbedRow,
    ) -> Result<(), StoreError> {
        let table = &of.table;
        let id = |column: &str| match table.position(column).and_then(|at| row.get(at)) {
            Some(Value::Uuid(id)) => *id,
            _ => Id::NIL,
        };
        self.pending.deleted_from.push(table.name);
        let workspace = table.workspace.map_or(Id::NIL, id);
        let workspace = if workspace == Id::NIL { org.root() } else { workspace.workspace() };
        let mut record = AuditRecord::new(AuditAction::ScrubMemory, workspace)
            .event_kind(None)
            .context_field("table", table.name)
            .context_field("replaced", counts(scrubbed));
        if let Some(Value::Uuid(memory)) = table.position("memory_id").and_then(|at| row.get(at)) {
            record = record.context_field("memory_id", memory.0.to_string());
        }
        match table.name {
            "memories" => return self.put_scrubbed_memory(org, of, row, scrubbed),
            "document_passages" => {
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                self.put_scrubbed_passage(org, id("document_id").0, id("id").0)?;
            }
            "episodes" => {
                let key = (Id::from(org), id("workspace_id"), id("id"));
                let known = self.episode_row(key)?;
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                if let (Some(known), Some(changed)) = (known, self.episode_row(key)?) {
                    self.put_scrubbed_episode(&known, &changed)?;
                }
                record = record.context_field("episode_id", key.2.0.to_string());
            }
            "pages" => {
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                if let Some(changed) = self.page_row((org.into(), id("workspace_id"), id("id")))? {
                    self.index_scrubbed_page(&changed)?;
                }
            }
            "workspaces" => {
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                self.note_renamed(org, id("id").workspace())?;
            }
            "profiles" => {
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                self.note_profiles(org)?;
            }
            "entries" => {
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                let entry = entries::table
                    .filter(entries::org_id.eq(Id::from(org)))
                    .filter(entries::workspace_id.eq(id("workspace_id")))
                    .filter(entries::key.eq(text(of, row, "key")));
                diesel::update(entry).set(entries::version.eq(entries::version + 1)).execute(self.writing()?)?;
            }
            "collection_rows" => {
                update_row(self.writing()?, table, row, &scrubbed.columns)?;
                let key = (id("workspace_id"), text(of, row, "collection"), text(of, row, "key"));
                self.note_scrubbed_row(org, key)?;
            }
            _ => update_row(self.writing()?, table, row, &scrubbed.columns)?,
        }
        self.touch(org)?;
        self.record(record)?;
        Ok(())
    }

    /// The memory gets a new version, and its index entry is computed again.
    fn put_scrubbed_memory(
        &mut self,
        org: OrgId,
        of: &ScrubTable,
        row: &[Value],
        scrubbed: &ScrubbedRow,
    ) -> Result<(), StoreError> {
        let table = of.table.name;
        let at = of.table.position("id").and_then(|at| row.get(at));
        let Some(Value::Uuid(id)) = at else { return Ok(()) };
        let missing = || StoreError::unreadable(table, id.0, "it does not exist any more");
        let known = self.memory_row(org, id.0)?.ok_or_else(missing)?;
        update_row(self.writing()?, &of.table, row, &scrubbed.columns)?;
        let changed = self.memory_row(org, id.0)?.ok_or_else(missing)?;
        let content = changed.content.as_deref().unwrap_or_default();
        let analysed = Analysed::of(changed.authored.title.as_deref(), content);
        let next = MemoryRow {
            content_hash: analysed.content_hash.to_vec(),
            version: known.version + 1,
            seq: self.next_seq(org)?,
            org_version: self.touch(org)?,
            updated_at: Time(self.now),
            ..changed
        };
        let record = memory_record(MemoryChange::Scrubbed, &next)
            .context_field("table", table)
            .context_field("replaced", counts(scrubbed));
        self.record(record)?;
        self.rewrite(&known, next, &analysed)
    }

    pub(super) fn episode_row(&mut self, key: (Id, Id, Id)) -> Result<Option<EpisodeRow>, StoreError> {
        let row = episodes::table.find(key).select(EpisodeRow::as_select()).first(self.drained()?);
        row.optional().row_context("episodes", key.2)
    }

    /// The folded text of an episode is computed again, and its pages are made again.
    fn put_scrubbed_episode(&mut self, known: &EpisodeRow, changed: &EpisodeRow) -> Result<(), StoreError> {
        let key = (changed.org_id, changed.workspace_id, changed.id);
        diesel::update(episodes::table.find(key))
            .set(episodes::folded.eq(changed.folded()))
            .execute(self.writing()?)?;
        self.note_episode(changed.org_id, changed.workspace_id, changed.id)?;
        self.drop_reviews(known.org_id, known.id)?;
        self.withdraw_from_providers(known.org_id, known.id)?;
        self.forget_pages_of(known)?;
        if let Some(thread) = changed.thread() {
            self.note_page_work(changed.org_id, changed.workspace_id, changed.page_subject(), thread);
        }
        Ok(())
    }
}

/// Replacements by kind.
fn counts(scrubbed: &ScrubbedRow) -> Json {
    scrubbed.replaced.iter().map(|(kind, count)| (kind.clone(), Json::from(*count))).collect()
}

fn text<'r>(of: &ScrubTable, row: &'r [Value], column: &str) -> &'r str {
    match of.table.position(column).and_then(|at| row.get(at)) {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}
