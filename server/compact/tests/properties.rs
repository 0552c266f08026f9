//! Properties of the compactor over random logs of three hundred days, with late arrivals, corrections, redactions and
//! excluded kinds. Each property names a mutation that it catches.

mod log;

use std::collections::{BTreeMap, BTreeSet};

use log::{AnyLog, DAYS, MARKS, RULES, naive_exchanges, rules};
use orgmem_compact::{
    Budgets, Compaction, Episode, Exchange, Exclusion, GATE, HOT_PAGE_TOKENS, MICROS_PER_DAY, Page, Tier, WARM_CHARS,
    compact, day_of, exchanges, place, tokens_of,
};
use proptest::prelude::*;
use uuid::Uuid;

const BUDGETS: [Budgets; 3] =
    [Budgets { hot: 1200, warm: 4000 }, Budgets { hot: 60, warm: 40 }, Budgets { hot: 0, warm: 12 }];

fn pages(log: &[Episode], budgets: Budgets, day: i64) -> Compaction {
    compact(log, &rules(), budgets, day)
}

/// What a store has: the exchanges of each thread, which are replaced when the thread changes.
#[derive(Default)]
struct Stepwise {
    log: Vec<Episode>,
    threads: BTreeMap<(Uuid, String, String), Vec<Exchange>>,
}

impl Stepwise {
    fn touch(&mut self, episode: &Episode) {
        let Some(thread) = episode.thread() else { return };
        let key = (episode.workspace, episode.subject.clone(), thread.to_owned());
        let rules = rules();
        let of_thread = self.log.iter().filter(|other| {
            (other.workspace, &other.subject, other.thread()) == (key.0, &key.1, Some(thread))
                && rules.exclusion(other).is_none()
        });
        let exchanges = exchanges(of_thread);
        self.threads.insert(key, exchanges);
    }

    fn contents(&self, budgets: Budgets, day: i64) -> BTreeMap<Uuid, (Tier, String, f64, Vec<Uuid>)> {
        let mut subjects: BTreeMap<(Uuid, &str), Vec<&Exchange>> = BTreeMap::new();
        for ((workspace, subject, _), exchanges) in &self.threads {
            subjects.entry((*workspace, subject)).or_default().extend(exchanges);
        }
        let mut all = BTreeMap::new();
        for exchanges in subjects.into_values() {
            let facts: Vec<_> = exchanges.iter().map(|exchange| &exchange.facts).collect();
            for (exchange, (tier, support)) in exchanges.iter().zip(place(&facts, budgets, day).pages) {
                let content = match tier {
                    Tier::Hot => exchange.hot.clone(),
                    Tier::Warm => exchange.warm.clone(),
                    Tier::Cold => String::new(),
                };
                let confidence = support.confidence(day).total;
                all.insert(exchange.facts.id, (tier, content, confidence, exchange.sources.clone()));
            }
        }
        all
    }
}

fn by_id(compaction: &Compaction) -> BTreeMap<Uuid, (Tier, String, f64, Vec<Uuid>)> {
    let page = |page: &Page| (page.id, (page.tier, page.content.clone(), page.confidence, page.sources.clone()));
    compaction.pages.iter().map(page).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Catches: sorting episodes of a thread by arrival; taking the first of several outcomes in input order.
    #[test]
    fn order_of_arrival_has_no_effect(log in AnyLog, seed in any::<u64>(), day in 0..DAYS) {
        let mut shuffled = log.clone();
        shuffled.sort_by_key(|episode| (episode.id.as_u128() as u64).wrapping_mul(seed | 1).rotate_left(17));
        for budgets in BUDGETS {
            prop_assert_eq!(pages(&log, budgets, day), pages(&shuffled, budgets, day));
        }
    }

    /// Catches: an id that depends on a counter; a late episode that does not join or merge exchanges; a correction that
    /// leaves the page of the corrected episode.
    #[test]
    fn steps_give_the_same_pages_as_the_whole_log(log in AnyLog, steps in 1..12_usize, day in 0..DAYS) {
        let mut stepwise = Stepwise::default();
        for part in log.chunks(log.len().div_ceil(steps).max(1)) {
            for episode in part {
                // it arrives, and is corrected or redacted later
                let arrived = Episode { is_superseded: false, is_redacted: false, ..episode.clone() };
                stepwise.log.push(arrived.clone());
                stepwise.touch(&arrived);
            }
            for episode in part.iter().filter(|episode| episode.is_superseded || episode.is_redacted) {
                let stored = stepwise.log.iter_mut().find(|stored| stored.id == episode.id);
                *stored.expect("it arrived") = episode.clone();
                stepwise.touch(episode);
            }
        }
        for budgets in BUDGETS {
            prop_assert_eq!(stepwise.contents(budgets, day), by_id(&pages(&log, budgets, day)));
        }
    }

    /// Catches: a budget that is checked before and not after a page; one budget for all subjects.
    #[test]
    fn budgets_are_never_exceeded(log in AnyLog, day in 0..DAYS) {
        for budgets in BUDGETS {
            let mut sums: BTreeMap<(Uuid, String, Tier), usize> = BTreeMap::new();
            for page in pages(&log, budgets, day).pages {
                prop_assert_eq!(page.tokens, tokens_of(&page.content));
                prop_assert_eq!(page.tier == Tier::Cold, page.content.is_empty());
                *sums.entry((page.workspace, page.subject, page.tier)).or_default() += page.tokens;
            }
            for ((_, _, tier), sum) in sums {
                let budget = match tier { Tier::Hot => budgets.hot, Tier::Warm => budgets.warm, Tier::Cold => 0 };
                prop_assert!(sum <= budget, "{tier:?}: {sum} > {budget}");
            }
        }
    }

    /// Catches: an exclusion that is checked after the exchanges are formed; a kind that is compared with its case.
    #[test]
    fn every_eligible_episode_is_the_source_of_one_page_and_no_other_is(log in AnyLog, day in 0..DAYS) {
        let done = pages(&log, BUDGETS[0], day);
        let episodes: BTreeMap<Uuid, &Episode> = log.iter().map(|episode| (episode.id, episode)).collect();
        let mut seen = BTreeSet::new();
        for page in &done.pages {
            prop_assert!(!page.sources.is_empty());
            for source in &page.sources {
                let episode = episodes[source];
                prop_assert!(seen.insert(*source));
                prop_assert!(!episode.is_redacted && !episode.is_superseded);
                prop_assert!(episode.actor.is_some() && episode.channel.is_some() && episode.correlation.is_some());
                let kind = episode.kind.as_deref().expect("a kind is required").trim().to_lowercase();
                prop_assert!(!RULES.contains(&kind.as_str()), "{kind}");
                prop_assert_eq!((&episode.subject, episode.workspace), (&page.subject, page.workspace));
            }
        }
        let eligible = log.iter().filter(|episode| rules().exclusion(episode).is_none()).count();
        let left_out: usize = done.report.left_out.values().sum();
        prop_assert_eq!((seen.len(), done.report.read), (eligible, eligible + left_out));
        prop_assert_eq!(done.report.left_out.get(&Exclusion::Server), None);
    }

    /// Catches: a gap of exactly 30 minutes that splits; exchanges across sessions with one correlation id.
    #[test]
    fn exchanges_are_those_of_the_naive_model(log in AnyLog) {
        let done = pages(&log, BUDGETS[0], DAYS);
        let found: BTreeSet<BTreeSet<Uuid>> =
            done.pages.iter().map(|page| page.sources.iter().copied().collect()).collect();
        prop_assert_eq!(found, naive_exchanges(&log));
    }

    /// Catches: the text of an excluded episode as the context of another; a summary over the whole log.
    #[test]
    fn words_of_excluded_episodes_reach_no_page(log in AnyLog, day in 0..DAYS) {
        let without: Vec<Episode> =
            log.iter().filter(|episode| rules().exclusion(episode).is_none()).cloned().collect();
        let done = pages(&log, BUDGETS[0], day);
        prop_assert_eq!(&done.pages, &pages(&without, BUDGETS[0], day).pages);
        for page in &done.pages {
            prop_assert!(MARKS.iter().all(|mark| !page.content.contains(mark)), "{}", page.content);
        }
    }

    /// Catches: a density of one third for a single session; an outcome that counts more than a half-life.
    #[test]
    fn one_old_session_is_below_the_gate(log in AnyLog, day in 0..DAYS + 400) {
        for page in pages(&log, BUDGETS[0], day).pages {
            prop_assert!((0.0..=1.0).contains(&page.confidence));
            let is_old = page.support.age_days(day) >= 60;
            prop_assert!(!(is_old && page.support.sessions == 1) || page.confidence < GATE, "{page:?}");
        }
    }

    /// Catches: a next day that ignores warm pages; ranks that depend on the day.
    #[test]
    fn tiers_stay_until_the_next_day_of_the_placement(log in AnyLog, day in 0..DAYS, later in 0..120_i64) {
        let eligible: Vec<&Episode> = log.iter().filter(|episode| {
            rules().exclusion(episode).is_none() && episode.subject == "ada" && episode.at < (day + 1) * MICROS_PER_DAY
        }).collect();
        let exchanges = exchanges(eligible.iter().copied().filter(|episode| episode.workspace == log[0].workspace));
        let facts: Vec<_> = exchanges.iter().map(|exchange| &exchange.facts).collect();
        for budgets in BUDGETS {
            let now = place(&facts, budgets, day);
            let then = place(&facts, budgets, day + later);
            match now.next_day {
                Some(next) => {
                    prop_assert!(next > day);
                    prop_assert!(day + later >= next || then.pages == now.pages);
                }
                None => prop_assert_eq!(then.pages, now.pages),
            }
        }
    }

    /// Catches: texts that are cut by characters and measured by bytes.
    #[test]
    fn texts_have_their_bounds_in_any_language(log in AnyLog) {
        let eligible: Vec<&Episode> = log.iter().filter(|episode| rules().exclusion(episode).is_none()).collect();
        for exchange in exchanges(eligible) {
            prop_assert!(tokens_of(&exchange.hot) <= HOT_PAGE_TOKENS, "{}", exchange.hot);
            prop_assert!(exchange.warm.chars().count() <= WARM_CHARS && !exchange.warm.contains('\n'));
        }
    }
}

#[test]
fn later_episode_of_a_thread_brings_an_old_page_back_up() {
    let old = log::episode(1, 10 * MICROS_PER_DAY, "s-1", "c-1");
    let day = 10 + 120;
    let tier = |log: &[Episode]| {
        pages(log, BUDGETS[0], day).pages.iter().find(|page| day_of(page.first_at) == 10).map(|page| page.tier)
    };
    assert_eq!(tier(std::slice::from_ref(&old)), Some(Tier::Cold));
    let same_thread = log::episode(2, day * MICROS_PER_DAY, "s-1", "c-9");
    assert_eq!(tier(&[old.clone(), same_thread]), Some(Tier::Hot));
    let outcome = log::episode(3, day * MICROS_PER_DAY, "s-2", "c-1");
    assert_eq!(tier(&[old.clone(), outcome]), Some(Tier::Hot), "it shares the correlation id");
    let other = log::episode(4, day * MICROS_PER_DAY, "s-3", "c-3");
    assert_eq!(tier(&[old, other]), Some(Tier::Cold));
}
