//! Not random but all of it: every small forest and every change to it.

use orgmem_model::generators::every_forest;
use orgmem_model::oracle::{Children, Oracle, Step};

use crate::check::{both_take, everyone_reads_what_the_oracle_says};
use crate::system::System;

/// Each shape of forest is met in every order in which its workspaces can be created. Other names for the same
/// workspaces would ask the same again: no rule looks at an id but to tell whether two are equal.
#[test]
fn after_every_change_to_every_forest_of_up_to_6_workspaces_everyone_reads_what_the_oracle_says() {
    for steps in (1..=6).flat_map(every_forest) {
        let (system, oracle) = (System::after(&steps), Oracle::after(&steps));
        everyone_reads_what_the_oracle_says(&system, &oracle);
        for change in every_change(&oracle) {
            let (mut system, mut oracle) = (system.clone(), oracle.clone());
            if both_take(&mut system, &mut oracle, &change) {
                everyone_reads_what_the_oracle_says(&system, &oracle);
            }
        }
    }
}

/// Each workspace moved under each, itself and those of other trees included; each removed in each way.
fn every_change(oracle: &Oracle) -> Vec<Step> {
    let live = oracle.live();
    let moves = live.iter().flat_map(|&id| live.iter().map(move |&to| Step::Move { id, to }));
    let ways = [Children::Refuse, Children::Promote, Children::Cascade];
    let removals = live.iter().flat_map(|&id| ways.map(|children| Step::Remove { id, children }));
    moves.chain(removals).collect()
}
