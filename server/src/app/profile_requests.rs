//! Checked requests to create and change profiles, and the wire form of profiles.

use chrono::{DateTime, Utc};
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::rules;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{Forbidden, Injection, Isolation, ProfileSettings, Retention, Sharing, Strategy};
use orgmem_store::Profile;
use orgmem_types as wire;
use serde_json::{Value, json};
use uuid::Uuid;

use super::AppError;
use super::call::WriteCall;
use super::commit_memory::{Ready, commit_ungated, prepare};
use super::drafting::Drafting;
use super::end_user::Writer;
use super::wire::redactions;
use crate::decode;

/// Maximum number of seed memories of a profile.
pub(crate) const MAX_SEEDS: usize = 100;

/// Checks a request to create the profile `id`.
pub(super) fn parse_creation(
    id: Uuid,
    request: wire::CreateProfile,
    writer: &Writer,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<ProfileCreation, AppError> {
    let settings = ProfileSettings {
        isolation: isolation_of(request.isolation),
        excluded_kinds: request.excluded_kinds,
        subjects: sharing_of(request.subjects),
        sessions: sharing_of(request.sessions),
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
        page_scope: request.page_scope,
        within: Vec::new(),
    };
    let draft = ProfileDraft::check(&request.name, settings, with.scrubber)?;
    if request.seed_entries.len() > MAX_SEEDS {
        let expected = format!("a list of at most {MAX_SEEDS} memories");
        return Err(AppError::Field { field: "seed_entries", expected });
    }
    let mut seeds = Vec::with_capacity(request.seed_entries.len());
    for (number, entry) in request.seed_entries.into_iter().enumerate() {
        seeds.push(seed(id, entry, writer, now, with).map_err(|error| error.about(&seed_name(number)))?);
    }
    Ok(ProfileCreation { id, draft, is_default: request.is_default, seeds })
}

/// Checks a seed memory; its default scope is LOCAL.
fn seed(
    profile: Uuid,
    mut seed: Value,
    writer: &Writer,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<Ready, AppError> {
    if let Value::Object(fields) = &mut seed {
        fields.entry("scope").or_insert(json!("LOCAL"));
    }
    let request: wire::CommitMemory = decode::json_value(&seed).map_err(|fault| AppError::Item(fault.to_string()))?;
    if request.profile_id.is_some() || request.run_id.is_some() {
        let field = if request.profile_id.is_some() { "profile_id" } else { "run_id" };
        return Err(AppError::Field { field, expected: "absent: it is written at once, into this profile".into() });
    }
    prepare(wire::CommitMemory { profile_id: Some(profile), ..request }, writer, now, with)
}

/// A checked request to create a profile.
pub(super) struct ProfileCreation {
    id: Uuid,
    draft: ProfileDraft,
    is_default: bool,
    seeds: Vec<Ready>,
}

impl ProfileCreation {
    pub(super) fn seed_count(&self) -> usize {
        self.seeds.len()
    }

    /// Creates the profile and its seed memories, all or none.
    pub(super) fn apply(&self, call: &mut WriteCall<'_>) -> Result<wire::Profile, AppError> {
        let pass = call.manages_profiles()?;
        check_page_scope(call, self.draft.settings())?;
        let count = i64::try_from(self.seeds.len()).unwrap_or(i64::MAX);
        let names = call.tx.profile_names(call.org, call.workspace)?;
        let plan = rules::check_profile_name(&names, self.id, self.draft.name(), self.is_default)?;
        let profile = call.tx.create_profile(&pass, plan, &self.draft, count)?;
        let mut replaced = redactions(self.draft.redactions());
        for (number, seed) in self.seeds.iter().enumerate() {
            commit_ungated(call, seed).map_err(|error| error.about(&seed_name(number)))?;
            replaced.extend(seed.redactions());
        }
        Ok(wire::Profile { redactions: replaced, ..to_wire(profile) })
    }
}

/// A request to change a profile.
pub(super) struct ProfileChange {
    pub(super) profile: Uuid,
    pub(super) request: wire::PatchProfile,
    pub(super) scrubber: &'static Scrubber,
}

impl ProfileChange {
    /// Changes the fields of the request; other fields keep their values.
    pub(super) fn apply(&self, call: &mut WriteCall<'_>) -> Result<wire::Profile, AppError> {
        let pass = call.manages_profiles()?;
        let current = call.profile(self.profile)?;
        if current.is_default && self.request.is_default == Some(false) {
            let expected = "true or absent, as this is the default profile; make another one the default instead";
            return Err(AppError::Field { field: "is_default", expected: expected.to_owned() });
        }
        let (name, settings) = changed(&current, &self.request);
        let draft = ProfileDraft::check(&name, settings, self.scrubber)?;
        check_page_scope(call, draft.settings())?;
        let is_default = current.is_default || self.request.is_default == Some(true);
        let names = call.tx.profile_names(call.org, call.workspace)?;
        let plan = rules::check_profile_name(&names, current.id, draft.name(), is_default)?;
        let changed = call.tx.change_profile(&pass, plan, &current, &draft)?;
        Ok(wire::Profile { redactions: redactions(draft.redactions()), ..to_wire(changed) })
    }
}

/// A workspace gives its pages a scope with which it may commit memories.
fn check_page_scope(call: &mut WriteCall<'_>, settings: &ProfileSettings) -> Result<(), AppError> {
    let (workspace, scope) = (call.workspace, settings.page_scope);
    call.pass(|_, tree| tree.write(workspace, scope, None).map_err(|reason| Forbidden::Scope(reason).into()))?;
    Ok(())
}

fn seed_name(number: usize) -> String {
    format!("memory {} of `seed_entries`", number + 1)
}

/// The name and the settings of a profile after the change.
fn changed(current: &Profile, request: &wire::PatchProfile) -> (String, ProfileSettings) {
    let mut settings = current.settings.clone();
    if let Some(isolation) = request.isolation {
        settings.isolation = isolation_of(isolation);
    }
    settings.subjects = request.subjects.map_or(settings.subjects, sharing_of);
    settings.page_scope = request.page_scope.unwrap_or(settings.page_scope);
    settings.sessions = request.sessions.map_or(settings.sessions, sharing_of);
    if let Some(kinds) = &request.excluded_kinds {
        settings.excluded_kinds.clone_from(kinds);
    }
    if let Some(retention) = request.retention {
        let current = &mut settings.retention;
        current.max_age_seconds = retention.max_age_seconds.unwrap_or(current.max_age_seconds);
        current.max_entries = retention.max_entries.unwrap_or(current.max_entries);
    }
    if let Some(injection) = &request.injection {
        let current = &mut settings.injection;
        current.strategy = injection.strategy.map_or(current.strategy, strategy_of);
        current.limit = injection.limit.unwrap_or(current.limit);
        current.scopes = injection.scopes.clone().unwrap_or_else(|| std::mem::take(&mut current.scopes));
        current.min_confidence = injection.min_confidence.unwrap_or(current.min_confidence);
        current.token_budget = injection.token_budget.unwrap_or(current.token_budget);
    }
    (request.name.clone().unwrap_or_else(|| current.name.clone()), settings)
}

pub(super) fn to_wire(profile: Profile) -> wire::Profile {
    let ProfileSettings { isolation, excluded_kinds, subjects, sessions, retention, injection, page_scope, within: _ } =
        profile.settings;
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
            Isolation::Profile => wire::Isolation::Profile,
        },
        injection: wire::Injection {
            strategy: strategy(injection.strategy),
            limit: injection.limit,
            scopes: injection.scopes,
            min_confidence: injection.min_confidence,
            token_budget: injection.token_budget,
        },
        page_scope,
        subjects: sharing(subjects),
        sessions: sharing(sessions),
        excluded_kinds,
        seed_count: profile.seed_count,
        created_at: profile.created_at,
        updated_at: profile.updated_at,
        redactions: Vec::new(),
    }
}

fn sharing_of(sharing: wire::Sharing) -> Sharing {
    match sharing {
        wire::Sharing::Open => Sharing::Open,
        wire::Sharing::Separate => Sharing::Separate,
    }
}

fn sharing(sharing: Sharing) -> wire::Sharing {
    match sharing {
        Sharing::Open => wire::Sharing::Open,
        Sharing::Separate => wire::Sharing::Separate,
    }
}

fn isolation_of(isolation: wire::Isolation) -> Isolation {
    match isolation {
        wire::Isolation::Tree => Isolation::Tree,
        wire::Isolation::Team => Isolation::Team,
        wire::Isolation::Isolated => Isolation::Isolated,
        wire::Isolation::Profile => Isolation::Profile,
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
