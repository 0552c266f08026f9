//! Trees of workspaces and the rules of reach.
//!
//! An org is a root workspace with its descendants. The current position of a workspace decides what it may read and
//! write. This crate contains these rules and no I/O, database or clock. Every decision comes with its [`Reason`],
//! produced by the code that decides.
//!
//! ```
//! use orgmem_hierarchy::{OrgId, Placement, Scope, Tree, Via, WorkspaceId};
//! use uuid::Uuid;
//!
//! // acme
//! //   dev
//! //     bot-1
//! //     bot-2
//! let [acme, dev, bot_1, bot_2] = [1, 2, 3, 4].map(|n| WorkspaceId::from(Uuid::from_u128(n)));
//! let tree = Tree::build(
//!     OrgId::of_root(acme),
//!     [
//!         Placement::root(acme),
//!         Placement::under(dev, acme),
//!         Placement::under(bot_1, dev),
//!         Placement::under(bot_2, dev),
//!     ],
//! )?;
//!
//! assert_eq!(tree.read(bot_1, bot_2, Scope::Team, None).map(|grant| grant.via), Ok(Via::Sibling));
//! assert!(tree.read(bot_1, acme, Scope::Team, None).is_err(), "a grandparent is not in the team");
//! assert!(tree.write(bot_1, Scope::Global, None).is_err(), "only a root writes GLOBAL");
//! # Ok::<(), orgmem_hierarchy::TreeFaults>(())
//! ```
//!
//! Source: `docs/spec/tree.md`.

mod build;
mod change;
mod decide;
mod effect;
mod ids;
mod reach;
mod reason;
mod relation;
mod rows;
mod scope;
mod tree;
mod walk;

pub use change::{ChangeRefusal, Children, TreeChange, TreeLimits};
pub use decide::Grant;
pub use effect::{AccessChange, Effect};
pub use ids::{OrgId, WorkspaceId};
pub use reach::{Audience, Reach, Readable};
pub use reason::Reason;
pub use relation::{Relation, Via};
pub use rows::{Placement, TreeFault, TreeFaults};
pub use scope::{Scope, UnknownScope};
pub use tree::Tree;
