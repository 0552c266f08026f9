//! What is announced, as events name it.

use std::fmt;
use std::str::FromStr;

macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)*) => {
        /// What an event announces.
        ///
        /// Source: product.md, section 4.8.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EventKind {
            $($(#[$doc])* $kind,)*
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The word in storage and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $word,)*
                }
            }
        }
    };
}

event_kinds! {
    /// A memory is there, or there in a new form.
    MemoryCommitted = "memory_committed",
    /// A memory says something else now.
    MemoryEdited = "memory_edited",
    /// Memories went into a block for a prompt.
    MemoryInjected = "memory_injected",
    /// A person took a memory's content away.
    MemoryRedacted = "memory_redacted",
    /// A memory was forgotten.
    MemoryDeleted = "memory_deleted",
    /// An entry was put or dropped.
    KvChanged = "kv_changed",
    /// An episode was appended.
    ActivityLogged = "activity_logged",
    /// A workspace was created.
    WorkspaceCreated = "workspace_created",
    /// A workspace has another name, role or metadata.
    WorkspaceEdited = "workspace_edited",
    /// A workspace has another parent.
    WorkspaceMoved = "workspace_moved",
    /// A workspace is gone.
    WorkspaceRemoved = "workspace_removed",
    /// A profile was created, changed or deleted.
    ProfileChanged = "profile_changed",
    /// A run was started.
    RunStarted = "run_started",
    /// A run holds back more, less or something else.
    RunChanged = "run_changed",
    /// A run ended.
    RunFinished = "run_finished",
}

/// A text that names no kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of event; `memory_committed`, `kv_changed` and others are known")]
pub struct UnknownEventKind;

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EventKind {
    type Err = UnknownEventKind;

    fn from_str(text: &str) -> Result<Self, UnknownEventKind> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == text).ok_or(UnknownEventKind)
    }
}
