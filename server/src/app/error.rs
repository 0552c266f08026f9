//! The errors of services. `problems.rs` has the response for each.

use orgmem_extract::ExtractError;
use orgmem_hierarchy::{ChangeRefusal, WorkspaceId};
use orgmem_policies::drafts::DraftFault;
use orgmem_policies::providers::{Figures, PromotionRefusal};
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::{Forbidden, NoOpenRun, NotAdmitted, Refusal, RunOver};
use orgmem_store::StoreError;
use uuid::Uuid;

use crate::auth::{GrantError, SignError};
use crate::decode::shortened;
use crate::limits::BudgetRateExceeded;

/// Why a service refused or failed a request.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The token is valid, but was revoked, or its workspace is not live.
    #[error(transparent)]
    NotAdmitted(#[from] NotAdmitted),
    /// The token expired during an event stream.
    #[error("the token has expired; ask for a new one and go on from the last event")]
    Expired,
    /// A field of the content is invalid.
    #[error(transparent)]
    Draft(#[from] DraftFault),
    /// The value of a field, parameter or header is invalid.
    #[error("`{field}` must be {expected}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// A description of valid values.
        expected: String,
    },
    /// A field has a value that it may not have.
    #[error("`{field}` is `{value}`; it must be {expected}")]
    Value {
        /// The name of the field, or its path.
        field: String,
        /// The value, shortened.
        value: String,
        /// A description of valid values.
        expected: String,
    },
    /// A file without text that can be stored.
    #[error(transparent)]
    File(#[from] ExtractError),
    /// A memory of a list cannot be decoded.
    #[error("{0}")]
    Item(String),
    /// The error of a workspace in an import document.
    #[error("in `{workspace}`: {error}")]
    Inside {
        /// The name of the workspace, shortened.
        workspace: String,
        /// The cause.
        error: Box<AppError>,
    },
    /// The error of an item in a list.
    #[error("{what}: {error}")]
    About {
        /// A description of the item.
        what: String,
        /// The cause.
        error: Box<AppError>,
    },
    /// The disk of the data folder has too little space.
    #[error(
        "the disk of the data folder has {free_bytes} bytes free, and `store.min_free_bytes` requires \
         {min_free_bytes}; free some space"
    )]
    DiskFull {
        /// At the last measurement.
        free_bytes: u64,
        /// The setting.
        min_free_bytes: u64,
    },
    /// The run is over: it accepts no memories and no other ending.
    #[error(transparent)]
    RunOver(#[from] RunOver),
    /// The commit names a run that cannot stage it, and does not say `ungated`.
    #[error(transparent)]
    NoOpenRun(#[from] NoOpenRun),
    /// Several workspaces have the name.
    #[error("there are several workspaces named `{name}` here; give the `id` of the one that is meant")]
    Ambiguous {
        /// The ambiguous name.
        name: String,
    },
    /// Several orgs have a profile or memory with the id.
    #[error("several orgs have a profile or memory `{0}`; name the workspace")]
    AmbiguousId(Uuid),
    /// The list did not issue the cursor.
    #[error("`cursor` is not one that this list gave; start again without it")]
    Cursor,
    /// The configuration does not support the request.
    #[error("{0}")]
    NotConfigured(&'static str),
    /// The embedder does not respond.
    #[error("the embedder does not answer: {0}; `mode=keyword` works without it")]
    Embedder(String),
    /// The figures of a provider do not permit a promotion.
    #[error("the provider is not promoted: {refusal}")]
    Promotion {
        /// The figure that does not.
        refusal: PromotionRefusal,
        /// All figures.
        figures: Box<Figures>,
    },
    /// The resource does not exist, or the caller may not see it.
    #[error("no such {what}, or not yours to see")]
    NotFound {
        /// The kind of the resource.
        what: &'static str,
    },
    /// No template has the name.
    #[error(
        "no template `{0}` in the folder of the setting `templates_dir`; send the template itself as `template`, or a document to `POST /orgs/import`"
    )]
    NoTemplate(String),
    /// The workspace was removed, and the caller may know that.
    #[error("workspace `{0}` was removed; it reads nothing and is read by nobody")]
    Gone(WorkspaceId),
    /// The caller lacks a permission.
    #[error("{}", .0)]
    Forbidden(Forbidden),
    /// The workspace may not write the scope; the reason contains names of workspaces.
    #[error("{0}")]
    Scope(String),
    /// The tree does not allow the change.
    #[error(transparent)]
    Tree(#[from] ChangeRefusal),
    /// The move would make the workspace a root.
    #[error("`{0}` cannot become a root: a workspace never leaves its tree; name a parent in it")]
    LeavesTree(WorkspaceId),
    /// The workspace to remove has live children, and the request does not decide about them.
    #[error("the workspace has live children ({count}); say `children=promote` to move them up, or `children=cascade` or `confirm=true` to remove them too", count = .children.len())]
    ConfirmationRequired {
        /// Ids and names of the children that the caller may see.
        children: Vec<(Uuid, String)>,
    },
    /// The version of the entry is not the expected one.
    #[error("`{key}` {}; read it again and decide", conflict(*.expected, *.current))]
    VersionConflict {
        /// The key of the entry.
        key: String,
        /// The expected version; 0 for "must not exist".
        expected: i64,
        /// The current version; `None` if the entry does not exist.
        current: Option<i64>,
    },
    /// The version of the memory is not the expected one.
    #[error("the memory {}; read it again and decide", conflict(*.expected, *.current))]
    MemoryConflict {
        /// The id of the memory.
        id: Uuid,
        /// The expected version; 0 for "must not exist".
        expected: i64,
        /// The current version; `None` if the memory does not exist.
        current: Option<i64>,
    },
    /// The version of the document is not the expected one.
    #[error("the document {}; read it again and decide", conflict(*.expected, *.current))]
    DocumentConflict {
        /// The id of the document.
        id: Uuid,
        /// The expected version; 0 for "must not exist".
        expected: i64,
        /// The current version; `None` if the document does not exist.
        current: Option<i64>,
    },
    /// Another run works on the processor, or its definition changed during the run.
    #[error("another run works on the processor, or its definition has changed; try again later")]
    ProcessorBusy,
    /// The idempotency key was used for another request.
    #[error("this `Idempotency-Key` was used for another request; use a new one")]
    IdempotencyMismatch,
    /// The requested lifetime or subject of a token is invalid.
    #[error(transparent)]
    Token(#[from] GrantError),
    /// The server issues no tokens.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The request violates a rule of the product.
    #[error(transparent)]
    Rule(#[from] RuleViolation),
    /// A rate of a budget is used up.
    #[error(transparent)]
    BudgetRate(#[from] BudgetRateExceeded),
    /// The store failed or is not available.
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
    /// The error for an absent or hidden workspace.
    pub const WORKSPACE_NOT_FOUND: Self = Self::NotFound { what: "workspace" };
    /// The error for a run that does not exist or belongs to another workspace.
    pub const RUN_NOT_FOUND: Self = Self::NotFound { what: "run" };
    /// The error for a profile that does not exist or belongs to another workspace.
    pub const PROFILE_NOT_FOUND: Self = Self::NotFound { what: "profile" };
    /// The error for an absent or hidden memory.
    pub const MEMORY_NOT_FOUND: Self = Self::NotFound { what: "memory" };
    /// The error for a version that the memory never had or no longer has.
    pub const DOCUMENT_NOT_FOUND: Self = Self::NotFound { what: "document" };
    /// [`Self::NotFound`] for a version.
    pub const VERSION_NOT_FOUND: Self = Self::NotFound { what: "version" };
    /// The error for an episode that the workspace does not have.
    pub const EPISODE_NOT_FOUND: Self = Self::NotFound { what: "episode" };
    /// The error for a page that the workspace does not have, or that is hidden.
    pub const PAGE_NOT_FOUND: Self = Self::NotFound { what: "page" };
    /// The error for a skill that the workspace cannot use, and does not have.
    pub const SKILL_NOT_FOUND: Self = Self::NotFound { what: "skill" };
    /// The error for an id that is neither a profile nor a memory, or that is hidden.
    pub const LOCATED_NOT_FOUND: Self = Self::NotFound { what: "profile or memory" };
    /// The error for an absent or expired entry.
    pub const ENTRY_NOT_FOUND: Self = Self::NotFound { what: "entry" };
    /// The error for an entity without a record.
    pub const RECORD_NOT_FOUND: Self = Self::NotFound { what: "record" };
    /// The error for an absent collection.
    pub const COLLECTION_NOT_FOUND: Self = Self::NotFound { what: "collection" };
    /// The error for a key without a row.
    pub const ROW_NOT_FOUND: Self = Self::NotFound { what: "row" };
    /// The error for an absent processor.
    pub const PROCESSOR_NOT_FOUND: Self = Self::NotFound { what: "processor" };
    /// The error for a turn that the workspace does not have.
    pub const TURN_NOT_FOUND: Self = Self::NotFound { what: "turn" };
    /// The error for an unknown review and for one of another subtree.
    pub const REVIEW_NOT_FOUND: Self = Self::NotFound { what: "review" };
    /// No grant has the id.
    pub const GRANT_NOT_FOUND: Self = Self::NotFound { what: "grant" };
    /// The error for a provider that the settings do not have.
    pub const PROVIDER_NOT_FOUND: Self = Self::NotFound { what: "provider" };
    /// The error for an unknown token and for one that the caller may not revoke.
    pub const TOKEN_NOT_FOUND: Self = Self::NotFound { what: "token" };

    /// The error for a namespace of the memory-plugin contract that does not exist or has expired.
    pub(crate) const PLUGIN_NAMESPACE_NOT_FOUND: Self = Self::NotFound { what: "namespace" };

    /// Adds the name of a workspace of an import document to the error.
    pub(super) fn inside(self, workspace: &str) -> Self {
        match self {
            unchanged @ (Self::Store(_) | Self::Rule(_) | Self::NotAdmitted(_)) => unchanged,
            error => Self::Inside { workspace: shortened(workspace).into_owned(), error: Box::new(error) },
        }
    }

    /// Adds a description of the item to the error.
    pub(super) fn about(self, what: &str) -> Self {
        match self {
            Self::Store(error) => Self::Store(error),
            Self::NotAdmitted(error) => Self::NotAdmitted(error),
            error => Self::About { what: what.to_owned(), error: Box::new(error) },
        }
    }
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound => Self::WORKSPACE_NOT_FOUND,
            Refusal::Forbidden(Forbidden::Scope(reason)) => Self::Scope(reason.plain()),
            Refusal::Forbidden(refused @ Forbidden::Namespace { .. }) => Self::Scope(refused.to_string()),
            Refusal::Forbidden(forbidden) => Self::Forbidden(forbidden),
            // as for an id of another org: a difference would reveal the org of the id
            Refusal::Tree(ChangeRefusal::Taken(id)) => Self::Rule(RuleViolation::WorkspaceTaken(id)),
            Refusal::Tree(refusal) => Self::Tree(refusal),
        }
    }
}
