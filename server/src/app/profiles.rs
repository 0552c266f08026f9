//! Profiles: how a workspace remembers.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::rules;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{
    ActPass, Injection, Isolation, Permission, ProfileSettings, ReadPass, Retention, Strategy, ViewPass,
};
use orgmem_store::{InProfile, Profile, ReadPlan, ReadTx};
use orgmem_types as wire;
use serde_json::{Value, json};
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::commit_memory::{Ready, commit_now};
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::decode;

/// Memories that a profile may begin with.
const MAX_SEEDS: usize = 100;

impl App {
    /// Makes a profile of the workspace, with the memories that it begins with: all, or nothing.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; a setting out of its limits or one that contradicts another;
    /// a name that is taken; what is wrong with the first memory that cannot be accepted.
    ///
    /// # Source
    /// docs/spec/profiles.md.
    pub async fn create_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CreateProfile,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Profile, AppError> {
        let making = self.making(who, request)?;
        self.write(who.call(workspace).idempotent(idempotency), move |call| making.carry_out(call)).await
    }

    /// The profiles of the workspace, the default one first.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it.
    pub async fn list_profiles(&self, who: &VerifiedClaims, workspace: Uuid) -> Result<Vec<wire::Profile>, AppError> {
        self.read(who.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            Ok(call.tx.profiles(&pass)?.into_iter().map(to_wire).collect())
        })
        .await
    }

    /// One profile of the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where the workspace has no such profile.
    pub async fn read_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::Profile, AppError> {
        self.read(who.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            call.profile(profile).map(to_wire)
        })
        .await
    }

    /// Changes a profile: what is not named stays.
    ///
    /// # Errors
    /// As for [`App::create_profile`]; [`AppError::NotFound`] where the workspace has no such profile.
    pub async fn change_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
        request: wire::PatchProfile,
    ) -> Result<wire::Profile, AppError> {
        let changing = Changing { profile, request, scrubber: self.scrubber };
        self.write(who.call(workspace), move |call| changing.carry_out(call)).await
    }

    /// Deletes a profile that is not the default one. Its memories belong to the default one from then on.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where the workspace has no such profile.
    pub async fn delete_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::Deleted, AppError> {
        self.write(who.call(workspace), move |call| {
            let pass = call.manages_profiles()?;
            let known = call.profile(profile)?;
            let deletion = rules::check_profile_deletion(known.id, known.is_default)?;
            call.tx.delete_profile(&pass, deletion)?;
            Ok(wire::Deleted::done())
        })
        .await
    }

    /// What a request to make a profile asks for, understood.
    pub(super) fn making(&self, who: &VerifiedClaims, request: wire::CreateProfile) -> Result<Making, AppError> {
        let settings = ProfileSettings {
            isolation: isolation_of(request.isolation),
            excluded_kinds: request.excluded_kinds,
            retention: Retention {
                max_age_seconds: request.retention.max_age_seconds,
                max_entries: request.retention.max_entries,
            },
            injection: Injection {
                strategy: strategy_of(request.injection.strategy),
                limit: request.injection.limit,
                scopes: request.injection.scopes,
                min_confidence: request.injection.min_confidence,
                token_budget: request.injection.token_budget,
            },
        };
        let draft = ProfileDraft::check(&request.name, settings, self.scrubber)?;
        if request.seed_entries.len() > MAX_SEEDS {
            let expected = format!("a list of at most {MAX_SEEDS} memories");
            return Err(AppError::Field { field: "seed_entries", expected });
        }
        let id = self.store.new_id();
        let mut seeds = Vec::with_capacity(request.seed_entries.len());
        for (number, seed) in request.seed_entries.into_iter().enumerate() {
            seeds.push(self.seed(who, id, seed).map_err(|error| error.about(&seed_name(number)))?);
        }
        Ok(Making { id, draft, is_default: request.is_default, seeds })
    }

    /// One of the memories that a profile begins with, made ready.
    fn seed(&self, who: &VerifiedClaims, profile: Uuid, mut seed: Value) -> Result<Ready, AppError> {
        if let Value::Object(fields) = &mut seed {
            fields.entry("scope").or_insert(json!("LOCAL"));
        }
        let request: wire::CommitMemory =
            decode::json_value(&seed).map_err(|fault| AppError::Item(fault.to_string()))?;
        if request.profile_id.is_some() || request.run_id.is_some() {
            let field = if request.profile_id.is_some() { "profile_id" } else { "run_id" };
            return Err(AppError::Field { field, expected: "absent: it is written at once, into this profile".into() });
        }
        let request = wire::CommitMemory { profile_id: Some(profile), ..request };
        self.prepare(request, who.identity().role, self.now())
    }
}

/// A profile that is to be made.
pub(super) struct Making {
    id: Uuid,
    draft: ProfileDraft,
    is_default: bool,
    seeds: Vec<Ready>,
}

impl Making {
    /// Makes it, with the memories that it begins with: all, or nothing.
    pub(super) fn carry_out(&self, call: &mut WriteCall<'_>) -> Result<wire::Profile, AppError> {
        let pass = call.manages_profiles()?;
        let count = i64::try_from(self.seeds.len()).unwrap_or(i64::MAX);
        let names = call.tx.profile_names(call.org, call.workspace)?;
        let plan = rules::check_profile_name(&names, self.id, self.draft.name(), self.is_default)?;
        let profile = call.tx.create_profile(&pass, plan, &self.draft, count)?;
        let mut replaced = redactions(self.draft.redactions());
        for (number, seed) in self.seeds.iter().enumerate() {
            commit_now(call, seed).map_err(|error| error.about(&seed_name(number)))?;
            replaced.extend(seed.redactions());
        }
        Ok(wire::Profile { redactions: replaced, ..to_wire(profile) })
    }
}

/// A change that is to be made to a profile.
pub(super) struct Changing {
    pub(super) profile: Uuid,
    pub(super) request: wire::PatchProfile,
    pub(super) scrubber: &'static Scrubber,
}

impl Changing {
    /// Changes it: what is not named stays.
    pub(super) fn carry_out(&self, call: &mut WriteCall<'_>) -> Result<wire::Profile, AppError> {
        let pass = call.manages_profiles()?;
        let known = call.profile(self.profile)?;
        if known.is_default && self.request.is_default == Some(false) {
            let expected = "true or absent, as this is the default profile; make another one the default instead";
            return Err(AppError::Field { field: "is_default", expected: expected.to_owned() });
        }
        let (name, settings) = changed(&known, &self.request);
        let draft = ProfileDraft::check(&name, settings, self.scrubber)?;
        let is_default = known.is_default || self.request.is_default == Some(true);
        let names = call.tx.profile_names(call.org, call.workspace)?;
        let plan = rules::check_profile_name(&names, known.id, draft.name(), is_default)?;
        let changed = call.tx.change_profile(&pass, plan, &known, &draft)?;
        Ok(wire::Profile { redactions: redactions(draft.redactions()), ..to_wire(changed) })
    }
}

fn seed_name(number: usize) -> String {
    format!("memory {} of `seed_entries`", number + 1)
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// A pass to read memories as this workspace: what the tree and its default profile leave to it.
    pub(super) fn reads(&mut self, reader: WorkspaceId) -> Result<ReadPass, AppError> {
        let profile = self.tx.default_settings(self.org, reader)?;
        self.pass(|caller, tree| ReadPass::grant(caller, tree, reader, &profile))
    }

    /// A profile of this workspace.
    pub(super) fn profile(&mut self, id: Uuid) -> Result<Profile, AppError> {
        self.tx.profile(self.org, self.workspace, id)?.ok_or(AppError::PROFILE_NOT_FOUND)
    }

    /// A profile of this workspace to search in, where one is named.
    pub(super) fn in_profile(&mut self, id: Option<Uuid>) -> Result<Option<InProfile>, AppError> {
        let Some(id) = id else { return Ok(None) };
        let profile = self.profile(id)?;
        Ok(Some(InProfile { id, is_default: profile.is_default }))
    }
}

impl WriteCall<'_> {
    fn manages_profiles(&mut self) -> Result<ActPass, AppError> {
        let at = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::ManageProfiles, tree, at))
    }
}

/// What a profile says once a change is made to it.
fn changed(known: &Profile, request: &wire::PatchProfile) -> (String, ProfileSettings) {
    let mut settings = known.settings.clone();
    if let Some(isolation) = request.isolation {
        settings.isolation = isolation_of(isolation);
    }
    if let Some(kinds) = &request.excluded_kinds {
        settings.excluded_kinds.clone_from(kinds);
    }
    if let Some(retention) = request.retention {
        let now = &mut settings.retention;
        now.max_age_seconds = retention.max_age_seconds.unwrap_or(now.max_age_seconds);
        now.max_entries = retention.max_entries.unwrap_or(now.max_entries);
    }
    if let Some(injection) = &request.injection {
        let now = &mut settings.injection;
        now.strategy = injection.strategy.map_or(now.strategy, strategy_of);
        now.limit = injection.limit.unwrap_or(now.limit);
        now.scopes = injection.scopes.clone().unwrap_or_else(|| std::mem::take(&mut now.scopes));
        now.min_confidence = injection.min_confidence.unwrap_or(now.min_confidence);
        now.token_budget = injection.token_budget.unwrap_or(now.token_budget);
    }
    (request.name.clone().unwrap_or_else(|| known.name.clone()), settings)
}

fn to_wire(profile: Profile) -> wire::Profile {
    let ProfileSettings { isolation, excluded_kinds, retention, injection } = profile.settings;
    wire::Profile {
        id: profile.id,
        workspace_id: profile.workspace.uuid(),
        name: profile.name,
        is_default: profile.is_default,
        retention: wire::Retention { max_age_seconds: retention.max_age_seconds, max_entries: retention.max_entries },
        isolation: match isolation {
            Isolation::Tree => wire::Isolation::Tree,
            Isolation::Team => wire::Isolation::Team,
            Isolation::Isolated => wire::Isolation::Isolated,
        },
        injection: wire::Injection {
            strategy: strategy(injection.strategy),
            limit: injection.limit,
            scopes: injection.scopes,
            min_confidence: injection.min_confidence,
            token_budget: injection.token_budget,
        },
        excluded_kinds,
        seed_count: profile.seed_count,
        created_at: profile.created_at,
        updated_at: profile.updated_at,
        redactions: Vec::new(),
    }
}

fn isolation_of(isolation: wire::Isolation) -> Isolation {
    match isolation {
        wire::Isolation::Tree => Isolation::Tree,
        wire::Isolation::Team => Isolation::Team,
        wire::Isolation::Isolated => Isolation::Isolated,
    }
}

pub(super) fn strategy(strategy: Strategy) -> wire::Strategy {
    match strategy {
        Strategy::Confidence => wire::Strategy::Confidence,
        Strategy::Recent => wire::Strategy::Recent,
        Strategy::Relevance => wire::Strategy::Relevance,
        Strategy::Off => wire::Strategy::Off,
    }
}

fn strategy_of(strategy: wire::Strategy) -> Strategy {
    match strategy {
        wire::Strategy::Confidence => Strategy::Confidence,
        wire::Strategy::Recent => Strategy::Recent,
        wire::Strategy::Relevance => Strategy::Relevance,
        wire::Strategy::Off => Strategy::Off,
    }
}
