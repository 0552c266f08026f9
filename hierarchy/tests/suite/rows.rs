//! Invalid rows are reported with all faults.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use orgmem_hierarchy::{OrgId, Placement, Tree, TreeFault, WorkspaceId};
use orgmem_model::generators::{AnyOrg, id};
use orgmem_model::oracle::Oracle;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::check::same;
use crate::system::rows_of;

fn workspace(n: u64) -> WorkspaceId {
    id(n).into()
}

/// Arbitrary rows of workspaces 1 to 8.
fn any_row() -> impl Strategy<Value = Placement> {
    let parent = prop::option::weighted(0.9, 1_u64..=8);
    (1_u64..=8, parent, prop::bool::weighted(0.9)).prop_map(|(n, parent, live)| {
        if live {
            Placement { id: workspace(n), parent: parent.map(workspace), live }
        } else {
            Placement::removed(workspace(n))
        }
    })
}

/// The faults of the rows of the org of `root`, one rule at a time.
fn naive_faults(root: WorkspaceId, rows: &[Placement]) -> Vec<TreeFault> {
    let mut faults = Vec::new();
    let mut parents: BTreeMap<WorkspaceId, Option<WorkspaceId>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.live) {
        match parents.entry(row.id) {
            Entry::Occupied(_) => faults.push(TreeFault::DuplicateId(row.id)),
            Entry::Vacant(free) => drop(free.insert(row.parent)),
        }
    }
    for (&id, &parent) in &parents {
        match parent {
            None if id != root => faults.push(TreeFault::SecondRoot(id)),
            Some(_) if id == root => faults.push(TreeFault::RootHasParent(id)),
            Some(parent) if !parents.contains_key(&parent) => faults.push(TreeFault::NoParent { id, parent }),
            _ => {}
        }
    }
    // the root has no ancestor, whatever its row contains
    parents.insert(root, None);
    let up = |id: &WorkspaceId| parents.get(id).copied().flatten();
    for &id in parents.keys() {
        let way = std::iter::successors(up(&id), up).take(parents.len());
        if way.into_iter().any(|above| above == id) {
            faults.push(TreeFault::Cycle(id));
        }
    }
    faults
}

fn sorted(faults: Vec<TreeFault>) -> Vec<String> {
    let mut sentences: Vec<String> = faults.iter().map(TreeFault::to_string).collect();
    sentences.sort();
    sentences
}

proptest! {
    #[test]
    fn build_reports_every_fault(rows in vec(any_row(), 0..12)) {
        let root = workspace(1);
        let expected = naive_faults(root, &rows);
        let built = Tree::build(OrgId::of_root(root), rows);
        let faults = built.err().map(|faults| faults.faults).unwrap_or_default();
        prop_assert_eq!(sorted(faults), sorted(expected));
    }

    #[test]
    fn rows_build_a_tree_in_any_order(org: AnyOrg, order: u64) {
        let oracle = Oracle::after(&org.0);
        let root = WorkspaceId::from(oracle.roots()[0]);
        let rows = rows_of(&oracle, root);
        let mut shuffled = rows.clone();
        let mut seeded = orgmem_model::generators::Seeded::new(order);
        shuffled.sort_by_cached_key(|_| seeded.id());
        let build = |rows| Tree::build(OrgId::of_root(root), rows).expect("it is a tree");
        same(&build(rows), &build(shuffled));
    }

    #[test]
    fn apply_reports_the_faults_of_a_build(org: AnyOrg, batch in vec(any_row(), 0..6)) {
        let oracle = Oracle::after(&org.0);
        let root = WorkspaceId::from(oracle.roots()[0]);
        let before = rows_of(&oracle, root);
        let latest: BTreeMap<_, _> = before.iter().chain(&batch).map(|row| (row.id, *row)).collect();
        let rebuilt = Tree::build(OrgId::of_root(root), latest.into_values());
        let mut applied = Tree::build(OrgId::of_root(root), before).expect("it is a tree");
        match (applied.apply(&batch), rebuilt) {
            (Ok(()), Ok(rebuilt)) => same(&applied, &rebuilt),
            (Err(got), Err(expected)) => {
                prop_assert_eq!(sorted(got.faults), sorted(expected.faults));
            }
            (got, rebuilt) => prop_assert!(false, "applied: {:?}; rebuilt: {:?}", got, rebuilt),
        }
    }
}

#[test]
fn faults_read_as_one_sentence() {
    let rows =
        [Placement::root(workspace(1)), Placement::root(workspace(2)), Placement::under(workspace(3), workspace(9))];
    let faults = Tree::build(OrgId::of_root(workspace(1)), rows).expect_err("two faults");
    assert_eq!(
        faults.to_string(),
        "the rows of org 00000000-0000-4000-8000-000000000001 are not a tree; \
         workspace 00000000-0000-4000-8000-000000000002 has no parent and is not the root; \
         the parent 00000000-0000-4000-8000-000000000009 of workspace 00000000-0000-4000-8000-000000000003 \
         is not live in this org"
    );
}
