//! Removals of another copy of the database, repeated in an older one: after a restore.
//!
//! Source: `docs/spec/backup.md`, "Removals".

use std::collections::BTreeSet;

use orgmem_hierarchy::{Children, OrgId, Tree, WorkspaceId};
use orgmem_policies::{Caller, Refusal, ServerAction, ServerPass, TreePass};
use orgmem_store::{
    ErasedPart, OnProgress, Removal, RemovalSource, Removed, Repeated, Store, StoreError, TransferError,
    TransferProgress, WriteTx,
};

/// Changes of the index that are written into segments at once.
const SEGMENT_CHANGES: usize = 2_000;

/// The failure of a repetition. What was repeated before remains, and the next run continues.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RepeatError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Source(#[from] TransferError),
    #[error("a purged workspace cannot be removed here: {0}")]
    Refused(#[from] Refusal),
}

/// Repeats all removals of `source` in `store`. Content that is not there or is removed already is skipped, so a second run
/// changes nothing.
///
/// # Complexity
/// O(removals); a page of them is in memory at once.
pub(crate) async fn repeat(
    store: &Store,
    source: &mut dyn RemovalSource,
    progress: OnProgress<'_>,
) -> Result<Repeated, RepeatError> {
    let (mut repeated, mut rows, mut orgs) = (Repeated::default(), 0, BTreeSet::new());
    loop {
        let page = source.next_page()?;
        let Some(first) = page.first() else { break };
        let org = OrgId::from(first.org);
        orgs.insert(org);
        rows += page.len() as u64;
        let written = store.write(org, move |tx| -> Result<Repeated, RepeatError> {
            let caller = Caller::system("restore");
            let pass = ServerPass::grant(&caller, ServerAction::Erase)?;
            for removal in &page {
                remove_workspaces(tx, &caller, org, removal)?;
            }
            Ok(tx.repeat_removals(&pass, &page)?)
        });
        repeated.add(written.await?);
        progress(TransferProgress { step: "remove", unit: "removals", rows, total: 0 });
    }
    for org in orgs {
        // the stored segments of the index still have the removed words; a server would write them again within seconds
        while store.store_segments(org, SEGMENT_CHANGES).await? {}
    }
    Ok(repeated)
}

/// Removes the live workspaces of a purge or of an erased org from the tree. Children that were not purged are promoted.
fn remove_workspaces(tx: &mut dyn WriteTx, caller: &Caller, org: OrgId, removal: &Removal) -> Result<(), RepeatError> {
    let Removed::Erasure { erased, .. } = &removal.what else { return Ok(()) };
    let gone: BTreeSet<WorkspaceId> = match erased {
        ErasedPart::Subject(_) => return Ok(()),
        ErasedPart::Workspaces(ids) => ids.iter().map(|id| (*id).into()).collect(),
        ErasedPart::Org => tx.tree(org)?.workspaces().collect(),
    };
    loop {
        let Some((next, children)) = next_removal(&*tx.tree(org)?, &gone) else { return Ok(()) };
        let pass = TreePass::remove(caller, &*tx.tree(org)?, next, children)?;
        tx.change_tree(&pass)?;
    }
}

/// The next workspace of `gone` to remove: a whole subtree at once where all of it is gone, otherwise a single workspace
/// without children in `gone`.
fn next_removal(tree: &Tree, gone: &BTreeSet<WorkspaceId>) -> Option<(WorkspaceId, Children)> {
    let live = || gone.iter().copied().filter(|id| tree.contains(*id));
    if gone.contains(&tree.root()) && tree.contains(tree.root()) {
        return Some((tree.root(), Children::Cascade));
    }
    let mut tops = live().filter(|id| tree.parent(*id).is_none_or(|parent| !gone.contains(&parent)));
    let is_all_gone = |top: &WorkspaceId| {
        let mut below = vec![*top];
        while let Some(id) = below.pop() {
            if !gone.contains(&id) {
                return false;
            }
            below.extend(tree.children(id));
        }
        true
    };
    if let Some(top) = tops.find(is_all_gone) {
        return Some((top, Children::Cascade));
    }
    let is_leaf = |id: &WorkspaceId| tree.children(*id).all(|child| !gone.contains(&child));
    live().find(is_leaf).map(|id| (id, Children::Promote))
}
