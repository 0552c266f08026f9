//! The share of hand-made queries whose first hit is an expected one does not fall.
//!
//! A change that improves a category raises its number here. A new case that fails raises nothing, and is welcome.

use std::collections::HashSet;

use orgmem_quality::cases::{Cases, Shares};
use orgmem_quality::facts::{Layout, changed_facts};
use orgmem_recall::Scoring;

/// By category the number of queries with an expected first hit, by words, at the last change.
const RECORDED: [(&str, usize); 17] = [
    ("abbreviation", 18),
    ("changed fact", 220),
    ("changed fact in a session", 220),
    ("code", 25),
    ("compound", 14),
    ("negation", 15),
    ("number", 29),
    ("prefix", 22),
    ("question", 26),
    ("quotation", 10),
    ("script", 56),
    ("short note", 43),
    ("speaker", 11),
    ("spelling", 7),
    ("time", 12),
    ("typo", 44),
    ("update", 9),
];

fn all_cases() -> Vec<Cases> {
    let mut cases = Cases::of_repository().expect("the cases are valid");
    cases.extend([Layout::Apart, Layout::Together].map(|layout| changed_facts(layout).expect("the facts are valid")));
    cases
}

#[test]
fn first_hits_of_each_category_do_not_become_fewer() {
    let shares = Shares::of(&all_cases(), &Scoring::default(), None).expect("no model is needed");
    println!("{}", shares.table("by words"));
    for (file, query, first) in &shares.misses {
        println!("{file}: `{query}` finds {}", first.as_deref().unwrap_or("nothing"));
    }
    let right = |category: &str| shares.by_category.get(category).map_or(0, |share| share.right);
    let fewer: Vec<_> = RECORDED.iter().filter(|(category, recorded)| right(category) < *recorded).collect();
    assert!(fewer.is_empty(), "recorded: {fewer:?}");
    let recorded: HashSet<&str> = RECORDED.iter().map(|(category, _)| *category).collect();
    let unknown: Vec<&String> = shares.by_category.keys().filter(|name| !recorded.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "categories without a recorded number: {unknown:?}");
}

#[test]
fn suite_has_300_queries_in_12_languages_and_200_changed_facts() {
    let cases = Cases::of_repository().expect("the cases are valid");
    let language = |cases: &Cases| cases.conversation.name.rsplit('-').next().map(str::to_owned);
    let languages: HashSet<Option<String>> = cases.iter().map(language).collect();
    assert!(cases.iter().map(|cases| cases.categories.len()).sum::<usize>() >= 300);
    assert!(languages.len() >= 12, "{languages:?}");
    assert!(changed_facts(Layout::Together).expect("the facts are valid").categories.len() >= 200);
}

#[test]
fn ids_of_memories_are_unique_in_their_file() {
    for cases in all_cases() {
        let mut seen = HashSet::new();
        assert!(cases.conversation.items.iter().all(|item| seen.insert(&item.id)), "{}", cases.conversation.name);
    }
}
