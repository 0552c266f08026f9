use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::http::error::{BodyFault, HttpError};
use crate::http::state::AppState;
use crate::limits::{InFlightPermit, LimitKeys, LimitKind};

/// Limit of a body without a token, such as the proof that opens a session.
const MAX_OPEN_BYTES: usize = 16 * 1024;

/// Reads a body and buffers at most `limit_bytes` of it. Its bytes are in flight until the response.
///
/// # Errors
/// [`BodyFault::TooLarge`] as early as possible, from the declared length if there is one;
/// [`BodyFault::Slow`], [`BodyFault::Interrupted`]; [`HttpError::Limit`].
pub(super) async fn read(
    request: &HttpRequest,
    payload: Payload,
    limit_bytes: usize,
    timeout: Duration,
) -> Result<Bytes, HttpError> {
    let keys = request.extensions().get::<LimitKeys>().copied();
    let limit_bytes = if keys.is_some() { limit_bytes } else { limit_bytes.min(MAX_OPEN_BYTES) };
    let declared = declared_length(request);
    if declared.is_some_and(|length| length > limit_bytes) {
        return Err(BodyFault::TooLarge { limit_bytes }.into());
    }
    let load = request.app_data::<Data<AppState>>().map(|state| &state.load);
    let mut in_flight = match (load, keys) {
        (Some(load), Some(keys)) => Some(load.begin(keys, LimitKind::Bytes, declared.unwrap_or(0))?),
        _ => None,
    };
    // a body of unknown length is counted as it arrives
    let growing = in_flight.as_mut().filter(|_| declared.is_none());
    let body = tokio::time::timeout(timeout, collect(payload, limit_bytes, growing))
        .await
        .unwrap_or_else(|_| Err(BodyFault::Slow { seconds: timeout.as_secs() }.into()))?;
    if let Some(in_flight) = in_flight {
        request.extensions_mut().insert(BodyInFlight(in_flight));
    }
    Ok(body)
}

/// The bytes of the body of a request, in its extensions until the response.
struct BodyInFlight(#[expect(dead_code, reason = "counts until it is dropped")] InFlightPermit);

async fn collect(
    mut payload: Payload,
    limit_bytes: usize,
    mut growing: Option<&mut InFlightPermit>,
) -> Result<Bytes, HttpError> {
    let mut count = |piece: &Bytes| growing.as_mut().map_or(Ok(()), |permit| permit.grow(piece.len()));
    let Some(first) = payload.next().await else { return Ok(Bytes::new()) };
    let first = first.map_err(|_| BodyFault::Interrupted)?;
    count(&first)?;
    let Some(second) = payload.next().await else { return within(first, limit_bytes) };
    // most bodies arrive in one piece, which is not copied
    let mut body = BytesMut::from(first);
    let mut next = Some(second);
    while let Some(piece) = next {
        let piece = piece.map_err(|_| BodyFault::Interrupted)?;
        count(&piece)?;
        body.extend_from_slice(&piece);
        if body.len() > limit_bytes {
            return Err(BodyFault::TooLarge { limit_bytes }.into());
        }
        next = payload.next().await;
    }
    within(body.freeze(), limit_bytes)
}

fn within(body: Bytes, limit_bytes: usize) -> Result<Bytes, HttpError> {
    if body.len() > limit_bytes { Err(BodyFault::TooLarge { limit_bytes }.into()) } else { Ok(body) }
}

pub(super) fn declared_length(request: &HttpRequest) -> Option<usize> {
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
