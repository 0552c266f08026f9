//! Limits on the load of one caller, one org and the whole server: the rate of requests, and the requests, bytes of bodies and
//! event streams in flight.
//!
//! A caller is a token. The org is that of the token's workspace, or for an admin that of the workspace in the address. All
//! entry points pass here, because all of them are HTTP: REST, MCP, event streams, the console and the command line.
//!
//! Source: `docs/spec/limits.md`.

mod budget_rates;
mod exceeded;
mod in_flight;
mod rate;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use governor::clock::DefaultClock;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

pub(crate) use budget_rates::BudgetRateExceeded;
pub(crate) use budget_rates::BudgetRates;
pub(crate) use exceeded::{LimitExceeded, LimitKind, LimitLevel};
pub(crate) use in_flight::InFlightPermit;
pub(crate) use rate::RateStatus;

use crate::auth::VerifiedClaims;
use crate::config::LoadSettings;
use in_flight::InFlight;
use rate::{LimitClock, Rates};

/// The caller and the org that a request counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitKeys {
    /// The id of the token and its workspace: issuers may choose the same ids for tokens of different workspaces.
    pub(crate) caller: (Uuid, Option<WorkspaceId>),
    /// `None` for a token whose workspace does not exist, and for calls of an admin to no known workspace.
    pub(crate) org: Option<OrgId>,
}

impl LimitKeys {
    /// The caller, without an org.
    pub(crate) fn of_token(claims: &VerifiedClaims) -> Self {
        let identity = claims.identity();
        Self { caller: (identity.jti, identity.workspace), org: None }
    }
}

/// The limiter of one server. Its memory is bounded: rates of callers and orgs without recent requests are evicted, and
/// counts exist only while something is in flight.
pub(crate) struct LoadLimiter<C: LimitClock = DefaultClock> {
    in_flight: Arc<InFlight>,
    rates: Rates<C>,
}

impl LoadLimiter {
    pub(crate) fn new(settings: &LoadSettings) -> Self {
        Self::with_clock(settings, &DefaultClock::default())
    }
}

impl<C: LimitClock> LoadLimiter<C> {
    fn with_clock(settings: &LoadSettings, clock: &C) -> Self {
        Self { in_flight: Arc::new(InFlight::new(settings)), rates: Rates::new(settings, clock) }
    }

    /// Counts `requests` for the rates. A batch of messages counts each of them.
    ///
    /// # Returns
    /// The remaining quota of the caller; `None` without a limit.
    ///
    /// # Errors
    /// [`LimitExceeded`] of the rate of the caller, the org or the server. The refused requests count for the levels before.
    pub(crate) fn count(&self, keys: LimitKeys, requests: u32) -> Result<Option<RateStatus>, LimitExceeded> {
        self.rates.count(keys, requests)
    }

    /// Adds `amount` to what the caller, the org and the server have in flight, until the permit is dropped.
    ///
    /// # Errors
    /// [`LimitExceeded`]; nothing is added.
    pub(crate) fn begin(
        &self,
        keys: LimitKeys,
        kind: LimitKind,
        amount: usize,
    ) -> Result<InFlightPermit, LimitExceeded> {
        InFlight::begin(&self.in_flight, keys, kind, amount)
    }
}
