//! Reads of pages: lists, single pages, their sources and their place in the working set.

use orgmem_compact::{Confidence, GATE, Rules, Support};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::{CheckedClaim, corrected};
use orgmem_policies::drafts::{DraftFault, check_token_budget};
use orgmem_policies::rules::PAGE;
use orgmem_policies::{Permission, ViewPass};
use orgmem_recall::Query;
use orgmem_store::{AuditRecord, PageCursor, PageFilter, ReadPlan, StoredPage};
use orgmem_types as wire;
use uuid::Uuid;

use super::best_pages::best;
use super::call::{ReadCall, show_to};
use super::claims::{Claimed, LostClaims, claims_to_wire, has_lost, is_unverified};
use super::list_episodes::episodes;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::compaction::Compactor;

/// Name in the frame of a quotation. Source: `docs/spec/pages.md`, "Search".
pub(super) const PAGE_FRAME: &str = "page";
/// Pages that a query compares, the newest first.
const MAX_COMPARED: usize = 2_000;
/// Size of the working set in tokens where the request has none.
pub(super) const WORKING_SET_TOKENS: usize = 1_500;

impl App {
    /// Pages of the workspace, newest first; with a query, one list of the best matches first.
    ///
    /// # Source
    /// `docs/spec/pages.md`, "Reading".
    pub async fn list_pages(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListPages,
    ) -> Result<Listing<wire::Page>, AppError> {
        let limit = cursor::limit(request.limit, 50, 200);
        let after = cursor::decode_timed("pages", request.cursor.as_deref(), PageCursor::last_at)?;
        if request.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(AppError::Field { field: "min_confidence", expected: "a number from 0 to 1".into() });
        }
        let filter = PageFilter { subject: request.subject, tiers: tiers(request.tier), thread: request.session_id };
        let query = Query::parse(request.q.as_deref().unwrap_or_default());
        let (least, explain) = (request.min_confidence.unwrap_or(0.0), request.explain.unwrap_or_default());
        let compactor = self.compactor.clone();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            call.name(filter.subject.as_deref(), filter.thread.as_deref())?;
            let reading = PageReading::begin(call, &compactor)?;
            let mut pages = match query.is_blank() {
                true => {
                    let rows = call.tx.list_pages(&reading.pass, &filter, after, limit + 1)?;
                    Listing::cut(rows, limit, "pages", StoredPage::place)
                }
                false => {
                    let rows = call.tx.list_pages(&reading.pass, &filter, None, MAX_COMPARED)?;
                    let rows = rows.into_iter().filter(|page| reading.shows(page)).collect();
                    Listing { items: best(call, &reading.pass, rows, &query, limit)?, next: None }
                }
            };
            pages.items.retain(|page| reading.shows(page) && reading.confidence(page).total >= least);
            let record = AuditRecord::new(AuditAction::ListPages, call.workspace)
                .context_field("pages", pages.items.len())
                .context_field("page_ids", ids(&pages.items));
            let checked = call.check_claims(pages.items.iter().map(Claimed::page))?;
            let mut checked = checked.into_iter();
            let to_wire = |page| reading.to_wire(call, page, &checked.next().unwrap_or_default(), explain);
            Ok((pages.map(to_wire), record))
        })
        .await
    }

    /// One page.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a page of another workspace and for one that is hidden.
    pub async fn read_page(&self, auth: &VerifiedClaims, workspace: Uuid, id: Uuid) -> Result<wire::Page, AppError> {
        let compactor = self.compactor.clone();
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let reading = PageReading::begin(call, &compactor)?;
            let page = match reading.page(call, id) {
                Err(AppError::NotFound { .. }) => reading.shared_page(call, &compactor, id)?,
                own => own?,
            };
            let record = record_of(call.workspace, &page);
            let checked = call.check_claims([Claimed::page(&page)])?.pop().unwrap_or_default();
            Ok((reading.to_wire(call, page, &checked, true), record))
        })
        .await
    }

    /// The episodes of a page, oldest first.
    ///
    /// # Errors
    /// As for [`App::read_page`].
    pub async fn list_page_sources(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        id: Uuid,
    ) -> Result<wire::PageSources, AppError> {
        let compactor = self.compactor.clone();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reading = PageReading::begin(call, &compactor)?;
            let page = reading.page(call, id)?;
            let rows = call.tx.episodes_by_id(&reading.pass, &page.sources)?;
            let sources = episodes(call, rows)?;
            let record = record_of(call.workspace, &page).context_field("episodes", sources.len());
            Ok((wire::PageSources { page_id: page.id, sources }, record))
        })
        .await
    }

    /// Why a page is in the working set of its subject or not.
    ///
    /// # Errors
    /// As for [`App::read_page`], but a page with an excluded kind is explained.
    pub async fn explain_page(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        id: Uuid,
        request: wire::ExplainPage,
    ) -> Result<wire::PageExplanation, AppError> {
        let budget = budget(request.token_budget)?;
        let compactor = self.compactor.clone();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            call.name(request.subject.as_deref(), None)?;
            let reading = PageReading::begin(call, &compactor)?;
            let page = call.tx.page(&reading.pass, id)?.ok_or(AppError::PAGE_NOT_FOUND)?;
            let subject = request.subject.clone().unwrap_or_else(|| page.subject.clone());
            let checked = call.check_claims([Claimed::page(&page)])?.pop().unwrap_or_default();
            let lost = call.lost_claims([checked.as_slice()])?;
            let set = reading.working_set(call, &subject, &Query::parse(""), budget)?;
            let (cause, reason) = reading.cause((&page, &checked, &lost), &subject, &set, budget);
            let confidence = reading.confidence(&page);
            let explanation = wire::PageExplanation {
                page_id: page.id,
                in_working_set: cause == wire::PageCause::Included,
                cause,
                reason,
                confidence: confidence.total,
                gate: GATE,
                parts: parts(&page, confidence),
            };
            Ok((explanation, record_of(call.workspace, &page)))
        })
        .await
    }
}

/// A read of pages: the permission, the rules in effect, and the day.
pub(super) struct PageReading {
    pub(super) pass: ViewPass,
    rules: Rules,
    day: i64,
}

impl PageReading {
    pub(super) fn begin(call: &mut ReadCall<'_>, compactor: &Compactor) -> Result<Self, AppError> {
        let id = call.workspace;
        // pages are read as memories are, and made of activity
        call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
        let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadActivity, tree, id))?;
        let rules = compactor.rules(call.tx, call.org, id)?;
        Ok(Self { pass, rules, day: orgmem_compact::day_of(call.tx.now().timestamp_micros()) })
    }

    /// Whether the rules in effect permit all kinds of the page. A profile that excludes a kind hides its pages at once;
    /// the next compaction rewrites them.
    pub(super) fn shows(&self, page: &StoredPage) -> bool {
        !page.kinds.iter().any(|kind| self.rules.excludes(kind))
    }

    fn page(&self, call: &mut ReadCall<'_>, id: Uuid) -> Result<StoredPage, AppError> {
        let page = call.tx.page(&self.pass, id)?.filter(|page| self.shows(page));
        page.ok_or(AppError::PAGE_NOT_FOUND)
    }

    /// A page of another workspace that its profile shares with this one.
    fn shared_page(&self, call: &mut ReadCall<'_>, compactor: &Compactor, id: Uuid) -> Result<StoredPage, AppError> {
        let pass = call.reads(call.workspace)?;
        let page = call.tx.shared_page(&pass, id)?.filter(|page| self.shows(page)).ok_or(AppError::PAGE_NOT_FOUND)?;
        let of_author = compactor.rules(call.tx, call.org, page.workspace)?;
        let is_hidden = pass.excludes(PAGE) || page.kinds.iter().any(|kind| of_author.excludes(kind));
        if is_hidden { Err(AppError::PAGE_NOT_FOUND) } else { Ok(page) }
    }

    pub(super) fn confidence(&self, page: &StoredPage) -> Confidence {
        confidence_at(page, self.day)
    }

    /// The hot pages of a subject above the gate, the most trusted first, then the warm ones that the query finds, as
    /// many as fit `budget` tokens.
    pub(super) fn working_set(
        &self,
        call: &mut ReadCall<'_>,
        subject: &str,
        query: &Query,
        budget: usize,
    ) -> Result<Vec<(StoredPage, Vec<CheckedClaim>)>, AppError> {
        let filter = |tier| PageFilter { subject: Some(subject.to_owned()), tiers: vec![tier], thread: None };
        let mut hot = call.tx.list_pages(&self.pass, &filter("hot"), None, MAX_COMPARED)?;
        hot.retain(|page| self.is_trusted(page));
        hot.sort_by(|one, other| self.confidence(other).total.total_cmp(&self.confidence(one).total));
        if !query.is_blank() {
            let mut warm = call.tx.list_pages(&self.pass, &filter("warm"), None, MAX_COMPARED)?;
            warm.retain(|page| self.is_trusted(page));
            hot.extend(best(call, &self.pass, warm, query, MAX_COMPARED)?);
        }
        let checked = call.check_claims(hot.iter().map(Claimed::page))?;
        let mut set: Vec<_> = hot.into_iter().zip(checked).filter(|(_, checked)| !is_unverified(checked)).collect();
        let lost = call.lost_claims(set.iter().map(|(_, checked)| checked.as_slice()))?;
        set.retain(|(_, checked)| !has_lost(checked, &lost));
        let mut remaining = budget;
        set.retain(|(page, _)| {
            let tokens = usize::try_from(page.tokens).unwrap_or(usize::MAX);
            let fits = tokens <= remaining;
            remaining -= if fits { tokens } else { 0 };
            fits
        });
        Ok(set)
    }

    fn is_trusted(&self, page: &StoredPage) -> bool {
        self.shows(page) && self.confidence(page).total >= GATE
    }

    fn cause(
        &self,
        (page, checked, lost): (&StoredPage, &[CheckedClaim], &LostClaims),
        subject: &str,
        set: &[(StoredPage, Vec<CheckedClaim>)],
        budget: usize,
    ) -> (wire::PageCause, String) {
        use wire::PageCause as Cause;
        let tier = page.placement.tier;
        if let Some(kind) = page.kinds.iter().find(|kind| self.rules.excludes(kind)) {
            return (Cause::Excluded, format!("it has an episode of the excluded kind `{kind}`"));
        }
        if page.subject != subject {
            return (Cause::Subject, "it is about another subject".to_owned());
        }
        let confidence = self.confidence(page).total;
        if confidence < GATE {
            return (Cause::Gate, format!("its confidence, {confidence}, is below the gate of {GATE}"));
        }
        if tier != "hot" {
            let reason = match tier {
                "warm" => "it is warm: only a query that it matches brings it into the working set",
                _ => "it is cold: it has no text",
            };
            return (Cause::Tier, reason.to_owned());
        }
        if has_lost(checked, lost) {
            return (Cause::Stale, "a record contradicts it, and the record was found right".to_owned());
        }
        if is_unverified(checked) {
            return (Cause::Unverified, "no record answers one of its claims".to_owned());
        }
        if set.iter().any(|(other, _)| other.id == page.id) {
            return (Cause::Included, "it is hot, above the gate and within the budget".to_owned());
        }
        (Cause::Budget, format!("pages of higher confidence use the budget of {budget} tokens"))
    }

    pub(super) fn to_wire(
        &self,
        call: &ReadCall<'_>,
        page: StoredPage,
        checked: &[CheckedClaim],
        explain: bool,
    ) -> wire::Page {
        let is_person = call.caller.role().is_person();
        let confidence = self.confidence(&page);
        let explanation = explain.then(|| parts(&page, confidence));
        let mut page = wire::Page {
            id: page.id,
            workspace_id: page.workspace.uuid(),
            subject: Some(page.subject).filter(|subject| !subject.is_empty()),
            session_id: page.thread,
            tier: tier_to_wire(page.placement.tier),
            // messages of others are in a page, so an agent reads it as it reads a quotation
            content: if is_person { page.content } else { corrected(&page.content, checked).into_owned() },
            claims: claims_to_wire(checked, is_person),
            confidence: confidence.total,
            tokens: page.tokens,
            outcome: page.outcome,
            first_at: page.first_at,
            last_at: page.last_at,
            compacted_at: page.compacted_at,
            version: page.version,
            made_by: page.made_by,
            source_count: page.sources.len(),
            explanation,
        };
        // episodes can contain the messages of others
        for text in [&mut page.content, &mut page.session_id].into_iter().chain(&mut page.subject) {
            show_to(&call.caller, text);
        }
        page
    }
}

/// The size of a working set in tokens.
pub(super) fn budget(requested: Option<u64>) -> Result<usize, DraftFault> {
    requested.map_or(Ok(WORKING_SET_TOKENS), check_token_budget)
}

pub(super) fn tier_to_wire(tier: &str) -> wire::Tier {
    match tier {
        "hot" => wire::Tier::Hot,
        "warm" => wire::Tier::Warm,
        _ => wire::Tier::Cold,
    }
}

/// The confidence of a page on a day, in days since 1970.
pub(super) fn confidence_at(page: &StoredPage, day: i64) -> Confidence {
    support(page).confidence(day)
}

fn tiers(tier: Option<wire::Tier>) -> Vec<&'static str> {
    match tier {
        None => vec!["hot", "warm"],
        Some(wire::Tier::Hot) => vec!["hot"],
        Some(wire::Tier::Warm) => vec!["warm"],
        Some(wire::Tier::Cold) => vec!["cold"],
    }
}

fn record_of(workspace: WorkspaceId, page: &StoredPage) -> AuditRecord {
    AuditRecord::new(AuditAction::ReadPage, workspace)
        .context_field("page_id", page.id.to_string())
        .context_field("version", page.version)
}

fn ids(pages: &[StoredPage]) -> serde_json::Value {
    pages.iter().map(|page| page.id.to_string()).collect()
}

fn support(page: &StoredPage) -> Support {
    let count = |count: i64| u32::try_from(count).unwrap_or_default();
    let placement = &page.placement;
    Support {
        effective_at: placement.effective_at,
        sessions: count(placement.sessions),
        successes: count(placement.successes),
        failures: count(placement.failures),
    }
}

fn parts(page: &StoredPage, confidence: Confidence) -> wire::PageConfidence {
    let placement = &page.placement;
    wire::PageConfidence {
        recency: confidence.recency,
        density: confidence.density,
        outcome: confidence.outcome,
        sessions: placement.sessions,
        successes: placement.successes,
        failures: placement.failures,
        effective_at: chrono::DateTime::from_timestamp_micros(placement.effective_at).unwrap_or_default(),
    }
}
