//! Providers: their outboxes, what they have, and their figures.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ServerPass;
use orgmem_policies::providers::{Figures, ProviderRoute, SurfaceState};
use orgmem_policies::scrub::Scrubbed;
use uuid::Uuid;

use crate::StoreError;

/// How long a withdrawn item is known, for responses that were on their way.
pub const WITHDRAWN_FOR: TimeDelta = TimeDelta::minutes(1);

/// How long a query waits for its provider.
pub const MAX_QUERY_AGE: TimeDelta = TimeDelta::hours(1);

/// The size of the outbox of a provider in one org.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxLimits {
    /// The largest number of rows. Withdrawals, of which there is at most one for each item, are always queued.
    pub rows: i64,
    /// The largest number of bytes.
    pub bytes: i64,
}

/// The kind of an item that a provider receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProvidedKind {
    /// A memory.
    Memory,
    /// An episode.
    Episode,
    /// A page.
    Page,
}

/// An item to send. Its text is read when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvidedItem {
    /// The kind.
    pub kind: ProvidedKind,
    /// The author of a memory, the workspace of an episode or page.
    pub workspace: WorkspaceId,
    /// The id.
    pub id: Uuid,
}

/// A query to repeat with a provider.
#[derive(Clone, Debug)]
pub struct ProvidedQuery {
    /// The provider and the surface.
    pub route: ProviderRoute,
    /// The reading workspace.
    pub reader: WorkspaceId,
    /// The query, scrubbed: it is stored.
    pub query: Scrubbed,
}

/// A row of an outbox.
#[derive(Clone, Debug, PartialEq)]
pub struct OutboxRow {
    /// The id of the item, or of the query.
    pub id: Uuid,
    /// Changes with every change of the row.
    pub mark: Uuid,
    /// The surface.
    pub surface: String,
    /// The workspace of the item, or the reader.
    pub workspace: WorkspaceId,
    /// What to do.
    pub work: OutboxWork,
}

/// The work of a row of an outbox.
#[derive(Clone, Debug, PartialEq)]
pub enum OutboxWork {
    /// Send the item.
    Send(ProvidedKind),
    /// Repeat the query.
    Retrieve(String),
    /// Withdraw the item.
    Withdraw,
}

/// What a provider has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldItem {
    /// Its namespace there.
    pub namespace: String,
    /// Whether it was withdrawn. A response that was on its way meanwhile may still have it.
    pub is_withdrawn: bool,
}

/// What the rules about kinds and channels apply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProvidedSources {
    /// The declared kind of a memory or an episode.
    Kind(Option<String>),
    /// The channels and declared kinds of the episodes of a page.
    Episodes(Vec<(Option<String>, Option<String>)>),
}

/// The current content of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct ProvidedContent {
    /// The namespace for it.
    pub namespace: String,
    /// The author of a memory, the workspace of an episode or page.
    pub workspace: WorkspaceId,
    /// What decides whether it may be sent.
    pub sources: ProvidedSources,
    /// The text.
    pub text: String,
    /// The end of a memory.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The end of the work on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxDone {
    /// The id of the row.
    pub id: Uuid,
    /// The mark of the row that was worked on.
    pub mark: Uuid,
    /// Whether the item was withdrawn.
    pub is_withdrawn: bool,
}

/// A batch of rows that a sender worked on.
#[derive(Clone, Debug)]
pub struct SentBatch {
    /// The sender, which had reserved the outbox.
    pub sender: Uuid,
    /// The rows whose work ended.
    pub done: Vec<OutboxDone>,
    /// The rows of items that were sent, or may have been, with the namespaces that the provider has them in.
    pub items: Vec<(OutboxRow, String)>,
}

/// The size of an outbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxSize {
    /// Rows.
    pub rows: i64,
    /// Bytes.
    pub bytes: i64,
    /// Rows that were dropped because the outbox was full, or too old.
    pub dropped: i64,
}

/// A provider on one surface.
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderSurface {
    /// The name of the provider.
    pub provider: String,
    /// The surface.
    pub surface: String,
    /// The state.
    pub state: SurfaceState,
    /// Time of the last change of the state.
    pub changed_at: DateTime<Utc>,
    /// The figures.
    pub figures: Figures,
}

transaction! {
    forward_provider_reads

    /// The part of a snapshot that reads providers.
    pub trait ProviderReads {
        /// The states and figures of all providers.
        fn provider_surfaces(&mut self) -> Result<Vec<ProviderSurface>, StoreError>;

        /// The state of a provider on one surface.
        fn surface_state(&mut self, provider: &str, surface: &str) -> Result<SurfaceState, StoreError>;

        /// The sizes of the outboxes of all orgs together, by provider.
        fn outbox_sizes(&mut self) -> Result<HashMap<String, OutboxSize>, StoreError>;

        /// The orgs whose outbox of a provider has rows.
        fn orgs_with_outbox(&mut self, provider: &str) -> Result<Vec<OrgId>, StoreError>;

        /// What a provider has of these items.
        fn held_items(
            &mut self,
            org: OrgId,
            provider: &str,
            ids: &[Uuid],
        ) -> Result<HashMap<Uuid, HeldItem>, StoreError>;

        /// The content of an item; `None` if it is not live, superseded, redacted or removed.
        fn provided_content(&mut self, org: OrgId, item: &ProvidedItem) -> Result<Option<ProvidedContent>, StoreError>;
    }
}

transaction! {
    forward_provider_writes

    /// The part of a job that writes outboxes and figures.
    pub trait ProviderWrites {
        /// Queues an item for these providers. It replaces a row of the same item. Counts it as dropped where the outbox
        /// is full.
        fn queue_item(
            &mut self,
            org: OrgId,
            routes: &[ProviderRoute],
            item: &ProvidedItem,
            limits: OutboxLimits,
        ) -> Result<(), StoreError>;

        /// Queues queries of this org.
        fn queue_queries(
            &mut self,
            org: OrgId,
            queries: &[ProvidedQuery],
            limits: OutboxLimits,
        ) -> Result<(), StoreError>;

        /// Counts entries of this org that were dropped before they could be queued.
        fn note_dropped(&mut self, org: OrgId, provider: &str, dropped: i64) -> Result<(), StoreError>;

        /// Reserves an outbox for a sender until a time, unless another sender has reserved it until later than now.
        ///
        /// # Returns
        /// Whether this sender may send.
        fn lease_outbox(
            &mut self,
            org: OrgId,
            provider: &str,
            sender: Uuid,
            until: DateTime<Utc>,
        ) -> Result<bool, StoreError>;

        /// Drops queries that waited for too long and, for disqualified surfaces, everything but withdrawals; returns the
        /// oldest rows.
        fn outbox(
            &mut self,
            org: OrgId,
            provider: &str,
            disqualified: &[String],
            limit: usize,
        ) -> Result<Vec<OutboxRow>, StoreError>;

        /// Notes what a provider has as soon as the items are sent: a later removal of the item withdraws it, whatever
        /// becomes of this server.
        fn hold_items(&mut self, org: OrgId, provider: &str, items: &[(OutboxRow, String)]) -> Result<(), StoreError>;

        /// Deletes the rows that are done and did not change meanwhile, and releases the outbox. A sender that lost its
        /// lease may have sent an item after another sender withdrew it, so everything that it sent is queued again.
        ///
        /// # Returns
        /// The number of deleted rows.
        fn complete_outbox(&mut self, org: OrgId, provider: &str, sent: &SentBatch) -> Result<usize, StoreError>;

        /// Adds to the figures of a surface; for a job of [`SERVER`](super::SERVER).
        fn add_figures(&mut self, provider: &str, surface: &str, figures: &Figures) -> Result<(), StoreError>;

        /// Disqualifies a provider for a surface; for a job of [`SERVER`](super::SERVER).
        ///
        /// # Returns
        /// Whether it was not disqualified before.
        fn disqualify(&mut self, provider: &str, surface: &str) -> Result<bool, StoreError>;

        /// Sets the state of a surface; for a job of [`SERVER`](super::SERVER). A disqualification stays.
        fn set_surface_state(
            &mut self,
            pass: &ServerPass,
            provider: &str,
            surface: &str,
            state: SurfaceState,
        ) -> Result<(), StoreError>;
    }
}
