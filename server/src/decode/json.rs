use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ReadFault, depth};

/// Reads JSON, an object.
///
/// # Arguments
/// `max_depth`: how many levels arrays and objects may nest, at most 127.
///
/// # Errors
/// [`ReadFault`], which names the field.
pub(crate) fn json<T: DeserializeOwned>(bytes: &[u8], max_depth: usize) -> Result<T, ReadFault> {
    let text = text(bytes, max_depth)?;
    // serde would take an array for the fields of an object, in their order
    if text.trim_start().starts_with('[') {
        return Err(ReadFault::Field {
            path: String::new(),
            reason: "the body must be an object, not an array".into(),
        });
    }
    // Paths are tracked on a second reading alone: most bodies need no second one.
    serde_json::from_str(text).map_err(|error| explain::<T>(text, &error))
}

/// Reads JSON of any kind: what it is for is found out from what it is.
///
/// # Arguments
/// `max_depth`: as above.
///
/// # Errors
/// [`ReadFault`], but for [`ReadFault::Field`].
pub(crate) fn any_json(bytes: &[u8], max_depth: usize) -> Result<Value, ReadFault> {
    let read = serde_json::from_str(text(bytes, max_depth)?);
    read.map_err(|error| ReadFault::Malformed { language: "JSON", reason: error.to_string() })
}

/// The bytes as text that does not nest too deep.
fn text(bytes: &[u8], max_depth: usize) -> Result<&str, ReadFault> {
    let text = str::from_utf8(bytes).map_err(|error| ReadFault::NotUtf8 { at: error.valid_up_to() })?;
    if depth::is_deeper(bytes, max_depth) { Err(ReadFault::TooDeep { limit: max_depth }) } else { Ok(text) }
}

/// Reads JSON that was read before.
///
/// # Errors
/// [`ReadFault::Field`].
pub(crate) fn json_value<T: DeserializeOwned>(value: &Value) -> Result<T, ReadFault> {
    // as above
    if value.is_array() {
        return Err(ReadFault::Field { path: String::new(), reason: "it must be an object, not an array".into() });
    }
    T::deserialize(value).or_else(|_| {
        serde_path_to_error::deserialize(value)
            .map_err(|error| ReadFault::field(error.path(), &error.inner().to_string()))
    })
}

fn explain<T: DeserializeOwned>(text: &str, error: &serde_json::Error) -> ReadFault {
    let malformed = || ReadFault::Malformed { language: "JSON", reason: error.to_string() };
    if !error.is_data() {
        // where a word of a list is due, the language is blamed for whatever else stands there
        let well_formed = serde_json::from_str::<Value>(text).ok();
        return well_formed.and_then(|value| json_value::<T>(&value).err()).unwrap_or_else(malformed);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Err(tracked) => ReadFault::field(tracked.path(), without_place(&tracked.inner().to_string())),
        Ok(_) => malformed(),
    }
}

/// The path says where; line and column would say it again.
fn without_place(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(message, _)| message)
}
