//! Walks up and down.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_model::generators::AnyHistory;
use proptest::prelude::*;
use uuid::Uuid;

use crate::check::both_after;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ancestors_and_depth_equal_the_path_to_the_root(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for id in oracle.everyone() {
            let tree = system.tree_of(id);
            let path: Vec<Uuid> = tree.ancestors(id.into()).map(|above| above.uuid()).collect();
            prop_assert_eq!(path, oracle.path(id));
            prop_assert_eq!(tree.depth(id.into()), oracle.depth(id));
        }
    }

    #[test]
    fn subtree_lists_descendants_with_depth_parents_first(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for id in oracle.everyone() {
            let tree = system.tree_of(id);
            let walked: Vec<(Uuid, usize)> = tree.subtree(id.into()).map(|(id, depth)| (id.uuid(), depth)).collect();
            let expected = oracle.subtree(id).into_iter().map(|below| (below, oracle.depth(below) - oracle.depth(id)));
            prop_assert_eq!(walked.iter().copied().collect::<BTreeMap<_, _>>(), expected.collect::<BTreeMap<_, _>>());
            prop_assert_eq!(tree.descendant_count(id.into()), walked.len().saturating_sub(1));
            let mut met = BTreeSet::new();
            for (below, _) in walked {
                prop_assert!(below == id || oracle.parent(below).is_some_and(|parent| met.contains(&parent)));
                prop_assert!(met.insert(below), "each once");
            }
        }
    }

    #[test]
    fn common_ancestor_is_the_lowest_above_both(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for one in oracle.everyone() {
            for other in oracle.everyone() {
                let tree = system.tree_of(one);
                let found = tree.common_ancestor(one.into(), other.into()).map(|id| id.uuid());
                prop_assert_eq!(found, oracle.common_ancestor(one, other));
                let within = oracle.subtree(other).contains(&one);
                prop_assert_eq!(tree.is_within(one.into(), other.into()), within);
            }
        }
    }

    #[test]
    fn children_and_siblings_equal_the_oracle(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for id in oracle.everyone() {
            let tree = system.tree_of(id);
            let children: BTreeSet<Uuid> = tree.children(id.into()).map(|child| child.uuid()).collect();
            prop_assert_eq!(&children, &oracle.children(id).into_iter().collect());
            prop_assert_eq!(tree.child_count(id.into()), children.len());
            let siblings: BTreeSet<Uuid> = tree.siblings(id.into()).map(|other| other.uuid()).collect();
            let of_parent = oracle.parent(id).map(|parent| oracle.children(parent)).unwrap_or_default();
            prop_assert_eq!(siblings, of_parent.into_iter().filter(|&other| other != id).collect());
        }
    }
}
