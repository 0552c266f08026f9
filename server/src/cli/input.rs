//! Input: text from standard input, JSON from the command line.

use std::io::Read;

use orgmem_types::Object;
use serde_json::Value;

use super::error::CliError;

/// `argument`; if it is `-`, all of `standard_input` without the line break at its end.
///
/// # Errors
/// [`CliError::Io`] when it cannot be read or is not UTF-8.
pub(crate) fn text(argument: String, mut standard_input: impl Read) -> Result<String, CliError> {
    if argument != "-" {
        return Ok(argument);
    }
    let mut text = String::new();
    let read = standard_input.read_to_string(&mut text);
    read.map_err(|error| CliError::Io { action: "read standard input".to_owned(), error })?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// Parses a JSON object.
///
/// # Errors
/// A message for the user.
pub(crate) fn object(text: &str) -> Result<Object, String> {
    serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))
}

/// Parses JSON. Text that does not look like JSON becomes a string.
///
/// # Errors
/// A message for the user, for text that begins like an object, a list or a string but is invalid.
pub(crate) fn json(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) if text.trim_start().starts_with(['{', '[', '"']) => {
            Err(format!("the value looks like JSON but is invalid: {error}; --text stores it as text"))
        }
        Err(_) => Ok(Value::String(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dash_reads_standard_input() {
        let read = |argument: &str, input: &[u8]| text(argument.to_owned(), input);
        assert_eq!(read("word", b"ignored").expect("text"), "word");
        assert_eq!(read("-", b"one\ntwo\r\n").expect("text"), "one\ntwo");
        assert_eq!(read("-", b"\n\n").expect("text"), "\n");
        assert!(read("-", &[0xff]).is_err());
    }

    #[test]
    fn json_is_parsed_and_other_text_is_a_string() {
        assert_eq!(super::json("12"), Ok(json!(12)));
        assert_eq!(super::json(r#"{"a": [null]}"#), Ok(json!({"a": [null]})));
        assert_eq!(super::json("ready for review"), Ok(json!("ready for review")));
        assert_eq!(super::json(""), Ok(json!("")));
        assert!(super::json(r#"{"a": 1"#).is_err(), "most likely a mistake");
    }
}
