//! Reviews: list, decide.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::claims::{Claim, check_claim};
use orgmem_policies::drafts::{MemoryEdit, MemoryEditInput, ReasonDraft};
use orgmem_policies::rules::{self, FieldState, ReviewStatus};
use orgmem_policies::{ActPass, EditPass, Permission, ViewPass};
use orgmem_store::{AuditRecord, ReadPlan, ReadyEdit, Review, ReviewFilter, ReviewedKind, VersionChange};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::claims::claims_to_wire;
use super::drafting::Drafting;
use super::wire::redactions;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Rows that one read of the store examines.
const BATCH: usize = 200;

impl App {
    /// The reviews of the items of the workspace, newest first; with `subtree` those of the workspaces below too.
    ///
    /// # Source
    /// `docs/spec/records.md`, "Reviews".
    pub async fn list_reviews(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListReviews,
    ) -> Result<Listing<wire::Review>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let before: Option<Uuid> = cursor::decode("reviews", request.cursor.as_deref())?;
        let below = request.subtree.unwrap_or_default();
        let (status, entity) = (request.status.map(status_of), request.entity);
        // the differences that earlier reads found
        self.write_reads(auth, workspace).await?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let top = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, top))?;
            if below {
                call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadTree, tree, top))?;
            }
            let users = call.users()?;
            let workspace = (!below).then_some(top);
            let filter = ReviewFilter { workspace, status, entity: entity.clone() };
            let (mut found, mut last) = (Vec::new(), before);
            while found.len() <= limit {
                let mut rows = call.tx.list_reviews(call.org, &filter, last, BATCH)?;
                let is_end = rows.len() < BATCH;
                last = rows.last().map(|review| review.id);
                if below {
                    let tree = call.tx.tree(call.org)?;
                    rows.retain(|review| tree.is_within(review.difference.workspace, top));
                }
                if !users.is_open() {
                    let mut shown = Vec::with_capacity(rows.len());
                    for review in rows {
                        let labels = call.tx.memory_labels(call.org, review.difference.item)?;
                        let permits = |labels: orgmem_store::MemoryLabels| {
                            users.permits(labels.subject.as_deref(), labels.session.as_deref())
                        };
                        if labels.is_some_and(permits) {
                            shown.push(review);
                        }
                    }
                    rows = shown;
                }
                found.extend(rows);
                if is_end {
                    break;
                }
            }
            found.truncate(limit + 1);
            let Listing { items, next } = Listing::cut(found, limit, "reviews", |review| review.id);
            let record = AuditRecord::new(AuditAction::ListReviews, top).context_field("reviews", items.len());
            let items = items.into_iter().map(|review| to_wire(call, review)).collect::<Result<_, _>>()?;
            Ok((Listing { items, next }, record))
        })
        .await
    }

    /// Decides a review. The latest decision counts.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a review of a workspace outside of the subtree of `workspace`.
    ///
    /// # Source
    /// `docs/spec/records.md`, "Reviews".
    pub async fn decide_review(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        review: Uuid,
        request: wire::DecideReview,
    ) -> Result<wire::DecidedReview, AppError> {
        let (role, now) = (auth.identity().role, self.now());
        let make = move |request: wire::DecideReview, with: &Drafting| {
            let note = request.note.map(|note| ReasonDraft::check(&note, with.scrubber)).transpose()?;
            let status = decision_of(request.decision);
            let lowered = match status.lowered(1.0) {
                Some(confidence) => {
                    let input = MemoryEditInput { confidence: Some(confidence), ..MemoryEditInput::default() };
                    Some(MemoryEdit::check(input, role, with.limits, with.scrubber, now)?)
                }
                None => None,
            };
            Ok((status, note, lowered))
        };
        let (status, note, lowered) = self.draft(auth, workspace, Permission::DecideReviews, request, make).await?;
        let is_embedded = self.embedding.is_some();
        self.write(auth.call(workspace), move |call| {
            let top = call.workspace;
            call.pass(|caller, tree| ActPass::grant(caller, Permission::DecideReviews, tree, top))?;
            let found = call.tx.review(call.org, review)?.ok_or(AppError::REVIEW_NOT_FOUND)?;
            let author = found.difference.workspace;
            let is_below = call.tx.tree(call.org)?.is_within(author, top);
            if !is_below {
                return Err(AppError::REVIEW_NOT_FOUND);
            }
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::DecideReviews, tree, author))?;
            let text = note.as_ref().map(ReasonDraft::as_str);
            call.tx.decide_review(&pass, review, status, text)?;
            let confidence = match &lowered {
                Some(edit) => call.lower(&pass, &found, status, edit.clone(), is_embedded)?,
                None => None,
            };
            let event = (status == ReviewStatus::MemoryWasRight).then_some(EventKind::RecordDisputed);
            let record = AuditRecord::new(AuditAction::DecideReview, author)
                .context_field("review_id", review.to_string())
                .context_field("item_id", found.difference.item.to_string())
                .context_field("decision", status.as_str())
                .event_kind(event)
                .event_field("review_id", review.to_string())
                .event_field("entity", found.difference.entity.as_str())
                .event_field("field", found.difference.field.as_str());
            call.tx.record(record)?;
            let decided = call.tx.review(call.org, review)?.ok_or(AppError::REVIEW_NOT_FOUND)?;
            let redactions = note.as_ref().map(|note| redactions(note.redactions())).unwrap_or_default();
            Ok(wire::DecidedReview { review: to_wire(call, decided)?, confidence, redactions })
        })
        .await
    }
}

impl WriteCall<'_> {
    /// Lowers the confidence of the memory that the review is about, if it has not changed since. The reviews of the memory
    /// follow it to its new version, so that the difference does not become a second review.
    fn lower(
        &mut self,
        pass: &ActPass,
        review: &Review,
        status: ReviewStatus,
        edit: MemoryEdit,
        is_embedded: bool,
    ) -> Result<Option<f64>, AppError> {
        let difference = &review.difference;
        if difference.kind != ReviewedKind::Memory {
            return Ok(None);
        }
        let (id, author) = (difference.item, difference.workspace);
        let reads = self.reads(author)?;
        let Some((memory, _)) = self.tx.memory(&reads, id)? else { return Ok(None) };
        let Some(confidence) = status.lowered(memory.authored.confidence) else { return Ok(None) };
        if memory.version != difference.version {
            return Ok(None);
        }
        let edits = self.pass(|caller, tree| EditPass::grant(caller, tree, author, author))?;
        self.spend_writes(Permission::DecideReviews, 1, is_embedded)?;
        let change = VersionChange::Edit(Box::new(ReadyEdit::from(edit)));
        let Ok(facts) = self.tx.edit_facts(&edits, id, Some(memory.version), &change)? else { return Ok(None) };
        let plan = rules::check_edit(facts)?;
        let edited = self.tx.edit_memory(&edits, &plan, &change)?;
        self.tx.move_reviews(pass, id, edited.version)?;
        Ok(Some(confidence))
    }
}

fn to_wire<Tx: orgmem_store::ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    review: Review,
) -> Result<wire::Review, AppError> {
    let difference = review.difference;
    let author: WorkspaceId = difference.workspace;
    let mut remedies = Vec::new();
    let permits = |caller: &_, tree: &_, action| orgmem_policies::permit(caller, action, tree, author).is_ok();
    {
        let tree = call.tx.tree(call.org)?;
        if difference.kind == ReviewedKind::Memory && permits(&call.caller, &tree, Permission::WriteMemories) {
            remedies.push(wire::ReviewRemedy::Edit);
        }
        if permits(&call.caller, &tree, Permission::RedactMemories) {
            remedies.push(wire::ReviewRemedy::Redact);
        }
    }
    let claim = Claim { entity: difference.entity, field: difference.field, value: difference.claimed, item: None };
    let record = FieldState { as_of: difference.as_of, value: Some(difference.record) };
    let is_person = call.caller.role().is_person();
    let claim = claims_to_wire(&[check_claim(claim, Some(&record))], is_person).and_then(|mut claims| claims.pop());
    Ok(wire::Review {
        id: review.id,
        status: match review.status {
            ReviewStatus::Open => wire::ReviewStatus::Open,
            ReviewStatus::RecordWins => wire::ReviewStatus::RecordWins,
            ReviewStatus::MemoryWasRight => wire::ReviewStatus::MemoryWasRight,
            ReviewStatus::Dismissed => wire::ReviewStatus::Dismissed,
        },
        workspace_id: author.uuid(),
        item_kind: match difference.kind {
            ReviewedKind::Memory => wire::ReviewedKind::Memory,
            ReviewedKind::Episode => wire::ReviewedKind::Episode,
        },
        item_id: difference.item,
        item_version: difference.version,
        claim: claim.ok_or(AppError::REVIEW_NOT_FOUND)?,
        remedies,
        created_at: review.created_at,
        decided_at: review.decided_at,
        decided_by: review.decided_by,
        note: review.note,
    })
}

fn status_of(status: wire::ReviewStatus) -> ReviewStatus {
    match status {
        wire::ReviewStatus::Open => ReviewStatus::Open,
        wire::ReviewStatus::RecordWins => ReviewStatus::RecordWins,
        wire::ReviewStatus::MemoryWasRight => ReviewStatus::MemoryWasRight,
        wire::ReviewStatus::Dismissed => ReviewStatus::Dismissed,
    }
}

fn decision_of(decision: wire::ReviewDecision) -> ReviewStatus {
    match decision {
        wire::ReviewDecision::RecordWins => ReviewStatus::RecordWins,
        wire::ReviewDecision::MemoryWasRight => ReviewStatus::MemoryWasRight,
        wire::ReviewDecision::Dismissed => ReviewStatus::Dismissed,
    }
}
