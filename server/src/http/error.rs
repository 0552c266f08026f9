//! Every error of a request.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};

use super::plugin::PluginRefusal;
use crate::app::AppError;
use crate::auth::{StartCodeRefusal, TokenRefusal};
use crate::decode::ReadFault;
use crate::limits::LimitExceeded;
use crate::mcp::TransportRefusal;

/// The reason why a request failed. [`problem`](Self::problem) gives its response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error(transparent)]
    App(#[from] AppError),
    #[error(transparent)]
    Token(#[from] TokenRefusal),
    #[error(transparent)]
    Plugin(#[from] PluginRefusal),
    #[error(transparent)]
    StartCode(#[from] StartCodeRefusal),
    /// A write with a session cookie that does not come from the console's own page.
    #[error("a session cookie may change data only from the console's own page; other clients send a bearer token")]
    NotFromConsole,
    /// Browsers do not store a cookie of this size.
    #[error("the token has more than {limit_bytes} bytes, too many for a browser cookie; sign in with a shorter token")]
    TokenTooLong { limit_bytes: usize },
    #[error("send exactly one of `token` and `code`")]
    SessionProof,
    #[error(transparent)]
    Limit(#[from] LimitExceeded),
    #[error(transparent)]
    Read(#[from] ReadFault),
    #[error(transparent)]
    Body(#[from] BodyFault),
    #[error("the header `{name}` must be {expected}")]
    Header { name: &'static str, expected: &'static str },
    #[error("no endpoint at this address; `/openapi.json` lists the endpoints")]
    NoSuchAddress,
    /// An id in the address that is not a UUID.
    #[error("no such {0}, or not yours to see")]
    NoSuchId(&'static str),
    /// Neither the token nor the address names a workspace.
    #[error(
        "an admin token is bound to no workspace; name one: `orgmem mcp --workspace <workspace>`, or over HTTP the address \
         `/workspaces/{{id}}/mcp`"
    )]
    NoWorkspace,
    #[error(transparent)]
    Mcp(#[from] TransportRefusal),
    #[error("method not allowed; this address supports {allowed}")]
    MethodNotAllowed {
        /// The value of the `Allow` header.
        allowed: String,
    },
    #[error("no response within {seconds} seconds; the call may still be carried out")]
    TimedOut { seconds: u64 },
    #[error("a handler panicked: {0}")]
    Panicked(String),
    /// actix refused the request.
    #[error("{detail}")]
    Framework { status: StatusCode, detail: String },
    #[error("the response cannot be written as JSON: {0}")]
    Unwritable(#[from] serde_json::Error),
}

/// The reason why a body cannot be received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyFault {
    #[error("the body is missing; send {0}")]
    Missing(&'static str),
    #[error("the body has more than {limit_bytes} bytes; send a smaller one")]
    TooLarge { limit_bytes: usize },
    #[error("the body did not arrive within {seconds} seconds")]
    Slow { seconds: u64 },
    #[error("the connection broke before the whole body had arrived")]
    Interrupted,
    #[error("the body must be {0}; set `Content-Type` accordingly")]
    ContentType(&'static str),
    #[error("{0}; send the parts `document` (JSON) and `file`")]
    Form(String),
    #[error("the body must be uncompressed; send it without `Content-Encoding`")]
    Encoded,
}

impl HttpError {
    /// The limit that the request exceeds.
    pub(super) fn limit(&self) -> Option<&LimitExceeded> {
        match self {
            Self::Limit(exceeded) | Self::Mcp(TransportRefusal::Limit(exceeded)) => Some(exceeded),
            _ => None,
        }
    }
}

impl ResponseError for HttpError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.problem().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Empty: the boundary writes the problem, because it knows the request id.
    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}
