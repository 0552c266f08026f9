//! Erasure of end users and orgs, and its receipts.

use chrono::{DateTime, SecondsFormat, Utc};
use orgmem_hierarchy::{Children, OrgId, WorkspaceId};
use orgmem_policies::drafts::{ReasonDraft, check_subject};
use orgmem_policies::scrub::Scrubbed;
use orgmem_policies::{ErasePass, ServerAction, ServerPass, TreePass};
use orgmem_store::{Erased, Erasure, ReadPlan, ReadTx};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WriteCall;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Erases the data about an end user in an org, or the whole org, and returns the receipt. A dry run returns the
    /// receipt and changes nothing.
    ///
    /// # Errors
    /// [`AppError`]: a caller who is not an admin, an unknown org, an invalid reason or subject.
    ///
    /// # Source
    /// `docs/spec/erasure.md`, "Erase".
    pub async fn erase(
        &self,
        auth: &VerifiedClaims,
        request: wire::Erase,
        dry_run: bool,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Receipt, AppError> {
        let subject = match (&request.subject, request.whole_org) {
            (Some(subject), false) => Some(check_subject(subject, self.scrubber)?),
            (None, true) => None,
            (Some(_), true) | (None, false) => {
                let expected = "true without a `subject`, or left out with one".into();
                return Err(AppError::Field { field: "whole_org", expected });
            }
        };
        let reason = ReasonDraft::check(&request.reason, self.scrubber)?;
        let root = request.org_id;
        let org = self.read_server(auth, ReadPlan::PointLookup, move |tx, caller| {
            ServerPass::grant(caller, ServerAction::Erase)?;
            org_of_root(tx, root)
        });
        let org = org.await?;
        let work = move |call: &mut WriteCall<'_>| erase(call, subject.as_ref(), &reason);
        if dry_run {
            return self.dry_run(auth.call(root).in_org(org), work).await;
        }
        self.write(auth.call(root).in_org(org).idempotent(idempotency), work).await
    }

    /// The receipts of an org, newest first.
    ///
    /// # Errors
    /// [`AppError`]: a caller who is not an admin, an unknown org.
    pub async fn list_erasures(&self, auth: &VerifiedClaims, org: Uuid) -> Result<Vec<wire::Receipt>, AppError> {
        self.read_server(auth, ReadPlan::Scan, move |tx, caller| {
            let pass = ServerPass::grant(caller, ServerAction::Erase)?;
            let org = org_of_root(tx, org)?;
            Ok(tx.erasures(&pass, org)?.into_iter().map(receipt).collect())
        })
        .await
    }
}

/// The org with this root, live or removed.
fn org_of_root(tx: &mut dyn ReadTx, root: Uuid) -> Result<OrgId, AppError> {
    tx.org_of(root.into())?.filter(|org| org.uuid() == root).ok_or(AppError::WORKSPACE_NOT_FOUND)
}

fn erase(
    call: &mut WriteCall<'_>,
    subject: Option<&Scrubbed>,
    reason: &ReasonDraft,
) -> Result<wire::Receipt, AppError> {
    let pass = match subject {
        Some(subject) => ErasePass::subject(&call.caller, call.org, subject.clone())?,
        None => {
            let (org, root) = (call.org, call.org.root());
            let is_live = call.tx.tree(org)?.contains(root);
            if is_live {
                let removal = call.pass(|caller, tree| TreePass::remove(caller, tree, root, Children::Cascade))?;
                call.tx.change_tree(&removal)?;
            }
            ErasePass::org_of(&call.caller, org)?
        }
    };
    Ok(receipt(call.tx.erase(&pass, reason)?))
}

pub(super) fn receipt(erasure: Erasure) -> wire::Receipt {
    let (erased, subject_sha256, workspace_id) = match erasure.what {
        Erased::Subject(hash) => (wire::ErasedKind::Subject, Some(hex(&hash)), None),
        Erased::Workspace(id) => (wire::ErasedKind::Workspace, None, Some(WorkspaceId::uuid(id))),
        Erased::Org => (wire::ErasedKind::Org, None, None),
    };
    let counts = erasure.counts;
    wire::Receipt {
        id: erasure.id,
        org_id: erasure.org.uuid(),
        erased,
        subject_sha256,
        workspace_id,
        reason: erasure.reason,
        erased_by: erasure.by,
        erased_at: erasure.at,
        workspaces: counts.workspaces,
        memories: counts.memories,
        versions: counts.versions,
        entries: counts.entries,
        episodes: counts.episodes,
        tokens: counts.tokens,
        answers: counts.answers,
        access_seq: erasure.access_seq,
        older_backups: older_backups(erasure.at),
    }
}

/// The note about backups that still contain data removed at `at`.
pub(super) fn older_backups(at: DateTime<Utc>) -> String {
    let at = at.to_rfc3339_opts(SecondsFormat::Secs, true);
    format!("a backup or copy of the database made before {at} still holds it, until that is deleted")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
