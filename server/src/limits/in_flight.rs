use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use parking_lot::Mutex;
use uuid::Uuid;

use super::{LimitExceeded, LimitKeys, LimitKind, LimitLevel};
use crate::config::{LoadLimits, LoadSettings};

/// Streams end less often than requests.
const RETRY_STREAM_SECONDS: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Caller((Uuid, Option<WorkspaceId>)),
    Org(OrgId),
    Server,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amounts {
    requests: usize,
    bytes: usize,
    streams: usize,
}

/// The amounts in flight, by holder. A holder without any is absent.
pub(super) struct InFlight {
    settings: LoadSettings,
    amounts: Mutex<HashMap<Holder, Amounts>>,
}

/// An amount in flight, until it is dropped.
pub(crate) struct InFlightPermit {
    in_flight: Arc<InFlight>,
    keys: LimitKeys,
    kind: LimitKind,
    amount: usize,
}

impl InFlight {
    pub(super) fn new(settings: &LoadSettings) -> Self {
        Self { settings: *settings, amounts: Mutex::default() }
    }

    pub(super) fn begin(
        this: &Arc<Self>,
        keys: LimitKeys,
        kind: LimitKind,
        amount: usize,
    ) -> Result<InFlightPermit, LimitExceeded> {
        this.add(keys, kind, amount)?;
        Ok(InFlightPermit { in_flight: Arc::clone(this), keys, kind, amount })
    }

    /// Adds the amount to all holders, or to none of them.
    fn add(&self, keys: LimitKeys, kind: LimitKind, amount: usize) -> Result<(), LimitExceeded> {
        let mut all = self.amounts.lock();
        for holder in holders(keys) {
            let limit = limit_of(self.limits(holder.level()), kind);
            let current = all.get(&holder).copied().unwrap_or_default().get(kind);
            if current.saturating_add(amount) > limit {
                let retry_after_seconds = if kind == LimitKind::Streams { RETRY_STREAM_SECONDS } else { 1 };
                return Err(LimitExceeded { level: holder.level(), kind: Some(kind), limit, retry_after_seconds });
            }
        }
        for holder in holders(keys) {
            *all.entry(holder).or_default().get_mut(kind) += amount;
        }
        Ok(())
    }

    fn subtract(&self, keys: LimitKeys, kind: LimitKind, amount: usize) {
        let mut all = self.amounts.lock();
        for holder in holders(keys) {
            if let Entry::Occupied(mut amounts) = all.entry(holder) {
                *amounts.get_mut().get_mut(kind) -= amount;
                if *amounts.get() == Amounts::default() {
                    amounts.remove();
                }
            }
        }
    }

    fn limits(&self, level: LimitLevel) -> &LoadLimits {
        match level {
            LimitLevel::Caller => &self.settings.caller,
            LimitLevel::Org => &self.settings.org,
            LimitLevel::Server => &self.settings.server,
        }
    }

    /// The number of holders with an amount.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.amounts.lock().len()
    }
}

impl InFlightPermit {
    /// Adds to the amount, for a body of unknown length.
    ///
    /// # Errors
    /// [`LimitExceeded`]; the amount stays as it is.
    pub(crate) fn grow(&mut self, by: usize) -> Result<(), LimitExceeded> {
        self.in_flight.add(self.keys, self.kind, by)?;
        self.amount += by;
        Ok(())
    }
}

impl Drop for InFlightPermit {
    fn drop(&mut self) {
        self.in_flight.subtract(self.keys, self.kind, self.amount);
    }
}

impl Holder {
    fn level(self) -> LimitLevel {
        match self {
            Self::Caller(_) => LimitLevel::Caller,
            Self::Org(_) => LimitLevel::Org,
            Self::Server => LimitLevel::Server,
        }
    }
}

impl Amounts {
    fn get(mut self, kind: LimitKind) -> usize {
        *self.get_mut(kind)
    }

    fn get_mut(&mut self, kind: LimitKind) -> &mut usize {
        match kind {
            LimitKind::Requests => &mut self.requests,
            LimitKind::Bytes => &mut self.bytes,
            LimitKind::Streams => &mut self.streams,
        }
    }
}

fn holders(keys: LimitKeys) -> impl Iterator<Item = Holder> {
    [Some(Holder::Caller(keys.caller)), keys.org.map(Holder::Org), Some(Holder::Server)].into_iter().flatten()
}

fn limit_of(limits: &LoadLimits, kind: LimitKind) -> usize {
    match kind {
        LimitKind::Requests => limits.requests_in_flight,
        LimitKind::Bytes => limits.bytes_in_flight,
        LimitKind::Streams => limits.streams,
    }
}
