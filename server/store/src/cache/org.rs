//! What is kept of one org.

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
use super::{OrgIndex, OrgRow, PartitionCache, PartitionKey};

/// A value as of one version of the org.
pub(crate) struct Versioned<T> {
    pub(crate) version: i64,
    pub(crate) value: T,
}

/// Tokens of one org that are refused.
#[derive(Debug, Default)]
pub(crate) struct Revocations {
    pub(crate) tokens: HashSet<Uuid>,
    /// All tokens of these workspaces that were issued up to this instant.
    pub(crate) workspaces: HashMap<WorkspaceId, DateTime<Utc>>,
}

/// What workspaces are called.
pub(crate) type NameMap = HashMap<WorkspaceId, Arc<Named>>;

/// What a workspace is called, and how searches look at that.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) byline: Byline,
}

/// What default profiles say, of workspaces where they change anything.
pub(crate) type Defaults = HashMap<WorkspaceId, Arc<ProfileSettings>>;

/// One org's tree, names, shelves, entries, revocations, profiles and index, each as of some version; empty until they are
/// first asked for.
pub(crate) struct OrgCache {
    /// The org's row as the last commit that changed something left it, where nobody else writes to the database. Of the
    /// access log it may say less than there is.
    pub(crate) row: RwLock<Option<OrgRow>>,
    pub(crate) tree: Arc<RwLock<Option<Versioned<Tree>>>>,
    /// Of the tree's version.
    pub(crate) names: VersionedCache<WorkspaceId, Arc<Named>>,
    /// Of each author those that have something on them, of the org's version.
    pub(crate) partitions: VersionedCache<WorkspaceId, Arc<[PartitionKey]>>,
    /// Of the org's version.
    pub(crate) entries: EntryCache,
    pub(crate) revocations: RwLock<Option<Versioned<Revocations>>>,
    pub(crate) defaults: RwLock<Option<Versioned<Arc<Defaults>>>>,
    pub(crate) index: OrgIndex,
    /// Held by whoever loads the tree, so that it is loaded once. Not by one who changes it: that one is waited for here.
    pub(crate) loading_tree: Mutex<()>,
    /// The same of shelves. Who holds it does not ask for the tree.
    pub(crate) loading_partitions: Mutex<()>,
}

impl OrgCache {
    pub(crate) const EMPTY_BYTES: usize = 384;
    /// Of the graph a node and an edge, of the table a slot.
    const WORKSPACE_BYTES: usize = 128;
    const REVOCATION_BYTES: usize = 48;
    /// Of the table a slot, and a short name twice.
    const NAME_BYTES: usize = 224;
    /// Of the table a slot, and a few keys.
    const SHELVES_BYTES: usize = 224;
    /// Of the table a slot, and a few words.
    const PROFILE_BYTES: usize = 240;

    pub(crate) fn new(partitions: &Arc<PartitionCache>) -> Self {
        Self {
            row: RwLock::default(),
            tree: Arc::default(),
            names: VersionedCache::default(),
            partitions: VersionedCache::default(),
            entries: EntryCache::default(),
            revocations: RwLock::default(),
            defaults: RwLock::default(),
            index: OrgIndex::new(partitions),
            loading_tree: Mutex::default(),
            loading_partitions: Mutex::default(),
        }
    }

    /// About how much memory it takes; none while a transaction changes the tree. Whoever has it does not wait for it here,
    /// as that may be the same thread, and weighs it when it is done.
    pub(crate) fn bytes(&self) -> Option<usize> {
        let tree = self.tree.try_read()?.as_ref().map_or(0, |tree| tree.value.len());
        let revoked =
            self.revocations.read().as_ref().map_or(0, |now| now.value.tokens.len() + now.value.workspaces.len());
        let profiles = self.defaults.read().as_ref().map_or(0, |now| now.value.len());
        let profiles = profiles * Self::PROFILE_BYTES;
        let bytes = Self::EMPTY_BYTES
            + profiles
            + self.entries.bytes()
            + tree * Self::WORKSPACE_BYTES
            + self.names.len() * Self::NAME_BYTES
            + self.partitions.len() * Self::SHELVES_BYTES
            + revoked * Self::REVOCATION_BYTES;
        Some(bytes)
    }
}
