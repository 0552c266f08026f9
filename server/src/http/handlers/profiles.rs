//! Profiles: create, list, read, change, delete.

use orgmem_types::{ChangedProfile, CreateProfile, Deleted, DryRun, PatchProfile, Profile, ProfilePreview};

use super::App;
use crate::http::answer::{Answer, created_at, ok};
use crate::http::extract::{Authenticated, JsonBody, Posted, ProfilePath, Query, WorkspacePath};
use crate::http::openapi::{Gone, ProfileConflict};

/// Creates a profile of the workspace together with its seed memories, atomically.
///
/// With `dry_run=true` nothing is created. The response lists the memories that would expire, and those that the
/// workspace could read additionally or no longer.
#[utoipa::path(
    post, path = "/workspaces/{id}/profiles", tag = "profiles",
    params(WorkspacePath, DryRun, ("Idempotency-Key" = Option<String>, Header)),
    request_body = CreateProfile,
    responses(
        (status = 200, body = ProfilePreview, description = "the outcome of a `dry_run`"),
        (status = 201, body = Profile, description = "the profile", headers(("Location"))),
        Gone, ProfileConflict,
    ),
)]
pub(crate) async fn create_profile(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<DryRun>,
    body: Posted<CreateProfile>,
) -> Answer {
    if query.dry_run.unwrap_or_default() {
        return ok(&app.preview_profile(&auth, path.id, body.body).await?);
    }
    let profile = app.create_profile(&auth, path.id, body.body, body.idempotency).await?;
    created_at(&format!("/workspaces/{}/profiles/{}", path.id, profile.id), &profile)
}

/// Lists the profiles of the workspace, the default profile first. There is always a default profile.
#[utoipa::path(
    get, path = "/workspaces/{id}/profiles", tag = "profiles",
    params(WorkspacePath),
    responses((status = 200, body = Vec<Profile>, description = "all of them, at most 50"), Gone),
)]
pub(crate) async fn list_profiles(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.list_profiles(&auth, path.id).await?)
}

/// Reads one profile of the workspace.
#[utoipa::path(
    get, path = "/workspaces/{id}/profiles/{pid}", tag = "profiles",
    params(ProfilePath),
    responses((status = 200, body = Profile, description = "the profile"), Gone),
)]
pub(crate) async fn read_profile(auth: Authenticated, path: ProfilePath, app: App) -> Answer {
    ok(&app.read_profile(&auth, path.id, path.pid).await?)
}

/// Changes a profile. Absent fields keep their values.
///
/// With `dry_run=true` nothing is changed. The response lists the memories that would expire, and those that the
/// workspace could read additionally or no longer.
#[utoipa::path(
    patch, path = "/workspaces/{id}/profiles/{pid}", tag = "profiles",
    params(ProfilePath, DryRun),
    request_body = PatchProfile,
    responses((status = 200, body = ChangedProfile, description = "the changed profile, or the outcome of a `dry_run`"), Gone, ProfileConflict),
)]
pub(crate) async fn change_profile(
    auth: Authenticated,
    path: ProfilePath,
    app: App,
    Query(query): Query<DryRun>,
    JsonBody(change): JsonBody<PatchProfile>,
) -> Answer {
    ok(&match query.dry_run.unwrap_or_default() {
        true => ChangedProfile::Planned(Box::new(app.preview_profile_change(&auth, path.id, path.pid, change).await?)),
        false => ChangedProfile::Done(Box::new(app.change_profile(&auth, path.id, path.pid, change).await?)),
    })
}

/// Deletes a profile other than the default profile. Its memories move to the default profile.
#[utoipa::path(
    delete, path = "/workspaces/{id}/profiles/{pid}", tag = "profiles",
    params(ProfilePath),
    responses((status = 200, body = Deleted, description = "the profile was deleted"), Gone, ProfileConflict),
)]
pub(crate) async fn delete_profile(auth: Authenticated, path: ProfilePath, app: App) -> Answer {
    ok(&app.delete_profile(&auth, path.id, path.pid).await?)
}
