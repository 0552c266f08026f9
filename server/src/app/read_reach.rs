//! Reach and relations of workspaces, with reasons.

use std::collections::HashMap;
use std::sync::Arc;

use orgmem_hierarchy::{Grant, Reason, Scope, Tree, WorkspaceId};
use orgmem_policies::{Permission, ProfileSettings, ViewPass, Withheld};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WorkspaceNames;
use super::reach_page::{ReachPage, ReachSelection, totals};
use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// One page of the workspaces that this one can read and of those that can read it, by relation, with reasons.
    ///
    /// # Errors
    /// [`AppError::Field`] for an invalid list of ids, [`AppError::Cursor`] for a foreign cursor.
    ///
    /// # Complexity
    /// O(workspaces in reach); the response has at most a page of them.
    pub async fn read_reach(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        query: wire::ReachQuery,
    ) -> Result<wire::ReachResponse, AppError> {
        let selection = ReachSelection::of(&query)?;
        self.read(auth.call(id).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadReach, tree, id))?;
            let scopes: Vec<Scope> = Scope::ALL.into_iter().filter(|&each| selection.includes(each)).collect();
            let profiles = call.tx.all_default_settings(call.org)?;
            let (reads, read_by) = {
                let tree = call.tx.tree(call.org)?;
                (readable_by(&tree, &profiles, id, &scopes), readers_of(&tree, &profiles, id, &scopes))
            };
            let (reads_totals, read_by_totals) = (totals(&reads), totals(&read_by));
            let ReachPage { reads, read_by, next } = selection.page(reads, read_by);
            let mut named: Vec<WorkspaceId> = reads.iter().chain(&read_by).map(|row| row.other).collect();
            named.extend(reads.iter().chain(&read_by).filter_map(|row| row.grant.reason.about()));
            named.sort_unstable();
            named.dedup();
            let names = call.names(&named)?;
            Ok(wire::ReachResponse {
                workspace_id: id.uuid(),
                reads: reads.into_iter().map(|row| row.named(&names)).collect(),
                read_by: read_by.into_iter().map(|row| row.named(&names)).collect(),
                reads_totals,
                read_by_totals,
                next,
            })
        })
        .await
    }

    /// The relation of two workspaces of one tree, in both directions, by scope, with reasons.
    pub async fn read_relation(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        other: Uuid,
    ) -> Result<wire::RelationResponse, AppError> {
        self.read(auth.call(id).plan(ReadPlan::PointLookup), move |call| {
            let (id, other) = (call.workspace, WorkspaceId::from(other));
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadReach, tree, id))?;
            let profiles = call.tx.all_default_settings(call.org)?;
            let (relation, common_ancestor, decisions) = {
                let tree = call.tx.tree(call.org)?;
                let relation = tree.relation(id, other).ok_or(AppError::WORKSPACE_NOT_FOUND)?;
                let above = tree.common_ancestor(id, other).ok_or(AppError::WORKSPACE_NOT_FOUND)?;
                let decide = |reader, author, scope| decide_writable(&tree, &profiles, reader, author, scope);
                let both = |scope| (scope, decide(id, other, scope), decide(other, id, scope));
                (relation, above, Scope::ALL.map(both))
            };
            let directions = decisions.iter().flat_map(|(_, there, back)| [there, back]);
            let named: Vec<WorkspaceId> = directions.filter_map(Decision::about).collect();
            let names = call.names(&named)?;
            let say = |decision: &Decision| decision.say(&names);
            let row = |(scope, there, back): &(Scope, Decision, Decision)| wire::RelationRow {
                scope: *scope,
                reads: there.is_yes(),
                reads_reason: say(there),
                read_by: back.is_yes(),
                read_by_reason: say(back),
            };
            Ok(wire::RelationResponse {
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

pub(super) struct ReachEntry {
    pub(super) other: WorkspaceId,
    pub(super) scope: Scope,
    pub(super) grant: Grant,
}

impl ReachEntry {
    fn named(self, names: &WorkspaceNames) -> wire::ReachRow {
        wire::ReachRow {
            workspace_id: self.other.uuid(),
            name: names.of(self.other),
            scope: self.scope,
            via: self.grant.via,
            reason: self.grant.reason.say(|id| names.of(id)),
        }
    }
}

/// Settings of default profiles that differ from the default.
type Profiles = HashMap<WorkspaceId, Arc<ProfileSettings>>;

/// Whether one workspace reads memories of another with one scope, by the tree and by the reader's profile.
enum Decision {
    Tree(Result<Grant, Reason>),
    Withheld(Withheld),
}

impl Decision {
    fn is_yes(&self) -> bool {
        matches!(self, Self::Tree(Ok(_)))
    }

    fn reason(&self) -> Option<Reason> {
        match self {
            Self::Tree(Ok(grant)) => Some(grant.reason),
            Self::Tree(Err(reason)) => Some(*reason),
            Self::Withheld(_) => None,
        }
    }

    fn about(&self) -> Option<WorkspaceId> {
        self.reason().and_then(Reason::about)
    }

    fn say(&self, names: &WorkspaceNames) -> String {
        match self {
            Self::Withheld(withheld) => withheld.say(""),
            Self::Tree(_) => self.reason().map(|reason| reason.say(|id| names.of(id))).unwrap_or_default(),
        }
    }
}

/// The workspaces that `reader` reads. Only the root writes GLOBAL memories, so others have no GLOBAL row.
fn readable_by(tree: &Tree, profiles: &Profiles, reader: WorkspaceId, scopes: &[Scope]) -> Vec<ReachEntry> {
    let parts = tree.reach(reader).map(|reach| reach.parts().to_vec()).unwrap_or_default();
    let rows = parts.iter().flat_map(|part| {
        let author = part.author();
        let written = scopes.iter().filter(move |&&scope| part.covers(scope, None));
        let written = written.filter(move |&&scope| tree.write(author, scope, None).is_ok());
        written.filter_map(move |&scope| row(tree, profiles, reader, author, scope, author))
    });
    rows.collect()
}

/// The workspaces that read `author`.
fn readers_of(tree: &Tree, profiles: &Profiles, author: WorkspaceId, scopes: &[Scope]) -> Vec<ReachEntry> {
    use orgmem_hierarchy::Audience;
    let mut rows = Vec::new();
    for &scope in scopes.iter().filter(|&&scope| tree.write(author, scope, None).is_ok()) {
        let readers: Vec<WorkspaceId> = match tree.audience(author, scope, None) {
            Some(Audience::These(readers)) => readers,
            Some(Audience::WholeOrg) => tree.subtree(tree.root()).map(|(reader, _)| reader).collect(),
            None => Vec::new(),
        };
        rows.extend(readers.into_iter().filter_map(|reader| row(tree, profiles, reader, author, scope, reader)));
    }
    rows
}

/// A row for `other`, which is one of the two, if `reader` reads memories of `author` with `scope`.
fn row(
    tree: &Tree,
    profiles: &Profiles,
    reader: WorkspaceId,
    author: WorkspaceId,
    scope: Scope,
    other: WorkspaceId,
) -> Option<ReachEntry> {
    match decide(tree, profiles, reader, author, scope) {
        Decision::Tree(Ok(grant)) => Some(ReachEntry { other, scope, grant }),
        Decision::Tree(Err(_)) | Decision::Withheld(_) => None,
    }
}

fn decide(tree: &Tree, profiles: &Profiles, reader: WorkspaceId, author: WorkspaceId, scope: Scope) -> Decision {
    let decision = tree.read(reader, author, scope, None);
    let withheld = profiles.get(&reader).and_then(|profile| profile.isolates(reader == author, scope));
    match withheld {
        Some(withheld) if decision.is_ok() => Decision::Withheld(withheld),
        Some(_) | None => Decision::Tree(decision),
    }
}

/// As [`decide`], but denied where `author` may not write with `scope`.
fn decide_writable(
    tree: &Tree,
    profiles: &Profiles,
    reader: WorkspaceId,
    author: WorkspaceId,
    scope: Scope,
) -> Decision {
    let may_be_written = tree.write(author, scope, None);
    match decide(tree, profiles, reader, author, scope) {
        Decision::Tree(Ok(grant)) => Decision::Tree(may_be_written.map(|_| grant)),
        Decision::Withheld(withheld) => match may_be_written {
            Ok(_) => Decision::Withheld(withheld),
            Err(reason) => Decision::Tree(Err(reason)),
        },
        refused @ Decision::Tree(Err(_)) => refused,
    }
}
