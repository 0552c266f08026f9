//! Fast, reproducible generation from a seed.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::org::{Shape, grow, planted};
use super::pick::Pick;
use super::step::AnyStep;
use crate::oracle::{Oracle, Step};

/// Generates orgs and steps. Equal seeds give equal results; different seeds use different ids, so that runs can share
/// a server.
#[derive(Debug)]
pub struct Seeded {
    rng: StdRng,
}

impl Seeded {
    /// Print the seed in the message of a failing test.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: StdRng::seed_from_u64(seed) }
    }

    /// The steps that create a bushy org of exactly `size` workspaces, at most 64 levels deep, parents before children.
    ///
    /// # Complexity
    /// O(`size`).
    ///
    /// # Panics
    /// When `size` is 0.
    pub fn org(&mut self, size: usize) -> Vec<Step> {
        self.org_shaped(Shape::Bushy, size)
    }

    /// The steps that create an org of this shape and exactly `size` workspaces.
    ///
    /// # Panics
    /// When `size` is 0.
    pub fn org_shaped(&mut self, shape: Shape, size: usize) -> Vec<Step> {
        assert!(size > 0, "an org has a root");
        let ids: Vec<Uuid> = (0..size).map(|_| self.id()).collect();
        let picks = (1..size).map(|_| Pick(self.rng.random()));
        planted(&grow(shape, picks), |n| ids[n])
    }

    /// Any step in this state, sometimes an impossible one.
    pub fn step(&mut self, oracle: &Oracle) -> Step {
        let step = AnyStep::from_numbers(self.rng.random());
        step.within(oracle, self.id())
    }

    /// One element of a list.
    ///
    /// # Panics
    /// When the list is empty.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.rng.random_range(0..list.len())]
    }

    /// A new id.
    pub fn id(&mut self) -> Uuid {
        uuid::Builder::from_random_bytes(self.rng.random()).into_uuid()
    }
}
