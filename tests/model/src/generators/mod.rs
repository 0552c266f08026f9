//! Any org, any step, any history.
//!
//! For properties, the `Any…` types are proptest strategies (`any::<AnyOrg>()`) that shrink: fewer workspaces, nearer
//! the root, fewer steps. For long runs against a server, and for large orgs, [`Seeded`] throws the same dice fast.
//! Both may propose what is impossible (cycles, other trees, removed workspaces): refusals are part of the game.

mod dice;
mod forests;
mod history;
mod org;
mod seeded;
mod step;
#[cfg(test)]
mod tests;

pub use dice::id;
pub use forests::every_forest;
pub use history::AnyHistory;
pub use org::{AnyOrg, AnyOrgs, Shape};
pub use seeded::Seeded;
pub use step::{AnyMove, AnyStep};
