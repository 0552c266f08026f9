use serde::de::DeserializeOwned;

use super::ReadFault;

/// Reads the query of an address: names and values, percent-encoded.
///
/// # Errors
/// [`ReadFault::Field`], which names the parameter.
pub(crate) fn query<T: DeserializeOwned>(text: &str) -> Result<T, ReadFault> {
    serde_urlencoded::from_str(text).or_else(|_| {
        let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
        serde_path_to_error::deserialize(pairs)
            .map_err(|error| ReadFault::field(error.path(), &error.inner().to_string()))
    })
}
