//! Authentication: verifies and issues tokens.
//!
//! A token is valid if a key of this server or a trusted issuer signed it with the single algorithm of that key, and if it
//! has all required claims. The result is [`VerifiedClaims`], which has no other constructor. The store checks whether the
//! bearer is still admitted (workspace live, token not revoked), in the snapshot of the call.
//!
//! The current time is always a parameter.
//!
//! Source: `docs/spec/callers.md`, "Tokens"; RFC 7519, RFC 8725, RFC 6750.

mod admin_token;
mod authority;
mod bearer;
mod claims;
mod error;
mod grant;
mod jwks;
mod key;
mod pem;
mod private_file;
mod refusal;
mod ring;
mod rotation;
mod secrets;
mod self_check;
mod signer;
mod source;
mod start_code;
#[cfg(test)]
mod tests;
mod trust;

pub use admin_token::{AdminToken, AdminTokenError};
pub use authority::Auth;
pub use bearer::bearer;
pub(crate) use claims::TEXT_BYTES as MAX_SUBJECT_BYTES;
pub use claims::{VerifiedClaims, token_id};
pub use error::KeyError;
pub use grant::{GrantError, TokenGrant};
pub use refusal::TokenRefusal;
pub(crate) use secrets::{existing_seal_keys, seal_keys};
pub use signer::SignError;
pub use start_code::{StartCode, StartCodeRefusal};
