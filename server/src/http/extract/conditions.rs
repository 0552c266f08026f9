//! Conditions on a version, from headers.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::{FromRequest, HttpRequest};

use crate::app::AppError;
use crate::http::error::HttpError;
use crate::http::headers;

/// The version of `If-Match`, or 0 ("must not exist") for `If-None-Match: *`.
pub(in crate::http) struct Expected(pub(in crate::http) Option<i64>);

impl FromRequest for Expected {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request).map(Self))
    }
}

fn read(request: &HttpRequest) -> Result<Option<i64>, HttpError> {
    let invalid_match = HttpError::Header { name: "If-Match", expected: "one version, as `ETag` gives it: `\"3\"`" };
    let invalid_none = HttpError::Header { name: "If-None-Match", expected: "`*`, for a key that must not exist yet" };
    match (header(request, &IF_MATCH, "If-Match")?, header(request, &IF_NONE_MATCH, "If-None-Match")?) {
        (None, None) => Ok(None),
        (Some(tag), None) => version(tag).map(Some).ok_or(invalid_match),
        (None, Some("*")) => Ok(Some(0)),
        (_, Some(_)) => Err(invalid_none),
    }
}

fn header<'r>(
    request: &'r HttpRequest,
    name: &HeaderName,
    display_name: &'static str,
) -> Result<Option<&'r str>, HttpError> {
    let value = headers::single_value(request.headers(), name, display_name)?;
    Ok(value.map(|value| value.to_str().unwrap_or_default()))
}

/// The number in a strong entity tag. Some clients omit the quotes.
fn version(tag: &str) -> Option<i64> {
    let tag = tag.trim();
    let bare = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
    bare.parse().ok().filter(|version| *version >= 0)
}

/// The expected version, from the headers or the body.
///
/// # Errors
/// [`AppError::Field`] when the two differ.
pub(in crate::http) fn expected_version(header: Option<i64>, body: Option<i64>) -> Result<Option<i64>, AppError> {
    match (header, body) {
        (Some(header), Some(body)) if header != body => Err(AppError::Field {
            field: "if_match_version",
            expected: "the same version as in the `If-Match` header; send only one of the two".into(),
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
    fn version_is_read_from_headers() {
        check(&[], Ok(None));
        check(&[("If-Match", "\"3\"")], Ok(Some(3)));
        check(&[("If-Match", "3")], Ok(Some(3)));
        check(&[("If-Match", "\"0\"")], Ok(Some(0)));
        check(&[("If-None-Match", "*")], Ok(Some(0)));
    }

    #[test]
    fn unsupported_condition_is_refused() {
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
