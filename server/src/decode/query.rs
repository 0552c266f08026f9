use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use super::{ReadFault, shortened};

/// Reads the query of an address: names and values, percent-encoded.
///
/// # Errors
/// [`ReadFault::Field`], which names the parameter; [`ReadFault::AddressNotUtf8`].
pub(crate) fn query<T: DeserializeOwned>(text: &str) -> Result<T, ReadFault> {
    for pair in text.split('&').filter(|pair| pair.contains('%')) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        percent_decoded(name, name)?;
        percent_decoded(name, value)?;
    }
    serde_urlencoded::from_str(text).or_else(|_| {
        let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
        serde_path_to_error::deserialize(pairs)
            .map_err(|error| ReadFault::field(error.path(), &error.inner().to_string()))
    })
}

/// A part of an address, decoded. `name` names it in the error.
///
/// # Errors
/// [`ReadFault::AddressNotUtf8`]. A replacement of the bytes would make different keys equal.
pub(crate) fn percent_decoded(name: &str, text: &str) -> Result<String, ReadFault> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(Cow::into_owned).map_err(|_| ReadFault::AddressNotUtf8 { name: shortened(name).into_owned() })
}
