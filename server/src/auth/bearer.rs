//! The Authorization header.

use super::TokenRefusal;

/// Longer than the tokens of any provider, and short enough to hash cheaply.
const TOKEN_BYTES: usize = 8 * 1024;

/// The bearer token of a request.
///
/// # Arguments
/// `values`: the values of all its `Authorization` headers.
///
/// # Returns
/// The token, at most 8 KiB and not verified; see [`Auth::verify`](super::Auth::verify).
///
/// # Errors
/// [`TokenRefusal::Missing`], [`TokenRefusal::NotBearer`] or [`TokenRefusal::TooLong`].
///
/// # Source
/// RFC 6750, section 2.1; the scheme is case-insensitive (RFC 9110, section 11.1).
///
/// ```
/// use orgmem::auth::{TokenRefusal, bearer};
///
/// assert_eq!(bearer([&b"bearer abc"[..]]), Ok("abc"));
/// assert_eq!(bearer([]), Err(TokenRefusal::Missing));
/// assert_eq!(bearer([&b"Basic YWRh"[..]]), Err(TokenRefusal::NotBearer));
/// ```
pub fn bearer<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> Result<&'a str, TokenRefusal> {
    let mut values = values.into_iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Err(TokenRefusal::Missing),
        (Some(value), None) => value,
        (Some(_), Some(_)) => return Err(TokenRefusal::NotBearer),
    };
    let value = str::from_utf8(value).map_err(|_| TokenRefusal::NotBearer)?;
    let (scheme, token) = value.trim().split_once(' ').ok_or(TokenRefusal::NotBearer)?;
    let token = token.trim_start();
    // without early exit, so that the compiler vectorizes the loop
    let has_whitespace = token.bytes().fold(false, |found, byte| found | byte.is_ascii_whitespace());
    if !scheme.eq_ignore_ascii_case("bearer") || has_whitespace {
        return Err(TokenRefusal::NotBearer);
    }
    if token.len() > TOKEN_BYTES { Err(TokenRefusal::TooLong) } else { Ok(token) }
}
