//! Random histories of orgs.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;

use super::org::AnyOrgs;
use super::pick::id;
use super::step::AnyStep;
use crate::oracle::{Oracle, Step};

/// One to three orgs and up to 24 further steps, some of them impossible.
#[derive(Clone)]
pub struct AnyHistory {
    orgs: AnyOrgs,
    steps: Vec<AnyStep>,
}

impl AnyHistory {
    /// All steps in order, the creation of the orgs first.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = self.orgs.0.clone();
        let mut oracle = Oracle::after(&steps);
        for (n, any) in self.steps.iter().enumerate() {
            let step = any.within(&oracle, id(0x1000 + n as u64));
            // an impossible step changes nothing and stays in the history
            let _ = oracle.apply(&step);
            steps.push(step);
        }
        steps
    }

    /// The state after the history.
    #[must_use]
    pub fn oracle(&self) -> Oracle {
        let mut oracle = Oracle::default();
        for step in self.steps() {
            let _ = oracle.apply(&step);
        }
        oracle
    }
}

impl Arbitrary for AnyHistory {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        (any::<AnyOrgs>(), vec(any::<AnyStep>(), 0..24)).prop_map(|(orgs, steps)| Self { orgs, steps }).boxed()
    }
}

impl fmt::Debug for AnyHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.orgs)?;
        for step in &self.steps()[self.orgs.0.len()..] {
            writeln!(f, "then {step:?}")?;
        }
        write!(f, "and in the end\n{}", self.oracle())
    }
}
