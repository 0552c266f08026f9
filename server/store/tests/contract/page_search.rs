//! Pages in searches: the same as on a store with only the readable pages, from rows and from stored segments.

use std::collections::BTreeMap;

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::{EndUser, Permission, ProfileSettings, ReadPass, Sharing, ViewPass};
use orgmem_recall::analyze;
use orgmem_store::{
    PageChange, PageFacts, PageFilter, PagePlacement, PageWork, PageWrite, ReadPlan, Search, SearchedItems, Store,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::audit_log::{count, execute_sql};
use super::commits::{ACME, Commit, about, commit, contents, search};
use super::end_users::{found_of, profiled, random_history};
use super::orgs::{Failure, Org, draw, system};
use super::stored_segments::store_segments;
use crate::stores::{TestStore, test_epoch};

on_both!(
    search_equals_that_of_a_store_with_only_the_readable_pages,
    memories_are_found_as_without_pages,
    segments_give_the_same_pages_as_rows_after_random_histories,
    removed_pages_leave_the_segments,
    excluded_kinds_hide_pages_by_any_of_their_kinds,
    page_below_the_gate_is_absent_from_its_day_on,
);

const WORDS: [&str; 8] = ["buoy", "harbour", "crane", "pilot", "tide", "grafana", "anchor", "berth"];
const SUBJECTS: [&str; 3] = ["", "ada", "eve"];
const KINDS: [&[&str]; 4] = [&["support"], &["taste"], &["Taste ", "support"], &["delivery"]];

const BOTH: SearchedItems = SearchedItems { pages: true, ..SearchedItems::MEMORIES };

/// A page of a workspace.
#[derive(Clone, Debug)]
struct Made {
    author: &'static str,
    subject: &'static str,
    page: PageWrite,
}

fn page(id: u128, thread: &str, text: &str) -> PageWrite {
    let at = test_epoch().timestamp_micros();
    PageWrite {
        facts: PageFacts {
            id: Uuid::from_u128(id),
            thread: thread.to_owned(),
            first_at: at - 60_000_000,
            last_at: at,
            salience: 0.5,
            links: "[]".to_owned(),
            hot_tokens: 10,
            warm_tokens: 5,
            claims: None,
            placement: PagePlacement {
                id: Uuid::from_u128(id),
                tier: "hot",
                effective_at: at,
                sessions: 1,
                successes: 0,
                failures: 0,
            },
        },
        hot: text.to_owned(),
        warm: text.split(' ').next().unwrap_or_default().to_owned(),
        kinds: vec!["support".to_owned()],
        outcome: None,
        sources: vec![Uuid::from_u128(id + 1)],
        made_by: "extractive",
    }
}

/// Replaces the pages of a thread of a subject, and places others of the subject again.
async fn put(
    store: &Store,
    org: &Org,
    workspace: WorkspaceId,
    (subject, thread): (&str, &str),
    pages: Vec<PageWrite>,
    moved: Vec<PagePlacement>,
) {
    let work = PageWork { workspace, subject: subject.to_owned(), threads: vec![thread.to_owned()], marks: Vec::new() };
    let (id, change) = (org.id, PageChange { work, pages, moved, due_at: None });
    let written: Result<_, Failure> = store.write(id, move |tx| Ok(tx.put_pages(id, &change)?)).await;
    assert!(written.expect("a change").is_some(), "the work is current");
}

/// Random pages of three workspaces, each in a thread of its own.
fn random_pages(seed: u64) -> Vec<Made> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut pick = |from: usize| random.random_range(0..from);
    let made = |n: u128| {
        let words: Vec<&str> = (0..=pick(4)).map(|_| WORDS[pick(WORDS.len())]).collect();
        let mut page = page(0xdef0_0000 + 2 * n, &format!("s-{n}"), &words.join(" "));
        page.kinds = KINDS[pick(KINDS.len())].iter().map(ToString::to_string).collect();
        page.facts.placement.tier = ["hot", "warm", "hot", "cold"][pick(4)];
        page.facts.last_at -= 3_600_000_000 * i64::try_from(pick(6)).unwrap_or_default();
        Made { author: ["bot-1", "dev", "bot-2", "bot-3"][pick(4)], subject: SUBJECTS[pick(3)], page }
    };
    (0..60).map(made).collect()
}

async fn put_all(store: &Store, org: &Org, pages: impl Iterator<Item = &Made>) {
    for Made { author, subject, page } in pages {
        let thread = page.facts.thread.clone();
        put(store, org, org.get(author), (subject, &thread), vec![page.clone()], Vec::new()).await;
    }
}

fn searches(items: SearchedItems) -> Vec<Search> {
    let mut searches = Vec::new();
    for query in ["", "harbour crane", "what did ada say about the tide?", "graf pilot"] {
        searches.push(Search { items, ..about(query) });
        searches.push(Search { items, explain: true, collapse: true, neighbours: 2, ..about(query) });
    }
    searches
}

/// What a reader finds for an end user.
async fn found(store: &Store, org: &Org, reader: &str, subject: Option<&str>, searches: &[Search]) -> Vec<String> {
    let (id, reader, searches) = (org.id, org.get(reader), searches.to_vec());
    let caller = system().naming(&EndUser::named(subject, None)).expect("one end user");
    let found: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let profile = tx.default_settings(id, reader)?;
            let pass = ReadPass::grant(&caller, &*tx.tree(id)?, reader, &profile)?;
            let mut answers = Vec::new();
            for search in &searches {
                let found = tx.search(&pass, search)?;
                let hits = found.hits.iter().map(|hit| {
                    let (memory, near) = (&hit.memory, hit.neighbours.iter().map(|near| near.memory.id));
                    format!(
                        "{} {} {:x} {} {:?} {:?} {:?}",
                        memory.id,
                        memory.page.is_some(),
                        hit.score.to_bits(),
                        memory.authored.content,
                        hit.via,
                        near.collect::<Vec<_>>(),
                        hit.explanation,
                    )
                });
                answers.push(format!("{} {:#?}", tx.count(&pass, search)?, hits.collect::<Vec<_>>()));
            }
            Ok(answers)
        })
        .await;
    found.expect("answers")
}

async fn search_equals_that_of_a_store_with_only_the_readable_pages(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let memories = random_history(&t.store, &acme, 43).await;
    let pages = random_pages(44);
    put_all(&t.store, &acme, pages.iter()).await;
    let shared = async |org: &Org| {
        let settings = ProfileSettings { page_scope: Scope::Team, ..ProfileSettings::default() };
        profiled(&t.store, org, "bot-3", settings.clone()).await;
        for author in ["bot-1", "dev", "bot-2"] {
            let page_scope = if author == "bot-2" { Scope::Team } else { Scope::Local };
            let subjects = Sharing::Separate;
            profiled(&t.store, org, author, ProfileSettings { subjects, page_scope, ..settings.clone() }).await;
        }
    };
    shared(&acme).await;
    for subject in [None, Some("ada"), Some("eve")] {
        for reader in ["bot-1", "dev", "bot-2"] {
            let mirror = draw(&t.store, ACME).await;
            for written in memories.iter().filter(|one| one.subject.is_none() || one.subject == subject) {
                commit(&t.store, &mirror, written.in_org(&mirror)).await.expect("a commit");
            }
            let is_readable = |made: &&Made| {
                (made.author == reader || made.author == "bot-2")
                    && (made.subject.is_empty() || Some(made.subject) == subject)
                    && made.page.facts.placement.tier != "cold"
                    && !made.page.kinds.iter().any(|kind| kind.trim().eq_ignore_ascii_case("taste"))
            };
            put_all(&t.store, &mirror, pages.iter().filter(is_readable)).await;
            shared(&mirror).await;
            let searches = |without: &[&str]| -> Vec<Search> {
                let without: Vec<String> = without.iter().map(ToString::to_string).collect();
                searches(BOTH).into_iter().map(|one| Search { kinds_without_pages: without.clone(), ..one }).collect()
            };
            let here = found(&t.store, &acme, reader, subject, &searches(&["TASTE"])).await;
            assert_eq!(here, found(&t.store, &mirror, reader, subject, &searches(&[])).await, "{reader} {subject:?}");
            assert!(here.iter().any(|answer| answer.contains(" true ")), "pages are found");
        }
    }
}

/// Order and scores of a search without pages.
async fn memories_are_found_as_without_pages(t: TestStore) {
    let (acme, mirror) = (draw(&t.store, ACME).await, draw(&t.store, ACME).await);
    let memories = random_history(&t.store, &acme, 45).await;
    for written in &memories {
        commit(&t.store, &mirror, written.in_org(&mirror)).await.expect("a commit");
    }
    put_all(&t.store, &acme, random_pages(46).iter()).await;
    for reader in ["bot-1", "dev", "bot-2"] {
        let mut answers = Vec::new();
        for org in [&acme, &mirror] {
            let (id, reader) = (org.id, org.get(reader));
            let ids: Vec<Uuid> = memories.iter().map(|written| written.id).collect();
            let read: Result<_, Failure> = t
                .store
                .read(ReadPlan::Scan, move |tx| {
                    let profile = tx.default_settings(id, reader)?;
                    let pass = ReadPass::grant(&system(), &*tx.tree(id)?, reader, &profile)?;
                    found_of(tx, &pass, &ids)
                })
                .await;
            answers.push(read.expect("answers"));
        }
        assert_eq!(answers[0], answers[1], "{reader}");
    }
}

async fn segments_give_the_same_pages_as_rows_after_random_histories(mut t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let mut random = StdRng::seed_from_u64(47);
    let mut live: BTreeMap<u128, (PageWrite, &str)> = BTreeMap::new();
    let bot = acme.get("bot-1");
    commit(&t.store, &acme, Commit::new(bot, Scope::Team, "harbour")).await.expect("a commit");
    for round in 0..5_u32 {
        for n in 0..40_u128 {
            let key = u128::from(round) * 100 + 2 * n;
            let of = if live.is_empty() || random.random_ratio(1, 2) {
                key
            } else {
                *live.keys().nth(random.random_range(0..live.len())).expect("a page")
            };
            let subject = live.get(&of).map_or(SUBJECTS[random.random_range(0..3)], |(_, subject)| *subject);
            let thread = format!("s-{of}");
            let text = format!("harbour {} {key}", WORDS[random.random_range(0..WORDS.len())]);
            match random.random_range(0..4) {
                0 if live.contains_key(&of) => {
                    put(&t.store, &acme, bot, (subject, &thread), Vec::new(), Vec::new()).await;
                    live.remove(&of);
                }
                1 if live.contains_key(&of) => {
                    let mut placement = live[&of].0.facts.placement.clone();
                    placement.tier = ["hot", "warm", "cold"][random.random_range(0..3)];
                    put(&t.store, &acme, bot, (subject, "other"), Vec::new(), vec![placement.clone()]).await;
                    live.get_mut(&of).expect("a page").0.facts.placement = placement;
                }
                _ => {
                    let new = page(of, &thread, &text);
                    put(&t.store, &acme, bot, (subject, &thread), vec![new.clone()], Vec::new()).await;
                    live.insert(of, (new, subject));
                }
            }
        }
        if round % 3 != 2 {
            store_segments(&t.store, &acme).await;
        }
        let all = Search { items: SearchedItems::PAGES, ..about("") };
        let mut expected: Vec<&str> = Vec::new();
        for (page, _) in live.values() {
            match page.facts.placement.tier {
                "hot" => expected.push(&page.hot),
                "warm" => expected.push(&page.warm),
                _ => {}
            }
        }
        expected.sort_unstable();
        for _ in 0..2 {
            let mut cut = all.clone();
            cut.cut.limit = 500;
            let found = search(&t.store, &acme, bot, cut).await;
            let mut texts = contents(&found);
            texts.sort_unstable();
            assert_eq!(texts, expected, "round {round}");
            assert_eq!(indexed_texts(&t.store, &acme, bot).await, expected.len(), "round {round}");
            let warm = found_by(&t.store, &acme).await;
            t = t.reopened();
            assert_eq!(found_by(&t.store, &acme).await, warm, "round {round}");
        }
    }
    let from_segments = found_by(&t.store, &acme).await;
    execute_sql(&t, "DELETE FROM memory_segments; DELETE FROM segment_progress");
    t = t.reopened();
    assert_eq!(found_by(&t.store, &acme).await, from_segments);
}

/// The number of pages with text, each of which the index has an analysis of.
async fn indexed_texts(store: &Store, org: &Org, workspace: WorkspaceId) -> usize {
    let id = org.id;
    let counted: Result<_, Failure> = store
        .read(ReadPlan::Scan, move |tx| {
            let pass = ViewPass::grant(&system(), Permission::ReadActivity, &*tx.tree(id)?, workspace)?;
            let filter = PageFilter { subject: None, tiers: vec!["hot", "warm"], thread: None };
            let pages = tx.list_pages(&pass, &filter, None, 500)?;
            let analyses = tx.page_analyses(&pass, &pages)?;
            for page in &pages {
                assert_eq!(analyses.get(&page.id), Some(&analyze(&page.content)), "{}", page.content);
            }
            Ok(analyses.len())
        })
        .await;
    counted.expect("pages")
}

async fn found_by(store: &Store, acme: &Org) -> Vec<String> {
    found(store, acme, "bot-1", Some("ada"), &searches(BOTH)).await
}

async fn removed_pages_leave_the_segments(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    commit(&t.store, &acme, Commit::new(bot, Scope::Team, "harbour")).await.expect("a commit");
    for (n, thread, word) in [(2, "a", "quetzal"), (4, "b", "zanzibar"), (6, "c", "kilimanjaro")] {
        put(&t.store, &acme, bot, ("ada", thread), vec![page(n, thread, word)], Vec::new()).await;
    }
    for n in 10..50 {
        let thread = format!("s-{n}");
        let buoy = page(2 * n, &thread, &format!("buoy {n}"));
        put(&t.store, &acme, bot, ("eve", &thread), vec![buoy], Vec::new()).await;
    }
    store_segments(&t.store, &acme).await;
    let segments_with = |word: &str| {
        let is_in =
            if t.file().is_some() { "instr(data, CAST('$' AS BLOB)) > 0" } else { "position('$'::bytea in data) > 0" };
        count(&t, &format!("SELECT count(*) AS count FROM memory_segments WHERE {}", is_in.replace('$', word)))
    };
    let all = || ["quetzal", "zanzibar", "kilimanjaro"].map(|word| segments_with(word) > 0);
    assert_eq!(all(), [true; 3]);
    // as a redaction of its only episode, and a new text
    put(&t.store, &acme, bot, ("ada", "a"), Vec::new(), Vec::new()).await;
    put(&t.store, &acme, bot, ("ada", "b"), vec![page(4, "b", "an island")], Vec::new()).await;
    store_segments(&t.store, &acme).await;
    assert_eq!(all(), [false, false, true]);
}

async fn excluded_kinds_hide_pages_by_any_of_their_kinds(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    for (n, kinds) in [(2, &["support"][..]), (4, &["support", " Payment"]), (6, &["ＰＡＹＭＥＮＴ"])] {
        let thread = format!("s-{n}");
        let mut made = page(n, &thread, &format!("buoy {n}"));
        made.kinds = kinds.iter().map(ToString::to_string).collect();
        put(&t.store, &acme, bot, ("ada", &thread), vec![made], Vec::new()).await;
    }
    let buoys = async |without: &[&str]| {
        let kinds_without_pages = without.iter().map(ToString::to_string).collect();
        let buoys = Search { items: SearchedItems::PAGES, kinds_without_pages, ..about("buoy") };
        search(&t.store, &acme, bot, buoys).await.hits.len()
    };
    assert_eq!(buoys(&[]).await, 3);
    assert_eq!(buoys(&["payment"]).await, 1);
    assert_eq!(buoys(&["Support"]).await, 1);
}

async fn page_below_the_gate_is_absent_from_its_day_on(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let mut often = page(4, "s-2", "crane twice");
    often.facts.placement = PagePlacement { sessions: 4, successes: 9, ..often.facts.placement };
    put(&t.store, &acme, bot, ("ada", "s-1"), vec![page(2, "s-1", "crane once")], Vec::new()).await;
    put(&t.store, &acme, bot, ("ada", "s-2"), vec![often], Vec::new()).await;
    let mut seen = Vec::new();
    for _ in 0..80 {
        let cranes = Search { items: SearchedItems::PAGES, ..about("crane") };
        seen.push(search(&t.store, &acme, bot, cranes).await.hits.len());
        t.clock.advance(chrono::TimeDelta::days(1));
    }
    let support = orgmem_compact::Support {
        effective_at: test_epoch().timestamp_micros(),
        sessions: 1,
        successes: 0,
        failures: 0,
    };
    let today = orgmem_compact::day_of(test_epoch().timestamp_micros());
    let expected: Vec<usize> = (0..80)
        .map(|days| if support.confidence(today + days).total >= orgmem_compact::GATE { 2 } else { 1 })
        .collect();
    assert_eq!(seen, expected);
    assert!(expected.contains(&1) && expected.contains(&2));
}
