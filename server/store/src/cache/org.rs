//! The cache of one org.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Tree, WorkspaceId};
use orgmem_policies::ProfileSettings;
use orgmem_recall::Byline;
use parking_lot::{Mutex, RwLock};
use uuid::Uuid;

use super::entries::EntryCache;
use super::versioned::VersionedCache;
use super::{OrgIndex, OrgRow, PartitionCache, PartitionKey, Recalls};
use crate::contract::Budgets;

/// A value and the version of the org that it belongs to.
pub(crate) struct Versioned<T> {
    pub(crate) version: i64,
    pub(crate) value: T,
}

/// The revoked tokens of one org.
#[derive(Debug, Default)]
pub(crate) struct Revocations {
    pub(crate) tokens: HashSet<Uuid>,
    /// All tokens of a workspace issued up to this instant are revoked.
    pub(crate) workspaces: HashMap<WorkspaceId, DateTime<Utc>>,
}

pub(crate) type NameMap = HashMap<WorkspaceId, Arc<Named>>;

/// The name of a workspace, as displayed and as searches match it.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) byline: Byline,
}

/// The settings of the default profiles that restrict anything.
pub(crate) type Defaults = HashMap<WorkspaceId, Arc<ProfileSettings>>;

/// The tree, names, partitions, entries, revocations, profiles, budgets and index of one org, each with its own version and
/// empty until its first use.
pub(crate) struct OrgCache {
    /// The org's row after the last commit with changes; used only with a single writer. Its counters of the audit log
    /// may lag behind.
    pub(crate) row: RwLock<Option<OrgRow>>,
    pub(crate) tree: Arc<RwLock<Option<Versioned<Tree>>>>,
    /// Has the version of the tree.
    pub(crate) names: VersionedCache<WorkspaceId, Arc<Named>>,
    /// The partitions with live memories, by author. Has the version of the org.
    pub(crate) partitions: VersionedCache<WorkspaceId, Arc<[PartitionKey]>>,
    /// Has the version of the org.
    pub(crate) entries: EntryCache,
    pub(crate) revocations: RwLock<Option<Versioned<Revocations>>>,
    pub(crate) defaults: RwLock<Option<Versioned<Arc<Defaults>>>>,
    /// Has the version of the profiles.
    pub(crate) budgets: RwLock<Option<Versioned<Arc<Budgets>>>>,
    pub(crate) index: OrgIndex,
    /// Used only where other servers may write.
    pub(crate) recalls: Recalls,
    /// Held during a load of the tree, so that it is loaded once. A transaction that changes the tree does not hold it;
    /// the loader may wait for that transaction.
    pub(crate) loading_tree: Mutex<()>,
    /// Held during a load of partitions. Its holder must not request the tree.
    pub(crate) loading_partitions: Mutex<()>,
}

impl OrgCache {
    pub(crate) const EMPTY_BYTES: usize = 384;
    /// The estimated size of a node and an edge of the graph, and a slot of the map.
    const WORKSPACE_BYTES: usize = 128;
    const REVOCATION_BYTES: usize = 48;
    /// The estimated size of a slot of the map and two copies of a short name.
    const NAME_BYTES: usize = 224;
    /// The estimated size of a slot of the map and a few keys.
    const PARTITIONS_BYTES: usize = 224;
    /// The estimated size of a slot of the map and a few words.
    const PROFILE_BYTES: usize = 240;
    /// The estimated size of a slot of the map.
    const BUDGET_BYTES: usize = 144;

    pub(crate) fn new(partitions: &Arc<PartitionCache>) -> Self {
        Self {
            row: RwLock::default(),
            tree: Arc::default(),
            names: VersionedCache::default(),
            partitions: VersionedCache::default(),
            entries: EntryCache::default(),
            revocations: RwLock::default(),
            defaults: RwLock::default(),
            budgets: RwLock::default(),
            index: OrgIndex::new(partitions),
            recalls: Recalls::default(),
            loading_tree: Mutex::default(),
            loading_partitions: Mutex::default(),
        }
    }

    /// The estimated size in bytes; none while a transaction changes the tree. It does not wait for that transaction,
    /// which may run on the same thread and updates the recorded size at its end.
    pub(crate) fn bytes(&self) -> Option<usize> {
        let tree = self.tree.try_read()?.as_ref().map_or(0, |tree| tree.value.len());
        let revoked =
            self.revocations.read().as_ref().map_or(0, |now| now.value.tokens.len() + now.value.workspaces.len());
        let profiles = self.defaults.read().as_ref().map_or(0, |now| now.value.len());
        let profiles = profiles * Self::PROFILE_BYTES;
        let budgets = self.budgets.read().as_ref().map_or(0, |now| now.value.len());
        let bytes = Self::EMPTY_BYTES
            + profiles
            + budgets * Self::BUDGET_BYTES
            + self.entries.bytes()
            + tree * Self::WORKSPACE_BYTES
            + self.names.len() * Self::NAME_BYTES
            + self.partitions.len() * Self::PARTITIONS_BYTES
            + revoked * Self::REVOCATION_BYTES;
        Some(bytes)
    }
}
