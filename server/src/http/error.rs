//! Everything that can be answered instead of what was asked, and how it is logged.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};

use crate::app::AppError;
use crate::auth::{StartCodeRefusal, TokenRefusal};
use crate::decode::ReadFault;
use crate::mcp::Refused;

/// Why a request is not answered as it wished. [`problem`](Self::problem) says how each is told.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    /// A service did not do it.
    #[error(transparent)]
    App(#[from] AppError),
    /// The token is not believed.
    #[error(transparent)]
    Token(#[from] TokenRefusal),
    /// The code of a link is not taken.
    #[error(transparent)]
    StartCode(#[from] StartCodeRefusal),
    /// Something is to be changed by the cookie of a session, and nothing shows that the console asks.
    #[error("a session changes something only from the console's own page; other programs bring a bearer token")]
    NotFromConsole,
    /// A token is too large to be kept by a browser.
    #[error("the token has more than {limit_bytes} bytes, which browsers do not keep; sign in with a shorter one")]
    TokenNotKept {
        /// What they keep.
        limit_bytes: usize,
    },
    /// A session is opened with one thing.
    #[error("send either `token` or `code`")]
    SessionProof,
    /// The body or the query cannot be read.
    #[error(transparent)]
    Read(#[from] ReadFault),
    /// The body cannot be had.
    #[error(transparent)]
    Body(#[from] BodyFault),
    /// A header cannot be understood.
    #[error("the header `{name}` must be {expected}")]
    Header {
        /// Its name.
        name: &'static str,
        /// What would be accepted.
        expected: &'static str,
    },
    /// There is nothing at this address, whoever asks.
    #[error("there is nothing at this address; `/openapi.json` lists what there is")]
    NoSuchAddress,
    /// An id in the address is none, so it names nothing.
    #[error("no such {0}, or not yours to see")]
    NoSuchId(&'static str),
    /// The token is bound to no workspace, and the address names none either.
    #[error("an admin's token is bound to no workspace; call `/workspaces/{{id}}/mcp` to say as which one")]
    NoWorkspace,
    /// The transport of MCP does not take the request.
    #[error(transparent)]
    Mcp(#[from] Refused),
    /// The address has other methods.
    #[error("this address takes {allowed}")]
    MethodNotAllowed {
        /// Those it has, as the `Allow` header lists them.
        allowed: String,
    },
    /// The answer was not ready in time.
    #[error("the answer took longer than {seconds} seconds; what was asked for may still be carried out")]
    TimedOut {
        /// How long it may take.
        seconds: u64,
    },
    /// The handler panicked.
    #[error("a handler panicked: {0}")]
    Panicked(String),
    /// The framework says so.
    #[error("{detail}")]
    Framework {
        /// The status it would have answered.
        status: StatusCode,
        /// Its sentence.
        detail: String,
    },
    /// An answer has no JSON form.
    #[error("an answer cannot be written as JSON: {0}")]
    Unwritable(#[from] serde_json::Error),
}

/// Why there is no body to read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyFault {
    /// Nothing came.
    #[error("the body is missing; send {0}")]
    Missing(&'static str),
    /// More than is accepted.
    #[error("the body has more than {limit_bytes} bytes; send less at once")]
    TooLarge {
        /// What is accepted.
        limit_bytes: usize,
    },
    /// It took too long to arrive.
    #[error("the body did not arrive within {seconds} seconds")]
    Slow {
        /// How long it may take.
        seconds: u64,
    },
    /// The connection broke.
    #[error("the body ended before all of it had arrived")]
    Interrupted,
    /// It is of another kind.
    #[error("the body must be {0}; say so in `Content-Type`")]
    ContentType(&'static str),
    /// It is compressed.
    #[error("the body must be sent as it is, without `Content-Encoding`")]
    Encoded,
}

impl ResponseError for HttpError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.problem().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// An empty answer: the boundary writes the problem, as it knows the id of the request.
    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}
