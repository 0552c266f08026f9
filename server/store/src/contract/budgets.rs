//! Budgets of workspaces.

use std::collections::HashMap;
use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::TreePass;
use orgmem_policies::rules::{Budget, BudgetUse, StoredSize};

use crate::StoreError;

/// The budgets of an org, by workspace.
pub type Budgets = HashMap<WorkspaceId, Budget>;

/// What a move adds to the budgets above the new place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MovedSize {
    /// The budgets that bind the new place and not the previous one.
    pub budgets: Vec<BudgetUse>,
    /// What the moved workspace and everything below it have stored.
    pub size: StoredSize,
}

transaction! {
    forward_budget_reads

    /// The reads of budgets, at the snapshot of a transaction.
    pub trait BudgetReads {
        /// The budgets of an org.
        ///
        /// # Complexity
        /// Reads no rows unless a budget or a profile of the org changed since the previous call.
        ///
        /// # Errors
        /// [`StoreError`], as for every call of a transaction.
        fn budgets(&mut self, org: OrgId) -> Result<Arc<Budgets>, StoreError>;

        /// The budgets of a workspace and of those above it with what is used of each, the nearest first.
        fn budgets_above(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<BudgetUse>, StoreError>;

        /// The budgets of these workspaces, in no particular order; those without one are omitted.
        fn budgets_of(&mut self, org: OrgId, workspaces: &[WorkspaceId]) -> Result<Vec<BudgetUse>, StoreError>;

        /// What the move of `pass` adds to the budgets above the new place.
        ///
        /// # Complexity
        /// O(workspaces that move), nothing in an org without budgets.
        fn moved_size(&mut self, pass: &TreePass) -> Result<MovedSize, StoreError>;
    }
}
