use orgmem_types::Problem;

/// Why a call gave no answer to its question.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// What was given as the address of the server is none.
    #[error("`{0}` is not the address of a server; one looks like `http://127.0.0.1:7070`")]
    Address(String),
    /// The token holds characters that no header can carry.
    #[error("the token is not one: it holds characters that no header can carry")]
    Token,
    /// There is no token, and the server answers nobody without one.
    #[error("there is no token to speak with")]
    NoToken,
    /// No URL can carry this name, so REST cannot ask for it.
    #[error("`{0}` cannot be asked for by name: no URL can carry it")]
    Unaddressable(String),
    /// The HTTP client could not be set up, for want of certificates for instance.
    #[error("cannot speak HTTP from here: {0}")]
    Setup(String),
    /// Nobody answered.
    #[error("no server answers at {address}: {reason}")]
    Unreachable {
        /// Where.
        address: String,
        /// What the system says.
        reason: String,
    },
    /// The server said no, or that it could not.
    #[error("{}", .0.detail)]
    Problem(Box<Problem>),
    /// Something answered that is not an orgmem server, or one of another age.
    #[error("{address} answered {status}, and not as an orgmem server does: {reason}")]
    Foreign {
        /// Where.
        address: String,
        /// The HTTP status.
        status: u16,
        /// What is strange about it.
        reason: String,
    },
}
