//! Namespaces of the memory-plugin contract.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::PluginNamespaceKind;

use crate::StoreError;

/// A stored namespace. Its memories are the LOCAL memories of its workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginNamespace {
    /// The name in the org.
    pub name: String,
    /// The workspace of the namespace, live or removed.
    pub workspace: WorkspaceId,
    /// The kind.
    pub kind: PluginNamespaceKind,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
}

transaction! {
    forward_plugin_reads

    /// The reads of namespaces of the memory-plugin contract, at the snapshot of a transaction.
    pub trait PluginReads {
        /// The stored namespaces with these names, in no particular order; also expired ones, and those of removed
        /// workspaces.
        ///
        /// # Errors
        /// [`StoreError`], as for every call of a transaction.
        fn plugin_namespaces(&mut self, org: OrgId, names: &[String]) -> Result<Vec<PluginNamespace>, StoreError>;

        /// At most `limit` expired namespaces of all orgs.
        fn expired_plugin_namespaces(&mut self, limit: usize) -> Result<Vec<(OrgId, String)>, StoreError>;
    }
}
