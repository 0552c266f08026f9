//! What a compaction of one subject changes, from its episodes and its other pages.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use orgmem_compact::{
    Episode, Exchange, Exclusion, Facts, GATE, Link, MICROS_PER_DAY, Outcome, Support, Tier, day_of, exchanges, place,
};
use orgmem_hierarchy::OrgId;
use orgmem_policies::claims::{Claim, ClaimStatus, check_claim, stored_claims};
use orgmem_store::{PageChange, PageFacts, PagePlacement, PageThreads, PageWork, PageWrite, ReadTx, StoreError};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Compactor;

/// The maker of extracted texts.
const MADE_BY: &str = "extractive";

/// The change, and its counts.
pub(crate) struct Plan {
    pub(crate) change: PageChange,
    pub(crate) tally: Tally,
}

/// The counts of compactions.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) read: usize,
    pub(crate) left_out: BTreeMap<Exclusion, usize>,
    pub(crate) written: usize,
    pub(crate) removed: usize,
    pub(crate) moved: usize,
    /// The pages of each subject after its last compaction.
    pub(crate) subjects: HashMap<(Uuid, String), TierTally>,
}

/// The pages of one subject.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TierTally {
    pub(crate) pages: [usize; 3],
    pub(crate) tokens: [usize; 3],
    pub(crate) below_gate: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.read += other.read;
        for (exclusion, count) in other.left_out {
            *self.left_out.entry(exclusion).or_default() += count;
        }
        self.written += other.written;
        self.removed += other.removed;
        self.moved += other.moved;
        self.subjects.extend(other.subjects);
    }
}

/// A link as the column has it.
#[derive(Serialize, Deserialize)]
struct StoredLink {
    correlation: String,
    successes: u32,
    failures: u32,
}

pub(crate) fn plan(
    compactor: &Compactor,
    tx: &mut (impl ReadTx + ?Sized),
    org: OrgId,
    work: PageWork,
) -> Result<Plan, StoreError> {
    let of = PageThreads { workspace: work.workspace, subject: Some(work.subject.clone()) };
    let threads: Vec<String> = work.threads.iter().filter(|thread| !thread.is_empty()).cloned().collect();
    let now = tx.now();
    let rules = compactor.rules(tx, org, work.workspace)?;
    let stored = tx.page_facts(org, &of)?;
    let mut tally = Tally::default();
    let mut eligible = Vec::new();
    let mut claims: HashMap<Uuid, String> = HashMap::new();
    if !threads.is_empty() {
        for episode in tx.thread_episodes(org, &of, &threads)? {
            if let Some(stated) = &episode.claims {
                claims.insert(episode.id, stated.clone());
            }
            let episode = to_compact(episode);
            tally.read += 1;
            match rules.exclusion(&episode) {
                Some(exclusion) => *tally.left_out.entry(exclusion).or_default() += 1,
                None => eligible.push(episode),
            }
        }
    }
    let mut made = exchanges(&eligible);
    let is_touched: HashSet<&str> = threads.iter().map(String::as_str).collect();
    let (old, others): (Vec<PageFacts>, Vec<PageFacts>) =
        stored.into_iter().partition(|facts| is_touched.contains(facts.thread.as_str()));
    let mut other_facts: Vec<Facts> = others.iter().map(facts_of).collect();
    let stated = made.iter().map(|exchange| claims_of(&exchange.sources, &claims));
    let stated: Vec<Option<String>> = stated.chain(others.iter().map(|facts| facts.claims.clone())).collect();
    let mut is_stale = stale(tx, org, &stated)?.into_iter();
    let all = made.iter_mut().map(|exchange| &mut exchange.facts).chain(&mut other_facts);
    all.zip(&mut is_stale).for_each(|(facts, is_stale)| facts.is_stale = is_stale);
    let all: Vec<&Facts> = made.iter().map(|exchange| &exchange.facts).chain(&other_facts).collect();
    let day = day_of(now.timestamp_micros());
    let placed = place(&all, compactor.budgets(), day);
    let mut of_subject = TierTally::default();
    for (facts, (tier, support)) in all.iter().zip(&placed.pages) {
        of_subject.count(facts, *tier, *support, day);
    }
    let old: HashMap<Uuid, PageFacts> = old.into_iter().map(|facts| (facts.id, facts)).collect();
    let mut placements = placed.pages.iter();
    let mut pages = Vec::with_capacity(made.len());
    for (exchange, (tier, support)) in made.into_iter().zip(&mut placements) {
        let page = page(exchange, *tier, *support, &claims);
        let before = old.get(&page.facts.id);
        tally.written += usize::from(before != Some(&page.facts));
        tally.moved += usize::from(before.is_some_and(|before| before.placement.tier != page.facts.placement.tier));
        pages.push(page);
    }
    let remaining: HashSet<Uuid> = pages.iter().map(|page| page.facts.id).collect();
    tally.removed = old.keys().filter(|id| !remaining.contains(id)).count();
    let mut moved = Vec::new();
    for (other, (tier, support)) in others.iter().zip(placements) {
        let placement = placement(other.id, *tier, *support);
        if placement != other.placement {
            tally.moved += usize::from(placement.tier != other.placement.tier);
            moved.push(placement);
        }
    }
    tally.written += moved.len();
    tally.subjects.insert((work.workspace.uuid(), work.subject.clone()), of_subject);
    let due_at = placed.next_day.and_then(start_of);
    Ok(Plan { change: PageChange { work, pages, moved, due_at }, tally })
}

impl TierTally {
    fn count(&mut self, facts: &Facts, tier: Tier, support: Support, day: i64) {
        let (number, tokens) = match tier {
            Tier::Hot => (0, facts.hot_tokens),
            Tier::Warm => (1, facts.warm_tokens),
            Tier::Cold => (2, 0),
        };
        self.pages[number] += 1;
        self.tokens[number] += tokens;
        self.below_gate += usize::from(tier != Tier::Cold && support.confidence(day).total < GATE);
    }
}

fn start_of(day: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(day.checked_mul(MICROS_PER_DAY)?)
}

fn page(exchange: Exchange, tier: Tier, support: Support, claims: &HashMap<Uuid, String>) -> PageWrite {
    let Exchange { facts, outcome, kinds, sources, hot, warm } = exchange;
    let links = facts.links.into_iter().map(|link| StoredLink {
        correlation: link.correlation,
        successes: link.successes,
        failures: link.failures,
    });
    let links: Vec<StoredLink> = links.collect();
    PageWrite {
        facts: PageFacts {
            claims: claims_of(&sources, claims),
            id: facts.id,
            thread: facts.thread,
            first_at: facts.first_at,
            last_at: facts.last_at,
            salience: facts.salience,
            // texts and numbers always have a JSON form
            links: serde_json::to_string(&links).unwrap_or_default(),
            hot_tokens: count(facts.hot_tokens),
            warm_tokens: count(facts.warm_tokens),
            placement: placement(facts.id, tier, support),
        },
        hot,
        warm,
        kinds,
        outcome: outcome.map(outcome_name),
        sources,
        made_by: MADE_BY,
    }
}

/// Whether a record contradicts a claim of a page, page by page. Without claims nothing is read.
fn stale(tx: &mut (impl ReadTx + ?Sized), org: OrgId, stated: &[Option<String>]) -> Result<Vec<bool>, StoreError> {
    let claims: Vec<Vec<Claim>> =
        stated.iter().map(|text| text.as_deref().map(stored_claims).unwrap_or_default()).collect();
    let entities: HashSet<String> = claims.iter().flatten().map(|claim| claim.entity.clone()).collect();
    if entities.is_empty() {
        return Ok(vec![false; stated.len()]);
    }
    let fields = tx.record_fields_of(org, &entities.into_iter().collect::<Vec<_>>())?;
    let is_stale = |claim: Claim| {
        let field = fields.get(&(claim.entity.clone(), claim.field.clone()));
        check_claim(claim, field).status() == ClaimStatus::Stale
    };
    Ok(claims.into_iter().map(|claims| claims.into_iter().any(is_stale)).collect())
}

/// The claims of all episodes with the ids of the episodes, each claim once; `None` without any.
fn claims_of(sources: &[Uuid], stated: &HashMap<Uuid, String>) -> Option<String> {
    let mut claims: Vec<Claim> = Vec::new();
    for (id, text) in sources.iter().filter_map(|id| Some((*id, stated.get(id)?))) {
        for claim in stored_claims(text) {
            let is_same = |known: &Claim| Claim { item: None, ..known.clone() } == claim;
            if !claims.iter().any(is_same) {
                claims.push(Claim { item: Some(id), ..claim });
            }
        }
    }
    (!claims.is_empty()).then(|| serde_json::to_string(&claims).unwrap_or_default())
}

fn placement(id: Uuid, tier: Tier, support: Support) -> PagePlacement {
    PagePlacement {
        id,
        tier: match tier {
            Tier::Hot => "hot",
            Tier::Warm => "warm",
            Tier::Cold => "cold",
        },
        effective_at: support.effective_at,
        sessions: support.sessions.into(),
        successes: support.successes.into(),
        failures: support.failures.into(),
    }
}

fn facts_of(stored: &PageFacts) -> Facts {
    let links: Vec<StoredLink> = serde_json::from_str(&stored.links).unwrap_or_default();
    let link =
        |link: StoredLink| Link { correlation: link.correlation, successes: link.successes, failures: link.failures };
    Facts {
        id: stored.id,
        thread: stored.thread.clone(),
        first_at: stored.first_at,
        last_at: stored.last_at,
        salience: stored.salience,
        links: links.into_iter().map(link).collect(),
        hot_tokens: usize::try_from(stored.hot_tokens).unwrap_or_default(),
        warm_tokens: usize::try_from(stored.warm_tokens).unwrap_or_default(),
        is_stale: false,
    }
}

fn count(tokens: usize) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
        Outcome::Neutral => "neutral",
    }
}

/// An episode as the compactor reads it. An outcome of an older version other than these three counts as absent.
fn to_compact(row: orgmem_store::Episode) -> Episode {
    let outcome = match row.outcome.as_deref() {
        Some("success") => Some(Outcome::Success),
        Some("failure") => Some(Outcome::Failure),
        Some("neutral") => Some(Outcome::Neutral),
        Some(_) | None => None,
    };
    let text = text_of(&row);
    Episode {
        id: row.id,
        workspace: row.workspace.uuid(),
        subject: row.subject.unwrap_or_default(),
        at: row.created_at.timestamp_micros(),
        activity_type: row.activity_type,
        session: row.session_id,
        actor: row.actor,
        channel: row.channel,
        correlation: row.correlation_id,
        kind: row.kind,
        outcome,
        salience: row.salience.unwrap_or(0.5),
        text,
        is_superseded: row.superseded_by.is_some(),
        is_redacted: row.redacted_at.is_some(),
    }
}

/// The words of an episode: its summary and its error, and bodies that are plain text.
fn text_of(row: &orgmem_store::Episode) -> String {
    let bodies = [&row.request_body, &row.response_body].into_iter().flatten();
    let bodies = bodies.filter_map(|body| serde_json::from_str::<String>(body).ok());
    let own = [&row.summary, &row.error_detail].into_iter().flatten().cloned();
    let mut parts: Vec<String> = own.chain(bodies).filter(|part| !part.trim().is_empty()).collect();
    parts.dedup();
    parts.join("\n")
}
