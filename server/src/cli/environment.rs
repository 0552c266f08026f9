//! Variables of the environment that commands read.

use secrecy::SecretString;

/// The token in ORGMEM_TOKEN. An empty value counts as absent.
pub(crate) fn token_of_environment() -> Option<SecretString> {
    std::env::var("ORGMEM_TOKEN").ok().filter(|token| !token.is_empty()).map(SecretString::from)
}
