//! A key set that an identity provider rotates. It is read again in the background, and for a token with an unknown `kid`.

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;

use super::key::Key;
use super::source::KeySource;
use super::{KeyError, jwks};

/// Limits the reads caused by unknown `kid`s, because anybody can send such tokens.
const MIN_READ_INTERVAL: TimeDelta = TimeDelta::seconds(10);

pub(super) struct Rotation {
    source: KeySource,
    // one task reads at a time, the others wait for its result
    last: Mutex<LastRead>,
}

#[derive(Default)]
struct LastRead {
    read_at: Option<DateTime<Utc>>,
    text: Option<Vec<u8>>,
}

impl Rotation {
    pub(super) fn new(source: KeySource) -> Self {
        Self { source, last: Mutex::default() }
    }

    /// Reads the set and passes its keys to `put`, unless it has not changed. A set without keys retires those before it;
    /// as the first one it is an error, because it would be a mistake in the settings.
    pub(super) async fn read(&self, now: DateTime<Utc>, put: impl FnOnce(Vec<Key>)) -> Result<(), KeyError> {
        self.read_if(now, |_| true, put).await
    }

    /// The same, unless the last read was a moment ago.
    pub(super) async fn read_if_due(&self, now: DateTime<Utc>, put: impl FnOnce(Vec<Key>)) -> Result<(), KeyError> {
        // absolute, so that a clock that was set back does not prevent reads
        self.read_if(now, |last| (now - last).abs() >= MIN_READ_INTERVAL, put).await
    }

    async fn read_if(
        &self,
        now: DateTime<Utc>,
        is_due: impl FnOnce(DateTime<Utc>) -> bool,
        put: impl FnOnce(Vec<Key>),
    ) -> Result<(), KeyError> {
        let mut last = self.last.lock().await;
        if !last.read_at.is_none_or(is_due) {
            return Ok(());
        }
        last.read_at = Some(now);
        let text = self.source.read().await?;
        if last.text.as_ref() != Some(&text) {
            let unusable = |reason| KeyError::Unusable { location: self.source.name(), reason };
            let keys = jwks::parse(&text).map_err(unusable)?;
            if keys.is_empty() && last.text.is_none() {
                return Err(unusable("it holds no key for RS256, ES256 or EdDSA signatures"));
            }
            put(keys);
            last.text = Some(text);
        }
        Ok(())
    }
}
