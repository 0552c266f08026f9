//! The rates of requests, by the generic cell rate algorithm: a quota of a minute may be used at once and grows back
//! evenly.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use moka::sync::Cache;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use super::{LimitExceeded, LimitKeys, LimitLevel};
use crate::config::LoadSettings;

/// The rates that are remembered: about 200 bytes each.
const MAX_CALLERS: u64 = 65_536;
const MAX_ORGS: u64 = 16_384;

const WINDOW: Duration = Duration::from_secs(60);

/// A rate that was not used for a window has its whole quota again, so it need not be remembered.
const REMEMBERED: Duration = Duration::from_secs(61);

/// The clock of the rates; tests set the time.
pub(crate) trait LimitClock: Clock + Clone + Send + Sync + 'static {}

impl<C: Clock + Clone + Send + Sync + 'static> LimitClock for C {}

type Limiter<C> = RateLimiter<NotKeyed, InMemoryState, C, StateInformationMiddleware>;

pub(super) struct Rates<C: LimitClock> {
    callers: Option<KeyedRates<(Uuid, Option<WorkspaceId>), C>>,
    orgs: Option<KeyedRates<OrgId, C>>,
    server: Option<Rate<C>>,
}

/// The quota of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RateStatus {
    /// Requests a minute.
    pub(crate) limit: u32,
    /// Requests that are permitted at once.
    pub(crate) remaining: u32,
}

impl RateStatus {
    /// The time until the whole quota is available, in seconds, rounded up.
    pub(crate) fn reset_seconds(self) -> u64 {
        let used = u64::from(self.limit - self.remaining.min(self.limit));
        (used * WINDOW.as_secs()).div_ceil(u64::from(self.limit.max(1)))
    }
}

impl<C: LimitClock> Rates<C> {
    pub(super) fn new(settings: &LoadSettings, clock: &C) -> Self {
        let keyed = |limit: Option<NonZeroU32>| limit.map(|limit| (limit, clock.clone()));
        Self {
            callers: keyed(settings.caller.requests_per_minute)
                .map(|(limit, clock)| KeyedRates::new(limit, MAX_CALLERS, clock)),
            orgs: keyed(settings.org.requests_per_minute).map(|(limit, clock)| KeyedRates::new(limit, MAX_ORGS, clock)),
            server: settings.server.requests_per_minute.map(|limit| Rate::new(limit, clock.clone())),
        }
    }

    pub(super) fn count(&self, keys: LimitKeys, requests: u32) -> Result<Option<RateStatus>, LimitExceeded> {
        let Some(requests) = NonZeroU32::new(requests) else { return Ok(None) };
        let caller = match &self.callers {
            Some(callers) => Some(callers.of(keys.caller).count(requests, LimitLevel::Caller)?),
            None => None,
        };
        if let (Some(orgs), Some(org)) = (&self.orgs, keys.org) {
            orgs.of(org).count(requests, LimitLevel::Org)?;
        }
        if let Some(server) = &self.server {
            server.count(requests, LimitLevel::Server)?;
        }
        Ok(caller)
    }
}

struct KeyedRates<K, C: LimitClock> {
    limit: NonZeroU32,
    clock: C,
    /// The least valuable are evicted. A caller that was evicted begins again, within the rate of its org.
    rates: Cache<K, Arc<Rate<C>>>,
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static, C: LimitClock> KeyedRates<K, C> {
    fn new(limit: NonZeroU32, max: u64, clock: C) -> Self {
        Self { limit, clock, rates: Cache::builder().max_capacity(max).time_to_idle(REMEMBERED).build() }
    }

    fn of(&self, key: K) -> Arc<Rate<C>> {
        self.rates.get_with(key, || Arc::new(Rate::new(self.limit, self.clock.clone())))
    }
}

struct Rate<C: LimitClock> {
    limit: NonZeroU32,
    limiter: Limiter<C>,
}

impl<C: LimitClock> Rate<C> {
    fn new(limit: NonZeroU32, clock: C) -> Self {
        Self { limit, limiter: RateLimiter::direct_with_clock(Quota::per_minute(limit), clock).with_middleware() }
    }

    fn count(&self, requests: NonZeroU32, level: LimitLevel) -> Result<RateStatus, LimitExceeded> {
        // a batch that is larger than the quota needs the whole quota
        let requests = requests.min(self.limit);
        let limit = self.limit.get();
        match self.limiter.check_n(requests) {
            Ok(Ok(state)) => Ok(RateStatus { limit, remaining: state.remaining_burst_capacity() }),
            Ok(Err(refused)) => {
                let wait = refused.wait_time_from(self.limiter.clock().now());
                Err(self.exceeded(level, wait))
            }
            // excluded by the minimum above
            Err(_) => Err(self.exceeded(level, WINDOW)),
        }
    }

    fn exceeded(&self, level: LimitLevel, wait: Duration) -> LimitExceeded {
        let retry_after_seconds = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
        LimitExceeded { level, kind: None, limit: self.limit.get() as usize, retry_after_seconds }
    }
}
