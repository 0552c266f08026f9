//! Providers: the built-in one, and engines that shadow it on the surfaces of the settings.
//!
//! After a response the services note what happened ([`Providers::note`]). One job moves the notices to the durable outboxes,
//! another one sends them and compares. A request waits for neither. Reads of a promoted surface come from its provider, and
//! from the built-in one if that fails.
//!
//! Source: `docs/spec/providers.md`.

mod built_in;
mod engine;
mod interface;
mod notices;
mod plugin;
mod sending;

pub(crate) use interface::{MemoryProvider, Retrieval};
pub(crate) use notices::Notice;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_compact::Rules;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::providers::{Figures, ProviderRoute, ProviderRules, ShadowedSurfaces, SurfaceState};
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{
    AuditRecord, Clock, OutboxSize, ProvidedContent, ProvidedQuery, ProvidedSources, ReadPlan, SERVER, Store,
    StoreError,
};
use parking_lot::{Mutex, RwLock};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use uuid::Uuid;

use crate::compaction::excluded_kinds;
use crate::config::{PageSettings, ProvidersSettings};
use crate::embedding::EmbeddingService;
use crate::outbound::OutboundError;
use built_in::BuiltIn;
pub(crate) use engine::Engine;
use notices::{Notices, OrgNotices};
pub(crate) use sending::namespaces as searched_by;

/// Ids that a retrieval returns at most.
pub(crate) const RETRIEVED: usize = 50;
/// The first results that are compared.
pub(crate) const COMPARED: usize = 10;
/// The interval between reads of the states of surfaces, which other servers change too.
const REFRESH: TimeDelta = TimeDelta::seconds(1);

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct CallLabels {
    provider: String,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct ProviderLabels {
    provider: String,
}

/// The metrics of providers.
#[derive(Clone, Default)]
pub(crate) struct ProviderMetrics {
    pub(crate) calls: Family<CallLabels, Counter>,
    pub(crate) disqualifications: Family<ProviderLabels, Counter>,
    pub(crate) waiting: Family<ProviderLabels, Gauge>,
    pub(crate) dropped: Family<ProviderLabels, Gauge>,
}

/// All providers of this server.
pub(crate) struct Providers {
    store: Store,
    clock: Arc<dyn Clock>,
    scrubber: &'static Scrubber,
    pages: PageSettings,
    rules: ProviderRules,
    built_in: BuiltIn,
    engines: Vec<Engine>,
    notices: Notices,
    /// By provider and surface, as of the last read of this server.
    states: RwLock<HashMap<(String, String), SurfaceState>>,
    refreshed_at: Mutex<Option<DateTime<Utc>>>,
    /// Names this server in the leases of outboxes.
    sender: Uuid,
    /// Held while this server moves notices to the outboxes: they are in neither then.
    queueing: tokio::sync::Mutex<()>,
    /// Held while this server sends, so that it sends nothing twice.
    sending: tokio::sync::Mutex<()>,
    metrics: ProviderMetrics,
}

impl Providers {
    /// # Returns
    /// `None` without providers in the settings.
    ///
    /// # Errors
    /// [`OutboundError`] of the first provider that cannot be used.
    pub(crate) fn open(
        settings: &ProvidersSettings,
        pages: &PageSettings,
        (store, clock, scrubber): (Store, Arc<dyn Clock>, &'static Scrubber),
        embedding: Option<EmbeddingService>,
    ) -> Result<Option<Arc<Self>>, OutboundError> {
        if settings.providers.is_empty() {
            return Ok(None);
        }
        let shadowed = settings
            .providers
            .iter()
            .map(|provider| ShadowedSurfaces { provider: provider.name.clone(), surfaces: provider.surfaces.clone() });
        let rules = ProviderRules::new(settings.closed_surfaces.clone(), shadowed.collect());
        let engines = settings.providers.iter().map(Engine::new).collect::<Result<_, _>>()?;
        Ok(Some(Arc::new(Self {
            built_in: BuiltIn::new(store.clone(), embedding),
            store,
            clock,
            scrubber,
            pages: pages.clone(),
            rules,
            engines,
            notices: Notices::default(),
            states: RwLock::default(),
            refreshed_at: Mutex::default(),
            sender: Uuid::new_v4(),
            queueing: tokio::sync::Mutex::default(),
            sending: tokio::sync::Mutex::default(),
            metrics: ProviderMetrics::default(),
        })))
    }

    pub(crate) fn metrics(&self) -> ProviderMetrics {
        self.metrics.clone()
    }

    pub(crate) fn built_in(&self) -> &BuiltIn {
        &self.built_in
    }

    pub(crate) fn engines(&self) -> &[Engine] {
        &self.engines
    }

    /// The routes of a channel, without surfaces that their providers are disqualified for.
    pub(crate) fn routes(&self, channel: Option<&str>) -> Vec<ProviderRoute> {
        let mut routes = self.rules.routes(channel);
        if !routes.is_empty() {
            routes.retain(|route| self.state(route.provider(), route.surface()) != SurfaceState::Disqualified);
        }
        routes
    }

    /// The provider that answers the reads of a channel, as far as this server knows.
    pub(crate) fn promoted(&self, channel: Option<&str>) -> Option<&Engine> {
        let channel = channel?;
        let is_promoted = |engine: &&Engine| self.state(engine.name(), channel) == SurfaceState::Promoted;
        let route = self.rules.routes(Some(channel));
        self.engines
            .iter()
            .filter(|engine| route.iter().any(|route| route.provider() == engine.name()))
            .find(is_promoted)
    }

    fn state(&self, provider: &str, surface: &str) -> SurfaceState {
        let states = self.states.read();
        // without an allocation for the common case
        if states.is_empty() {
            return SurfaceState::Shadow;
        }
        states.get(&(provider.to_owned(), surface.to_owned())).copied().unwrap_or_default()
    }

    /// Notes an item of a channel, or a page, after its response.
    pub(crate) fn note(&self, org: OrgId, notice: Notice) {
        let routes = match &notice {
            Notice::Item { channel: None, .. } => None,
            Notice::Item { channel, .. } => Some(self.routes(channel.as_deref())),
            Notice::Query { routes, .. } => Some(routes.clone()),
        };
        if routes.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let names = routes.unwrap_or_default().into_iter().map(|route| route.provider().to_owned());
        self.notices.push(org, notice, names);
    }

    /// Notes pages that a compaction wrote.
    pub(crate) fn note_pages(&self, org: OrgId, workspace: WorkspaceId, pages: impl Iterator<Item = Uuid>) {
        pages.for_each(|page| self.notices.push(org, Notice::page(workspace, page), std::iter::empty()));
    }

    /// Reads the states again, at most once in an interval.
    pub(crate) async fn refresh(&self, is_forced: bool) -> Result<(), StoreError> {
        let now = self.clock.now();
        {
            let mut refreshed_at = self.refreshed_at.lock();
            if !is_forced && refreshed_at.is_some_and(|at| at <= now && now < at + REFRESH) {
                return Ok(());
            }
            *refreshed_at = Some(now);
        }
        let reading =
            self.store.read(ReadPlan::Scan, |tx| Ok::<_, StoreError>((tx.provider_surfaces()?, tx.outbox_sizes()?)));
        let (surfaces, sizes) = reading.await?;
        let states = surfaces.into_iter().map(|known| ((known.provider, known.surface), known.state));
        *self.states.write() = states.collect();
        for engine in &self.engines {
            let size: OutboxSize = sizes.get(engine.name()).copied().unwrap_or_default();
            let labels = ProviderLabels { provider: engine.name().to_owned() };
            self.metrics.waiting.get_or_create(&labels).set(size.rows);
            self.metrics.dropped.get_or_create(&labels).set(size.dropped);
        }
        Ok(())
    }

    /// The job that moves notices to the outboxes.
    pub(crate) async fn queue_notices(self: &Arc<Self>) -> Result<(), StoreError> {
        self.refresh(false).await?;
        let _turn = self.queueing.lock().await;
        let mut failed = Ok(());
        for (org, notices) in self.notices.take() {
            let (providers, shared) = (Arc::clone(self), Arc::new(notices));
            let (org, notices) = (OrgId::from(org), Arc::clone(&shared));
            if let Err(error) = self.store.write(org, move |tx| providers.queue(tx, org, &notices)).await {
                self.notices.restore(org, &shared);
                failed = Err(error);
            }
        }
        failed
    }

    /// Queues and sends until nothing waits, or no provider answers.
    pub(crate) async fn settle(self: &Arc<Self>) -> Result<(), StoreError> {
        let mut before = None;
        loop {
            self.queue_notices().await?;
            self.send().await?;
            let sizes = self.store.read(ReadPlan::Scan, |tx| tx.outbox_sizes()).await?;
            let rows: i64 = sizes.values().map(|size| size.rows).sum();
            if rows == 0 || before.is_some_and(|before| before <= rows) {
                return self.refresh(true).await;
            }
            before = Some(rows);
        }
    }

    fn queue(
        &self,
        tx: &mut dyn orgmem_store::WriteTx,
        org: OrgId,
        OrgNotices { notices, dropped }: &OrgNotices,
    ) -> Result<(), StoreError> {
        for notice in notices {
            match notice {
                Notice::Item { item, channel } => {
                    let Some(content) = tx.provided_content(org, item)? else { continue };
                    for route in self.permitted(tx, org, channel.as_deref(), &content)? {
                        let limits = self.limits_of(route.provider());
                        tx.queue_item(org, &[route], item, limits)?;
                    }
                }
                Notice::Query { reader, query, routes } => {
                    let (query, _) = self.scrubber.scrub(query);
                    for route in routes {
                        let limits = self.limits_of(route.provider());
                        let query = ProvidedQuery { route: route.clone(), reader: *reader, query: query.clone() };
                        tx.queue_queries(org, &[query], limits)?;
                    }
                }
            }
        }
        dropped.iter().try_for_each(|(provider, count)| tx.note_dropped(org, provider, *count))
    }

    fn limits_of(&self, provider: &str) -> orgmem_store::OutboxLimits {
        let engine = self.engines.iter().find(|engine| engine.name() == provider);
        engine.map_or(orgmem_store::OutboxLimits { rows: 0, bytes: 0 }, Engine::outbox)
    }

    /// The routes of an item by its current content and the current rules of its workspace.
    fn permitted(
        &self,
        tx: &mut (impl orgmem_store::ReadTx + ?Sized),
        org: OrgId,
        channel: Option<&str>,
        content: &ProvidedContent,
    ) -> Result<Vec<ProviderRoute>, StoreError> {
        let rules: Rules = excluded_kinds(&self.pages, tx, org, content.workspace)?;
        let is_excluded = |kind: &str| rules.excludes(kind);
        let mut routes = match &content.sources {
            ProvidedSources::Kind(kind) => self.rules.item_routes(channel, kind.as_deref(), is_excluded),
            ProvidedSources::Episodes(sources) => {
                let is_open = sources.iter().all(|(channel, kind)| {
                    !self.rules.item_routes(channel.as_deref(), kind.as_deref(), is_excluded).is_empty()
                });
                match is_open {
                    true => self.rules.page_routes(sources.iter().map(|(channel, _)| channel.as_deref())),
                    false => Vec::new(),
                }
            }
        };
        routes.retain(|route| self.state(route.provider(), route.surface()) != SurfaceState::Disqualified);
        Ok(routes)
    }

    /// Disqualifies a provider that returned an id which the reader may not see, and raises the alert.
    pub(crate) async fn disqualify(
        &self,
        engine: &Engine,
        surface: &str,
        org: OrgId,
        reader: WorkspaceId,
    ) -> Result<(), StoreError> {
        let (provider, of) = (engine.name().to_owned(), surface.to_owned());
        let key = (provider.clone(), of.clone());
        self.states.write().insert(key.clone(), SurfaceState::Disqualified);
        let is_new = self.store.write(SERVER, move |tx| tx.disqualify(&key.0, &key.1)).await?;
        if !is_new {
            return Ok(());
        }
        tracing::error!(
            provider,
            surface,
            "a provider returned an id that the reader may not see, and is disqualified"
        );
        self.metrics.disqualifications.get_or_create(&ProviderLabels { provider: provider.clone() }).inc();
        let record = AuditRecord::new(AuditAction::DisqualifyProvider, reader)
            .context_field("provider", provider.as_str())
            .context_field("surface", of.as_str())
            .event_field("provider", provider.as_str())
            .event_field("surface", of.as_str());
        self.store.write(org, move |tx| tx.record(record.clone()).map(drop)).await
    }

    /// Adds figures of surfaces.
    pub(crate) async fn add_figures(
        &self,
        provider: &str,
        figures: BTreeMap<String, Figures>,
    ) -> Result<(), StoreError> {
        if figures.is_empty() {
            return Ok(());
        }
        let provider = provider.to_owned();
        let adding = self.store.write(SERVER, move |tx| {
            figures.iter().try_for_each(|(surface, figures)| tx.add_figures(&provider, surface, figures))
        });
        adding.await
    }

    fn disqualified_of(&self, provider: &str) -> Vec<String> {
        let states = self.states.read();
        let disqualified =
            states.iter().filter(|((of, _), state)| of == provider && **state == SurfaceState::Disqualified);
        disqualified.map(|((_, surface), _)| surface.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    }
}
