//! Who reads whom, and why.

use orgmem_hierarchy::{Grant, Reason, Scope, Tree, WorkspaceId};
use orgmem_policies::{Action, ViewPass};
use orgmem_store::Cost;
use orgmem_types as wire;
use uuid::Uuid;

use super::call::Names;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// Whom the workspace can read now and who can read it, scope by scope, each with the reason.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it.
    pub async fn read_reach(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        scope: Option<Scope>,
    ) -> Result<wire::ReachAnswer, AppError> {
        self.read_as(who, id, Cost::Scan, move |call| {
            let id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Action::ReadReach, tree, id))?;
            let scopes: Vec<Scope> =
                Scope::ALL.into_iter().filter(|&each| scope.is_none_or(|one| one == each)).collect();
            let (reads, read_by) = {
                let tree = call.tx.tree(call.org)?;
                (sees(&tree, id, &scopes), seen_by(&tree, id, &scopes))
            };
            let mut named: Vec<WorkspaceId> = reads.iter().chain(&read_by).map(|row| row.other).collect();
            named.extend(reads.iter().chain(&read_by).filter_map(|row| row.grant.reason.about()));
            named.sort_unstable();
            named.dedup();
            let names = call.names(&named)?;
            Ok(wire::ReachAnswer {
                workspace_id: id.uuid(),
                reads: reads.into_iter().map(|row| row.named(&names)).collect(),
                read_by: read_by.into_iter().map(|row| row.named(&names)).collect(),
            })
        })
        .await
    }

    /// How two workspaces of one tree stand to each other: both directions, each scope, with reasons.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it for the first; the second must be of the same tree.
    pub async fn read_relation(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        other: Uuid,
    ) -> Result<wire::RelationAnswer, AppError> {
        self.read_as(who, id, Cost::Point, move |call| {
            let (id, other) = (call.workspace, WorkspaceId::from(other));
            call.pass(|caller, tree| ViewPass::grant(caller, Action::ReadReach, tree, id))?;
            let (relation, common_ancestor, decisions) = {
                let tree = call.tx.tree(call.org)?;
                let relation = tree.relation(id, other).ok_or(AppError::WORKSPACE_NOT_FOUND)?;
                let above = tree.common_ancestor(id, other).ok_or(AppError::WORKSPACE_NOT_FOUND)?;
                let decide = |scope| (scope, asked(&tree, id, other, scope), asked(&tree, other, id, scope));
                (relation, above, Scope::ALL.map(decide))
            };
            let reasons = decisions.iter().flat_map(|(_, there, back)| [reason(there), reason(back)]);
            let named: Vec<WorkspaceId> = reasons.filter_map(Reason::about).collect();
            let names = call.names(&named)?;
            let say = |decision: &Result<Grant, Reason>| reason(decision).say(|id| names.of(id));
            let row = |(scope, there, back): &(Scope, _, _)| wire::RelationRow {
                scope: *scope,
                reads: Result::is_ok(there),
                reads_reason: say(there),
                read_by: Result::is_ok(back),
                read_by_reason: say(back),
            };
            Ok(wire::RelationAnswer {
                workspace_id: id.uuid(),
                other_id: other.uuid(),
                relation,
                common_ancestor: common_ancestor.uuid(),
                rows: decisions.iter().map(row).collect(),
            })
        })
        .await
    }
}

/// One workspace at one scope, and why it is there.
struct Row {
    other: WorkspaceId,
    scope: Scope,
    grant: Grant,
}

impl Row {
    fn named(self, names: &Names) -> wire::ReachRow {
        wire::ReachRow {
            workspace_id: self.other.uuid(),
            name: names.of(self.other),
            scope: self.scope,
            via: self.grant.via,
            reason: self.grant.reason.say(|id| names.of(id)),
        }
    }
}

/// Whom `reader` reads. GLOBAL is the root's to write, so of the others no GLOBAL row is shown.
fn sees(tree: &Tree, reader: WorkspaceId, scopes: &[Scope]) -> Vec<Row> {
    let parts = tree.reach(reader).map(|reach| reach.parts().to_vec()).unwrap_or_default();
    let rows = parts.iter().flat_map(|part| {
        let author = part.author();
        let written = scopes.iter().filter(move |&&scope| part.covers(scope, None));
        let written = written.filter(move |&&scope| tree.write(author, scope, None).is_ok());
        written.filter_map(move |&scope| row(author, scope, tree.read(reader, author, scope, None)))
    });
    rows.collect()
}

/// Who reads `author`.
fn seen_by(tree: &Tree, author: WorkspaceId, scopes: &[Scope]) -> Vec<Row> {
    use orgmem_hierarchy::Audience;
    let mut rows = Vec::new();
    for &scope in scopes.iter().filter(|&&scope| tree.write(author, scope, None).is_ok()) {
        let readers: Vec<WorkspaceId> = match tree.audience(author, scope, None) {
            Some(Audience::These(readers)) => readers,
            Some(Audience::WholeOrg) => tree.subtree(tree.root()).map(|(reader, _)| reader).collect(),
            None => Vec::new(),
        };
        rows.extend(
            readers.into_iter().filter_map(|reader| row(reader, scope, tree.read(reader, author, scope, None))),
        );
    }
    rows
}

fn row(other: WorkspaceId, scope: Scope, decision: Result<Grant, Reason>) -> Option<Row> {
    decision.ok().map(|grant| Row { other, scope, grant })
}

/// Whether `reader` can read what `author` writes with `scope`; what it may not write, nobody reads.
fn asked(tree: &Tree, reader: WorkspaceId, author: WorkspaceId, scope: Scope) -> Result<Grant, Reason> {
    let grant = tree.read(reader, author, scope, None)?;
    tree.write(author, scope, None).map(|_| grant)
}

fn reason(decision: &Result<Grant, Reason>) -> Reason {
    match decision {
        Ok(grant) => grant.reason,
        Err(reason) => *reason,
    }
}
