use orgmem_types::Problem;

/// The reason why a call failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address of the server is invalid.
    #[error("`{0}` is not the address of a server such as `http://127.0.0.1:7070`")]
    Address(String),
    /// The token contains characters that are not allowed in a header.
    #[error("the token contains characters that are not allowed in a header")]
    Token,
    /// The call requires a token.
    #[error("a token is required")]
    NoToken,
    /// A name that is not valid as a segment of a URL.
    #[error("`{0}` cannot be used here: it is not valid as a part of a URL")]
    Unaddressable(String),
    /// The HTTP client cannot be set up, for example without certificates.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
    /// No response.
    #[error("no server responds at {address}: {reason}")]
    Unreachable {
        /// The address of the server.
        address: String,
        /// The cause, usually from the operating system.
        reason: String,
    },
    /// The server refused the request or failed.
    #[error("{}", .0.detail)]
    Problem(Box<Problem>),
    /// The response is not that of an orgmem server of a compatible release.
    #[error("{address} is not an orgmem server: its response (status {status}) is invalid: {reason}")]
    Foreign {
        /// The address of the server.
        address: String,
        /// The HTTP status.
        status: u16,
        /// The fault in the response.
        reason: String,
    },
}
