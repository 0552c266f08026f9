//! Pages: their rows, and what a redaction of their sources removes.

use std::collections::HashMap;

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ViewPass;
use orgmem_policies::audit::EventKind;
use uuid::Uuid;

use super::Tx;
use super::end_users::pages_of_users;
use super::episodes::EpisodeRow;
use crate::StoreError;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{
    Episode, PageChange, PageCursor, PageFacts, PageFilter, PagePlacement, PageThreads, PageWrite, StoredPage,
};
use crate::engine::RowContext;
use crate::schema::{episodes, page_work, pages};

const TABLE: &str = "pages";
const HOT: &str = "hot";
const WARM: &str = "warm";
const COLD: &str = "cold";

#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = pages, primary_key(org_id, workspace_id, id), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
struct PageRow {
    org_id: Id,
    workspace_id: Id,
    id: Id,
    subject: String,
    thread: String,
    tier: String,
    hot: String,
    warm: String,
    hot_tokens: i64,
    warm_tokens: i64,
    salience: f64,
    links: String,
    kinds: String,
    outcome: Option<String>,
    first_at: Time,
    last_at: Time,
    effective_at: Time,
    sessions: i64,
    successes: i64,
    failures: i64,
    sources: Vec<u8>,
    version: i64,
    compacted_at: Time,
    made_by: String,
    claims: Option<String>,
}

/// The columns of [`PageFacts`].
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = pages)]
struct FactsRow {
    id: Id,
    thread: String,
    tier: String,
    hot_tokens: i64,
    warm_tokens: i64,
    salience: f64,
    links: String,
    first_at: Time,
    last_at: Time,
    effective_at: Time,
    sessions: i64,
    successes: i64,
    failures: i64,
    claims: Option<String>,
}

impl FactsRow {
    fn read(self) -> Result<PageFacts, StoreError> {
        let placement = PagePlacement {
            id: self.id.0,
            tier: tier(self.id, &self.tier)?,
            effective_at: micros(self.effective_at),
            sessions: self.sessions,
            successes: self.successes,
            failures: self.failures,
        };
        Ok(PageFacts {
            id: self.id.0,
            thread: self.thread,
            first_at: micros(self.first_at),
            last_at: micros(self.last_at),
            salience: self.salience,
            links: self.links,
            hot_tokens: self.hot_tokens,
            warm_tokens: self.warm_tokens,
            claims: self.claims,
            placement,
        })
    }
}

impl PageRow {
    fn of(org_id: Id, workspace_id: Id, subject: &str, page: &PageWrite, now: Time) -> Self {
        let PageWrite { facts, hot, warm, kinds, outcome, sources, made_by } = page;
        Self {
            org_id,
            workspace_id,
            id: Id(facts.id),
            subject: subject.to_owned(),
            thread: facts.thread.clone(),
            tier: facts.placement.tier.to_owned(),
            hot: hot.clone(),
            warm: warm.clone(),
            hot_tokens: facts.hot_tokens,
            warm_tokens: facts.warm_tokens,
            salience: facts.salience,
            links: facts.links.clone(),
            kinds: serde_json::Value::from(kinds.clone()).to_string(),
            outcome: outcome.map(str::to_owned),
            first_at: time(facts.first_at),
            last_at: time(facts.last_at),
            effective_at: time(facts.placement.effective_at),
            sessions: facts.placement.sessions,
            successes: facts.placement.successes,
            failures: facts.placement.failures,
            sources: sources.iter().flat_map(|id| *id.as_bytes()).collect(),
            version: 1,
            compacted_at: now,
            made_by: (*made_by).to_owned(),
            claims: facts.claims.clone(),
        }
    }

    fn read(self) -> Result<StoredPage, StoreError> {
        let unreadable = |reason: &str| StoreError::unreadable(TABLE, self.id.0, reason);
        let kinds = serde_json::from_str(&self.kinds).map_err(|_| unreadable("its kinds are not a list"))?;
        let tier = tier(self.id, &self.tier)?;
        let (content, tokens) = match tier {
            HOT => (self.hot, self.hot_tokens),
            WARM => (self.warm, self.warm_tokens),
            _ => (String::new(), 0),
        };
        let sources = self.sources.as_chunks().0.iter().map(|bytes| Uuid::from_bytes(*bytes)).collect();
        Ok(StoredPage {
            id: self.id.0,
            workspace: self.workspace_id.workspace(),
            subject: self.subject,
            thread: self.thread,
            placement: PagePlacement {
                id: self.id.0,
                tier,
                effective_at: micros(self.effective_at),
                sessions: self.sessions,
                successes: self.successes,
                failures: self.failures,
            },
            content,
            tokens,
            kinds,
            outcome: self.outcome,
            first_at: self.first_at.0,
            last_at: self.last_at.0,
            sources,
            version: self.version,
            compacted_at: self.compacted_at.0,
            made_by: self.made_by,
            claims: self.claims,
        })
    }
}

fn tier(id: Id, name: &str) -> Result<&'static str, StoreError> {
    let known = [HOT, WARM, COLD].into_iter().find(|tier| *tier == name);
    known.ok_or_else(|| StoreError::unreadable(TABLE, id.0, "an unknown tier"))
}

fn micros(at: Time) -> i64 {
    at.0.timestamp_micros()
}

fn time(micros: i64) -> Time {
    Time(chrono::DateTime::from_timestamp_micros(micros).unwrap_or_default())
}

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
            let row = match old.remove(&row.id) {
                Some(old) => {
                    let unchanged = PageRow { version: old.version, compacted_at: old.compacted_at, ..row.clone() };
                    if unchanged == old {
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
        }
        if !old.is_empty() {
            let gone: Vec<Id> = old.into_keys().collect();
            self.delete_pages(org_id, workspace, &gone)?;
        }
        for PagePlacement { id, tier, effective_at, sessions, successes, failures } in moved {
            written += 1;
            let placed = (
                pages::tier.eq(*tier),
                pages::effective_at.eq(time(*effective_at)),
                pages::sessions.eq(sessions),
                pages::successes.eq(successes),
                pages::failures.eq(failures),
                pages::version.eq(pages::version + 1),
                pages::compacted_at.eq(Time(self.now)),
            );
            let page = pages::table.find((org_id, workspace, Id(*id)));
            diesel::update(page).set(placed).execute(self.writing()?)?;
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

    fn delete_pages(&mut self, org: Id, workspace: Id, ids: &[Id]) -> Result<(), StoreError> {
        let gone = pages::table
            .filter(pages::org_id.eq(org))
            .filter(pages::workspace_id.eq(workspace))
            .filter(pages::id.eq_any(ids.to_vec()));
        diesel::delete(gone).execute(self.writing()?)?;
        self.pending.deleted_from.push(TABLE);
        ids.iter().try_for_each(|id| self.withdraw_from_providers(org, *id))
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

    /// Deletes the page of the exchange that contains an episode. The exchanges of a thread do not overlap.
    fn delete_exchange(&mut self, row: &EpisodeRow, thread: &str) -> Result<(), StoreError> {
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
        let made = pages::table.filter(pages::org_id.eq(org)).filter(pages::subject.eq(subject.to_owned()));
        let ids: Vec<Id> = made.clone().select(pages::id).load(self.drained()?).row_context(TABLE, subject)?;
        ids.into_iter().try_for_each(|id| self.withdraw_from_providers(org, id))?;
        diesel::delete(made).execute(self.writing()?)?;
        let work = page_work::table.filter(page_work::org_id.eq(org)).filter(page_work::subject.eq(subject.to_owned()));
        diesel::delete(work).execute(self.writing()?)?;
        self.pending.deleted_from.push(TABLE);
        self.pending.deleted_from.push("page_work");
        Ok(())
    }
}
