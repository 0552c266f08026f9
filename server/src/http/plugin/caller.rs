//! The callers of the listener: platforms, with the token of the settings if there is one.

use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, ORIGIN};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// Set by browsers on every request of a page.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Why a request is refused before anything else of it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::http) enum PluginRefusal {
    #[error("a page of a browser may not call this listener; it serves platforms")]
    Browser,
    #[error("the bearer token is absent or not the one of the setting `plugin.token`")]
    Token,
}

/// Checks a request. A page cannot send one without `Origin` or `Sec-Fetch-Site`, whatever name the address has.
///
/// # Errors
/// [`PluginRefusal`].
pub(in crate::http) fn admit(headers: &HeaderMap, token: Option<&SecretString>) -> Result<(), PluginRefusal> {
    if headers.contains_key(ORIGIN) || headers.contains_key(&FETCH_SITE) {
        return Err(PluginRefusal::Browser);
    }
    let Some(token) = token else { return Ok(()) };
    let mut sent = headers.get_all(AUTHORIZATION);
    let value = match (sent.next(), sent.next()) {
        (Some(value), None) => value.as_bytes(),
        _ => return Err(PluginRefusal::Token),
    };
    let is_same = value.split_at_checked("Bearer ".len()).is_some_and(|(scheme, value)| {
        scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(value.ct_eq(token.expose_secret().as_bytes()))
    });
    if is_same { Ok(()) } else { Err(PluginRefusal::Token) }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn admitted(headers: &[(&str, &str)], token: Option<&str>) -> Result<(), PluginRefusal> {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
        admit(request.to_http_request().headers(), token.map(SecretString::from).as_ref())
    }

    #[test]
    fn request_of_a_browser_is_refused() {
        assert_eq!(admitted(&[], None), Ok(()));
        for header in [("origin", "http://127.0.0.1:9100"), ("origin", "null"), ("sec-fetch-site", "same-origin")] {
            assert_eq!(admitted(&[header], None), Err(PluginRefusal::Browser));
        }
    }

    #[test]
    fn token_of_the_settings_is_required() {
        let bearer = |value: &str| admitted(&[("authorization", value)], Some("s3cret"));
        assert_eq!(bearer("Bearer s3cret"), Ok(()));
        assert_eq!(bearer("bearer s3cret"), Ok(()));
        for value in ["Bearer s3cre", "Bearer s3cret2", "Basic s3cret", "s3cret", "Bearer ", ""] {
            assert_eq!(bearer(value), Err(PluginRefusal::Token), "{value:?}");
        }
        assert_eq!(admitted(&[], Some("s3cret")), Err(PluginRefusal::Token));
        let twice = [("authorization", "Bearer s3cret"), ("authorization", "Bearer s3cret")];
        assert_eq!(admitted(&twice, Some("s3cret")), Err(PluginRefusal::Token));
    }
}
