//! Compression of large responses.

use std::io::Write;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, VARY};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A response within the initial congestion window (ten segments, RFC 6928) arrives no sooner when compressed.
const MIN_BYTES: u64 = 16 * 1024;

/// Compresses a large response for a client that accepts gzip.
pub(super) fn compress_large(mut response: HttpResponse, request: &HttpRequest) -> HttpResponse {
    let is_large = matches!(response.body().size(), BodySize::Sized(size) if size >= MIN_BYTES);
    if !is_large || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    if !accepts_gzip(request) {
        return response;
    }
    response.map_body(|head, body| match body.try_into_bytes() {
        Ok(bytes) => {
            head.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            BoxBody::new(gzip(&bytes, Compression::fast()))
        }
        Err(stream) => stream,
    })
}

/// The bytes compressed as small as possible, which takes some 20 ms for the script of the console.
#[cfg(feature = "console")]
pub(super) fn smallest_gzip(bytes: &[u8]) -> Bytes {
    gzip(bytes, Compression::best())
}

pub(super) fn accepts_gzip(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

fn gzip(bytes: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), level);
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    // writing into memory does not fail
    compressed.unwrap_or_default().into()
}
