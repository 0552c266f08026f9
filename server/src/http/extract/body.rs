use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::http::error::BodyFault;

/// Reads a body and buffers at most `limit_bytes` of it.
///
/// # Errors
/// [`BodyFault::TooLarge`] as early as possible, from the declared length if there is one;
/// [`BodyFault::Slow`], [`BodyFault::Interrupted`].
pub(super) async fn read(
    request: &HttpRequest,
    payload: Payload,
    limit_bytes: usize,
    timeout: Duration,
) -> Result<Bytes, BodyFault> {
    if declared_length(request).is_some_and(|length| length > limit_bytes) {
        return Err(BodyFault::TooLarge { limit_bytes });
    }
    tokio::time::timeout(timeout, collect(payload, limit_bytes))
        .await
        .unwrap_or(Err(BodyFault::Slow { seconds: timeout.as_secs() }))
}

async fn collect(mut payload: Payload, limit_bytes: usize) -> Result<Bytes, BodyFault> {
    let Some(first) = payload.next().await else { return Ok(Bytes::new()) };
    let first = first.map_err(|_| BodyFault::Interrupted)?;
    let Some(second) = payload.next().await else { return within(first, limit_bytes) };
    // most bodies arrive in one piece, which is not copied
    let mut body = BytesMut::from(first);
    let mut next = Some(second);
    while let Some(piece) = next {
        body.extend_from_slice(&piece.map_err(|_| BodyFault::Interrupted)?);
        if body.len() > limit_bytes {
            return Err(BodyFault::TooLarge { limit_bytes });
        }
        next = payload.next().await;
    }
    within(body.freeze(), limit_bytes)
}

fn within(body: Bytes, limit_bytes: usize) -> Result<Bytes, BodyFault> {
    if body.len() > limit_bytes { Err(BodyFault::TooLarge { limit_bytes }) } else { Ok(body) }
}

fn declared_length(request: &HttpRequest) -> Option<usize> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The media type of the body, in lower case and without parameters.
///
/// # Errors
/// [`BodyFault::Encoded`], and [`BodyFault::ContentType`] for text that is not UTF-8.
pub(super) fn media_type(request: &HttpRequest, accepted: &'static str) -> Result<String, BodyFault> {
    let encoding = request.headers().get(CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(BodyFault::Encoded);
    }
    let value = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let lower = value.to_ascii_lowercase();
    let (kind, parameters) = lower.split_once(';').unwrap_or((&lower, ""));
    let charset = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("charset="));
    match charset.map(|charset| charset.trim_matches('"')) {
        None | Some("utf-8" | "utf8") => Ok(kind.trim().to_owned()),
        Some(_) => Err(BodyFault::ContentType(accepted)),
    }
}
