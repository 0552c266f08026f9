//! What can go wrong in a store.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::MAX_PINS;
use uuid::Uuid;

use crate::contract::{MAX_PENDING_PER_RUN, MAX_PROFILES};

/// Why the store could not do what it was asked. Cheap to clone: one failed commit answers every write of its group.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or cannot write now: a full disk, a lost connection. Nothing was changed; the
    /// same call may succeed later. Nobody's fault who calls.
    #[error("the store is not available: {0}")]
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// More is waiting to be written than the store takes on. The same call may succeed in a moment.
    #[error("the store has too much to write at the moment; try again")]
    Busy,
    /// The store is shutting down.
    #[error("the store is closing")]
    Closed,
    /// The id is another workspace's, in this org or in another.
    #[error("the workspace id `{0}` is taken")]
    WorkspaceTaken(WorkspaceId),
    /// The id is another author's memory's, or was redacted and its author is not purged.
    #[error("the memory id `{0}` is taken; leave `id` out to have one made")]
    MemoryTaken(Uuid),
    /// There is no such memory to replace.
    #[error("there is no live memory `{0}` of the author's own to supersede")]
    NothingToSupersede(Uuid),
    /// The memory that is to supersede another was superseded itself: nobody would read either.
    #[error(
        "the memory `{0}` was superseded itself and is not read any more, so it supersedes nothing; commit what it says \
         under another `id`, or without one"
    )]
    SupersededItself(Uuid),
    /// The author has as many pinned memories as it may.
    #[error(
        "the author has {MAX_PINS} pinned memories, as many as are allowed; commit it without `pin`, or delete one"
    )]
    TooManyPins,
    /// The run holds back as many memories as it may.
    #[error("the run holds {MAX_PENDING_PER_RUN} memories back, as many as are allowed; finish it and start another")]
    RunFull,
    /// The author has no such profile.
    #[error("the workspace has no profile `{0}`; `GET /workspaces/{{id}}/profiles` lists those it has")]
    NoProfile(Uuid),
    /// The author's profile excludes memories of this kind.
    #[error(
        "the workspace's profile excludes memories of kind `{0}`; commit it as another kind, or change `excluded_kinds`"
    )]
    KindExcluded(String),
    /// Another profile of the workspace has this name.
    #[error("the workspace has a profile named `{0}` already; give another `name`, or change that one")]
    ProfileNamed(String),
    /// The workspace has as many profiles as it may.
    #[error("the workspace has {MAX_PROFILES} profiles, as many as are allowed; delete one, or change one")]
    TooManyProfiles,
    /// The default profile is not deleted.
    #[error("the default profile cannot be deleted; make another one the default first")]
    ProfileIsDefault,
    /// A row is not as this server writes it.
    #[error("cannot read a row of `{table}`, key {key}: {reason}")]
    Unreadable {
        /// The table.
        table: &'static str,
        /// The row's key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The database refused a statement, for a reason that lies in this server.
    #[error("the database refused a statement: {0}")]
    Failed(Arc<dyn Error + Send + Sync>),
    /// What was asked of the store panicked. Its writes were undone.
    #[error("a job of the store panicked: {0}")]
    Panicked(String),
    /// The snapshot is to be taken again. The store does so itself; it never leaves it.
    #[doc(hidden)]
    #[error("the snapshot is to be taken again")]
    Retry,
}

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has the data folder.
    #[error("another server uses `{}`; stop it, or name another data folder", .path.display())]
    InUse {
        /// The file that it holds locked.
        path: PathBuf,
    },
    /// The data folder cannot be written to.
    #[error("cannot use `{}`: {source}", .path.display())]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The database cannot be reached, or its settings are not what durability needs.
    #[error("cannot open the database: {0}")]
    Database(String),
    /// The schema could not be brought up to date.
    #[error("cannot migrate the database: {0}")]
    Migration(String),
    /// The schema is newer than this server.
    #[error("the database was migrated by a newer server (`{0}` is unknown here); start that one")]
    Newer(String),
}

impl StoreError {
    /// Whether it is about what was asked for: then nothing was written, and the transaction may go on.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::WorkspaceTaken(_)
                | Self::MemoryTaken(_)
                | Self::NothingToSupersede(_)
                | Self::SupersededItself(_)
                | Self::TooManyPins
                | Self::RunFull
                | Self::NoProfile(_)
                | Self::KindExcluded(_)
                | Self::ProfileNamed(_)
                | Self::TooManyProfiles
                | Self::ProfileIsDefault
        )
    }

    pub(crate) fn unavailable(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(Arc::from(reason.into()))
    }

    /// A row of `table` that is not as this server writes it.
    pub fn unreadable(table: &'static str, key: impl std::fmt::Debug, reason: impl ToString) -> Self {
        Self::Unreadable { table, key: format!("{key:?}"), reason: reason.to_string() }
    }

    /// Turns what a panic left behind into an error.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self::Panicked(text.unwrap_or_else(|| "no message".into()))
    }
}
