//! Conditions on a version, as headers say them.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::{FromRequest, HttpRequest};

use crate::app::AppError;
use crate::http::error::HttpError;
use crate::http::headers;

/// The version that `If-Match` names (0: there must be none), or 0 for `If-None-Match: *`.
pub(in crate::http) struct Expected(pub(in crate::http) Option<i64>);

impl FromRequest for Expected {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request).map(Self))
    }
}

fn read(request: &HttpRequest) -> Result<Option<i64>, HttpError> {
    let wrong_match = HttpError::Header { name: "If-Match", expected: "one version, as `ETag` gives it: `\"3\"`" };
    let wrong_none = HttpError::Header { name: "If-None-Match", expected: "`*`, for a key that must not exist yet" };
    match (header(request, &IF_MATCH, "If-Match")?, header(request, &IF_NONE_MATCH, "If-None-Match")?) {
        (None, None) => Ok(None),
        (Some(given), None) => version(given).map(Some).ok_or(wrong_match),
        (None, Some("*")) => Ok(Some(0)),
        (_, Some(_)) => Err(wrong_none),
    }
}

fn header<'r>(request: &'r HttpRequest, name: &HeaderName, shown: &'static str) -> Result<Option<&'r str>, HttpError> {
    let given = headers::one(request.headers(), name, shown)?;
    Ok(given.map(|value| value.to_str().unwrap_or_default()))
}

/// The number in the quotes of a strong entity tag; bare, as some clients send it, it is meant as well.
fn version(tag: &str) -> Option<i64> {
    let tag = tag.trim();
    let bare = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
    bare.parse().ok().filter(|version| *version >= 0)
}

/// The version that the headers or the body ask for.
///
/// # Errors
/// [`AppError::Field`] when both do, and differ.
pub(in crate::http) fn expected_version(header: Option<i64>, body: Option<i64>) -> Result<Option<i64>, AppError> {
    match (header, body) {
        (Some(header), Some(body)) if header != body => Err(AppError::Field {
            field: "if_match_version",
            expected: "the version of the `If-Match` header, or one of the two left out".into(),
        }),
        (header, body) => Ok(header.or(body)),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::read;

    fn check(headers: &[(&'static str, &'static str)], expected: Result<Option<i64>, &str>) {
        let request = headers.iter().fold(TestRequest::get(), |request, header| request.append_header(*header));
        let found = read(&request.to_http_request()).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{headers:?}");
    }

    #[test]
    fn a_version_is_read_from_the_headers() {
        check(&[], Ok(None));
        check(&[("If-Match", "\"3\"")], Ok(Some(3)));
        check(&[("If-Match", "3")], Ok(Some(3)));
        check(&[("If-Match", "\"0\"")], Ok(Some(0)));
        check(&[("If-None-Match", "*")], Ok(Some(0)));
    }

    #[test]
    fn a_condition_that_cannot_be_held_is_refused_rather_than_ignored() {
        let if_match = "the header `If-Match` must be one version, as `ETag` gives it: `\"3\"`";
        for value in ["*", "W/\"3\"", "\"3\", \"4\"", "\"-1\"", "", "\"three\""] {
            check(&[("If-Match", value)], Err(if_match));
        }
        let if_none = "the header `If-None-Match` must be `*`, for a key that must not exist yet";
        check(&[("If-None-Match", "\"3\"")], Err(if_none));
        check(&[("If-Match", "\"3\""), ("If-None-Match", "*")], Err(if_none));
        for (name, value) in [("If-Match", "\"3\""), ("If-None-Match", "*")] {
            let twice = format!("the header `{name}` must be given once");
            check(&[(name, value), (name, value)], Err(&twice));
        }
    }
}
