//! Exhaustive generation of small forests.

use super::pick::id;
use crate::oracle::Step;

/// Every forest of exactly `size` workspaces in every order of creation, as the steps that create it.
///
/// The first workspace is a root, and each later one is a root or a child of an earlier one. Each shape occurs as often
/// as there are orders of its creation: `size` factorial forests in total.
pub fn every_forest(size: usize) -> impl Iterator<Item = Vec<Step>> {
    let count: usize = (1..=size).product();
    (0..count).map(move |number| {
        let mut rest = number;
        let mut choose = |among: usize| {
            let choice = rest % among;
            rest /= among;
            choice as u64
        };
        let step = |n: u64| match choose(n as usize) {
            0 => Step::Found { root: id(n) },
            older => Step::Create { id: id(n), parent: id(older) },
        };
        (1..=size as u64).map(step).collect()
    })
}
