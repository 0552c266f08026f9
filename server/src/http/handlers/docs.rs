//! The OpenAPI description, and a page that renders it without loading anything from other hosts.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
    REFERRER_POLICY,
};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use crate::http::answer::Answer;
use crate::http::error::HttpError;
use crate::http::state::AppState;

/// Everything loads from this server only. The page's script adds inline styles.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from("/openapi.json").validator_url("none").try_it_out_enabled(true);
    Arc::new(config.display_operation_id(true).default_models_expand_depth(0).doc_expansion("list"))
});

/// Reads the OpenAPI description of this interface.
#[utoipa::path(
    get, path = "/openapi.json", tag = "server", security(()),
    responses((status = 200, body = serde_json::Value, description = "OpenAPI 3.1")),
)]
pub(crate) async fn read_openapi(state: Data<AppState>) -> Answer {
    let document = state.description.document();
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, "application/json")).body(document))
}

/// Redirects to the page.
#[utoipa::path(
    get, path = "/docs", tag = "server", security(()),
    responses((status = 308, description = "to `/docs/`", headers(("Location")))),
)]
pub(crate) async fn find_docs() -> Answer {
    Ok(HttpResponse::PermanentRedirect().insert_header((LOCATION, "docs/")).finish())
}

/// Serves the page that renders the description.
#[utoipa::path(
    get, path = "/docs/{file}", tag = "server", security(()),
    params(("file" = String, Path, description = "a file of the page; empty for the page itself")),
    responses((status = 200, body = String, content_type = "text/html", description = "the file")),
)]
pub(crate) async fn read_docs(request: HttpRequest) -> Answer {
    let file = request.match_info().get("file").unwrap_or_default();
    let served = utoipa_swagger_ui::serve(file, Arc::clone(&CONFIG)).ok().flatten();
    let served = served.ok_or(HttpError::NoSuchAddress)?;
    let mut response = HttpResponse::Ok().insert_header((CONTENT_TYPE, served.content_type)).body(match served.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    });
    let headers = response.headers_mut();
    if served.gzpipped {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY"));
    Ok(response)
}
