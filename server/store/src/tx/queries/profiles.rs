//! Profiles, and the cache of default settings, validated by the `profile_version` of the org's row.

use std::sync::{Arc, LazyLock};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::rules::{ProfileDeletion, ProfileName, ProfilePlan};
use orgmem_policies::{ActPass, ProfileRef, ProfileSettings, ReadPass, Retention, ViewPass};
use uuid::Uuid;

use super::end_users::of_users;
use super::memory_rows::MemoryRow;
use super::profile_rows::{ProfileRow, list, load};
use super::retention::{MemoryPredicate, belongs};
use super::{Condition, Tx};
use crate::StoreError;
use crate::cache::{Defaults, Versioned};
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{AuditRecord, MemoryStatus, Profile, ProfileTotals, RetentionExcess};
use crate::engine::RowContext;
use crate::schema::{memories, profiles};

/// The settings in effect without a stored default profile.
static BUILT_IN: LazyLock<Arc<ProfileSettings>> = LazyLock::new(Arc::default);

impl Tx<'_> {
    pub(crate) fn default_settings(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
    ) -> Result<Arc<ProfileSettings>, StoreError> {
        let view = self.view(org)?;
        if view.row.profile_version == 0 && !view.changes.profiles {
            return Ok(Arc::clone(&BUILT_IN));
        }
        let found = self.defaults(org)?.get(&workspace).cloned();
        Ok(found.unwrap_or_else(|| Arc::clone(&BUILT_IN)))
    }

    pub(crate) fn all_default_settings(&mut self, org: OrgId) -> Result<Arc<Defaults>, StoreError> {
        let view = self.view(org)?;
        if view.row.profile_version == 0 && !view.changes.profiles { Ok(Arc::default()) } else { self.defaults(org) }
    }

    pub(crate) fn default_profile(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Profile, StoreError> {
        let row = self.default_row(org, workspace)?;
        row.map_or_else(|| Ok(Profile::implied(workspace)), ProfileRow::read)
    }

    pub(crate) fn profiles(&mut self, pass: &ViewPass) -> Result<Vec<Profile>, StoreError> {
        let rows = self.profile_rows(pass.org(), pass.workspace())?;
        let mut all = rows.into_iter().map(ProfileRow::read).collect::<Result<Vec<_>, _>>()?;
        if !all.iter().any(|profile| profile.is_default) {
            all.push(Profile::implied(pass.workspace()));
        }
        all.sort_by(|one, other| (!one.is_default, &one.name).cmp(&(!other.is_default, &other.name)));
        Ok(all)
    }

    pub(crate) fn profile(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        id: Uuid,
    ) -> Result<Option<Profile>, StoreError> {
        if let Some(row) = self.profile_row(org, workspace, id)? {
            return row.read().map(Some);
        }
        let is_implied = id == workspace.uuid() && self.default_row(org, workspace)?.is_none();
        Ok(is_implied.then(|| Profile::implied(workspace)))
    }

    pub(crate) fn profile_totals(
        &mut self,
        pass: &ReadPass,
        profile: &Profile,
        most: usize,
    ) -> Result<ProfileTotals, StoreError> {
        let (org, author, now) = (Id::from(pass.org()), Id::from(pass.reader()), Time(self.now));
        let is_live = || {
            memories::status
                .eq(TextEnum(MemoryStatus::Live))
                .and(memories::expires_at.is_null().or(memories::expires_at.gt(now)))
                .and(memories::kind.ne_all(pass.excluded_kinds().to_vec()))
                .and(of_users(pass.users()))
        };
        let of = |profile: &ProfileRef| belongs(profile.id, profile.is_default);
        let belongs = || {
            let own = ProfileRef { id: profile.id, is_default: profile.is_default };
            pass.within().iter().fold(of(&own), |all, within| -> MemoryPredicate { Box::new(all.and(of(within))) })
        };
        let conn = self.drained()?;
        let counts: Vec<(TextEnum<Scope>, i64, Option<Time>)> = memories::table
            .filter(memories::org_id.eq(org))
            .filter(memories::author_id.eq(author))
            .filter(is_live())
            .filter(belongs())
            .group_by(memories::scope)
            .select((memories::scope, diesel::dsl::count_star(), diesel::dsl::max(memories::updated_at)))
            .load(conn)
            .row_context("memories", author)?;
        let newest: Vec<MemoryRow> = memories::table
            .filter(memories::org_id.eq(org))
            .filter(memories::author_id.eq(author))
            .filter(is_live())
            .filter(belongs())
            .order((memories::created_at.desc(), memories::id.desc()))
            .limit(row_limit(most))
            .select(MemoryRow::as_select())
            .load(conn)
            .row_context("memories", author)?;
        let mut totals = ProfileTotals::default();
        for (TextEnum(scope), count, last) in counts {
            *totals.counts.of(scope) = count;
            totals.counts.last_write_at = totals.counts.last_write_at.max(last.map(|at| at.0));
        }
        totals.newest = newest.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?;
        Ok(totals)
    }

    pub(crate) fn excess(&mut self, org: OrgId, profile: &Profile) -> Result<RetentionExcess, StoreError> {
        self.excess_of(org, profile)
    }

    pub(crate) fn profile_names(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<ProfileName>, StoreError> {
        let rows = self.profile_rows(org, workspace)?;
        let implied = Profile::implied(workspace);
        let has_default = rows.iter().any(|row| row.is_default);
        let stored = rows.into_iter().map(|row| (row.id.0, row.name, row.is_default, true));
        let unstored = (!has_default).then_some((implied.id, implied.name, true, false));
        let name = |(id, name, is_default, is_stored)| ProfileName { id, name, is_default, is_stored };
        Ok(stored.chain(unstored).map(name).collect())
    }

    pub(crate) fn create_profile(
        &mut self,
        pass: &ActPass,
        plan: ProfilePlan,
        draft: &ProfileDraft,
        seed_count: i64,
    ) -> Result<Profile, StoreError> {
        let (org, workspace) = (pass.org(), pass.workspace());
        if plan.is_default() {
            self.unset_default(org, workspace)?;
        }
        let profile = Profile { id: plan.id(), seed_count, ..Profile::implied(workspace) };
        self.put_profile(org, &profile, draft, plan.is_default(), "created")
    }

    pub(crate) fn change_profile(
        &mut self,
        pass: &ActPass,
        plan: ProfilePlan,
        profile: &Profile,
        draft: &ProfileDraft,
    ) -> Result<Profile, StoreError> {
        let (org, workspace) = (pass.org(), pass.workspace());
        if plan.is_default() && !profile.is_default {
            self.unset_default(org, workspace)?;
        }
        self.put_profile(org, profile, draft, plan.is_default(), "changed")
    }

    pub(crate) fn delete_profile(&mut self, pass: &ActPass, deletion: ProfileDeletion) -> Result<(), StoreError> {
        let (org, workspace, id) = (pass.org(), pass.workspace(), deletion.id());
        self.note_profiles(org)?;
        let org_id = Id::from(org);
        let (now, conn) = (Time(self.now), self.writing()?);
        diesel::update(memories::table)
            .filter(memories::org_id.eq(org_id))
            .filter(memories::profile_id.eq(Some(Id(id))))
            .set(memories::profile_id.eq(None::<Id>))
            .execute(conn)?;
        diesel::update(profiles::table)
            .filter(profiles::org_id.eq(org_id))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .filter(Condition(super::IS_DEFAULT))
            .set(profiles::retention_due_at.eq(Some(now)))
            .execute(conn)?;
        diesel::delete(profiles::table.find((org_id, Id(id)))).execute(conn)?;
        self.record_profile_change(workspace, id, "deleted")
    }

    /// The settings of the default profiles of an org at this snapshot, without those that equal the built-in ones.
    fn defaults(&mut self, org: OrgId) -> Result<Arc<Defaults>, StoreError> {
        let view = self.view(org)?;
        let (cache, version, has_own_changes) = (view.cache.clone(), view.row.profile_version, view.changes.profiles);
        if has_own_changes {
            return load(self.conn()?, org, Defaults::new(), 0, i64::MAX).map(Arc::new);
        }
        let cached = cache.defaults.read().as_ref().map(|cached| (cached.version, Arc::clone(&cached.value)));
        let (known, from) = match cached {
            Some((at, known)) if at == version => return Ok(known),
            Some((at, known)) if at < version => (Arc::unwrap_or_clone(known), at),
            // the snapshot is older than the cache
            Some(_) | None => (Defaults::new(), 0),
        };
        let updated = Arc::new(load(self.conn()?, org, known, from, version)?);
        let mut cached = cache.defaults.write();
        if cached.as_ref().is_none_or(|cached| cached.version < version) {
            *cached = Some(Versioned { version, value: Arc::clone(&updated) });
        }
        drop(cached);
        self.core.caches.weigh(org, &cache);
        Ok(updated)
    }

    /// Clears the default flag of the default profile. An unstored one is stored, so that it remains.
    fn unset_default(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<(), StoreError> {
        let org_version = self.note_profiles(org)?;
        if self.default_row(org, workspace)?.is_none() {
            let implied = Profile { is_default: false, ..Profile::implied(workspace) };
            let row = self.profile_row_of(org, &implied, org_version);
            diesel::insert_into(profiles::table)
                .values(&row)
                .on_conflict((profiles::org_id, profiles::id))
                .do_nothing()
                .execute(self.writing()?)?;
            return Ok(());
        }
        diesel::update(profiles::table)
            .filter(profiles::org_id.eq(Id::from(org)))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .filter(Condition(super::IS_DEFAULT))
            .set((profiles::is_default.eq(false), profiles::org_version.eq(org_version)))
            .execute(self.writing()?)?;
        Ok(())
    }

    fn put_profile(
        &mut self,
        org: OrgId,
        profile: &Profile,
        draft: &ProfileDraft,
        is_default: bool,
        done: &str,
    ) -> Result<Profile, StoreError> {
        let org_version = self.note_profiles(org)?;
        let (name, settings) = (draft.name().to_owned(), draft.settings().clone());
        let row = self.profile_row_of(org, &Profile { name, settings, is_default, ..profile.clone() }, org_version);
        diesel::insert_into(profiles::table)
            .values(&row)
            .on_conflict((profiles::org_id, profiles::id))
            .do_update()
            .set(&row)
            .execute(self.writing()?)?;
        self.record_profile_change(profile.workspace, profile.id, done)?;
        row.read()
    }

    /// The row for a profile that is written now.
    fn profile_row_of(&self, org: OrgId, profile: &Profile, org_version: i64) -> ProfileRow {
        let settings = &profile.settings;
        ProfileRow {
            org_id: org.into(),
            id: Id(profile.id),
            workspace_id: profile.workspace.into(),
            name: profile.name.clone(),
            is_default: profile.is_default,
            isolation: TextEnum(settings.isolation),
            subjects: TextEnum(settings.subjects),
            sessions: TextEnum(settings.sessions),
            page_scope: TextEnum(settings.page_scope),
            excluded_kinds: list(settings.excluded_kinds.iter().map(String::as_str)),
            max_age_seconds: settings.retention.max_age_seconds,
            max_entries: settings.retention.max_entries,
            strategy: TextEnum(settings.injection.strategy),
            inject_limit: settings.injection.limit,
            inject_scopes: list(settings.injection.scopes.iter().map(|scope| scope.as_str())),
            min_confidence: settings.injection.min_confidence,
            token_budget: settings.injection.token_budget,
            seed_count: profile.seed_count,
            org_version,
            created_at: Time(profile.created_at.unwrap_or(self.now)),
            updated_at: Time(self.now),
            // stored memories may exceed the new limits
            retention_due_at: (settings.retention != Retention::default()).then_some(Time(self.now)),
        }
    }

    fn record_profile_change(&mut self, workspace: WorkspaceId, id: Uuid, done: &str) -> Result<(), StoreError> {
        let record = AuditRecord::new(AuditAction::ChangeProfile, workspace)
            .context_field("profile_id", id.to_string())
            .context_field("done", done);
        self.record(record.event_field("profile_id", id.to_string()).event_field("done", done))?;
        Ok(())
    }

    /// Marks the profiles of the org as changed, so that every server reloads them from the next transaction on.
    /// Returns the version for the changed rows.
    pub(crate) fn note_profiles(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let org_version = self.touch(org)?;
        self.view(org)?.changes.profiles = true;
        Ok(org_version)
    }
}
