//! Kinds of events.

use std::fmt;
use std::str::FromStr;

macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)*) => {
        /// The `kind` of an event.
        ///
        /// Source: `docs/spec/events.md`, "Kinds".
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EventKind {
            $($(#[$doc])* $kind,)*
        }

        impl EventKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name in storage and JSON.
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
    /// A memory was created or replaced.
    MemoryCommitted = "memory_committed",
    /// A memory was edited.
    MemoryEdited = "memory_edited",
    /// Memories were injected into a context block.
    MemoryInjected = "memory_injected",
    /// A memory was redacted.
    MemoryRedacted = "memory_redacted",
    /// A memory was deleted.
    MemoryDeleted = "memory_deleted",
    /// An entry was written or deleted.
    KvChanged = "kv_changed",
    /// An episode was appended.
    ActivityLogged = "activity_logged",
    /// An episode was redacted.
    ActivityRedacted = "activity_redacted",
    /// Pages were written.
    PagesCompacted = "pages_compacted",
    /// A skill became active.
    SkillPromoted = "skill_promoted",
    /// A skill has another active version or a new draft, or its evidence fell.
    SkillChanged = "skill_changed",
    /// A skill was withdrawn.
    SkillWithdrawn = "skill_withdrawn",
    /// Records were replaced, changed or deleted.
    RecordChanged = "record_changed",
    /// A document was created, changed, deleted or redacted.
    DocumentChanged = "document_changed",
    /// A collection was changed, or rows were written, deleted or withdrawn.
    RowsChanged = "rows_changed",
    /// A processor ran.
    ProcessorRan = "processor_ran",
    /// A person decided that a memory was right and the record is not.
    RecordDisputed = "record_disputed",
    /// A provider returned an id that a reader may not see.
    ProviderDisqualified = "provider_disqualified",
    /// A workspace was created.
    WorkspaceCreated = "workspace_created",
    /// A workspace was renamed, or its role or metadata changed.
    WorkspaceEdited = "workspace_edited",
    /// A workspace was moved.
    WorkspaceMoved = "workspace_moved",
    /// A workspace was removed.
    WorkspaceRemoved = "workspace_removed",
    /// A profile was created, changed or deleted.
    ProfileChanged = "profile_changed",
    /// A run was started.
    RunStarted = "run_started",
    /// The pending memories of a run changed.
    RunChanged = "run_changed",
    /// A run ended.
    RunFinished = "run_finished",
}

/// Invalid name of an event kind.
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
