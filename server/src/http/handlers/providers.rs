//! Providers, for admins.

use orgmem_types::{ChangeProvider, ProviderList, ProviderSurface};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, JsonBody, ProviderPath};
use crate::http::openapi::PromotionConflict;

/// Lists the providers with their figures, the built-in one first.
#[utoipa::path(
    get, path = "/admin/providers", tag = "admin",
    responses((status = 200, body = ProviderList, description = "the providers")),
)]
pub(crate) async fn list_providers(auth: Authenticated, app: App) -> Answer {
    ok(&app.list_providers(&auth).await?)
}

/// Lets a provider answer the reads of a surface, if its figures permit it.
#[utoipa::path(
    post, path = "/admin/providers/{name}/promote", tag = "admin",
    params(ProviderPath),
    request_body = ChangeProvider,
    responses((status = 200, body = ProviderSurface, description = "the surface after the change"), PromotionConflict),
)]
pub(crate) async fn promote_provider(
    auth: Authenticated,
    path: ProviderPath,
    app: App,
    JsonBody(request): JsonBody<ChangeProvider>,
) -> Answer {
    ok(&app.promote_provider(&auth, &path.name, request).await?)
}

/// Lets the built-in provider answer the reads of a surface again, at once.
#[utoipa::path(
    post, path = "/admin/providers/{name}/demote", tag = "admin",
    params(ProviderPath),
    request_body = ChangeProvider,
    responses((status = 200, body = ProviderSurface, description = "the surface after the change")),
)]
pub(crate) async fn demote_provider(
    auth: Authenticated,
    path: ProviderPath,
    app: App,
    JsonBody(request): JsonBody<ChangeProvider>,
) -> Answer {
    ok(&app.demote_provider(&auth, &path.name, request).await?)
}
