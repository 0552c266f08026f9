//! Reading after random histories.

use orgmem_hierarchy::Relation;
use orgmem_model::generators::{AnyHistory, AnyOrgs, Seeded};
use orgmem_model::oracle::Oracle;
use proptest::prelude::*;

use crate::check::{apply_to_both, both_after, compare_reads_with_oracle, every_sharing};
use crate::system::{System, to_scope};

#[test]
fn reads_equal_the_oracle_in_500_workspaces_after_500_steps() {
    let mut seeded = Seeded::new(500);
    let (mut system, mut oracle) = both_after(&seeded.org(500));
    for _ in 0..500 {
        let step = seeded.step(&oracle);
        apply_to_both(&mut system, &mut oracle, &step);
    }
    for memory in oracle.memories() {
        for reader in oracle.everyone() {
            let granted = system.can_read(reader, memory.author, memory.scope, memory.team);
            assert_eq!(granted, oracle.can_read_memory(reader, memory), "{reader} reads {memory:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn predicate_reach_and_audience_equal_the_oracle(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        compare_reads_with_oracle(&system, &oracle);
    }

    #[test]
    fn via_equals_the_oracle(orgs: AnyOrgs) {
        let (system, oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        for (scope, team) in every_sharing(&oracle) {
            for reader in oracle.live() {
                let tree = system.tree_of(reader);
                for author in oracle.live() {
                    let grant = tree.read(reader.into(), author.into(), to_scope(scope), team.map(Into::into));
                    let expected = oracle.via(reader, author, scope, team);
                    prop_assert_eq!(grant.ok().map(|grant| grant.via.as_str()), expected.map(|via| via.as_str()));
                }
            }
        }
    }

    #[test]
    fn no_read_crosses_trees(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for (scope, team) in every_sharing(&oracle) {
            for &root in &oracle.roots() {
                for reader in oracle.subtree(root) {
                    let strangers = oracle.live().into_iter().filter(|&author| oracle.root(author) != Some(root));
                    for author in strangers {
                        prop_assert!(!system.can_read(reader, author, scope, team));
                    }
                }
            }
        }
    }

    #[test]
    fn access_check_permits_every_relation_except_distant(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for caller in oracle.everyone() {
            for target in oracle.everyone() {
                let relation = system.tree_of(caller).relation(caller.into(), target.into());
                let allowed = relation.is_some_and(|relation| relation != Relation::Distant);
                prop_assert_eq!(allowed, oracle.check_access(caller, target), "{} to {}", caller, target);
            }
        }
    }

    #[test]
    fn relation_equals_the_naive_definition(orgs: AnyOrgs) {
        let (system, oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        for reader in oracle.live() {
            for author in oracle.live() {
                let (up, down) = (oracle.parent(reader), oracle.parent(author));
                let expected = match () {
                    () if !oracle.same_tree(reader, author) => None,
                    () if reader == author => Some(Relation::Itself),
                    () if up == Some(author) => Some(Relation::Parent),
                    () if down == Some(reader) => Some(Relation::Child),
                    () if up == down => Some(Relation::Sibling),
                    () if oracle.is_below(reader, author) => Some(Relation::Ancestor),
                    () if oracle.is_below(author, reader) => Some(Relation::Descendant),
                    () => Some(Relation::Distant),
                };
                prop_assert_eq!(system.tree_of(reader).relation(reader.into(), author.into()), expected);
            }
        }
    }
}
