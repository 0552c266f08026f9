//! Collections and rows: settings, upserts, lists, removals.

use std::sync::Arc;

use orgmem_distil::{Collection, Schema};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{CollectionDraft, CollectionInput, FieldRedaction, ReasonDraft, check_row_key};
use orgmem_policies::rules::{check_collection, check_rows};
use orgmem_policies::{ActPass, Permission, ViewPass};
use orgmem_store::{AuditRecord, ReadPlan, ReadTx, StoreError, StoredCollection, StoredRow, WrittenRows};
use orgmem_types as wire;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::drafting::Drafting;
use super::row_parts::{RowDrafts, RowText, add, summed};
use super::wire::redactions;
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Rows that are written together. Meanwhile the writes of other orgs wait.
const PART_ROWS: usize = 1_000;
/// Keys of one request.
pub(crate) const MAX_KEYS: usize = 1_000;

/// The counts of a part of a write, for the idempotency key.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Written {
    inserted: usize,
    updated: usize,
    unchanged: usize,
}

impl App {
    /// Creates a collection of the workspace, or changes its settings.
    ///
    /// # Errors
    /// [`AppError::Draft`] and [`AppError::Value`] for an invalid field;
    /// [`RuleViolation`](orgmem_policies::rules::RuleViolation) while it has rows.
    ///
    /// # Source
    /// `docs/spec/rows.md`, "Collections".
    pub async fn put_collection(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        request: wire::PutCollection,
    ) -> Result<wire::Collection, AppError> {
        let make = move |request: wire::PutCollection, with: &Drafting| {
            let wire::PutCollection { key, time, schema } = request;
            let draft = CollectionDraft::check(CollectionInput { name, key, time, schema }, with.scrubber)?;
            if let Some(schema) = &draft.fields().schema {
                Schema::parse(schema.as_value()).map_err(|error| AppError::Value {
                    field: error.path.clone(),
                    value: "…".to_owned(),
                    expected: format!("a supported schema: it {}", error.fault),
                })?;
            }
            Ok(draft)
        };
        let draft = self.draft(auth, workspace, Permission::WriteRows, request, make).await?;
        self.write(auth.call(workspace), move |call| {
            let pass = call.writes_rows()?;
            call.spend_writes(Permission::WriteRows, 1, false)?;
            let fields = draft.fields();
            let (name, time) = (fields.name.as_str(), fields.time.as_ref().map(|time| time.as_str()));
            let facts = call.tx.collection_facts(&pass, name)?;
            let plan = check_collection(name, fields.key.as_str(), time, &facts)?;
            call.tx.put_collection(&pass, &draft, plan)?;
            let stored = call.collection(Permission::WriteRows, name)?;
            to_wire(stored)
        })
        .await
    }

    /// The collections of the workspace, by name.
    pub async fn list_collections(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
    ) -> Result<Vec<wire::Collection>, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let pass = call.views_rows(Permission::ReadRows)?;
            let found = call.tx.collections(&pass)?;
            let record =
                AuditRecord::new(AuditAction::ReadRows, call.workspace).context_field("collections", found.len());
            Ok((found.into_iter().map(to_wire).collect::<Result<_, _>>()?, record))
        })
        .await
    }

    /// A collection of the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn read_collection(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
    ) -> Result<wire::Collection, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let found = call.collection(Permission::ReadRows, &name)?;
            let record =
                AuditRecord::new(AuditAction::ReadRows, call.workspace).context_field("collection", name.as_str());
            Ok((to_wire(found)?, record))
        })
        .await
    }

    /// Deletes a collection with its rows, in several transactions. What a failure leaves can be deleted again.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn delete_collection(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
    ) -> Result<wire::Deleted, AppError> {
        let name: Arc<str> = name.into();
        loop {
            let name = Arc::clone(&name);
            let is_done = self.write(auth.call(workspace).writes_many(), move |call| {
                let pass = call.writes_rows()?;
                call.collection(Permission::WriteRows, &name)?;
                if call.tx.clear_rows(&pass, &name, PART_ROWS)? > 0 {
                    return Ok(false);
                }
                Ok(call.tx.drop_collection(&pass, &name)?)
            });
            if is_done.await? {
                return Ok(wire::Deleted::done());
            }
        }
    }

    /// Stores rows by their keys. Bad rows are named by their line, and the good ones are stored. Parts of the text are
    /// stored one after the other; a failure leaves the earlier ones, and a repetition of the request does no harm.
    ///
    /// # Errors
    /// [`AppError::NotFound`] without the collection; [`AppError::Rule`] for a budget without room.
    pub async fn write_rows(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        rows: RowText,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::WrittenRows, AppError> {
        let name: Arc<str> = name.into();
        let of_read = Arc::clone(&name);
        let stored = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
                call.collection(Permission::WriteRows, &of_read)
            })
            .await?;
        let collection = Arc::new(settings(&stored)?);
        let (mut outcome, mut replaced, mut number) = (wire::WrittenRows::default(), Vec::<FieldRedaction>::new(), 0);
        let form = rows.form;
        for part in rows.parts() {
            let of_part = Arc::clone(&collection);
            let bytes = part.bytes();
            let make =
                move |part: super::row_parts::RowPart, with: &Drafting| part.draft(&of_part, form, with.scrubber);
            let drafts = self.make_draft(self.requester(auth), bytes, part, make).await?;
            let RowDrafts { rows, refused, faults, redactions } = drafts;
            add(&mut outcome, faults, refused);
            replaced.extend(redactions);
            let rows = Arc::new(rows);
            for start in (0..rows.len()).step_by(PART_ROWS) {
                let key = idempotency.as_ref().map(|key| key.of_part(number));
                number += 1;
                let (rows, name, stored) = (Arc::clone(&rows), Arc::clone(&name), stored.clone());
                let spec = auth.call(workspace).idempotent(key).writes_many();
                let written = self.write(spec, move |call| {
                    let rows = &rows[start..(start + PART_ROWS).min(rows.len())];
                    call.write_rows(&name, &stored, rows)
                });
                let Written { inserted, updated, unchanged } = written.await?;
                outcome.inserted += inserted;
                outcome.updated += updated;
                outcome.unchanged += unchanged;
            }
        }
        outcome.redactions = redactions(&summed(&replaced));
        Ok(outcome)
    }

    /// The rows of a collection, by key.
    ///
    /// # Errors
    /// [`AppError::NotFound`] without the collection.
    pub async fn list_rows(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        request: wire::ListRows,
    ) -> Result<Listing<wire::Row>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after: Option<String> = cursor::decode("rows", request.cursor.as_deref())?;
        let (key, prefix) = (request.key, request.prefix.unwrap_or_default());
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let pass = call.views_rows(Permission::ReadRows)?;
            call.collection(Permission::ReadRows, &name)?;
            let found = match &key {
                Some(key) => {
                    call.tx.row(&pass, &name, key)?.filter(|row| row.key.starts_with(&prefix)).into_iter().collect()
                }
                None => call.tx.list_rows(&pass, &name, &prefix, after.as_deref(), limit + 1)?,
            };
            let page = Listing::cut(found, limit, "rows", |row: &StoredRow| row.key.clone());
            let record = AuditRecord::new(AuditAction::ReadRows, call.workspace)
                .context_field("collection", name.as_str())
                .context_field("rows", page.items.len());
            let items = page.items.into_iter().map(row_to_wire).collect::<Result<_, _>>()?;
            Ok((Listing { items, next: page.next }, record))
        })
        .await
    }

    /// Deletes a row.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn delete_row(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        key: String,
    ) -> Result<wire::Deleted, AppError> {
        check_row_key(&key)?;
        self.write(auth.call(workspace), move |call| {
            let pass = call.writes_rows()?;
            call.collection(Permission::WriteRows, &name)?;
            match call.tx.delete_rows(&pass, &name, std::slice::from_ref(&key), None)? {
                0 => Err(AppError::ROW_NOT_FOUND),
                _ => Ok(wire::Deleted::done()),
            }
        })
        .await
    }

    /// Withdraws rows: deletes them, with a reason in the audit log. The next runs of processors count again without them.
    ///
    /// # Errors
    /// [`AppError::Field`] for too many keys; [`AppError::Draft`] for an invalid reason.
    pub async fn withdraw_rows(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        request: wire::WithdrawRows,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::RemovedRows, AppError> {
        let wire::WithdrawRows { mut keys, reason } = request;
        if !(1..=MAX_KEYS).contains(&keys.len()) {
            return Err(AppError::Field { field: "keys", expected: format!("1 to {MAX_KEYS} keys") });
        }
        keys.sort_unstable();
        keys.dedup();
        let reason = ReasonDraft::check(&reason, self.scrubber)?;
        self.write(auth.call(workspace).idempotent(idempotency).writes_many(), move |call| {
            let pass = call.writes_rows()?;
            call.collection(Permission::WriteRows, &name)?;
            let removed = call.tx.delete_rows(&pass, &name, &keys, Some(&reason))?;
            Ok(wire::RemovedRows { removed, unknown: keys.len() - removed })
        })
        .await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    pub(super) fn views_rows(&mut self, permission: Permission) -> Result<ViewPass, AppError> {
        let id = self.workspace;
        self.pass(|caller, tree| ViewPass::grant(caller, permission, tree, id))
    }

    /// A collection for a caller with the permission.
    fn collection(&mut self, permission: Permission, name: &str) -> Result<StoredCollection, AppError> {
        let pass = self.views_rows(permission)?;
        self.tx.collection(&pass, name)?.ok_or(AppError::COLLECTION_NOT_FOUND)
    }

    pub(super) fn writes_rows(&mut self) -> Result<ActPass, AppError> {
        let id = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::WriteRows, tree, id))
    }
}

impl WriteCall<'_> {
    fn write_rows(
        &mut self,
        name: &str,
        checked: &StoredCollection,
        rows: &[orgmem_policies::drafts::RowDraft],
    ) -> Result<Written, AppError> {
        let pass = self.writes_rows()?;
        let now = self.collection(Permission::WriteRows, name)?;
        if (&now.key, &now.time, &now.schema) != (&checked.key, &checked.time, &checked.schema) {
            let expected = "unchanged while rows are written; send the rest of the rows again".to_owned();
            return Err(AppError::Field { field: "collection", expected });
        }
        self.spend_writes(Permission::WriteRows, rows.len(), false)?;
        let budgets = self.tx.budgets_above(self.org, self.workspace)?;
        let bytes = if budgets.is_empty() { 0 } else { self.tx.row_growth(&pass, name, rows)? };
        let plan = check_rows(&budgets, bytes)?;
        let WrittenRows { inserted, updated, unchanged } = self.tx.write_rows(&pass, name, rows, plan)?;
        Ok(Written { inserted, updated, unchanged })
    }
}

/// The settings of a stored collection for the reader of rows.
pub(super) fn settings(stored: &StoredCollection) -> Result<Collection, StoreError> {
    let unreadable = || StoreError::unreadable("collections", &stored.name, "its schema cannot be read");
    let parse = |text: &String| {
        let schema = serde_json::from_str(text).map_err(|_| unreadable())?;
        Schema::parse(&schema).map_err(|_| unreadable())
    };
    let schema = stored.schema.as_ref().map(parse).transpose()?;
    Ok(Collection { key: stored.key.clone(), time: stored.time.clone(), schema })
}

pub(super) fn object(table: &'static str, key: &str, text: &str) -> Result<wire::Object, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::unreadable(table, key, "it is not an object"))
}

fn to_wire(stored: StoredCollection) -> Result<wire::Collection, AppError> {
    let schema = stored.schema.as_deref().map(|text| object("collections", &stored.name, text)).transpose()?;
    Ok(wire::Collection {
        name: stored.name,
        key: stored.key,
        time: stored.time,
        schema,
        rows: stored.rows,
        bytes: stored.bytes,
        created_at: stored.created_at,
        updated_at: stored.updated_at,
    })
}

fn row_to_wire(row: StoredRow) -> Result<wire::Row, AppError> {
    let values = object("collection_rows", "of a collection", &row.values)?;
    Ok(wire::Row { key: row.key, time: row.time, values, updated_at: row.updated_at, extracted_at: row.extracted_at })
}
