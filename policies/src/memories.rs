//! Passes for memories, entries and episodes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use orgmem_hierarchy::{Readable, Scope, Tree, Via, WorkspaceId};

use crate::{
    ActPass, Caller, EditPass, Forbidden, ForgetPass, Isolation, Namespace, Permission, ProfileSettings, ReadPass,
    RecordPass, RedactPass, Refusal, Role, Sharing, UserView, ViewPass, WithheldByProfile, WritePass, permit,
};

impl ReadPass {
    /// Permits `caller` to read memories as `reader`, within the reach of the tree and the isolation of `profile`. No
    /// role reads more than the workspace itself.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`].
    ///
    /// # Source
    /// `docs/spec/tree.md`, "Reach"; `docs/spec/profiles.md`, "Isolation".
    pub fn grant(
        caller: &Caller,
        tree: &Tree,
        reader: WorkspaceId,
        profile: &Arc<ProfileSettings>,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::ReadMemories, tree, reader)?;
        let reach = tree.reach(reader).ok_or(Refusal::NotFound)?;
        let reach = match profile.isolation {
            Isolation::Tree => reach,
            Isolation::Team | Isolation::Isolated | Isolation::Profile => reach.narrowed(|part| profile.permits(part)),
        };
        let users = caller.user().view(profile.subjects, profile.sessions);
        Ok(Self {
            org: tree.org(),
            reach,
            role: caller.role(),
            profile: Arc::clone(profile),
            users,
            withheld: Vec::new(),
        })
    }

    /// Permits `caller` to search what the workspaces of the subtree of `top` read: the memories of each as it reads them
    /// itself, and the memories of others as `top` reads them. `profiles` has the default profiles that differ from the
    /// default settings.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`], for `top` and its subtree.
    ///
    /// # Source
    /// `docs/spec/search.md`, "Search over workspaces".
    pub fn grant_subtree(
        caller: &Caller,
        tree: &Tree,
        top: WorkspaceId,
        profiles: &HashMap<WorkspaceId, Arc<ProfileSettings>>,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::ReadMemories, tree, top)?;
        permit(caller, Permission::ReadTree, tree, top)?;
        let mut reach = tree.subtree_reach(top).ok_or(Refusal::NotFound)?;
        let hiding = profiles.iter().filter(|(author, profile)| hides(profile) && tree.is_within(**author, top));
        let mut withheld: Vec<WithheldByProfile> =
            hiding.map(|(author, profile)| withheld_by(caller, vec![*author], profile)).collect();
        if let Some(profile) = profiles.get(&top) {
            reach = reach.narrowed(|part| profile.permits(part));
            let others = reach.parts().iter().filter(|part| part.via() != Via::Itself);
            let authors: BTreeSet<WorkspaceId> = others.map(Readable::author).collect();
            if hides(profile) && !authors.is_empty() {
                let authors = authors.into_iter().collect();
                withheld.push(withheld_by(caller, authors, profile));
            }
        }
        let users = caller.user().view(Sharing::Open, Sharing::Open);
        Ok(Self { org: tree.org(), reach, role: caller.role(), profile: Arc::default(), users, withheld })
    }
}

/// Whether a profile hides memories one by one.
fn hides(profile: &ProfileSettings) -> bool {
    !profile.excluded_kinds.is_empty() || !profile.within.is_empty() || profile.separates()
}

fn withheld_by(caller: &Caller, authors: Vec<WorkspaceId>, profile: &Arc<ProfileSettings>) -> WithheldByProfile {
    let users = caller.user().view(profile.subjects, profile.sessions);
    WithheldByProfile { authors, profile: Arc::clone(profile), users }
}

impl ReadPass {
    /// Permits the server to repeat the searches of a workspace, in order to compare providers. `None` if the workspace is
    /// not live in this tree, or keeps end users apart: a provider knows none of them.
    ///
    /// # Source
    /// `docs/spec/providers.md`, "Comparison".
    #[must_use]
    pub fn of_workspace(tree: &Tree, reader: WorkspaceId, profile: &Arc<ProfileSettings>) -> Option<Self> {
        if profile.separates() {
            return None;
        }
        let reach = tree.reach(reader)?.narrowed(|part| profile.permits(part));
        let (org, profile, users) = (tree.org(), Arc::clone(profile), UserView::default());
        Some(Self { org, reach, role: Role::Agent, profile, users, withheld: Vec::new() })
    }
}

impl ReadPass {
    /// Permits `caller` to search the memories of these workspaces below `top` themselves, without the rest of their
    /// reach. `profiles` has the default profiles that differ from the default settings.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`], for `top` and its subtree.
    ///
    /// # Complexity
    /// O(`authors` × depth).
    ///
    /// # Source
    /// `docs/spec/plugin.md`, "Search".
    pub fn grant_own(
        caller: &Caller,
        tree: &Tree,
        top: WorkspaceId,
        authors: &[WorkspaceId],
        profiles: &HashMap<WorkspaceId, Arc<ProfileSettings>>,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::ReadMemories, tree, top)?;
        permit(caller, Permission::ReadTree, tree, top)?;
        let reach = tree.own_reach(top, authors).ok_or(Refusal::NotFound)?;
        let reach = reach.narrowed(|part| tree.is_within(part.author(), top));
        let hiding = reach.parts().iter().filter_map(|part| {
            let profile = profiles.get(&part.author()).filter(|profile| hides(profile))?;
            Some(withheld_by(caller, vec![part.author()], profile))
        });
        let withheld = hiding.collect();
        let users = caller.user().view(Sharing::Open, Sharing::Open);
        Ok(Self { org: tree.org(), reach, role: caller.role(), profile: Arc::default(), users, withheld })
    }
}

impl WritePass {
    /// Permits `caller` to write as `author` with `scope` and, for TEAM, `team`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; [`Forbidden::Scope`] when the tree does not allow the scope.
    pub fn grant(
        caller: &Caller,
        tree: &Tree,
        author: WorkspaceId,
        scope: Scope,
        team: Option<WorkspaceId>,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::WriteMemories, tree, author)?;
        tree.write(author, scope, team).map_err(Forbidden::Scope)?;
        Ok(Self { org: tree.org(), author, scope, team, role: caller.role(), user: caller.user().clone() })
    }
}

impl WritePass {
    /// Permits `caller` to write into `namespace` as `author`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; [`Forbidden::Namespace`] with the namespaces that `author` may write.
    ///
    /// # Source
    /// `docs/spec/namespaces.md`, "Writing".
    pub fn grant_in(caller: &Caller, tree: &Tree, author: WorkspaceId, namespace: &Namespace) -> Result<Self, Refusal> {
        permit(caller, Permission::WriteMemories, tree, author)?;
        if !namespace.is_writable(tree, author) {
            return Err(namespace.refused(tree, author).into());
        }
        Self::grant(caller, tree, author, namespace.scope(), namespace.team())
    }

    /// Permits `caller` to commit a pending memory of `author`, staged by a caller of role `wrote`. The current tree
    /// decides; the recorded role stays `wrote`.
    ///
    /// # Errors
    /// As for [`WritePass::grant`].
    pub fn resume(
        caller: &Caller,
        tree: &Tree,
        author: WorkspaceId,
        (scope, team): (Scope, Option<WorkspaceId>),
        wrote: Role,
    ) -> Result<Self, Refusal> {
        Self::grant(caller, tree, author, scope, team).map(|pass| Self { role: wrote, ..pass })
    }
}

impl EditPass {
    /// Permits `caller`, acting as `workspace`, to edit memories of `author`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for `workspace`; [`Forbidden::NotAuthor`] when `workspace` is not the author.
    ///
    /// # Source
    /// `docs/spec/memories.md`, "Edit".
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, author: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::WriteMemories, tree, workspace)?;
        if author != workspace {
            return Err(Forbidden::NotAuthor.into());
        }
        Ok(Self { org: tree.org(), author, role: caller.role(), user: caller.user().clone() })
    }
}

impl ForgetPass {
    /// Permits `caller`, acting as `workspace`, to delete memories of `author`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for `workspace`; [`Forbidden::OthersMemory`] when `workspace` is not the author and
    /// the caller's role does not cover the author.
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, author: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::ForgetMemories, tree, workspace)?;
        if author != workspace {
            permit(caller, Permission::ForgetMemories, tree, author).map_err(|_| Forbidden::OthersMemory)?;
        }
        Ok(Self { org: tree.org(), author, user: caller.user().clone() })
    }
}

impl RedactPass {
    /// Permits `caller`, acting as `workspace`, to redact memories of `author`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`] for both.
    ///
    /// # Source
    /// `docs/spec/erasure.md`, "Redact".
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId, author: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::RedactMemories, tree, workspace)?;
        permit(caller, Permission::RedactMemories, tree, author)?;
        Ok(Self { org: tree.org(), author, by: caller.subject().to_owned() })
    }
}

impl ViewPass {
    /// Permits `caller` to read data of `workspace` under the permission `action`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`].
    pub fn grant(caller: &Caller, action: Permission, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, action, tree, workspace)?;
        Ok(Self { org: tree.org(), workspace, user: caller.user().clone() })
    }
}

impl RecordPass {
    /// Permits `caller` to write the records of `tree`, named by its root `workspace`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; [`Forbidden::RecordsBelowRoot`].
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::WriteRecords, tree, workspace)?;
        let root = tree.root();
        if workspace == root { Ok(Self { org: tree.org(), root }) } else { Err(Forbidden::RecordsBelowRoot.into()) }
    }
}

impl ActPass {
    /// Permits `caller` to write data of `workspace` under the permission `action`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`].
    pub fn grant(caller: &Caller, action: Permission, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, action, tree, workspace)?;
        Ok(Self { org: tree.org(), workspace, user: caller.user().clone() })
    }
}
