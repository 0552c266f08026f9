//! Callers: whose tokens are believed, why one is not, and how new ones are made.
//!
//! A token is believed when a key of this server, or of those it was told to trust, has signed it with the one
//! algorithm that the key is for, and when it says everything a token must say. The result is [`VerifiedClaims`],
//! which nothing else makes. Whether its bearer is still admitted (workspace live, token not revoked) is asked of the
//! store, in the snapshot in which the call is answered.
//!
//! The clock is a parameter everywhere: nothing here asks what time it is.
//!
//! Source: product.md, section 3; RFC 7519, RFC 8725, RFC 6750.

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

pub use admin_token::{AdminToken, AdminTokenError};
pub use authority::Auth;
pub use bearer::bearer;
pub use claims::{VerifiedClaims, token_id};
pub use error::KeyError;
pub use grant::{GrantError, TokenGrant};
pub use refusal::TokenRefusal;
pub(crate) use secrets::seal_keys;
pub use signer::SignError;
pub use start_code::{StartCode, StartCodeRefusal};
