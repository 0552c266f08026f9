//! Collections and their rows: writes, removals, counters.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::ActPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{CollectionDraft, ReasonDraft, RowDraft};
use orgmem_policies::rules::{CollectionPlan, RowPlan};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Tx;
use super::insert::{Outgoing, write_rows};
use super::partitions::PartitionDelta;
use super::rows::{CollectionRow, FoundRow, NewRow, TABLE, content_of, row_hash};
use super::upsert::Upsert;
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, WrittenRows};
use crate::engine::RowContext;
use crate::schema::{collection_rows, collections};

/// Keys of a statement.
const CHUNK: usize = 500;

impl Tx<'_> {
    pub(crate) fn put_collection(
        &mut self,
        pass: &ActPass,
        draft: &CollectionDraft,
        plan: CollectionPlan,
    ) -> Result<(), StoreError> {
        self.touch(pass.org())?;
        let fields = draft.fields();
        let row = CollectionRow {
            org_id: pass.org().into(),
            workspace_id: pass.workspace().into(),
            name: fields.name.to_string(),
            key_column: fields.key.to_string(),
            time_column: fields.time.as_ref().map(ToString::to_string),
            schema: fields.schema.as_ref().map(ToString::to_string),
            row_count: 0,
            bytes: 0,
            created_at: Time(self.now),
            updated_at: Time(self.now),
        };
        let change = if plan.is_new() { "created" } else { "changed" };
        if plan.is_new() {
            diesel::insert_into(collections::table).values(&row).execute(self.writing()?)?;
        } else {
            let settings = (
                collections::key_column.eq(&row.key_column),
                collections::time_column.eq(&row.time_column),
                collections::schema.eq(&row.schema),
                collections::updated_at.eq(row.updated_at),
            );
            let found = collections::table.find((row.org_id, row.workspace_id, &row.name));
            diesel::update(found).set(settings).execute(self.writing()?)?;
        }
        self.record(collection_record(AuditAction::WriteCollection, pass.workspace(), &row.name, change))?;
        Ok(())
    }

    pub(crate) fn drop_collection(&mut self, pass: &ActPass, name: &str) -> Result<bool, StoreError> {
        let found = collections::table.find((Id::from(pass.org()), Id::from(pass.workspace()), name));
        let gone = diesel::delete(found).execute(self.writing()?)?;
        if gone == 0 {
            return Ok(false);
        }
        self.touch(pass.org())?;
        self.pending.deleted_from.push("collections");
        self.record(collection_record(AuditAction::WriteCollection, pass.workspace(), name, "deleted"))?;
        Ok(true)
    }

    pub(crate) fn write_rows(
        &mut self,
        pass: &ActPass,
        collection: &str,
        rows: &[RowDraft],
        _: RowPlan,
    ) -> Result<WrittenRows, StoreError> {
        let (org, now) = (pass.org(), Time(self.now));
        let known = self.known_rows(pass, collection, rows)?;
        let (mut written, mut bytes) = (WrittenRows::default(), 0);
        let mut changed = Vec::with_capacity(rows.len());
        for row in rows {
            let fields = row.fields();
            let (content, size_bytes) = content_of(row);
            let row_time = fields.time.map(Time);
            let content_hash = row_hash(&content, row_time);
            match known.get(fields.key.as_str()) {
                Some((hash, _)) if *hash == content_hash => {
                    written.unchanged += 1;
                    continue;
                }
                Some((_, before)) => {
                    written.updated += 1;
                    bytes += size_bytes - before;
                }
                None => {
                    written.inserted += 1;
                    bytes += size_bytes;
                }
            }
            changed.push(NewRow {
                org_id: org.into(),
                workspace_id: pass.workspace().into(),
                collection: collection.to_owned(),
                key: fields.key.to_string(),
                row_time,
                content,
                content_hash,
                size_bytes,
                seq: self.next_seq(org)?,
                updated_at: now,
                extracted_at: None,
            });
        }
        if changed.is_empty() {
            return Ok(written);
        }
        let mut hash = Sha256::new();
        changed.iter().for_each(|row| hash.update(&row.content_hash));
        let on_conflict = " ON CONFLICT (org_id, workspace_id, collection, key) DO UPDATE SET \
            row_time = excluded.row_time, content = excluded.content, content_hash = excluded.content_hash, \
            size_bytes = excluded.size_bytes, seq = excluded.seq, updated_at = excluded.updated_at, \
            extracted_at = excluded.extracted_at";
        #[allow(unused_mut, reason = "PostgreSQL collects statements")]
        let mut out = Outgoing::new(self.writing()?);
        write_rows!(out, changed, rows => Upsert { insert: diesel::insert_into(collection_rows::table).values(rows), on_conflict });
        out.send()?;
        self.count_changed(pass, collection, written.inserted, 0, bytes)?;
        let record = collection_record(AuditAction::WriteRows, pass.workspace(), collection, "written")
            .context_field("inserted", written.inserted)
            .context_field("updated", written.updated)
            .hashed(hash.finalize().to_vec())
            .event_field("write_count", written.inserted + written.updated);
        self.record(record)?;
        Ok(written)
    }

    pub(crate) fn delete_rows(
        &mut self,
        pass: &ActPass,
        collection: &str,
        keys: &[String],
        reason: Option<&ReasonDraft>,
    ) -> Result<usize, StoreError> {
        let (mut gone, mut bytes) = (0, 0);
        let keys: Vec<String> = keys.iter().filter(|key| !holds_nul(key)).cloned().collect();
        for keys in keys.chunks(CHUNK) {
            let (rows, size, _) = self.remove_rows(pass.org(), pass.workspace(), collection, keys)?;
            gone += rows;
            bytes += size;
        }
        if gone == 0 {
            return Ok(0);
        }
        self.count_changed(pass, collection, 0, gone, -bytes)?;
        let change = if reason.is_some() { "withdrawn" } else { "deleted" };
        let mut record = collection_record(AuditAction::WriteRows, pass.workspace(), collection, change)
            .context_field("rows", gone)
            .event_field("write_count", gone);
        if let Some(reason) = reason {
            record = record.context_field("reason", reason.as_str());
        }
        self.record(record)?;
        Ok(gone)
    }

    pub(crate) fn clear_rows(&mut self, pass: &ActPass, collection: &str, limit: usize) -> Result<usize, StoreError> {
        let keys: Vec<String> = collection_rows::table
            .filter(collection_rows::org_id.eq(Id::from(pass.org())))
            .filter(collection_rows::workspace_id.eq(Id::from(pass.workspace())))
            .filter(collection_rows::collection.eq(collection))
            .order(collection_rows::key)
            .limit(row_limit(limit))
            .select(collection_rows::key)
            .load(self.drained()?)
            .row_context(TABLE, pass.workspace())?;
        self.delete_rows(pass, collection, &keys, None)
    }

    /// Deletes at most 500 rows without counting them, and touches their groups. Returns their number and bytes, and the
    /// memories with facts about them.
    fn remove_rows(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        collection: &str,
        keys: &[String],
    ) -> Result<(usize, i64, Vec<Uuid>), StoreError> {
        let which = || {
            collection_rows::table
                .filter(collection_rows::org_id.eq(Id::from(org)))
                .filter(collection_rows::workspace_id.eq(Id::from(workspace)))
                .filter(collection_rows::collection.eq(collection.to_owned()))
                .filter(collection_rows::key.eq_any(keys.to_vec()))
        };
        let sizes: Vec<i64> =
            which().select(collection_rows::size_bytes).load(self.drained()?).row_context(TABLE, workspace)?;
        if sizes.is_empty() {
            return Ok((0, 0, Vec::new()));
        }
        diesel::delete(which()).execute(self.writing()?)?;
        self.pending.deleted_from.push(TABLE);
        let facts = self.note_deleted_rows(org, workspace, collection, keys)?;
        Ok((sizes.len(), sizes.iter().sum(), facts))
    }

    /// Changes the counters of the collection, of the workspace's partition and of the budgets above.
    fn count_changed(
        &mut self,
        pass: &ActPass,
        collection: &str,
        added: usize,
        removed: usize,
        bytes: i64,
    ) -> Result<(), StoreError> {
        self.count_changed_of(pass.org(), pass.workspace(), collection, count(added) - count(removed), bytes)
    }

    fn count_changed_of(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        collection: &str,
        rows: i64,
        bytes: i64,
    ) -> Result<(), StoreError> {
        let version = self.touch(org)?;
        let found = collections::table.find((Id::from(org), Id::from(workspace), collection));
        let counted = (
            collections::row_count.eq(collections::row_count + rows),
            collections::bytes.eq(collections::bytes + bytes),
        );
        diesel::update(found).set(counted).execute(self.writing()?)?;
        let partition = PartitionKey::of_memories(workspace, Scope::Local, None);
        self.count_partition(PartitionDelta {
            org,
            partition,
            version,
            live: 0,
            bytes,
            // also for a removal, because the partition may have no row yet
            written_at: Some(Time(self.now)),
        })
    }

    /// Gives a row whose content was scrubbed a new change, so that processors read it again.
    pub(super) fn note_scrubbed_row(
        &mut self,
        org: OrgId,
        (workspace, collection, key): (Id, &str, &str),
    ) -> Result<(), StoreError> {
        let found = || collection_rows::table.find((Id::from(org), workspace, collection.to_owned(), key.to_owned()));
        let row: Option<FoundRow> =
            found().select(FoundRow::as_select()).first(self.drained()?).optional().row_context(TABLE, workspace)?;
        let Some(row) = row else { return Ok(()) };
        let changed = (
            collection_rows::content_hash.eq(row_hash(&row.content, row.row_time)),
            collection_rows::seq.eq(self.next_seq(org)?),
            collection_rows::extracted_at.eq(None::<Time>),
        );
        diesel::update(found()).set(changed).execute(self.writing()?)?;
        Ok(())
    }

    /// Deletes the rows of all collections of the org whose key is an end user, with the facts that name this key.
    pub(super) fn erase_rows(&mut self, org: OrgId, key: &str, reason: &str, by: &str) -> Result<(), StoreError> {
        let all: Vec<(Id, String)> = collections::table
            .filter(collections::org_id.eq(Id::from(org)))
            .select((collections::workspace_id, collections::name))
            .load(self.drained()?)
            .row_context("collections", org)?;
        for (workspace, collection) in all {
            let workspace = workspace.workspace();
            let (rows, bytes, facts) = self.remove_rows(org, workspace, &collection, &[key.to_owned()])?;
            if rows > 0 {
                self.count_changed_of(org, workspace, &collection, -count(rows), -bytes)?;
            }
            for fact in facts {
                self.detach_fact(org, fact)?;
                if let Some(row) = self.memory_row(org, fact)?.filter(|row| row.content.is_some()) {
                    self.redact_row(row, reason, by)?;
                }
            }
        }
        Ok(())
    }
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

/// The record of a change of a collection. Keys of rows are in neither the audit log nor the event.
fn collection_record(action: AuditAction, workspace: WorkspaceId, name: &str, change: &'static str) -> AuditRecord {
    AuditRecord::new(action, workspace)
        .context_field("collection", name)
        .context_field("change", change)
        .event_field("collection", name)
        .event_field("change", change)
}
