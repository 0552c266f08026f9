//! Exhaustive tests: every small forest and every change of it.

use orgmem_model::generators::every_forest;
use orgmem_model::oracle::{Children, Oracle, Step};

use crate::check::{apply_to_both, compare_reads_with_oracle};
use crate::system::System;

/// Each shape of forest occurs in every order of creation. Permuted ids would repeat the tests, because the rules
/// compare ids only for equality.
#[test]
fn reads_equal_the_oracle_after_every_change_of_every_forest_of_up_to_6_workspaces() {
    for steps in (1..=6).flat_map(every_forest) {
        let (system, oracle) = (System::after(&steps), Oracle::after(&steps));
        compare_reads_with_oracle(&system, &oracle);
        for change in every_change(&oracle) {
            let (mut system, mut oracle) = (system.clone(), oracle.clone());
            if apply_to_both(&mut system, &mut oracle, &change) {
                compare_reads_with_oracle(&system, &oracle);
            }
        }
    }
}

/// Every move, also onto itself and into other trees, and every kind of removal.
fn every_change(oracle: &Oracle) -> Vec<Step> {
    let live = oracle.live();
    let moves = live.iter().flat_map(|&id| live.iter().map(move |&to| Step::Move { id, to }));
    let ways = [Children::Refuse, Children::Promote, Children::Cascade];
    let removals = live.iter().flat_map(|&id| ways.map(|children| Step::Remove { id, children }));
    moves.chain(removals).collect()
}
