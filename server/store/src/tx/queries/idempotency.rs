//! Idempotency keys: stored responses and their replay.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};

use super::Tx;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::Remembered;
use crate::engine::RowContext;
use crate::schema::idempotency_keys;

/// How long a response can be replayed.
pub(crate) const KEPT: TimeDelta = TimeDelta::hours(24);

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = idempotency_keys, treat_none_as_default_value = false)]
pub(crate) struct AnswerRow {
    org_id: Id,
    owner: String,
    key: String,
    body_hash: Vec<u8>,
    answer: String,
    created_at: Time,
    workspace_id: Option<Id>,
}

/// Inserts rows, or replaces expired rows with the same keys.
pub(crate) fn upsert(out: &mut Outgoing<'_>, mut rows: Vec<AnswerRow>) -> Result<(), StoreError> {
    // one statement must not write a row twice, so only the newest row of each key is written
    let mut seen = HashSet::with_capacity(rows.len());
    rows.reverse();
    rows.retain(|row| seen.insert((row.org_id, row.owner.clone(), row.key.clone())));
    let on_conflict = " ON CONFLICT (org_id, owner, key) DO UPDATE SET body_hash = excluded.body_hash, \
        answer = excluded.answer, created_at = excluded.created_at, workspace_id = excluded.workspace_id";
    write_rows!(out, rows, rows => Upsert {
        insert: diesel::insert_into(idempotency_keys::table).values(rows),
        on_conflict,
    });
    Ok(())
}

impl AnswerRow {
    fn is_for(&self, org: OrgId, owner: &str, key: &str) -> bool {
        self.org_id == Id::from(org) && self.owner == owner && self.key == key
    }

    fn replay(self, now: DateTime<Utc>) -> Result<Option<Remembered>, StoreError> {
        if self.created_at.0 <= now - KEPT {
            return Ok(None);
        }
        let Ok(body_hash) = self.body_hash.try_into() else {
            return Err(StoreError::unreadable("idempotency_keys", (self.owner, self.key), "a hash of a wrong length"));
        };
        Ok(Some(Remembered { body_hash, answer: self.answer }))
    }
}

impl Tx<'_> {
    pub(crate) fn remembered(&mut self, org: OrgId, owner: &str, key: &str) -> Result<Option<Remembered>, StoreError> {
        if let Some(row) = self.pending.answers.iter().rev().find(|row| row.is_for(org, owner, key)) {
            return row.clone().replay(self.now);
        }
        let row: Option<AnswerRow> = idempotency_keys::table
            .find((Id::from(org), owner, key))
            .select(AnswerRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("idempotency_keys", (owner, key))?;
        row.map_or(Ok(None), |row| row.replay(self.now))
    }

    pub(crate) fn remember(
        &mut self,
        org: OrgId,
        owner: &str,
        key: &str,
        about: WorkspaceId,
        answer: Remembered,
    ) -> Result<(), StoreError> {
        self.touch(org)?;
        self.pending.answers.push(AnswerRow {
            org_id: org.into(),
            owner: owner.to_owned(),
            key: key.to_owned(),
            body_hash: answer.body_hash.to_vec(),
            answer: answer.answer,
            created_at: Time(self.now),
            workspace_id: Some(about.into()),
        });
        Ok(())
    }
}
