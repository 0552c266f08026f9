//! Random orgs.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use super::pick::{Pick, id};
use crate::oracle::{Oracle, Step};

/// Shape of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The parent is any earlier workspace: some levels, some branches.
    Bushy,
    /// The parent is one of the last two workspaces: long chains.
    Deep,
    /// The parent is one of the first three workspaces: large teams.
    Wide,
}

/// Maximum number of levels of generated orgs: the default limit of a tree.
const MAX_LEVELS: usize = 64;

/// One org of up to 12 workspaces, as steps, parents before children.
#[derive(Clone)]
pub struct AnyOrg(pub Vec<Step>);

/// One to three orgs of up to 6 workspaces each, as steps.
#[derive(Clone)]
pub struct AnyOrgs(pub Vec<Step>);

/// Grows a tree by one workspace per pick, with an earlier one as its parent. Number 0 is the root; the result contains
/// the number of the parent of each later one.
pub(crate) fn grow(shape: Shape, picks: impl IntoIterator<Item = Pick>) -> Vec<usize> {
    let mut parents = Vec::new();
    let mut levels = vec![1];
    for pick in picks {
        let count = levels.len();
        let (from, among) = match shape {
            Shape::Bushy => (0, count),
            Shape::Deep => (count.saturating_sub(2), count.min(2)),
            Shape::Wide => (0, count.min(3)),
        };
        let wanted = from + pick.index(among).unwrap_or(0);
        let parent = if levels[wanted] < MAX_LEVELS { wanted } else { 0 };
        levels.push(levels[parent] + 1);
        parents.push(parent);
    }
    parents
}

/// The steps that create a grown tree, with ids from `id`.
pub(crate) fn planted(parents: &[usize], id: impl Fn(usize) -> Uuid) -> Vec<Step> {
    let below = parents.iter().enumerate().map(|(n, &parent)| Step::Create { id: id(n + 1), parent: id(parent) });
    [Step::Found { root: id(0) }].into_iter().chain(below).collect()
}

fn any_parents(max_workspaces: usize) -> impl Strategy<Value = Vec<usize>> {
    let shape = prop_oneof![3 => Just(Shape::Bushy), 1 => Just(Shape::Deep), 1 => Just(Shape::Wide)];
    (shape, vec(Pick::any(), 0..max_workspaces)).prop_map(|(shape, picks)| grow(shape, picks))
}

impl Arbitrary for AnyOrg {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        any_parents(12).prop_map(|parents| Self(planted(&parents, |n| id(n as u64 + 1)))).boxed()
    }
}

impl Arbitrary for AnyOrgs {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        let side_by_side = |orgs: Vec<Vec<usize>>| {
            let mut steps = Vec::new();
            for parents in orgs {
                let first = steps.len() + 1;
                steps.extend(planted(&parents, |n| id((first + n) as u64)));
            }
            Self(steps)
        };
        vec(any_parents(6), 1..=3).prop_map(side_by_side).boxed()
    }
}

impl fmt::Debug for AnyOrg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an org\n{}", Oracle::after(&self.0))
    }
}

impl fmt::Debug for AnyOrgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "orgs\n{}", Oracle::after(&self.0))
    }
}
