//! A provider of the settings, with its circuit breaker and its metrics.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use orgmem_policies::providers::{Figures, Thresholds};
use orgmem_store::OutboxLimits;
use uuid::Uuid;

use super::interface::{ItemChange, MemoryProvider, ProviderFault, ProviderHealth, Retrieval};
use super::plugin::PluginProvider;
use super::{CallLabels, ProviderMetrics};
use crate::config::ProviderSettings;
use crate::outbound::{Breaker, FetchFault, OutboundError};

pub(crate) struct Engine {
    settings: ProviderSettings,
    provider: Box<dyn MemoryProvider>,
    breaker: Breaker,
}

/// What a call does.
pub(super) enum Call<'c> {
    Record(&'c ItemChange),
    Compact(&'c ItemChange),
    Retrieve(&'c Retrieval),
}

impl Engine {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, OutboundError> {
        let provider = Box::new(PluginProvider::new(settings)?);
        Ok(Self { settings: settings.clone(), provider, breaker: Breaker::default() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.settings.name
    }

    pub(crate) fn surfaces(&self) -> impl Iterator<Item = &str> {
        self.settings.surfaces.iter().map(String::as_str)
    }

    pub(crate) fn thresholds(&self) -> &Thresholds {
        &self.settings.thresholds
    }

    pub(super) fn outbox(&self) -> OutboxLimits {
        self.settings.outbox
    }

    /// The limit of a call.
    pub(super) fn timeout(&self) -> Duration {
        self.settings.outbound.timeout
    }

    /// Whether requests may be sent; one of them probes an engine that failed.
    pub(super) fn admits(&self, now: DateTime<Utc>) -> bool {
        self.breaker.admits(now)
    }

    /// Calls the engine within the limit of a request, and adds the call to `figures`. A call has at most four requests.
    pub(super) async fn call(
        &self,
        call: Call<'_>,
        now: DateTime<Utc>,
        figures: &mut Figures,
        metrics: &ProviderMetrics,
    ) -> Result<Vec<Uuid>, ProviderFault> {
        let begun = Instant::now();
        let calling = async {
            match call {
                Call::Record(change) => self.provider.record(change).await.map(|()| Vec::new()),
                Call::Compact(change) => self.provider.compact(change).await.map(|()| Vec::new()),
                Call::Retrieve(retrieval) => self.provider.retrieve(retrieval).await,
            }
        };
        let ended = tokio::time::timeout(self.settings.outbound.timeout, calling).await;
        let ended = ended.unwrap_or(Err(FetchFault::Timeout.into()));
        let is_refusal = matches!(ended, Err(ProviderFault::Refused(_)));
        if self.breaker.note(ended.is_err() && !is_refusal, now) {
            tracing::warn!(provider = self.name(), "a provider failed repeatedly and is not asked for a while");
        }
        let latency = i64::try_from(begun.elapsed().as_micros()).unwrap_or(i64::MAX);
        *figures = figures.plus(Figures {
            calls: 1,
            errors: i64::from(ended.is_err()),
            refusals: i64::from(is_refusal),
            latency_sum: latency,
            latency_max: latency,
            ..Figures::default()
        });
        let outcome = ended.as_ref().map_or_else(ProviderFault::label, |_| "done");
        metrics.calls.get_or_create(&CallLabels { provider: self.name().to_owned(), outcome }).inc();
        if let Err(fault) = &ended {
            tracing::debug!(provider = self.name(), outcome, error = %fault, "a provider failed");
        }
        ended
    }

    /// What the engine says of itself, within the limit of a request.
    pub(crate) async fn audit(&self) -> Result<ProviderHealth, String> {
        let auditing = tokio::time::timeout(self.settings.outbound.timeout, self.provider.audit());
        let ended = auditing.await.unwrap_or(Err(FetchFault::Timeout.into()));
        ended.map_err(|fault| fault.to_string())
    }
}
