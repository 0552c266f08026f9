//! The permission table: actions, roles and where they apply.

use crate::Role;

/// Operations on, in or as a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Read its name, path and counts.
    ReadWorkspace,
    /// Read the tree below it.
    ReadTree,
    /// Read its reach and audience with reasons.
    ReadReach,
    /// Read memories as it.
    ReadMemories,
    /// Commit memories as it.
    WriteMemories,
    /// Delete its memories.
    ForgetMemories,
    /// Redact its memories.
    RedactMemories,
    /// Read its entries.
    ReadEntries,
    /// Write and delete its entries.
    WriteEntries,
    /// Read and search its episodes.
    ReadActivity,
    /// Append episodes.
    AppendActivity,
    /// Create a workspace below it, or move one there.
    AddChild,
    /// Change its name, role or metadata.
    EditWorkspace,
    /// Move it elsewhere.
    MoveWorkspace,
    /// Remove it.
    RemoveWorkspace,
    /// Erase its content when it is removed.
    PurgeWorkspace,
    /// Issue and revoke its tokens.
    ManageTokens,
    /// Read its audit rows.
    ReadAccessLog,
    /// Watch its events.
    WatchEvents,
    /// Create, change and delete its profiles.
    ManageProfiles,
    /// Approve and withdraw its skills.
    ManageSkills,
    /// Read the records of its tree.
    ReadRecords,
    /// Write the records of its tree.
    WriteRecords,
    /// Decide reviews of its memories and episodes.
    DecideReviews,
    /// Read its collections and their rows, its processors and their runs.
    ReadRows,
    /// Write its collections and their rows, and run its processors.
    WriteRows,
    /// Define and delete its processors.
    ManageProcessors,
    /// Give and revoke grants of its end users.
    ManageGrants,
}

/// Operations on the server, for admins only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerAction {
    /// Create a root workspace.
    CreateOrg,
    /// Import an org from a document.
    ImportOrg,
    /// Read all trees and the statistics of the server.
    ReadServer,
    /// Erase the data of an end user, or an org.
    Erase,
    /// Apply changed rules for credentials to what is stored.
    Scrub,
    /// Issue and revoke admin tokens, and revoke tokens signed elsewhere.
    ManageAdminTokens,
    /// Promote and demote providers.
    ManageProviders,
}

/// Where a role may perform an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AllowedOn {
    Nowhere,
    /// In the bound workspace.
    Own,
    /// In the bound workspace and its descendants.
    Subtree,
    Everywhere,
}

impl Permission {
    /// All permissions, in the order of the table.
    pub const ALL: [Self; 28] = [
        Self::ReadWorkspace,
        Self::ReadTree,
        Self::ReadReach,
        Self::ReadMemories,
        Self::WriteMemories,
        Self::ForgetMemories,
        Self::RedactMemories,
        Self::ReadEntries,
        Self::WriteEntries,
        Self::ReadActivity,
        Self::AppendActivity,
        Self::AddChild,
        Self::EditWorkspace,
        Self::MoveWorkspace,
        Self::RemoveWorkspace,
        Self::PurgeWorkspace,
        Self::ManageTokens,
        Self::ReadAccessLog,
        Self::WatchEvents,
        Self::ManageProfiles,
        Self::ManageSkills,
        Self::ReadRecords,
        Self::WriteRecords,
        Self::DecideReviews,
        Self::ReadRows,
        Self::WriteRows,
        Self::ManageProcessors,
        Self::ManageGrants,
    ];

    /// Whether a token that is bound to an end user has this permission: all that it reads and writes belongs to that user,
    /// or to none.
    ///
    /// Source: `docs/spec/tiers.md`, "Bound tokens".
    pub(crate) const fn is_of_one_user(self) -> bool {
        match self {
            Self::ReadWorkspace
            | Self::ReadReach
            | Self::ReadMemories
            | Self::WriteMemories
            | Self::ForgetMemories
            | Self::ReadEntries
            | Self::WriteEntries
            | Self::ReadActivity
            | Self::AppendActivity
            | Self::WatchEvents
            | Self::ReadRecords => true,
            Self::ReadTree
            | Self::RedactMemories
            | Self::AddChild
            | Self::EditWorkspace
            | Self::MoveWorkspace
            | Self::RemoveWorkspace
            | Self::PurgeWorkspace
            | Self::ManageTokens
            | Self::ReadAccessLog
            | Self::ManageProfiles
            | Self::ManageSkills
            | Self::WriteRecords
            | Self::DecideReviews
            | Self::ReadRows
            | Self::WriteRows
            | Self::ManageProcessors
            // a token of an end user gives its own: `GrantPass`
            | Self::ManageGrants => false,
        }
    }

    /// Where `role` has this permission.
    ///
    /// Source: `docs/spec/callers.md`, "Roles".
    pub(crate) const fn allowed(self, role: Role) -> AllowedOn {
        match role {
            Role::Source => match self {
                Self::WriteRecords => AllowedOn::Own,
                _ => AllowedOn::Nowhere,
            },
            Role::Admin => AllowedOn::Everywhere,
            Role::Operator => AllowedOn::Subtree,
            Role::Viewer => match self {
                Self::ReadWorkspace
                | Self::ReadTree
                | Self::ReadReach
                | Self::ReadMemories
                | Self::ReadEntries
                | Self::ReadActivity
                | Self::ReadAccessLog
                | Self::WatchEvents
                | Self::ReadRecords
                | Self::ReadRows => AllowedOn::Subtree,
                Self::WriteMemories
                | Self::ForgetMemories
                | Self::RedactMemories
                | Self::WriteEntries
                | Self::AppendActivity
                | Self::AddChild
                | Self::EditWorkspace
                | Self::MoveWorkspace
                | Self::RemoveWorkspace
                | Self::PurgeWorkspace
                | Self::ManageTokens
                | Self::ManageProfiles
                | Self::ManageSkills
                | Self::WriteRecords
                | Self::DecideReviews
                | Self::WriteRows
                | Self::ManageProcessors
                | Self::ManageGrants => AllowedOn::Nowhere,
            },
            Role::Agent => match self {
                Self::ReadWorkspace
                | Self::ReadReach
                | Self::ReadMemories
                | Self::WriteMemories
                | Self::ForgetMemories
                | Self::ReadEntries
                | Self::WriteEntries
                | Self::ReadActivity
                | Self::AppendActivity
                | Self::ReadAccessLog
                | Self::WatchEvents
                | Self::ReadRecords
                | Self::ReadRows
                | Self::WriteRows => AllowedOn::Own,
                Self::ReadTree
                | Self::RedactMemories
                | Self::AddChild
                | Self::EditWorkspace
                | Self::MoveWorkspace
                | Self::RemoveWorkspace
                | Self::PurgeWorkspace
                | Self::ManageTokens
                | Self::ManageProfiles
                | Self::ManageSkills
                | Self::WriteRecords
                | Self::DecideReviews
                | Self::ManageProcessors
                | Self::ManageGrants => AllowedOn::Nowhere,
            },
        }
    }

    /// The end of a sentence "… may …".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::ReadWorkspace => "see the workspace",
            Self::ReadTree => "see the tree below the workspace",
            Self::ReadReach => "see the reach of the workspace",
            Self::ReadMemories => "read memories as the workspace",
            Self::WriteMemories => "write memories as the workspace",
            Self::ForgetMemories => "delete memories of the workspace",
            Self::RedactMemories => "redact memories of the workspace",
            Self::ReadEntries => "read the entries of the workspace",
            Self::WriteEntries => "write the entries of the workspace",
            Self::ReadActivity => "read the activity of the workspace",
            Self::AppendActivity => "append to the activity of the workspace",
            Self::AddChild => "add workspaces below the workspace",
            Self::EditWorkspace => "edit the workspace",
            Self::MoveWorkspace => "move the workspace",
            Self::RemoveWorkspace => "remove the workspace",
            Self::PurgeWorkspace => "erase the content of the workspace",
            Self::ManageTokens => "issue or revoke tokens of the workspace",
            Self::ReadAccessLog => "read the audit log of the workspace",
            Self::WatchEvents => "watch the events of the workspace",
            Self::ManageProfiles => "change the profiles of the workspace",
            Self::ManageSkills => "approve or withdraw skills of the workspace",
            Self::ReadRecords => "read the records of the tree as the workspace",
            Self::DecideReviews => "decide reviews of the workspace",
            Self::WriteRecords => "write the records of the tree of the workspace",
            Self::ReadRows => "read the rows of the workspace",
            Self::WriteRows => "write the rows of the workspace",
            Self::ManageProcessors => "define the processors of the workspace",
            Self::ManageGrants => "give or revoke grants of the workspace",
        }
    }

    /// The name in `GET /me` and in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadWorkspace => "read_workspace",
            Self::ReadTree => "read_tree",
            Self::ReadReach => "read_reach",
            Self::ReadMemories => "read_memories",
            Self::WriteMemories => "write_memories",
            Self::ForgetMemories => "forget_memories",
            Self::RedactMemories => "redact_memories",
            Self::ReadEntries => "read_entries",
            Self::WriteEntries => "write_entries",
            Self::ReadActivity => "read_activity",
            Self::AppendActivity => "append_activity",
            Self::AddChild => "add_child",
            Self::EditWorkspace => "edit_workspace",
            Self::MoveWorkspace => "move_workspace",
            Self::RemoveWorkspace => "remove_workspace",
            Self::PurgeWorkspace => "purge_workspace",
            Self::ManageTokens => "manage_tokens",
            Self::ReadAccessLog => "read_access_log",
            Self::WatchEvents => "watch_events",
            Self::ManageProfiles => "manage_profiles",
            Self::ManageSkills => "manage_skills",
            Self::ReadRecords => "read_records",
            Self::DecideReviews => "decide_reviews",
            Self::WriteRecords => "write_records",
            Self::ReadRows => "read_rows",
            Self::WriteRows => "write_rows",
            Self::ManageProcessors => "manage_processors",
            Self::ManageGrants => "manage_grants",
        }
    }
}

impl ServerAction {
    /// All server actions.
    pub const ALL: [Self; 7] = [
        Self::CreateOrg,
        Self::ImportOrg,
        Self::ReadServer,
        Self::Erase,
        Self::Scrub,
        Self::ManageAdminTokens,
        Self::ManageProviders,
    ];

    /// Whether `role` may perform the action.
    pub(crate) const fn allowed(self, role: Role) -> bool {
        matches!(role, Role::Admin)
    }

    /// The end of a sentence "… may …".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::CreateOrg => "create a root workspace",
            Self::ImportOrg => "import an org",
            Self::ReadServer => "see the whole server",
            Self::Erase => "erase an end user or an org",
            Self::Scrub => "scrub what is stored",
            Self::ManageAdminTokens => "issue or revoke tokens that are bound to no workspace here",
            Self::ManageProviders => "promote or demote a provider",
        }
    }

    /// The name in `GET /me` and in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CreateOrg => "create_org",
            Self::ImportOrg => "import_org",
            Self::ReadServer => "read_server",
            Self::Erase => "erase",
            Self::Scrub => "scrub",
            Self::ManageAdminTokens => "manage_admin_tokens",
            Self::ManageProviders => "manage_providers",
        }
    }
}
