//! The versions of a memory.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::{CheckedClaim, corrected, corrected_title};
use orgmem_policies::{ReadPass, quote};
use orgmem_store::{AuditRecord, MemoryVersion, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WorkspaceNames;
use super::claims::{Claimed, claims_to_wire};
use super::wire::{make_visible, object, role, source};
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Default and maximum size of a page.
const PAGE: usize = 50;

impl App {
    /// The versions of a memory that the workspace can read, the current one first, without versions that were not
    /// shared with the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the memory does not exist or cannot be read.
    pub async fn list_versions(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::ListVersions,
    ) -> Result<Listing<wire::MemoryVersion>, AppError> {
        let limit = cursor::limit(request.limit, PAGE, PAGE);
        let before: Option<i64> = cursor::decode("versions", request.cursor.as_deref())?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let current = call.tx.memory(&pass, memory)?.map(|(now, _)| now.version);
            let history = call.tx.memory_versions(&pass, memory, before, limit + 1)?;
            let history = history.ok_or(AppError::MEMORY_NOT_FOUND)?;
            let author = history.author;
            let names = call.names(&[author])?;
            let page = Listing::cut(history.versions, limit, "versions", |version| version.version);
            let record = AuditRecord::new(AuditAction::ReadHistory, reader)
                .about(page.items.iter().map(|row| (memory, row.version)));
            let record = record.with_read_episode(&call.caller, |_| "read the history of a memory".to_owned(), None);
            let checked =
                call.check_claims(page.items.iter().map(|row| Claimed::untracked(row.authored.claims.as_deref())))?;
            let mut checked = checked.into_iter();
            let is_person = call.caller.role().is_person();
            let to_wire = |row| {
                let checked = checked.next().unwrap_or_default();
                let to_wire = version(&pass, memory, (author, &names), current, row, &checked);
                wire::MemoryVersion { claims: claims_to_wire(&checked, is_person), ..to_wire }
            };
            Ok((page.map(to_wire), record))
        })
        .await
    }
}

fn version(
    pass: &ReadPass,
    id: Uuid,
    (author, names): (WorkspaceId, &WorkspaceNames),
    current: Option<i64>,
    row: MemoryVersion,
    checked: &[CheckedClaim],
) -> wire::MemoryVersion {
    let (mut name, is_quoted) = (names.of(author), pass.quotes(row.scope, author));
    let fields = if is_quoted { row.authored.with_visible_labels() } else { row.authored };
    let content = match is_quoted {
        true => quote::quote(id, row.scope, &names.stored(author), &corrected(&fields.content, checked)),
        false => fields.content,
    };
    if is_quoted {
        make_visible(&mut name);
    }
    let title = fields.title.map(|title| match is_quoted {
        true => corrected_title(&title, checked).into_owned(),
        false => title,
    });
    wire::MemoryVersion {
        version: row.version,
        current: current == Some(row.version),
        workspace_id: author.uuid(),
        workspace_name: name,
        scope: row.scope,
        team: row.team.map(WorkspaceId::uuid),
        title,
        claims: None,
        namespace: fields.namespace,
        kind: fields.kind,
        source: source(fields.source),
        role: role(row.role),
        confidence: fields.confidence,
        tags: fields.tags,
        metadata: fields.metadata.as_deref().and_then(object),
        subject: fields.subject,
        session_id: fields.session_id,
        session_only: fields.session_only,
        pin: fields.pin,
        content,
        written_at: row.written_at,
        expires_at: fields.expires_at,
    }
}
