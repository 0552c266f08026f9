//! Keys that others rotate: read again in the background, and when a token names one not seen yet.

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;

use super::key::Key;
use super::source::KeySource;
use super::{KeyError, jwks};

/// How often tokens with an unknown `kid` may make us ask. Anybody can send one.
const ASKED_AT_MOST_EVERY: TimeDelta = TimeDelta::seconds(10);

/// A key set that is followed.
pub(super) struct Rotation {
    source: KeySource,
    // One reads at a time; the others wait and find its result.
    seen: Mutex<LastRead>,
}

#[derive(Default)]
struct LastRead {
    last_read: Option<DateTime<Utc>>,
    text: Option<Vec<u8>>,
}

impl Rotation {
    pub(super) fn new(source: KeySource) -> Self {
        Self { source, seen: Mutex::default() }
    }

    /// Reads the set and hands its keys to `put`, unless it is the same as last time.
    pub(super) async fn read(&self, now: DateTime<Utc>, put: impl FnOnce(Vec<Key>)) -> Result<(), KeyError> {
        self.read_if(now, |_| true, put).await
    }

    /// The same, unless that was done a moment ago.
    pub(super) async fn read_if_due(&self, now: DateTime<Utc>, put: impl FnOnce(Vec<Key>)) -> Result<(), KeyError> {
        // Either way: a clock that was set back must not stop us.
        self.read_if(now, |last| (now - last).abs() >= ASKED_AT_MOST_EVERY, put).await
    }

    async fn read_if(
        &self,
        now: DateTime<Utc>,
        is_due: impl FnOnce(DateTime<Utc>) -> bool,
        put: impl FnOnce(Vec<Key>),
    ) -> Result<(), KeyError> {
        let mut seen = self.seen.lock().await;
        if !seen.last_read.is_none_or(is_due) {
            return Ok(());
        }
        seen.last_read = Some(now);
        let text = self.source.read().await?;
        if seen.text.as_ref() != Some(&text) {
            put(jwks::parse(&text).map_err(|reason| KeyError::Unusable { what: self.source.name(), reason })?);
            seen.text = Some(text);
        }
        Ok(())
    }
}
