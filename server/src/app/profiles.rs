//! Profiles: what a workspace reads, keeps and puts before its prompts.

use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::{MemoryDraft, MemoryInput, ProfileDraft, ProfileInput};
use orgmem_policies::profiles::{Isolation, Strategy};
use orgmem_policies::{ActPass, Action, ViewPass, WritePass};
use orgmem_store::{Cost, Profile, ReadTx, ReadyMemory};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

/// Profiles of one workspace, and memories that are committed with one, at most.
const MAX_PROFILES: usize = 50;
const MAX_SEEDS: usize = 50;

impl App {
    /// Creates a profile of the workspace and commits the memories that come with it.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; a field out of its limits, or a memory that the profile itself
    /// would not let the workspace read or keep.
    ///
    /// # Source
    /// product.md, section 4.6.
    pub async fn create_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CreateProfile,
        once: Option<Idempotency>,
    ) -> Result<wire::Profile, AppError> {
        let draft = ProfileDraft::check(input(&request), self.scrubber)?;
        let seeds = self.seeds(who, &request, &draft)?;
        self.write_as(who, workspace, once, move |call| {
            let (pass, author) = (call.configures()?, call.workspace);
            if call.all_profiles()?.len() >= MAX_PROFILES {
                let expected = format!("one of at most {MAX_PROFILES} profiles; delete one first");
                return Err(AppError::Field { field: "name", expected });
            }
            let mut committed = Vec::with_capacity(seeds.len());
            for (scope, memory) in &seeds {
                let writes = call.pass(|caller, tree| WritePass::grant(caller, tree, author, *scope, None))?;
                committed.push(call.tx.commit_memory(&writes, memory)?.id);
            }
            let id = call.tx.new_id();
            let profile = call.tx.put_profile(&pass, id, &draft, request.is_default, &committed)?;
            Ok(told(profile, &draft))
        })
        .await
    }

    fn seeds(
        &self,
        who: &VerifiedClaims,
        request: &wire::CreateProfile,
        draft: &ProfileDraft,
    ) -> Result<Vec<(Scope, ReadyMemory)>, AppError> {
        let (seeds, fields) = (&request.seed_entries, draft.fields());
        let most = fields.max_entries.and_then(|most| usize::try_from(most).ok()).unwrap_or(MAX_SEEDS).min(MAX_SEEDS);
        if seeds.len() > most {
            let expected = format!("at most {most} memories, as many as the profile lets the workspace keep");
            return Err(AppError::Field { field: "seed_entries", expected });
        }
        let mut ready = Vec::with_capacity(seeds.len());
        for (number, seed) in seeds.iter().enumerate() {
            let item = format!("memory {} of `seed_entries`", number + 1);
            let input = MemoryInput {
                content: seed.content.clone(),
                kind: seed.kind.clone(),
                confidence: seed.confidence,
                tags: seed.tags.clone(),
                ..MemoryInput::default()
            };
            let checked = MemoryDraft::check(input, who.identity().role, self.limits, self.scrubber, self.now());
            let checked = checked.map_err(|fault| AppError::from(fault).about(&item))?;
            if !fields.rules.keeps_kind(checked.fields().kind.as_str()) {
                let expected = "of a kind that is not among `excluded_kinds`".to_owned();
                return Err(AppError::Field { field: "seed_entries", expected });
            }
            ready.push((seed.scope.unwrap_or(Scope::Local), checked.into()));
        }
        Ok(ready)
    }

    /// The profiles of the workspace, oldest first.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it.
    pub async fn list_profiles(&self, who: &VerifiedClaims, workspace: Uuid) -> Result<Vec<wire::Profile>, AppError> {
        self.read_as(who, workspace, Cost::Point, |call| Ok(call.all_profiles()?.into_iter().map(shown).collect())).await
    }

    /// One profile of the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where it has no such profile.
    pub async fn read_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::Profile, AppError> {
        self.read_as(who, workspace, Cost::Point, move |call| call.profile(profile).map(shown)).await
    }

    /// Changes a profile; what is absent stays as it is.
    ///
    /// # Errors
    /// As for [`App::create_profile`]; [`AppError::Field`] where the workspace would be left without a default profile.
    pub async fn patch_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
        request: wire::PatchProfile,
    ) -> Result<wire::Profile, AppError> {
        let scrubber = self.scrubber;
        self.write_as(who, workspace, None, move |call| {
            let pass = call.configures()?;
            let known = call.profile(profile)?;
            if known.is_default && request.is_default == Some(false) {
                let expected = "true for another profile, which then takes the place of this one".to_owned();
                return Err(AppError::Field { field: "is_default", expected });
            }
            let is_default = request.is_default.unwrap_or(known.is_default);
            let draft = ProfileDraft::check(input(&changed(shown(known), request.clone())), scrubber)?;
            let profile = call.tx.put_profile(&pass, profile, &draft, is_default, &[])?;
            Ok(told(profile, &draft))
        })
        .await
    }

    /// Deletes a profile. The default one goes last.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::DefaultProfile`] while there are others.
    pub async fn drop_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::Deleted, AppError> {
        self.write_as(who, workspace, None, move |call| {
            let pass = call.configures()?;
            if call.profile(profile)?.is_default && call.all_profiles()?.len() > 1 {
                return Err(AppError::DefaultProfile);
            }
            call.tx.drop_profile(&pass, profile)?;
            Ok(wire::Deleted::done())
        })
        .await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The profiles of this workspace.
    pub(super) fn all_profiles(&mut self) -> Result<Vec<Profile>, AppError> {
        let at = self.workspace;
        let pass = self.pass(|caller, tree| ViewPass::grant(caller, Action::ReadWorkspace, tree, at))?;
        Ok(self.tx.profiles(&pass)?)
    }

    /// One of them.
    pub(super) fn profile(&mut self, id: Uuid) -> Result<Profile, AppError> {
        let found = self.all_profiles()?.into_iter().find(|profile| profile.id == id);
        found.ok_or(AppError::PROFILE_NOT_FOUND)
    }
}

impl WriteCall<'_> {
    /// A pass to say what the workspace reads and keeps: an operator's, as an agent could lift its own isolation.
    fn configures(&mut self) -> Result<ActPass, AppError> {
        let at = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Action::EditWorkspace, tree, at))
    }
}

fn input(request: &wire::CreateProfile) -> ProfileInput {
    let injection = &request.injection;
    ProfileInput {
        name: request.name.clone(),
        max_age_seconds: request.retention.max_age_seconds,
        max_entries: request.retention.max_entries,
        isolation: match request.isolation {
            wire::Isolation::Tree => Isolation::Tree,
            wire::Isolation::Team => Isolation::Team,
            wire::Isolation::Isolated => Isolation::Isolated,
        },
        excluded_kinds: request.excluded_kinds.clone(),
        strategy: match injection.strategy {
            wire::Strategy::Confidence => Strategy::Confidence,
            wire::Strategy::Recent => Strategy::Recent,
            wire::Strategy::Relevance => Strategy::Relevance,
            wire::Strategy::Off => Strategy::Off,
        },
        limit: injection.limit,
        scopes: injection.scopes.clone(),
        min_confidence: injection.min_confidence,
        token_budget: injection.token_budget,
    }
}

/// The profile as it is to be.
fn changed(known: wire::Profile, change: wire::PatchProfile) -> wire::CreateProfile {
    wire::CreateProfile {
        name: change.name.unwrap_or(known.name),
        is_default: change.is_default.unwrap_or(known.is_default),
        retention: change.retention.unwrap_or(known.retention),
        isolation: change.isolation.unwrap_or(known.isolation),
        injection: change.injection.unwrap_or(known.injection),
        excluded_kinds: change.excluded_kinds.unwrap_or(known.excluded_kinds),
        seed_entries: Vec::new(),
    }
}

fn told(profile: Profile, draft: &ProfileDraft) -> wire::Profile {
    wire::Profile { redactions: redactions(&draft.fields().redactions), ..shown(profile) }
}

pub(super) fn strategy(strategy: Strategy) -> wire::Strategy {
    match strategy {
        Strategy::Confidence => wire::Strategy::Confidence,
        Strategy::Recent => wire::Strategy::Recent,
        Strategy::Relevance => wire::Strategy::Relevance,
        Strategy::Off => wire::Strategy::Off,
    }
}

fn shown(profile: Profile) -> wire::Profile {
    wire::Profile {
        id: profile.id,
        workspace_id: profile.workspace.uuid(),
        name: profile.name,
        is_default: profile.is_default,
        retention: wire::Retention { max_age_seconds: profile.max_age_seconds, max_entries: profile.max_entries },
        isolation: match profile.rules.isolation() {
            Isolation::Tree => wire::Isolation::Tree,
            Isolation::Team => wire::Isolation::Team,
            Isolation::Isolated => wire::Isolation::Isolated,
        },
        injection: wire::Injection {
            strategy: strategy(profile.strategy),
            limit: profile.limit,
            scopes: profile.scopes,
            min_confidence: profile.min_confidence,
            token_budget: profile.token_budget,
        },
        excluded_kinds: profile.rules.excluded_kinds().to_vec(),
        seed_entries: profile.seeds,
        created_at: profile.created_at,
        updated_at: profile.updated_at,
        redactions: Vec::new(),
    }
}
