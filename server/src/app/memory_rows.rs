//! Rows of memories as a caller reads them: with names, permissions and explanations, quoted for agents.

use std::collections::{BTreeMap, HashMap, HashSet};

use orgmem_hierarchy::{Scope, Via, WorkspaceId};
use orgmem_policies::claims::{CheckedClaim, corrected, corrected_title};
use orgmem_policies::{ReadPass, Tier, quote};
use orgmem_recall::ScorePart;
use orgmem_store::{Explanation, FoundMemory, Memory, NearMemory, PassageRef, ReadTx, StoredPage};
use orgmem_types as wire;
use uuid::Uuid;

use super::AppError;
use super::call::{Call, WorkspaceNames};
use super::claims::{Claimed, claims_to_wire};
use super::document_rows::DOCUMENT_FRAME;
use super::pages::{PAGE_FRAME, confidence_at, tier_to_wire as page_tier};
use super::wire::{make_visible, object, role, source};

/// Maximum number of collapsed results that a result names.
const MAX_COLLAPSED: usize = 100;

/// Moves the neighbours out of hits, by the id of the hit; with names, and quoted where an agent reads text of others.
pub(super) fn neighbours<Tx: ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    pass: &ReadPass,
    hits: &mut [FoundMemory],
) -> Result<HashMap<Uuid, Vec<wire::Neighbour>>, AppError> {
    let near = hits.iter().flat_map(|hit| &hit.neighbours);
    let authors: HashSet<WorkspaceId> = near.map(|near| near.memory.author).collect();
    let names = call.names(&authors.into_iter().collect::<Vec<_>>())?;
    let checked =
        call.check_claims(hits.iter().flat_map(|hit| &hit.neighbours).map(|near| Claimed::memory(&near.memory)))?;
    let mut checked = checked.into_iter();
    let (is_person, day) = (call.caller.role().is_person(), today(call));
    let mut to_wire = |near: NearMemory| {
        let checked = checked.next().unwrap_or_default();
        let memory = memory((pass, &names, is_person, day), near.memory, near.via, None, &checked);
        wire::Neighbour {
            offset: near.offset,
            id: memory.id,
            workspace_id: memory.workspace_id,
            workspace_name: memory.workspace_name,
            role: memory.role,
            content: memory.content,
            claims: memory.claims,
            granted_by: memory.granted_by,
            created_at: memory.created_at,
        }
    };
    let taken = |hit: &mut FoundMemory| {
        (hit.memory.id, std::mem::take(&mut hit.neighbours).into_iter().map(&mut to_wire).collect())
    };
    Ok(hits.iter_mut().map(taken).collect())
}

/// Memories with the names of their authors, and quoted where an agent reads text of others.
pub(super) fn memories<Tx: ReadTx + ?Sized>(
    call: &mut Call<'_, Tx>,
    pass: &ReadPass,
    found: Vec<(Memory, Via, Option<f64>)>,
) -> Result<Vec<wire::Memory>, AppError> {
    let authors: HashSet<WorkspaceId> = found.iter().map(|(memory, ..)| memory.author).collect();
    let authors: Vec<WorkspaceId> = authors.into_iter().collect();
    let names = call.names(&authors)?;
    let mut can: HashMap<WorkspaceId, wire::MemoryPermissions> = HashMap::with_capacity(authors.len());
    for author in authors {
        can.insert(author, call.can(author)?);
    }
    let checked = call.check_claims(found.iter().map(|(memory, ..)| Claimed::memory(memory)))?;
    let (is_person, day) = (call.caller.role().is_person(), today(call));
    let to_wire = |((row, via, score), checked): ((Memory, Via, Option<f64>), Vec<CheckedClaim>)| {
        // nobody edits a page
        let can = can.get(&row.author).filter(|_| row.page.is_none()).cloned();
        wire::Memory { can, ..memory((pass, &names, is_person, day), row, via, score, &checked) }
    };
    Ok(found.into_iter().zip(checked).map(to_wire).collect())
}

/// The day of the read, in days since 1970.
fn today<Tx: ReadTx + ?Sized>(call: &mut Call<'_, Tx>) -> i64 {
    orgmem_compact::day_of(call.tx.now().timestamp_micros())
}

/// `None` for a result that has the words of the query.
pub(super) fn understood(words: BTreeMap<String, String>) -> Option<BTreeMap<String, String>> {
    (!words.is_empty()).then_some(words)
}

/// `None` for a result without repetitions.
pub(super) fn collapsed(mut ids: Vec<Uuid>) -> Option<wire::Collapsed> {
    let count = ids.len();
    ids.truncate(MAX_COLLAPSED);
    (count > 0).then_some(wire::Collapsed { count, ids })
}

pub(super) fn explained(explanation: Explanation) -> wire::Explanation {
    let Explanation { rank, parts, repeats } = explanation;
    wire::Explanation { rank, parts: self::parts(&parts), repeats, reranked: None }
}

pub(super) fn parts(parts: &[(ScorePart, f64)]) -> Vec<wire::ScorePart> {
    let part = |&(part, value): &(ScorePart, f64)| wire::ScorePart { part: score_factor(part), value };
    parts.iter().map(part).collect()
}

fn score_factor(part: ScorePart) -> wire::ScoreFactor {
    match part {
        ScorePart::Words => wire::ScoreFactor::Words,
        ScorePart::Pairs => wire::ScoreFactor::Pairs,
        ScorePart::Meaning => wire::ScoreFactor::Meaning,
        ScorePart::Voice => wire::ScoreFactor::Voice,
        ScorePart::NamedAuthor => wire::ScoreFactor::NamedAuthor,
        ScorePart::Date => wire::ScoreFactor::Date,
        ScorePart::Before => wire::ScoreFactor::Before,
        ScorePart::After => wire::ScoreFactor::After,
        ScorePart::Session => wire::ScoreFactor::Session,
        ScorePart::Recency => wire::ScoreFactor::Recency,
        ScorePart::Confidence => wire::ScoreFactor::Confidence,
        ScorePart::Pin => wire::ScoreFactor::Pin,
        ScorePart::Version => wire::ScoreFactor::Version,
        ScorePart::Repetition => wire::ScoreFactor::Repetition,
    }
}

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

fn memory(
    (pass, names, is_person, day): (&ReadPass, &WorkspaceNames, bool, i64),
    row: Memory,
    via: Via,
    score: Option<f64>,
    checked: &[CheckedClaim],
) -> wire::Memory {
    let mut name = names.of(row.author);
    let from = match (&row.passage, &row.page) {
        (Some(_), _) => DOCUMENT_FRAME.to_owned(),
        (None, Some(_)) => PAGE_FRAME.to_owned(),
        (None, None) => names.stored(row.author),
    };
    // an agent reads documents and pages as text of others: its author may be anybody
    let is_of_anybody = row.passage.is_some() || row.page.is_some();
    let is_quoted = pass.quotes(if is_of_anybody { Scope::Global } else { row.scope }, row.author);
    // the labels as they are stored
    let user = (row.authored.subject.as_deref(), row.authored.session_id.as_deref());
    let granted_by = pass.users().granted_by(row.author, user.0, user.1);
    let fields = if is_quoted { row.authored.with_visible_labels() } else { row.authored };
    let tier = if row.passage.is_some() { Tier::Knowledge } else { fields.tier() };
    let content = if is_quoted {
        quote::quote(row.id, row.scope, &from, &corrected(&fields.content, checked))
    } else {
        fields.content
    };
    if is_quoted {
        make_visible(&mut name);
    }
    let title = fields.title.map(|title| match is_quoted {
        true => corrected_title(&title, checked).into_owned(),
        false => title,
    });
    wire::Memory {
        item_type: None,
        passage: row.passage.map(|place| passage_place(place, is_quoted)),
        confidence: row.page.as_ref().map_or(fields.confidence, |page| confidence_at(page, day).total),
        page: row.page.map(|page| found_page(*page)),
        id: row.id,
        workspace_id: row.author.uuid(),
        workspace_name: name,
        scope: row.scope,
        team: row.team.map(WorkspaceId::uuid),
        title,
        claims: claims_to_wire(checked, is_person),
        namespace: fields.namespace,
        kind: fields.kind,
        source: source(fields.source),
        role: role(row.role),
        tags: fields.tags,
        metadata: fields.metadata.as_deref().and_then(object),
        subject: fields.subject,
        session_id: fields.session_id,
        granted_by,
        tier: tier_to_wire(tier),
        run_id: row.run_id,
        profile_id: row.profile_id,
        pin: fields.pin,
        content,
        version: row.version,
        created_at: row.created_at,
        updated_at: row.updated_at,
        expires_at: fields.expires_at,
        supersedes: row.supersedes,
        via,
        can: None,
        score,
        similarity_score: None,
        understood: None,
        outdated_by: None,
        explanation: None,
        collapsed: None,
        neighbours: None,
    }
}

fn tier_to_wire(tier: Tier) -> wire::MemoryTier {
    match tier {
        Tier::Session => wire::MemoryTier::Session,
        Tier::User => wire::MemoryTier::User,
        Tier::Tenant => wire::MemoryTier::Tenant,
        Tier::Knowledge => wire::MemoryTier::Knowledge,
    }
}

fn found_page(page: StoredPage) -> wire::FoundPage {
    wire::FoundPage {
        tier: page_tier(page.placement.tier),
        tokens: page.tokens,
        outcome: page.outcome,
        first_at: page.first_at,
        last_at: page.last_at,
        compacted_at: page.compacted_at,
        made_by: page.made_by,
        source_count: page.sources.len(),
    }
}

fn passage_place(place: PassageRef, is_quoted: bool) -> wire::PassagePlace {
    let mut place = wire::PassagePlace {
        document_id: place.document,
        title: place.title,
        heading: place.heading,
        from: place.start_char,
        length: place.chars,
        start_byte: place.start_byte,
        number: place.number,
        source_uri: place.source_uri,
    };
    if is_quoted {
        let texts = place.heading.iter_mut().chain(&mut place.source_uri).chain([&mut place.title]);
        texts.for_each(make_visible);
    }
    place
}
