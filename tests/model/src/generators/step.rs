//! Steps that fit whatever world they are asked in.

use proptest::prelude::*;
use uuid::Uuid;

use super::dice::Pick;
use crate::oracle::{Children, Memory, Oracle, Scope, Step};

/// A move of any live workspace under any other, in whatever world; often impossible.
#[derive(Clone, Copy, Debug)]
pub struct AnyMove {
    who: Pick,
    to: Pick,
}

/// A step of any kind, in whatever world; now and then impossible.
#[derive(Clone, Copy, Debug)]
pub struct AnyStep {
    verb: Verb,
    who: Pick,
    other: Pick,
    words: Pick,
    /// Whether it may name removed workspaces and ids that are taken.
    stray: bool,
}

#[derive(Clone, Copy, Debug)]
enum Verb {
    Create,
    Commit(Scope, Team),
    Move,
    Remove(Children),
    Found,
}

/// Which team a memory is to be bound to.
#[derive(Clone, Copy, Debug)]
enum Team {
    None,
    ItsOwn,
    ItsParents,
    Somebodys,
}

/// Words that stay different words however they are stemmed.
const WORDS: [&str; 16] = [
    "invoice", "harbour", "compass", "rocket", "garden", "violin", "copper", "winter", "ticket", "bridge", "falcon",
    "pepper", "magnet", "canvas", "lantern", "orbit",
];

impl AnyMove {
    /// The move in this world; none where nothing is live.
    #[must_use]
    pub fn within(self, oracle: &Oracle) -> Option<Step> {
        let live = oracle.live();
        Some(Step::Move { id: self.who.of(&live)?, to: self.to.of(&live)? })
    }
}

impl AnyStep {
    /// What these dice say; small numbers give simple steps.
    pub(crate) fn thrown([verb, scope, who, other, words]: [u32; 5]) -> Self {
        let team = match scope % 9 {
            0..=3 => Team::None,
            4..=5 => Team::ItsOwn,
            6..=7 => Team::ItsParents,
            _ => Team::Somebodys,
        };
        let commit = match scope / 9 % 10 {
            0..=2 => Verb::Commit(Scope::Local, Team::None),
            3..=7 => Verb::Commit(Scope::Team, team),
            8 => Verb::Commit(Scope::Global, Team::None),
            _ => Verb::Commit(Scope::ALL[scope as usize % 3], team),
        };
        let verb = match verb % 100 {
            0..=24 => Verb::Create,
            25..=64 => commit,
            65..=91 => Verb::Move,
            92..=93 => Verb::Remove(Children::Refuse),
            94..=96 => Verb::Remove(Children::Promote),
            97..=98 => Verb::Remove(Children::Cascade),
            _ => Verb::Found,
        };
        Self { verb, who: Pick(who), other: Pick(other), words: Pick(words), stray: words % 16 == 15 }
    }

    /// The step in this world, where `fresh` is the id of whatever it makes.
    #[must_use]
    pub fn within(self, oracle: &Oracle, fresh: Uuid) -> Step {
        let eligible = if self.stray { oracle.everyone() } else { oracle.live() };
        let (Some(who), Some(other)) = (self.who.of(&eligible), self.other.of(&eligible)) else {
            return Step::Found { root: fresh };
        };
        match self.verb {
            Verb::Found => Step::Found { root: fresh },
            Verb::Create if self.stray => Step::Create { id: other, parent: who },
            Verb::Create => Step::Create { id: fresh, parent: who },
            Verb::Move => Step::Move { id: who, to: other },
            Verb::Remove(children) => Step::Remove { id: who, children },
            Verb::Commit(scope, team) => Step::Commit(Memory {
                id: fresh,
                // a root chosen by chance would be rare
                author: if scope == Scope::Global && !self.stray { oracle.root(who).unwrap_or(who) } else { who },
                scope,
                team: match team {
                    Team::None => None,
                    Team::ItsOwn => Some(who),
                    Team::ItsParents => Some(oracle.parent(who).unwrap_or(who)),
                    Team::Somebodys => Some(other),
                },
                content: self.content(fresh),
            }),
        }
    }

    /// One to four words, and one that nobody else says: what an author says twice is shown once.
    fn content(self, id: Uuid) -> String {
        let Pick(dice) = self.words;
        let word = |n: u32| WORDS[(dice >> (4 * n + 2)) as usize % WORDS.len()].to_owned();
        (0..=dice % 4).map(word).chain([format!("m{:08x}", id.as_u128() as u32)]).collect::<Vec<_>>().join(" ")
    }
}

impl Arbitrary for AnyMove {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        (Pick::any(), Pick::any()).prop_map(|(who, to)| Self { who, to }).boxed()
    }
}

impl Arbitrary for AnyStep {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        any::<[u32; 5]>().prop_map(Self::thrown).boxed()
    }
}
