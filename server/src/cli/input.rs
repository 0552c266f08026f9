//! What people hand in: text from standard input, JSON from the command line.

use std::io::Read;

use orgmem_types::Object;
use serde_json::Value;

use super::error::CliError;

/// `given`, or with `-` all of `standard_input` without the line break at its end.
///
/// # Errors
/// [`CliError::Io`] when it cannot be read or is not UTF-8.
pub(crate) fn text(given: String, mut standard_input: impl Read) -> Result<String, CliError> {
    if given != "-" {
        return Ok(given);
    }
    let mut text = String::new();
    let read = standard_input.read_to_string(&mut text);
    read.map_err(|error| CliError::Io { what: "read standard input".to_owned(), error })?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// A JSON object.
///
/// # Errors
/// A sentence that says what is wrong.
pub(crate) fn object(text: &str) -> Result<Object, String> {
    serde_json::from_str(text).map_err(|error| format!("a JSON object is wanted: {error}"))
}

/// The JSON that `text` is; text that does not begin as JSON does is a string.
///
/// # Errors
/// A sentence, for text that begins as an object, a list or a string and is none.
pub(crate) fn json(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) if text.trim_start().starts_with(['{', '[', '"']) => {
            Err(format!("the value begins as JSON and is none: {error}; --text stores it as it stands"))
        }
        Err(_) => Ok(Value::String(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_dash_stands_for_standard_input() {
        let read = |given: &str, input: &[u8]| text(given.to_owned(), input);
        assert_eq!(read("word", b"ignored").expect("text"), "word");
        assert_eq!(read("-", b"one\ntwo\r\n").expect("text"), "one\ntwo");
        assert_eq!(read("-", b"\n\n").expect("text"), "\n");
        assert!(read("-", &[0xff]).is_err());
    }

    #[test]
    fn what_is_json_is_json_and_other_words_are_strings() {
        assert_eq!(super::json("12"), Ok(json!(12)));
        assert_eq!(super::json(r#"{"a": [null]}"#), Ok(json!({"a": [null]})));
        assert_eq!(super::json("ready for review"), Ok(json!("ready for review")));
        assert_eq!(super::json(""), Ok(json!("")));
        assert!(super::json(r#"{"a": 1"#).is_err(), "most likely a mistake");
    }
}
