//! Reading the access log.

use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{AuditPass, Permission, permit};
use orgmem_store::{AccessFilter, AccessPage, AuditRecord, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::wire::{object, role};
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

impl App {
    /// The rows of calls as the workspace or on it, newest first, including reads that this server has buffered.
    pub async fn read_access_log(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListAuditRows,
    ) -> Result<Listing<wire::AuditRow>, AppError> {
        let limit = cursor::limit(request.limit, 50, 500);
        let before: Option<i64> = cursor::decode("access-log", request.cursor.as_deref())?;
        let below = request.subtree.unwrap_or(false);
        let filter = filter(request)?;
        self.write_reads(auth, workspace).await?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let top = call.workspace;
            let pass = call.pass(|caller, tree| AuditPass::grant(caller, tree, top, below))?;
            let page = call.tx.access_rows(&pass, &filter, before, limit)?;
            let record = AuditRecord::new(AuditAction::ReadAccessLog, top).context_field("rows", page.rows.len());
            Ok((listing(call, page)?, record))
        })
        .await
    }

    /// The rows about one memory, which may be deleted, within the workspaces of the caller. The caller must be able to
    /// read the memory, or the log of its author.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the memory never existed or the caller may not know it.
    pub async fn read_memory_access_log(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::ListMemoryAuditRows,
    ) -> Result<Listing<wire::AuditRow>, AppError> {
        let limit = cursor::limit(request.limit, 50, 500);
        let before: Option<i64> = cursor::decode("access-log", request.cursor.as_deref())?;
        self.write_reads(auth, workspace).await?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reader = call.workspace;
            call.pass(|caller, tree| AuditPass::grant(caller, tree, reader, false))?;
            may_know(call, memory)?;
            let pass = call.pass(AuditPass::everywhere)?;
            let filter = AccessFilter {
                memory: Some(memory),
                by_people: request.callers.map(is_by_people),
                ..AccessFilter::default()
            };
            let page = call.tx.access_rows(&pass, &filter, before, limit)?;
            let record =
                AuditRecord::new(AuditAction::ReadAccessLog, reader).context_field("memory_id", memory.to_string());
            Ok((listing(call, page)?, record))
        })
        .await
    }

    /// Writes the buffered rows of the org, so that the log includes earlier reads. A caller without access causes no
    /// write.
    pub(super) async fn write_reads(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<(), AppError> {
        let org = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), |call| {
                let at = call.workspace;
                call.pass(|caller, tree| AuditPass::grant(caller, tree, at, false))?;
                Ok(call.org)
            })
            .await?;
        self.write_reads_of(org).await;
        Ok(())
    }

    /// As [`write_reads`](Self::write_reads), for a caller whose access was checked.
    pub(super) async fn write_reads_of(&self, org: OrgId) {
        if let Err(error) = self.access.reads.flush(org).await {
            tracing::warn!(%error, "the access log is read without rows that could not be written");
        }
    }
}

fn filter(request: wire::ListAuditRows) -> Result<AccessFilter, AppError> {
    let action = request.action.as_deref().map(str::parse::<AuditAction>).transpose();
    let expected = || "an action of the access log, such as `search_memories`".to_owned();
    Ok(AccessFilter {
        memory: request.memory_id,
        run: request.run_id,
        subject: request.subject,
        by_people: request.callers.map(is_by_people),
        action: action.map_err(|_| AppError::Field { field: "action", expected: expected() })?,
        since: request.since,
        until: request.until,
    })
}

fn is_by_people(callers: wire::Callers) -> bool {
    callers == wire::Callers::People
}

/// Checks that the caller can read the memory, or the log of its author.
fn may_know(call: &mut ReadCall<'_>, memory: Uuid) -> Result<(), AppError> {
    let reader = call.workspace;
    let Some(location) = call.tx.memory_location(call.org, memory)? else { return Err(AppError::MEMORY_NOT_FOUND) };
    let reads = call.reads(reader)?;
    // an agent of one end user may know what it can read only
    let has_all = reads.users().is_open() || call.caller.role().is_person();
    let covers = |caller: &_, tree: &_| permit(caller, Permission::ReadAccessLog, tree, location.author);
    if has_all && covers(&call.caller, &*call.tx.tree(call.org)?).is_ok() {
        return Ok(());
    }
    call.tx.memory(&reads, memory)?.map(drop).ok_or(AppError::MEMORY_NOT_FOUND)
}

fn listing(call: &mut ReadCall<'_>, page: AccessPage) -> Result<Listing<wire::AuditRow>, AppError> {
    let next = page.next.map(|next| cursor::encode("access-log", &next));
    let items = page.rows.into_iter().map(|row| to_wire(call, row)).collect::<Result<_, _>>()?;
    Ok(Listing { items, next })
}

/// A row without ids of workspaces that the caller may not see.
fn to_wire(call: &mut ReadCall<'_>, row: orgmem_store::AccessRow) -> Result<wire::AuditRow, AppError> {
    let mut context = object(&row.context).unwrap_or_default();
    call.hide_others(&mut context)?;
    Ok(wire::AuditRow {
        seq: row.seq,
        at: row.at,
        action: row.action.to_string(),
        subject: row.subject,
        role: role(row.role),
        token_id: row.token,
        workspace_id: row.workspace.uuid(),
        run_id: row.run,
        memories: row.memories.into_iter().map(|(id, version)| wire::AuditedMemory { id, version }).collect(),
        content_hash: row.content_hash.map(hex::encode),
        context,
        sealed: row.sealed,
    })
}
