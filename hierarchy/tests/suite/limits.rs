//! Limits of depth and size.

use orgmem_hierarchy::{ChangeRefusal, OrgId, Placement, Tree, TreeLimits, WorkspaceId};
use orgmem_model::generators::id;

fn workspace(n: u64) -> WorkspaceId {
    id(n).into()
}

/// Workspaces 1 to `levels` in a chain.
fn chain(levels: u64) -> Tree {
    let below = (2..=levels).map(|n| Placement::under(workspace(n), workspace(n - 1)));
    Tree::build(OrgId::of_root(workspace(1)), [Placement::root(workspace(1))].into_iter().chain(below))
        .expect("a chain is a tree")
}

fn with_child(mut tree: Tree, id: u64, parent: u64) -> Tree {
    tree.apply(&[Placement::under(workspace(id), workspace(parent))]).expect("still a tree");
    tree
}

#[test]
fn tree_is_limited_to_64_levels() {
    let tree = chain(63);
    let limits = TreeLimits::default();
    assert!(tree.plan_create(workspace(64), workspace(63), limits).is_ok());
    let full = with_child(tree, 64, 63);
    let refused = full.plan_create(workspace(65), workspace(64), limits);
    assert_eq!(refused, Err(ChangeRefusal::TooDeep { levels: 65, limit: 64 }));
}

#[test]
fn depth_limit_of_a_move_includes_its_subtree() {
    // 1 2 3 4 5 6 in a chain; 10 and 11 in another, below the root
    let tree = with_child(with_child(chain(6), 10, 1), 11, 10);
    let at_most = |max_levels| TreeLimits { max_levels, ..TreeLimits::default() };
    let moved = |to, max_levels| tree.plan_move(workspace(10), workspace(to), at_most(max_levels));
    assert!(moved(4, 6).is_ok(), "levels 5 and 6");
    assert_eq!(moved(5, 6), Err(ChangeRefusal::TooDeep { levels: 7, limit: 6 }));
    assert!(moved(5, 7).is_ok());
    assert!(tree.plan_move(workspace(11), workspace(5), at_most(6)).is_ok(), "without its parent it fits");
}

#[test]
fn tree_beyond_the_depth_limit_can_be_flattened() {
    let tree = chain(10);
    let limits = TreeLimits { max_levels: 5, ..TreeLimits::default() };
    assert!(tree.plan_move(workspace(4), workspace(2), limits).is_ok());
    assert!(tree.plan_create(workspace(99), workspace(4), limits).is_ok());
    assert!(tree.plan_create(workspace(99), workspace(5), limits).is_err());
}

#[test]
fn size_limit_applies_until_a_removal() {
    let mut tree = chain(5);
    let limits = TreeLimits { max_workspaces: 5, ..TreeLimits::default() };
    let create = |tree: &Tree| tree.plan_create(workspace(99), workspace(1), limits);
    assert_eq!(create(&tree), Err(ChangeRefusal::TooLarge { limit: 5 }));
    assert!(tree.plan_move(workspace(5), workspace(1), limits).is_ok(), "a move adds no workspace");
    tree.apply(&[Placement::removed(workspace(5))]).expect("still a tree");
    assert!(create(&tree).is_ok());
}
