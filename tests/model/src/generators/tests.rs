//! Every kind of step and objection is generated.

use std::collections::BTreeSet;
use std::mem::discriminant;

use proptest::prelude::*;

use super::{AnyHistory, Seeded, Shape, every_forest};
use crate::oracle::{Children, Objection, Oracle, Scope, Step};

/// A forest without names: the sorted children of each root, as brackets.
fn shape(oracle: &Oracle) -> String {
    fn below(oracle: &Oracle, ids: Vec<uuid::Uuid>) -> String {
        let mut shapes: Vec<String> = ids.into_iter().map(|id| below(oracle, oracle.children(id))).collect();
        shapes.sort();
        format!("({})", shapes.concat())
    }
    below(oracle, oracle.roots())
}

#[test]
fn every_shape_of_a_small_forest_is_generated() {
    // number of forests of unlabelled rooted trees: https://oeis.org/A000081, shifted by one
    for (size, shapes) in [(1, 1), (2, 2), (3, 4), (4, 9), (5, 20), (6, 48)] {
        let met: BTreeSet<String> = every_forest(size).map(|steps| shape(&Oracle::after(&steps))).collect();
        assert_eq!(met.len(), shapes, "of {size} workspaces");
    }
}

#[test]
fn equal_seeds_give_equal_steps_and_others_other_ids() {
    let org = |seed| Seeded::new(seed).org(10);
    assert_eq!(org(1), org(1));
    assert!(org(1).iter().all(|step| !org(2).contains(step)));
}

#[test]
fn an_org_of_any_shape_has_its_size_and_64_levels_at_most() {
    for shape in [Shape::Bushy, Shape::Deep, Shape::Wide] {
        let oracle = Oracle::after(&Seeded::new(1).org_shaped(shape, 200));
        assert_eq!((oracle.live().len(), oracle.roots().len()), (200, 1));
        assert!(oracle.live().into_iter().all(|id| oracle.depth(id) < 64));
    }
}

#[test]
fn long_history_contains_every_kind_of_step_and_objection() {
    let mut seeded = Seeded::new(3);
    let mut oracle = Oracle::after(&seeded.org_shaped(Shape::Wide, 12));
    (oracle.max_levels, oracle.max_workspaces) = (6, 20);
    let (mut done, mut objections) = (Vec::new(), Vec::new());
    for _ in 0..5_000 {
        let step = seeded.step(&oracle);
        match oracle.apply(&step) {
            Ok(()) => done.push(step),
            Err(against) => objections.extend(against),
        }
    }
    let met = |kind: Objection| objections.iter().any(|other| discriminant(other) == discriminant(&kind));
    let someone = super::id(1);
    use Objection as No;
    for kind in [
        No::NotLive(someone),
        No::ParentNotLive(someone),
        No::IdTaken(someone),
        No::UnderItself,
        No::Cycle,
        No::OtherTree,
        No::RootStays,
        No::TooDeep(0),
        No::Full,
        No::HasChildren(0),
        No::NothingAboveRoot,
        No::OnlyRootWritesGlobal,
        No::TeamNeedsTeamScope,
        No::TeamNotOwn,
    ] {
        assert!(met(kind), "{kind:?} is never met");
    }
    for children in [Children::Refuse, Children::Promote, Children::Cascade] {
        assert!(
            done.iter().any(|step| matches!(step, Step::Remove { children: treatment, .. } if *treatment == children))
        );
    }
    for scope in Scope::ALL {
        assert!(done.iter().any(|step| matches!(step, Step::Commit(memory) if memory.scope == scope)));
    }
}

proptest! {
    #[test]
    fn end_of_a_history_equals_applying_its_steps(history: AnyHistory) {
        let mut oracle = Oracle::default();
        for step in history.steps() {
            let _ = oracle.apply(&step);
        }
        prop_assert_eq!(oracle.to_string(), history.oracle().to_string());
    }
}
