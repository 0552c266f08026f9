//! The problem of each error. The match has no wildcard, so a new variant does not compile without a problem.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use orgmem_types::{Problem, ProblemCode as Code};
use serde_json::json;

use super::error::{BodyFault, HttpError};
use super::plugin::PluginRefusal;
use super::rate_limit;
use crate::app::AppError;
use crate::auth::{StartCodeRefusal, TokenRefusal};
use crate::decode::ReadFault;
use crate::limits::LimitExceeded;
use crate::mcp::TransportRefusal;

const INTERNAL: &str = "internal error; the server's log has the cause under this request id";

impl HttpError {
    /// The problem for the response. Internal causes are only logged.
    pub(crate) fn problem(&self) -> Problem {
        let detail = self.to_string();
        match self {
            Self::App(error) => error.problem(),
            Self::Token(TokenRefusal::Missing) => Problem::new(401, Code::TokenMissing, "A token is required", detail),
            Self::Token(TokenRefusal::KeysUnavailable) => {
                Problem::new(503, Code::Unavailable, "The keys are not available", detail)
            }
            Self::Token(_) => Problem::new(401, Code::TokenInvalid, "The token is not accepted", detail),
            Self::Plugin(PluginRefusal::Browser) => Problem::new(403, Code::Forbidden, "Not allowed", detail),
            Self::Plugin(PluginRefusal::Token) => {
                Problem::new(401, Code::TokenInvalid, "The token is not accepted", detail)
            }
            Self::StartCode(StartCodeRefusal::Spent) => {
                Problem::new(403, Code::Forbidden, "The link is not accepted", detail)
            }
            Self::StartCode(StartCodeRefusal::Token(_)) => {
                Problem::new(500, Code::Internal, "Internal error", INTERNAL.to_owned())
            }
            Self::NotFromConsole => Problem::new(403, Code::Forbidden, "Not allowed", detail),
            Self::TokenTooLong { .. } | Self::SessionProof => {
                Problem::new(400, Code::InvalidField, "A field cannot be accepted", detail)
                    .with("field", json!("token"))
            }
            Self::Limit(exceeded) => of_limit(exceeded, detail),
            Self::Read(fault) => of_read(fault, detail),
            Self::Body(fault) => of_body(fault, detail),
            Self::Header { name, .. } => {
                Problem::new(400, Code::InvalidField, "A header cannot be accepted", detail).with("field", json!(name))
            }
            Self::NoSuchAddress | Self::NoSuchId(_) => Problem::new(404, Code::NotFound, "Not found", detail),
            Self::NoWorkspace => Problem::new(403, Code::Forbidden, "Not allowed", detail),
            Self::Mcp(refusal) => of_mcp(refusal, detail),
            Self::MethodNotAllowed { .. } => Problem::new(405, Code::MethodNotAllowed, "Method not allowed", detail),
            Self::TimedOut { .. } => Problem::new(503, Code::Unavailable, "The response took too long", detail),
            Self::Framework { status, .. } => of_framework(*status, detail),
            Self::Panicked(_) | Self::Unwritable(_) => {
                Problem::new(500, Code::Internal, "Internal error", INTERNAL.to_owned())
            }
        }
    }

    pub(super) fn headers(&self, status: StatusCode) -> Vec<(HeaderName, HeaderValue)> {
        let mut headers = Vec::new();
        let mut add = |name: HeaderName, value: &str| {
            headers.extend(HeaderValue::from_str(value).map(|value| (name, value)));
        };
        match self {
            Self::Token(refusal) if status == StatusCode::UNAUTHORIZED => {
                add(header::WWW_AUTHENTICATE, &refusal.challenge());
            }
            Self::App(error) if status == StatusCode::UNAUTHORIZED => {
                let challenge =
                    format!("Bearer realm=\"orgmem\", error=\"invalid_token\", error_description=\"{error}\"");
                add(header::WWW_AUTHENTICATE, &challenge);
            }
            Self::Plugin(PluginRefusal::Token) => add(header::WWW_AUTHENTICATE, "Bearer realm=\"orgmem-plugin\""),
            Self::App(AppError::BudgetRate(exceeded)) => return rate_limit::of_budget(exceeded),
            Self::MethodNotAllowed { allowed } => add(header::ALLOW, allowed),
            Self::Limit(exceeded) | Self::Mcp(TransportRefusal::Limit(exceeded)) => {
                return rate_limit::of_refusal(exceeded);
            }
            _ => {}
        }
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            add(header::RETRY_AFTER, "1");
        }
        headers
    }
}

/// `violated-policies` is the member that the draft of the rate-limit headers defines.
fn of_limit(exceeded: &LimitExceeded, detail: String) -> Problem {
    let (code, title) = match exceeded.kind {
        None => (Code::RateLimited, "Too many requests in a minute"),
        Some(_) => (Code::TooManyInFlight, "Too much in flight"),
    };
    Problem::new(429, code, title, detail)
        .with("limit", json!(exceeded.limit))
        .with("violated-policies", json!([exceeded.policy()]))
}

fn of_read(fault: &ReadFault, detail: String) -> Problem {
    match fault {
        ReadFault::NotUtf8 { .. } | ReadFault::Malformed { .. } | ReadFault::TooDeep { .. } => {
            Problem::new(400, Code::BadRequest, "The body cannot be read", detail)
        }
        ReadFault::TooManyValues { .. } => Problem::new(413, Code::TooLarge, "The body is too large", detail),
        ReadFault::Field { path: field, .. } | ReadFault::AddressNotUtf8 { name: field } => {
            Problem::new(400, Code::InvalidField, "A field cannot be accepted", detail).with("field", json!(field))
        }
    }
}

fn of_body(fault: &BodyFault, detail: String) -> Problem {
    match fault {
        BodyFault::Missing(_) | BodyFault::Interrupted | BodyFault::Form(_) => {
            Problem::new(400, Code::BadRequest, "The body cannot be read", detail)
        }
        BodyFault::TooLarge { limit_bytes } => {
            Problem::new(413, Code::TooLarge, "The body is too large", detail).with("limit_bytes", json!(limit_bytes))
        }
        BodyFault::Slow { .. } => Problem::new(408, Code::RequestTimeout, "The body took too long", detail),
        BodyFault::ContentType(_) | BodyFault::Encoded => {
            Problem::new(415, Code::UnsupportedMediaType, "Unsupported media type", detail)
        }
    }
}

fn of_mcp(refusal: &TransportRefusal, detail: String) -> Problem {
    match refusal {
        TransportRefusal::Host | TransportRefusal::Origin => Problem::new(403, Code::Forbidden, "Not allowed", detail),
        TransportRefusal::Revision => Problem::new(400, Code::InvalidField, "A header cannot be accepted", detail)
            .with("field", json!("MCP-Protocol-Version")),
        TransportRefusal::Other(_) => Problem::new(400, Code::BadRequest, "The request is malformed", detail),
        TransportRefusal::Limit(exceeded) => of_limit(exceeded, detail),
        TransportRefusal::Failed(_) => Problem::new(500, Code::Internal, "Internal error", INTERNAL.to_owned()),
    }
}

/// For requests that actix refuses before a handler runs.
fn of_framework(status: StatusCode, detail: String) -> Problem {
    if status.is_server_error() {
        return Problem::new(500, Code::Internal, "Internal error", INTERNAL.to_owned());
    }
    Problem::new(400, Code::BadRequest, "The request is malformed", detail)
}
