//! How each error is told: one match, without a wildcard, so that a new variant asks to be answered.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use orgmem_types::{Problem, ProblemCode as Code};
use serde_json::json;

use super::error::{BodyFault, HttpError};
use crate::auth::{StartCodeRefusal, TokenRefusal};
use crate::decode::ReadFault;
use crate::mcp::Refused;

const INTERNAL: &str = "something went wrong inside the server; its log tells more under the request id";

impl HttpError {
    /// The problem as the caller is told it. What only the log may know is not in it.
    pub(crate) fn problem(&self) -> Problem {
        let detail = self.to_string();
        match self {
            Self::App(error) => error.problem(),
            Self::Token(TokenRefusal::Missing) => Problem::new(401, Code::TokenMissing, "A token is required", detail),
            Self::Token(TokenRefusal::KeysUnavailable) => {
                Problem::new(503, Code::Unavailable, "The keys are not available", detail)
            }
            Self::Token(_) => Problem::new(401, Code::TokenInvalid, "The token is not accepted", detail),
            Self::StartCode(StartCodeRefusal::Spent) => {
                Problem::new(403, Code::Forbidden, "The link is not accepted", detail)
            }
            Self::StartCode(StartCodeRefusal::Token(_)) => {
                Problem::new(500, Code::Internal, "A fault of the server", INTERNAL.to_owned())
            }
            Self::NotFromConsole => Problem::new(403, Code::Forbidden, "Not allowed", detail),
            Self::TokenNotKept { .. } | Self::SessionProof => {
                Problem::new(400, Code::InvalidField, "A field cannot be accepted", detail)
                    .with("field", json!("token"))
            }
            Self::Read(fault) => of_read(fault, detail),
            Self::Body(fault) => of_body(fault, detail),
            Self::Header { name, .. } => {
                Problem::new(400, Code::InvalidField, "A header cannot be accepted", detail).with("field", json!(name))
            }
            Self::NoSuchAddress | Self::NoSuchId(_) => Problem::new(404, Code::NotFound, "Not found", detail),
            Self::NoWorkspace => Problem::new(403, Code::Forbidden, "Not allowed", detail),
            Self::Mcp(refused) => of_mcp(refused, detail),
            Self::MethodNotAllowed { .. } => {
                Problem::new(405, Code::MethodNotAllowed, "The address has other methods", detail)
            }
            Self::TimedOut { .. } => Problem::new(503, Code::Unavailable, "The answer took too long", detail),
            Self::Framework { status, .. } => of_framework(*status, detail),
            Self::Panicked(_) | Self::Unwritable(_) => {
                Problem::new(500, Code::Internal, "A fault of the server", INTERNAL.to_owned())
            }
        }
    }

    /// The headers that go with the problem.
    pub(super) fn headers(&self, status: StatusCode) -> Vec<(HeaderName, HeaderValue)> {
        let mut headers = Vec::new();
        let mut say = |name: HeaderName, value: &str| {
            headers.extend(HeaderValue::from_str(value).map(|value| (name, value)));
        };
        match self {
            Self::Token(refusal) if status == StatusCode::UNAUTHORIZED => {
                say(header::WWW_AUTHENTICATE, &refusal.challenge());
            }
            Self::App(error) if status == StatusCode::UNAUTHORIZED => {
                let why = format!("Bearer realm=\"orgmem\", error=\"invalid_token\", error_description=\"{error}\"");
                say(header::WWW_AUTHENTICATE, &why);
            }
            Self::MethodNotAllowed { allowed } => say(header::ALLOW, allowed),
            _ => {}
        }
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            say(header::RETRY_AFTER, "1");
        }
        headers
    }
}

fn of_read(fault: &ReadFault, detail: String) -> Problem {
    match fault {
        ReadFault::NotUtf8 { .. } | ReadFault::Malformed { .. } | ReadFault::TooDeep { .. } => {
            Problem::new(400, Code::BadRequest, "The body cannot be read", detail)
        }
        ReadFault::Field { path, .. } => {
            Problem::new(400, Code::InvalidField, "A field cannot be accepted", detail).with("field", json!(path))
        }
    }
}

fn of_body(fault: &BodyFault, detail: String) -> Problem {
    match fault {
        BodyFault::Missing(_) | BodyFault::Interrupted => {
            Problem::new(400, Code::BadRequest, "The body cannot be read", detail)
        }
        BodyFault::TooLarge { limit_bytes } => {
            Problem::new(413, Code::TooLarge, "The body is too large", detail).with("limit_bytes", json!(limit_bytes))
        }
        BodyFault::Slow { .. } => Problem::new(408, Code::RequestTimeout, "The body took too long", detail),
        BodyFault::ContentType(_) | BodyFault::Encoded => {
            Problem::new(415, Code::UnsupportedMediaType, "The body is of another kind", detail)
        }
    }
}

fn of_mcp(refused: &Refused, detail: String) -> Problem {
    match refused {
        Refused::Host | Refused::Origin => Problem::new(403, Code::Forbidden, "Not allowed", detail),
        Refused::Revision => Problem::new(400, Code::InvalidField, "A header cannot be accepted", detail)
            .with("field", json!("MCP-Protocol-Version")),
        Refused::Other(_) => Problem::new(400, Code::BadRequest, "The request cannot be understood", detail),
        Refused::Failed(_) => Problem::new(500, Code::Internal, "A fault of the server", INTERNAL.to_owned()),
    }
}

/// What the framework finds wrong before any of ours sees the request.
fn of_framework(status: StatusCode, detail: String) -> Problem {
    if status.is_server_error() {
        return Problem::new(500, Code::Internal, "A fault of the server", INTERNAL.to_owned());
    }
    Problem::new(400, Code::BadRequest, "The request cannot be understood", detail)
}
