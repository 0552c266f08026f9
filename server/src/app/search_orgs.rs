//! Searches over all workspaces that a caller may read, org by org.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Via, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ReadPass, ServerAction, ServerPass};
use orgmem_recall::PageRequest;
use orgmem_store::{AuditRecord, FoundMemory, OrgSummary, ReadPlan, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::meaning::ParsedQuery;
use super::memory_rows::{memories, understood};
use super::search_memories::memories_of;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Default and maximum number of memories of an org. Source: `docs/spec/search.md`, "Search over workspaces".
const MEMORIES: usize = 5;
const MEMORIES_MAX: usize = 20;
/// Maximum number of orgs that one request searches.
const ORGS_MAX: usize = 20;

/// Creation and id of the last org of a page.
type PageCursor = (DateTime<Utc>, Uuid);

impl App {
    /// The memories of all workspaces that the caller may read, best first in each org; without a query pinned and
    /// newest first. Orgs without a match are omitted. Each org is searched in a snapshot of its own.
    ///
    /// # Errors
    /// [`AppError::Cursor`] for a foreign cursor.
    ///
    /// # Complexity
    /// At most 20 searches, each as by a workspace that reads the whole subtree.
    pub async fn search_orgs(
        &self,
        auth: &VerifiedClaims,
        request: wire::SearchOrgs,
    ) -> Result<Listing<wire::OrgMatches>, AppError> {
        let limit = cursor::limit(request.limit, MEMORIES, MEMORIES_MAX);
        let after =
            cursor::decode_timed("search", request.cursor.as_deref(), |&(created_at, _): &PageCursor| created_at)?;
        let searching = async {
            let (tops, next) = self.searched(auth, after).await?;
            let mut items = Vec::new();
            for top in tops {
                match self.search_org(auth, top, request.q.clone(), limit).await {
                    Ok(found) if found.memories.is_empty() => {}
                    Ok(found) => items.push(found),
                    // the org was removed after the list was read
                    Err(AppError::NotFound { .. } | AppError::Gone(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(Listing { items, next })
        };
        self.measured(MemoryOperation::Search, searching).await
    }

    /// The workspaces to search, one of each org, and the cursor of the next ones.
    async fn searched(
        &self,
        auth: &VerifiedClaims,
        after: Option<PageCursor>,
    ) -> Result<(Vec<WorkspaceId>, Option<String>), AppError> {
        self.read_server(auth, ReadPlan::Scan, move |tx, caller| {
            if let Some(bound) = caller.workspace() {
                return Ok((vec![bound], None));
            }
            let pass = ServerPass::grant(caller, ServerAction::ReadServer)?;
            let position = |org: &OrgSummary| -> PageCursor { (org.created_at, org.org.uuid()) };
            let mut orgs = tx.org_summaries(&pass)?;
            orgs.retain(|org| has_memories(org) && after.is_none_or(|after| position(org) > after));
            let Listing { items, next } = Listing::cut(orgs, ORGS_MAX, "search", position);
            Ok((items.into_iter().map(|org| org.org.root()).collect(), next))
        })
        .await
    }

    async fn search_org(
        &self,
        auth: &VerifiedClaims,
        top: WorkspaceId,
        q: Option<String>,
        limit: usize,
    ) -> Result<wire::OrgMatches, AppError> {
        let query = ParsedQuery::parse(q, None);
        let (is_scored, query_hash) = (!query.is_blank(), query.hash());
        self.read_by_query(auth, top.uuid(), ReadPlan::Adaptive, query, move |call, query| {
            let pass = call.reads_all()?;
            let cut = PageRequest { limit, ..PageRequest::default() };
            let found = call.tx.search(&pass, &Search { query, cut, ..Search::default() })?;
            let shown: Vec<(Uuid, i64)> = found.hits.iter().map(|hit| (hit.memory.id, hit.memory.version)).collect();
            let mut record = AuditRecord::new(AuditAction::SearchMemories, top).about(shown).with_read_episode(
                &call.caller,
                |count| format!("found {}", memories_of(count)),
                None,
            );
            if call.caller.role().is_person() {
                record = record.context_field("subtree", true);
            }
            if let Some(query_hash) = &query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let split = |hit: FoundMemory| {
                let found = (hit.memory, hit.via, is_scored.then_some(hit.score));
                (found, (hit.similarity, understood(hit.understood), hit.outdated_by))
            };
            let (rows, order): (Vec<_>, Vec<_>) = found.hits.into_iter().map(split).unzip();
            let found_memories = memories(call, &pass, rows)?.into_iter().zip(order);
            let mut memories = Vec::new();
            for (memory, (similarity_score, understood, outdated_by)) in found_memories {
                let can = call.can_where_readable(&memory)?;
                memories.push(wire::Memory { similarity_score, understood, outdated_by, can: Some(can), ..memory });
            }
            let response = wire::OrgMatches {
                org_id: call.org.uuid(),
                workspace_id: top.uuid(),
                workspace_name: call.names(&[top])?.of(top),
                memories,
                more: found.more,
            };
            Ok((response, record))
        })
        .await
    }
}

fn has_memories(org: &OrgSummary) -> bool {
    org.memories.local + org.memories.team + org.memories.global > 0
}

impl ReadCall<'_> {
    /// A pass for everything that the caller may read through this workspace: for people the subtree, for an agent the
    /// reach of its workspace.
    fn reads_all(&mut self) -> Result<ReadPass, AppError> {
        let top = self.workspace;
        if !self.caller.role().is_person() {
            return self.reads(top);
        }
        let profiles = self.tx.all_default_settings(self.org)?;
        self.pass(|caller, tree| ReadPass::grant_subtree(caller, tree, top, &profiles))
    }

    /// The permissions of the caller on a memory, acting as the workspace that reads it.
    fn can_where_readable(&mut self, memory: &wire::Memory) -> Result<wire::MemoryPermissions, AppError> {
        let (top, author) = (self.workspace, WorkspaceId::from(memory.workspace_id));
        if memory.via == Via::Itself {
            self.workspace = author;
        }
        let can = self.can(author);
        self.workspace = top;
        can
    }
}
