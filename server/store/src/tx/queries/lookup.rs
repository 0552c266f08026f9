//! Workspaces of profiles and memories, by id.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::Id;
use crate::contract::{Located, LocatedKind};
use crate::engine::RowContext;
use crate::schema::{memories, orgs, profiles};

impl Tx<'_> {
    pub(crate) fn located(&mut self, org: Option<OrgId>, id: Uuid) -> Result<Vec<Located>, StoreError> {
        // by the primary keys, which begin with the org: without an org, one probe of each inside the database
        let every_org = || orgs::table.select(orgs::org_id);
        let mut in_profiles = profiles::table
            .filter(profiles::id.eq(Id(id)))
            .select((profiles::org_id, profiles::workspace_id))
            .into_boxed();
        let mut in_memories = memories::table
            .filter(memories::id.eq(Id(id)))
            .select((memories::org_id, memories::author_id))
            .into_boxed();
        match org.map(Id::from) {
            Some(org) => {
                in_profiles = in_profiles.filter(profiles::org_id.eq(org));
                in_memories = in_memories.filter(memories::org_id.eq(org));
            }
            None => {
                in_profiles = in_profiles.filter(profiles::org_id.eq_any(every_org()));
                in_memories = in_memories.filter(memories::org_id.eq_any(every_org()));
            }
        }
        let in_profiles: Vec<(Id, Id)> = in_profiles.load(self.conn()?).row_context("profiles", id)?;
        let in_memories: Vec<(Id, Id)> = in_memories.load(self.conn()?).row_context("memories", id)?;
        let located =
            |kind| move |(org, workspace): (Id, Id)| Located { org: org.org(), workspace: workspace.0.into(), kind };
        let mut found: Vec<Located> = in_profiles.into_iter().map(located(LocatedKind::Profile)).collect();
        found.extend(in_memories.into_iter().map(located(LocatedKind::Memory)));
        Ok(found)
    }
}
