//! Budgets of workspaces: read, set, remove; and their rates, which the services spend.

use std::cell::Cell;
use std::sync::Arc;

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::rules::{self, Budget, BudgetLimit, BudgetUse, MAX_BUDGET};
use orgmem_policies::{BudgetPass, Permission, TreePass, ViewPass, permit};
use orgmem_store::{ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::limits::BudgetRates;

impl App {
    /// The budgets that bind the workspace, with what is used.
    pub async fn read_budget(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<wire::WorkspaceBudget, AppError> {
        self.read(auth.call(workspace).plan(ReadPlan::PointLookup), |call| {
            let id = call.workspace;
            call.refuse_bound("read the budget of the workspace")?;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadWorkspace, tree, id))?;
            call.workspace_budget()
        })
        .await
    }

    /// Replaces the limits of the workspace.
    ///
    /// # Errors
    /// [`AppError::Field`] for a limit that is not positive; [`AppError::Forbidden`] for the operator of the workspace;
    /// [`AppError::Rule`] for more than a workspace above has.
    pub async fn set_budget(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::BudgetLimits,
    ) -> Result<wire::WorkspaceBudget, AppError> {
        let budget = checked(&request)?;
        self.write(auth.call(workspace), move |call| {
            let pass = call.manages_budget()?;
            let (id, known) = (call.workspace, call.tx.budgets(call.org)?);
            let above: Vec<(WorkspaceId, Budget)> = {
                let tree = call.tx.tree(call.org)?;
                tree.ancestors(id).filter_map(|above| Some((above, *known.get(&above)?))).collect()
            };
            rules::check_budget(&budget, &above)?;
            call.tx.set_budget(&pass, &budget)?;
            call.workspace_budget()
        })
        .await
    }

    /// Removes the limits of the workspace; those of the workspaces above it remain.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for the operator of the workspace.
    pub async fn remove_budget(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<wire::Deleted, AppError> {
        self.write(auth.call(workspace), move |call| {
            let pass = call.manages_budget()?;
            call.tx.set_budget(&pass, &Budget::default())?;
            Ok(wire::Deleted::done())
        })
        .await
    }
}

fn checked(request: &wire::BudgetLimits) -> Result<Budget, AppError> {
    let budget = Budget {
        memories: request.memories,
        bytes: request.bytes,
        writes_per_minute: request.writes_per_minute,
        searches_per_minute: request.searches_per_minute,
        embeddings_per_day: request.embeddings_per_day,
    };
    for limit in BudgetLimit::ALL {
        if budget.get(limit).is_some_and(|value| !(1..=MAX_BUDGET).contains(&value)) {
            let expected = format!("a whole number from 1 to {MAX_BUDGET}, or absent");
            return Err(AppError::Field { field: limit.as_str(), expected });
        }
    }
    Ok(budget)
}

impl WriteCall<'_> {
    fn manages_budget(&mut self) -> Result<BudgetPass, AppError> {
        let id = self.workspace;
        self.pass(|caller, tree| BudgetPass::grant(caller, tree, id))
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// Counts `amount` for a rate of the budgets of this workspace and of those above it, once for a request. A caller
    /// without `permission` uses up no budget.
    ///
    /// # Errors
    /// [`AppError`] of a caller without the permission; [`AppError::BudgetRate`].
    pub(super) fn spend(&mut self, permission: Permission, rate: BudgetLimit, amount: usize) -> Result<(), AppError> {
        let budgets = self.tx.budgets(self.org)?;
        if budgets.is_empty() || self.meter.is_counted(rate) {
            return Ok(());
        }
        let id = self.workspace;
        self.pass(|caller, tree| permit(caller, permission, tree, id))?;
        let holders: Vec<(WorkspaceId, i64)> = {
            let tree = self.tx.tree(self.org)?;
            let above = std::iter::once(id).chain(tree.ancestors(id));
            above.filter_map(|above| Some((above, budgets.get(&above)?.get(rate)?))).collect()
        };
        self.meter.rates.spend(&holders, rate, amount)?;
        // a refused write may run again, to be refused again
        self.meter.note_counted(rate);
        Ok(())
    }

    /// Counts `amount` writes, and as many embedded texts with an embedder.
    ///
    /// # Errors
    /// As for [`spend`](Self::spend).
    pub(super) fn spend_writes(
        &mut self,
        permission: Permission,
        amount: usize,
        is_embedded: bool,
    ) -> Result<(), AppError> {
        self.spend(permission, BudgetLimit::WritesPerMinute, amount)?;
        if is_embedded { self.spend(permission, BudgetLimit::EmbeddingsPerDay, amount) } else { Ok(()) }
    }

    /// Checks that the budgets above the new place have room for what moves there.
    ///
    /// # Errors
    /// [`AppError::Rule`] for a budget without.
    pub(super) fn check_room(&mut self, relocation: &TreePass) -> Result<(), AppError> {
        let moved = self.tx.moved_size(relocation)?;
        Ok(rules::check_growth(&moved.budgets, moved.size)?)
    }

    /// The budget of a row of the store, with the rates of this server.
    pub(super) fn budget(&self, found: &BudgetUse) -> wire::Budget {
        let BudgetUse { workspace, budget, used } = *found;
        let rate = |rate| budget.get(rate).map_or(0, |limit| self.meter.rates.used(workspace, rate, limit));
        wire::Budget {
            workspace_id: workspace.uuid(),
            limits: wire::BudgetLimits {
                memories: budget.memories,
                bytes: budget.bytes,
                writes_per_minute: budget.writes_per_minute,
                searches_per_minute: budget.searches_per_minute,
                embeddings_per_day: budget.embeddings_per_day,
            },
            used: wire::BudgetUsage {
                memories: used.memories,
                bytes: used.bytes,
                writes_per_minute: rate(BudgetLimit::WritesPerMinute),
                searches_per_minute: rate(BudgetLimit::SearchesPerMinute),
                embeddings_per_day: rate(BudgetLimit::EmbeddingsPerDay),
            },
        }
    }

    fn workspace_budget(&mut self) -> Result<wire::WorkspaceBudget, AppError> {
        let (org, id, top) = (self.org, self.workspace, self.caller.workspace());
        let mut found = self.tx.budgets_above(org, id)?;
        {
            let tree = self.tx.tree(org)?;
            found.retain(|found| top.is_none_or(|top| tree.is_within(found.workspace, top)));
        }
        let (own, above): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| found.workspace == id);
        Ok(wire::WorkspaceBudget {
            own: own.first().map(|own| self.budget(own)),
            inherited: above.iter().map(|above| self.budget(above)).collect(),
        })
    }
}

/// The rates that a request counts for. An attempt of a transaction that is repeated counts once.
#[derive(Clone)]
pub(super) struct Meter {
    rates: Arc<BudgetRates>,
    counted: Cell<u8>,
}

impl Meter {
    pub(super) fn new(rates: &Arc<BudgetRates>) -> Self {
        Self { rates: Arc::clone(rates), counted: Cell::new(0) }
    }

    /// For a dry run, which counts for nothing.
    pub(super) fn off(rates: &Arc<BudgetRates>) -> Self {
        Self { rates: Arc::clone(rates), counted: Cell::new(u8::MAX) }
    }

    fn is_counted(&self, rate: BudgetLimit) -> bool {
        self.counted.get() & bit(rate) != 0
    }

    fn note_counted(&self, rate: BudgetLimit) {
        self.counted.set(self.counted.get() | bit(rate));
    }
}

fn bit(rate: BudgetLimit) -> u8 {
    1 << (rate as u8)
}
