//! Walks are not recursive: they work on deep trees.

use orgmem_hierarchy::{Children, OrgId, Placement, Relation, Scope, Tree, TreeLimits, WorkspaceId};
use orgmem_model::generators::id;

const LEVELS: u64 = 100_000;

fn workspace(n: u64) -> WorkspaceId {
    id(n).into()
}

/// Two chains below the root: the odd and the even numbers, each below the number that is less by two.
fn two_chains() -> Vec<Placement> {
    let below = (2..=2 * LEVELS).map(|n| Placement::under(workspace(n), workspace(if n == 2 { 1 } else { n - 2 })));
    [Placement::root(workspace(1))].into_iter().chain(below).collect()
}

#[test]
fn chain_of_100_000_workspaces_fits_a_small_stack() {
    let small_stack = std::thread::Builder::new().stack_size(64 * 1024);
    small_stack.spawn(call_every_function).expect("a thread starts").join().expect("nothing overflows");
}

fn call_every_function() {
    let limits = TreeLimits { max_levels: 1_000_000, ..TreeLimits::default() };
    let mut tree = Tree::build(OrgId::of_root(workspace(1)), two_chains()).expect("two chains are a tree");
    let (root, odd_end, even_end) = (tree.root(), workspace(2 * LEVELS - 1), workspace(2 * LEVELS));

    assert_eq!(tree.depth(odd_end) as u64, LEVELS - 1);
    assert_eq!(tree.descendant_count(root) as u64, 2 * LEVELS - 1);
    assert_eq!(tree.common_ancestor(odd_end, even_end), Some(root));
    assert_eq!(tree.relation(odd_end, root), Some(Relation::Ancestor));
    assert_eq!(tree.relation(odd_end, even_end), Some(Relation::Distant));
    assert!(tree.read(odd_end, root, Scope::Global, None).is_ok());
    assert_eq!(tree.reach(odd_end).map(|reach| reach.parts().len()), Some(3));

    let join = tree.plan_move(workspace(2), odd_end, limits).expect("one chain may hang below the other");
    tree.apply(join.placements()).expect("still a tree");
    assert_eq!(tree.depth(even_end) as u64, 2 * LEVELS - 1);
    assert!(tree.plan_move(workspace(3), even_end, limits).is_err(), "that would be a cycle");

    let promoted = tree.plan_remove(workspace(3), Children::Promote).expect("its child is promoted");
    tree.apply(promoted.placements()).expect("still a tree");
    let cascade = tree.plan_remove(workspace(5), Children::Cascade).expect("its descendants are removed too");
    tree.clone().apply(cascade.placements()).expect("only the root remains");

    let mut cyclic = two_chains();
    cyclic[1] = Placement::under(workspace(2), even_end);
    let faults = Tree::build(tree.org(), cyclic).expect_err("the even ones form a cycle").faults;
    assert_eq!(faults.len() as u64, LEVELS);
}
