//! Explanations and counts of search results. The reasons come from the code that decides.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Reason, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{Permission, ReadPass, Withheld, permit};
use orgmem_store::{
    AuditRecord, Expiry, ExpiryRule, LocatedKind, MemoryLabels, MemoryLocation, MemoryState, Miss, Ranked, ReadPlan,
};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::grants::note_grants;
use super::memory_rows::parts;
use super::search_params::SearchParams;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// The number of memories that a search without limit finds.
    ///
    /// # Errors
    /// As for [`App::search_memories`].
    pub async fn count_memories(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CountMemories,
    ) -> Result<wire::MemoryCount, AppError> {
        let (query, params) = SearchParams::resolve(wire::ListMemories::from(request).into())?;
        self.read_by_query(auth, workspace, ReadPlan::Scan, query, move |call, query| {
            let reader = call.workspace;
            params.name(call)?;
            let pass = call.reads(reader)?;
            let pass = call.under_grants(pass, params.sessions)?;
            let search = params.search(call, query)?;
            let count = wire::MemoryCount { count: call.tx.count(&pass, &search)? };
            let record = AuditRecord::new(AuditAction::CountMemories, reader).context_field("count", count.count);
            Ok((count, note_grants(record, &pass, [])))
        })
        .await
    }

    /// Why the workspace finds a memory by a query, or does not. For a memory that the workspace cannot read, only
    /// callers whose role covers the author get the reason.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the memory never existed or the caller may not know the reason.
    ///
    /// # Source
    /// `docs/spec/memories.md`, "Explaining recall".
    pub async fn explain_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::RecallQuery,
    ) -> Result<wire::RecallExplanation, AppError> {
        let wire::RecallQuery { q, collapse } = request;
        let search = wire::ListMemories { q, collapse, ..wire::ListMemories::default() };
        let (query, params) = SearchParams::resolve(search.into())?;
        let is_scored = !query.is_blank();
        self.read_by_query(auth, workspace, ReadPlan::Scan, query, move |call, query| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let record = AuditRecord::new(AuditAction::ExplainMemory, reader);
            if let Some((row, via)) = call.tx.memory(&pass, memory)? {
                let search = params.search(call, query)?;
                let ranked = call.tx.rank(&pass, &search, memory)?;
                let why = wire::RecallExplanation { via: Some(via), ..found(memory, &ranked, is_scored) };
                return Ok((why, record.about([(memory, row.version)])));
            }
            // version 0: the version of an unreadable memory is unknown
            let record = record.about([(memory, 0)]);
            if let Some(hidden) = call.of_other_user(&pass, memory)? {
                return Ok((hidden, record));
            }
            let Some(location) = call.tx.memory_location(call.org, memory)? else {
                return match call.pending(memory) {
                    Err(AppError::NotFound { .. }) if call.is_in_another_tree(memory)? => {
                        let reason = Reason::NotInSameTree.say(|_| String::new());
                        Ok((cause(memory, wire::RecallCause::NotReadable, reason), record))
                    }
                    explained => Ok((explained?, record)),
                };
            };
            if !call.covers(location.author)? {
                return Err(AppError::MEMORY_NOT_FOUND);
            }
            Ok((call.why_not(memory, &location)?, record))
        })
        .await
    }
}

impl ReadCall<'_> {
    /// Whether the caller's role covers a workspace, which may have been removed.
    pub(super) fn covers(&mut self, author: WorkspaceId) -> Result<bool, AppError> {
        let tree = self.tx.tree(self.org)?;
        Ok(self.caller.workspace().is_none() || permit(&self.caller, Permission::ReadMemories, &tree, author).is_ok())
    }

    /// Whether another org has the memory, for a caller who may know every org.
    fn is_in_another_tree(&mut self, memory: Uuid) -> Result<bool, AppError> {
        let is_server_wide = self.caller.workspace().is_none();
        Ok(is_server_wide && self.tx.located(None, memory)?.iter().any(|found| found.kind == LocatedKind::Memory))
    }

    /// The reason for a memory that is staged in a run, for callers who may read that run.
    fn pending(&mut self, memory: Uuid) -> Result<wire::RecallExplanation, AppError> {
        let staged = self.tx.pending_ref(self.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        if !self.covers(staged.author)? {
            return Err(AppError::MEMORY_NOT_FOUND);
        }
        let reason = format!("it is pending in run {}, and is there once that ends well", staged.run);
        Ok(wire::RecallExplanation { run_id: Some(staged.run), ..cause(memory, wire::RecallCause::Pending, reason) })
    }

    /// The cause for a memory of an end user or a session that the call is not for. Only people learn it: for an agent the
    /// memory does not exist, and neither does any other whose end user is not known any more.
    fn of_other_user(&mut self, pass: &ReadPass, memory: Uuid) -> Result<Option<wire::RecallExplanation>, AppError> {
        if pass.users().is_open() {
            return Ok(None);
        }
        let known = self.tx.memory_labels(self.org, memory)?;
        let is_hidden =
            |labels: &MemoryLabels| !pass.users().permits(labels.subject.as_deref(), labels.session.as_deref());
        match (known, self.caller.role().is_person()) {
            (Some(labels), _) if !is_hidden(&labels) => Ok(None),
            (_, false) => Err(AppError::MEMORY_NOT_FOUND),
            (None, true) => Ok(None),
            (Some(_), true) => {
                let reason = "it is of an end user or a session that the call does not name, and the workspace's profile \
                              keeps these apart";
                Ok(Some(cause(memory, wire::RecallCause::Isolated, reason.to_owned())))
            }
        }
    }

    /// The reason for a memory that the tree lets the workspace read and its profile withholds.
    fn withheld(
        &mut self,
        memory: Uuid,
        location: &MemoryLocation,
    ) -> Result<Option<wire::RecallExplanation>, AppError> {
        let (reader, known) = (self.workspace, self.tx.memory_labels(self.org, memory)?);
        let (profile, is_own) = (self.tx.default_settings(self.org, reader)?, location.author == reader);
        let withheld = match &known {
            Some(labels) => profile.withholds(is_own, location.scope, &labels.kind, labels.profile),
            None => profile.isolates(is_own, location.scope),
        };
        let kind = known.map(|labels| labels.kind).unwrap_or_default();
        Ok(withheld.map(|withheld| {
            let recall_cause = match withheld {
                Withheld::Isolation(_) => wire::RecallCause::Isolated,
                Withheld::Kind => wire::RecallCause::KindExcluded,
            };
            cause(memory, recall_cause, withheld.say(&kind))
        }))
    }

    /// The first cause for which the workspace cannot read a memory.
    fn why_not(&mut self, memory: Uuid, location: &MemoryLocation) -> Result<wire::RecallExplanation, AppError> {
        let reader = self.workspace;
        let (decision, is_live) = {
            let tree = self.tx.tree(self.org)?;
            (tree.read(reader, location.author, location.scope, location.team), tree.contains(location.author))
        };
        if !is_live {
            let reason = "its author was removed, and what it wrote is read by nobody".to_owned();
            return Ok(cause(memory, wire::RecallCause::NotReadable, reason));
        }
        if let Err(reason) = decision {
            let names = self.names(reason.about().as_slice())?;
            return Ok(cause(memory, wire::RecallCause::NotReadable, reason.say(|id| names.of(id))));
        }
        if let Some(withheld) = self.withheld(memory, location)? {
            return Ok(withheld);
        }
        Ok(match location.state(self.tx.now()) {
            MemoryState::Expired(Expiry { at, rule }) => wire::RecallExplanation {
                since: Some(at),
                rule: rule.map(|rule| rule.as_str().to_owned()),
                ..cause(memory, wire::RecallCause::Expired, expiry_reason(at, rule))
            },
            MemoryState::Redacted => {
                let redaction = self.tx.redaction(self.org, memory)?;
                let reason = redaction.as_ref().map_or_else(
                    || "it was redacted".to_owned(),
                    |redaction| format!("it was redacted by {}: {}", redaction.by, redaction.reason),
                );
                wire::RecallExplanation {
                    since: redaction.map(|redaction| redaction.at),
                    ..cause(memory, wire::RecallCause::Redacted, reason)
                }
            }
            MemoryState::Deleted => cause(memory, wire::RecallCause::Deleted, "it was deleted".to_owned()),
            MemoryState::Superseded(by) => {
                let reason =
                    by.map_or_else(|| "another memory replaces it".to_owned(), |by| format!("{by} replaces it"));
                wire::RecallExplanation { superseded_by: by, ..cause(memory, wire::RecallCause::Superseded, reason) }
            }
            MemoryState::Pending => {
                cause(memory, wire::RecallCause::Pending, "it waits for its run to end well".to_owned())
            }
            // a live memory within reach is readable
            MemoryState::Live => return Err(AppError::MEMORY_NOT_FOUND),
        })
    }
}

fn found(memory: Uuid, ranked: &Ranked, scored: bool) -> wire::RecallExplanation {
    let (Some(rank), count) = (ranked.rank, ranked.found) else { return missed(memory, ranked) };
    let reason = match ranked.repeats {
        None => format!("it is readable, and number {rank} of {count} that are found"),
        Some(first) => format!(
            "it is readable, and number {rank} of {count} that are found, lower than without {first}, which comes first \
             with the same content, or nearly the same words of the same author"
        ),
    };
    wire::RecallExplanation {
        rank: Some(rank),
        found: Some(count),
        score: ranked.score.filter(|_| scored),
        parts: parts(&ranked.parts),
        repeats: ranked.repeats,
        ..cause(memory, wire::RecallCause::Found, reason)
    }
}

/// The cause for a readable memory that the search does not list.
fn missed(memory: Uuid, ranked: &Ranked) -> wire::RecallExplanation {
    let (recall_cause, repeats, reason) = match ranked.miss {
        Some(Miss::Collapsed(first)) => {
            let reason = format!("it is readable, and named in {first}, which comes first with the same content");
            (wire::RecallCause::Collapsed, Some(first), reason)
        }
        Some(Miss::BelowMinimum) => {
            let reason = "it is readable, and the query matches it, but with a score too far below the best".to_owned();
            (wire::RecallCause::BelowMinimum, None, reason)
        }
        Some(Miss::NoMatch) | None => {
            let reason = "it is readable, but neither it nor a memory next to it in its session matches the query";
            (wire::RecallCause::NotFound, None, reason.to_owned())
        }
    };
    wire::RecallExplanation { found: Some(ranked.found), repeats, ..cause(memory, recall_cause, reason) }
}

fn cause(memory_id: Uuid, cause: wire::RecallCause, reason: String) -> wire::RecallExplanation {
    wire::RecallExplanation {
        memory_id,
        readable: matches!(
            cause,
            wire::RecallCause::Found
                | wire::RecallCause::NotFound
                | wire::RecallCause::BelowMinimum
                | wire::RecallCause::Collapsed
        ),
        cause,
        reason,
        via: None,
        rank: None,
        found: None,
        score: None,
        parts: Vec::new(),
        repeats: None,
        superseded_by: None,
        run_id: None,
        since: None,
        rule: None,
    }
}

fn expiry_reason(at: DateTime<Utc>, rule: Option<ExpiryRule>) -> String {
    let at = at.to_rfc3339();
    match rule {
        None => format!("it expired at {at}"),
        Some(ExpiryRule::ExpiresAt) => format!("it expired at {at}, as its writer requested"),
        Some(ExpiryRule::SessionEnd) => format!("its session ended at {at}"),
        Some(rule @ ExpiryRule::SessionIdle) => {
            format!("its session ended at {at}, because nothing happened in it (`{rule}`)")
        }
        Some(rule @ ExpiryRule::MaxAge) => format!("it reached the maximum age of its profile (`{rule}`) at {at}"),
        Some(rule @ ExpiryRule::MaxEntries) => {
            format!("its profile has a maximum number of memories (`{rule}`), and it was removed as excess at {at}")
        }
    }
}
