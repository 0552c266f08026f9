//! What a group says.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::confidence::Confidence;

/// The fact of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The wording.
    pub text: String,
    /// Whether the wording was cut to `max_fact_length`.
    pub was_cut: bool,
    /// Names and values of the dimensions, in their order.
    pub dimensions: Vec<(String, String)>,
    /// The confidence with its parts.
    pub confidence: Confidence,
    /// The number of rows.
    pub count: u64,
    /// The mean severity, with four decimals.
    pub mean_severity: f64,
    /// The earliest time of a row, in microseconds since 1970.
    pub first_seen: Option<i64>,
    /// The latest time of a row, in microseconds since 1970.
    pub last_seen: Option<i64>,
    /// Keys of the newest rows, at most `max_sources`.
    pub source_row_keys: Vec<String>,
    /// A digest of the keys of all rows.
    pub(crate) digest: u128,
}

impl Fact {
    /// The metadata of the memory: dimensions, counts, times, parts of the confidence and sources.
    #[must_use]
    pub fn metadata(&self, processor: &str) -> Map<String, Value> {
        let dimensions: Map<_, _> = self.dimensions.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let members = [
            ("processor", json!(processor)),
            ("part", json!(self.dimensions.first().map(|(_, value)| value))),
            ("dimensions", Value::Object(dimensions)),
            ("row_count", json!(self.count)),
            ("mean_severity", json!(self.mean_severity)),
            ("first_seen", json!(self.first_seen.and_then(instant))),
            ("last_seen", json!(self.last_seen.and_then(instant))),
            ("confidence_parts", json!(self.confidence)),
            ("source_row_keys", json!(self.source_row_keys)),
        ];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// A digest of everything that the fact says. Equal facts need no new version.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let all = json!([self.text, self.metadata(""), format!("{:032x}", self.digest)]);
        hex::encode(&Sha256::digest(all.to_string().as_bytes())[..16])
    }
}

fn instant(micros: i64) -> Option<String> {
    let time = chrono::DateTime::from_timestamp_micros(micros)?;
    Some(time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))
}

/// The day of an instant, for a text.
pub(crate) fn day(micros: Option<i64>) -> String {
    let time = micros.and_then(chrono::DateTime::from_timestamp_micros);
    time.map_or_else(|| "an unknown date".to_owned(), |time| time.format("%Y-%m-%d").to_string())
}
