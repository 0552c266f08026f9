//! Key/value entries: list, read, put, drop.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{EntryDraft, EntryInput, check_key};
use orgmem_policies::{ActPass, Permission, ViewPass};
use orgmem_store::{AuditRecord, ReadPlan, VersionConflict, key_hash};
use orgmem_types as wire;
use serde_json::Value;
use uuid::Uuid;

use super::drafting::Drafting;
use super::wire::redactions;
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;

impl App {
    /// The live entries whose keys begin with `prefix`, by key.
    pub async fn list_entries(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListEntries,
    ) -> Result<Listing<wire::Entry>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after: Option<String> = cursor::decode("entries", request.cursor.as_deref())?;
        let prefix = request.prefix.unwrap_or_default();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.reads_entries()?;
            let rows = call.tx.list_entries(&pass, &prefix, after.as_deref(), limit + 1)?;
            let page = Listing::cut(rows, limit, "entries", |row| row.key.clone()).map(entry);
            let record =
                AuditRecord::new(AuditAction::ListEntries, call.workspace).context_field("entries", page.items.len());
            Ok((page, record))
        })
        .await
    }

    /// Reads a live entry.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an absent or expired entry.
    pub async fn read_entry(&self, auth: &VerifiedClaims, workspace: Uuid, key: &str) -> Result<wire::Entry, AppError> {
        check_key(key)?;
        let key = key.to_owned();
        self.read_audited(auth.call(workspace), move |call| {
            let pass = call.reads_entries()?;
            let found = call.tx.entry(&pass, &key)?.map(entry).ok_or(AppError::ENTRY_NOT_FOUND)?;
            let record =
                AuditRecord::new(AuditAction::ReadEntry, call.workspace).context_field("key_hash", key_hash(&key));
            let record = record.context_field("version", found.version);
            Ok((found, record))
        })
        .await
    }

    /// Puts an entry; with `if_match_version` only on that version. Without `ttl_seconds` a previous expiry is cleared.
    ///
    /// # Errors
    /// [`AppError::VersionConflict`] when the current version is another.
    pub async fn put_entry(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        mut request: wire::PutEntry,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::PutEntryResponse, AppError> {
        auth.writer().fill(&mut request.subject, &mut None)?;
        let now = self.now();
        let make = move |request, with: &Drafting| {
            let wire::PutEntry { key, value, ttl_seconds, if_match_version, subject } = request;
            let input = EntryInput { key, value, ttl_seconds, if_match_version, subject };
            Ok(EntryDraft::check(input, with.limits, with.scrubber, now)?)
        };
        let draft = self.draft(auth, workspace, Permission::WriteEntries, request, make).await?;
        self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteEntries, tree, id))?;
            call.spend_writes(Permission::WriteEntries, 1, false)?;
            let fields = draft.fields();
            match call.tx.put_entry(&pass, &draft)? {
                Ok(version) => Ok(wire::PutEntryResponse {
                    status: wire::PutStatus::Ok,
                    key: fields.key.to_string(),
                    version,
                    redactions: redactions(&fields.redactions),
                }),
                Err(conflict) => Err(version_conflict(fields.key.as_str(), conflict)),
            }
        })
        .await
    }

    /// Deletes an entry; with `if_match_version` only that version. An absent or expired entry counts as deleted.
    ///
    /// # Errors
    /// [`AppError::VersionConflict`] when the current version is another.
    pub async fn drop_entry(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        key: &str,
        if_match_version: Option<i64>,
    ) -> Result<wire::Deleted, AppError> {
        check_key(key)?;
        let key = key.to_owned();
        self.write(auth.call(workspace), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteEntries, tree, id))?;
            match call.tx.drop_entry(&pass, &key, if_match_version)? {
                Ok(_existed) => Ok(wire::Deleted::done()),
                Err(conflict) => Err(version_conflict(&key, conflict)),
            }
        })
        .await
    }
}

impl<Tx: orgmem_store::ReadTx + ?Sized> super::call::Call<'_, Tx> {
    fn reads_entries(&mut self) -> Result<ViewPass, AppError> {
        let id: WorkspaceId = self.workspace;
        self.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadEntries, tree, id))
    }
}

fn version_conflict(key: &str, conflict: VersionConflict) -> AppError {
    AppError::VersionConflict { key: key.to_owned(), expected: conflict.expected, current: conflict.current }
}

fn entry(row: orgmem_store::Entry) -> wire::Entry {
    wire::Entry {
        key: row.key,
        value: wire::Json::from_text(row.value).unwrap_or_else(|| Value::Null.into()),
        version: row.version,
        expires_at: row.expires_at,
        updated_at: row.updated_at,
        subject: row.subject,
    }
}
