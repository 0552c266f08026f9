//! Which orgs need new text blocks.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use orgmem_hierarchy::{OrgId, WorkspaceId};

/// Orgs with more reported workspaces than this lose the others, which a later search reports again.
const MAX_REPORTED: usize = 1_000;

/// What the job that writes text blocks remembers.
#[derive(Default)]
pub(crate) struct TextBacklog {
    /// The workspaces in which a search read many rows that are in no block.
    reported: BTreeMap<OrgId, BTreeSet<WorkspaceId>>,
    /// Orgs without changes for their blocks, and the version at which they were examined.
    examined: HashMap<OrgId, i64>,
    damaged: HashSet<OrgId>,
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

    pub(crate) fn report_damage(&mut self, org: OrgId) {
        self.damaged.insert(org);
    }

    pub(crate) fn is_damaged(&self, org: OrgId) -> bool {
        self.damaged.contains(&org)
    }

    pub(crate) fn repaired(&mut self, org: OrgId) {
        self.damaged.remove(&org);
    }

    pub(crate) fn examined(&mut self, org: OrgId, version: i64) {
        self.examined.insert(org, version);
    }

    /// The orgs to examine: those with reports or damage, and those `behind` the changes of their memories, whose version
    /// was not examined yet. `noted` have noted changes of episodes.
    pub(crate) fn due(&mut self, behind: &[(OrgId, i64)], noted: Vec<OrgId>) -> Vec<OrgId> {
        let versions: HashMap<OrgId, i64> = behind.iter().copied().collect();
        self.examined.retain(|org, version| versions.get(org) == Some(version));
        let new = versions.into_keys().filter(|org| !self.examined.contains_key(org));
        let mut due: BTreeSet<OrgId> = new.collect();
        due.extend(noted);
        due.extend(self.reported.keys().chain(&self.damaged));
        due.into_iter().collect()
    }
}
