//! The registry of doors: every way into the server, once, with who may come through and what it may reveal.
//!
//! A route, tool or verb that has no row here fails the suite, as does a row without one. Each row of the first two
//! tables is tried with every role from every position (`tests/suite/doors`).

mod cli;
mod mcp;
mod page;
mod rest;

pub use cli::{VERBS, Verb};
pub use mcp::{TOOLS, Tool};
pub use page::page;
pub use rest::{Door, ROUTES};

/// Where a role may come through a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// Nowhere: 403 with the reason, inside its own tree.
    Nowhere,
    /// For the workspace that it is bound to.
    Own,
    /// For that workspace and all below it.
    Below,
    /// For every workspace, or for the server.
    Everywhere,
}

/// Who may come through a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum May {
    /// Everybody, with a token or without.
    Anybody,
    /// Everybody with a token.
    Anyone,
    /// Roles, each where it may; an admin everywhere.
    Roles {
        /// An agent.
        agent: Where,
        /// A viewer.
        viewer: Where,
        /// An operator.
        operator: Where,
    },
}

impl May {
    /// Reading as a workspace: it itself, and who watches over it.
    pub const READ: Self = Self::Roles { agent: Where::Own, viewer: Where::Below, operator: Where::Below };
    /// Watching over a subtree.
    pub const WATCH: Self = Self::Roles { agent: Where::Nowhere, viewer: Where::Below, operator: Where::Below };
    /// Acting as a workspace.
    pub const ACT: Self = Self::Roles { agent: Where::Own, viewer: Where::Nowhere, operator: Where::Below };
    /// Running a subtree.
    pub const RUN: Self = Self::Roles { agent: Where::Nowhere, viewer: Where::Nowhere, operator: Where::Below };
    /// Running the server.
    pub const ADMIN: Self = Self::Roles { agent: Where::Nowhere, viewer: Where::Nowhere, operator: Where::Nowhere };

    /// Where this role may come through.
    #[must_use]
    pub fn of(self, role: &str) -> Where {
        match (self, role) {
            (Self::Anybody | Self::Anyone, _) | (_, "admin") => Where::Everywhere,
            (Self::Roles { agent, .. }, "agent") => agent,
            (Self::Roles { viewer, .. }, "viewer") => viewer,
            (Self::Roles { operator, .. }, _) => operator,
        }
    }
}
