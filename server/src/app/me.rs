//! Information about the caller and the server.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{Permission, ServerAction, ServerPass, permit, permit_server};
use orgmem_store::ReadPlan;
use orgmem_types as wire;

use super::call::show_to;
use super::wire::{counts, role};
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::jobs::DiskShortage;

impl App {
    /// The caller: its role, its bound workspace and its permissions there.
    ///
    /// # Errors
    /// [`AppError::NotAdmitted`] when the token was revoked or its workspace removed.
    pub async fn me(&self, auth: &VerifiedClaims) -> Result<wire::Me, AppError> {
        let expires_at = auth.expires_at();
        let jti = auth.identity().jti;
        self.read_server(auth, ReadPlan::PointLookup, move |tx, caller| {
            let mut workspace_name = match (caller.org(), caller.workspace()) {
                (Some(org), Some(id)) => tx.workspaces(org, &[id])?.pop().map(|row| row.name),
                _ => None,
            };
            workspace_name.iter_mut().for_each(|name| show_to(caller, name));
            let mut may: Vec<String> = match (caller.org(), caller.workspace()) {
                (Some(org), Some(id)) => {
                    let tree = tx.tree(org)?;
                    let allowed =
                        Permission::ALL.into_iter().filter(|&action| permit(caller, action, &tree, id).is_ok());
                    allowed.map(|action| action.as_str().to_owned()).collect()
                }
                _ => Permission::ALL.into_iter().map(|action| action.as_str().to_owned()).collect(),
            };
            let of_server = ServerAction::ALL.into_iter().filter(|&action| permit_server(caller, action).is_ok());
            may.extend(of_server.map(|action| action.as_str().to_owned()));
            Ok(wire::Me {
                subject: caller.subject().to_owned(),
                role: role(caller.role()),
                workspace_id: caller.workspace().map(WorkspaceId::uuid),
                workspace_name,
                org_id: caller.org().map(OrgId::uuid),
                end_user: caller.user().bound().subject.as_deref().map(str::to_owned),
                session_id: caller.user().bound().session.as_deref().map(str::to_owned),
                jti,
                expires_at,
                may,
            })
        })
        .await
    }

    /// The version, the embedder and the totals of the server.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for callers other than admins.
    pub async fn admin_stats(&self, auth: &VerifiedClaims) -> Result<wire::ServerStats, AppError> {
        let started_at = self.started_at;
        let store = self.store.kind().to_owned();
        let embedder = self.embedding.as_ref().map(|embedding| embedding.status.to_wire());
        let reranker = self.reranking.as_ref().map(|reranking| reranking.status().to_wire());
        self.read_server(auth, ReadPlan::Scan, move |tx, caller| {
            let pass = ServerPass::grant(caller, ServerAction::ReadServer)?;
            let stats = tx.stats(&pass)?;
            Ok(wire::ServerStats {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                store: store.clone(),
                orgs: stats.orgs,
                workspaces: stats.workspaces,
                memories: counts(&stats.memories),
                entries: stats.entries,
                episodes: stats.episodes,
                size_bytes: stats.size_bytes,
                started_at,
                embedder: embedder.clone(),
                reranker: reranker.clone(),
            })
        })
        .await
    }

    /// Checks that the store responds and its disk has space.
    ///
    /// # Errors
    /// [`AppError::Store`], [`AppError::DiskFull`].
    pub async fn ready(&self) -> Result<(), AppError> {
        self.store.ping().await?;
        match self.disk.as_ref().and_then(|disk| disk.shortage()) {
            Some(DiskShortage { free_bytes, min_free_bytes }) => Err(AppError::DiskFull { free_bytes, min_free_bytes }),
            None => Ok(()),
        }
    }
}
