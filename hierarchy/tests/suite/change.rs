//! Changes: allowed when the oracle allows them, applied as if the tree had been built afresh.

use std::collections::BTreeSet;

use orgmem_hierarchy::{ChangeRefusal, Placement, Tree, WorkspaceId};
use orgmem_model::generators::{AnyHistory, AnyMove, AnyOrgs, Seeded};
use orgmem_model::oracle::{Oracle, Scope, Step};
use orgmem_model::orgs::draw;
use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use crate::check::{both_after, both_take, every_sharing, same};
use crate::system::{No, System, rows_of};

#[test]
fn a_move_takes_its_memories_along() {
    let drawn = draw(
        "
        acme
          dev
            bot-1
            bot-2
              helper
          ops
            guard
    ",
    );
    let mut system = System::after(drawn.steps());
    let readers = |system: &System, author, team: Option<&str>| {
        let team = team.map(|name| drawn.id(name));
        let reads = |reader: &Uuid| system.can_read(*reader, drawn.id(author), Scope::Team, team);
        let readers = drawn.oracle().live().into_iter().filter(reads);
        readers.map(|reader| drawn.name(reader)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(readers(&system, "bot-2", None), "dev bot-1 bot-2 helper");
    assert_eq!(readers(&system, "bot-2", Some("dev")), "dev bot-1 bot-2");

    system.apply(&Step::Move { id: drawn.id("bot-2"), to: drawn.id("ops") }).expect("it may move");
    assert_eq!(readers(&system, "bot-2", None), "bot-2 helper ops guard");
    assert_eq!(readers(&system, "bot-2", Some("dev")), "bot-2", "its former team lost it, its new one does not get it");
    assert_eq!(readers(&system, "bot-2", Some("bot-2")), "bot-2 helper", "the team it leads moved with it");

    system.apply(&Step::Move { id: drawn.id("bot-2"), to: drawn.id("dev") }).expect("it may move back");
    assert_eq!(readers(&system, "bot-2", Some("dev")), "dev bot-1 bot-2", "it is in that team again");
}

#[test]
fn a_root_that_is_asked_to_move_is_told_that_it_stays() {
    let drawn = draw("acme\n  dev");
    let mut system = System::after(drawn.steps());
    let (acme, dev) = (drawn.id("acme"), drawn.id("dev"));
    let refused = system.apply(&Step::Move { id: acme, to: dev });
    assert_eq!(refused, Err(No::Change(ChangeRefusal::RootStays(acme.into()))), "and not that it would make a cycle");
}

proptest! {
    #[test]
    fn a_step_is_refused_exactly_when_the_oracle_objects_and_for_one_of_its_reasons(history: AnyHistory) {
        both_after(&history.steps());
    }

    #[test]
    fn moves_never_make_a_cycle_and_never_leave_the_tree(orgs: AnyOrgs, moves in vec(any::<AnyMove>(), 1..30)) {
        let (mut system, mut oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        let inhabitants = |system: &System| -> Vec<(WorkspaceId, BTreeSet<WorkspaceId>)> {
            system.trees.iter().map(|tree| (tree.root(), tree.workspaces().collect())).collect()
        };
        let before = inhabitants(&system);
        for step in moves {
            let step = step.within(&oracle).expect("someone is live");
            both_take(&mut system, &mut oracle, &step);
        }
        prop_assert_eq!(before, inhabitants(&system));
        for tree in &system.trees {
            for id in tree.workspaces() {
                let top = tree.ancestors(id).take(tree.len()).last().unwrap_or(id);
                prop_assert_eq!(top, tree.root(), "going up from {} ends at the root", id);
            }
        }
    }

    #[test]
    fn a_move_changes_nothing_between_two_who_both_moved_or_both_stayed(orgs: AnyOrgs, moved: AnyMove) {
        let (mut system, mut oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        let before = system.clone();
        let step = moved.within(&oracle).expect("someone is live");
        let Step::Move { id, .. } = step else { unreachable!("AnyMove makes moves") };
        both_take(&mut system, &mut oracle, &step);
        let travellers = oracle.subtree(id);
        for (scope, team) in every_sharing(&oracle) {
            for reader in oracle.live() {
                let together = |author: &Uuid| travellers.contains(&reader) == travellers.contains(author);
                for author in oracle.live().into_iter().filter(together) {
                    prop_assert_eq!(
                        before.can_read(reader, author, scope, team),
                        system.can_read(reader, author, scope, team)
                    );
                }
            }
        }
    }

    #[test]
    fn moving_to_where_it_is_changes_nothing(orgs: AnyOrgs) {
        let (system, oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        for id in oracle.live() {
            let Some(to) = oracle.parent(id) else { continue };
            let mut after = system.clone();
            prop_assert_eq!(after.apply(&Step::Move { id, to }), Ok(()));
            same(after.tree_of(id), system.tree_of(id));
        }
    }

    #[test]
    fn a_tree_kept_by_changes_equals_one_built_afresh(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for tree in &system.trees {
            let afresh = Tree::build(tree.org(), rows_of(&oracle, tree.root())).expect("the oracle has trees");
            same(tree, &afresh);
        }
    }

    #[test]
    fn the_rows_of_many_changes_apply_at_once_and_in_any_order(history: AnyHistory, order: u64) {
        let (mut system, mut oracle) = (System::default(), Oracle::default());
        let mut behind: Vec<Tree> = Vec::new();
        for step in history.steps() {
            both_take(&mut system, &mut oracle, &step);
            // a cache that saw each org when it was new, and nothing since
            behind.extend(system.trees.iter().skip(behind.len()).cloned().collect::<Vec<_>>());
        }
        let mut seeded = Seeded::new(order);
        for (old, new) in behind.iter_mut().zip(&system.trees) {
            let gone = |id: &Uuid| !oracle.is_live(*id);
            let removed = oracle.everyone().into_iter().filter(gone).map(|id| Placement::removed(id.into()));
            let mut rows: Vec<Placement> = rows_of(&oracle, new.root()).into_iter().chain(removed).collect();
            rows.sort_by_cached_key(|_| seeded.id());
            old.apply(&rows).expect("they are the rows of a tree");
            same(old, new);
        }
    }

    #[test]
    fn changes_one_after_another_are_one_batch_in_which_the_last_row_counts(history: AnyHistory) {
        let (mut system, mut oracle) = (System::default(), Oracle::default());
        let mut batches: Vec<(Tree, Vec<Placement>)> = Vec::new();
        for step in history.steps() {
            let (change, place) = (system.plan(&step), system.place_of(&step));
            if both_take(&mut system, &mut oracle, &step)
                && let (Ok(Some(change)), Some(place)) = (change, place)
            {
                batches[place].1.extend(change.placements());
            }
            batches.extend(system.trees.iter().skip(batches.len()).map(|tree| (tree.clone(), Vec::new())).collect::<Vec<_>>());
        }
        for ((mut tree, batch), now) in batches.into_iter().zip(&system.trees) {
            tree.apply(&batch).expect("each of the changes was planned");
            same(&tree, now);
        }
    }
}
