//! Changes: the tree allows the same ones as the oracle, and applying one equals rebuilding.

use std::collections::BTreeSet;

use orgmem_hierarchy::{ChangeRefusal, Placement, Tree, WorkspaceId};
use orgmem_model::generators::{AnyHistory, AnyMove, AnyOrgs, Seeded};
use orgmem_model::oracle::{Oracle, Scope, Step};
use orgmem_model::orgs::draw;
use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use crate::check::{apply_to_both, both_after, every_sharing, same};
use crate::system::{StepRefusal, System, rows_of};

#[test]
fn moved_workspace_keeps_its_memories() {
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
    assert_eq!(
        readers(&system, "bot-2", Some("dev")),
        "bot-2",
        "bound memories leave the former team and do not join the new one"
    );
    assert_eq!(readers(&system, "bot-2", Some("bot-2")), "bot-2 helper", "the team that it leads moves along");

    system.apply(&Step::Move { id: drawn.id("bot-2"), to: drawn.id("dev") }).expect("it may move back");
    assert_eq!(readers(&system, "bot-2", Some("dev")), "dev bot-1 bot-2", "it is back in that team");
}

#[test]
fn root_move_is_refused_as_root_not_as_cycle() {
    let drawn = draw("acme\n  dev");
    let mut system = System::after(drawn.steps());
    let (acme, dev) = (drawn.id("acme"), drawn.id("dev"));
    let refused = system.apply(&Step::Move { id: acme, to: dev });
    assert_eq!(refused, Err(StepRefusal::Change(ChangeRefusal::RootStays(acme.into()))), "not a cycle");
}

proptest! {
    #[test]
    fn step_is_refused_exactly_when_the_oracle_objects(history: AnyHistory) {
        both_after(&history.steps());
    }

    #[test]
    fn moves_never_create_a_cycle_or_leave_the_tree(orgs: AnyOrgs, moves in vec(any::<AnyMove>(), 1..30)) {
        let (mut system, mut oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        let workspaces_by_root = |system: &System| -> Vec<(WorkspaceId, BTreeSet<WorkspaceId>)> {
            system.trees.iter().map(|tree| (tree.root(), tree.workspaces().collect())).collect()
        };
        let before = workspaces_by_root(&system);
        for step in moves {
            let step = step.within(&oracle).expect("someone is live");
            apply_to_both(&mut system, &mut oracle, &step);
        }
        prop_assert_eq!(before, workspaces_by_root(&system));
        for tree in &system.trees {
            for id in tree.workspaces() {
                let top = tree.ancestors(id).take(tree.len()).last().unwrap_or(id);
                prop_assert_eq!(top, tree.root(), "going up from {} ends at the root", id);
            }
        }
    }

    #[test]
    fn move_preserves_reads_within_and_outside_the_moved_subtree(orgs: AnyOrgs, moved: AnyMove) {
        let (mut system, mut oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        let before = system.clone();
        let step = moved.within(&oracle).expect("someone is live");
        let Step::Move { id, .. } = step else { unreachable!("AnyMove makes moves") };
        apply_to_both(&mut system, &mut oracle, &step);
        let moved_subtree = oracle.subtree(id);
        for (scope, team) in every_sharing(&oracle) {
            for reader in oracle.live() {
                let together = |author: &Uuid| moved_subtree.contains(&reader) == moved_subtree.contains(author);
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
    fn move_to_the_current_parent_changes_nothing(orgs: AnyOrgs) {
        let (system, oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        for id in oracle.live() {
            let Some(to) = oracle.parent(id) else { continue };
            let mut after = system.clone();
            prop_assert_eq!(after.apply(&Step::Move { id, to }), Ok(()));
            same(after.tree_of(id), system.tree_of(id));
        }
    }

    #[test]
    fn changed_tree_equals_a_rebuilt_one(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for tree in &system.trees {
            let rebuilt = Tree::build(tree.org(), rows_of(&oracle, tree.root())).expect("the oracle has trees");
            same(tree, &rebuilt);
        }
    }

    #[test]
    fn rows_of_many_changes_apply_at_once_in_any_order(history: AnyHistory, order: u64) {
        let (mut system, mut oracle) = (System::default(), Oracle::default());
        let mut stale: Vec<Tree> = Vec::new();
        for step in history.steps() {
            apply_to_both(&mut system, &mut oracle, &step);
            // a cache that read each new org once and was never updated
            stale.extend(system.trees.iter().skip(stale.len()).cloned().collect::<Vec<_>>());
        }
        let mut seeded = Seeded::new(order);
        for (old, new) in stale.iter_mut().zip(&system.trees) {
            let gone = |id: &Uuid| !oracle.is_live(*id);
            let removed = oracle.everyone().into_iter().filter(gone).map(|id| Placement::removed(id.into()));
            let mut rows: Vec<Placement> = rows_of(&oracle, new.root()).into_iter().chain(removed).collect();
            rows.sort_by_cached_key(|_| seeded.id());
            old.apply(&rows).expect("they are the rows of a tree");
            same(old, new);
        }
    }

    #[test]
    fn batch_of_changes_applies_the_last_row_of_a_workspace(history: AnyHistory) {
        let (mut system, mut oracle) = (System::default(), Oracle::default());
        let mut batches: Vec<(Tree, Vec<Placement>)> = Vec::new();
        for step in history.steps() {
            let (change, place) = (system.plan(&step), system.tree_index(&step));
            if apply_to_both(&mut system, &mut oracle, &step)
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
