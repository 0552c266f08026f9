//! The context block that an agent puts before its prompt.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use orgmem_hierarchy::Readable;

use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::corrected;
use orgmem_policies::drafts::check_session;
use orgmem_policies::rules::CONFIDENCE_GATE;
use orgmem_policies::scrub::Scrubbed;
use orgmem_policies::{Block, Injection, ProfileSettings, ReadPass, Strategy, Withheld, quote, tokens_of};
use orgmem_recall::{Filter, Order, PageRequest, Query, analyze};
use orgmem_store::{AuditRecord, FoundMemory, ReadPlan, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::claims::{Claimed, is_stale, is_unverified};
use super::meaning::ParsedQuery;
use super::memory_rows::memories;
use super::pages::budget;
use super::profile_requests::strategy;
use super::search_memories::memories_of;
use super::working_set::working_set;
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Maximum number of candidates of one search.
const MAX_CANDIDATES: usize = 200;

/// Maximum number of memories that are reported as left out.
const MAX_LEFT_OUT: usize = 50;

/// Characters of the excerpt of a memory that is left out.
const EXCERPT_CHARS: usize = 120;

impl App {
    /// The context block for a prompt of the workspace, and the memories in it, by the default profile or a named one.
    /// A named profile only narrows the default one.
    ///
    /// # Errors
    /// [`AppError`]: an invalid session, an unknown profile.
    ///
    /// # Source
    /// `docs/spec/profiles.md`.
    pub async fn inject_context(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::InjectContext,
    ) -> Result<wire::Context, AppError> {
        // the event contains the session, so it is checked like the session of a memory
        let session_id = request.session_id.map(|text| check_session(&text, self.scrubber)).transpose()?;
        let profile_id = request.profile_id;
        let (subject, budget, compactor) = (request.subject, budget(request.token_budget)?, self.compactor.clone());
        let query = ParsedQuery::parse(request.query, None);
        let (is_blank, query_hash) = (query.is_blank(), query.hash());
        let injecting = self.read_by_query(auth, workspace, ReadPlan::Adaptive, query, move |call, query| {
            let reader = call.workspace;
            // before the profile: a caller who may not read as the workspace must not learn which profiles exist
            call.name(subject.as_deref(), session_id.as_ref().map(Scrubbed::as_str))?;
            call.reads(reader)?;
            let profile = match profile_id {
                Some(id) => call.profile(id)?,
                None => call.tx.default_profile(call.org, reader)?,
            };
            let settings = Arc::new(call.tx.default_settings(call.org, reader)?.and(&profile.settings));
            let pass = call.pass(|caller, tree| ReadPass::grant(caller, tree, reader, &settings))?;
            let session = session_id.as_ref().map(Scrubbed::as_str);
            let selection = Selection { query: &query, session_id: session, settings: &settings };
            let (Chosen { block, hits, omitted }, left_over) = selection.choose(call, &pass)?;
            let left_out = selection.left_out(call, &pass, &hits, &omitted, left_over)?;
            let excerpts = left_out.iter().filter(|(_, left_out)| left_out.excerpt.is_some());
            let set = subject.as_ref().map(|subject| working_set(call, &compactor, subject, &query, budget));
            let set = set.transpose()?;
            let mut record = AuditRecord::new(AuditAction::InjectMemories, reader)
                .about(hits.iter().map(|hit| (hit.memory.id, hit.memory.version)))
                .about(excerpts.map(|(version, left_out)| (left_out.memory_id, *version)))
                .context_field("profile_id", profile.id.to_string())
                .context_field("entry_count", hits.len())
                .event_field("profile_id", profile.id.to_string())
                .event_field("entry_count", hits.len());
            if hits.is_empty() {
                record = record.event_kind(None);
            } else {
                let summary = |_| format!("injected {}", memories_of(hits.len()));
                record = record.with_read_episode(&call.caller, summary, session.map(str::to_owned));
            }
            if let Some(session) = session {
                record = record.event_field("session_id", session);
            }
            if let Some(set) = &set {
                let ids = set.pages.iter().map(|page| page.page.id.to_string());
                record = record.context_field("page_ids", ids.collect::<serde_json::Value>());
            }
            if let Some(query_hash) = &query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let is_scored = settings.injection.strategy == Strategy::Relevance && !is_blank;
            let entries = hits.into_iter().map(|hit| (hit.memory, hit.via, is_scored.then_some(hit.score))).collect();
            let text = set.as_ref().map_or_else(|| block.text().to_owned(), |set| block.followed_by(&set.block));
            let context = wire::Context {
                tokens: tokens_of(&text),
                block: text,
                working_set: set.map(|set| set.pages).unwrap_or_default(),
                entries: memories(call, &pass, entries)?,
                left_out: left_out.into_iter().map(|(_, left_out)| left_out).collect(),
                profile_id: profile.id,
                strategy: strategy(settings.injection.strategy),
            };
            Ok((context, record))
        });
        self.measured(MemoryOperation::Search, injecting).await
    }
}

/// Selects the memories of a block.
struct Selection<'a> {
    query: &'a Query,
    session_id: Option<&'a str>,
    settings: &'a Arc<ProfileSettings>,
}

struct Chosen {
    block: Block,
    hits: Vec<FoundMemory>,
    omitted: Omitted,
}

/// The candidates that are not in the block for a reason of their own.
#[derive(Default)]
struct Omitted {
    /// They exceed the budget.
    too_long: HashSet<Uuid>,
    /// The record won against one of their claims.
    lost: HashSet<Uuid>,
    /// No record answers one of their claims.
    unverified: HashSet<Uuid>,
    /// They have the content of a memory in the block, whose id is the value.
    repetitions: HashMap<Uuid, Uuid>,
}

impl Selection<'_> {
    fn injection(&self) -> &Injection {
        &self.settings.injection
    }

    /// The memories of the block, and the other candidates in order.
    fn choose(&self, call: &mut ReadCall<'_>, pass: &ReadPass) -> Result<(Chosen, Vec<FoundMemory>), AppError> {
        let injection = self.injection();
        let budget = injection.token_budget.map(|budget| usize::try_from(budget).unwrap_or(usize::MAX));
        let limit = usize::try_from(injection.limit).unwrap_or_default();
        let (mut hits, mut omitted, mut left_over) = (Vec::new(), Omitted::default(), Vec::new());
        let mut block = Block::new(budget);
        let mut contents: HashMap<u64, Uuid> = HashMap::new();
        let candidates = self.candidates(call, pass)?;
        let checked = call.check_claims(candidates.iter().map(|hit| Claimed::memory(&hit.memory)))?;
        for (hit, checked) in candidates.into_iter().zip(checked) {
            if hits.len() == limit {
                left_over.push(hit);
                continue;
            }
            let FoundMemory { memory, .. } = &hit;
            if is_stale(&checked) && memory.authored.confidence < CONFIDENCE_GATE {
                omitted.lost.insert(memory.id);
                left_over.push(hit);
                continue;
            }
            if is_unverified(&checked) {
                omitted.unverified.insert(memory.id);
                left_over.push(hit);
                continue;
            }
            let fingerprint = analyze(&memory.authored.content).fingerprint();
            if let Some(first) = contents.get(&fingerprint) {
                omitted.repetitions.insert(memory.id, *first);
                left_over.push(hit);
                continue;
            }
            let authored = corrected(&memory.authored.content, &checked);
            let content = match pass.frames(memory.scope, memory.author) {
                true => {
                    let name = call.names(&[memory.author])?.stored(memory.author);
                    quote::quote(memory.id, memory.scope, &name, &authored)
                }
                false => authored.into_owned(),
            };
            if block.add(memory.authored.confidence, &content) {
                contents.insert(fingerprint, memory.id);
                omitted.repetitions.extend(hit.repetitions.iter().map(|repetition| (*repetition, memory.id)));
                hits.push(hit);
            } else {
                omitted.too_long.insert(memory.id);
                left_over.push(hit);
            }
        }
        Ok((Chosen { block, hits, omitted }, left_over))
    }

    /// The candidates in order, those of the session first, without repetitions.
    fn candidates(&self, call: &mut ReadCall<'_>, pass: &ReadPass) -> Result<Vec<FoundMemory>, AppError> {
        let injection = self.injection();
        let Some(search) = self.search() else { return Ok(Vec::new()) };
        let filter = Filter { min_confidence: injection.min_confidence, ..Filter::default() };
        let search = Search { filter, scopes: injection.scopes.clone(), collapse: true, ..search };
        if injection.strategy == Strategy::Relevance && self.query.is_blank() {
            return self.mixture(call, pass, &search);
        }
        let mut found = Vec::new();
        if let Some(session) = self.session_id {
            let filter = Filter { session_id: Some(session.to_owned()), ..search.filter.clone() };
            found = call.tx.search(pass, &Search { filter, ..search.clone() })?.hits;
        }
        let of_session: HashSet<Uuid> = found.iter().map(|hit| hit.memory.id).collect();
        let others = call.tx.search(pass, &search)?.hits;
        found.extend(others.into_iter().filter(|hit| !of_session.contains(&hit.memory.id)));
        Ok(found)
    }

    /// Memories of the session, own memories, those of the teams and those of the org in turn, each pinned first and
    /// newest first.
    fn mixture(&self, call: &mut ReadCall<'_>, pass: &ReadPass, search: &Search) -> Result<Vec<FoundMemory>, AppError> {
        let mut sources = Vec::new();
        if let Some(session) = self.session_id {
            let filter = Filter { session_id: Some(session.to_owned()), ..search.filter.clone() };
            sources.push((pass.clone(), Search { filter, ..search.clone() }));
        }
        for is_wanted in [
            |part: &Readable| matches!(part, Readable::Own(_)),
            |part: &Readable| matches!(part, Readable::Team { .. }),
            |part: &Readable| matches!(part, Readable::Org(_)),
        ] {
            sources.push((pass.clone().narrowed(is_wanted), search.clone()));
        }
        let mut lists: Vec<VecDeque<FoundMemory>> = Vec::with_capacity(sources.len());
        for (pass, search) in sources {
            lists.push(call.tx.search(&pass, &search)?.hits.into());
        }
        let (mut seen, mut mixed) = (HashSet::new(), Vec::new());
        while lists.iter().any(|list| !list.is_empty()) {
            for list in &mut lists {
                let next = std::iter::from_fn(|| list.pop_front()).find(|hit| seen.insert(hit.memory.id));
                mixed.extend(next);
            }
        }
        Ok(mixed)
    }

    /// The search by the strategy of the profile, without its filters.
    fn search(&self) -> Option<Search> {
        let (order, query) = match self.injection().strategy {
            Strategy::Off => return None,
            Strategy::Confidence => (Order::Confidence, Query::parse("")),
            Strategy::Recent => (Order::Recent, Query::parse("")),
            Strategy::Relevance => (Order::Relevance, self.query.clone()),
        };
        Some(Search { query, cut: PageRequest { order, after: None, limit: MAX_CANDIDATES }, ..Search::default() })
    }

    /// The next memories in order, each with its version and the reason why it is not in the block.
    fn left_out(
        &self,
        call: &mut ReadCall<'_>,
        pass: &ReadPass,
        chosen: &[FoundMemory],
        omitted: &Omitted,
        left_over: Vec<FoundMemory>,
    ) -> Result<Vec<(i64, wire::OmittedCandidate)>, AppError> {
        let (reader, injection) = (pass.reader(), self.injection());
        let is_person = call.caller.role().is_person();
        // memories that the profile withholds do not exist for the workspace, but people may see them
        let is_wider = is_person && !self.settings.changes_nothing();
        let is_filtered = injection.min_confidence.is_some() || !injection.scopes.is_empty();
        // nobody sees the memories of other end users by it
        let separation = Arc::new(self.settings.separation());
        let candidates = match self.search() {
            Some(search) if is_wider || is_filtered || !omitted.repetitions.is_empty() => {
                let wide = match is_wider {
                    true => call.pass(|caller, tree| ReadPass::grant(caller, tree, reader, &separation))?,
                    false => pass.clone(),
                };
                let mut found = call.tx.search(&wide, &search)?.hits;
                found.sort_by_key(|hit| {
                    self.session_id.is_none() || hit.memory.authored.session_id.as_deref() != self.session_id
                });
                found
            }
            _ => left_over,
        };
        let chosen: HashSet<Uuid> = chosen.iter().map(|hit| hit.memory.id).collect();
        let mut left_out = Vec::new();
        for FoundMemory { memory, .. } in candidates {
            if left_out.len() == MAX_LEFT_OUT {
                break;
            }
            let is_own = memory.author == reader;
            let withheld = self.settings.withholds(is_own, memory.scope, &memory.authored.kind, memory.profile_id);
            if chosen.contains(&memory.id) || withheld.is_some() && !call.covers(memory.author)? {
                continue;
            }
            let (why, reason) = self.why(&memory, withheld, omitted);
            let excerpt = is_person.then(|| memory.authored.content.chars().take(EXCERPT_CHARS).collect());
            let row = wire::OmittedCandidate {
                memory_id: memory.id,
                workspace_id: memory.author.uuid(),
                scope: memory.scope,
                kind: memory.authored.kind,
                confidence: memory.authored.confidence,
                why,
                reason,
                excerpt,
            };
            left_out.push((memory.version, row));
        }
        Ok(left_out)
    }

    fn why(
        &self,
        memory: &orgmem_store::Memory,
        withheld: Option<Withheld>,
        omitted: &Omitted,
    ) -> (wire::OmissionCause, String) {
        let injection = self.injection();
        if let Some(withheld) = withheld {
            let why = match withheld {
                Withheld::Isolation(_) => wire::OmissionCause::Isolation,
                Withheld::Kind => wire::OmissionCause::Kind,
            };
            return (why, withheld.say(&memory.authored.kind));
        }
        if !injection.scopes.is_empty() && !injection.scopes.contains(&memory.scope) {
            return (wire::OmissionCause::Scope, format!("the profile injects no {} memories", memory.scope));
        }
        if let Some(least) = injection.min_confidence.filter(|least| memory.authored.confidence < *least) {
            let reason = format!("its confidence, {}, is below {least}", memory.authored.confidence);
            return (wire::OmissionCause::MinConfidence, reason);
        }
        if let Some(first) = omitted.repetitions.get(&memory.id) {
            return (wire::OmissionCause::Repetition, format!("{first}, which is in the block, has the same content"));
        }
        if omitted.lost.contains(&memory.id) {
            let reason = format!("a record contradicts it, and its confidence is below {CONFIDENCE_GATE}");
            return (wire::OmissionCause::Stale, reason);
        }
        if omitted.unverified.contains(&memory.id) {
            let reason = "no record answers one of its claims".to_owned();
            return (wire::OmissionCause::Unverified, reason);
        }
        if omitted.too_long.contains(&memory.id) {
            let budget = injection.token_budget.unwrap_or_default();
            return (wire::OmissionCause::Budget, format!("the budget of {budget} tokens left no room for it"));
        }
        (wire::OmissionCause::Limit, format!("{} others came first, as many as the profile injects", injection.limit))
    }
}
