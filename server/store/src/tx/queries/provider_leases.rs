//! Leases of outboxes: one server at a time sends an outbox to its provider.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use uuid::Uuid;

use super::Tx;
use super::providers::{QueuedRow, operation};
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::{OutboxLimits, OutboxWork, SentBatch};
use crate::schema::provider_queues;

impl Tx<'_> {
    pub(crate) fn lease_outbox(
        &mut self,
        org: OrgId,
        provider: &str,
        sender: Uuid,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let is_free = provider_queues::leased_until
            .is_null()
            .or(provider_queues::leased_until.le(Time(self.now)))
            .or(provider_queues::sender.eq(Id(sender)).assume_not_null());
        let free = provider_queues::table
            .filter(provider_queues::org_id.eq(Id::from(org)))
            .filter(provider_queues::provider.eq(provider.to_owned()))
            .filter(is_free);
        let leased =
            (provider_queues::sender.eq(Some(Id(sender))), provider_queues::leased_until.eq(Some(Time(until))));
        Ok(diesel::update(free).set(leased).execute(self.writing()?)? > 0)
    }

    /// # Returns
    /// Whether the sender had the lease until now.
    pub(super) fn release_outbox(&mut self, org: OrgId, provider: &str, sender: Uuid) -> Result<bool, StoreError> {
        let own = provider_queues::table
            .filter(provider_queues::org_id.eq(Id::from(org)))
            .filter(provider_queues::provider.eq(provider.to_owned()))
            .filter(provider_queues::sender.eq(Some(Id(sender))));
        let released = (provider_queues::sender.eq(None::<Id>), provider_queues::leased_until.eq(None::<Time>));
        Ok(diesel::update(own).set(released).execute(self.writing()?)? > 0)
    }

    /// Notes the items as held and queues them, so that the next sender sends their current content or withdraws them.
    pub(super) fn send_again(&mut self, org: OrgId, provider: &str, batch: &SentBatch) -> Result<(), StoreError> {
        self.hold_items(org, provider, &batch.items)?;
        for (row, _) in &batch.items {
            let OutboxWork::Send(kind) = row.work else { continue };
            let queued = self.queued_row(org, provider, &row.surface, operation(kind));
            // they were in the outbox, so they have room again
            let limits = OutboxLimits { rows: i64::MAX, bytes: i64::MAX };
            let (id, workspace_id) = (Id(row.id), row.workspace.into());
            self.queue(QueuedRow { id, workspace_id, ..queued }, limits)?;
        }
        Ok(())
    }
}
