//! Pages: their rows, and what a redaction of their sources removes.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::EventKind;
use orgmem_policies::{ReadPass, ViewPass};
use uuid::Uuid;

use super::Tx;
use super::end_users::pages_of_users;
use super::episodes::EpisodeRow;
use super::page_rows::{FactsRow, PageRow, TABLE, time};
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{
    Episode, Memory, PageChange, PageCursor, PageFacts, PageFilter, PagePlacement, PageThreads, StoredPage,
};
use crate::engine::RowContext;
use crate::schema::{episodes, pages};

impl Tx<'_> {
    pub(crate) fn page_facts(&mut self, org: OrgId, of: &PageThreads) -> Result<Vec<PageFacts>, StoreError> {
        let mut rows = pages::table
            .filter(pages::org_id.eq(Id::from(org)))
            .filter(pages::workspace_id.eq(Id::from(of.workspace)))
            .select(FactsRow::as_select())
            .into_boxed();
        if let Some(subject) = &of.subject {
            rows = rows.filter(pages::subject.eq(subject));
        }
        let rows: Vec<FactsRow> = rows.load(self.drained()?).row_context(TABLE, of.workspace)?;
        rows.into_iter().map(FactsRow::read).collect()
    }

    pub(crate) fn list_pages(
        &mut self,
        pass: &ViewPass,
        filter: &PageFilter,
        after: Option<PageCursor>,
        limit: usize,
    ) -> Result<Vec<StoredPage>, StoreError> {
        let PageFilter { subject, tiers, thread } = filter;
        if [subject, thread].into_iter().flatten().any(|word| holds_nul(word)) {
            return Ok(Vec::new());
        }
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        let mut rows = pages::table
            .filter(pages::org_id.eq(Id::from(pass.org())))
            .filter(pages::workspace_id.eq(Id::from(pass.workspace())))
            .filter(pages::tier.eq_any(tiers.clone()))
            .order((pages::last_at.desc(), pages::id.desc()))
            .limit(row_limit(limit))
            .select(PageRow::as_select())
            .into_boxed();
        rows = rows.filter(pages_of_users(&users));
        if let Some(subject) = subject {
            rows = rows.filter(pages::subject.eq(subject));
        }
        if let Some(thread) = thread {
            rows = rows.filter(pages::thread.eq(thread));
        }
        if let Some(PageCursor(at, id)) = after {
            let before = pages::last_at.eq(Time(at)).and(pages::id.lt(Id(id)));
            rows = rows.filter(pages::last_at.lt(Time(at)).or(before));
        }
        let rows: Vec<PageRow> = rows.load(self.drained()?).row_context(TABLE, pass.workspace())?;
        rows.into_iter().map(PageRow::read).collect()
    }

    pub(crate) fn page(&mut self, pass: &ViewPass, id: Uuid) -> Result<Option<StoredPage>, StoreError> {
        let shown = pages_of_users(&self.users_of(pass.org(), pass.workspace(), pass.user())?);
        let row: Option<PageRow> = pages::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), Id(id)))
            .filter(shown)
            .select(PageRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, id)?;
        row.map(PageRow::read).transpose()
    }

    pub(crate) fn shared_page(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<StoredPage>, StoreError> {
        let authors = self.page_authors(pass)?;
        if authors.is_empty() {
            return Ok(None);
        }
        let row: Option<PageRow> = pages::table
            .filter(pages::org_id.eq(Id::from(pass.org())))
            .filter(pages::workspace_id.eq_any(authors.into_iter().map(Id::from)))
            .filter(pages::id.eq(Id(id)))
            .select(PageRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, id)?;
        let page = row.map(PageRow::read).transpose()?;
        Ok(page.filter(|page| {
            let subject = Some(page.subject.as_str()).filter(|subject| !subject.is_empty());
            pass.users().shows(page.workspace, subject, Some(&page.thread))
        }))
    }

    pub(crate) fn episodes_by_id(&mut self, pass: &ViewPass, ids: &[Uuid]) -> Result<Vec<Episode>, StoreError> {
        let ids: Vec<Id> = ids.iter().copied().map(Id).collect();
        let rows: Vec<EpisodeRow> = episodes::table
            .filter(episodes::org_id.eq(Id::from(pass.org())))
            .filter(episodes::workspace_id.eq(Id::from(pass.workspace())))
            .filter(episodes::id.eq_any(ids))
            .order(episodes::id)
            .select(EpisodeRow::as_select())
            .load(self.drained()?)
            .row_context("episodes", pass.workspace())?;
        Ok(rows.into_iter().map(Episode::from).collect())
    }

    pub(crate) fn put_pages(&mut self, org: OrgId, change: &PageChange) -> Result<Option<usize>, StoreError> {
        let PageChange { work, pages: new, moved, due_at } = change;
        let (org_id, workspace) = (Id::from(org), Id::from(work.workspace));
        if !self.is_current(org_id, work)? {
            return Ok(None);
        }
        let mut old = self.pages_of_threads(org_id, workspace, &work.subject, &work.threads)?;
        let mut written = 0;
        for page in new {
            let row = PageRow::of(org_id, workspace, &work.subject, page, Time(self.now));
            let old = old.remove(&row.id);
            let row = match &old {
                Some(old) => {
                    let unchanged = PageRow { version: old.version, compacted_at: old.compacted_at, ..row.clone() };
                    if unchanged == *old {
                        if !self.is_page_indexed(old)? {
                            self.index_page(None, old)?;
                        }
                        continue;
                    }
                    PageRow { version: old.version + 1, ..row }
                }
                None => row,
            };
            written += 1;
            let key = (pages::org_id, pages::workspace_id, pages::id);
            let insert = diesel::insert_into(pages::table).values(&row).on_conflict(key).do_update().set(&row);
            insert.execute(self.writing()?)?;
            self.index_page(old.as_ref(), &row)?;
        }
        if !old.is_empty() {
            let gone: Vec<Id> = old.into_keys().collect();
            self.delete_pages(org_id, workspace, &gone)?;
        }
        for PagePlacement { id, tier, effective_at, sessions, successes, failures } in moved {
            written += 1;
            let Some(old) = self.page_row((org_id, workspace, Id(*id)))? else { continue };
            let row = PageRow {
                tier: (*tier).to_owned(),
                effective_at: time(*effective_at),
                sessions: *sessions,
                successes: *successes,
                failures: *failures,
                version: old.version + 1,
                compacted_at: Time(self.now),
                ..old.clone()
            };
            diesel::update(pages::table.find((org_id, workspace, row.id))).set(&row).execute(self.writing()?)?;
            self.index_page(Some(&old), &row)?;
        }
        self.complete_work(org_id, work, due_at.map(Time))?;
        if written > 0 {
            // the row of an org with a new event is written
            self.touch(org)?;
            let fields = [("write_count", written.into())];
            self.push_event(Time(self.now), EventKind::PagesCompacted, work.workspace, None, None, &fields)?;
        }
        Ok(Some(written))
    }

    fn pages_of_threads(
        &mut self,
        org: Id,
        workspace: Id,
        subject: &str,
        threads: &[String],
    ) -> Result<HashMap<Id, PageRow>, StoreError> {
        let rows: Vec<PageRow> = pages::table
            .filter(pages::org_id.eq(org))
            .filter(pages::workspace_id.eq(workspace))
            .filter(pages::subject.eq(subject.to_owned()))
            .filter(pages::thread.eq_any(threads.to_vec()))
            .select(PageRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, workspace.0)?;
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    }

    /// Removes the pages made of an episode, and makes its thread due.
    pub(crate) fn hide_pages_of(&mut self, org: Id, workspace: Id, episode: Id) -> Result<(), StoreError> {
        let row: Option<EpisodeRow> = episodes::table
            .find((org, workspace, episode))
            .select(EpisodeRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("episodes", episode.0)?;
        let Some(row) = row else { return Ok(()) };
        if let Some(thread) = row.thread() {
            self.delete_exchange(&row, thread)?;
            self.note_page_work(org, workspace, row.page_subject(), thread);
        }
        Ok(())
    }

    /// Removes what was made of an episode that has just been emptied: its pages, and its subject and thread where no
    /// other episode has them.
    pub(crate) fn forget_pages_of(&mut self, row: &EpisodeRow) -> Result<(), StoreError> {
        let Some(thread) = row.thread() else { return Ok(()) };
        let (org, workspace, subject) = (row.org_id, row.workspace_id, row.page_subject());
        self.delete_exchange(row, thread)?;
        for thread in [thread, ""] {
            match self.has_thread(org, workspace, subject, thread)? {
                true => self.note_page_work(org, workspace, subject, thread),
                false => self.delete_work(org, workspace, subject, &[thread.to_owned()])?,
            }
        }
        Ok(())
    }

    /// The pages with these ids of a workspace, each as an item of a search.
    pub(super) fn found_pages(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        ids: &BTreeSet<Uuid>,
    ) -> Result<Vec<Memory>, StoreError> {
        let rows: Vec<PageRow> = pages::table
            .filter(pages::org_id.eq(Id::from(org)))
            .filter(pages::workspace_id.eq(Id::from(workspace)))
            .filter(pages::id.eq_any(ids.iter().copied().map(Id)))
            .select(PageRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, workspace)?;
        let scope = self.default_settings(org, workspace)?.page_scope;
        rows.into_iter().map(|row| row.item(scope)).collect()
    }
}
