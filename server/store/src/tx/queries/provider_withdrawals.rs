//! Withdrawals: what providers lose with the content of an item, in the same transaction.

use diesel::dsl::exists;
use diesel::prelude::*;

use super::Tx;
use super::providers::{HeldRow, QueuedRow, ROW_BYTES, TABLE, WITHDRAW, WITHDRAWN};
use crate::StoreError;
use crate::columns::Id;
use crate::contract::OutboxLimits;
use crate::engine::RowContext;
use crate::schema::{provider_items, provider_outbox, provider_queues};

impl Tx<'_> {
    /// Takes an item from the outboxes, and queues its withdrawal from the providers that have it. In the transaction of
    /// the removal, so that nothing of the item is sent after it.
    pub(crate) fn withdraw_from_providers(&mut self, org: Id, item: Id) -> Result<(), StoreError> {
        if !self.has_providers(org)? {
            return Ok(());
        }
        let queued: Vec<(String, String)> = provider_outbox::table
            .filter(provider_outbox::org_id.eq(org))
            .filter(provider_outbox::id.eq(item))
            .select((provider_outbox::provider, provider_outbox::operation))
            .load(self.conn()?)
            .row_context(TABLE, item.0)?;
        for (provider, operation) in queued {
            if operation != WITHDRAW {
                let row = provider_outbox::table.find((org, provider.clone(), item));
                diesel::delete(row).execute(self.writing()?)?;
                self.count_outbox(org, &provider, -1, -ROW_BYTES, 0)?;
            }
        }
        let held: Vec<HeldRow> = provider_items::table
            .filter(provider_items::org_id.eq(org))
            .filter(provider_items::id.eq(item))
            .filter(provider_items::surface.ne(WITHDRAWN))
            .select(HeldRow::as_select())
            .load(self.conn()?)
            .row_context("provider_items", item.0)?;
        self.queue_withdrawals(held)
    }

    /// The same for everything of workspaces whose content is erased, and for their queries.
    pub(crate) fn withdraw_workspaces(&mut self, org: Id, gone: &[Id]) -> Result<(), StoreError> {
        if !self.has_providers(org)? {
            return Ok(());
        }
        let queued = provider_outbox::table
            .filter(provider_outbox::org_id.eq(org))
            .filter(provider_outbox::workspace_id.eq_any(gone.to_vec()))
            .filter(provider_outbox::operation.ne(WITHDRAW));
        let providers: Vec<String> =
            queued.clone().select(provider_outbox::provider).distinct().load(self.conn()?).row_context(TABLE, org.0)?;
        if !providers.is_empty() {
            diesel::delete(queued).execute(self.writing()?)?;
            self.pending.deleted_from.push(TABLE);
        }
        providers.iter().try_for_each(|provider| self.recount_outbox(org, provider, 0))?;
        let held: Vec<HeldRow> = provider_items::table
            .filter(provider_items::org_id.eq(org))
            .filter(provider_items::workspace_id.eq_any(gone.to_vec()))
            .filter(provider_items::surface.ne(WITHDRAWN))
            .select(HeldRow::as_select())
            .load(self.conn()?)
            .row_context("provider_items", org.0)?;
        self.queue_withdrawals(held)
    }

    /// Whether a provider may have something of the org: one look for each group of writes, because most orgs have none. The
    /// counters of outboxes are never deleted, and every item goes through an outbox.
    fn has_providers(&mut self, org: Id) -> Result<bool, StoreError> {
        if let Some(known) = self.view(org.org())?.has_providers {
            return Ok(known);
        }
        let counters = provider_queues::table.filter(provider_queues::org_id.eq(org));
        let found = diesel::select(exists(counters)).get_result(self.conn()?).row_context("provider_queues", org.0)?;
        self.view(org.org())?.has_providers = Some(found);
        Ok(found)
    }

    fn queue_withdrawals(&mut self, held: Vec<HeldRow>) -> Result<(), StoreError> {
        // withdrawals have room in every outbox
        let limits = OutboxLimits { rows: 0, bytes: 0 };
        for item in held {
            let row = self.queued_row(item.org_id.org(), &item.provider, &item.surface, WITHDRAW);
            self.queue(QueuedRow { id: item.id, workspace_id: item.workspace_id, ..row }, limits)?;
        }
        Ok(())
    }
}
