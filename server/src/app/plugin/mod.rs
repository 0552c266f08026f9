//! The memory-plugin contract: a store for platforms that check access themselves.
//!
//! The memories of all namespaces are in one org. Each namespace is a workspace below its root, and its memories are LOCAL
//! memories of that workspace, so that one path serves commits, search, erasure, budgets and the audit log.
//!
//! Source: `docs/spec/plugin.md`.

mod memories;
mod namespaces;
mod org;
mod sweep;

pub(super) use org::PluginOrg;
pub(crate) use sweep::sweep_plugin_namespaces;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::drafts::{DraftFault, check_plugin_name};
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{PluginNamespace, ReadTx};
use orgmem_types as wire;

use super::call::Call;
use super::{App, AppError};
use crate::decode::shortened;

impl App {
    /// The promises of this server, after a check that the store responds.
    ///
    /// # Errors
    /// [`AppError::Store`].
    pub(crate) async fn plugin_health(&self) -> Result<wire::PluginHealth, AppError> {
        use wire::PluginCapability as Capability;
        self.store.ping().await?;
        let embedding = self.embedding.is_some().then_some(Capability::Embedding);
        let always = [Capability::Fts, Capability::Ttl, Capability::Pin, Capability::Propagation];
        Ok(wire::PluginHealth {
            status: "ok".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            capabilities: embedding.into_iter().chain(always).collect(),
        })
    }
}

/// Checks a name.
///
/// # Errors
/// [`AppError::Value`] with the name; [`AppError::Draft`] for one that looks like a credential.
fn checked_name(field: &str, name: &str, scrubber: &Scrubber) -> Result<(), AppError> {
    match check_plugin_name("name", name, scrubber) {
        Ok(()) => Ok(()),
        Err(DraftFault::Form { expected, .. }) => Err(value(field, name, expected)),
        Err(fault) => Err(fault.into()),
    }
}

/// The error for a value that `field` may not have.
fn value(field: &str, value: &str, expected: &str) -> AppError {
    AppError::Value { field: field.to_owned(), value: shortened(value).into_owned(), expected: expected.to_owned() }
}

fn is_expired(namespace: &PluginNamespace, now: DateTime<Utc>) -> bool {
    namespace.expires_at.is_some_and(|at| at <= now)
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The current namespaces with these names. Absent are expired ones and those whose workspace was removed.
    fn plugin_namespaces(&mut self, names: &[String]) -> Result<Vec<PluginNamespace>, AppError> {
        let (now, mut found) = (self.tx.now(), self.tx.plugin_namespaces(self.org, names)?);
        let tree = self.tx.tree(self.org)?;
        found.retain(|namespace| !is_expired(namespace, now) && tree.contains(namespace.workspace));
        Ok(found)
    }

    /// # Errors
    /// [`AppError::PLUGIN_NAMESPACE_NOT_FOUND`].
    fn plugin_namespace(&mut self, name: &str) -> Result<PluginNamespace, AppError> {
        let found = self.plugin_namespaces(&[name.to_owned()])?.pop();
        found.ok_or(AppError::PLUGIN_NAMESPACE_NOT_FOUND)
    }

    /// Checks that a namespace still has this workspace.
    fn require_plugin_namespace(&mut self, name: &str, workspace: WorkspaceId) -> Result<(), AppError> {
        match self.plugin_namespace(name)?.workspace == workspace {
            true => Ok(()),
            false => Err(AppError::PLUGIN_NAMESPACE_NOT_FOUND),
        }
    }
}
