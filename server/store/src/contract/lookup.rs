use orgmem_hierarchy::{OrgId, WorkspaceId};

/// The workspace of a profile or a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The org of the workspace.
    pub org: OrgId,
    /// The workspace of the profile, or the author of the memory.
    pub workspace: WorkspaceId,
    /// Profile or memory.
    pub kind: LocatedKind,
}

/// The kind of what has an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocatedKind {
    /// A stored profile.
    Profile,
    /// A memory in any state.
    Memory,
}
