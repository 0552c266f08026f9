//! Providers: who gets what, and who may answer.

use std::collections::{BTreeSet, HashSet};

use orgmem_hierarchy::{OrgId, Placement, Scope, Tree, WorkspaceId};
use orgmem_policies::providers::*;
use proptest::prelude::*;
use uuid::Uuid;

fn workspace(number: usize) -> WorkspaceId {
    Uuid::from_u128(number as u128 + 1).into()
}

/// The tree in which the parent of each workspace after the first one is an earlier one.
fn tree(parents: &[usize]) -> Tree {
    let places = (0..=parents.len()).map(|number| {
        let parent = number.checked_sub(1).map(|at| workspace(parents[at] % number));
        (workspace(number), parent)
    });
    let places = places.map(|(child, parent)| match parent {
        None => Placement::root(child),
        Some(parent) => Placement::under(child, parent),
    });
    Tree::build(OrgId::of_root(workspace(0)), places).expect("a tree")
}

proptest! {
    /// A reader searches a namespace if and only if it reads the memories in it; own memories of former teams are omitted.
    #[test]
    fn searched_namespaces_contain_what_the_reader_reads(parents in prop::collection::vec(0..8_usize, 0..8)) {
        let tree = tree(&parents);
        let all: Vec<WorkspaceId> = (0..=parents.len()).map(workspace).collect();
        for reader in &all {
            let reach = tree.reach(*reader).expect("live");
            let parent = tree.parent(*reader);
            let searched = searched_namespaces(&reach, parent).expect("few");
            let mut known = BTreeSet::new();
            for author in &all {
                let teams = [None, Some(*author)].into_iter().chain(tree.parent(*author).map(Some));
                let of_teams = teams.map(|team| (Scope::Team, team));
                for (scope, team) in [(Scope::Local, None), (Scope::Global, None)].into_iter().chain(of_teams) {
                    if scope == Scope::Global && *author != tree.root() {
                        continue;
                    }
                    let name = memory_namespace(*author, scope, team);
                    let is_readable = reach.parts().iter().any(|part| part.author() == *author && part.covers(scope, team));
                    prop_assert_eq!(searched.contains(&name), is_readable, "{} for {}", name, reader);
                    prop_assert!(known.insert(name), "each partition has a namespace of its own");
                }
            }
        }
    }

    /// No item or query on a closed surface, and no item without a kind or of an excluded one, has a route.
    #[test]
    fn closed_surfaces_and_excluded_kinds_have_no_route(
        channel in prop::option::of("(?i)(money|erp|catalog|aggregation|phone|pos| ?phone ?)"),
        kind in prop::option::of("(payment|delivery| )"),
        shadowed in prop::collection::btree_set("(money|erp|Money|pos|phone)", 0..5),
    ) {
        let providers = ["one", "two"].map(|name| ShadowedSurfaces { provider: name.to_owned(), surfaces: shadowed.clone() });
        let rules = ProviderRules::new(vec!["PoS".to_owned()], providers.to_vec());
        let routes = rules.item_routes(channel.as_deref(), kind.as_deref(), |kind| kind == "payment");
        let is_open = channel.as_deref() == Some("phone") && shadowed.contains("phone");
        prop_assert_eq!(rules.routes(channel.as_deref()).len(), if is_open { 2 } else { 0 });
        prop_assert_eq!(routes.len(), if is_open && kind.as_deref() == Some("delivery") { 2 } else { 0 });
        prop_assert!(routes.iter().all(|route| route.surface() == "phone"));
        let mixed = [channel.as_deref(), Some("phone"), Some("money")];
        prop_assert!(rules.page_routes(mixed).is_empty(), "a page of several channels stays");
        prop_assert_eq!(rules.page_routes([channel.as_deref(); 2]), rules.routes(channel.as_deref()));
    }

    /// A comparison is bounded, is full only for equal rankings, and equals the naive counts.
    #[test]
    fn comparison_equals_naive_counts(
        ours in prop::collection::vec(0..9_u8, 0..9),
        theirs in prop::collection::vec(0..9_u8, 0..9),
        k in 1..9_usize,
    ) {
        let first = |ids: &[u8], most: usize| {
            let mut seen = HashSet::new();
            ids.iter().copied().filter(|id| seen.insert(*id)).take(most).collect::<Vec<u8>>()
        };
        let (a, b) = (first(&ours, k), first(&theirs, k));
        let compared = compare(&ours, &theirs, k);
        let common = a.iter().filter(|id| b.contains(id)).count();
        let most = a.len().max(b.len());
        let overlap = if most == 0 { 1.0 } else { common as f64 / most as f64 };
        prop_assert!((compared.overlap - overlap).abs() < 1e-12);
        prop_assert_eq!(compared.misses, a.iter().filter(|id| !theirs.contains(id)).count());
        prop_assert!((0.0..=1.0).contains(&compared.rank_agreement));
        let is_full = compared.overlap >= 1.0 && compared.rank_agreement >= 1.0;
        prop_assert_eq!(is_full, a == b);
    }

    /// A promotion is permitted if and only if every figure reaches its threshold; nothing helps after a disqualification.
    #[test]
    fn promotion_needs_every_figure(
        calls in 0..100_i64, errors in 0..10_i64, samples in 0..100_i64,
        overlap in 0.0..1.0_f64, rank in 0.0..1.0_f64,
    ) {
        let thresholds = Thresholds { min_samples: 50, min_agreement: 0.5, max_error_rate: 0.05 };
        let sum = |mean: f64| mean * samples as f64;
        let figures = Figures {
            calls, errors, samples, overlap_sum: sum(overlap), rank_sum: sum(rank), ..Figures::default()
        };
        let is_good = samples >= 50
            && figures.overlap() >= 0.5
            && figures.rank_agreement() >= 0.5
            && (calls == 0 || errors as f64 / calls as f64 <= 0.05);
        prop_assert_eq!(check_promotion(SurfaceState::Shadow, &figures, &thresholds).is_ok(), is_good);
        let after = check_promotion(SurfaceState::Disqualified, &figures, &thresholds);
        prop_assert_eq!(after, Err(PromotionRefusal::Disqualified));
    }
}

#[test]
fn id_that_was_not_sent_into_a_searched_namespace_disqualifies() {
    for is_readable in [false, true] {
        assert_eq!(Verdict::of(IdFacts { is_in_searched: false, is_readable }), Verdict::Foreign);
    }
    assert_eq!(Verdict::of(IdFacts { is_in_searched: true, is_readable: false }), Verdict::Withheld);
    assert_eq!(Verdict::of(IdFacts { is_in_searched: true, is_readable: true }), Verdict::Shown);
}
