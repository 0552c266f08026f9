use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Any JSON value. Stored text passes through unparsed.
#[derive(Clone, Debug)]
pub struct Json(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Raw(Box<RawValue>),
    Parsed(Value),
}

impl Json {
    /// Validates `text`; `None` if it is not JSON.
    #[must_use]
    pub fn from_text(text: String) -> Option<Self> {
        RawValue::from_string(text).ok().map(|raw| Self(Repr::Raw(raw)))
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(Repr::Parsed(value))
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Raw(raw) => raw.get().fmt(f),
            Repr::Parsed(value) => value.fmt(f),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Raw(raw) => raw.serialize(serializer),
            Repr::Parsed(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_string, to_string_pretty, to_value};

    use super::Json;

    #[test]
    fn stored_text_is_serialized_unchanged() {
        let text = r#"{"b": 1.50, "a": [null, "\u00e4"]}"#;
        let json = Json::from_text(text.to_owned()).expect("JSON");
        assert_eq!((to_string(&json).expect("JSON").as_str(), json.to_string().as_str()), (text, text));
        assert_eq!(to_value(&json).expect("a value"), json!({"a": [null, "ä"], "b": 1.5}));
    }

    #[test]
    fn parsed_value_uses_the_layout_of_the_serializer() {
        let read: Json = serde_json::from_str("[1, null]").expect("JSON");
        assert_eq!(read.to_string(), "[1,null]");
        assert_eq!(to_string_pretty(&read).expect("JSON"), "[\n  1,\n  null\n]");
    }

    #[test]
    fn invalid_json_is_refused() {
        for text in ["", "{", "1 2", "{'a': 1}", "nul"] {
            assert!(Json::from_text(text.to_owned()).is_none(), "{text:?}");
        }
    }
}
