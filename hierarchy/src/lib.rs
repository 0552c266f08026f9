//! The tree of workspaces, and every question of reach that it answers.
//!
//! An org is a root workspace and all below it. Where a workspace stands decides what it may read and write, at the
//! moment it asks; this crate is that rule and nothing else: no I/O, no database, no clock. Every answer carries the
//! [`Reason`] it was given for, from the code that decides and not from a copy of it.
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
//! assert!(tree.read(bot_1, acme, Scope::Team, None).is_err(), "a grandparent is no team mate");
//! assert!(tree.write(bot_1, Scope::Global, None).is_err(), "only a root writes GLOBAL");
//! # Ok::<(), orgmem_hierarchy::TreeFaults>(())
//! ```
//!
//! Source: product.md, sections 1 and 2.

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
pub use effect::{Effect, Turn};
pub use ids::{OrgId, WorkspaceId};
pub use reach::{Audience, Reach, Readable};
pub use reason::Reason;
pub use relation::{Relation, Via};
pub use rows::{Placement, TreeFault, TreeFaults};
pub use scope::{Scope, UnknownScope};
pub use tree::Tree;
