//! Responses: JSON, problems and pages of lists.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, LINK, LOCATION, X_CONTENT_TYPE_OPTIONS};
use actix_web::{HttpRequest, HttpResponse};
use orgmem_types::{Problem, ProblemCode};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::compress;
use super::error::HttpError;
use super::request_id::{REQUEST_ID, RequestId};
use crate::app::Listing;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const PROBLEM: HeaderValue = HeaderValue::from_static("application/problem+json");

/// The result of a handler.
pub(super) type Answer = Result<HttpResponse, HttpError>;

/// 200 with `body` as JSON.
pub(super) fn ok<T: Serialize>(body: &T) -> Answer {
    json_answer(StatusCode::OK, body)
}

/// 201 with `body` as JSON.
pub(super) fn created<T: Serialize>(body: &T) -> Answer {
    json_answer(StatusCode::CREATED, body)
}

/// 201 with `body` as JSON, and `Location`.
pub(super) fn created_at<T: Serialize>(location: &str, body: &T) -> Answer {
    let mut response = created(body)?;
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// 200 with `body` as JSON, and its version as `ETag`.
pub(super) fn versioned<T: Serialize>(version: i64, body: &T) -> Answer {
    let mut response = ok(body)?;
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{version}\"")) {
        response.headers_mut().insert(ETAG, tag);
    }
    Ok(response)
}

/// 200 with a page of a list as an array, and a `Link` to the next page.
pub(super) fn page<T: Serialize>(request: &HttpRequest, listing: &Listing<T>) -> Answer {
    let mut response = ok(&listing.items)?;
    if let Some(Ok(link)) = listing.next.as_deref().map(|cursor| HeaderValue::from_str(&next_link(request, cursor))) {
        response.headers_mut().insert(LINK, link);
    }
    Ok(response)
}

/// 200 with an object that contains a page of a list, and a `Link` to the next page.
pub(super) fn linked<T: Serialize>(request: &HttpRequest, body: &T, next: Option<&str>) -> Answer {
    let mut response = ok(body)?;
    if let Some(Ok(link)) = next.map(|cursor| HeaderValue::from_str(&next_link(request, cursor))) {
        response.headers_mut().insert(LINK, link);
    }
    Ok(response)
}

fn json_answer<T: Serialize>(status: StatusCode, body: &T) -> Answer {
    let mut response = HttpResponse::with_body(status, serde_json::to_vec(body)?).map_into_boxed_body();
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    Ok(response)
}

/// The `Link` (RFC 8288) to the same address with another `cursor`.
fn next_link(request: &HttpRequest, cursor: &str) -> String {
    let pairs = form_urlencoded::parse(request.query_string().as_bytes()).filter(|(name, _)| name != "cursor");
    let mut query = form_urlencoded::Serializer::new(String::new());
    let query = query.extend_pairs(pairs).append_pair("cursor", cursor).finish();
    format!("<{}?{query}>; rel=\"next\"", request.uri().path())
}

pub(super) fn problem(error: &HttpError, id: &RequestId) -> HttpResponse {
    let mut problem = error.problem();
    problem.request_id = Some(id.as_str().to_owned());
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::with_body(status, problem_body(&problem)).map_into_boxed_body();
    response.headers_mut().insert(CONTENT_TYPE, PROBLEM);
    for (name, value) in error.headers(status) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// `status` is the HTTP status (RFC 9457), except in `confirmation_required`: the clients that send confirmations expect
/// the code there (`docs/spec/clients.md`, "Confirmation of a removal").
fn problem_body(problem: &Problem) -> Vec<u8> {
    if problem.code != ProblemCode::ConfirmationRequired {
        // strings, numbers and lists of them always serialize
        return serde_json::to_vec(problem).unwrap_or_default();
    }
    let mut body = json!(problem);
    body["status"] = json!(problem.code);
    body.to_string().into_bytes()
}

/// Adds the headers that every response has, and compresses it.
pub(super) fn finish(mut response: HttpResponse, request: &HttpRequest, id: &RequestId) -> HttpResponse {
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id.header());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    compress::compress_large(response, request)
}

pub(super) fn workspace_location(id: Uuid) -> String {
    format!("/workspaces/{id}")
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::next_link;

    #[test]
    fn next_link_preserves_query_and_replaces_cursor() {
        let request = TestRequest::with_uri("/workspaces?q=a%20b&cursor=old&limit=2").to_http_request();
        assert_eq!(next_link(&request, "ne+w"), "</workspaces?q=a+b&limit=2&cursor=ne%2Bw>; rel=\"next\"");
    }
}
