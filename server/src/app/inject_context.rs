//! What an agent puts before its prompt.

use std::collections::HashSet;
use std::sync::Arc;

use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::check_session;
use orgmem_policies::scrub::Scrubbed;
use orgmem_policies::{Block, Injection, ProfileSettings, ReadPass, Strategy, Withheld, quote};
use orgmem_recall::{Cut, Filter, Order, Query};
use orgmem_store::{AuditRecord, FoundMemory, ReadPlan, Search};
use orgmem_types as wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::ReadCall;
use super::profiles::strategy;
use super::search_memories::{memories, memories_of};
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Memories that are looked at for one block, best first.
const CONSIDERED: usize = 200;

/// Memories of which it is told why they are not in the block.
const LEFT_OUT: usize = 50;

/// Characters of what is shown of such a memory.
const EXCERPT: usize = 120;

impl App {
    /// The block for a prompt of the workspace, by its default profile or the one that is named, and what is in it. A
    /// named profile may narrow what the default one lets the workspace read, and not widen it.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; a session out of its limits; [`AppError::NotFound`] where the
    /// workspace has no such profile.
    ///
    /// # Source
    /// product.md, section 4.6.
    pub async fn inject_context(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::InjectContext,
    ) -> Result<wire::Context, AppError> {
        // the event tells it, so it is what memories have: scrubbed, and of bounded length
        let session_id = request.session_id.map(|text| check_session(&text, self.scrubber)).transpose()?;
        let profile_id = request.profile_id;
        let text = request.query.unwrap_or_default();
        let query = Query::parse(&text).with_meaning(self.meaning_of(who, workspace, None, &text).await?);
        let query_hash = (!query.is_blank()).then(|| hex::encode(Sha256::digest(&text)));
        let injecting = self.read_audited(who.call(workspace).plan(ReadPlan::Adaptive), move |call| {
            let reader = call.workspace;
            // who may not read as the workspace is not told which profiles it has
            call.reads(reader)?;
            let profile = match profile_id {
                Some(id) => call.profile(id)?,
                None => call.tx.default_profile(call.org, reader)?,
            };
            let settings = Arc::new(call.tx.default_settings(call.org, reader)?.and(&profile.settings));
            let pass = call.pass(|caller, tree| ReadPass::grant(caller, tree, reader, &settings))?;
            let resolve_params = SearchParams {
                query: &query,
                session_id: session_id.as_ref().map(Scrubbed::as_str),
                settings: &settings,
            };
            let (block, chosen, too_long) = resolve_params.choose(call, &pass)?;
            let left_out = resolve_params.left_out(call, &pass, &chosen, &too_long)?;
            let shown = left_out
                .iter()
                .filter(|(_, wire)| wire.excerpt.is_some())
                .map(|(version, wire)| (wire.memory_id, *version));
            let mut record = AuditRecord::new(AuditAction::InjectMemories, reader)
                .about(chosen.iter().map(|hit| (hit.memory.id, hit.memory.version)))
                .about(shown)
                .context_field("profile_id", profile.id.to_string())
                .context_field("entry_count", chosen.len())
                .event_field("profile_id", profile.id.to_string())
                .event_field("entry_count", chosen.len());
            if chosen.is_empty() {
                // nothing was injected
                record = record.event_kind(None);
            } else {
                let summary = |_| format!("injected {}", memories_of(chosen.len()));
                let session = session_id.as_ref().map(|session| session.as_str().to_owned());
                record = record.with_read_episode(&call.caller, summary, session);
            }
            if let Some(session) = &session_id {
                record = record.event_field("session_id", session.as_str());
            }
            if let Some(query_hash) = &query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let scored = settings.injection.strategy == Strategy::Relevance && !query.is_blank();
            let entries = chosen.into_iter().map(|hit| (hit.memory, hit.via, scored.then_some(hit.score))).collect();
            let wire = wire::Context {
                tokens: block.tokens(),
                block: block.text().to_owned(),
                entries: memories(call, &pass, entries)?,
                left_out: left_out.into_iter().map(|(_, wire)| wire).collect(),
                profile_id: profile.id,
                strategy: strategy(settings.injection.strategy),
            };
            Ok((wire, record))
        });
        self.measured(MemoryOperation::Search, injecting).await
    }
}

/// What is asked for, understood.
struct SearchParams<'a> {
    query: &'a Query,
    session_id: Option<&'a str>,
    settings: &'a Arc<ProfileSettings>,
}

impl SearchParams<'_> {
    fn injection(&self) -> &Injection {
        &self.settings.injection
    }

    /// The memories that go in, and those that were too long to.
    fn choose(
        &self,
        call: &mut ReadCall<'_>,
        pass: &ReadPass,
    ) -> Result<(Block, Vec<FoundMemory>, HashSet<Uuid>), AppError> {
        let injection = self.injection();
        let budget = injection.token_budget.map(|budget| usize::try_from(budget).unwrap_or(usize::MAX));
        let (mut block, mut chosen, mut too_long) = (Block::new(budget), Vec::new(), HashSet::new());
        let limit = usize::try_from(injection.limit).unwrap_or_default();
        for hit in self.candidates(call, pass, true)? {
            if chosen.len() == limit {
                break;
            }
            let FoundMemory { memory, .. } = &hit;
            let content = match pass.frames(memory.scope, memory.author) {
                true => {
                    let name = call.names(&[memory.author])?.of(memory.author);
                    quote::quote(memory.id, memory.scope, &name, &memory.content)
                }
                false => memory.content.clone(),
            };
            if block.add(memory.confidence, &content) {
                chosen.push(hit);
            } else {
                too_long.insert(memory.id);
            }
        }
        Ok((block, chosen, too_long))
    }

    /// Memories in the order in which they go in: those of the session first. With `filtered`, those alone that may.
    fn candidates(
        &self,
        call: &mut ReadCall<'_>,
        pass: &ReadPass,
        filtered: bool,
    ) -> Result<Vec<FoundMemory>, AppError> {
        let injection = self.injection();
        let (order, query) = match injection.strategy {
            Strategy::Off => return Ok(Vec::new()),
            Strategy::Confidence => (Order::Confidence, Query::parse("")),
            Strategy::Recent => (Order::Recent, Query::parse("")),
            Strategy::Relevance => (Order::Relevance, self.query.clone()),
        };
        let of = |session_id: Option<&str>| Search {
            query: query.clone(),
            filter: Filter {
                session_id: session_id.map(str::to_owned),
                min_confidence: injection.min_confidence.filter(|_| filtered),
                ..Filter::default()
            },
            scopes: if filtered { injection.scopes.clone() } else { Vec::new() },
            cut: Cut { order, after: None, limit: CONSIDERED },
            ..Search::default()
        };
        let mut found = Vec::new();
        if self.session_id.is_some() {
            found = call.tx.search(pass, &of(self.session_id))?.hits;
        }
        let first: HashSet<Uuid> = found.iter().map(|hit| hit.memory.id).collect();
        let rest = call.tx.search(pass, &of(None))?.hits;
        found.extend(rest.into_iter().filter(|hit| !first.contains(&hit.memory.id)));
        Ok(found)
    }

    /// What would have come next, with its version, and why it is not in the block.
    fn left_out(
        &self,
        call: &mut ReadCall<'_>,
        pass: &ReadPass,
        chosen: &[FoundMemory],
        too_long: &HashSet<Uuid>,
    ) -> Result<Vec<(i64, wire::LeftOut)>, AppError> {
        let reader = pass.reader();
        let is_person = call.caller.role().is_person();
        // what the workspace does not read is as if it were not there, but for people who watch over it
        let wide = match is_person {
            true => call.pass(|caller, tree| ReadPass::grant(caller, tree, reader, &Arc::default()))?,
            false => pass.clone(),
        };
        let chosen: HashSet<Uuid> = chosen.iter().map(|hit| hit.memory.id).collect();
        let mut wire = Vec::new();
        for FoundMemory { memory, .. } in self.candidates(call, &wide, false)? {
            if wire.len() == LEFT_OUT {
                break;
            }
            let withheld = self.settings.withholds(memory.author == reader, memory.scope, &memory.kind);
            if chosen.contains(&memory.id) || withheld.is_some() && !call.covers(memory.author)? {
                continue;
            }
            let (why, reason) = self.why(&memory, withheld, too_long);
            let excerpt = is_person.then(|| memory.content.chars().take(EXCERPT).collect());
            wire.push((
                memory.version,
                wire::LeftOut {
                    memory_id: memory.id,
                    workspace_id: memory.author.uuid(),
                    scope: memory.scope,
                    kind: memory.kind,
                    confidence: memory.confidence,
                    why,
                    reason,
                    excerpt,
                },
            ));
        }
        Ok(wire)
    }

    fn why(
        &self,
        memory: &orgmem_store::Memory,
        withheld: Option<Withheld>,
        too_long: &HashSet<Uuid>,
    ) -> (wire::LeftOutWhy, String) {
        let injection = self.injection();
        if let Some(withheld) = withheld {
            let why = match withheld {
                Withheld::Isolation(_) => wire::LeftOutWhy::Isolation,
                Withheld::Kind => wire::LeftOutWhy::Kind,
            };
            return (why, withheld.say(&memory.kind));
        }
        if !injection.scopes.is_empty() && !injection.scopes.contains(&memory.scope) {
            return (wire::LeftOutWhy::Scope, format!("the profile injects no {} memories", memory.scope));
        }
        if let Some(least) = injection.min_confidence.filter(|least| memory.confidence < *least) {
            let wire = format!("its confidence, {}, is below {least}", memory.confidence);
            return (wire::LeftOutWhy::MinConfidence, wire);
        }
        if too_long.contains(&memory.id) {
            let budget = injection.token_budget.unwrap_or_default();
            return (wire::LeftOutWhy::Budget, format!("the budget of {budget} tokens left no room for it"));
        }
        (wire::LeftOutWhy::Limit, format!("{} others came first, as many as the profile injects", injection.limit))
    }
}
