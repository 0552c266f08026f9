//! The registry of entry points: each route, tool and command, with its permitted callers and the data that it may
//! reveal.
//!
//! A route, tool, command or path of the memory-plugin listener without a row fails the suite, and so does a row without one. The suite tests each row of
//! the first two tables with every role from every position (`tests/suite/entry_points`).

mod cli;
mod distilled;
mod mcp;
mod page;
mod plugin;
mod rest;

pub use cli::{COMMANDS, CliCommand};
pub use mcp::{TOOLS, Tool};
pub use page::page;
pub use plugin::{PLUGIN_PATHS, PluginPath};
pub use rest::{ROUTES, Route};

/// The workspaces for which a role may use an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Others of its own tree respond with 403.
    None,
    /// The workspace of the token.
    OwnWorkspace,
    /// The workspace of the token and its descendants.
    Subtree,
    /// Every workspace, or the server.
    All,
}

/// The callers that an entry point permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Also callers without a token.
    Public,
    AnyToken,
    /// An admin may access everything.
    Roles {
        agent: Extent,
        viewer: Extent,
        operator: Extent,
    },
}

impl Access {
    /// Read as a workspace.
    pub const READ: Self =
        Self::Roles { agent: Extent::OwnWorkspace, viewer: Extent::Subtree, operator: Extent::Subtree };
    pub const READ_SUBTREE: Self =
        Self::Roles { agent: Extent::None, viewer: Extent::Subtree, operator: Extent::Subtree };
    /// Write as a workspace.
    pub const WRITE: Self =
        Self::Roles { agent: Extent::OwnWorkspace, viewer: Extent::None, operator: Extent::Subtree };
    /// Write at the root of a tree; also for its sources.
    pub const WRITE_AT_ROOT: Self = Self::MANAGE;
    /// Manage a subtree.
    pub const MANAGE: Self = Self::Roles { agent: Extent::None, viewer: Extent::None, operator: Extent::Subtree };
    /// Manage the server.
    pub const ADMIN: Self = Self::Roles { agent: Extent::None, viewer: Extent::None, operator: Extent::None };

    #[must_use]
    pub fn of(self, role: &str) -> Extent {
        match (self, role) {
            (Self::Public | Self::AnyToken, _) | (_, "admin") => Extent::All,
            (Self::Roles { agent, .. }, "agent") => agent,
            (Self::Roles { viewer, .. }, "viewer") => viewer,
            (Self::Roles { operator, .. }, _) => operator,
        }
    }
}
