//! Request headers with a single value.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use orgmem_policies::EndUser;
use orgmem_policies::drafts::{DraftFault, check_session, check_subject};
use orgmem_policies::scrub::{Scrubbed, Scrubber};

use super::error::HttpError;

/// The end user and the session that a request is for.
const END_USER: HeaderName = HeaderName::from_static("x-end-user");
const SESSION_ID: HeaderName = HeaderName::from_static("x-session-id");

/// Marks a `HEAD` request, which handlers see as `GET`.
pub(super) struct HeadOnly;

/// The value of a header that must not be repeated: with two values one of them would be ignored.
///
/// # Errors
/// [`HttpError::Header`] with `display_name`.
pub(super) fn single_value<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
    display_name: &'static str,
) -> Result<Option<&'h HeaderValue>, HttpError> {
    let mut values = headers.get_all(name);
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(HttpError::Header { name: display_name, expected: "given once" }),
        (value, None) => Ok(value),
    }
}

/// Refuses `If-Match` and `If-None-Match` on operations without conditions: a client that sends one relies on it.
///
/// # Errors
/// [`HttpError::Header`] with the name of the header.
pub(super) fn refuse_conditions(headers: &HeaderMap) -> Result<(), HttpError> {
    let expected = "absent: this call does not support conditions on a version";
    for (header, name) in [(&IF_MATCH, "If-Match"), (&IF_NONE_MATCH, "If-None-Match")] {
        if headers.contains_key(header) {
            return Err(HttpError::Header { name, expected });
        }
    }
    Ok(())
}

/// The end user and the session that the request is for, in the form in which memories have them.
pub(super) fn end_user(headers: &HeaderMap, scrubber: &Scrubber) -> Result<EndUser, HttpError> {
    let subject = named(headers, &END_USER, "X-End-User", |text| check_subject(text, scrubber))?;
    let session = named(headers, &SESSION_ID, "X-Session-Id", |text| check_session(text, scrubber))?;
    Ok(EndUser::named(subject.as_ref().map(Scrubbed::as_str), session.as_ref().map(Scrubbed::as_str)))
}

fn named(
    headers: &HeaderMap,
    header: &HeaderName,
    name: &'static str,
    check: impl Fn(&str) -> Result<Scrubbed, DraftFault>,
) -> Result<Option<Scrubbed>, HttpError> {
    let Some(value) = single_value(headers, header, name)? else { return Ok(None) };
    let checked = std::str::from_utf8(value.as_bytes()).ok().and_then(|text| check(text).ok());
    checked.map(Some).ok_or(HttpError::Header { name, expected: "one line of 1 to 200 characters" })
}
