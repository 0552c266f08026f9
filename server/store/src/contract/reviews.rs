//! Reviews: differences between a claim and a record, for people to decide.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::rules::{FieldValue, ReviewStatus};
use serde_json::Value;
use uuid::Uuid;

use crate::StoreError;

/// The kind of an item with claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReviewedKind {
    /// A memory.
    Memory,
    /// An episode.
    Episode,
}

impl ReviewedKind {
    /// The name in storage and JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Episode => "episode",
        }
    }
}

/// A difference that a read found.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The kind of the item.
    pub kind: ReviewedKind,
    /// The item.
    pub item: Uuid,
    /// Its version; 1 for an episode.
    pub version: i64,
    /// Its author.
    pub workspace: WorkspaceId,
    /// The thing that the record describes.
    pub entity: String,
    /// Field of the record.
    pub field: String,
    /// The value of the claim.
    pub claimed: Value,
    /// The value of the record.
    pub record: FieldValue,
    /// The instant at which the value of the record held.
    pub as_of: DateTime<Utc>,
}

/// A stored review.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Id of the review.
    pub id: Uuid,
    /// The difference.
    pub difference: Difference,
    /// The decision.
    pub status: ReviewStatus,
    /// Time of the first read that found the difference.
    pub created_at: DateTime<Utc>,
    /// Time of the decision.
    pub decided_at: Option<DateTime<Utc>>,
    /// The caller who decided.
    pub decided_by: Option<String>,
    /// What the caller noted.
    pub note: Option<String>,
}

/// Reviews of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    /// Only items of this workspace.
    pub workspace: Option<WorkspaceId>,
    /// Only this status.
    pub status: Option<ReviewStatus>,
    /// Only this entity.
    pub entity: Option<String>,
}

transaction! {
    forward_read_reviews

    /// The part of a snapshot that reads reviews.
    pub trait ReadReviews {
        /// At most `limit` reviews of the org with ids below `before`, newest first.
        fn list_reviews(
            &mut self,
            org: OrgId,
            filter: &ReviewFilter,
            before: Option<Uuid>,
            limit: usize,
        ) -> Result<Vec<Review>, StoreError>;

        /// A review of the org.
        fn review(&mut self, org: OrgId, id: Uuid) -> Result<Option<Review>, StoreError>;

        /// The claims of these items, as item, entity and field, that the record won.
        fn lost_claims(
            &mut self,
            org: OrgId,
            items: &[Uuid],
        ) -> Result<HashSet<(Uuid, String, String)>, StoreError>;
    }
}
