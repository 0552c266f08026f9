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
        let orgs: Vec<Id> = match org {
            Some(org) => vec![Id::from(org)],
            None => orgs::table.select(orgs::org_id).load(self.conn()?).row_context("orgs", id)?,
        };
        let mut found = Vec::new();
        for org in orgs {
            // by the primary keys, which begin with the org
            let profile: Option<Id> = profiles::table
                .find((org, Id(id)))
                .select(profiles::workspace_id)
                .first(self.conn()?)
                .optional()
                .row_context("profiles", id)?;
            let memory: Option<Id> = memories::table
                .find((org, Id(id)))
                .select(memories::author_id)
                .first(self.conn()?)
                .optional()
                .row_context("memories", id)?;
            let located = |workspace: Id, kind| Located { org: org.org(), workspace: workspace.0.into(), kind };
            found.extend(profile.map(|workspace| located(workspace, LocatedKind::Profile)));
            found.extend(memory.map(|author| located(author, LocatedKind::Memory)));
        }
        Ok(found)
    }
}
