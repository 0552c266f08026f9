//! Comparisons shared by several tests.

use std::collections::BTreeSet;

use orgmem_hierarchy::{Audience, Reach, Tree, WorkspaceId};
use orgmem_model::oracle::{Oracle, Scope, Step};
use uuid::Uuid;

use crate::system::{System, is_among, reuses_an_id, to_scope};

/// All scopes, and TEAM bound to each workspace that ever existed.
pub(crate) fn every_sharing(oracle: &Oracle) -> Vec<(Scope, Option<Uuid>)> {
    let bound = oracle.everyone().into_iter().map(|lead| (Scope::Team, Some(lead)));
    Scope::ALL.into_iter().map(|scope| (scope, None)).chain(bound).collect()
}

/// Compares predicate, reach and audience with the oracle for every pair of workspaces and every sharing.
pub(crate) fn compare_reads_with_oracle(system: &System, oracle: &Oracle) {
    let readers: Vec<(Uuid, &Tree)> = oracle.everyone().into_iter().map(|id| (id, system.tree_of(id))).collect();
    let reaches = readers.iter().filter_map(|(reader, tree)| tree.reach((*reader).into()));
    let reaches: Vec<Reach> = reaches.collect();
    for (scope, team) in every_sharing(oracle) {
        for &(author, tree) in &readers {
            let expected = oracle.audience(author, scope, team);
            let sharing = || format!("{scope} {team:?} by {author}, in\n{oracle}");
            let (named, bound_to) = (to_scope(scope), team.map(Into::into));
            let may =
                readers.iter().filter(|(id, tree)| tree.read((*id).into(), author.into(), named, bound_to).is_ok());
            assert_eq!(may.map(|(id, _)| *id).collect::<Vec<_>>(), expected, "who may read {}", sharing());
            assert_eq!(audience(tree, author, scope, team), expected, "the audience of {}", sharing());
            // a reach contains the possible GLOBAL memories: those of a root
            if scope != Scope::Global || oracle.can_write(author, scope, None) {
                let reached = reaches.iter().filter(|reach| covers(reach, author, scope, team)).map(reader);
                assert_eq!(reached.collect::<Vec<_>>(), expected, "who has in reach {}", sharing());
                compare_subtree_reaches(oracle, &readers, (author, scope, team), &expected);
            }
        }
    }
}

/// The reach of a subtree contains exactly what some workspace of it reads.
fn compare_subtree_reaches(
    oracle: &Oracle,
    tops: &[(Uuid, &Tree)],
    (author, scope, team): (Uuid, Scope, Option<Uuid>),
    readers: &[Uuid],
) {
    for (top, tree) in tops {
        let subtree = oracle.subtree(*top);
        let expected = subtree.iter().any(|reader| readers.contains(reader));
        let reached = tree.subtree_reach((*top).into()).is_some_and(|reach| covers(&reach, author, scope, team));
        assert_eq!(reached, expected, "{scope} {team:?} by {author} in the subtree of {top}, in\n{oracle}");
    }
}

fn reader(reach: &Reach) -> Uuid {
    reach.reader().uuid()
}

fn covers(reach: &Reach, author: Uuid, scope: Scope, team: Option<Uuid>) -> bool {
    let (author, scope, team) = (author.into(), to_scope(scope), team.map(Into::into));
    let covering = reach.parts().iter().filter(|part| part.author() == author && part.covers(scope, team)).count();
    assert!(covering <= 1, "{:?} has {scope} {team:?} by {author} in reach in {covering} ways", reach.reader());
    covering == 1
}

/// Sorted by id, with duplicates.
fn audience(tree: &Tree, author: Uuid, scope: Scope, team: Option<Uuid>) -> Vec<Uuid> {
    let audience = tree.audience(author.into(), to_scope(scope), team.map(Into::into));
    let mut readers: Vec<Uuid> = match audience {
        None => Vec::new(),
        Some(Audience::WholeOrg) => tree.workspaces().map(WorkspaceId::uuid).collect(),
        Some(Audience::These(these)) => these.into_iter().map(WorkspaceId::uuid).collect(),
    };
    readers.sort();
    readers
}

/// Applies one step to both. Both must allow or refuse it, and the oracle must have the same refusal.
///
/// Returns whether it was applied.
pub(crate) fn apply_to_both(system: &mut System, oracle: &mut Oracle, step: &Step) -> bool {
    if reuses_an_id(step, oracle) {
        return false;
    }
    match (oracle.apply(step), system.apply(step)) {
        (Ok(()), Ok(())) => true,
        (Err(objections), Err(no)) => {
            assert!(is_among(&no, &objections), "{step:?} is refused with {no:?}; the objections are {objections:?}");
            false
        }
        (expected, got) => panic!("{step:?}: the oracle says {expected:?}, the tree {got:?}"),
    }
}

/// Both after the steps that are possible.
pub(crate) fn both_after(steps: &[Step]) -> (System, Oracle) {
    let (mut system, mut oracle) = (System::default(), Oracle::default());
    for step in steps {
        apply_to_both(&mut system, &mut oracle, step);
    }
    (system, oracle)
}

/// The two trees have equal workspaces and parents.
pub(crate) fn same(one: &Tree, other: &Tree) {
    let ids = |tree: &Tree| tree.workspaces().collect::<BTreeSet<_>>();
    let children = |tree: &Tree, id| tree.children(id).collect::<BTreeSet<_>>();
    assert_eq!((one.org(), one.len(), ids(one)), (other.org(), other.len(), ids(other)));
    for id in ids(one) {
        assert!(one.contains(id) && other.contains(id), "{id}");
        assert_eq!(one.parent(id), other.parent(id), "the parent of {id}");
        assert_eq!(children(one, id), children(other, id), "the children of {id}");
        assert_eq!(one.child_count(id), other.child_count(id), "children of {id}, each once");
        assert_eq!(one.descendant_count(id), other.descendant_count(id), "all below {id}");
    }
}
