//! Namespaces: put, change, delete.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Children, WorkspaceId};
use orgmem_policies::drafts::{PluginNamespaceDraft, PluginNamespaceKind, ReasonDraft};
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::{ActPass, ErasePass, Permission, TreePass};
use orgmem_store::{PluginNamespace, ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::{checked_name, is_expired};
use crate::app::call::{Call, WriteCall};
use crate::app::wire::object;
use crate::app::{App, AppError};
use crate::auth::VerifiedClaims;

/// The reasons in the receipts of erasures.
const DELETED: &str = "namespace deleted";
pub(super) const EXPIRED: &str = "namespace expired";

impl App {
    /// Creates the namespace, or replaces the fields of an existing one. A repetition writes nothing.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, more namespaces than a tree may have.
    pub(crate) async fn put_plugin_namespace(
        &self,
        auth: &VerifiedClaims,
        name: String,
        request: wire::PutPluginNamespace,
    ) -> Result<wire::PluginNamespace, AppError> {
        checked_name("name", &name, self.scrubber)?;
        let wire::PutPluginNamespace { kind, expires_at, metadata } = request;
        let draft = self.plugin_draft(&name, kind, expires_at, metadata)?;
        let wanted = draft.clone();
        let existing = self.read(auth.call(root(auth)?).plan(ReadPlan::PointLookup), move |call| {
            let Some(found) = call.plugin_namespaces(&[wanted.name().to_owned()])?.pop() else { return Ok(None) };
            let metadata = call.plugin_metadata(&found)?;
            let has_same_fields = found.kind == wanted.kind() && found.expires_at == wanted.expires_at();
            let is_same = has_same_fields && metadata == wanted.metadata();
            Ok(is_same.then(|| to_wire(found, metadata)))
        });
        match existing.await? {
            Some(same) => Ok(same),
            None => self.write_plugin_namespace(auth, draft).await,
        }
    }

    /// Changes the given fields of the namespace.
    ///
    /// # Errors
    /// [`AppError::PLUGIN_NAMESPACE_NOT_FOUND`]; [`AppError`] for an invalid field, and for a request without any.
    pub(crate) async fn patch_plugin_namespace(
        &self,
        auth: &VerifiedClaims,
        name: String,
        request: wire::PatchPluginNamespace,
    ) -> Result<wire::PluginNamespace, AppError> {
        checked_name("name", &name, self.scrubber)?;
        let wire::PatchPluginNamespace { kind, expires_at, metadata } = request;
        if kind.is_none() && expires_at.is_none() && metadata.is_none() {
            let nothing = "the body has no field to change; send `expires_at`, `metadata` or `kind`";
            return Err(AppError::Item(nothing.to_owned()));
        }
        // checked before any lock is taken; the transaction completes it with the current values
        let (has_kind, has_expiry, has_metadata) = (kind.is_some(), expires_at.is_some(), metadata.is_some());
        let kind = kind.unwrap_or(wire::NamespaceKind::Custom);
        let draft = self.plugin_draft(&name, kind, expires_at.flatten(), metadata.flatten())?;
        self.write(auth.call(root(auth)?), move |call| {
            let found = call.plugin_namespace(draft.name())?;
            let changed = PluginNamespace {
                kind: if has_kind { draft.kind() } else { found.kind },
                expires_at: if has_expiry { draft.expires_at() } else { found.expires_at },
                ..found
            };
            let pass = call.edits(changed.workspace)?;
            if has_metadata {
                call.tx.patch_workspace(&pass, &draft.change())?;
            }
            call.tx.put_plugin_namespace(&pass, &changed)?;
            let metadata = call.plugin_metadata(&changed)?;
            Ok(to_wire(changed, metadata))
        })
        .await
    }

    /// Deletes the namespace and erases its memories.
    ///
    /// # Errors
    /// [`AppError::PLUGIN_NAMESPACE_NOT_FOUND`].
    pub(crate) async fn delete_plugin_namespace(&self, auth: &VerifiedClaims, name: String) -> Result<(), AppError> {
        checked_name("name", &name, self.scrubber)?;
        let reason = ReasonDraft::check(DELETED, self.scrubber)?;
        self.write(auth.call(root(auth)?), move |call| {
            let found = call.plugin_namespace(&name)?;
            call.erase_workspace(found.workspace, &reason)
        })
        .await
    }

    async fn write_plugin_namespace(
        &self,
        auth: &VerifiedClaims,
        draft: PluginNamespaceDraft,
    ) -> Result<wire::PluginNamespace, AppError> {
        let (limits, reason) = (self.tree_limits, ReasonDraft::check(EXPIRED, self.scrubber)?);
        self.write(auth.call(root(auth)?), move |call| {
            let (now, top) = (call.tx.now(), call.workspace);
            let mut stored = call.tx.plugin_namespaces(call.org, &[draft.name().to_owned()])?.pop();
            if let Some(found) = &stored {
                let is_live = call.tx.tree(call.org)?.contains(found.workspace);
                if is_live && is_expired(found, now) {
                    // its memories must not appear in the new namespace
                    call.erase_workspace(found.workspace, &reason)?;
                    stored = None;
                } else if !is_live {
                    stored = None;
                }
            }
            let (workspace, created_at) = match stored {
                Some(found) => {
                    let pass = call.edits(found.workspace)?;
                    call.tx.patch_workspace(&pass, &draft.change())?;
                    (found.workspace, found.created_at)
                }
                None => {
                    let id = WorkspaceId::from(call.tx.new_id());
                    let pass = call.pass(|caller, tree| TreePass::create(caller, tree, id, top, limits))?;
                    let created = call.tx.create_workspace(&pass, draft.workspace())?;
                    created.ok_or(RuleViolation::WorkspaceTaken(id))?;
                    (id, now)
                }
            };
            let (name, kind, expires_at) = (draft.name().to_owned(), draft.kind(), draft.expires_at());
            let written = PluginNamespace { name, workspace, kind, created_at, expires_at };
            let pass = call.edits(workspace)?;
            call.tx.put_plugin_namespace(&pass, &written)?;
            Ok(to_wire(written, draft.metadata()))
        })
        .await
    }

    fn plugin_draft(
        &self,
        name: &str,
        kind: wire::NamespaceKind,
        expires_at: Option<DateTime<Utc>>,
        metadata: Option<wire::Object>,
    ) -> Result<PluginNamespaceDraft, AppError> {
        let kind = match kind {
            wire::NamespaceKind::Workspace => PluginNamespaceKind::Workspace,
            wire::NamespaceKind::Team => PluginNamespaceKind::Team,
            wire::NamespaceKind::Org => PluginNamespaceKind::Org,
            wire::NamespaceKind::Custom => PluginNamespaceKind::Custom,
        };
        Ok(PluginNamespaceDraft::check(name, kind, expires_at, metadata, self.scrubber, self.now())?)
    }
}

/// The root of the plugin's org, which the caller is bound to.
pub(super) fn root(auth: &VerifiedClaims) -> Result<Uuid, AppError> {
    auth.identity().workspace.map(WorkspaceId::uuid).ok_or(AppError::WORKSPACE_NOT_FOUND)
}

fn to_wire(namespace: PluginNamespace, metadata: Option<String>) -> wire::PluginNamespace {
    wire::PluginNamespace {
        name: namespace.name,
        kind: match namespace.kind {
            PluginNamespaceKind::Workspace => wire::NamespaceKind::Workspace,
            PluginNamespaceKind::Team => wire::NamespaceKind::Team,
            PluginNamespaceKind::Org => wire::NamespaceKind::Org,
            PluginNamespaceKind::Custom => wire::NamespaceKind::Custom,
        },
        expires_at: namespace.expires_at,
        metadata: metadata.as_deref().and_then(object),
        created_at: namespace.created_at,
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The metadata of a namespace as they are stored.
    fn plugin_metadata(&mut self, namespace: &PluginNamespace) -> Result<Option<String>, AppError> {
        let row = self.tx.workspaces(self.org, &[namespace.workspace])?.pop();
        Ok(row.and_then(|row| row.metadata))
    }
}

impl WriteCall<'_> {
    fn edits(&mut self, workspace: WorkspaceId) -> Result<ActPass, AppError> {
        self.pass(|caller, tree| ActPass::grant(caller, Permission::EditWorkspace, tree, workspace))
    }

    /// Removes a workspace with everything below it, and erases its content.
    pub(super) fn erase_workspace(&mut self, workspace: WorkspaceId, reason: &ReasonDraft) -> Result<(), AppError> {
        let removal = self.pass(|caller, tree| TreePass::remove(caller, tree, workspace, Children::Cascade))?;
        let erasure = self.pass(|caller, tree| ErasePass::purge(caller, tree, workspace, &removal))?;
        self.tx.change_tree(&removal)?;
        self.tx.erase(&erasure, reason)?;
        Ok(())
    }
}
