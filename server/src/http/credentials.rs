//! The credentials of a request: a bearer token, or the cookie of a console session.

use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};

use super::error::HttpError;
use crate::auth::bearer;

/// The cookie that contains the token of a session.
pub(super) const SESSION: &str = "orgmem_session";

/// The console sends this header with every write. A page of another origin would need a CORS preflight to send it,
/// and no response to a preflight allows it.
pub(super) const FROM_CONSOLE: HeaderName = HeaderName::from_static("x-orgmem-console");

/// The relation of the requesting page to this server, set by browsers.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The token of a request. A bearer token takes precedence over a cookie.
///
/// # Errors
/// [`HttpError::Token`] when there is none; [`HttpError::NotFromConsole`] when a write has a cookie but does not come
/// from the console's own page.
///
/// # Source
/// `docs/spec/console.md`.
pub(super) fn token<'a>(method: &Method, headers: &'a HeaderMap) -> Result<&'a str, HttpError> {
    match session(headers) {
        Some(token) if !headers.contains_key(AUTHORIZATION) => {
            if !method.is_safe() {
                from_console(headers)?;
            }
            Ok(token)
        }
        _ => Ok(bearer(headers.get_all(AUTHORIZATION).map(HeaderValue::as_bytes))?),
    }
}

/// Checks that the request comes from the console's own page.
///
/// # Errors
/// [`HttpError::NotFromConsole`].
pub(super) fn from_console(headers: &HeaderMap) -> Result<(), HttpError> {
    let is_own_page = headers.get(FETCH_SITE).is_none_or(|site| site == "same-origin");
    if headers.contains_key(FROM_CONSOLE) && is_own_page { Ok(()) } else { Err(HttpError::NotFromConsole) }
}

fn session(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(COOKIE).filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == SESSION).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn token_in(method: Method, headers: &[(&str, &str)]) -> Result<String, String> {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
        let request = request.to_http_request();
        token(&method, request.headers()).map(ToOwned::to_owned).map_err(|error| error.to_string())
    }

    #[test]
    fn session_cookie_writes_only_from_the_console() {
        let cookie = ("cookie", "theme=dark; orgmem_session=a.b.c");
        assert_eq!(token_in(Method::GET, &[cookie]), Ok("a.b.c".into()));
        assert!(token_in(Method::POST, &[cookie]).is_err());
        assert_eq!(token_in(Method::POST, &[cookie, ("x-orgmem-console", "1")]), Ok("a.b.c".into()));
        for site in ["cross-site", "same-site", "none"] {
            assert!(token_in(Method::DELETE, &[cookie, ("x-orgmem-console", "1"), ("sec-fetch-site", site)]).is_err());
        }
    }

    #[test]
    fn bearer_token_takes_precedence_over_cookie() {
        let cookie = ("cookie", "orgmem_session=a.b.c");
        assert_eq!(token_in(Method::POST, &[cookie, ("authorization", "Bearer d.e.f")]), Ok("d.e.f".into()));
        assert!(token_in(Method::GET, &[cookie, ("authorization", "Basic x")]).is_err());
        assert!(token_in(Method::GET, &[("cookie", "other=1")]).is_err());
    }
}
