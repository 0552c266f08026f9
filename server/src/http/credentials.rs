//! What a request brings to show who sends it: a bearer token, or the cookie of a session of the console.

use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};

use super::error::HttpError;
use crate::auth::bearer;

/// The cookie that holds the token of a session.
pub(super) const SESSION: &str = "orgmem_session";

/// What the console adds to a request that changes something. A page of another origin cannot add a header without
/// asking first, and is not answered when it asks.
pub(super) const FROM_CONSOLE: HeaderName = HeaderName::from_static("x-orgmem-console");

/// Where browsers say whose page sends the request.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The token of a request; a bearer token goes before a cookie.
///
/// # Errors
/// [`HttpError::Token`] when there is none; [`HttpError::NotFromConsole`] when a cookie is to change something, and
/// nothing shows that the console sent it.
///
/// # Source
/// product.md, section 9.
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

/// Sees to it that the console has sent this, and no other page.
///
/// # Errors
/// [`HttpError::NotFromConsole`].
pub(super) fn from_console(headers: &HeaderMap) -> Result<(), HttpError> {
    let is_own_page = headers.get(FETCH_SITE).is_none_or(|site| site == "same-origin");
    if headers.contains_key(FROM_CONSOLE) && is_own_page { Ok(()) } else { Err(HttpError::NotFromConsole) }
}

/// The value of the session's cookie.
fn session(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(COOKIE).filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == SESSION).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn given(method: Method, headers: &[(&str, &str)]) -> Result<String, String> {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
        let request = request.to_http_request();
        token(&method, request.headers()).map(ToOwned::to_owned).map_err(|error| error.to_string())
    }

    #[test]
    fn a_cookie_reads_and_the_console_alone_writes_with_it() {
        let cookie = ("cookie", "theme=dark; orgmem_session=a.b.c");
        assert_eq!(given(Method::GET, &[cookie]), Ok("a.b.c".into()));
        assert!(given(Method::POST, &[cookie]).is_err());
        assert_eq!(given(Method::POST, &[cookie, ("x-orgmem-console", "1")]), Ok("a.b.c".into()));
        for site in ["cross-site", "same-site", "none"] {
            assert!(given(Method::DELETE, &[cookie, ("x-orgmem-console", "1"), ("sec-fetch-site", site)]).is_err());
        }
    }

    #[test]
    fn a_bearer_token_goes_before_a_cookie() {
        let cookie = ("cookie", "orgmem_session=a.b.c");
        assert_eq!(given(Method::POST, &[cookie, ("authorization", "Bearer d.e.f")]), Ok("d.e.f".into()));
        assert!(given(Method::GET, &[cookie, ("authorization", "Basic x")]).is_err());
        assert!(given(Method::GET, &[("cookie", "other=1")]).is_err());
    }
}
