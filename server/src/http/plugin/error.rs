//! The errors of the contract: one of five codes, a sentence, and details.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use orgmem_store::StoreError;
use orgmem_types::{Object, PluginError, PluginErrorCode as Code, Problem, ProblemCode};
use serde_json::json;

use crate::app::AppError;
use crate::http::error::HttpError;
use crate::http::request_id::RequestId;

/// The response of an error.
pub(in crate::http) fn plugin_error(error: &HttpError, id: &RequestId) -> HttpResponse {
    let problem = error.problem();
    let (status, code) = status_of(error, &problem);
    let message = match error {
        HttpError::NoSuchAddress => NO_SUCH_PATH.to_owned(),
        HttpError::App(AppError::NotAdmitted(_)) => REMOVED.to_owned(),
        HttpError::App(AppError::Store(StoreError::Unavailable(_))) => NO_STORE.to_owned(),
        _ => problem.detail,
    };
    let mut details: Object = problem.more;
    details.insert("problem".to_owned(), json!(problem.code));
    details.insert("request_id".to_owned(), json!(id.as_str()));
    let body = PluginError { code, message, details: Some(details) };
    // strings, numbers and lists of them always serialize
    let body = serde_json::to_vec(&body).unwrap_or_default();
    let mut response = HttpResponse::with_body(status, body).map_into_boxed_body();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in error.headers(status) {
        response.headers_mut().insert(name, value);
    }
    response
}

const NO_SUCH_PATH: &str = "no such path; this listener serves only the memory-plugin contract, below `/v1`";

const NO_STORE: &str = "the store cannot be reached or cannot write now; try again, a memory with the same `id`";

const REMOVED: &str = "the org with all namespaces was removed; send the request again to begin with an empty one";

/// A conflict is an error of permission here: the contract has no other code for what may not be done.
fn status_of(error: &HttpError, problem: &Problem) -> (StatusCode, Code) {
    let code = match (error, problem.status) {
        (HttpError::App(AppError::NotAdmitted(_)), _) => return (StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable),
        (_, 409) if problem.code == ProblemCode::TooManyPins => return (StatusCode::BAD_REQUEST, Code::BadRequest),
        (_, 409) => return (StatusCode::FORBIDDEN, Code::Forbidden),
        (_, 404 | 410) => return (StatusCode::NOT_FOUND, Code::NotFound),
        (_, 401 | 403) => Code::Forbidden,
        (_, 429 | 503) => Code::Unavailable,
        (_, 400..=499) => Code::BadRequest,
        (_, _) => Code::Internal,
    };
    (StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), code)
}
