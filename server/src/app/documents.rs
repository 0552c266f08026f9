//! Documents: write, read, list, edit, delete, redact.

use std::sync::Arc;

use orgmem_hierarchy::{Scope, Via, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::rules::check_document;
use orgmem_policies::{EditPass, ForgetPass, Permission, RedactPass, WritePass};
use orgmem_store::{
    AuditRecord, DocumentCursor, DocumentFilter, DocumentPart, ForgetOutcome, ReadPlan, ReadyDocument, StoredDocument,
    VersionConflict, WrittenDocument,
};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{ReadCall, WriteCall};
use super::document_files::text_of_json;
use super::document_rows::{input, merged, prepare, to_content, to_wire, to_written};
use super::drafting::Drafting;
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Default and maximum number of characters of a part.
const PART_CHARS: i64 = 100_000;
const MAX_PART_CHARS: i64 = 1_000_000;
/// Attempts of an edit without an expected version, when others write the document meanwhile.
const ATTEMPTS: usize = 3;

/// An analysed document with its requested sharing.
pub(super) struct Ready {
    pub(super) document: ReadyDocument,
    pub(super) scope: Scope,
    pub(super) team: Option<WorkspaceId>,
}

impl App {
    /// Stores a document as the workspace, or a new version of it. Searches that start after the response find its
    /// passages. A document that is there already, with the same content and fields, is not written again.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, a scope or team that the workspace may not write, a rule of
    /// [`check_document`], a budget that is used up.
    ///
    /// # Source
    /// `docs/spec/documents.md`.
    pub async fn add_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::AddDocument,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::WrittenDocument, AppError> {
        let now = self.now();
        let make = move |mut request: wire::AddDocument, with: &Drafting| {
            request.content = text_of_json(request.content, request.media_type.as_deref())?;
            let (scope, team) = (request.scope, request.team.map(WorkspaceId::from));
            Ok(Ready { document: prepare(input(request), with, now)?, scope, team })
        };
        let ready = self.draft(auth, workspace, Permission::WriteMemories, request, make).await?;
        self.store_document(auth, workspace, ready, idempotency).await
    }

    pub(super) async fn store_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        ready: Ready,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::WrittenDocument, AppError> {
        let (ready, is_embedded) = (Arc::new(ready), self.embedding.is_some());
        let writing = self.write(auth.call(workspace).idempotent(idempotency).writes_many(), move |call| {
            call.refuse_run(false)?;
            call.refuse_bound("write documents, which have no end user")?;
            let author = call.workspace;
            let (scope, team) = (ready.scope, ready.team);
            let pass = call.pass(|caller, tree| WritePass::grant(caller, tree, author, scope, team))?;
            let id = match ready.document.draft().fields().id {
                Some(id) => id,
                None => match call.tx.same_document(&pass, &ready.document)? {
                    Some(same) => same,
                    None => call.tx.new_id(),
                },
            };
            let facts = call.tx.document_facts(pass.org(), author, &ready.document, id)?;
            let plan = check_document(author, id, facts)?;
            let written = call.tx.write_document(&pass, &ready.document, &plan)?;
            call.spend_passages(&written, is_embedded)?;
            Ok(to_written(written, &ready.document))
        });
        self.measured(MemoryOperation::Create, writing).await
    }

    /// Changes the fields of the request, as the author of the document; with `if_match` only if that is the current
    /// version. The previous version remains. A request that changes nothing creates no version.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, a document that the workspace cannot read or did not write;
    /// [`AppError::DocumentConflict`] when the current version is another.
    pub async fn edit_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        document: Uuid,
        request: wire::PatchDocument,
        if_match: Option<i64>,
    ) -> Result<wire::WrittenDocument, AppError> {
        let mut attempt = 1;
        loop {
            let edited = self.try_edit(auth, workspace, document, request.clone(), if_match).await;
            match edited {
                Err(AppError::DocumentConflict { .. }) if if_match.is_none() && attempt < ATTEMPTS => attempt += 1,
                edited => return edited,
            }
        }
    }

    async fn try_edit(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        document: Uuid,
        request: wire::PatchDocument,
        if_match: Option<i64>,
    ) -> Result<wire::WrittenDocument, AppError> {
        self.admit(auth, workspace, Permission::WriteMemories).await?;
        let with_text = request.content.is_none();
        let (current, text) = self
            .read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
                let (found, _) = call.readable_document(document)?;
                let part = match with_text {
                    true => call.tx.document_part(call.org, document, 0, i64::MAX)?,
                    false => DocumentPart::default(),
                };
                Ok((found, part.passages.into_iter().map(|passage| passage.content).collect::<String>()))
            })
            .await?;
        let (version, now) = (current.version, self.now());
        if let Some(expected) = if_match.filter(|expected| *expected != version) {
            return Err(AppError::DocumentConflict { id: document, expected, current: Some(version) });
        }
        let make = move |mut request: wire::PatchDocument, with: &Drafting| {
            if let Some(content) = request.content.take() {
                let media_type = request.media_type.as_deref().unwrap_or(&current.media_type);
                request.content = Some(text_of_json(content, Some(media_type))?);
            }
            prepare(merged(current, text, request), with, now)
        };
        let ready = self.draft(auth, workspace, Permission::WriteMemories, request, make).await?;
        let (ready, is_embedded) = (Arc::new(ready), self.embedding.is_some());
        let writing = self.write(auth.call(workspace).writes_many(), move |call| {
            let reader = call.workspace;
            let (found, _) = call.readable_document(document)?;
            call.refuse_bound("write documents, which have no end user")?;
            let pass = call.pass(|caller, tree| EditPass::grant(caller, tree, reader, found.author))?;
            call.refuse_run(false)?;
            if found.version != version {
                let current = Some(found.version);
                return Err(AppError::DocumentConflict { id: document, expected: version, current });
            }
            let facts = call.tx.document_facts(call.org, reader, &ready, document)?;
            let plan = check_document(reader, document, facts)?;
            let written = call.tx.edit_document(&pass, &ready, &plan)?.ok_or(AppError::DOCUMENT_NOT_FOUND)?;
            call.spend_passages(&written, is_embedded)?;
            Ok(to_written(written, &ready))
        });
        self.measured(MemoryOperation::Update, writing).await
    }

    /// A document that the workspace can read, without its text.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn read_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        document: Uuid,
    ) -> Result<wire::Document, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let (found, via) = call.readable_document(document)?;
            let record = AuditRecord::new(AuditAction::ReadDocument, call.workspace).about([(found.id, found.version)]);
            let read = call.documents_to_wire(vec![(found, via)])?.pop().ok_or(AppError::DOCUMENT_NOT_FOUND)?;
            Ok((read, record))
        })
        .await
    }

    /// A part of the text of a document that the workspace can read, quoted for agents.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::Field`] for a length of 0.
    pub async fn read_document_content(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        document: Uuid,
        request: wire::ReadDocumentContent,
    ) -> Result<wire::DocumentContent, AppError> {
        if request.length == Some(0) {
            return Err(AppError::Field { field: "length", expected: format!("a number from 1 to {MAX_PART_CHARS}") });
        }
        let number = |given: u64| i64::try_from(given).unwrap_or(i64::MAX);
        let from = number(request.from.unwrap_or_default());
        let length = request.length.map_or(PART_CHARS, number).min(MAX_PART_CHARS);
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let (found, _) = call.readable_document(document)?;
            let part = call.tx.document_part(call.org, document, from, length)?;
            let record = AuditRecord::new(AuditAction::ReadDocument, call.workspace).about([(found.id, found.version)]);
            let record = record.context_field("from", from).context_field("length", length);
            let record =
                record.with_read_episode(&call.caller, |_| format!("read a part of a {} document", found.scope), None);
            let is_person = call.caller.role().is_person();
            Ok((to_content(found, part, from, length, is_person), record))
        })
        .await
    }

    /// The documents that the workspace can read, newest first.
    pub async fn list_documents(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListDocuments,
    ) -> Result<Listing<wire::Document>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after: Option<DocumentCursor> =
            cursor::decode_timed("documents", request.cursor.as_deref(), |(at, _): &DocumentCursor| *at)?;
        let filter = DocumentFilter {
            scope: request.scope,
            author: request.author.map(WorkspaceId::from),
            collection: request.collection,
            tag: request.tag,
            media_type: request.media_type,
            source_uri: request.source_uri,
        };
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let rows = call.tx.list_documents(&pass, &filter, after, limit + 1)?;
            let page = Listing::cut(rows, limit, "documents", |(row, _)| (row.created_at, row.id));
            let record = AuditRecord::new(AuditAction::ListDocuments, reader)
                .about(page.items.iter().map(|(row, _)| (row.id, row.version)));
            Ok((Listing { items: call.documents_to_wire(page.items)?, next: page.next }, record))
        })
        .await
    }

    /// Deletes a document: its text is removed from every table and index. Only the author, or a caller whose role covers
    /// the author, may delete it.
    ///
    /// # Errors
    /// [`AppError::NotFound`] also if the caller may not delete it; [`AppError::DocumentConflict`] when the current
    /// version is another.
    pub async fn delete_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        document: Uuid,
        if_match: Option<i64>,
    ) -> Result<wire::Deleted, AppError> {
        let deleting = self.write(auth.call(workspace), move |call| {
            let author = call.author_of(document)?;
            call.refuse_bound("delete documents, which have no end user")?;
            let reader = call.workspace;
            let granted = call.pass(|caller, tree| ForgetPass::grant(caller, tree, reader, author));
            let pass = granted.map_err(|refused| match refused {
                AppError::Forbidden(orgmem_policies::Forbidden::OthersMemory) => AppError::DOCUMENT_NOT_FOUND,
                other => other,
            })?;
            match call.tx.delete_document(&pass, document, if_match)? {
                ForgetOutcome::Done => Ok(wire::Deleted::done()),
                ForgetOutcome::NoMemory => Err(AppError::DOCUMENT_NOT_FOUND),
                ForgetOutcome::Conflict(VersionConflict { expected, current }) => {
                    Err(AppError::DocumentConflict { id: document, expected, current })
                }
            }
        });
        self.measured(MemoryOperation::Delete, deleting).await
    }

    /// Removes the content of a document and of all its versions permanently. A repetition returns the first redaction.
    ///
    /// # Errors
    /// [`AppError`]: an invalid reason, a document that the workspace cannot read, an author outside the caller's role.
    pub async fn redact_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        document: Uuid,
        request: wire::RedactMemory,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::RedactedDocument, AppError> {
        let reason = ReasonDraft::check(&request.reason, self.scrubber)?;
        let redacting = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let reader = call.workspace;
            // a caller without the permission learns nothing about the id
            call.pass(|caller, tree| RedactPass::grant(caller, tree, reader, reader))?;
            let author = call.author_of(document)?;
            let pass = call.pass(|caller, tree| RedactPass::grant(caller, tree, reader, author))?;
            let redacted = call.tx.redact_document(&pass, document, &reason)?.ok_or(AppError::DOCUMENT_NOT_FOUND)?;
            Ok(wire::RedactedDocument {
                id: document,
                redacted_at: redacted.redaction.at,
                redacted_by: redacted.redaction.by,
                reason: redacted.redaction.reason,
                versions: redacted.versions,
                already: redacted.before,
            })
        });
        self.measured(MemoryOperation::Delete, redacting).await
    }
}

impl ReadCall<'_> {
    fn readable_document(&mut self, id: Uuid) -> Result<(StoredDocument, Via), AppError> {
        let reader = self.workspace;
        let pass = self.reads(reader)?;
        self.tx.document(&pass, id)?.ok_or(AppError::DOCUMENT_NOT_FOUND)
    }

    fn documents_to_wire(&mut self, found: Vec<(StoredDocument, Via)>) -> Result<Vec<wire::Document>, AppError> {
        let reader = self.workspace;
        let pass = self.reads(reader)?;
        let authors: Vec<WorkspaceId> = found.iter().map(|(row, _)| row.author).collect();
        let names = self.names(&authors)?;
        Ok(found.into_iter().map(|(row, via)| to_wire(&pass, &names, row, via)).collect())
    }
}

impl WriteCall<'_> {
    fn readable_document(&mut self, id: Uuid) -> Result<(StoredDocument, Via), AppError> {
        let reader = self.workspace;
        let pass = self.reads(reader)?;
        self.tx.document(&pass, id)?.ok_or(AppError::DOCUMENT_NOT_FOUND)
    }

    /// The author of a document that the workspace of this call can read, or wrote, in any state.
    fn author_of(&mut self, document: Uuid) -> Result<WorkspaceId, AppError> {
        let location = self.tx.document_location(self.org, document)?.ok_or(AppError::DOCUMENT_NOT_FOUND)?;
        if location.author != self.workspace {
            self.readable_document(document)?;
        }
        Ok(location.author)
    }

    /// A write counts as one; its new passages count as texts to embed.
    fn spend_passages(&mut self, written: &WrittenDocument, is_embedded: bool) -> Result<(), AppError> {
        if written.unchanged {
            return Ok(());
        }
        let new = usize::try_from(written.new_passages).unwrap_or(usize::MAX);
        self.spend_writes(Permission::WriteMemories, new.max(1), is_embedded && new > 0)
    }
}
