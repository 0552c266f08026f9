use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Any JSON. A server carries on what it keeps as it was written, instead of taking it apart and putting it together again.
#[derive(Clone, Debug)]
pub struct Json(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Written(Box<RawValue>),
    TakenApart(Value),
}

impl Json {
    /// What this text says; none where it is not JSON.
    #[must_use]
    pub fn of(text: String) -> Option<Self> {
        RawValue::from_string(text).ok().map(|raw| Self(Repr::Written(raw)))
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(Repr::TakenApart(value))
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Written(raw) => raw.get().fmt(f),
            Repr::TakenApart(value) => value.fmt(f),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Written(raw) => raw.serialize(serializer),
            Repr::TakenApart(value) => value.serialize(serializer),
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
    fn what_is_carried_on_stays_as_it_was_written() {
        let written = r#"{"b": 1.50, "a": [null, "\u00e4"]}"#;
        let json = Json::of(written.to_owned()).expect("JSON");
        assert_eq!((to_string(&json).expect("JSON").as_str(), json.to_string().as_str()), (written, written));
        assert_eq!(to_value(&json).expect("a value"), json!({"a": [null, "ä"], "b": 1.5}));
    }

    #[test]
    fn what_was_read_is_laid_out_like_what_is_around_it() {
        let read: Json = serde_json::from_str("[1, null]").expect("JSON");
        assert_eq!(read.to_string(), "[1,null]");
        assert_eq!(to_string_pretty(&read).expect("JSON"), "[\n  1,\n  null\n]");
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "{", "1 2", "{'a': 1}", "nul"] {
            assert!(Json::of(text.to_owned()).is_none(), "{text:?}");
        }
    }
}
