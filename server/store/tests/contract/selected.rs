//! Searches with a filter on metadata, which the index does not have.

use orgmem_hierarchy::Scope;
use orgmem_policies::MetadataFilter;
use orgmem_store::Search;
use serde_json::{Value, json};
use uuid::Uuid;

use super::commits::{ACME, Commit, about, commit_all, search};
use super::orgs::draw;
use crate::stores::TestStore;

on_both!(search_by_metadata_has_the_results_that_satisfy_the_filter_in_their_order);

/// A word of few memories, of a third and of all: the metadata of the matches are read, or those of all memories.
async fn search_by_metadata_has_the_results_that_satisfy_the_filter_in_their_order(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let text = |n: u32| match n {
        _ if n.is_multiple_of(20) => format!("harbour crane {n}"),
        _ if n.is_multiple_of(3) => format!("harbour buoy {n}"),
        _ => format!("harbour {n}"),
    };
    let tier = |n: u32| (!n.is_multiple_of(7)).then_some(n % 6);
    let draft = |n: u32| {
        Commit::new(acme.get(["bot-1", "dev", "bot-2"][n as usize % 3]), Scope::Team, &text(n)).with(|input| {
            input.id = Some(Uuid::from_u128(n.into()));
            input.metadata = tier(n).and_then(|tier| json!({"tier": tier}).as_object().cloned());
        })
    };
    commit_all(&t.store, &acme, (1..=200).map(draft).collect()).await;
    let satisfies = |filter: &Value, n: u32| match filter["tier"].as_object() {
        Some(_) => tier(n).is_some_and(|tier| tier >= 3),
        None => tier(n).is_none(),
    };
    for (query, found) in [("crane", 10), ("buoy", 60), ("harbour", 200)] {
        let all = Search { cut: orgmem_recall::PageRequest { limit: 200, ..about(query).cut }, ..about(query) };
        let results = search(&t.store, &acme, acme.get("dev"), all.clone()).await;
        let ids: Vec<u32> = results.hits.iter().map(|hit| hit.memory.id.as_u128() as u32).collect();
        assert!(ids.len() >= found, "{query}");
        for filter in [json!({"tier": {"$gte": 3}}), json!({"tier": null})] {
            let metadata = Some(MetadataFilter::parse(&filter).expect("a filter"));
            let filtered = search(&t.store, &acme, acme.get("dev"), Search { metadata, ..all.clone() }).await;
            let filtered: Vec<u32> = filtered.hits.iter().map(|hit| hit.memory.id.as_u128() as u32).collect();
            let expected: Vec<u32> = ids.iter().copied().filter(|&n| satisfies(&filter, n)).collect();
            assert_eq!(filtered, expected, "{query} {filter}");
            assert!(!filtered.is_empty());
        }
    }
}
