//! Retention: the limits of a profile, the number of memories beyond them, and their expiry.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::Retention;
use orgmem_policies::rules::{ExpiryRule, TargetProfile};
use uuid::Uuid;

use super::memory_rows::MemoryRow;
use super::profile_rows::{ProfileRow, TABLE};
use super::{Condition, Conn, Tx};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, whole_micros};
use crate::contract::{MemoryStatus, Profile, RetentionExcess};
use crate::engine::RowContext;
use crate::schema::{memories, profiles};

/// Memories that one transaction expires.
const BATCH: i64 = 200;

/// A condition on rows of `memories`.
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

/// The conditions of a profile's retention, shared by the sweep and by its preview, `excess_of`.
struct RetentionFilter {
    /// Maximum age since the last write.
    age: Option<TimeDelta>,
    org: Id,
    author: Id,
    profile: Uuid,
    is_default: bool,
    /// Memories last written at this time or earlier are too old.
    cutoff: Option<Time>,
    now: Time,
}

impl RetentionFilter {
    fn new(
        org: OrgId,
        author: WorkspaceId,
        profile: Uuid,
        is_default: bool,
        retention: Retention,
        now: DateTime<Utc>,
    ) -> Self {
        let age = retention.max_age_seconds.and_then(TimeDelta::try_seconds);
        let cutoff = age.and_then(|age| now.checked_sub_signed(age)).map(|cutoff| Time(whole_micros(cutoff)));
        Self { age, org: org.into(), author: author.into(), profile, is_default, cutoff, now: Time(now) }
    }

    /// Memories of the profile whose content is not deleted.
    fn has_content(&self) -> MemoryPredicate {
        let of_author = memories::org_id.eq(self.org).and(memories::author_id.eq(self.author));
        let of_profile = belongs(self.profile, self.is_default);
        Box::new(of_author.and(memories::content.is_not_null()).and(of_profile))
    }

    /// The same, live and unexpired.
    fn is_readable(&self) -> MemoryPredicate {
        let is_live = memories::status.eq(TextEnum(MemoryStatus::Live));
        let is_unexpired = memories::expires_at.is_null().or(memories::expires_at.gt(self.now));
        Box::new(self.has_content().and(is_live).and(is_unexpired))
    }

    fn is_too_old(&self) -> MemoryPredicate {
        match self.cutoff {
            Some(cutoff) => Box::new(memories::updated_at.le(cutoff).nullable()),
            None => Box::new(false.into_sql::<Bool>().nullable()),
        }
    }

    /// Memories that expire after the maximum age, or never: they were written before the profile had that limit.
    fn outlives(&self, age: TimeDelta) -> MemoryPredicate {
        let micros = age.num_microseconds().unwrap_or(i64::MAX);
        let later = sql::<Nullable<Bool>>(super::EXPIRES_AFTER_SQL).bind::<BigInt, _>(micros);
        Box::new(memories::expires_at.is_null().nullable().or(later))
    }

    fn is_recent(&self) -> MemoryPredicate {
        match self.cutoff {
            Some(cutoff) => Box::new(memories::updated_at.gt(cutoff).nullable()),
            None => Box::new(true.into_sql::<Bool>().nullable()),
        }
    }
}

impl Tx<'_> {
    /// The number of live memories beyond the limits of a profile.
    pub(crate) fn excess_of(&mut self, org: OrgId, profile: &Profile) -> Result<RetentionExcess, StoreError> {
        let retention = profile.settings.retention;
        if retention == Retention::default() {
            return Ok(RetentionExcess::default());
        }
        let limits = RetentionFilter::new(org, profile.workspace, profile.id, profile.is_default, retention, self.now);
        let conn = self.drained()?;
        let mut count = |condition| -> Result<i64, StoreError> {
            memories::table
                .filter(limits.is_readable())
                .filter(condition)
                .count()
                .get_result(conn)
                .row_context(TABLE, profile.id)
        };
        let too_old = count(limits.is_too_old())?;
        let too_many = match retention.max_entries {
            Some(most) => (count(limits.is_recent())? - most).max(0),
            None => 0,
        };
        Ok(RetentionExcess { too_old, too_many })
    }

    /// Makes retention due after a write, if the profile limits the number of memories.
    pub(crate) fn schedule_retention(
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
                .filter(Condition(super::IS_DEFAULT))
                .filter(is_not_due)
                .set(due)
                .execute(conn)?,
        };
        Ok(())
    }

    /// Expires a batch of memories beyond the limits of a profile. If there are none, schedules the next run.
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
        let limits = RetentionFilter::new(org, workspace, profile, row.is_default, retention, self.now);
        let mut excess: Vec<MemoryRow> = Vec::new();
        if limits.cutoff.is_some() {
            excess = memories::table
                .filter(limits.has_content())
                .filter(limits.is_too_old())
                .limit(BATCH)
                .select(MemoryRow::as_select())
                .load(self.conn()?)
                .row_context("memories", profile)?;
        }
        let by_age = !excess.is_empty();
        if let Some(most) = retention.max_entries
            && !by_age
        {
            excess = memories::table
                .filter(limits.is_readable())
                .order((memories::pin.desc(), memories::updated_at.desc(), memories::id.desc()))
                .offset(most)
                .limit(BATCH)
                .select(MemoryRow::as_select())
                .load(self.conn()?)
                .row_context("memories", profile)?;
        }
        let rule = if by_age { ExpiryRule::MaxAge } else { ExpiryRule::MaxEntries };
        self.expire_memories(&excess, rule, Some(profile))?;
        if excess.is_empty() {
            let next = self.next_too_old(&limits)?;
            diesel::update(profiles::table.find((row.org_id, row.id)))
                .set(profiles::retention_due_at.eq(next))
                .execute(self.writing()?)?;
        }
        Ok(())
    }

    /// The time when the next memory becomes too old, of those that do not expire earlier by themselves.
    fn next_too_old(&mut self, limits: &RetentionFilter) -> Result<Option<Time>, StoreError> {
        let Some(age) = limits.age else { return Ok(None) };
        let oldest: Option<Time> = memories::table
            .filter(limits.has_content())
            .filter(limits.is_recent())
            .filter(limits.outlives(age))
            .select(diesel::dsl::min(memories::updated_at))
            .first(self.drained()?)
            .row_context("memories", limits.profile)?;
        Ok(oldest.and_then(|oldest| oldest.0.checked_add_signed(age)).map(Time))
    }
}
