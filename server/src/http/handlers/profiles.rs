//! Profiles of a workspace, and the block for its prompts.

use orgmem_types::{AskContext, ContextBlock, CreateProfile, Deleted, PatchProfile, Profile};

use super::App;
use crate::http::answer::{Answer, created_at, ok};
use crate::http::extract::{Authenticated, Json, Posted, ProfilePath, WorkspacePath};
use crate::http::openapi::{DefaultProfile, Gone};

/// Creates a profile of the workspace, and commits the memories that come with it. The first is the default.
#[utoipa::path(
    post, path = "/workspaces/{id}/profiles", tag = "profiles",
    params(WorkspacePath, ("Idempotency-Key" = Option<String>, Header)),
    request_body = CreateProfile,
    responses((status = 201, body = Profile, description = "it is created", headers(("Location"))), Gone),
)]
pub(crate) async fn create_profile(
    who: Authenticated,
    at: WorkspacePath,
    app: App,
    sent: Posted<CreateProfile>,
) -> Answer {
    let profile = app.create_profile(&who, at.id, sent.body, sent.once).await?;
    created_at(&format!("/workspaces/{}/profiles/{}", at.id, profile.id), &profile)
}

/// Lists the profiles of the workspace, oldest first: at most 50.
#[utoipa::path(
    get, path = "/workspaces/{id}/profiles", tag = "profiles",
    params(WorkspacePath),
    responses((status = 200, body = Vec<Profile>, description = "all of them"), Gone),
)]
pub(crate) async fn list_profiles(who: Authenticated, at: WorkspacePath, app: App) -> Answer {
    ok(&app.list_profiles(&who, at.id).await?)
}

/// Reads one profile.
#[utoipa::path(
    get, path = "/workspaces/{id}/profiles/{pid}", tag = "profiles",
    params(ProfilePath),
    responses((status = 200, body = Profile, description = "the profile"), Gone),
)]
pub(crate) async fn read_profile(who: Authenticated, at: ProfilePath, app: App) -> Answer {
    ok(&app.read_profile(&who, at.id, at.pid).await?)
}

/// Changes a profile: what is absent stays as it is.
#[utoipa::path(
    patch, path = "/workspaces/{id}/profiles/{pid}", tag = "profiles",
    params(ProfilePath),
    request_body = PatchProfile,
    responses((status = 200, body = Profile, description = "the profile as it is now"), Gone),
)]
pub(crate) async fn patch_profile(
    who: Authenticated,
    at: ProfilePath,
    app: App,
    Json(change): Json<PatchProfile>,
) -> Answer {
    ok(&app.patch_profile(&who, at.id, at.pid, change).await?)
}

/// Deletes a profile; the default one goes last.
#[utoipa::path(
    delete, path = "/workspaces/{id}/profiles/{pid}", tag = "profiles",
    params(ProfilePath),
    responses((status = 200, body = Deleted, description = "it is gone"), Gone, DefaultProfile),
)]
pub(crate) async fn drop_profile(who: Authenticated, at: ProfilePath, app: App) -> Answer {
    ok(&app.drop_profile(&who, at.id, at.pid).await?)
}

/// Makes the block that an agent puts before its prompt, as the profile says. What goes into it is announced.
#[utoipa::path(
    post, path = "/workspaces/{id}/context", tag = "profiles",
    params(WorkspacePath),
    request_body = AskContext,
    responses((status = 200, body = ContextBlock, description = "the block and the memories in it"), Gone),
)]
pub(crate) async fn make_context(who: Authenticated, at: WorkspacePath, app: App, Json(asked): Json<AskContext>) -> Answer {
    ok(&app.make_context(&who, at.id, asked).await?)
}
