//! Token revocations, cached and validated by the `auth_version` of the org's row.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::TokenStatus;
use uuid::Uuid;

use super::Conn;
use super::Tx;
use crate::StoreError;
use crate::cache::{Revocations, Versioned};
use crate::columns::{Id, Time};
use crate::contract::SERVER;
use crate::engine::RowContext;
use crate::schema::{revocations, workspaces};

impl Tx<'_> {
    pub(crate) fn token_status_of(
        &mut self,
        workspace: Option<WorkspaceId>,
        jti: Uuid,
    ) -> Result<TokenStatus, StoreError> {
        let org = match workspace {
            Some(workspace) => self.org_of(workspace)?,
            None => None,
        };
        self.view_all(&[Some(SERVER), org].into_iter().flatten().collect::<Vec<_>>())?;
        let revoked_by_server = self.with_revocations(SERVER, |current| current.tokens.contains(&jti))?;
        let (Some(workspace), Some(org)) = (workspace, org) else {
            return Ok(TokenStatus { revoked: revoked_by_server, ..TokenStatus::default() });
        };
        let live = self.tree_now(org)?.contains(workspace);
        let (revoked, revoked_until) = self.with_revocations(org, |current| {
            (current.tokens.contains(&jti), current.workspaces.get(&workspace).copied())
        })?;
        Ok(TokenStatus { org: Some(org), live, revoked: revoked || revoked_by_server, revoked_until })
    }

    /// Runs `look` on the revocations of an org at this snapshot.
    fn with_revocations<T>(&mut self, org: OrgId, look: impl Fn(&Revocations) -> T) -> Result<T, StoreError> {
        let view = self.view(org)?;
        let (cache, version) = (view.cache.clone(), view.row.auth_version);
        let own_changes = view.changes.revocations;
        if !own_changes
            && let Some(cached) = &*cache.revocations.read()
            && cached.version == version
        {
            return Ok(look(&cached.value));
        }
        let current = load(self.conn()?, org)?;
        let result = look(&current);
        let mut cached = cache.revocations.write();
        if !own_changes && cached.as_ref().is_none_or(|cached| cached.version < version) {
            *cached = Some(Versioned { version, value: current });
        }
        Ok(result)
    }
}

fn load(conn: &mut Conn, org: OrgId) -> Result<Revocations, StoreError> {
    let tokens: Vec<Id> = revocations::table
        .filter(revocations::org_id.eq(Id::from(org)))
        .select(revocations::jti)
        .load(conn)
        .row_context("revocations", org)?;
    let of_workspaces: Vec<(Id, Option<Time>)> = workspaces::table
        .filter(workspaces::org_id.eq(Id::from(org)))
        .filter(workspaces::tokens_revoked_at.is_not_null())
        .select((workspaces::id, workspaces::tokens_revoked_at))
        .load(conn)
        .row_context("workspaces", org)?;
    let tokens: HashSet<Uuid> = tokens.into_iter().map(|Id(jti)| jti).collect();
    let until = |(id, at): (Id, Option<Time>)| at.map(|Time(at)| (id.workspace(), at));
    let workspaces: HashMap<_, _> = of_workspaces.into_iter().filter_map(until).collect();
    Ok(Revocations { tokens, workspaces })
}
