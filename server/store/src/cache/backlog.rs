//! Which orgs need new segments or text blocks.

use std::collections::{HashMap, HashSet};

use orgmem_hierarchy::OrgId;

/// What a job that writes segments or text blocks remembers of orgs.
#[derive(Default)]
pub(crate) struct OrgBacklog {
    /// Orgs without enough changes, and the version at which they were examined.
    examined: HashMap<OrgId, i64>,
    /// Orgs with a missing or damaged segment or block.
    damaged: HashSet<OrgId>,
}

impl OrgBacklog {
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

    /// The orgs to examine, of all that are `behind`.
    pub(crate) fn due(&mut self, behind: &[(OrgId, i64)]) -> Vec<OrgId> {
        let behind: HashMap<OrgId, i64> = behind.iter().copied().collect();
        self.examined.retain(|org, version| behind.get(org) == Some(version));
        let new = behind.keys().filter(|org| !self.examined.contains_key(org));
        let mut due: Vec<OrgId> = new.chain(&self.damaged).copied().collect();
        due.sort_unstable();
        due.dedup();
        due
    }
}
