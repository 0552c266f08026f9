//! All forests of a few workspaces.

use super::dice::id;
use crate::oracle::Step;

/// Every forest of exactly `size` workspaces in every order in which it can be created, as the steps that create it.
///
/// The first workspace is a root; the second is another root or below the first; and so on. So each shape is met, and
/// each as often as there are ways to create it: `size` factorial forests in all.
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
