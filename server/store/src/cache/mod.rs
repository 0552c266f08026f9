//! Caches of database content. Each entry has a version, which is compared with the org's row of the reader's snapshot,
//! so that servers that share a database never serve stale data.

mod backlog;
mod bounded;
mod commits;
mod entries;
mod index;
mod org;
mod own_tree;
mod partition;
mod purge;
mod recalls;
mod rows;
mod text_backlog;
mod versioned;

pub(crate) use backlog::OrgBacklog;
pub(crate) use bounded::{Bounded, UseMark};
pub(crate) use commits::Commits;
pub(crate) use index::{Effect, FoundPartition, IndexChange, IndexState, OrgIndex, PartitionCache, PartitionKey};
pub(crate) use org::{Defaults, NameMap, Named, OrgCache, Revocations, Versioned};
pub(crate) use own_tree::OwnTree;
pub(crate) use partition::{Served, apply};
pub(crate) use recalls::Recalls;
pub(crate) use rows::{EntryRow, OrgRow};
pub(crate) use text_backlog::TextBacklog;

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use parking_lot::Mutex;

pub(crate) struct Caches {
    orgs: Bounded<OrgId, Arc<OrgCache>>,
    /// Needs no version: a workspace never changes its org.
    pub(crate) workspace_orgs: Bounded<WorkspaceId, OrgId>,
    pub(crate) partitions: Arc<PartitionCache>,
    /// Used only with a single writer.
    pub(crate) commits: Commits,
    pub(crate) segment_backlog: Mutex<OrgBacklog>,
    pub(crate) text_backlog: Mutex<TextBacklog>,
}

/// Enough for trees of a million workspaces in total.
const ORGS_BYTES: usize = 192 << 20;
const WORKSPACES: usize = 200_000;

impl Caches {
    /// `index_bytes` is the maximum size of the keyword index.
    pub(crate) fn new(index_bytes: usize) -> Self {
        let (orgs, workspace_orgs) = (Bounded::new(ORGS_BYTES), Bounded::new(WORKSPACES));
        Self {
            orgs,
            workspace_orgs,
            partitions: Arc::new(PartitionCache::new(index_bytes)),
            commits: Commits::default(),
            segment_backlog: Mutex::default(),
            text_backlog: Mutex::default(),
        }
    }

    /// The cache of one org. Creates an empty one on demand.
    pub(crate) fn org(&self, org: OrgId) -> Arc<OrgCache> {
        self.orgs.get_or_insert_with(&org, || (Arc::new(OrgCache::new(&self.partitions)), OrgCache::EMPTY_BYTES))
    }

    /// Clears all caches with versions. Needed after the database went back in time, for example by a failover to a
    /// lagging replica: its snapshots would remain older than the caches.
    pub(crate) fn forget(&self) {
        self.orgs.clear();
    }

    /// Updates the recorded size of the cache of an org. Does nothing while a transaction changes the tree; that
    /// transaction calls it again.
    pub(crate) fn weigh(&self, org: OrgId, cache: &OrgCache) {
        if let Some(bytes) = cache.bytes() {
            self.orgs.reweigh(&org, bytes);
        }
    }
}
