//! Limits on the load of callers, orgs and the server.

use std::num::NonZeroU32;

use super::ConfigError;
use super::reader::SettingsReader;

const MAX_REQUESTS: usize = 1_000_000;
const MAX_BYTES: usize = 1 << 40;
const MAX_PER_MINUTE: u32 = 1_000_000_000;

/// The limits of each level.
#[derive(Clone, Copy, Debug)]
pub struct LoadSettings {
    /// Of one token.
    pub caller: LoadLimits,
    /// Of all callers of one org.
    pub org: LoadLimits,
    /// Of all callers.
    pub server: LoadLimits,
}

/// The limits of one level.
#[derive(Clone, Copy, Debug)]
pub struct LoadLimits {
    /// Requests without a response.
    pub requests_in_flight: usize,
    /// Bytes of the bodies of these requests.
    pub bytes_in_flight: usize,
    /// Open event streams.
    pub streams: usize,
    /// Requests a minute; `None` means unlimited.
    pub requests_per_minute: Option<NonZeroU32>,
}

impl LoadSettings {
    /// # Arguments
    /// `body_bytes`: the size of the largest body, which each level must admit.
    pub(super) fn read(from: &SettingsReader<'_>, body_bytes: usize) -> Result<Self, ConfigError> {
        let of = |level| LoadLimits::read(from, level, body_bytes);
        Ok(Self { caller: of("caller")?, org: of("org")?, server: of("server")? })
    }
}

impl LoadLimits {
    fn read(from: &SettingsReader<'_>, level: &str, body_bytes: usize) -> Result<Self, ConfigError> {
        let setting = |name: &str| format!("limits.{level}.{name}");
        Ok(Self {
            requests_in_flight: from.whole(&setting("requests_in_flight"), 1..=MAX_REQUESTS)?,
            bytes_in_flight: from.whole(&setting("bytes_in_flight"), body_bytes..=MAX_BYTES)?,
            streams: from.whole(&setting("streams"), 0..=MAX_REQUESTS)?,
            requests_per_minute: NonZeroU32::new(from.whole(&setting("requests_per_minute"), 0..=MAX_PER_MINUTE)?),
        })
    }
}
