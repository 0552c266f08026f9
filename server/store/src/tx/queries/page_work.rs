//! The work of compactions: what changed since the pages were written.

use std::collections::BTreeMap;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use orgmem_hierarchy::OrgId;
use orgmem_policies::ActPass;
use orgmem_policies::rules::is_of_server;

use super::Tx;
use super::episodes::EpisodeRow;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{Episode, PageThreads, PageWork, UncorrelatedEpisodes};
use crate::engine::RowContext;
use crate::schema::{episodes, page_work, pages};

/// The thread of an episode, as the index of threads has it.
const THREAD: &str = "coalesce(session_id, correlation_id)";

/// A row of `page_work`. An empty thread means the tiers of the subject.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = page_work)]
pub(crate) struct PageWorkRow {
    org_id: Id,
    workspace_id: Id,
    subject: String,
    thread: String,
    mark: Id,
    due_at: Time,
}

/// Inserts or replaces the rows. Of several for one thread the last counts: a statement can change a row only once.
pub(crate) fn upsert(out: &mut Outgoing<'_>, rows: Vec<PageWorkRow>) -> Result<(), StoreError> {
    let key = |row: &PageWorkRow| (row.org_id.0, row.workspace_id.0, row.subject.clone(), row.thread.clone());
    let last: BTreeMap<_, _> = rows.into_iter().map(|row| (key(&row), row)).collect();
    let rows: Vec<PageWorkRow> = last.into_values().collect();
    let on_conflict = " ON CONFLICT (org_id, workspace_id, subject, thread) DO UPDATE SET \
        mark = excluded.mark, due_at = excluded.due_at";
    write_rows!(out, rows, rows => Upsert { insert: diesel::insert_into(page_work::table).values(rows), on_conflict });
    Ok(())
}

impl Tx<'_> {
    /// Makes the compaction of a thread due, or with an empty thread that of the tiers.
    pub(crate) fn note_page_work(&mut self, org_id: Id, workspace_id: Id, subject: &str, thread: &str) {
        let (mark, due_at) = (Id(self.core.ids.next(self.now)), Time(self.now));
        let (subject, thread) = (subject.to_owned(), thread.to_owned());
        self.pending.page_work.push(PageWorkRow { org_id, workspace_id, subject, thread, mark, due_at });
    }

    pub(crate) fn note_pages(&mut self, pass: &ActPass, threads: &[(String, String)]) -> Result<(), StoreError> {
        for (subject, thread) in threads {
            self.note_page_work(pass.org().into(), pass.workspace().into(), subject, thread);
        }
        Ok(())
    }

    pub(crate) fn orgs_with_page_work(&mut self) -> Result<Vec<OrgId>, StoreError> {
        let orgs: Vec<Id> = page_work::table
            .filter(page_work::due_at.le(Time(self.now)))
            .select(page_work::org_id)
            .distinct()
            .load(self.drained()?)
            .row_context("page_work", "due")?;
        Ok(orgs.into_iter().map(Id::org).collect())
    }

    pub(crate) fn page_work(&mut self, org: OrgId, only: Option<&PageThreads>) -> Result<Option<PageWork>, StoreError> {
        let now = Time(self.now);
        let mut due = page_work::table
            .filter(page_work::org_id.eq(Id::from(org)))
            .filter(page_work::due_at.le(now))
            .order(page_work::due_at)
            .select((page_work::workspace_id, page_work::subject))
            .into_boxed();
        if let Some(only) = only {
            due = due.filter(page_work::workspace_id.eq(Id::from(only.workspace)));
            if let Some(subject) = &only.subject {
                due = due.filter(page_work::subject.eq(subject));
            }
        }
        let first: Option<(Id, String)> = due.first(self.drained()?).optional().row_context("page_work", org)?;
        let Some((workspace, subject)) = first else { return Ok(None) };
        let rows = self.work_rows(Id::from(org), workspace, &subject)?;
        let threads = rows.iter().filter(|row| row.due_at.0 <= now.0).map(|row| row.thread.clone()).collect();
        let marks = rows.into_iter().map(|row| (row.thread, row.mark.0)).collect();
        Ok(Some(PageWork { workspace: workspace.workspace(), subject, threads, marks }))
    }

    /// All work of a subject, due or not.
    pub(crate) fn work_rows(&mut self, org: Id, workspace: Id, subject: &str) -> Result<Vec<PageWorkRow>, StoreError> {
        page_work::table
            .filter(page_work::org_id.eq(org))
            .filter(page_work::workspace_id.eq(workspace))
            .filter(page_work::subject.eq(subject))
            .order(page_work::thread)
            .select(PageWorkRow::as_select())
            .load(self.drained()?)
            .row_context("page_work", workspace.0)
    }

    /// Whether the work of a subject is still the same.
    pub(crate) fn is_current(&mut self, org: Id, work: &PageWork) -> Result<bool, StoreError> {
        let rows = self.work_rows(org, work.workspace.into(), &work.subject)?;
        let marks: Vec<_> = rows.into_iter().map(|row| (row.thread, row.mark.0)).collect();
        Ok(marks == work.marks)
    }

    /// Removes the completed work of a subject. `due_at` is when its tiers change by age.
    pub(crate) fn complete_work(&mut self, org: Id, work: &PageWork, due_at: Option<Time>) -> Result<(), StoreError> {
        let (workspace_id, mark) = (Id::from(work.workspace), Id(self.core.ids.next(self.now)));
        self.delete_work(org, workspace_id, &work.subject, &work.threads)?;
        if let Some(due_at) = due_at {
            let (subject, thread) = (work.subject.clone(), String::new());
            let row = PageWorkRow { org_id: org, workspace_id, subject, thread, mark, due_at };
            self.pending.page_work.push(row);
        }
        Ok(())
    }

    pub(crate) fn delete_work(
        &mut self,
        org: Id,
        workspace: Id,
        subject: &str,
        threads: &[String],
    ) -> Result<(), StoreError> {
        let rows = page_work::table
            .filter(page_work::org_id.eq(org))
            .filter(page_work::workspace_id.eq(workspace))
            .filter(page_work::subject.eq(subject.to_owned()))
            .filter(page_work::thread.eq_any(threads.to_vec()));
        diesel::delete(rows).execute(self.writing()?)?;
        self.pending.deleted_from.push("page_work");
        Ok(())
    }

    pub(crate) fn page_threads(&mut self, org: OrgId, of: &PageThreads) -> Result<Vec<(String, String)>, StoreError> {
        let (org, workspace) = (Id::from(org), Id::from(of.workspace));
        let mut of_episodes = episodes::table
            .filter(episodes::org_id.eq(org))
            .filter(episodes::workspace_id.eq(workspace))
            .filter(episodes::correlation_id.is_not_null())
            .select((episodes::subject, sql::<Nullable<Text>>(THREAD)))
            .distinct()
            .into_boxed();
        let mut of_pages = pages::table
            .filter(pages::org_id.eq(org))
            .filter(pages::workspace_id.eq(workspace))
            .select((pages::subject, pages::thread))
            .distinct()
            .into_boxed();
        if let Some(subject) = &of.subject {
            of_pages = of_pages.filter(pages::subject.eq(subject));
            of_episodes = match subject.as_str() {
                "" => of_episodes.filter(episodes::subject.is_null()),
                subject => of_episodes.filter(episodes::subject.eq(subject)),
            };
        }
        let conn = self.drained()?;
        let found: Vec<(Option<String>, Option<String>)> =
            of_episodes.load(conn).row_context("episodes", workspace.0)?;
        let mut threads: Vec<(String, String)> = of_pages.load(conn).row_context("pages", workspace.0)?;
        let found = found.into_iter().filter_map(|(subject, thread)| Some((subject.unwrap_or_default(), thread?)));
        threads.extend(found);
        threads.sort_unstable();
        threads.dedup();
        Ok(threads)
    }

    pub(crate) fn uncorrelated_episodes(
        &mut self,
        org: OrgId,
        of: &PageThreads,
    ) -> Result<UncorrelatedEpisodes, StoreError> {
        let mut rows = episodes::table
            .filter(episodes::org_id.eq(Id::from(org)))
            .filter(episodes::workspace_id.eq(Id::from(of.workspace)))
            .filter(episodes::correlation_id.is_null())
            .select((episodes::activity_type, episodes::redacted_at.is_not_null()))
            .into_boxed();
        if let Some(subject) = &of.subject {
            rows = match subject.as_str() {
                "" => rows.filter(episodes::subject.is_null()),
                subject => rows.filter(episodes::subject.eq(subject)),
            };
        }
        let rows: Vec<(String, bool)> = rows.load(self.drained()?).row_context("episodes", of.workspace)?;
        let mut counts = UncorrelatedEpisodes::default();
        for (activity_type, is_redacted) in rows {
            match (is_redacted, is_of_server(&activity_type)) {
                (true, _) => counts.redacted += 1,
                (false, true) => counts.server += 1,
                (false, false) => counts.others += 1,
            }
        }
        Ok(counts)
    }

    pub(crate) fn thread_episodes(
        &mut self,
        org: OrgId,
        of: &PageThreads,
        threads: &[String],
    ) -> Result<Vec<Episode>, StoreError> {
        let mut rows = episodes::table
            .filter(episodes::org_id.eq(Id::from(org)))
            .filter(episodes::workspace_id.eq(Id::from(of.workspace)))
            .filter(episodes::correlation_id.is_not_null())
            .filter(sql::<Nullable<Text>>(THREAD).eq_any(threads.to_vec()))
            .select(EpisodeRow::as_select())
            .into_boxed();
        if let Some(subject) = &of.subject {
            rows = match subject.as_str() {
                "" => rows.filter(episodes::subject.is_null()),
                subject => rows.filter(episodes::subject.eq(subject)),
            };
        }
        let rows = rows.load(self.drained()?).row_context("episodes", of.workspace)?;
        Ok(rows.into_iter().map(Episode::from).collect())
    }

    /// Whether any episode or page of a thread of a subject remains; with an empty thread, of the subject.
    pub(crate) fn has_thread(
        &mut self,
        org: Id,
        workspace: Id,
        subject: &str,
        thread: &str,
    ) -> Result<bool, StoreError> {
        let of = PageThreads { workspace: workspace.workspace(), subject: Some(subject.to_owned()) };
        if thread.is_empty() {
            return Ok(!self.page_threads(org.org(), &of)?.is_empty());
        }
        Ok(!self.thread_episodes(org.org(), &of, &[thread.to_owned()])?.is_empty())
    }
}
