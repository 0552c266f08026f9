//! Turns.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::dsl::{count_star, exists};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::turns::TurnState;
use orgmem_policies::{ActPass, ViewPass};
use uuid::Uuid;

use super::Tx;
use super::episodes::EpisodeRow;
use crate::StoreError;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{AttemptStart, Episode, StoredTurn, TurnResult};
use crate::engine::RowContext;
use crate::schema::turns;

const TABLE: &str = "turns";

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = turns, treat_none_as_default_value = false)]
struct TurnRow {
    org_id: Id,
    workspace_id: Id,
    id: Id,
    episodes: Vec<u8>,
    state: String,
    due_at: Option<Time>,
    attempt: Option<Id>,
    attempts: i64,
    memories: Vec<u8>,
    unchanged: i64,
    refused: String,
    model: Option<String>,
    error: Option<String>,
    created_at: Time,
    ended_at: Option<Time>,
}

fn bytes_of(ids: &[Uuid]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.as_bytes()).copied().collect()
}

fn ids_of(bytes: &[u8]) -> Vec<Uuid> {
    bytes.as_chunks().0.iter().map(|bytes| Uuid::from_bytes(*bytes)).collect()
}

impl TurnRow {
    fn read(self) -> Result<StoredTurn, StoreError> {
        let id = self.id.0;
        let unreadable = |what: &str| StoreError::unreadable(TABLE, id, what);
        let state: TurnState = self.state.parse().map_err(|_| unreadable("an unknown state"))?;
        let refused: BTreeMap<String, i64> =
            serde_json::from_str(&self.refused).map_err(|_| unreadable("the counts are not JSON"))?;
        Ok(StoredTurn {
            id,
            episodes: ids_of(&self.episodes),
            state,
            due_at: self.due_at.map(|at| at.0),
            attempts: self.attempts,
            result: TurnResult {
                memories: ids_of(&self.memories),
                unchanged: self.unchanged,
                refused,
                model: self.model,
                error: self.error,
            },
            created_at: self.created_at.0,
            ended_at: self.ended_at.map(|at| at.0),
        })
    }
}

impl Tx<'_> {
    pub(crate) fn turn(&mut self, pass: &ViewPass, id: Uuid) -> Result<Option<StoredTurn>, StoreError> {
        let row: Option<TurnRow> = turns::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), Id(id)))
            .select(TurnRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context(TABLE, id)?;
        let Some(turn) = row.map(TurnRow::read).transpose()? else { return Ok(None) };
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        if users.is_open() {
            return Ok(Some(turn));
        }
        // the messages have the end user; a turn without any is nobody's
        let messages = self.turn_messages(pass.org(), pass.workspace(), &turn)?;
        let is_readable = messages
            .first()
            .is_some_and(|(_, message)| users.permits(message.subject.as_deref(), message.session_id.as_deref()));
        Ok(is_readable.then_some(turn))
    }

    /// The memories with facts of the turn that an episode is a message of.
    pub(super) fn facts_of_message(&mut self, message: &EpisodeRow) -> Result<Vec<Uuid>, StoreError> {
        let named = message.correlation_id.as_deref().and_then(|turn| turn.parse().ok());
        let Some(turn) = named else { return Ok(Vec::new()) };
        let found: Option<(Vec<u8>, Vec<u8>)> = turns::table
            .find((message.org_id, message.workspace_id, Id(turn)))
            .select((turns::episodes, turns::memories))
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, turn)?;
        // any episode may name a turn
        let found = found.filter(|(episodes, _)| ids_of(episodes).contains(&message.id.0));
        Ok(found.map(|(_, memories)| ids_of(&memories)).unwrap_or_default())
    }

    pub(crate) fn turn_messages(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        turn: &StoredTurn,
    ) -> Result<Vec<(usize, Episode)>, StoreError> {
        let mut messages = Vec::new();
        for (position, id) in turn.episodes.iter().enumerate() {
            let row = self.episode_row((org.into(), workspace.into(), Id(*id)))?;
            let message = row.map(Episode::from);
            let message = message.filter(|row| row.redacted_at.is_none() && row.superseded_by.is_none());
            messages.extend(message.map(|message| (position, message)));
        }
        Ok(messages)
    }

    pub(crate) fn orgs_with_due_turns(&mut self, now: DateTime<Utc>) -> Result<Vec<OrgId>, StoreError> {
        let orgs: Vec<Id> = turns::table
            .filter(turns::due_at.le(Time(now)))
            .select(turns::org_id)
            .distinct()
            .load(self.conn()?)
            .row_context(TABLE, "due")?;
        Ok(orgs.into_iter().map(Id::org).collect())
    }

    pub(crate) fn due_turns(
        &mut self,
        org: OrgId,
        now: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<(WorkspaceId, StoredTurn)>, StoreError> {
        let rows: Vec<TurnRow> = turns::table
            .filter(turns::org_id.eq(Id::from(org)))
            .filter(turns::due_at.le(Time(now)))
            .order((turns::due_at, turns::id))
            .limit(row_limit(limit))
            .select(TurnRow::as_select())
            .load(self.conn()?)
            .row_context(TABLE, org)?;
        rows.into_iter().map(|row| Ok((row.workspace_id.workspace(), row.read()?))).collect()
    }

    pub(crate) fn extracted_since(&mut self, org: OrgId, since: DateTime<Utc>) -> Result<i64, StoreError> {
        turns::table
            .filter(turns::org_id.eq(Id::from(org)))
            .filter(turns::ended_at.ge(Time(since)))
            .filter(turns::model.is_not_null())
            .select(count_star())
            .first(self.conn()?)
            .row_context(TABLE, org)
    }

    pub(crate) fn add_turn(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        episodes: &[Uuid],
        state: TurnState,
    ) -> Result<StoredTurn, StoreError> {
        let now = Time(self.now);
        let row = TurnRow {
            org_id: pass.org().into(),
            workspace_id: pass.workspace().into(),
            id: Id(id),
            episodes: bytes_of(episodes),
            state: state.as_str().to_owned(),
            due_at: (state == TurnState::Queued).then_some(now),
            attempt: None,
            attempts: 0,
            memories: Vec::new(),
            unchanged: 0,
            refused: "{}".to_owned(),
            model: None,
            error: None,
            created_at: now,
            ended_at: None,
        };
        diesel::insert_into(turns::table).values(&row).execute(self.writing()?)?;
        row.read()
    }

    pub(crate) fn begin_attempt(
        &mut self,
        (org, workspace, id): (OrgId, WorkspaceId, Uuid),
        attempt: Uuid,
        until: &dyn Fn(i64) -> DateTime<Utc>,
        most: i64,
    ) -> Result<AttemptStart, StoreError> {
        let key = (Id::from(org), Id::from(workspace), Id(id));
        let due = turns::table.find(key).filter(turns::due_at.le(Time(self.now)));
        let earlier: Option<i64> =
            due.select(turns::attempts).first(self.drained()?).optional().row_context(TABLE, id)?;
        let Some(earlier) = earlier else { return Ok(AttemptStart::Busy) };
        let own = turns::attempt.eq(Some(Id(attempt)));
        // otherwise another server has begun one meanwhile
        let unchanged = due.filter(turns::attempts.eq(earlier));
        if earlier >= most {
            let reserved = diesel::update(unchanged).set(own).execute(self.writing()?)?;
            return Ok(if reserved > 0 { AttemptStart::Exhausted } else { AttemptStart::Busy });
        }
        let begun = (
            own,
            turns::attempts.eq(earlier + 1),
            turns::due_at.eq(Some(Time(until(earlier)))),
            turns::error.eq(None::<String>),
        );
        let begun = diesel::update(unchanged).set(begun).execute(self.writing()?)?;
        Ok(if begun > 0 { AttemptStart::Begun(earlier) } else { AttemptStart::Busy })
    }

    pub(crate) fn owns_attempt(
        &mut self,
        (org, workspace, id): (OrgId, WorkspaceId, Uuid),
        attempt: Uuid,
    ) -> Result<bool, StoreError> {
        let own = turns::table
            .find((Id::from(org), Id::from(workspace), Id(id)))
            .filter(turns::attempt.eq(Some(Id(attempt))));
        diesel::select(exists(own)).get_result(self.conn()?).row_context(TABLE, id)
    }

    pub(crate) fn end_attempt(
        &mut self,
        (org, workspace, id): (OrgId, WorkspaceId, Uuid),
        attempt: Uuid,
        state: TurnState,
        result: &TurnResult,
        due_at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        let own = turns::table
            .find((Id::from(org), Id::from(workspace), Id(id)))
            .filter(turns::attempt.eq(Some(Id(attempt))));
        let refused = serde_json::to_string(&result.refused).unwrap_or_else(|_| "{}".to_owned());
        let ended = (
            turns::state.eq(state.as_str()),
            turns::due_at.eq(due_at.map(Time)),
            turns::attempt.eq(None::<Id>),
            turns::memories.eq(bytes_of(&result.memories)),
            turns::unchanged.eq(result.unchanged),
            turns::refused.eq(refused),
            turns::model.eq(result.model.clone()),
            turns::error.eq(result.error.clone()),
            turns::ended_at.eq(due_at.is_none().then_some(Time(self.now))),
        );
        Ok(diesel::update(own).set(ended).execute(self.writing()?)? > 0)
    }

    pub(crate) fn postpone_turns(&mut self, org: OrgId, to: DateTime<Utc>) -> Result<(), StoreError> {
        let due = turns::table.filter(turns::org_id.eq(Id::from(org))).filter(turns::due_at.le(Time(self.now)));
        diesel::update(due).set(turns::due_at.eq(Some(Time(to)))).execute(self.writing()?)?;
        Ok(())
    }
}
