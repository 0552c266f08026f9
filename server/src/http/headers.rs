//! Request headers with a single value.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};

use super::error::HttpError;

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
