//! The tier of each exchange of one subject.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Facts, Support, day_of};

/// A page is hot for at most this many days after its last supporting episode.
pub const HOT_DAYS: i64 = 14;
/// A page is warm for at most this many days after its last supporting episode.
pub const WARM_DAYS: i64 = 90;

/// How much text of a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Near-verbatim, read every turn.
    Hot,
    /// One or two sentences, read on demand.
    Warm,
    /// No text: outcome, times and sources, for audits.
    Cold,
}

/// The largest sums of tokens of the pages of one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Of the hot pages.
    pub hot: usize,
    /// Of the warm pages.
    pub warm: usize,
}

impl Default for Budgets {
    fn default() -> Self {
        Self { hot: 1200, warm: 4000 }
    }
}

/// The tiers of the exchanges of a subject on one day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placements {
    /// In the order of the input.
    pub pages: Vec<(Tier, Support)>,
    /// The first later day on which a tier changes by age; `None` if all pages are cold.
    pub next_day: Option<i64>,
}

/// What all exchanges of one thread or correlation id have in common.
#[derive(Default)]
struct Group<'f> {
    last_at: i64,
    threads: BTreeSet<&'f str>,
    successes: u32,
    failures: u32,
}

/// Distributes the exchanges of one workspace and subject over the tiers.
///
/// The order is by time of the last supporting episode; an outcome, further sessions and salience are worth some days.
/// Each tier takes the first pages that are young enough and fit its budget.
///
/// # Complexity
/// O(n log n) for n exchanges, and for each exchange the sessions that share its correlation ids.
#[must_use]
pub fn place(facts: &[&Facts], budgets: Budgets, day: i64) -> Placements {
    let supports = supports(facts);
    let mut order: Vec<usize> = (0..facts.len()).collect();
    let ranks: Vec<f64> = facts.iter().zip(&supports).map(|(facts, support)| rank(facts, support)).collect();
    order.sort_by(|&one, &other| {
        let by_rank = ranks[other].total_cmp(&ranks[one]);
        by_rank.then(facts[other].last_at.cmp(&facts[one].last_at)).then(facts[one].id.cmp(&facts[other].id))
    });
    let mut pages: Vec<(Tier, Support)> = supports.iter().map(|support| (Tier::Cold, *support)).collect();
    let (mut hot, mut warm) = (budgets.hot, budgets.warm);
    let mut next_day: Option<i64> = None;
    for number in order {
        let (facts, support) = (facts[number], supports[number]);
        let age = support.age_days(day);
        let (tier, days) = if facts.is_stale {
            // one tier lower: warm where another page could be hot, else cold
            match age <= HOT_DAYS && takes(&mut warm, facts.warm_tokens) {
                true => (Tier::Warm, HOT_DAYS),
                false => continue,
            }
        } else if age <= HOT_DAYS && takes(&mut hot, facts.hot_tokens) {
            (Tier::Hot, HOT_DAYS)
        } else if age <= WARM_DAYS && takes(&mut warm, facts.warm_tokens) {
            (Tier::Warm, WARM_DAYS)
        } else {
            continue;
        };
        pages[number].0 = tier;
        let ends_on = day_of(support.effective_at).saturating_add(days + 1);
        next_day = Some(next_day.map_or(ends_on, |next| next.min(ends_on)));
    }
    Placements { pages, next_day }
}

/// Takes the tokens from a budget if they fit. A page without text needs none and is cold.
fn takes(budget: &mut usize, tokens: usize) -> bool {
    let fits = tokens > 0 && tokens <= *budget;
    *budget -= if fits { tokens } else { 0 };
    fits
}

/// The order of pages in days, the same on every day. A weight of two is worth one half-life.
fn rank(facts: &Facts, support: &Support) -> f64 {
    let has_outcome = support.successes > 0 || support.failures > 0;
    let sessions = f64::from(support.sessions.saturating_sub(1).min(3)) / 3.0;
    let weight = 1.0 + 0.5 * f64::from(u8::from(has_outcome)) + 0.5 * sessions + (facts.salience - 0.5);
    day_of(support.effective_at) as f64 + crate::HALF_LIFE_DAYS * weight.log2()
}

fn supports(all: &[&Facts]) -> Vec<Support> {
    let mut threads: BTreeMap<&str, i64> = BTreeMap::new();
    let mut correlations: BTreeMap<&str, Group<'_>> = BTreeMap::new();
    for facts in all {
        let last_at = threads.entry(&facts.thread).or_insert(facts.last_at);
        *last_at = facts.last_at.max(*last_at);
        for link in &facts.links {
            let group = correlations
                .entry(&link.correlation)
                .or_insert_with(|| Group { last_at: facts.last_at, ..Group::default() });
            group.last_at = group.last_at.max(facts.last_at);
            group.threads.insert(&facts.thread);
            group.successes = group.successes.saturating_add(link.successes);
            group.failures = group.failures.saturating_add(link.failures);
        }
    }
    all.iter()
        .map(|facts| {
            let groups = || facts.links.iter().filter_map(|link| correlations.get(link.correlation.as_str()));
            let of_thread = threads.get(facts.thread.as_str()).copied().unwrap_or(facts.last_at);
            let sessions = match facts.links.as_slice() {
                [_] => groups().map(|group| group.threads.len()).sum(),
                _ => groups().flat_map(|group| &group.threads).collect::<BTreeSet<_>>().len(),
            };
            Support {
                effective_at: groups().map(|group| group.last_at).fold(of_thread, i64::max),
                sessions: u32::try_from(sessions.max(1)).unwrap_or(u32::MAX),
                successes: groups().map(|group| group.successes).fold(0, u32::saturating_add),
                failures: groups().map(|group| group.failures).fold(0, u32::saturating_add),
            }
        })
        .collect()
}
