//! Providers: notes for shadows, reads of promoted ones, figures, promotion and demotion.

use std::collections::HashMap;

use futures_util::future::join_all;
use orgmem_policies::providers::{Figures, SurfaceState, check_promotion};
use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::{OutboxSize, ProvidedItem, ProvidedKind, ProviderSurface, ReadPlan, SERVER};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::providers::{Engine, MemoryProvider, Notice, Providers, RETRIEVED, Retrieval, searched_by};

/// The name of the built-in provider in lists.
const BUILT_IN: &str = "built_in";

/// The member of the header `X-Audit-Context` with the surface of a request.
const CHANNEL: &str = "channel";

/// The channel of a request that has no field for it.
pub(super) fn channel_of(auth: &VerifiedClaims) -> Option<String> {
    let context = auth.context()?;
    Some(context.get(CHANNEL)?.as_str()?.to_owned())
}

impl App {
    /// Notes a written item for the providers of its channel. It is never waited for.
    pub(super) fn note_item(&self, workspace: Uuid, kind: ProvidedKind, id: Uuid, channel: Option<String>) {
        let (Some(providers), Some(_)) = (&self.providers, &channel) else { return };
        let workspace = workspace.into();
        let Some(org) = self.store.org_hint(workspace) else { return };
        providers.note(org, Notice::Item { item: ProvidedItem { kind, workspace, id }, channel });
    }

    /// Notes memories that were committed or changed by a request.
    pub(super) fn note_memories(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memories: impl IntoIterator<Item = Uuid>,
    ) {
        if self.providers.is_none() {
            return;
        }
        let Some(channel) = channel_of(auth) else { return };
        for memory in memories {
            self.note_item(workspace, ProvidedKind::Memory, memory, Some(channel.clone()));
        }
    }

    /// Notes a query that was answered.
    pub(super) fn note_query(&self, auth: &VerifiedClaims, workspace: Uuid, query: &str) {
        let Some(providers) = &self.providers else { return };
        let routes = providers.routes(channel_of(auth).as_deref());
        // a provider knows no end users
        if routes.is_empty() || auth.identity().user.is_bound() {
            return;
        }
        let reader = workspace.into();
        let Some(org) = self.store.org_hint(reader) else { return };
        providers.note(org, Notice::Query { reader, query: query.to_owned(), routes });
    }

    /// The ids that the promoted provider of the request's channel finds, best first. `None` if the built-in provider
    /// answers: without a promoted one, if that fails, and for callers who are refused.
    pub(super) async fn retrieved_by_provider(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        query: &str,
        limit: usize,
    ) -> Option<Vec<Uuid>> {
        let providers = self.providers.as_ref()?;
        let surface = channel_of(auth)?;
        let engine = providers.promoted(Some(&surface))?;
        let (name, of) = (engine.name().to_owned(), surface.clone());
        let reading = self.read(auth.call(workspace), move |call| {
            // a provider knows no end users
            if !call.reads(call.workspace)?.users().is_open() {
                return Ok(None);
            }
            // the state of this moment: a demotion by another server counts
            if call.tx.surface_state(&name, &of)? != SurfaceState::Promoted {
                return Ok(None);
            }
            Ok(searched_by(call.tx, call.org, call.workspace)?.map(|namespaces| (call.org, namespaces)))
        });
        let (org, namespaces) = reading.await.ok()??;
        let limit = limit.min(RETRIEVED);
        let retrieval = Retrieval { org, reader: workspace.into(), query: query.to_owned(), namespaces, limit };
        providers.retrieve(engine, &surface, &retrieval).await
    }

    /// The providers with their figures.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for callers other than admins.
    pub async fn list_providers(&self, auth: &VerifiedClaims) -> Result<wire::ProviderList, AppError> {
        let reading = self.read_server(auth, ReadPlan::Scan, |tx, caller| {
            ServerPass::grant(caller, ServerAction::ReadServer)?;
            Ok((tx.provider_surfaces()?, tx.outbox_sizes()?))
        });
        let (known, sizes) = reading.await?;
        let built_in = wire::ProviderReport {
            name: BUILT_IN.to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            capabilities: Vec::new(),
            error: None,
            outbox: wire::ProviderOutbox::default(),
            thresholds: None,
            surfaces: Vec::new(),
        };
        let Some(providers) = &self.providers else { return Ok(wire::ProviderList { providers: vec![built_in] }) };
        let error = providers.built_in().audit().await.err().map(|fault| fault.to_string());
        let built_in = wire::ProviderReport { error, ..built_in };
        let reports = providers.engines().iter().map(|engine| report(engine, &known, &sizes));
        let reports = join_all(reports).await;
        Ok(wire::ProviderList { providers: std::iter::once(built_in).chain(reports).collect() })
    }

    /// Lets a provider answer the reads of a surface.
    ///
    /// # Errors
    /// [`AppError::Promotion`] with the figures that do not permit it; [`AppError::NotFound`] for an unknown provider;
    /// [`AppError::Value`] for a surface that it does not shadow.
    pub async fn promote_provider(
        &self,
        auth: &VerifiedClaims,
        name: &str,
        request: wire::ChangeProvider,
    ) -> Result<wire::ProviderSurface, AppError> {
        self.change_provider(auth, name, request.surface, SurfaceState::Promoted).await
    }

    /// Lets the built-in provider answer the reads of a surface again.
    ///
    /// # Errors
    /// [`AppError::NotFound`] and [`AppError::Value`] as for [`promote_provider`](Self::promote_provider).
    pub async fn demote_provider(
        &self,
        auth: &VerifiedClaims,
        name: &str,
        request: wire::ChangeProvider,
    ) -> Result<wire::ProviderSurface, AppError> {
        self.change_provider(auth, name, request.surface, SurfaceState::Shadow).await
    }

    async fn change_provider(
        &self,
        auth: &VerifiedClaims,
        name: &str,
        surface: String,
        state: SurfaceState,
    ) -> Result<wire::ProviderSurface, AppError> {
        // nobody but an admin learns which providers exist
        self.read_server(auth, ReadPlan::PointLookup, |_, caller| {
            ServerPass::grant(caller, ServerAction::ManageProviders)?;
            Ok(())
        })
        .await?;
        let providers = self.providers.as_deref().ok_or(AppError::PROVIDER_NOT_FOUND)?;
        let engine = engine_of(providers, name)?;
        if !engine.surfaces().any(|known| known == surface) {
            let known: Vec<&str> = engine.surfaces().collect();
            let expected = format!("a surface that the provider shadows: {}", known.join(", "));
            return Err(AppError::Value { field: "surface".to_owned(), value: surface, expected });
        }
        let (provider, of, thresholds) = (name.to_owned(), surface.clone(), *engine.thresholds());
        self.write(auth.call(SERVER.uuid()).in_org(SERVER), move |call| {
            let pass = ServerPass::grant(&call.caller, ServerAction::ManageProviders)?;
            let known = call.tx.provider_surfaces()?;
            let known = known.into_iter().find(|known| known.provider == provider && known.surface == of);
            let (before, figures) = known.map(|known| (known.state, known.figures)).unwrap_or_default();
            if state == SurfaceState::Promoted {
                check_promotion(before, &figures, &thresholds)
                    .map_err(|refusal| AppError::Promotion { refusal, figures: Box::new(figures) })?;
            }
            if before != state {
                call.tx.set_surface_state(&pass, &provider, &of, state)?;
            }
            Ok(())
        })
        .await?;
        providers.refresh(true).await?;
        let known = self.store.read(ReadPlan::Scan, |tx| Ok::<_, AppError>(tx.provider_surfaces()?)).await?;
        Ok(surface_report(engine, &surface, &known))
    }
}

fn engine_of<'p>(providers: &'p Providers, name: &str) -> Result<&'p Engine, AppError> {
    providers.engines().iter().find(|engine| engine.name() == name).ok_or(AppError::PROVIDER_NOT_FOUND)
}

async fn report(
    engine: &Engine,
    known: &[ProviderSurface],
    sizes: &HashMap<String, OutboxSize>,
) -> wire::ProviderReport {
    let (health, error) = match engine.audit().await {
        Ok(health) => (Some(health), None),
        Err(error) => (None, Some(error)),
    };
    let (version, capabilities) = health.map(|health| (health.version, health.capabilities)).unzip();
    let OutboxSize { rows, bytes, dropped } = sizes.get(engine.name()).copied().unwrap_or_default();
    let thresholds = engine.thresholds();
    wire::ProviderReport {
        name: engine.name().to_owned(),
        version,
        capabilities: capabilities.unwrap_or_default(),
        error,
        outbox: wire::ProviderOutbox { rows, bytes, dropped },
        thresholds: Some(wire::ProviderThresholds {
            min_samples: thresholds.min_samples,
            min_agreement: thresholds.min_agreement,
            max_error_rate: thresholds.max_error_rate,
        }),
        surfaces: engine.surfaces().map(|surface| surface_report(engine, surface, known)).collect(),
    }
}

fn surface_report(engine: &Engine, surface: &str, known: &[ProviderSurface]) -> wire::ProviderSurface {
    let found = known.iter().find(|known| known.provider == engine.name() && known.surface == surface);
    let (state, figures) = found.map(|known| (known.state, known.figures)).unwrap_or_default();
    wire::ProviderSurface {
        surface: surface.to_owned(),
        state: match state {
            SurfaceState::Shadow => wire::ProviderState::Shadow,
            SurfaceState::Promoted => wire::ProviderState::Promoted,
            SurfaceState::Disqualified => wire::ProviderState::Disqualified,
        },
        changed_at: found.map(|known| known.changed_at),
        figures: figures_to_wire(&figures),
        refusal: check_promotion(state, &figures, engine.thresholds()).err().map(|refusal| refusal.to_string()),
    }
}

/// The figures of a surface as responses and problems have them.
pub(super) fn figures_to_wire(figures: &Figures) -> wire::ProviderFigures {
    wire::ProviderFigures {
        samples: figures.samples,
        agreement: figures.agreement(),
        overlap: figures.overlap(),
        rank_agreement: figures.rank_agreement(),
        misses: figures.misses,
        withheld: figures.withheld,
        calls: figures.calls,
        errors: figures.errors,
        refusals: figures.refusals,
        error_rate: figures.error_rate(),
        latency_mean_ms: figures.latency_mean() / 1_000.0,
        latency_max_ms: figures.latency_largest() / 1_000.0,
    }
}
