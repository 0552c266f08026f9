//! What is kept in memory of the database. Everything here is checked against the org's row of the snapshot that is
//! asked, so that a server that shares its database with others never answers from a stale copy.

mod bounded;
mod commits;
mod entries;
mod index;
mod org;
mod own_tree;
mod rows;
mod versioned;

pub(crate) use bounded::Bounded;
pub(crate) use commits::Commits;
pub(crate) use index::{IndexChange, IndexState, OrgIndex, PartitionCache, PartitionKey, Served};
pub(crate) use org::{Defaults, NameMap, Named, OrgCache, Revocations, Versioned};
pub(crate) use own_tree::OwnTree;
pub(crate) use rows::{EntryRow, OrgRow};

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};

/// The caches of one store.
pub(crate) struct Caches {
    orgs: Bounded<OrgId, Arc<OrgCache>>,
    /// A workspace never changes its org, so this needs no check.
    pub(crate) workspace_orgs: Bounded<WorkspaceId, OrgId>,
    pub(crate) partitions: Arc<PartitionCache>,
    /// Of use where nobody else writes to the database.
    pub(crate) commits: Commits,
}

/// Trees of at least a million workspaces fit.
const ORGS_BYTES: usize = 192 << 20;
const WORKSPACES: usize = 200_000;

impl Caches {
    /// Empty ones; the keyword index may grow to so many bytes.
    pub(crate) fn new(index_bytes: usize) -> Self {
        let (orgs, workspace_orgs) = (Bounded::new(ORGS_BYTES), Bounded::new(WORKSPACES));
        Self {
            orgs,
            workspace_orgs,
            partitions: Arc::new(PartitionCache::new(index_bytes)),
            commits: Commits::default(),
        }
    }

    /// The cache of one org, empty if it is new.
    pub(crate) fn org(&self, org: OrgId) -> Arc<OrgCache> {
        self.orgs.get_or_insert_with(&org, || (Arc::new(OrgCache::new(&self.partitions)), OrgCache::EMPTY_BYTES))
    }

    /// Forgets everything that has a version. For a database that went back in time, as one does that fails over to a
    /// copy which lags behind: no snapshot of it will ever be as new as what is kept here.
    pub(crate) fn forget(&self) {
        self.orgs.clear();
    }

    /// Says how much the cache of an org has grown to; later, when its tree is being changed.
    pub(crate) fn weigh(&self, org: OrgId, cache: &OrgCache) {
        if let Some(bytes) = cache.bytes() {
            self.orgs.reweigh(&org, bytes);
        }
    }
}
