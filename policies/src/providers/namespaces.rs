//! The namespaces of a provider. Each contains the memories of one author that the same workspaces read, so that a search
//! in the namespaces of a reader finds nothing that the reader may not see.

use std::collections::BTreeSet;

use orgmem_hierarchy::{Reach, Readable, Scope, WorkspaceId};

/// The largest number of namespaces that one search names, as the memory-plugin contract limits it.
pub const MAX_SEARCHED: usize = 1000;

/// The namespace of a memory.
#[must_use]
pub fn memory_namespace(author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> String {
    match (scope, team) {
        (Scope::Local, _) => format!("workspace:{author}"),
        (Scope::Team, None) => format!("team:{author}"),
        (Scope::Team, Some(lead)) => format!("team:{author}.{lead}"),
        (Scope::Global, _) => format!("org:{author}"),
    }
}

/// The namespace of the episodes of a workspace.
#[must_use]
pub fn episodes_namespace(workspace: WorkspaceId) -> String {
    format!("custom:episodes.{workspace}")
}

/// The namespace of the pages of a workspace.
#[must_use]
pub fn pages_namespace(workspace: WorkspaceId) -> String {
    format!("custom:pages.{workspace}")
}

/// The namespaces of the memories within a reach; `None` if they are more than [`MAX_SEARCHED`]. `parent` is the parent of
/// the reader. Own memories that are bound to a former team are omitted.
#[must_use]
pub fn searched_namespaces(reach: &Reach, parent: Option<WorkspaceId>) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for part in reach.parts() {
        match *part {
            Readable::Own(own) => {
                let teams = [None, Some(own)].into_iter().chain(parent.map(Some));
                names.extend(teams.map(|team| memory_namespace(own, Scope::Team, team)));
                names.insert(memory_namespace(own, Scope::Local, None));
                names.insert(memory_namespace(own, Scope::Global, None));
            }
            Readable::Team { author, lead, .. } => {
                names.extend([None, Some(lead)].map(|team| memory_namespace(author, Scope::Team, team)));
            }
            Readable::Org(root) => drop(names.insert(memory_namespace(root, Scope::Global, None))),
        }
        if names.len() > MAX_SEARCHED {
            return None;
        }
    }
    Some(names)
}
