//! Index entries of pages, and what a removal of pages takes from the index.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ViewPass;
use orgmem_recall::{Analysis, Doc};
use uuid::Uuid;

use super::Tx;
use super::episodes::EpisodeRow;
use super::page_rows::{CHUNK, PageRow, TABLE};
use super::partitions::PartitionDelta;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::StoredPage;
use crate::engine::RowContext;
use crate::schema::{memory_index, page_work, pages};

impl Tx<'_> {
    pub(super) fn page_row(&mut self, key: (Id, Id, Id)) -> Result<Option<PageRow>, StoreError> {
        let row = pages::table.find(key).select(PageRow::as_select()).first(self.drained()?);
        row.optional().row_context(TABLE, key.2.0)
    }

    /// Writes the index entry of a page, or removes it from a page without text. Without another text it has the vectors of
    /// `old`, its last row.
    pub(super) fn index_page(&mut self, old: Option<&PageRow>, row: &PageRow) -> Result<(), StoreError> {
        let (org, partition, id) = (row.org_id.org(), row.partition(), row.id.0);
        let org_version = self.touch(org)?;
        let indexed = self.indexed_text(org, partition, id)?;
        let was_indexed = indexed.is_some();
        let vectors = indexed.flatten().filter(|_| old.is_some_and(|old| old.text() == row.text()));
        match row.doc(org_version, vectors)? {
            Some(doc) => {
                self.put_text(org, partition, None, doc)?;
                if was_indexed { Ok(()) } else { self.count_pages(row.workspace_id, row.org_id, 1, org_version) }
            }
            None if was_indexed => {
                self.remove_text(org, partition, id, org_version, false)?;
                self.count_pages(row.workspace_id, row.org_id, -1, org_version)
            }
            None => Ok(()),
        }
    }

    pub(crate) fn page_analyses(
        &mut self,
        pass: &ViewPass,
        pages: &[StoredPage],
    ) -> Result<HashMap<Uuid, Analysis>, StoreError> {
        let partition = PageRow::partition_of(pass.workspace().into());
        let ids: Vec<Id> = pages.iter().map(|page| Id(page.id)).collect();
        let mut analyses = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(CHUNK) {
            let rows: Vec<(Id, Option<Vec<u8>>)> = memory_index::table
                .filter(memory_index::org_id.eq(Id::from(pass.org())))
                .filter(memory_index::author_id.eq(Id::from(partition.author)))
                .filter(memory_index::scope.eq(partition.row_scope()))
                .filter(memory_index::team_id.eq(Id::of_team(partition.team)))
                .filter(memory_index::memory_id.eq_any(ids))
                .select((memory_index::memory_id, memory_index::doc))
                .load(self.drained()?)
                .row_context("memory_index", pass.workspace())?;
            for (id, doc) in rows {
                let Some(doc) = doc else { continue };
                let doc = Doc::decode(&doc);
                let unreadable = |_| StoreError::unreadable("memory_index", id.0, "its document cannot be decoded");
                analyses.insert(id.0, doc.map_err(unreadable)?.analysis);
            }
        }
        Ok(analyses)
    }

    /// Writes the index entry of a page again. The texts that it replaces must remain nowhere.
    pub(super) fn index_scrubbed_page(&mut self, row: &PageRow) -> Result<(), StoreError> {
        self.unindex_page(row.org_id, row.workspace_id, row.id)?;
        self.index_page(None, row)
    }

    /// Whether a page with text has an index entry. One that an older version wrote has none.
    pub(super) fn is_page_indexed(&mut self, row: &PageRow) -> Result<bool, StoreError> {
        Ok(row.text().is_none() || self.indexed_text(row.org_id.org(), row.partition(), row.id.0)?.is_some())
    }

    fn unindex_page(&mut self, org: Id, workspace: Id, id: Id) -> Result<(), StoreError> {
        let org_version = self.touch(org.org())?;
        let partition = PageRow::partition_of(workspace);
        self.pending.deleted_from.push("memory_index");
        match self.remove_text(org.org(), partition, id.0, org_version, true)? {
            true => self.count_pages(workspace, org, -1, org_version),
            false => Ok(()),
        }
    }

    fn count_pages(&mut self, workspace: Id, org: Id, live: i64, version: i64) -> Result<(), StoreError> {
        let (org, partition) = (org.org(), PageRow::partition_of(workspace));
        let written_at = (live > 0).then_some(Time(self.now));
        self.count_partition(PartitionDelta { org, partition, version, live, bytes: 0, written_at })
    }

    pub(super) fn delete_pages(&mut self, org: Id, workspace: Id, ids: &[Id]) -> Result<(), StoreError> {
        for id in ids {
            self.unindex_page(org, workspace, *id)?;
            self.withdraw_from_providers(org, *id)?;
        }
        let gone = pages::table
            .filter(pages::org_id.eq(org))
            .filter(pages::workspace_id.eq(workspace))
            .filter(pages::id.eq_any(ids.to_vec()));
        diesel::delete(gone).execute(self.writing()?)?;
        self.pending.deleted_from.push(TABLE);
        Ok(())
    }

    /// Deletes the page of the exchange that contains an episode. The exchanges of a thread do not overlap.
    pub(super) fn delete_exchange(&mut self, row: &EpisodeRow, thread: &str) -> Result<(), StoreError> {
        let ids: Vec<Id> = pages::table
            .filter(pages::org_id.eq(row.org_id))
            .filter(pages::workspace_id.eq(row.workspace_id))
            .filter(pages::subject.eq(row.page_subject().to_owned()))
            .filter(pages::thread.eq(thread.to_owned()))
            .filter(pages::first_at.le(row.created_at))
            .filter(pages::last_at.ge(row.created_at))
            .select(pages::id)
            .load(self.drained()?)
            .row_context(TABLE, row.workspace_id.0)?;
        if ids.is_empty() { Ok(()) } else { self.delete_pages(row.org_id, row.workspace_id, &ids) }
    }

    /// Deletes all pages and all work about a subject, of every workspace of the org.
    pub(crate) fn erase_pages_about(&mut self, org: OrgId, subject: &str) -> Result<(), StoreError> {
        let org = Id::from(org);
        let made: Vec<(Id, Id)> = pages::table
            .filter(pages::org_id.eq(org))
            .filter(pages::subject.eq(subject.to_owned()))
            .select((pages::workspace_id, pages::id))
            .load(self.drained()?)
            .row_context(TABLE, subject)?;
        let mut by_workspace: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        for (workspace, id) in made {
            by_workspace.entry(workspace).or_default().push(id);
        }
        for (workspace, ids) in by_workspace {
            self.delete_pages(org, workspace, &ids)?;
        }
        let work = page_work::table.filter(page_work::org_id.eq(org)).filter(page_work::subject.eq(subject.to_owned()));
        diesel::delete(work).execute(self.writing()?)?;
        self.pending.deleted_from.push("page_work");
        Ok(())
    }
}
