//! The sweep of expired namespaces: they are absent already, and here their memories are erased.

use std::sync::Arc;

use orgmem_hierarchy::OrgId;
use orgmem_policies::Caller;
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Actor, ReadPlan, Store, WriteTx};

use super::is_expired;
use super::namespaces::EXPIRED;
use crate::app::AppError;
use crate::app::budgets::Meter;
use crate::app::call::Call;
use crate::app::fetched_records::FetchedRecords;
use crate::limits::BudgetRates;

/// Namespaces of one read.
const BATCH: usize = 100;

const WHY: &str = "erases expired namespaces of the memory-plugin contract";

/// Erases expired namespaces, each in a transaction of its own, and returns their number.
///
/// # Errors
/// [`AppError`]; nothing is lost, the next call continues.
pub(crate) async fn sweep_plugin_namespaces(store: &Store) -> Result<usize, AppError> {
    let reason = Arc::new(ReasonDraft::check(EXPIRED, Scrubber::built_in())?);
    let (rates, mut swept) = (Arc::new(BudgetRates::default()), 0);
    loop {
        let expired = store.read(ReadPlan::Scan, |tx| tx.expired_plugin_namespaces(BATCH)).await;
        let expired = expired.map_err(AppError::Store)?;
        if expired.is_empty() {
            return Ok(swept);
        }
        for (org, name) in expired {
            let (reason, meter) = (Arc::clone(&reason), Meter::off(&rates));
            store.write(org, move |tx: &mut dyn WriteTx| sweep(tx, org, &name, &reason, &meter)).await?;
            swept += 1;
        }
    }
}

/// Erases the namespace, if it is still expired.
fn sweep<'t>(
    tx: &'t mut (dyn WriteTx + 't),
    org: OrgId,
    name: &str,
    reason: &ReasonDraft,
    meter: &'t Meter,
) -> Result<(), AppError> {
    let Some(found) = tx.plugin_namespaces(org, &[name.to_owned()])?.pop() else { return Ok(()) };
    if !is_expired(&found, tx.now()) {
        return Ok(());
    }
    let workspace = found.workspace;
    if !tx.tree(org)?.contains(workspace) {
        // its workspace was removed without an erasure
        return Ok(tx.drop_plugin_namespace(org, name)?);
    }
    let caller = Caller::system(WHY);
    tx.set_actor(Actor::caller(&caller, Some(workspace), None, None));
    Call { tx, caller, org, workspace, run: None, meter, differences: Vec::new(), fetched: FetchedRecords::default() }
        .erase_workspace(workspace, reason)
}
