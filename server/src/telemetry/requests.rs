//! Log lines and spans of requests.

use std::error::Error;
use std::time::Duration;

use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use tracing::{Span, debug, debug_span, error, field, info, warn};

use super::traces;

/// The span of a request, which is disabled unless it is traced, or logged at `debug`.
pub(crate) fn request_span(method: &Method, route: &str, request_id: &str, headers: &HeaderMap) -> Span {
    let span = debug_span!(
        "request",
        otel.name = field::Empty,
        otel.kind = "server",
        otel.status_code = field::Empty,
        http.request.method = %method,
        http.route = route,
        http.response.status_code = field::Empty,
        request_id,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("{method} {route}"));
        traces::continue_from(&span, headers);
    }
    span
}

pub(crate) fn request_done(method: &Method, route: &str, request_id: &str, status: StatusCode, took: Duration) {
    let span = Span::current();
    if !span.is_disabled() {
        span.record("http.response.status_code", status.as_u16());
        if status.is_server_error() {
            span.record("otel.status_code", "ERROR");
        }
    }
    debug!(%method, route, request_id, status = status.as_u16(), took_us = took.as_micros(), "answered");
}

/// Logs a mistake of a caller: its kind, without the values that the caller sent.
pub(crate) fn request_refused(code: &str, method: &Method, route: &str, request_id: &str, status: StatusCode) {
    info!(%method, route, request_id, status = status.as_u16(), code, "a request was refused");
}

/// Logs a failure of the server or a refusal for load with all causes.
pub(crate) fn request_failed(error: &dyn Error, method: &Method, route: &str, request_id: &str, status: StatusCode) {
    let causes = causes(error);
    let status = status.as_u16();
    match status {
        500 => error!(%method, route, request_id, status, error = causes, "a request failed"),
        400..=499 => info!(%method, route, request_id, status, error = causes, "a request was refused"),
        _ => warn!(%method, route, request_id, status, error = causes, "a request was put off"),
    }
}

/// The error and its causes, outermost first, without repetitions.
fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text
}
