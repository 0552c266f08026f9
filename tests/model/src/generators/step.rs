//! Random steps that adapt to the state in which they are resolved.

use proptest::prelude::*;
use uuid::Uuid;

use super::pick::Pick;
use crate::oracle::{Children, Memory, Oracle, Scope, Step};

/// A move of any live workspace under any other; often impossible.
#[derive(Clone, Copy, Debug)]
pub struct AnyMove {
    workspace: Pick,
    to: Pick,
}

/// A step of any kind; sometimes impossible.
#[derive(Clone, Copy, Debug)]
pub struct AnyStep {
    kind: StepKind,
    workspace: Pick,
    other: Pick,
    words: Pick,
    /// Whether it may use removed workspaces and existing ids.
    unrestricted: bool,
}

#[derive(Clone, Copy, Debug)]
enum StepKind {
    Create,
    Commit(Scope, Team),
    Move,
    Remove(Children),
    Found,
}

/// How the bound team of a memory is chosen.
#[derive(Clone, Copy, Debug)]
enum Team {
    None,
    Own,
    Parent,
    Other,
}

/// Words that remain distinct after stemming.
const WORDS: [&str; 16] = [
    "invoice", "harbour", "compass", "rocket", "garden", "violin", "copper", "winter", "ticket", "bridge", "falcon",
    "pepper", "magnet", "canvas", "lantern", "orbit",
];

impl AnyMove {
    /// The move in this state; `None` without live workspaces.
    #[must_use]
    pub fn within(self, oracle: &Oracle) -> Option<Step> {
        let live = oracle.live();
        Some(Step::Move { id: self.workspace.of(&live)?, to: self.to.of(&live)? })
    }
}

impl AnyStep {
    /// A step from numbers; small numbers give simple steps.
    pub(crate) fn from_numbers([kind, scope, workspace, other, words]: [u32; 5]) -> Self {
        let team = match scope % 9 {
            0..=3 => Team::None,
            4..=5 => Team::Own,
            6..=7 => Team::Parent,
            _ => Team::Other,
        };
        let commit = match scope / 9 % 10 {
            0..=2 => StepKind::Commit(Scope::Local, Team::None),
            3..=7 => StepKind::Commit(Scope::Team, team),
            8 => StepKind::Commit(Scope::Global, Team::None),
            _ => StepKind::Commit(Scope::ALL[scope as usize % 3], team),
        };
        let kind = match kind % 100 {
            0..=24 => StepKind::Create,
            25..=64 => commit,
            65..=91 => StepKind::Move,
            92..=93 => StepKind::Remove(Children::Refuse),
            94..=96 => StepKind::Remove(Children::Promote),
            97..=98 => StepKind::Remove(Children::Cascade),
            _ => StepKind::Found,
        };
        Self {
            kind,
            workspace: Pick(workspace),
            other: Pick(other),
            words: Pick(words),
            unrestricted: words % 16 == 15,
        }
    }

    /// The step in this state; `fresh` is the id of a created workspace or memory.
    #[must_use]
    pub fn within(self, oracle: &Oracle, fresh: Uuid) -> Step {
        let eligible = if self.unrestricted { oracle.everyone() } else { oracle.live() };
        let (Some(workspace), Some(other)) = (self.workspace.of(&eligible), self.other.of(&eligible)) else {
            return Step::Found { root: fresh };
        };
        match self.kind {
            StepKind::Found => Step::Found { root: fresh },
            StepKind::Create if self.unrestricted => Step::Create { id: other, parent: workspace },
            StepKind::Create => Step::Create { id: fresh, parent: workspace },
            StepKind::Move => Step::Move { id: workspace, to: other },
            StepKind::Remove(children) => Step::Remove { id: workspace, children },
            StepKind::Commit(scope, team) => Step::Commit(Memory {
                id: fresh,
                // random choices rarely hit a root
                author: if scope == Scope::Global && !self.unrestricted {
                    oracle.root(workspace).unwrap_or(workspace)
                } else {
                    workspace
                },
                scope,
                team: match team {
                    Team::None => None,
                    Team::Own => Some(workspace),
                    Team::Parent => Some(oracle.parent(workspace).unwrap_or(workspace)),
                    Team::Other => Some(other),
                },
                content: self.content(fresh),
            }),
        }
    }

    /// One to four words plus a unique one, because duplicates of an author are shown once.
    fn content(self, id: Uuid) -> String {
        let Pick(number) = self.words;
        let word = |n: u32| WORDS[(number >> (4 * n + 2)) as usize % WORDS.len()].to_owned();
        (0..=number % 4).map(word).chain([format!("m{:08x}", id.as_u128() as u32)]).collect::<Vec<_>>().join(" ")
    }
}

impl Arbitrary for AnyMove {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        (Pick::any(), Pick::any()).prop_map(|(workspace, to)| Self { workspace, to }).boxed()
    }
}

impl Arbitrary for AnyStep {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        any::<[u32; 5]>().prop_map(Self::from_numbers).boxed()
    }
}
