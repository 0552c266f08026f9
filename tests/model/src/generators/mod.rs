//! Random orgs, steps and histories.
//!
//! The `Any…` types are proptest strategies (`any::<AnyOrg>()`) that shrink towards fewer workspaces, nearer to the
//! root, and fewer steps. [`Seeded`] generates the same fast, for long runs against a server and for large orgs. Both
//! include impossible steps (cycles, other trees, removed workspaces), because refusals are tested too.

mod forests;
mod history;
mod org;
mod pick;
mod seeded;
mod step;
#[cfg(test)]
mod tests;

pub use forests::every_forest;
pub use history::AnyHistory;
pub use org::{AnyOrg, AnyOrgs, Shape};
pub use pick::id;
pub use seeded::Seeded;
pub use step::{AnyMove, AnyStep};
