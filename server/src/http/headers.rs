//! Headers of requests that mean one thing.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};

use super::error::HttpError;

/// The value of a header that is given once or not at all. Of two, whichever were taken, the other would be ignored.
///
/// # Errors
/// [`HttpError::Header`], which calls it `shown`.
pub(super) fn one<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
    shown: &'static str,
) -> Result<Option<&'h HeaderValue>, HttpError> {
    let mut given = headers.get_all(name);
    match (given.next(), given.next()) {
        (_, Some(_)) => Err(HttpError::Header { name: shown, expected: "given once" }),
        (one, None) => Ok(one),
    }
}

/// Refuses conditions where nothing is held to a version: who sets one relies on it.
///
/// # Errors
/// [`HttpError::Header`], which names the condition.
pub(super) fn refuse_conditions(headers: &HeaderMap) -> Result<(), HttpError> {
    let expected = "left out: what is asked for here is not held to a version";
    for (name, shown) in [(&IF_MATCH, "If-Match"), (&IF_NONE_MATCH, "If-None-Match")] {
        if headers.contains_key(name) {
            return Err(HttpError::Header { name: shown, expected });
        }
    }
    Ok(())
}
