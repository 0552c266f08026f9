//! Profiles: putting, listing and dropping them, and what they let a workspace read and keep.

use chrono::TimeDelta;
use diesel::prelude::*;
use diesel::upsert::excluded;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::access::Verb;
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::profiles::{Isolation, ReadRules, Strategy};
use orgmem_policies::{ActPass, ViewPass};
use uuid::Uuid;

use super::memory_rows::MemoryRow;
use super::tx::Tx;
use crate::StoreError;
use crate::columns::{Id, Time, Word};
use crate::contract::{Deed, Profile, ReadProfiles, Status, WriteDeeds, WriteProfiles};
use crate::engine::InRow;
use crate::schema::{memories, profiles};

/// Memories of one workspace that one sweep takes away.
const BATCH: i64 = 500;

/// A row of `profiles`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = profiles, treat_none_as_default_value = false)]
struct ProfileRow {
    org_id: Id,
    workspace_id: Id,
    id: Id,
    name: String,
    is_default: bool,
    max_age_seconds: Option<i64>,
    max_entries: Option<i64>,
    isolation: Word<Isolation>,
    excluded_kinds: String,
    strategy: Word<Strategy>,
    block_limit: i64,
    scopes: String,
    min_confidence: Option<f64>,
    token_budget: Option<i64>,
    seeds: String,
    created_at: Time,
    updated_at: Time,
}

impl ProfileRow {
    fn rules(&self) -> Result<ReadRules, StoreError> {
        Ok(ReadRules::new(self.isolation.0, self.list("excluded_kinds", &self.excluded_kinds)?))
    }

    fn list<T: serde::de::DeserializeOwned>(&self, column: &str, text: &str) -> Result<Vec<T>, StoreError> {
        let unreadable = |_| StoreError::unreadable("profiles", self.id.0, format!("its {column} are not a list"));
        serde_json::from_str(text).map_err(unreadable)
    }

    fn read(self) -> Result<Profile, StoreError> {
        let scopes: Vec<String> = self.list("scopes", &self.scopes)?;
        let unknown = |_| StoreError::unreadable("profiles", self.id.0, "an unknown scope");
        let scopes = scopes.iter().map(|scope| scope.parse::<Scope>().map_err(unknown)).collect::<Result<_, _>>()?;
        Ok(Profile {
            rules: self.rules()?,
            seeds: self.list("seeds", &self.seeds)?,
            scopes,
            id: self.id.0,
            workspace: self.workspace_id.workspace(),
            name: self.name,
            is_default: self.is_default,
            max_age_seconds: self.max_age_seconds,
            max_entries: self.max_entries,
            strategy: self.strategy.0,
            limit: self.block_limit,
            min_confidence: self.min_confidence,
            token_budget: self.token_budget,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

impl ReadProfiles for Tx<'_> {
    fn read_rules(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<ReadRules, StoreError> {
        if self.view(org)?.row.profile_version == 0 && self.view(org)?.changes.tally.profiles == 0 {
            return Ok(ReadRules::default());
        }
        let row: Option<ProfileRow> = profiles::table
            .filter(profiles::org_id.eq(Id::from(org)))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .filter(profiles::is_default.eq(true))
            .select(ProfileRow::as_select())
            .first(self.conn)
            .optional()
            .in_row("profiles", workspace)?;
        row.map_or(Ok(ReadRules::default()), |row| row.rules())
    }

    fn profiles(&mut self, pass: &ViewPass) -> Result<Vec<Profile>, StoreError> {
        let rows = self.profile_rows(pass.org(), pass.workspace())?;
        rows.into_iter().map(ProfileRow::read).collect()
    }
}

impl WriteProfiles for Tx<'_> {
    fn put_profile(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        draft: &ProfileDraft,
        is_default: bool,
        seeds: &[Uuid],
    ) -> Result<Profile, StoreError> {
        let (org, workspace, fields) = (pass.org(), pass.workspace(), draft.fields());
        let there = self.profile_rows(org, workspace)?;
        let known = there.iter().find(|row| row.id.0 == id);
        let is_default = is_default || !there.iter().any(|row| row.is_default && row.id.0 != id);
        self.note_profiles(org)?;
        let list = |texts: Vec<String>| serde_json::Value::from(texts).to_string();
        let row = ProfileRow {
            org_id: org.into(),
            workspace_id: workspace.into(),
            id: Id(id),
            name: fields.name.as_str().to_owned(),
            is_default,
            max_age_seconds: fields.max_age_seconds,
            max_entries: fields.max_entries,
            isolation: Word(fields.rules.isolation()),
            excluded_kinds: list(fields.rules.excluded_kinds().to_vec()),
            strategy: Word(fields.strategy),
            block_limit: fields.limit,
            scopes: list(fields.scopes.iter().map(ToString::to_string).collect()),
            min_confidence: fields.min_confidence,
            token_budget: fields.token_budget,
            seeds: match known {
                Some(known) => known.seeds.clone(),
                None => list(seeds.iter().map(ToString::to_string).collect()),
            },
            created_at: known.map_or(Time(self.now), |known| known.created_at),
            updated_at: Time(self.now),
        };
        let conn = self.writing()?;
        if is_default {
            diesel::update(profiles::table)
                .filter(profiles::org_id.eq(row.org_id))
                .filter(profiles::workspace_id.eq(row.workspace_id))
                .set(profiles::is_default.eq(false))
                .execute(conn)?;
        }
        diesel::insert_into(profiles::table)
            .values(&row)
            .on_conflict((profiles::org_id, profiles::workspace_id, profiles::id))
            .do_update()
            .set((
                profiles::name.eq(excluded(profiles::name)),
                profiles::is_default.eq(excluded(profiles::is_default)),
                profiles::max_age_seconds.eq(excluded(profiles::max_age_seconds)),
                profiles::max_entries.eq(excluded(profiles::max_entries)),
                profiles::isolation.eq(excluded(profiles::isolation)),
                profiles::excluded_kinds.eq(excluded(profiles::excluded_kinds)),
                profiles::strategy.eq(excluded(profiles::strategy)),
                profiles::block_limit.eq(excluded(profiles::block_limit)),
                profiles::scopes.eq(excluded(profiles::scopes)),
                profiles::min_confidence.eq(excluded(profiles::min_confidence)),
                profiles::token_budget.eq(excluded(profiles::token_budget)),
                profiles::updated_at.eq(excluded(profiles::updated_at)),
            ))
            .execute(conn)?;
        let did = if known.is_some() { "changed" } else { "created" };
        self.record(profile_deed(workspace, id, did))?;
        row.read()
    }

    fn drop_profile(&mut self, pass: &ActPass, id: Uuid) -> Result<bool, StoreError> {
        let (org, workspace) = (pass.org(), pass.workspace());
        self.note_profiles(org)?;
        let row = profiles::table.find((Id::from(org), Id::from(workspace), Id(id)));
        let dropped = diesel::delete(row).execute(self.writing()?)? > 0;
        if dropped {
            self.record(profile_deed(workspace, id, "deleted"))?;
        }
        Ok(dropped)
    }
}

fn profile_deed(workspace: WorkspaceId, id: Uuid, did: &str) -> Deed {
    Deed::new(Verb::ChangeProfile, workspace)
        .with("profile_id", id.to_string())
        .with("change", did)
        .telling("profile_id", id.to_string())
        .telling("change", did)
}

impl Tx<'_> {
    fn profile_rows(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<ProfileRow>, StoreError> {
        profiles::table
            .filter(profiles::org_id.eq(Id::from(org)))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .order(profiles::id)
            .select(ProfileRow::as_select())
            .load(self.conn)
            .in_row("profiles", workspace)
    }

    /// Notes that profiles of the org change, so that reads look at them.
    fn note_profiles(&mut self, org: OrgId) -> Result<(), StoreError> {
        let version = self.touch(org)?;
        self.view(org)?.changes.tally.profiles = version;
        Ok(())
    }

    /// Workspaces whose default profile does not let them keep all that they have, each with what is too old or too much.
    pub(super) fn over_retention(&mut self) -> Result<Vec<(OrgId, Uuid)>, StoreError> {
        let bounded: Vec<ProfileRow> = profiles::table
            .filter(profiles::is_default.eq(true))
            .filter(profiles::max_age_seconds.is_not_null().or(profiles::max_entries.is_not_null()))
            .select(ProfileRow::as_select())
            .load(self.conn)
            .in_row("profiles", "with retention")?;
        let mut over = Vec::new();
        for profile in bounded {
            let live = || {
                memories::table
                    .filter(memories::org_id.eq(profile.org_id))
                    .filter(memories::author_id.eq(profile.workspace_id))
                    .filter(memories::status.eq(Word(Status::Live)))
            };
            let org = profile.org_id.org();
            if let Some(seconds) = profile.max_age_seconds {
                let oldest = Time(self.now - TimeDelta::seconds(seconds));
                let old: Vec<Id> = live()
                    .filter(memories::created_at.le(oldest))
                    .order((memories::created_at, memories::id))
                    .limit(BATCH)
                    .select(memories::id)
                    .load(self.conn)
                    .in_row("memories", "too old")?;
                over.extend(old.into_iter().map(|Id(id)| (org, id)));
            }
            if let Some(most) = profile.max_entries {
                // pinned ones are the last to go
                let many: Vec<Id> = live()
                    .order((memories::pin.desc(), memories::created_at.desc(), memories::id.desc()))
                    .offset(most)
                    .limit(BATCH)
                    .select(memories::id)
                    .load(self.conn)
                    .in_row("memories", "too many")?;
                over.extend(many.into_iter().map(|Id(id)| (org, id)));
            }
        }
        over.sort_unstable();
        over.dedup();
        Ok(over)
    }

    /// Takes a memory away that the default profile of its author does not let it keep.
    pub(super) fn let_go(&mut self, org: OrgId, id: Uuid) -> Result<(), StoreError> {
        let row = self.memory_row(org, id)?.filter(|row| row.status.0 == Status::Live);
        let Some(row) = row else { return Ok(()) };
        let change = self.touch(org)?;
        self.take_out(&row, change)?;
        self.record_memory(Verb::ForgetMemory, "let go of", &row)?;
        let row = MemoryRow {
            status: Word(Status::Deleted),
            version: row.version + 1,
            change,
            updated_at: Time(self.now),
            expires_at: None,
            ..row.emptied()
        };
        diesel::update(memories::table.find((row.org_id, row.id))).set(&row).execute(self.writing()?)?;
        Ok(())
    }
}
