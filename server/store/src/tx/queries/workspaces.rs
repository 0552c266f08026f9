//! Workspaces: create, move, edit, remove and read.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Placement, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{WorkspaceChange, WorkspaceDraft};
use orgmem_policies::{ActPass, ServerPass, TreePass};
use std::collections::{BTreeMap, HashMap};

use super::MAX_SINGLE_READS;
use super::Tx;
use crate::StoreError;
use crate::cache::OrgRow;
use crate::columns::{Id, Time};
use crate::contract::{AuditRecord, Workspace};
use crate::engine::RowContext;
use crate::schema::{orgs, workspace_orgs, workspaces};

/// Ids per statement: both databases allow 32,000 parameters.
const CHUNK: usize = 10_000;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = workspaces, treat_none_as_default_value = false)]
pub(crate) struct WorkspaceRow {
    org_id: Id,
    id: Id,
    parent_id: Option<Id>,
    name: String,
    role: Option<String>,
    metadata: Option<String>,
    tree_version: i64,
    created_at: Time,
    updated_at: Time,
    moved_at: Option<Time>,
    removed_at: Option<Time>,
}

impl From<WorkspaceRow> for Workspace {
    fn from(row: WorkspaceRow) -> Self {
        Self {
            org: row.org_id.org(),
            id: row.id.workspace(),
            parent: row.parent_id.map(Id::workspace),
            name: row.name,
            role: row.role,
            metadata: row.metadata,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
            moved_at: row.moved_at.map(|at| at.0),
            removed_at: row.removed_at.map(|at| at.0),
        }
    }
}

#[derive(AsChangeset)]
#[diesel(table_name = workspaces)]
struct PatchRow {
    name: Option<String>,
    role: Option<Option<String>>,
    metadata: Option<Option<String>>,
    tree_version: Option<i64>,
    updated_at: Time,
}

impl Tx<'_> {
    pub(crate) fn workspaces(&mut self, org: OrgId, ids: &[WorkspaceId]) -> Result<Vec<Workspace>, StoreError> {
        if ids.len() <= MAX_SINGLE_READS {
            return ids.iter().filter_map(|&id| self.workspace(org, id).transpose()).collect();
        }
        let mut found: HashMap<WorkspaceId, Workspace> = HashMap::with_capacity(ids.len());
        for chunk in ids.chunks(CHUNK) {
            let rows: Vec<WorkspaceRow> = workspaces::table
                .filter(workspaces::org_id.eq(Id::from(org)))
                .filter(workspaces::id.eq_any(chunk.iter().copied().map(Id::from)))
                .select(WorkspaceRow::as_select())
                .load(self.conn()?)
                .row_context("workspaces", org)?;
            found.extend(rows.into_iter().map(|row| (row.id.workspace(), row.into())));
        }
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    pub(crate) fn names(
        &mut self,
        org: OrgId,
        ids: &[WorkspaceId],
    ) -> Result<HashMap<WorkspaceId, String>, StoreError> {
        Ok(self.named(org, ids)?.into_iter().map(|(id, named)| (id, named.name.clone())).collect())
    }

    pub(crate) fn create_org(
        &mut self,
        _: &ServerPass,
        root: WorkspaceId,
        row: &WorkspaceDraft,
    ) -> Result<Option<Workspace>, StoreError> {
        let org = OrgId::of_root(root);
        self.insert_workspace(org, Placement::root(root), row)
    }

    pub(crate) fn create_workspace(
        &mut self,
        pass: &TreePass,
        row: &WorkspaceDraft,
    ) -> Result<Option<Workspace>, StoreError> {
        let created = pass.change().placements().first().copied();
        let placement = created.ok_or_else(|| StoreError::unreadable("workspaces", pass.org(), "an empty change"))?;
        self.insert_workspace(pass.org(), placement, row)
    }

    pub(crate) fn change_tree(&mut self, pass: &TreePass) -> Result<(), StoreError> {
        let org = pass.org();
        self.freshen_tree(org)?;
        let version = self.touch(org)?;
        let now = Time(self.now);
        let mut by_parent: BTreeMap<Option<WorkspaceId>, Vec<Id>> = BTreeMap::new();
        for placement in pass.change().placements().iter().filter(|placement| placement.live) {
            by_parent.entry(placement.parent).or_default().push(placement.id.into());
        }
        self.move_counts(pass)?;
        self.record_change(pass)?;
        let removed: Vec<Id> = pass.change().removed().map(Id::from).collect();
        for chunk in removed.chunks(CHUNK) {
            self.end_runs_of(org, chunk)?;
        }
        let conn = self.writing()?;
        for (parent, moved) in by_parent {
            for chunk in moved.chunks(CHUNK) {
                diesel::update(workspaces::table)
                    .filter(workspaces::org_id.eq(Id::from(org)))
                    .filter(workspaces::id.eq_any(chunk))
                    .set((
                        workspaces::parent_id.eq(parent.map(Id::from)),
                        workspaces::tree_version.eq(version),
                        workspaces::moved_at.eq(Some(now)),
                        workspaces::updated_at.eq(now),
                    ))
                    .execute(conn)?;
            }
        }
        for chunk in removed.chunks(CHUNK) {
            diesel::update(workspaces::table)
                .filter(workspaces::org_id.eq(Id::from(org)))
                .filter(workspaces::id.eq_any(chunk))
                .set((
                    workspaces::tree_version.eq(version),
                    workspaces::removed_at.eq(Some(now)),
                    workspaces::updated_at.eq(now),
                ))
                .execute(conn)?;
        }
        self.note_placements(org, pass.change().placements())
    }

    pub(crate) fn patch_workspace(&mut self, pass: &ActPass, change: &WorkspaceChange) -> Result<(), StoreError> {
        let (org, id) = (pass.org(), pass.workspace());
        let fields = change.fields();
        let placement = match fields.name {
            // cached names belong to a tree version, so a new name needs a new version
            Some(_) => Some(self.current_placement(org, id)?),
            None => None,
        };
        let named = [("name", fields.name.is_some()), ("role", fields.role.is_some())];
        let named = named.into_iter().chain([("metadata", fields.metadata.is_some())]);
        let named: Vec<&str> = named.filter_map(|(name, is_named)| is_named.then_some(name)).collect();
        let record =
            AuditRecord::new(AuditAction::EditWorkspace, pass.workspace()).context_field("fields", named.clone());
        self.record(record.event_field("fields", named))?;
        let version = self.touch(org)?;
        let patch = PatchRow {
            name: fields.name.as_ref().map(ToString::to_string),
            role: fields.role.as_ref().map(|role| role.as_ref().map(ToString::to_string)),
            metadata: fields.metadata.as_ref().map(|metadata| metadata.as_ref().map(ToString::to_string)),
            tree_version: placement.map(|_| version),
            updated_at: Time(self.now),
        };
        let row = workspaces::table.find((Id::from(org), Id::from(id)));
        diesel::update(row).set(patch).execute(self.writing()?)?;
        self.note_placements(org, placement.as_slice())
    }
}

/// The audit record of a workspace that was created, moved or removed.
fn placement_record(action: AuditAction, id: WorkspaceId, parent: Option<WorkspaceId>) -> AuditRecord {
    let parent = parent.map(|parent| parent.to_string());
    AuditRecord::new(action, id).context_field("parent_id", parent.clone()).event_field("parent_id", parent)
}

impl Tx<'_> {
    pub(super) fn workspace(&mut self, org: OrgId, id: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        let row = workspaces::table.find((Id::from(org), Id::from(id))).select(WorkspaceRow::as_select());
        let row: Option<WorkspaceRow> = row.first(self.conn()?).optional().row_context("workspaces", id)?;
        Ok(row.map(Workspace::from))
    }

    /// Records every workspace that moves, and the topmost removed one with the number of its removed descendants.
    fn record_change(&mut self, pass: &TreePass) -> Result<(), StoreError> {
        for at in pass.change().placements().iter().filter(|at| at.live) {
            let from = self.tree_now(pass.org())?.parent(at.id).map(|from| from.to_string());
            let record = placement_record(AuditAction::MoveWorkspace, at.id, at.parent);
            self.record(record.context_field("from_id", from.clone()).event_field("from_id", from))?;
        }
        let mut removed = pass.change().removed();
        if let Some(top) = removed.next() {
            let below = removed.count();
            let parent = self.tree_now(pass.org())?.parent(top);
            let record = placement_record(AuditAction::RemoveWorkspace, top, parent);
            self.record(record.context_field("removed_below", below).event_field("removed_below", below))?;
        }
        Ok(())
    }

    /// The placement of a live workspace.
    /// Makes every server read the changed name of a workspace: cached names belong to a version of the tree.
    pub(crate) fn note_renamed(&mut self, org: OrgId, id: WorkspaceId) -> Result<(), StoreError> {
        let is_live = self.tree_now(org)?.contains(id);
        let version = self.touch(org)?;
        if is_live {
            let placement = self.current_placement(org, id)?;
            let row = workspaces::table.find((Id::from(org), Id::from(id)));
            diesel::update(row).set(workspaces::tree_version.eq(version)).execute(self.writing()?)?;
            self.note_placements(org, &[placement])?;
        }
        self.view(org)?.changes.names = true;
        Ok(())
    }

    fn current_placement(&mut self, org: OrgId, id: WorkspaceId) -> Result<Placement, StoreError> {
        let parent = self.tree_now(org)?.parent(id);
        Ok(parent.map_or(Placement::root(id), |parent| Placement::under(id, parent)))
    }

    fn insert_workspace(
        &mut self,
        org: OrgId,
        at: Placement,
        draft: &WorkspaceDraft,
    ) -> Result<Option<Workspace>, StoreError> {
        self.freshen_tree(org)?;
        let tree_version = self.touch(org)?;
        let now = Time(self.now);
        let fields = draft.fields();
        let row = WorkspaceRow {
            org_id: org.into(),
            id: at.id.into(),
            parent_id: at.parent.map(Id::from),
            name: fields.name.to_string(),
            role: fields.role.as_ref().map(ToString::to_string),
            metadata: fields.metadata.as_ref().map(ToString::to_string),
            tree_version,
            created_at: now,
            updated_at: now,
            moved_at: None,
            removed_at: None,
        };
        let conn = self.writing()?;
        let claimed = diesel::insert_into(workspace_orgs::table)
            .values((workspace_orgs::id.eq(row.id), workspace_orgs::org_id.eq(row.org_id)))
            .on_conflict_do_nothing()
            .execute(conn)?;
        if claimed == 0 || row.id == Id::NIL {
            return Ok(None);
        }
        if at.parent.is_none() {
            let org_row = OrgRow { created_at: now, ..OrgRow::absent(org) };
            diesel::insert_into(orgs::table).values(org_row).execute(conn)?;
        }
        diesel::insert_into(workspaces::table).values(&row).execute(conn)?;
        self.record(placement_record(AuditAction::CreateWorkspace, at.id, at.parent))?;
        self.note_placements(org, &[at])?;
        Ok(Some(row.into()))
    }
}
