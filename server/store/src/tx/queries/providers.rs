//! Outboxes of providers. `provider_figures.rs` has their states and figures, `provider_contents.rs` what is sent.
//!
//! The counter of an outbox is exact: all writes of an org hold the lock of its row.

use std::collections::HashMap;

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::providers::ProviderRoute;
use uuid::Uuid;

use super::Tx;
use super::upsert::Upsert;
use crate::StoreError;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{
    HeldItem, MAX_QUERY_AGE, OutboxDone, OutboxLimits, OutboxRow, OutboxSize, OutboxWork, ProvidedItem, ProvidedKind,
    ProvidedQuery, SentBatch, WITHDRAWN_FOR,
};
use crate::engine::RowContext;
use crate::schema::{provider_items, provider_outbox, provider_queues};

pub(super) const TABLE: &str = "provider_outbox";

const RETRIEVE: &str = "retrieve";
pub(super) const WITHDRAW: &str = "withdraw";
/// The surface of an item that was withdrawn.
pub(super) const WITHDRAWN: &str = "";

/// The bytes of a row besides its query.
pub(super) const ROW_BYTES: i64 = 128;

/// Ids of one statement.
const CHUNK: usize = 500;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = provider_outbox, treat_none_as_default_value = false)]
pub(super) struct QueuedRow {
    pub(super) org_id: Id,
    pub(super) provider: String,
    pub(super) id: Id,
    pub(super) mark: Id,
    pub(super) operation: String,
    pub(super) surface: String,
    pub(super) workspace_id: Id,
    pub(super) query: Option<String>,
    pub(super) bytes: i64,
    pub(super) queued_at: Time,
}

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = provider_items)]
pub(super) struct HeldRow {
    pub(super) org_id: Id,
    pub(super) provider: String,
    pub(super) id: Id,
    pub(super) workspace_id: Id,
    pub(super) surface: String,
    pub(super) namespace: String,
    pub(super) sent_at: Time,
}

pub(super) const fn operation(kind: ProvidedKind) -> &'static str {
    match kind {
        ProvidedKind::Memory => "record_memory",
        ProvidedKind::Episode => "record_episode",
        ProvidedKind::Page => "compact_page",
    }
}

impl QueuedRow {
    fn read(self) -> Result<OutboxRow, StoreError> {
        let known = [ProvidedKind::Memory, ProvidedKind::Episode, ProvidedKind::Page];
        let work = match (self.operation.as_str(), self.query) {
            (RETRIEVE, Some(query)) => OutboxWork::Retrieve(query),
            (WITHDRAW, _) => OutboxWork::Withdraw,
            (word, _) => match known.into_iter().find(|kind| operation(*kind) == word) {
                Some(kind) => OutboxWork::Send(kind),
                None => return Err(StoreError::unreadable(TABLE, self.id.0, "an unknown operation")),
            },
        };
        let (id, mark, workspace) = (self.id.0, self.mark.0, self.workspace_id.workspace());
        Ok(OutboxRow { id, mark, surface: self.surface, workspace, work })
    }
}

impl Tx<'_> {
    pub(crate) fn outbox_sizes(&mut self) -> Result<HashMap<String, OutboxSize>, StoreError> {
        let rows: Vec<(String, i64, i64, i64)> = provider_queues::table
            .select((
                provider_queues::provider,
                provider_queues::row_count,
                provider_queues::bytes,
                provider_queues::dropped,
            ))
            .load(self.conn()?)
            .row_context("provider_queues", "all")?;
        let mut sizes: HashMap<String, OutboxSize> = HashMap::new();
        for (provider, rows, bytes, dropped) in rows {
            let size = sizes.entry(provider).or_default();
            size.rows += rows;
            size.bytes += bytes;
            size.dropped += dropped;
        }
        Ok(sizes)
    }

    pub(crate) fn orgs_with_outbox(&mut self, provider: &str) -> Result<Vec<OrgId>, StoreError> {
        let orgs: Vec<Id> = provider_queues::table
            .filter(provider_queues::provider.eq(provider.to_owned()))
            .filter(provider_queues::row_count.gt(0))
            .order(provider_queues::org_id)
            .select(provider_queues::org_id)
            .load(self.conn()?)
            .row_context("provider_queues", provider)?;
        Ok(orgs.into_iter().map(Id::org).collect())
    }

    pub(crate) fn held_items(
        &mut self,
        org: OrgId,
        provider: &str,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, HeldItem>, StoreError> {
        let mut held = HashMap::new();
        for ids in ids.chunks(CHUNK) {
            let ids: Vec<Id> = ids.iter().copied().map(Id).collect();
            let rows: Vec<HeldRow> = provider_items::table
                .filter(provider_items::org_id.eq(Id::from(org)))
                .filter(provider_items::provider.eq(provider.to_owned()))
                .filter(provider_items::id.eq_any(ids))
                .select(HeldRow::as_select())
                .load(self.conn()?)
                .row_context("provider_items", org)?;
            let item = |row: HeldRow| {
                (row.id.0, HeldItem { namespace: row.namespace, is_withdrawn: row.surface == WITHDRAWN })
            };
            held.extend(rows.into_iter().map(item));
        }
        Ok(held)
    }

    pub(crate) fn queue_item(
        &mut self,
        org: OrgId,
        routes: &[ProviderRoute],
        item: &ProvidedItem,
        limits: OutboxLimits,
    ) -> Result<(), StoreError> {
        for route in routes {
            let row = self.queued_row(org, route.provider(), route.surface(), operation(item.kind));
            self.queue(QueuedRow { id: Id(item.id), workspace_id: item.workspace.into(), ..row }, limits)?;
        }
        Ok(())
    }

    pub(crate) fn queue_queries(
        &mut self,
        org: OrgId,
        queries: &[ProvidedQuery],
        limits: OutboxLimits,
    ) -> Result<(), StoreError> {
        for ProvidedQuery { route, reader, query } in queries {
            let row = self.queued_row(org, route.provider(), route.surface(), RETRIEVE);
            let bytes = i64::try_from(query.as_str().len()).unwrap_or(i64::MAX).saturating_add(ROW_BYTES);
            let (workspace_id, query) = ((*reader).into(), Some(query.as_str().to_owned()));
            self.queue(QueuedRow { workspace_id, query, bytes, ..row }, limits)?;
        }
        Ok(())
    }

    pub(crate) fn note_dropped(&mut self, org: OrgId, provider: &str, dropped: i64) -> Result<(), StoreError> {
        self.count_outbox(org.into(), provider, 0, 0, dropped)
    }

    /// A row with a new id.
    pub(super) fn queued_row(&mut self, org: OrgId, provider: &str, surface: &str, operation: &str) -> QueuedRow {
        QueuedRow {
            org_id: org.into(),
            provider: provider.to_owned(),
            id: Id(self.core.ids.next(self.now)),
            mark: Id(self.core.ids.next(self.now)),
            operation: operation.to_owned(),
            surface: surface.to_owned(),
            workspace_id: Id::NIL,
            query: None,
            bytes: ROW_BYTES,
            queued_at: Time(self.now),
        }
    }

    /// Queues a row, or counts it as dropped. A row of the same id is replaced, so it needs no room.
    pub(super) fn queue(&mut self, row: QueuedRow, limits: OutboxLimits) -> Result<(), StoreError> {
        self.view(row.org_id.org())?.has_providers = Some(true);
        let key = (row.org_id, row.provider.clone(), row.id);
        if diesel::delete(provider_outbox::table.find(key)).execute(self.writing()?)? > 0 {
            self.count_outbox(row.org_id, &row.provider, -1, -ROW_BYTES, 0)?;
        } else if row.operation != WITHDRAW {
            let size = self.outbox_size(row.org_id, &row.provider)?;
            if size.rows >= limits.rows || size.bytes.saturating_add(row.bytes) > limits.bytes {
                return self.count_outbox(row.org_id, &row.provider, 0, 0, 1);
            }
        }
        self.count_outbox(row.org_id, &row.provider, 1, row.bytes, 0)?;
        diesel::insert_into(provider_outbox::table).values(&row).execute(self.writing()?)?;
        Ok(())
    }

    fn outbox_size(&mut self, org: Id, provider: &str) -> Result<OutboxSize, StoreError> {
        let size: Option<(i64, i64, i64)> = provider_queues::table
            .find((org, provider.to_owned()))
            .select((provider_queues::row_count, provider_queues::bytes, provider_queues::dropped))
            .first(self.conn()?)
            .optional()
            .row_context("provider_queues", provider)?;
        let (rows, bytes, dropped) = size.unwrap_or_default();
        Ok(OutboxSize { rows, bytes, dropped })
    }

    pub(super) fn count_outbox(
        &mut self,
        org: Id,
        provider: &str,
        rows: i64,
        bytes: i64,
        dropped: i64,
    ) -> Result<(), StoreError> {
        let insert = diesel::insert_into(provider_queues::table).values((
            provider_queues::org_id.eq(org),
            provider_queues::provider.eq(provider.to_owned()),
            provider_queues::row_count.eq(rows),
            provider_queues::bytes.eq(bytes),
            provider_queues::dropped.eq(dropped),
        ));
        let on_conflict = " ON CONFLICT (org_id, provider) DO UPDATE SET \
            row_count = provider_queues.row_count + excluded.row_count, \
            bytes = provider_queues.bytes + excluded.bytes, dropped = provider_queues.dropped + excluded.dropped";
        Upsert { insert, on_conflict }.execute(self.writing()?)?;
        Ok(())
    }

    /// Counts the rows again, after a deletion of many.
    pub(super) fn recount_outbox(&mut self, org: Id, provider: &str, dropped: i64) -> Result<(), StoreError> {
        // a sum of integers has another type on each database
        let sizes: Vec<i64> = provider_outbox::table
            .filter(provider_outbox::org_id.eq(org))
            .filter(provider_outbox::provider.eq(provider.to_owned()))
            .select(provider_outbox::bytes)
            .load(self.conn()?)
            .row_context(TABLE, provider)?;
        let (rows, bytes) = (i64::try_from(sizes.len()).unwrap_or(i64::MAX), sizes.iter().sum::<i64>());
        let size = self.outbox_size(org, provider)?;
        self.count_outbox(org, provider, rows - size.rows, bytes - size.bytes, dropped)
    }

    pub(crate) fn outbox(
        &mut self,
        org: OrgId,
        provider: &str,
        disqualified: &[String],
        limit: usize,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let org_id = Id::from(org);
        let old = provider_outbox::table
            .filter(provider_outbox::org_id.eq(org_id))
            .filter(provider_outbox::provider.eq(provider.to_owned()))
            .filter(provider_outbox::operation.eq(RETRIEVE))
            .filter(provider_outbox::queued_at.lt(Time(self.now - MAX_QUERY_AGE)));
        let withdrawn = provider_items::table
            .filter(provider_items::org_id.eq(org_id))
            .filter(provider_items::provider.eq(provider.to_owned()))
            .filter(provider_items::surface.eq(WITHDRAWN))
            .filter(provider_items::sent_at.lt(Time(self.now - WITHDRAWN_FOR)));
        diesel::delete(withdrawn).execute(self.writing()?)?;
        let mut gone = diesel::delete(old).execute(self.writing()?)?;
        if !disqualified.is_empty() {
            let closed = provider_outbox::table
                .filter(provider_outbox::org_id.eq(org_id))
                .filter(provider_outbox::provider.eq(provider.to_owned()))
                .filter(provider_outbox::surface.eq_any(disqualified.to_vec()))
                .filter(provider_outbox::operation.ne(WITHDRAW));
            gone += diesel::delete(closed).execute(self.writing()?)?;
        }
        if gone > 0 {
            self.recount_outbox(org_id, provider, i64::try_from(gone).unwrap_or(i64::MAX))?;
        }
        let rows: Vec<QueuedRow> = provider_outbox::table
            .filter(provider_outbox::org_id.eq(org_id))
            .filter(provider_outbox::provider.eq(provider.to_owned()))
            .order((provider_outbox::queued_at, provider_outbox::id))
            .limit(row_limit(limit))
            .select(QueuedRow::as_select())
            .load(self.conn()?)
            .row_context(TABLE, provider)?;
        rows.into_iter().map(QueuedRow::read).collect()
    }

    pub(crate) fn hold_items(
        &mut self,
        org: OrgId,
        provider: &str,
        items: &[(OutboxRow, String)],
    ) -> Result<(), StoreError> {
        for (row, namespace) in items {
            let held = HeldRow {
                org_id: org.into(),
                provider: provider.to_owned(),
                id: Id(row.id),
                workspace_id: row.workspace.into(),
                surface: row.surface.clone(),
                namespace: namespace.clone(),
                sent_at: Time(self.now),
            };
            let insert = diesel::insert_into(provider_items::table).values(held);
            let on_conflict = " ON CONFLICT (org_id, provider, id) DO UPDATE SET workspace_id = excluded.workspace_id, \
                surface = excluded.surface, namespace = excluded.namespace, sent_at = excluded.sent_at";
            Upsert { insert, on_conflict }.execute(self.writing()?)?;
        }
        Ok(())
    }

    pub(crate) fn complete_outbox(
        &mut self,
        org: OrgId,
        provider: &str,
        batch: &SentBatch,
    ) -> Result<usize, StoreError> {
        if !self.release_outbox(org, provider, batch.sender)? {
            self.send_again(org, provider, batch)?;
            return Ok(0);
        }
        let mut completed = 0;
        for OutboxDone { id, mark, is_withdrawn } in &batch.done {
            let key = (Id::from(org), provider.to_owned(), Id(*id));
            let unchanged = provider_outbox::table.find(key.clone()).filter(provider_outbox::mark.eq(Id(*mark)));
            let bytes: Option<i64> = unchanged
                .clone()
                .select(provider_outbox::bytes)
                .first(self.conn()?)
                .optional()
                .row_context(TABLE, id)?;
            let Some(bytes) = bytes else { continue };
            diesel::delete(unchanged).execute(self.writing()?)?;
            self.count_outbox(key.0, provider, -1, -bytes, 0)?;
            completed += 1;
            if *is_withdrawn {
                diesel::update(provider_items::table.find(key))
                    .set((provider_items::surface.eq(WITHDRAWN), provider_items::sent_at.eq(Time(self.now))))
                    .execute(self.writing()?)?;
            }
        }
        Ok(completed)
    }
}
