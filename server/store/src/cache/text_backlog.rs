//! Which orgs need new text blocks.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_hierarchy::{OrgId, WorkspaceId};

use super::OrgBacklog;

/// Orgs with more reported workspaces than this lose the others, which a later search reports again.
const MAX_REPORTED: usize = 1_000;

/// What the job that writes text blocks remembers.
#[derive(Default)]
pub(crate) struct TextBacklog {
    pub(crate) orgs: OrgBacklog,
    /// The workspaces in which a search read many rows that are in no block.
    reported: BTreeMap<OrgId, BTreeSet<WorkspaceId>>,
}

impl TextBacklog {
    /// A search in the workspace read many rows that are in no block.
    pub(crate) fn report(&mut self, org: OrgId, workspace: WorkspaceId) {
        let reported = self.reported.entry(org).or_default();
        if reported.len() < MAX_REPORTED {
            reported.insert(workspace);
        }
    }

    pub(crate) fn next_reported(&self, org: OrgId) -> Option<WorkspaceId> {
        self.reported.get(&org)?.first().copied()
    }

    /// The rows of the workspace are in blocks.
    pub(crate) fn finished(&mut self, org: OrgId, workspace: WorkspaceId) {
        if let Some(reported) = self.reported.get_mut(&org) {
            reported.remove(&workspace);
            if reported.is_empty() {
                self.reported.remove(&org);
            }
        }
    }

    /// The orgs to examine: those of the [`OrgBacklog`], those with reports, and those with `noted` changes of episodes.
    pub(crate) fn due(&mut self, behind: &[(OrgId, i64)], noted: Vec<OrgId>) -> Vec<OrgId> {
        let mut due: BTreeSet<OrgId> = self.orgs.due(behind).into_iter().collect();
        due.extend(noted);
        due.extend(self.reported.keys());
        due.into_iter().collect()
    }
}
