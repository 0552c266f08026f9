//! Profiles of workspaces: create, list, read, change, delete.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{ActPass, Permission, ReadPass, ViewPass, rules};
use orgmem_store::{Profile, ProfileFilter, ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::drafting::Drafting;
use super::profile_requests::{ProfileChange, ProfileCreation, parse_creation, to_wire};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Creates a profile of the workspace together with its seed memories, all or none.
    ///
    /// # Errors
    /// [`AppError`]: an invalid setting, settings that contradict each other, a name that is taken; the error of the
    /// first invalid seed.
    ///
    /// # Source
    /// `docs/spec/profiles.md`.
    pub async fn create_profile(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CreateProfile,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Profile, AppError> {
        let creation = self.parse_creation(auth, workspace, request).await?;
        let is_embedded = self.embedding.is_some();
        self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            call.spend_writes(Permission::ManageProfiles, creation.seed_count(), is_embedded)?;
            creation.apply(call)
        })
        .await
    }

    /// The profiles of the workspace, the default one first.
    pub async fn list_profiles(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<Vec<wire::Profile>, AppError> {
        self.read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            Ok(call.tx.profiles(&pass)?.into_iter().map(to_wire).collect())
        })
        .await
    }

    /// Reads a profile of the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an unknown profile.
    pub async fn read_profile(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::Profile, AppError> {
        self.read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            call.profile(profile).map(to_wire)
        })
        .await
    }

    /// Changes the fields of the request; other fields keep their values.
    ///
    /// # Errors
    /// As for [`App::create_profile`]; [`AppError::NotFound`] for an unknown profile.
    pub async fn change_profile(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
        request: wire::PatchProfile,
    ) -> Result<wire::Profile, AppError> {
        let change = ProfileChange { profile, request, scrubber: self.scrubber };
        self.write(auth.call(workspace), move |call| change.apply(call)).await
    }

    /// Deletes a profile. Its memories then belong to the default profile.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an unknown profile; [`AppError::Rule`] for the default profile.
    pub async fn delete_profile(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
    ) -> Result<wire::Deleted, AppError> {
        self.write(auth.call(workspace), move |call| {
            let pass = call.manages_profiles()?;
            let profile = call.profile(profile)?;
            let deletion = rules::check_profile_deletion(profile.id, profile.is_default)?;
            call.tx.delete_profile(&pass, deletion)?;
            Ok(wire::Deleted::done())
        })
        .await
    }

    /// Checks a request to create a profile.
    pub(super) async fn parse_creation(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CreateProfile,
    ) -> Result<ProfileCreation, AppError> {
        let (id, writer, now) = (self.store.new_id(), auth.writer(), self.now());
        let make = move |request, with: &Drafting| parse_creation(id, request, &writer, now, with);
        self.draft(auth, workspace, Permission::ManageProfiles, request, make).await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// A pass to read memories as this workspace, limited by the tree and by its default profile.
    pub(super) fn reads(&mut self, reader: WorkspaceId) -> Result<ReadPass, AppError> {
        let profile = self.tx.default_settings(self.org, reader)?;
        self.pass(|caller, tree| ReadPass::grant(caller, tree, reader, &profile))
    }

    /// # Errors
    /// [`AppError::NotFound`] if this workspace has no such profile.
    pub(super) fn profile(&mut self, id: Uuid) -> Result<Profile, AppError> {
        self.tx.profile(self.org, self.workspace, id)?.ok_or(AppError::PROFILE_NOT_FOUND)
    }

    /// The profile to search in, if the request names one.
    pub(super) fn in_profile(&mut self, id: Option<Uuid>) -> Result<Option<ProfileFilter>, AppError> {
        let Some(id) = id else { return Ok(None) };
        let profile = self.profile(id)?;
        Ok(Some(ProfileFilter { id, is_default: profile.is_default }))
    }
}

impl WriteCall<'_> {
    pub(super) fn manages_profiles(&mut self) -> Result<ActPass, AppError> {
        let workspace = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::ManageProfiles, tree, workspace))
    }
}
