//! The handlers of the contract.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use orgmem_types as wire;

use crate::app::App;
use crate::http::answer::{Answer, created, ok};
use crate::http::error::HttpError;
use crate::http::extract::{Authenticated, JsonBody, text_in};

/// The name or id in the address, decoded. Its form is checked later, so that the error has the value.
pub(super) struct Named(String);

impl FromRequest for Named {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let name = if request.match_info().get("name").is_some() { "name" } else { "id" };
        ready(text_in(request, name).map(Self))
    }
}

pub(super) async fn check_health(app: Data<App>) -> Answer {
    ok(&app.plugin_health().await?)
}

pub(super) async fn put_namespace(
    auth: Authenticated,
    Named(name): Named,
    app: Data<App>,
    JsonBody(request): JsonBody<wire::PutPluginNamespace>,
) -> Answer {
    ok(&app.put_plugin_namespace(&auth, name, request).await?)
}

pub(super) async fn patch_namespace(
    auth: Authenticated,
    Named(name): Named,
    app: Data<App>,
    JsonBody(request): JsonBody<wire::PatchPluginNamespace>,
) -> Answer {
    ok(&app.patch_plugin_namespace(&auth, name, request).await?)
}

pub(super) async fn delete_namespace(auth: Authenticated, Named(name): Named, app: Data<App>) -> Answer {
    app.delete_plugin_namespace(&auth, name).await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(super) async fn write_memory(
    auth: Authenticated,
    Named(name): Named,
    app: Data<App>,
    JsonBody(request): JsonBody<wire::WritePluginMemory>,
) -> Answer {
    created(&app.write_plugin_memory(&auth, name, request).await?)
}

pub(super) async fn search(
    auth: Authenticated,
    app: Data<App>,
    JsonBody(request): JsonBody<wire::SearchPlugin>,
) -> Answer {
    ok(&app.search_plugin(&auth, request).await?)
}

pub(super) async fn forget_memory(
    auth: Authenticated,
    Named(id): Named,
    app: Data<App>,
    JsonBody(request): JsonBody<wire::ForgetPluginMemory>,
) -> Answer {
    app.forget_plugin_memory(&auth, &id, request).await?;
    Ok(HttpResponse::NoContent().finish())
}
