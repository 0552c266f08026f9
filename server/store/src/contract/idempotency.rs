//! Idempotency keys: the first answer to a request, given again when the request is repeated.

/// What a request was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The SHA-256 of the request; with another one it is another request.
    pub body_hash: [u8; 32],
    /// The answer: JSON as text.
    pub answer: String,
}
