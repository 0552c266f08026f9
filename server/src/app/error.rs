//! Everything a service can answer instead of what was asked. `http/problems.rs` says how each is answered.

use orgmem_hierarchy::{ChangeRefusal, WorkspaceId};
use orgmem_policies::drafts::DraftFault;
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::{Forbidden, NotAdmitted, Refusal, RunOver};
use orgmem_store::StoreError;
use uuid::Uuid;

use crate::auth::{GrantError, SignError};
use crate::decode::shortened;

/// Why a service did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The token is genuine, but no longer admits its bearer.
    #[error(transparent)]
    NotAdmitted(#[from] NotAdmitted),
    /// The token has expired while its bearer was watching.
    #[error("the token has expired; ask for a new one and go on from the last event")]
    Expired,
    /// Something in the request cannot be accepted.
    #[error(transparent)]
    Draft(#[from] DraftFault),
    /// A field, parameter or header whose value cannot be accepted.
    #[error("`{field}` must be {expected}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What would be accepted.
        expected: String,
    },
    /// One memory of a batch is not understood.
    #[error("{0}")]
    Item(String),
    /// Something is wrong with one workspace of a document.
    #[error("in `{workspace}`: {error}")]
    Inside {
        /// The workspace.
        workspace: String,
        /// What is wrong.
        error: Box<AppError>,
    },
    /// Something is wrong with one of many things.
    #[error("{what}: {error}")]
    About {
        /// Which one.
        what: String,
        /// What is wrong.
        error: Box<AppError>,
    },
    /// The run is over, and not as was asked for.
    #[error(transparent)]
    RunOver(#[from] RunOver),
    /// A name stands for more than one workspace.
    #[error("there are several workspaces named `{name}` here; give the `id` of the one that is meant")]
    Ambiguous {
        /// The name.
        name: String,
    },
    /// A cursor that this list did not give.
    #[error("`cursor` is not one that this list gave; start again without it")]
    Cursor,
    /// The server is not set up for it.
    #[error("{0}")]
    NotConfigured(&'static str),
    /// The embedder does not answer.
    #[error("the embedder does not answer: {0}; `mode=keyword` works without it")]
    Embedder(String),
    /// Absent, or not the caller's to see.
    #[error("no such {what}, or not yours to see")]
    NotFound {
        /// What was asked for.
        what: &'static str,
    },
    /// It was removed, and the caller may know.
    #[error("workspace `{0}` was removed; it reads nothing and is read by nobody")]
    Gone(WorkspaceId),
    /// The caller may not do this here.
    #[error("{}", .0)]
    Forbidden(Forbidden),
    /// The scope may not be written from here; the sentence has names in it.
    #[error("{0}")]
    Scope(String),
    /// The tree does not allow the change.
    #[error(transparent)]
    Tree(#[from] ChangeRefusal),
    /// The workspace would be a root of its own.
    #[error("`{0}` cannot become a root: a workspace never leaves its tree; name a parent in it")]
    LeavesTree(WorkspaceId),
    /// The workspace to remove has children, and nothing was said about them.
    #[error("the workspace has live children ({count}); say `children=promote` to move them up, or `children=cascade` or `confirm=true` to remove them too", count = .children.len())]
    ConfirmationRequired {
        /// The children, as far as they are the caller's to see.
        children: Vec<(Uuid, String)>,
    },
    /// The entry has another version than the write asked for.
    #[error("`{key}` {}; read it again and decide", conflict(*.expected, *.current))]
    VersionConflict {
        /// The key.
        key: String,
        /// The version that was asked for; 0 for "must not exist".
        expected: i64,
        /// The version that is there; none when it is absent.
        current: Option<i64>,
    },
    /// The memory has another version than the write asked for.
    #[error("the memory {}; read it again and decide", conflict(*.expected, *.current))]
    MemoryConflict {
        /// The memory.
        id: Uuid,
        /// The version that was asked for; 0 for "must not exist".
        expected: i64,
        /// The version that is there.
        current: Option<i64>,
    },
    /// The idempotency key was used for another request.
    #[error("this `Idempotency-Key` was used for another request; use a new one")]
    IdempotencyMismatch,
    /// The token that was asked for cannot be.
    #[error(transparent)]
    Token(#[from] GrantError),
    /// The server issues no tokens.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// A rule of the product forbids it.
    #[error(transparent)]
    Rule(#[from] RuleViolation),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn conflict(expected: i64, current: Option<i64>) -> String {
    match (expected, current) {
        (0, Some(current)) => format!("is there, with version {current}"),
        (expected, Some(current)) => format!("has version {current}, not {expected}"),
        (expected, None) => format!("is absent, so it has no version {expected}"),
    }
}

impl AppError {
    /// What both an absent workspace and one that is hidden answer.
    pub const WORKSPACE_NOT_FOUND: Self = Self::NotFound { what: "workspace" };
    /// The same error, said to be about one workspace of a document.
    pub(super) fn inside(self, workspace: &str) -> Self {
        match self {
            unchanged @ (Self::Store(_) | Self::Rule(_) | Self::NotAdmitted(_)) => unchanged,
            error => Self::Inside { workspace: shortened(workspace).into_owned(), error: Box::new(error) },
        }
    }

    /// The same error, said to be about one of many things.
    pub(super) fn about(self, what: &str) -> Self {
        match self {
            Self::Store(error) => Self::Store(error),
            Self::NotAdmitted(error) => Self::NotAdmitted(error),
            error => Self::About { what: what.to_owned(), error: Box::new(error) },
        }
    }

    /// What a run that there never was, or that is another workspace's, answers.
    pub const RUN_NOT_FOUND: Self = Self::NotFound { what: "run" };
    /// What a profile that there never was, or that is another workspace's, answers.
    pub const PROFILE_NOT_FOUND: Self = Self::NotFound { what: "profile" };
    /// What both an absent memory and one that is hidden answer.
    pub const MEMORY_NOT_FOUND: Self = Self::NotFound { what: "memory" };
    /// What a version that a memory never had, or has no more, answers.
    pub const VERSION_NOT_FOUND: Self = Self::NotFound { what: "version" };
    /// What both an absent and an expired entry answer.
    pub const ENTRY_NOT_FOUND: Self = Self::NotFound { what: "entry" };
    /// What both an unknown token and one that is not the caller's to revoke answer.
    pub const TOKEN_NOT_FOUND: Self = Self::NotFound { what: "token" };
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound => Self::WORKSPACE_NOT_FOUND,
            Refusal::Forbidden(Forbidden::Scope(reason)) => Self::Scope(reason.plain()),
            Refusal::Forbidden(forbidden) => Self::Forbidden(forbidden),
            // as for an id of another org's: the difference would tell whose it is
            Refusal::Tree(ChangeRefusal::Taken(id)) => Self::Rule(RuleViolation::WorkspaceTaken(id)),
            Refusal::Tree(refusal) => Self::Tree(refusal),
        }
    }
}
