//! An agent of one workspace.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{ActPass, Permission, ReadPass, ViewPass};
use orgmem_store::{ReadPlan, ReadTx, Store, StoreError, WriteTx};

use super::orgs::{Failure, Org, system};

/// An agent of a workspace, with its store.
#[derive(Clone)]
pub(crate) struct Agent {
    pub(crate) store: Store,
    pub(crate) org: OrgId,
    pub(crate) id: WorkspaceId,
}

impl Agent {
    pub(crate) fn new(store: &Store, org: &Org, name: &str) -> Self {
        Self { store: store.clone(), org: org.id, id: org.get(name) }
    }

    /// A write that needs a pass for the workspace.
    pub(crate) async fn act<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut dyn WriteTx, &ActPass) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (org, id) = (self.org, self.id);
        let write = self.store.write(org, move |tx| {
            let pass = ActPass::grant(&system(), Permission::WriteEntries, &*tx.tree(org)?, id)?;
            work(tx, &pass)
        });
        write.await
    }

    /// A read that needs a pass for the workspace.
    pub(crate) async fn view<T: Send + 'static>(
        &self,
        look: impl FnMut(&mut dyn ReadTx, &ViewPass) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.view_at(ReadPlan::Scan, look).await
    }

    /// The same with this plan.
    pub(crate) async fn view_at<T: Send + 'static>(
        &self,
        cost: ReadPlan,
        mut look: impl FnMut(&mut dyn ReadTx, &ViewPass) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        let (org, id) = (self.org, self.id);
        let read = self.store.read(cost, move |tx| -> Result<T, Failure> {
            let pass = view_pass(tx, org, id)?;
            Ok(look(tx, &pass)?)
        });
        read.await.expect("an answer")
    }
}

/// A pass to view a workspace.
pub(crate) fn view_pass(tx: &mut (impl ReadTx + ?Sized), org: OrgId, id: WorkspaceId) -> Result<ViewPass, Failure> {
    Ok(ViewPass::grant(&system(), Permission::ReadEntries, &*tx.tree(org)?, id)?)
}

/// A pass to read memories as a workspace.
pub(crate) fn read_pass(tx: &mut (impl ReadTx + ?Sized), org: OrgId, id: WorkspaceId) -> Result<ReadPass, Failure> {
    let profile = tx.default_settings(org, id)?;
    Ok(ReadPass::grant(&system(), &*tx.tree(org)?, id, &profile)?)
}
