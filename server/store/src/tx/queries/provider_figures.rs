//! The states and figures of providers, in the org of the server.

use diesel::prelude::*;
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::ServerPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::providers::{Figures, SurfaceState};

use super::Tx;
use super::upsert::Upsert;
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{AuditRecord, ProviderSurface, SERVER};
use crate::engine::RowContext;
use crate::schema::provider_surfaces;

const TABLE: &str = "provider_surfaces";

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = provider_surfaces)]
struct SurfaceRow {
    org_id: Id,
    provider: String,
    surface: String,
    state: String,
    changed_at: Time,
    calls: i64,
    errors: i64,
    refusals: i64,
    samples: i64,
    overlap_sum: f64,
    rank_sum: f64,
    misses: i64,
    withheld: i64,
    latency_sum: i64,
    latency_max: i64,
}

impl SurfaceRow {
    fn new(provider: &str, surface: &str, state: SurfaceState, figures: &Figures, at: Time) -> Self {
        let Figures {
            calls,
            errors,
            refusals,
            samples,
            overlap_sum,
            rank_sum,
            misses,
            withheld,
            latency_sum,
            latency_max,
        } = *figures;
        Self {
            org_id: SERVER.into(),
            provider: provider.to_owned(),
            surface: surface.to_owned(),
            state: state.as_str().to_owned(),
            changed_at: at,
            calls,
            errors,
            refusals,
            samples,
            overlap_sum,
            rank_sum,
            misses,
            withheld,
            latency_sum,
            latency_max,
        }
    }

    fn read(self) -> Result<ProviderSurface, StoreError> {
        let state = self.state.parse();
        let state = state.map_err(|_| StoreError::unreadable(TABLE, &self.provider, "an unknown state"))?;
        let figures = Figures {
            calls: self.calls,
            errors: self.errors,
            refusals: self.refusals,
            samples: self.samples,
            overlap_sum: self.overlap_sum,
            rank_sum: self.rank_sum,
            misses: self.misses,
            withheld: self.withheld,
            latency_sum: self.latency_sum,
            latency_max: self.latency_max,
        };
        let (provider, surface, changed_at) = (self.provider, self.surface, self.changed_at.0);
        Ok(ProviderSurface { provider, surface, state, changed_at, figures })
    }
}

impl Tx<'_> {
    pub(crate) fn provider_surfaces(&mut self) -> Result<Vec<ProviderSurface>, StoreError> {
        let rows: Vec<SurfaceRow> = provider_surfaces::table
            .filter(provider_surfaces::org_id.eq(Id::from(SERVER)))
            .order((provider_surfaces::provider, provider_surfaces::surface))
            .select(SurfaceRow::as_select())
            .load(self.conn()?)
            .row_context(TABLE, "all")?;
        rows.into_iter().map(SurfaceRow::read).collect()
    }

    fn surface(&mut self, provider: &str, surface: &str) -> Result<Option<ProviderSurface>, StoreError> {
        let row: Option<SurfaceRow> = provider_surfaces::table
            .find((Id::from(SERVER), provider.to_owned(), surface.to_owned()))
            .select(SurfaceRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context(TABLE, provider)?;
        row.map(SurfaceRow::read).transpose()
    }

    pub(crate) fn surface_state(&mut self, provider: &str, surface: &str) -> Result<SurfaceState, StoreError> {
        Ok(self.surface(provider, surface)?.map(|known| known.state).unwrap_or_default())
    }

    pub(crate) fn add_figures(&mut self, provider: &str, surface: &str, figures: &Figures) -> Result<(), StoreError> {
        let known = self.surface(provider, surface)?;
        let (state, before, at) = match known {
            Some(known) => (known.state, known.figures, Time(known.changed_at)),
            None => (SurfaceState::Shadow, Figures::default(), Time(self.now)),
        };
        self.put_surface(SurfaceRow::new(provider, surface, state, &before.plus(*figures), at))
    }

    pub(crate) fn disqualify(&mut self, provider: &str, surface: &str) -> Result<bool, StoreError> {
        let known = self.surface(provider, surface)?;
        if known.as_ref().is_some_and(|known| known.state == SurfaceState::Disqualified) {
            return Ok(false);
        }
        self.change_state(AuditAction::DisqualifyProvider, provider, surface, SurfaceState::Disqualified)?;
        Ok(true)
    }

    pub(crate) fn set_surface_state(
        &mut self,
        _: &ServerPass,
        provider: &str,
        surface: &str,
        state: SurfaceState,
    ) -> Result<(), StoreError> {
        let action = match state {
            SurfaceState::Promoted => AuditAction::PromoteProvider,
            SurfaceState::Shadow => AuditAction::DemoteProvider,
            SurfaceState::Disqualified => AuditAction::DisqualifyProvider,
        };
        if self.surface_state(provider, surface)? == SurfaceState::Disqualified {
            return Ok(());
        }
        self.change_state(action, provider, surface, state)
    }

    fn change_state(
        &mut self,
        action: AuditAction,
        provider: &str,
        surface: &str,
        state: SurfaceState,
    ) -> Result<(), StoreError> {
        let figures = self.surface(provider, surface)?.map(|known| known.figures).unwrap_or_default();
        self.put_surface(SurfaceRow::new(provider, surface, state, &figures, Time(self.now)))?;
        let record = AuditRecord::new(action, WorkspaceId::NIL)
            .context_field("provider", provider)
            .context_field("surface", surface)
            .event_kind(None);
        self.record(record)?;
        Ok(())
    }

    fn put_surface(&mut self, row: SurfaceRow) -> Result<(), StoreError> {
        let insert = diesel::insert_into(provider_surfaces::table).values(row);
        let on_conflict = " ON CONFLICT (org_id, provider, surface) DO UPDATE SET state = excluded.state, \
            changed_at = excluded.changed_at, calls = excluded.calls, errors = excluded.errors, \
            refusals = excluded.refusals, samples = excluded.samples, overlap_sum = excluded.overlap_sum, \
            rank_sum = excluded.rank_sum, misses = excluded.misses, withheld = excluded.withheld, \
            latency_sum = excluded.latency_sum, latency_max = excluded.latency_max";
        Upsert { insert, on_conflict }.execute(self.writing()?)?;
        Ok(())
    }
}
