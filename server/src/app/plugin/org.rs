//! The org of the plugin: created by the first request, and a new one after it was removed.

use std::sync::atomic::{AtomicU32, Ordering};

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::WorkspaceDraft;
use orgmem_policies::{Caller, ServerAction, ServerPass};
use orgmem_store::{Actor, ReadPlan};
use sha2::{Digest, Sha256};

use crate::app::{App, AppError};
use crate::auth::VerifiedClaims;

/// The name of the root.
const NAME: &str = "plugin";

/// The caller in the audit log.
const SUBJECT: &str = "plugin";

const WHY: &str = "creates the org of the memory-plugin listener";

/// The org that the listener uses. Its ids follow from a number, so that servers on one database agree on it; an id of a
/// removed org is never used again.
#[derive(Debug, Default)]
pub(in crate::app) struct PluginOrg {
    /// One more than the number; 0 while it is not known.
    known: AtomicU32,
}

fn root_of(number: u32) -> WorkspaceId {
    let digest = Sha256::digest(format!("orgmem plugin {number}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid().into()
}

impl App {
    /// The caller of the listener: an operator of the plugin's org.
    ///
    /// # Errors
    /// [`AppError::Store`].
    pub(crate) async fn plugin_claims(&self) -> Result<VerifiedClaims, AppError> {
        let number = match self.plugin.known.load(Ordering::Relaxed).checked_sub(1) {
            Some(number) => number,
            None => {
                let number = self.find_plugin_org().await?;
                self.plugin.known.store(number + 1, Ordering::Relaxed);
                number
            }
        };
        let root = root_of(number);
        Ok(VerifiedClaims::of_plugin(SUBJECT, root, root.uuid(), self.now()))
    }

    /// Makes the next request look for the org, after it was removed.
    pub(crate) fn forget_plugin_org(&self) {
        self.plugin.known.store(0, Ordering::Relaxed);
    }

    /// The number of the live org; creates it where none is.
    async fn find_plugin_org(&self) -> Result<u32, AppError> {
        let mut number = 0;
        loop {
            let root = root_of(number);
            let existing = self.store.read(ReadPlan::PointLookup, move |tx| -> Result<Option<bool>, AppError> {
                let Some(org) = tx.org_of(root)? else { return Ok(None) };
                Ok(Some(tx.tree(org)?.contains(root)))
            });
            match existing.await? {
                Some(true) => return Ok(number),
                Some(false) => number += 1,
                // another server may create it meanwhile
                None => self.create_plugin_org(root).await?,
            }
        }
    }

    async fn create_plugin_org(&self, root: WorkspaceId) -> Result<(), AppError> {
        let draft = WorkspaceDraft::check(NAME, None, None, self.scrubber)?;
        let create = move |tx: &mut dyn orgmem_store::WriteTx| -> Result<(), AppError> {
            let caller = Caller::system(WHY);
            tx.set_actor(Actor::caller(&caller, Some(root), None, None));
            let pass = ServerPass::grant(&caller, ServerAction::CreateOrg)?;
            tx.create_org(&pass, root, &draft)?;
            Ok(())
        };
        self.store.write(OrgId::of_root(root), create).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_differ_and_never_change() {
        assert_eq!(root_of(0).to_string(), ROOT_0);
        assert_ne!(root_of(0), root_of(1));
        assert_eq!(root_of(1).uuid().get_version_num(), 8);
    }

    const ROOT_0: &str = "16cd3c1d-7d27-80fd-83e6-64aa19dfaa21";
}
