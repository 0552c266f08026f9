//! What several tests compare.

use std::collections::BTreeSet;

use orgmem_hierarchy::{Audience, Reach, Tree, WorkspaceId};
use orgmem_model::oracle::{Oracle, Scope, Step};
use uuid::Uuid;

use crate::system::{System, is_among, its_scope, reuses_an_id};

/// Every way in which a memory can be shared: each scope, and TEAM bound to each workspace there ever was.
pub(crate) fn every_sharing(oracle: &Oracle) -> Vec<(Scope, Option<Uuid>)> {
    let bound = oracle.everyone().into_iter().map(|lead| (Scope::Team, Some(lead)));
    Scope::ALL.into_iter().map(|scope| (scope, None)).chain(bound).collect()
}

/// Asked for every pair of workspaces there ever were and every sharing, the predicate, the reach and the audience say
/// what the oracle says.
pub(crate) fn everyone_reads_what_the_oracle_says(system: &System, oracle: &Oracle) {
    let readers: Vec<(Uuid, &Tree)> = oracle.everyone().into_iter().map(|id| (id, system.tree_of(id))).collect();
    let reaches = readers.iter().filter_map(|(reader, tree)| tree.reach((*reader).into()));
    let reaches: Vec<Reach> = reaches.collect();
    for (scope, team) in every_sharing(oracle) {
        for &(author, tree) in &readers {
            let expected = oracle.audience(author, scope, team);
            let what = || format!("{scope} {team:?} by {author}, in\n{oracle}");
            let (named, bound_to) = (its_scope(scope), team.map(Into::into));
            let may =
                readers.iter().filter(|(id, tree)| tree.read((*id).into(), author.into(), named, bound_to).is_ok());
            assert_eq!(may.map(|(id, _)| *id).collect::<Vec<_>>(), expected, "who may read {}", what());
            assert_eq!(audience(tree, author, scope, team), expected, "the audience of {}", what());
            // a reach holds the GLOBAL memories that there can be: a root's
            if scope != Scope::Global || oracle.can_write(author, scope, None) {
                let reached = reaches.iter().filter(|reach| covers(reach, author, scope, team)).map(reader);
                assert_eq!(reached.collect::<Vec<_>>(), expected, "who has in reach {}", what());
            }
        }
    }
}

fn reader(reach: &Reach) -> Uuid {
    reach.reader().uuid()
}

fn covers(reach: &Reach, author: Uuid, scope: Scope, team: Option<Uuid>) -> bool {
    let (author, scope, team) = (author.into(), its_scope(scope), team.map(Into::into));
    let covering = reach.parts().iter().filter(|part| part.author() == author && part.covers(scope, team)).count();
    assert!(covering <= 1, "{:?} has {scope} {team:?} by {author} in reach in {covering} ways", reach.reader());
    covering == 1
}

/// In the order of ids, as often as they are named.
fn audience(tree: &Tree, author: Uuid, scope: Scope, team: Option<Uuid>) -> Vec<Uuid> {
    let audience = tree.audience(author.into(), its_scope(scope), team.map(Into::into));
    let mut readers: Vec<Uuid> = match audience {
        None => Vec::new(),
        Some(Audience::WholeOrg) => tree.workspaces().map(WorkspaceId::uuid).collect(),
        Some(Audience::These(these)) => these.into_iter().map(WorkspaceId::uuid).collect(),
    };
    readers.sort();
    readers
}

/// Does one step to both. They allow or refuse it alike, and the refusal is one of the oracle's.
///
/// Returns whether it was done.
pub(crate) fn both_take(system: &mut System, oracle: &mut Oracle, step: &Step) -> bool {
    if reuses_an_id(step, oracle) {
        return false;
    }
    match (oracle.apply(step), system.apply(step)) {
        (Ok(()), Ok(())) => true,
        (Err(objections), Err(no)) => {
            assert!(is_among(&no, &objections), "{step:?} is refused with {no:?}, but what holds is {objections:?}");
            false
        }
        (expected, got) => panic!("{step:?}: the oracle says {expected:?}, the tree {got:?}"),
    }
}

/// Both after these steps; the possible ones are done.
pub(crate) fn both_after(steps: &[Step]) -> (System, Oracle) {
    let (mut system, mut oracle) = (System::default(), Oracle::default());
    for step in steps {
        both_take(&mut system, &mut oracle, step);
    }
    (system, oracle)
}

/// The two trees have the same workspaces in the same places.
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
