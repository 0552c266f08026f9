//! The files and the sessions of the console.

use std::sync::LazyLock;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
    IF_NONE_MATCH, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE, VARY,
};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use chrono::TimeDelta;
use orgmem_types::{Deleted, Me, OpenSession};
use secrecy::{ExposeSecret, SecretString};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::compress::{accepts_gzip, smallest_gzip};
use crate::http::credentials::SESSION;
use crate::http::error::HttpError;
use crate::http::extract::{FromConsole, JsonBody};
use crate::http::state::AppState;
use crate::limits::LimitKeys;

/// Everything loads from this server only. The allowed frame ancestors are appended.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'self'; form-action 'none'; frame-ancestors ";

/// The script and the style, compressed once: they are most of what a first view receives.
static SMALLEST: LazyLock<[(&str, Bytes); 2]> = LazyLock::new(|| {
    ["console.js", "console.css"]
        .map(|path| (path, orgmem_console::file(path).map(|file| smallest_gzip(&file.bytes)).unwrap_or_default()))
});

/// Browsers store cookies of up to 4,096 bytes, including name and attributes.
const MAX_TOKEN_BYTES: usize = 3_900;

/// Redirects browsers to the console.
#[utoipa::path(
    get, path = "/", tag = "console", security(()),
    responses((status = 307, description = "to `/console/`", headers(("Location")))),
)]
pub(crate) async fn find_console() -> Answer {
    Ok(HttpResponse::TemporaryRedirect().insert_header((LOCATION, "console/")).finish())
}

/// Redirects to the address with the trailing slash.
#[utoipa::path(
    get, path = "/console", tag = "console", security(()),
    responses((status = 308, description = "to `/console/`", headers(("Location")))),
)]
pub(crate) async fn find_console_folder() -> Answer {
    Ok(HttpResponse::PermanentRedirect().insert_header((LOCATION, "console/")).finish())
}

/// Serves the files of the console, and its page at every other path.
#[utoipa::path(
    get, path = "/console/{file}", tag = "console", security(()),
    params(("file" = String, Path, description = "a file or a view of the console; empty for its start page")),
    responses(
        (status = 200, body = String, content_type = "text/html", description = "the file", headers(("ETag"))),
        (status = 304, description = "the file has the tag of `If-None-Match`"),
    ),
)]
pub(crate) async fn read_console(state: Data<AppState>, request: HttpRequest) -> Answer {
    let path = request.match_info().get("file").unwrap_or_default();
    let (file, framers) = match orgmem_console::page_to_embed(path, &state.framers) {
        Some(page) => (page, state.framers.as_slice()),
        None => (orgmem_console::file(path).ok_or(HttpError::NoSuchAddress)?, [].as_slice()),
    };
    let tags = request.headers().get_all(IF_NONE_MATCH).filter_map(|tags| tags.to_str().ok());
    let is_current = tags.into_iter().any(|tags| tags.split(',').any(|tag| tag.trim() == file.etag));
    let mut response = match is_current {
        true => HttpResponse::NotModified().finish(),
        false => {
            let mut response = HttpResponse::Ok();
            response.insert_header((CONTENT_TYPE, file.media_type));
            match SMALLEST.iter().find(|(name, _)| *name == path).filter(|_| accepts_gzip(&request)) {
                Some((_, small)) => response
                    .insert_header((CONTENT_ENCODING, "gzip"))
                    .insert_header((VARY, "accept-encoding"))
                    .body(small.clone()),
                None => response.body(file.bytes.into_owned()),
            }
        }
    };
    let headers = response.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&file.etag) {
        headers.insert(ETAG, etag);
    }
    let ancestors = if framers.is_empty() { "'none'".to_owned() } else { framers.join(" ") };
    // the settings allow only letters, digits and `:/.-_` in origins
    if let Ok(policy) = HeaderValue::try_from(format!("{POLICY}{ancestors}")) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if framers.is_empty() {
        headers.insert(HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY"));
    }
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    Ok(response)
}

/// Opens a session: exchanges a token, or the one-time code of the link printed at the start, for an `HttpOnly` cookie.
#[utoipa::path(
    post, path = "/console/session", tag = "console", security(()),
    params(("X-Orgmem-Console" = String, Header)),
    request_body = OpenSession,
    responses((status = 200, body = Me, description = "the caller", headers(("Set-Cookie")))),
)]
pub(crate) async fn open_session(
    _from: FromConsole,
    app: App,
    state: Data<AppState>,
    JsonBody(proof): JsonBody<OpenSession>,
    request: HttpRequest,
) -> Answer {
    let now = app.now();
    let token: SecretString = match (proof.token, proof.code) {
        (Some(token), None) => token.trim().into(),
        (None, Some(code)) => state.start_code.exchange(&code, now)?,
        _ => return Err(HttpError::SessionProof),
    };
    let token = token.expose_secret();
    if token.len() > MAX_TOKEN_BYTES {
        return Err(HttpError::TokenTooLong { limit_bytes: MAX_TOKEN_BYTES });
    }
    let claims = state.auth.authenticate(token, now).await?;
    state.load.count(LimitKeys::of_token(&claims), 1)?;
    let mut response = ok(&app.me(&claims).await?)?;
    set_session_cookie(&mut response, &request, token, state.auth.session_lifetime(&claims, now));
    Ok(response)
}

/// Closes a session: the browser deletes the cookie. The token itself remains valid.
#[utoipa::path(
    delete, path = "/console/session", tag = "console", security(()),
    params(("X-Orgmem-Console" = String, Header)),
    responses((status = 200, body = Deleted, description = "the session is closed", headers(("Set-Cookie")))),
)]
pub(crate) async fn close_session(_from: FromConsole, request: HttpRequest) -> Answer {
    let mut response = ok(&Deleted::done())?;
    set_session_cookie(&mut response, &request, "", TimeDelta::zero());
    Ok(response)
}

/// Sets the session cookie, hidden from scripts and other sites, and `Secure` when the page came over TLS. A verified
/// token consists of letters, digits, `-`, `_` and dots, which are valid in a cookie.
fn set_session_cookie(response: &mut HttpResponse, request: &HttpRequest, token: &str, lifetime: TimeDelta) {
    let is_tls = request.headers().get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let secure = if is_tls { "; Secure" } else { "" };
    let seconds = lifetime.num_seconds().max(0);
    let cookie = format!("{SESSION}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
}
