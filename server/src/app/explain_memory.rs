//! Why a memory is found or not, and how many are. The code that decides gives the reasons.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{Permission, Withheld, permit};
use orgmem_store::{AuditRecord, MemoryLocation, MemoryState, Ranked, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::search_memories::parts;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// How many memories the workspace can read that match: what a search without limit finds.
    ///
    /// # Errors
    /// As for [`App::search_memories`].
    pub async fn count_memories(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CountMemories,
    ) -> Result<wire::MemoryCount, AppError> {
        let mut resolve_params = self.resolve_params(who, workspace, wire::ListMemories::from(request).into()).await?;
        self.read_audited(who.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            resolve_params.search.profile = call.in_profile(resolve_params.profile)?;
            let count = wire::MemoryCount { count: call.tx.count(&pass, &resolve_params.search)? };
            let record = AuditRecord::new(AuditAction::CountMemories, reader).context_field("count", count.count);
            Ok((count, record))
        })
        .await
    }

    /// Why the workspace finds a memory by a query, or does not. Of what it cannot read the reason is told to those alone
    /// whose role covers its author too.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where there never was such a memory, or none whose reason is the caller's to know.
    ///
    /// # Source
    /// product.md, sections 3 and 4.2, "Explaining recall".
    pub async fn explain_memory(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::WhyQuery,
    ) -> Result<wire::Why, AppError> {
        let search = wire::ListMemories { q: request.q, ..wire::ListMemories::default() };
        let resolve_params = self.resolve_params(who, workspace, search.into()).await?;
        self.read_audited(who.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let asks = AuditRecord::new(AuditAction::ExplainMemory, reader);
            if let Some((row, via)) = call.tx.memory(&pass, memory)? {
                let ranked = call.tx.rank(&pass, &resolve_params.search, memory)?;
                let why = wire::Why { via: Some(via), ..found(memory, &ranked, resolve_params.scored) };
                return Ok((why, asks.about([(memory, row.version)])));
            }
            let Some(place) = call.tx.memory_place(call.org, memory)? else {
                return Ok((call.waits(memory)?, asks.about([(memory, 0)])));
            };
            if !call.covers(place.author)? {
                return Err(AppError::MEMORY_NOT_FOUND);
            }
            // of what it cannot read the version is not known
            Ok((call.why_not(memory, &place)?, asks.about([(memory, 0)])))
        })
        .await
    }
}

impl ReadCall<'_> {
    /// Whether the caller's role covers a workspace, or what is left of it.
    pub(super) fn covers(&mut self, author: WorkspaceId) -> Result<bool, AppError> {
        let tree = self.tx.tree(self.org)?;
        Ok(self.caller.workspace().is_none() || permit(&self.caller, Permission::ReadMemories, &tree, author).is_ok())
    }

    /// That a memory waits in a run, for those who may look at that run.
    fn waits(&mut self, memory: Uuid) -> Result<wire::Why, AppError> {
        let held = self.tx.held_place(self.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        if !self.covers(held.author)? {
            return Err(AppError::MEMORY_NOT_FOUND);
        }
        let reason = format!("it is pending in run {}, and is there once that ends well", held.run);
        Ok(wire::Why { run_id: Some(held.run), ..cause(memory, wire::WhyCause::Pending, reason) })
    }

    /// That the workspace's profile keeps a memory away which the tree would let it read.
    fn withheld(&mut self, memory: Uuid, place: &MemoryLocation) -> Result<Option<wire::Why>, AppError> {
        let (reader, kind) = (self.workspace, self.tx.memory_kind(self.org, memory)?.unwrap_or_default());
        let profile = self.tx.default_settings(self.org, reader)?;
        let withheld = profile.withholds(place.author == reader, place.scope, &kind);
        Ok(withheld.map(|withheld| {
            let named = match withheld {
                Withheld::Isolation(_) => wire::WhyCause::Isolated,
                Withheld::Kind => wire::WhyCause::KindExcluded,
            };
            cause(memory, named, withheld.say(&kind))
        }))
    }

    /// The one cause for which the workspace cannot read a memory.
    fn why_not(&mut self, memory: Uuid, place: &MemoryLocation) -> Result<wire::Why, AppError> {
        let reader = self.workspace;
        let (decision, is_live) = {
            let tree = self.tx.tree(self.org)?;
            (tree.read(reader, place.author, place.scope, place.team), tree.contains(place.author))
        };
        if !is_live {
            let reason = "its author was removed, and what it wrote is read by nobody".to_owned();
            return Ok(cause(memory, wire::WhyCause::NotReadable, reason));
        }
        if let Err(reason) = decision {
            let names = self.names(reason.about().as_slice())?;
            return Ok(cause(memory, wire::WhyCause::NotReadable, reason.say(|id| names.of(id))));
        }
        if let Some(withheld) = self.withheld(memory, place)? {
            return Ok(withheld);
        }
        Ok(match place.state(self.tx.now()) {
            MemoryState::Expired(at) => wire::Why {
                since: Some(at),
                ..cause(memory, wire::WhyCause::Expired, format!("it expired at {}", at.to_rfc3339()))
            },
            MemoryState::Redacted => {
                let kept = self.tx.redaction(self.org, memory)?;
                let reason = kept.as_ref().map_or_else(
                    || "it was redacted".to_owned(),
                    |kept| format!("it was redacted by {}: {}", kept.by, kept.reason),
                );
                wire::Why { since: kept.map(|kept| kept.at), ..cause(memory, wire::WhyCause::Redacted, reason) }
            }
            MemoryState::Deleted => cause(memory, wire::WhyCause::Deleted, "it was deleted".to_owned()),
            MemoryState::Superseded(by) => {
                let reason =
                    by.map_or_else(|| "another memory replaces it".to_owned(), |by| format!("{by} replaces it"));
                wire::Why { superseded_by: by, ..cause(memory, wire::WhyCause::Superseded, reason) }
            }
            MemoryState::Pending => {
                cause(memory, wire::WhyCause::Pending, "it waits for its run to end well".to_owned())
            }
            // what is live and in reach is readable, and was answered before
            MemoryState::Live => return Err(AppError::MEMORY_NOT_FOUND),
        })
    }
}

fn found(memory: Uuid, ranked: &Ranked, scored: bool) -> wire::Why {
    let Some(rank) = ranked.rank else {
        let reason =
            "it is readable, but the query does not find it: it has none of its words, or scores below the gate, or says \
             the same as one that comes first"
                .to_owned();
        return wire::Why { found: Some(ranked.found), ..cause(memory, wire::WhyCause::NotFound, reason) };
    };
    let reason = format!("it is readable, and number {rank} of {} that are found", ranked.found);
    wire::Why {
        rank: Some(rank),
        found: Some(ranked.found),
        score: ranked.score.filter(|_| scored),
        parts: parts(&ranked.parts),
        ..cause(memory, wire::WhyCause::Found, reason)
    }
}

fn cause(memory_id: Uuid, cause: wire::WhyCause, reason: String) -> wire::Why {
    wire::Why {
        memory_id,
        readable: matches!(cause, wire::WhyCause::Found | wire::WhyCause::NotFound),
        cause,
        reason,
        via: None,
        rank: None,
        found: None,
        score: None,
        parts: Vec::new(),
        superseded_by: None,
        run_id: None,
        since: None,
    }
}
