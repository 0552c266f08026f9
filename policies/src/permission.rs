//! What can be done, and which role may do it where: the whole permission table on one page.

use crate::Role;

/// Something done to, in or as a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// See its row: name, path, counts.
    ReadWorkspace,
    /// See the tree below it, node by node.
    ReadTree,
    /// See whom it reads and who reads it, with reasons.
    ReadReach,
    /// Read memories as it.
    ReadMemories,
    /// Commit memories as it.
    WriteMemories,
    /// Forget memories it wrote.
    ForgetMemories,
    /// Take the content of memories it wrote away, with a reason.
    RedactMemories,
    /// Read its entries.
    ReadEntries,
    /// Put and drop its entries.
    WriteEntries,
    /// Read its episodes, and search them.
    ReadActivity,
    /// Append an episode to its log.
    AppendActivity,
    /// Create a workspace below it, or have one moved there.
    AddChild,
    /// Change its name, role or metadata.
    EditWorkspace,
    /// Move it elsewhere.
    MoveWorkspace,
    /// Remove it.
    RemoveWorkspace,
    /// Erase what it held when it is removed.
    PurgeWorkspace,
    /// Issue and revoke tokens bound to it.
    ManageTokens,
    /// Read what was done as it or to it.
    ReadAccessLog,
    /// Watch what happens to it and to what it can read.
    WatchEvents,
    /// Create, change and delete its profiles.
    ManageProfiles,
}

/// Something done to the server as a whole; for admins alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerAction {
    /// Create a root workspace.
    CreateOrg,
    /// Create or complete a whole tree from a document.
    ImportOrg,
    /// See every tree and the server's counts.
    ReadServer,
    /// Erase what is stored about an end user, or a whole org.
    Erase,
    /// Issue and revoke admin tokens, and tokens that the server did not issue.
    ManageAdminTokens,
}

/// Where a role may do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AllowedOn {
    Nowhere,
    /// In the workspace it is bound to.
    Own,
    /// In that workspace and all below it.
    Subtree,
    Everywhere,
}

impl Permission {
    /// Every action, in the order of the table.
    pub const ALL: [Self; 20] = [
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
    ];

    /// Where `role` may do this.
    ///
    /// Source: product.md, section 3, the table of roles.
    pub(crate) const fn allowed(self, role: Role) -> AllowedOn {
        match role {
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
                | Self::WatchEvents => AllowedOn::Subtree,
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
                | Self::ManageProfiles => AllowedOn::Nowhere,
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
                | Self::WatchEvents => AllowedOn::Own,
                Self::ReadTree
                | Self::RedactMemories
                | Self::AddChild
                | Self::EditWorkspace
                | Self::MoveWorkspace
                | Self::RemoveWorkspace
                | Self::PurgeWorkspace
                | Self::ManageTokens
                | Self::ManageProfiles => AllowedOn::Nowhere,
            },
        }
    }

    /// The action as the end of "may …".
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
            Self::ReadEntries => "read the keys of the workspace",
            Self::WriteEntries => "write the keys of the workspace",
            Self::ReadActivity => "read the activity of the workspace",
            Self::AppendActivity => "append to the activity of the workspace",
            Self::AddChild => "add workspaces below the workspace",
            Self::EditWorkspace => "edit the workspace",
            Self::MoveWorkspace => "move the workspace",
            Self::RemoveWorkspace => "remove the workspace",
            Self::PurgeWorkspace => "erase what the workspace held",
            Self::ManageTokens => "issue or revoke tokens of the workspace",
            Self::ReadAccessLog => "read the access log of the workspace",
            Self::WatchEvents => "watch the events of the workspace",
            Self::ManageProfiles => "change the profiles of the workspace",
        }
    }

    /// The action's name, as `GET /me` and the table spell it.
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
        }
    }
}

impl ServerAction {
    /// Every server action.
    pub const ALL: [Self; 5] =
        [Self::CreateOrg, Self::ImportOrg, Self::ReadServer, Self::Erase, Self::ManageAdminTokens];

    /// Whether `role` may do this.
    pub(crate) const fn allowed(self, role: Role) -> bool {
        matches!(role, Role::Admin)
    }

    /// The action as the end of "may …".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::CreateOrg => "create a root workspace",
            Self::ImportOrg => "import an org",
            Self::ReadServer => "see the whole server",
            Self::Erase => "erase an end user or an org",
            Self::ManageAdminTokens => "issue or revoke tokens that are bound to no workspace here",
        }
    }

    /// The action's name, as `GET /me` and the table spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CreateOrg => "create_org",
            Self::ImportOrg => "import_org",
            Self::ReadServer => "read_server",
            Self::Erase => "erase",
            Self::ManageAdminTokens => "manage_admin_tokens",
        }
    }
}
