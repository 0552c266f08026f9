//! Retention: what a profile keeps, how much that leaves over, and taking that away.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::Retention;
use orgmem_policies::rules::TargetProfile;
use uuid::Uuid;

use super::Conn;
use super::Tx;
use super::memory_rows::MemoryRow;
use super::profile_rows::{ProfileRow, TABLE};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, whole_micros};
use crate::contract::{Excess, MemoryStatus, Profile};
use crate::engine::RowContext;
use crate::schema::{memories, profiles};

/// Memories that are taken away at once for being too old or too many.
const TAKEN: i64 = 200;

/// What is said of memories in a query.
pub(crate) type MemoryPredicate =
    Box<dyn BoxableExpression<memories::table, <Conn as diesel::Connection>::Backend, SqlType = Nullable<Bool>>>;

/// Whether a memory belongs to a profile of its author.
pub(crate) fn belongs(profile: Uuid, is_default: bool) -> MemoryPredicate {
    let named = memories::profile_id.eq(Some(Id(profile)));
    match is_default {
        true => Box::new(named.or(memories::profile_id.is_null())),
        false => Box::new(named),
    }
}

/// What a profile keeps, for the sweep that takes the rest and for whoever asks before how much that is.
struct RetentionFilter {
    /// How old memories get.
    age: Option<TimeDelta>,
    org: Id,
    author: Id,
    profile: Uuid,
    is_default: bool,
    /// What was last written then or before is too old.
    first: Option<Time>,
    now: Time,
}

impl RetentionFilter {
    fn by(
        org: OrgId,
        author: WorkspaceId,
        profile: Uuid,
        is_default: bool,
        retention: Retention,
        now: DateTime<Utc>,
    ) -> Self {
        let age = retention.max_age_seconds.and_then(TimeDelta::try_seconds);
        let first = age.and_then(|age| now.checked_sub_signed(age)).map(|first| Time(whole_micros(first)));
        Self { age, org: org.into(), author: author.into(), profile, is_default, first, now: Time(now) }
    }

    /// Of the profile, and says something still.
    fn is_held(&self) -> MemoryPredicate {
        let of_author = memories::org_id.eq(self.org).and(memories::author_id.eq(self.author));
        let of_profile = belongs(self.profile, self.is_default);
        Box::new(of_author.and(memories::content.is_not_null()).and(of_profile))
    }

    /// Of the profile, and there for those who may read it.
    fn is_there(&self) -> MemoryPredicate {
        let is_live = memories::status.eq(TextEnum(MemoryStatus::Live));
        let is_unexpired = memories::expires_at.is_null().or(memories::expires_at.gt(self.now));
        Box::new(self.is_held().and(is_live).and(is_unexpired))
    }

    fn is_too_old(&self) -> MemoryPredicate {
        match self.first {
            Some(first) => Box::new(memories::updated_at.le(first).nullable()),
            None => Box::new(false.into_sql::<Bool>().nullable()),
        }
    }

    /// Is to be there for longer than the profile keeps it: it was written before the profile said so.
    fn outlives(&self, age: TimeDelta) -> MemoryPredicate {
        let micros = age.num_microseconds().unwrap_or(i64::MAX);
        let later = sql::<Nullable<Bool>>(super::EXPIRES_LATER).bind::<BigInt, _>(micros);
        Box::new(memories::expires_at.is_null().nullable().or(later))
    }

    fn is_young(&self) -> MemoryPredicate {
        match self.first {
            Some(first) => Box::new(memories::updated_at.gt(first).nullable()),
            None => Box::new(true.into_sql::<Bool>().nullable()),
        }
    }
}

impl Tx<'_> {
    /// How much of what is there a profile does not keep.
    pub(crate) fn excess_of(&mut self, org: OrgId, profile: &Profile) -> Result<Excess, StoreError> {
        let retention = profile.settings.retention;
        if retention == Retention::default() {
            return Ok(Excess::default());
        }
        let kept = RetentionFilter::by(org, profile.workspace, profile.id, profile.is_default, retention, self.now);
        let conn = self.drained()?;
        let mut count = |which| -> Result<i64, StoreError> {
            memories::table
                .filter(kept.is_there())
                .filter(which)
                .count()
                .get_result(conn)
                .row_context(TABLE, profile.id)
        };
        let too_old = count(kept.is_too_old())?;
        let too_many = match retention.max_entries {
            Some(most) => (count(kept.is_young())? - most).max(0),
            None => 0,
        };
        Ok(Excess { too_old, too_many })
    }

    /// Notes that one more memory was written, where that may be one too many.
    pub(crate) fn note_entry(
        &mut self,
        org: OrgId,
        author: WorkspaceId,
        target: &TargetProfile,
    ) -> Result<(), StoreError> {
        if target.settings().retention.max_entries.is_none() {
            return Ok(());
        }
        let now = Time(self.now);
        let due = profiles::retention_due_at.eq(Some(now));
        let is_not_due = profiles::retention_due_at.is_null().or(profiles::retention_due_at.gt(now));
        let of_workspace = profiles::org_id.eq(Id::from(org)).and(profiles::workspace_id.eq(Id::from(author)));
        let conn = self.writing()?;
        match target.id() {
            Some(id) => diesel::update(profiles::table)
                .filter(of_workspace)
                .filter(profiles::id.eq(Id(id)))
                .filter(is_not_due)
                .set(due)
                .execute(conn)?,
            None => diesel::update(profiles::table)
                .filter(of_workspace)
                .filter(sql::<Bool>(super::IS_DEFAULT))
                .filter(is_not_due)
                .set(due)
                .execute(conn)?,
        };
        Ok(())
    }

    /// Takes away what a profile keeps no longer, some at once.
    pub(crate) fn enforce_retention(&mut self, org: OrgId, profile: Uuid) -> Result<(), StoreError> {
        let row: Option<ProfileRow> = profiles::table
            .find((Id::from(org), Id(profile)))
            .select(ProfileRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, profile)?;
        let Some(row) = row else { return Ok(()) };
        let retention = row.settings()?.retention;
        let workspace = row.workspace_id.workspace();
        let kept = RetentionFilter::by(org, workspace, profile, row.is_default, retention, self.now);
        let mut gone: Vec<MemoryRow> = Vec::new();
        if kept.first.is_some() {
            gone = memories::table
                .filter(kept.is_held())
                .filter(kept.is_too_old())
                .limit(TAKEN)
                .select(MemoryRow::as_select())
                .load(self.conn()?)
                .row_context("memories", profile)?;
        }
        if let Some(most) = retention.max_entries
            && gone.is_empty()
        {
            gone = memories::table
                .filter(kept.is_there())
                .order((memories::pin.desc(), memories::updated_at.desc(), memories::id.desc()))
                .offset(most)
                .limit(TAKEN)
                .select(MemoryRow::as_select())
                .load(self.conn()?)
                .row_context("memories", profile)?;
        }
        for memory in &gone {
            self.let_expire(memory)?;
        }
        if gone.is_empty() {
            let next = self.next_too_old(&kept)?;
            diesel::update(profiles::table.find((row.org_id, row.id)))
                .set(profiles::retention_due_at.eq(next))
                .execute(self.writing()?)?;
        }
        Ok(())
    }

    /// When the next memory is too old that does not expire by itself by then.
    fn next_too_old(&mut self, kept: &RetentionFilter) -> Result<Option<Time>, StoreError> {
        let Some(age) = kept.age else { return Ok(None) };
        let oldest: Option<Time> = memories::table
            .filter(kept.is_held())
            .filter(kept.is_young())
            .filter(kept.outlives(age))
            .select(diesel::dsl::min(memories::updated_at))
            .first(self.drained()?)
            .row_context("memories", kept.profile)?;
        Ok(oldest.and_then(|oldest| oldest.0.checked_add_signed(age)).map(Time))
    }
}
