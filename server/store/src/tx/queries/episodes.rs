//! Episodes: append and list.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{EpisodeDraft, EpisodeFields};
use orgmem_policies::scrub::{Scrubbed, ScrubbedJson};
use orgmem_policies::{ActPass, ViewPass};
use orgmem_recall::fold_text;
use uuid::Uuid;

use super::Tx;
use super::end_users::episodes_of_users;
use super::insert::{Outgoing, write_rows};
use crate::StoreError;
use crate::clock::{first_id_at, id_of, time_of};
use crate::columns::{Id, Time, holds_nul, micros_from, row_limit};
use crate::contract::{AuditRecord, Episode, EpisodeCursor, EpisodeFilter};
use crate::engine::RowContext;
use crate::schema::episodes;

/// The columns of `episodes` without the folded text.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = episodes, primary_key(org_id, workspace_id, id), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
pub(crate) struct EpisodeRow {
    pub(crate) org_id: Id,
    pub(crate) workspace_id: Id,
    pub(crate) id: Id,
    pub(crate) activity_type: String,
    pub(crate) method: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) target_id: Option<Id>,
    pub(crate) status: Option<String>,
    pub(crate) error_detail: Option<String>,
    pub(crate) duration_ms: Option<i64>,
    pub(crate) actor: Option<String>,
    pub(crate) channel: Option<String>,
    pub(crate) correlation_id: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) outcome: Option<String>,
    pub(crate) supersedes: Option<Id>,
    pub(crate) created_at: Time,
    pub(crate) metadata: Option<String>,
    pub(crate) request_body: Option<String>,
    pub(crate) response_body: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) superseded_by: Option<Id>,
    pub(crate) redacted_at: Option<Time>,
    pub(crate) salience: Option<f64>,
    pub(crate) claims: Option<String>,
    pub(crate) recorded_at: Option<Time>,
    /// Whether it may have the kind or session of the target, which leave it with the content of the target.
    pub(crate) names_target: bool,
}

/// A new row of `episodes`, with the folded text that session-search matches.
#[derive(Debug, Insertable)]
#[diesel(table_name = episodes, treat_none_as_default_value = false)]
pub(crate) struct AppendedRow {
    #[diesel(embed)]
    row: EpisodeRow,
    folded: String,
}

pub(crate) fn insert(out: &mut Outgoing<'_>, rows: Vec<AppendedRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(episodes::table).values(rows));
    Ok(())
}

impl From<EpisodeRow> for Episode {
    fn from(row: EpisodeRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.workspace(),
            activity_type: row.activity_type,
            method: row.method,
            summary: row.summary,
            target_id: row.target_id.map(|Id(id)| id),
            status: row.status,
            error_detail: row.error_detail,
            duration_ms: row.duration_ms,
            request_body: row.request_body,
            response_body: row.response_body,
            metadata: row.metadata,
            actor: row.actor,
            channel: row.channel,
            correlation_id: row.correlation_id,
            session_id: row.session_id,
            kind: row.kind,
            outcome: row.outcome,
            supersedes: row.supersedes.map(|Id(id)| id),
            created_at: row.created_at.0,
            subject: row.subject,
            superseded_by: row.superseded_by.map(|Id(id)| id),
            redacted_at: row.redacted_at.map(|at| at.0),
            salience: row.salience,
            claims: row.claims,
            recorded_at: row.recorded_at.map(|at| at.0),
        }
    }
}

impl EpisodeRow {
    /// An episode without optional fields. Its time is that of `id`.
    pub(crate) fn bare(org: Id, workspace: Id, id: Id, activity_type: String) -> Self {
        Self {
            org_id: org,
            workspace_id: workspace,
            id,
            activity_type,
            method: None,
            summary: None,
            target_id: None,
            status: None,
            error_detail: None,
            duration_ms: None,
            actor: None,
            channel: None,
            correlation_id: None,
            session_id: None,
            kind: None,
            outcome: None,
            supersedes: None,
            created_at: Time(time_of(id.0)),
            metadata: None,
            request_body: None,
            response_body: None,
            subject: None,
            superseded_by: None,
            redacted_at: None,
            salience: None,
            claims: None,
            recorded_at: None,
            names_target: false,
        }
    }

    fn of_draft(pass: &ActPass, id: Id, fields: &EpisodeFields) -> Self {
        let text = |text: &Option<Scrubbed>| text.as_ref().map(|text| text.as_str().to_owned());
        let json = |json: &Option<ScrubbedJson>| json.as_ref().map(ToString::to_string);
        let (org, workspace) = (pass.org().into(), pass.workspace().into());
        Self {
            method: text(&fields.method),
            summary: text(&fields.summary),
            target_id: fields.target_id.map(Id),
            status: text(&fields.status),
            error_detail: text(&fields.error_detail),
            duration_ms: fields.duration_ms,
            actor: text(&fields.actor),
            channel: text(&fields.channel),
            correlation_id: text(&fields.correlation_id),
            session_id: text(&fields.session_id),
            kind: text(&fields.kind),
            outcome: fields.outcome.map(|outcome| outcome.name().to_owned()),
            salience: fields.salience,
            claims: json(&fields.claims),
            supersedes: fields.supersedes.map(Id),
            metadata: json(&fields.metadata),
            request_body: json(&fields.request_body),
            response_body: json(&fields.response_body),
            subject: text(&fields.subject),
            ..Self::bare(org, workspace, id, fields.activity_type.as_str().to_owned())
        }
    }

    /// The session, or the correlation id without one, if it can be the source of a page.
    pub(crate) fn thread(&self) -> Option<&str> {
        let correlation_id = self.correlation_id.as_deref()?;
        Some(self.session_id.as_deref().unwrap_or(correlation_id))
    }

    /// The subject as pages have it: empty for the workspace's own work.
    pub(crate) fn page_subject(&self) -> &str {
        self.subject.as_deref().unwrap_or_default()
    }

    /// The episode with another summary and without its session.
    pub(crate) fn without_session(self, summary: String) -> Self {
        Self { summary: Some(summary), session_id: None, names_target: false, ..self }
    }

    /// All texts of the row besides its type.
    fn texts(&self) -> [&Option<String>; 15] {
        [
            &self.method,
            &self.summary,
            &self.status,
            &self.error_detail,
            &self.actor,
            &self.channel,
            &self.correlation_id,
            &self.session_id,
            &self.kind,
            &self.outcome,
            &self.metadata,
            &self.request_body,
            &self.response_body,
            &self.subject,
            &self.claims,
        ]
    }

    /// All texts of the row, folded, one per line, so that no word spans two texts.
    pub(crate) fn folded(&self) -> String {
        let target = self.target_id.map(|Id(id)| id.to_string());
        let mut all = fold_text(&self.activity_type);
        for text in self.texts().into_iter().chain([&target]).flatten() {
            all.push('\n');
            all.push_str(&fold_text(text));
        }
        all
    }
}

/// A half-open range of episode ids, which sort by time.
pub(crate) struct Ids {
    pub(crate) from: Id,
    pub(crate) below: Id,
}

impl Ids {
    /// The ids of a time span that are lower than `before`. Each end has one bound, because SQLite starts its scan at
    /// the first bound that it is given.
    pub(crate) fn of(since: Option<DateTime<Utc>>, until: Option<DateTime<Utc>>, before: Option<Uuid>) -> Self {
        let first = |time| first_id_at(micros_from(time));
        let until = until.map_or(Uuid::max(), first);
        Self { from: Id(since.map_or(Uuid::nil(), first)), below: Id(before.map_or(until, |before| before.min(until))) }
    }
}

impl Tx<'_> {
    pub(crate) fn list_episodes(
        &mut self,
        pass: &ViewPass,
        filter: &EpisodeFilter,
        after: Option<EpisodeCursor>,
        limit: usize,
    ) -> Result<Vec<Episode>, StoreError> {
        let EpisodeFilter { activity_type, session_id, subject, since, until } = filter;
        if [activity_type, session_id, subject].into_iter().flatten().any(|word| holds_nul(word)) {
            return Ok(Vec::new());
        }
        let ids = Ids::of(*since, *until, after.map(|EpisodeCursor(id)| id));
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        let mut rows = episodes::table
            .filter(episodes::org_id.eq(Id::from(pass.org())))
            .filter(episodes::workspace_id.eq(Id::from(pass.workspace())))
            .filter(episodes::id.ge(ids.from).and(episodes::id.lt(ids.below)))
            .order(episodes::id.desc())
            .limit(row_limit(limit))
            .select(EpisodeRow::as_select())
            .into_boxed();
        if !users.is_open() {
            rows = rows.filter(episodes_of_users(&users));
        }
        if let Some(activity_type) = activity_type {
            rows = rows.filter(episodes::activity_type.eq(activity_type));
        }
        if let Some(session_id) = session_id {
            rows = rows.filter(episodes::session_id.eq(session_id));
        }
        if let Some(subject) = subject {
            rows = rows.filter(episodes::subject.eq(subject));
        }
        let rows = rows.load(self.drained()?).row_context("episodes", pass.workspace())?;
        Ok(rows.into_iter().map(Episode::from).collect())
    }

    pub(crate) fn append_episode(
        &mut self,
        pass: &ActPass,
        draft: &EpisodeDraft,
        happened_at: Option<DateTime<Utc>>,
    ) -> Result<Option<Episode>, StoreError> {
        // an id contains the time that reads go by
        let occurred_at = draft.fields().occurred_at;
        let id = occurred_at.or(happened_at).map_or_else(|| self.core.ids.next(self.now), id_of);
        let recorded_at = occurred_at.map(|_| Time(self.now));
        let row = EpisodeRow { recorded_at, ..EpisodeRow::of_draft(pass, Id(id), draft.fields()) };
        if let Some(old) = row.supersedes {
            let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
            let known: Option<Id> = episodes::table
                .find((row.org_id, row.workspace_id, old))
                .filter(episodes_of_users(&users))
                .select(episodes::id)
                .first(self.drained()?)
                .optional()
                .row_context("episodes", old.0)?;
            if known.is_none() {
                return Ok(None);
            }
            let corrected = episodes::table.find((row.org_id, row.workspace_id, old));
            let marked = diesel::update(corrected).set(episodes::superseded_by.eq(Some(row.id)));
            if marked.execute(self.writing()?)? == 0 {
                return Ok(None);
            }
            self.withdraw_from_providers(row.org_id, old)?;
            self.hide_pages_of(row.org_id, row.workspace_id, old)?;
        }
        let record =
            AuditRecord::new(AuditAction::AppendEpisode, pass.workspace()).context_field("episode_id", id.to_string());
        let record = record.event_field("id", id.to_string()).event_field("activity_type", row.activity_type.as_str());
        self.record(record)?;
        self.touch(pass.org())?;
        if let Some(thread) = row.thread() {
            self.note_page_work(row.org_id, row.workspace_id, row.page_subject(), thread);
        }
        self.append_row(row.clone())?;
        Ok(Some(row.into()))
    }

    pub(crate) fn append_row(&mut self, row: EpisodeRow) -> Result<(), StoreError> {
        self.note_episode(row.org_id, row.workspace_id, row.id)?;
        let folded = row.folded();
        self.pending.episodes.push(AppendedRow { row, folded });
        Ok(())
    }
}
