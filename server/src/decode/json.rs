use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ReadFault;
use super::depth::JsonShape;

/// Reads a JSON object.
///
/// # Arguments
/// `max_depth`: the maximum nesting of arrays and objects, at most 127.
///
/// # Errors
/// [`ReadFault`], which names the field.
pub(crate) fn json<T: DeserializeOwned>(bytes: &[u8], max_depth: usize) -> Result<T, ReadFault> {
    let text = text(bytes, max_depth)?;
    // serde accepts an array for a struct, with the fields in their order
    if text.trim_start().starts_with('[') {
        return Err(ReadFault::Field {
            path: String::new(),
            reason: "the body must be an object, not an array".into(),
        });
    }
    // only invalid bodies are parsed a second time, to track the path
    serde_json::from_str(text).map_err(|error| explain::<T>(text, &error))
}

/// Reads a JSON array.
///
/// # Arguments
/// `max_depth`: as in [`json`].
///
/// # Errors
/// [`ReadFault`], which names the item.
pub(crate) fn json_list<T: DeserializeOwned>(bytes: &[u8], max_depth: usize) -> Result<T, ReadFault> {
    let text = text(bytes, max_depth)?;
    if text.trim_start().starts_with('{') {
        return Err(ReadFault::Field {
            path: String::new(),
            reason: "the body must be an array, not an object".into(),
        });
    }
    serde_json::from_str(text).map_err(|error| explain::<T>(text, &error))
}

/// Reads any JSON value.
///
/// # Arguments
/// `max_depth`: as in [`json`].
///
/// # Errors
/// [`ReadFault`] except [`ReadFault::Field`].
pub(crate) fn any_json(bytes: &[u8], max_depth: usize) -> Result<Value, ReadFault> {
    let read = serde_json::from_str(text(bytes, max_depth)?);
    read.map_err(|error| ReadFault::Malformed { language: "JSON", reason: error.to_string() })
}

/// Memory that the values of a body may need besides their texts: this, and twice the bytes of the body.
const PARSED_BYTES: usize = 16 * 1024 * 1024;

/// The bytes as text, with the nesting and the memory of the parsed values checked.
fn text(bytes: &[u8], max_depth: usize) -> Result<&str, ReadFault> {
    let text = str::from_utf8(bytes).map_err(|error| ReadFault::NotUtf8 { offset: error.valid_up_to() })?;
    let shape = JsonShape::of(bytes, max_depth);
    if shape.depth > max_depth {
        return Err(ReadFault::TooDeep { limit: max_depth });
    }
    if shape.parsed_bytes > PARSED_BYTES + 2 * bytes.len() {
        return Err(ReadFault::TooManyValues { bytes: bytes.len() });
    }
    Ok(text)
}

/// Reads a parsed JSON object.
///
/// # Errors
/// [`ReadFault::Field`].
pub(crate) fn json_value<T: DeserializeOwned>(value: &Value) -> Result<T, ReadFault> {
    // as in `json`
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
        // for a wrong type in place of an enum serde_json reports a syntax error
        let well_formed = serde_json::from_str::<Value>(text).ok();
        return well_formed.and_then(|value| json_value::<T>(&value).err()).unwrap_or_else(malformed);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Err(tracked) => ReadFault::field(tracked.path(), without_position(&tracked.inner().to_string())),
        Ok(_) => malformed(),
    }
}

/// Removes line and column, because the path already names the position.
fn without_position(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(message, _)| message)
}
