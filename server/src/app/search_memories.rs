//! Searching, listing and reading memories.

use std::collections::{HashMap, HashSet};

use orgmem_hierarchy::{Via, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ReadPass, quote};
use orgmem_recall::{Cut, Filter, Key, Order, Part, Query};
use orgmem_store::{AuditRecord, Explanation, FoundMemory, Memory, NearMemory, ReadPlan, ReadTx, Search};
use orgmem_types as wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::{Call, WorkspaceNames};
use super::wire::{object, role, source};
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Memories of one page, when nothing is said and at most.
///
/// Source: product.md, section 4.2.
const PAGE: usize = 50;

/// How many memories before and after a hit come along at most.
const NEIGHBOURS: u8 = 5;

/// Where a list of memories goes on: what it was as of, and the last memory's place. The rank travels as its bits, for
/// a score has to come back as it was.
type PageCursor = (i64, u64, i64, Uuid);

impl App {
    /// What the workspace can read, best first; without a query pinned and newest first.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; [`AppError::NotConfigured`] for a search by meaning
    /// without an embedder, [`AppError::Embedder`] where that does not answer; [`AppError::Cursor`].
    pub async fn search_memories(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        search: impl Into<MemorySearch>,
    ) -> Result<Listing<wire::Memory>, AppError> {
        let mut resolve_params = self.resolve_params(who, workspace, search.into()).await?;
        let searching = self.read_audited(who.call(workspace).plan(ReadPlan::Adaptive), move |call| {
            let reader = call.workspace;
            let mut pass = call.reads(reader)?;
            if resolve_params.quoted {
                pass = pass.as_agents_read();
            }
            resolve_params.search.profile = call.in_profile(resolve_params.profile)?;
            let found = call.tx.search(&pass, &resolve_params.search)?;
            let place = |hit: &FoundMemory| -> PageCursor {
                (found.as_of, hit.key.rank.to_bits(), hit.key.created_at, hit.key.id)
            };
            let page = Listing::part(found.hits, found.more, "memories", place);
            let Listing { mut items, next } = page;
            let record = AuditRecord::new(AuditAction::SearchMemories, reader).about(seen(&items));
            let mut record =
                record.with_read_episode(&call.caller, |count| format!("found {}", memories_of(count)), None);
            if let Some(query_hash) = &resolve_params.query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let mut near = match resolve_params.search.neighbours {
                0 => HashMap::new(),
                _ => neighbours(call, &pass, &mut items)?,
            };
            let to_wire = |hit: FoundMemory| {
                let found = (hit.memory, hit.via, resolve_params.scored.then_some(hit.score));
                (found, (hit.similarity, hit.explanation))
            };
            let (items, scored): (Vec<_>, Vec<_>) = items.into_iter().map(to_wire).unzip();
            let items = memories(call, &pass, items)?.into_iter().zip(scored);
            let items = items.map(|(item, (similarity_score, explanation))| wire::Memory {
                similarity_score,
                explanation: explanation.map(explained),
                neighbours: near.remove(&item.id),
                ..item
            });
            Ok((Listing { items: items.collect(), next }, record))
        });
        self.measured(MemoryOperation::Search, searching).await
    }

    /// A search, understood, with what its query means where the server has an embedder.
    ///
    /// # Errors
    /// As for [`App::search_memories`].
    pub(super) async fn resolve_params(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        search: MemorySearch,
    ) -> Result<SearchParams, AppError> {
        let mode = search.request.mode;
        let text = search.request.q.clone().unwrap_or_default();
        let mut resolve_params = SearchParams::of(search)?;
        let meaning = self.meaning_of(who, workspace, mode, &text).await?;
        let query = std::mem::take(&mut resolve_params.search.query);
        let by_meaning_alone = matches!(mode, Some(wire::Mode::Semantic)) && !query.is_blank();
        let query = if by_meaning_alone { query.without_words() } else { query };
        resolve_params.search.query = query.with_meaning(meaning);
        Ok(resolve_params)
    }

    /// One memory, if the workspace can read it now.
    ///
    /// # Errors
    /// [`AppError::NotFound`] where there is none, or none that this workspace can read: the two are one.
    pub async fn read_memory(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
    ) -> Result<wire::Memory, AppError> {
        self.read_audited(who.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let (memory, via) = call.tx.memory(&pass, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
            let record = AuditRecord::new(AuditAction::ReadMemory, reader).about([(memory.id, memory.version)]);
            let record = record.with_read_episode(&call.caller, |_| format!("read a {} memory", memory.scope), None);
            let found = (memory, via, None);
            let to_wire = memories(call, &pass, vec![found])?.pop().ok_or(AppError::MEMORY_NOT_FOUND)?;
            Ok((to_wire, record))
        })
        .await
    }
}

/// What is searched for; several namespaces or kinds where the surface allows it.
#[derive(Clone, Debug, Default)]
pub struct MemorySearch {
    /// What REST asks.
    pub request: wire::ListMemories,
    /// Filed under any of these labels, besides the request's own.
    pub namespaces: Vec<String>,
    /// Of any of these kinds, besides the request's own.
    pub kinds: Vec<String>,
}

impl From<wire::ListMemories> for MemorySearch {
    fn from(request: wire::ListMemories) -> Self {
        Self { request, ..Self::default() }
    }
}

/// A request, understood.
pub(super) struct SearchParams {
    pub(super) search: Search,
    /// The profile that is searched, for the call to look up.
    pub(super) profile: Option<Uuid>,
    /// Whether hits carry a score: where a query took part.
    pub(super) scored: bool,
    /// Whether it is read by an agent's eyes, whoever asks.
    quoted: bool,
    /// What the access log keeps of the query.
    query_hash: Option<String>,
}

impl SearchParams {
    fn of(search: MemorySearch) -> Result<Self, AppError> {
        let MemorySearch { request, mut namespaces, mut kinds } = search;
        if request.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(AppError::Field { field: "min_confidence", expected: "a number from 0 to 1".into() });
        }
        let neighbours = request.neighbours.unwrap_or_default();
        if neighbours > NEIGHBOURS {
            return Err(AppError::Field { field: "neighbours", expected: format!("a number from 0 to {NEIGHBOURS}") });
        }
        let limit = cursor::limit(request.limit, PAGE, PAGE);
        let quoted = request.quoted == Some(true);
        let query = Query::parse(request.q.as_deref().unwrap_or_default());
        let after: Option<PageCursor> = cursor::decode("memories", request.cursor.as_deref())?;
        let order = match request.order {
            None | Some(wire::Order::Relevance) => Order::Relevance,
            Some(wire::Order::Recent) => Order::Recent,
            Some(wire::Order::Confidence) => Order::Confidence,
        };
        namespaces.extend(request.namespace);
        kinds.extend(request.kind);
        let filter = Filter {
            namespaces,
            kinds,
            source: request.source.map(|claimed| super::wire::source_of(claimed).to_string()),
            tag: request.tag,
            subject: request.subject,
            session_id: request.session_id,
            run_id: request.run_id.map(|run| run.to_string()),
            since: request.since.map(|at| at.timestamp_micros()),
            until: request.until.map(|at| at.timestamp_micros()),
            min_confidence: request.min_confidence,
        };
        let text = request.q.as_deref().unwrap_or_default();
        Ok(Self {
            query_hash: (!query.is_blank()).then(|| hex::encode(Sha256::digest(text))),
            scored: !query.is_blank(),
            quoted,
            profile: request.profile_id,
            search: Search {
                query,
                filter,
                scopes: request.scope.into_iter().collect(),
                author: request.author.map(WorkspaceId::from),
                profile: None,
                cut: Cut {
                    order,
                    after: after.map(|(_, rank, created_at, id)| Key { rank: f64::from_bits(rank), created_at, id }),
                    limit,
                },
                as_of: after.map(|(as_of, ..)| as_of),
                explain: request.explain.unwrap_or_default(),
                neighbours,
            },
        })
    }
}

/// So many memories, in words.
pub(super) fn memories_of(count: usize) -> String {
    if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") }
}

/// What a page of hits shows: the hits, in order, and what stands next to them.
fn seen(hits: &[FoundMemory]) -> impl Iterator<Item = (Uuid, i64)> {
    let shown = |memory: &Memory| (memory.id, memory.version);
    let found = hits.iter().map(move |hit| shown(&hit.memory));
    let near = hits.iter().flat_map(|hit| &hit.neighbours).map(move |near| shown(&near.memory));
    let mut to_wire = HashSet::new();
    found.chain(near).filter(move |seen| to_wire.insert(*seen))
}

/// What stands next to hits, taken from them for the wire: with names, and quoted where an agent reads what others wrote.
fn neighbours<Tx: ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    pass: &ReadPass,
    hits: &mut [FoundMemory],
) -> Result<HashMap<Uuid, Vec<wire::Neighbour>>, AppError> {
    let near = hits.iter().flat_map(|hit| &hit.neighbours);
    let authors: HashSet<WorkspaceId> = near.map(|near| near.memory.author).collect();
    let names = call.names(&authors.into_iter().collect::<Vec<_>>())?;
    let to_wire = |near: NearMemory| {
        let memory = memory(pass, &names, near.memory, near.via, None);
        wire::Neighbour {
            offset: near.offset,
            id: memory.id,
            workspace_id: memory.workspace_id,
            workspace_name: memory.workspace_name,
            role: memory.role,
            content: memory.content,
            created_at: memory.created_at,
        }
    };
    let taken =
        |hit: &mut FoundMemory| (hit.memory.id, std::mem::take(&mut hit.neighbours).into_iter().map(to_wire).collect());
    Ok(hits.iter_mut().map(taken).collect())
}

/// Memories for the wire: with names, and quoted where an agent reads what others wrote.
pub(super) fn memories<Tx: ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    pass: &ReadPass,
    found: Vec<(Memory, Via, Option<f64>)>,
) -> Result<Vec<wire::Memory>, AppError> {
    let authors: HashSet<WorkspaceId> = found.iter().map(|(memory, ..)| memory.author).collect();
    let authors: Vec<WorkspaceId> = authors.into_iter().collect();
    let names = call.names(&authors)?;
    let mut can: HashMap<WorkspaceId, wire::Can> = HashMap::with_capacity(authors.len());
    for author in authors {
        can.insert(author, call.can(author)?);
    }
    let to_wire = |(row, via, score): (Memory, Via, Option<f64>)| {
        let can = can.get(&row.author).cloned();
        wire::Memory { can, ..memory(pass, &names, row, via, score) }
    };
    Ok(found.into_iter().map(to_wire).collect())
}

/// Why a memory stands where it does, for the wire.
fn explained(explanation: Explanation) -> wire::Explanation {
    wire::Explanation { rank: explanation.rank, parts: parts(&explanation.parts) }
}

/// What a score is made of, for the wire.
pub(super) fn parts(parts: &[(Part, f64)]) -> Vec<wire::ScorePart> {
    let part = |&(part, value): &(Part, f64)| wire::ScorePart { part: scored_for(part), value };
    parts.iter().map(part).collect()
}

fn scored_for(part: Part) -> wire::ScoredFor {
    match part {
        Part::Words => wire::ScoredFor::Words,
        Part::Pairs => wire::ScoredFor::Pairs,
        Part::Meaning => wire::ScoredFor::Meaning,
        Part::Voice => wire::ScoredFor::Voice,
        Part::NamedAuthor => wire::ScoredFor::NamedAuthor,
        Part::Date => wire::ScoredFor::Date,
        Part::Before => wire::ScoredFor::Before,
        Part::After => wire::ScoredFor::After,
        Part::Session => wire::ScoredFor::Session,
        Part::Recency => wire::ScoredFor::Recency,
        Part::Confidence => wire::ScoredFor::Confidence,
        Part::Pin => wire::ScoredFor::Pin,
    }
}

/// One memory for the wire, if it can be read now.
pub(super) fn one_memory<Tx: ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    pass: &ReadPass,
    memory: Uuid,
) -> Result<Option<wire::Memory>, AppError> {
    match call.tx.memory(pass, memory)? {
        Some((found, via)) => Ok(memories(call, pass, vec![(found, via, None)])?.pop()),
        None => Ok(None),
    }
}

fn memory(pass: &ReadPass, names: &WorkspaceNames, row: Memory, via: Via, score: Option<f64>) -> wire::Memory {
    let name = names.of(row.author);
    let content = if pass.quotes(row.scope, row.author) {
        quote::quote(row.id, row.scope, &name, &row.content)
    } else {
        row.content
    };
    wire::Memory {
        id: row.id,
        workspace_id: row.author.uuid(),
        workspace_name: name,
        scope: row.scope,
        team: row.team.map(WorkspaceId::uuid),
        namespace: row.namespace,
        kind: row.kind,
        source: source(row.source),
        role: role(row.role),
        confidence: row.confidence,
        tags: row.tags,
        metadata: row.metadata.as_deref().and_then(object),
        subject: row.subject,
        session_id: row.session_id,
        run_id: row.run_id,
        profile_id: row.profile_id,
        pin: row.pin,
        content,
        version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
        expires_at: row.expires_at,
        supersedes: row.supersedes,
        via,
        can: None,
        score,
        similarity_score: None,
        explanation: None,
        neighbours: None,
    }
}
