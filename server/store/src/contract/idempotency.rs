//! Idempotency keys: a repeated request receives the response to the first one.

/// The stored response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// SHA-256 of the request. A request with another hash is a different one.
    pub body_hash: [u8; 32],
    /// The response: JSON as text.
    pub answer: String,
}
