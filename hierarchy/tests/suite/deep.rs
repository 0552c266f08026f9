//! Nothing walks a tree recursively.

use orgmem_hierarchy::{Children, OrgId, Placement, Relation, Scope, Tree, TreeLimits, WorkspaceId};
use orgmem_model::generators::id;

const LEVELS: u64 = 100_000;

fn workspace(n: u64) -> WorkspaceId {
    id(n).into()
}

/// Two chains below the root: of the odd numbers and of the even ones, each below the number that is less by two.
fn two_chains() -> Vec<Placement> {
    let below = (2..=2 * LEVELS).map(|n| Placement::under(workspace(n), workspace(if n == 2 { 1 } else { n - 2 })));
    [Placement::root(workspace(1))].into_iter().chain(below).collect()
}

#[test]
fn a_chain_of_100_000_workspaces_needs_no_more_stack_than_a_short_one() {
    let small_stack = std::thread::Builder::new().stack_size(64 * 1024);
    small_stack.spawn(ask_everything).expect("a thread starts").join().expect("nothing overflows");
}

fn ask_everything() {
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
    tree.apply(join.placements()).expect("it is a tree still");
    assert_eq!(tree.depth(even_end) as u64, 2 * LEVELS - 1);
    assert!(tree.plan_move(workspace(3), even_end, limits).is_err(), "that would be a cycle");

    let promoted = tree.plan_remove(workspace(3), Children::Promote).expect("its child moves up");
    tree.apply(promoted.placements()).expect("it is a tree still");
    let cascade = tree.plan_remove(workspace(5), Children::Cascade).expect("all below it goes too");
    tree.clone().apply(cascade.placements()).expect("the root is left");

    let mut ring = two_chains();
    ring[1] = Placement::under(workspace(2), even_end);
    let faults = Tree::build(tree.org(), ring).expect_err("the even ones are in a ring").faults;
    assert_eq!(faults.len() as u64, LEVELS);
}
