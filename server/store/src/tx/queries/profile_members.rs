//! The memories of a profile.

use std::collections::HashSet;

use diesel::prelude::*;
use orgmem_policies::ReadPass;
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::Id;
use crate::contract::ProfileFilter;
use crate::engine::RowContext;
use crate::schema::memories;

/// The memories of a profile.
pub(super) struct ProfileMembers {
    ids: HashSet<Uuid>,
    /// Whether `ids` are the memories outside the profile.
    is_complement: bool,
}

impl ProfileMembers {
    pub(super) fn contains(&self, id: Uuid) -> bool {
        self.ids.contains(&id) != self.is_complement
    }
}

impl Tx<'_> {
    /// The memories of the reader that belong to one of its profiles.
    pub(super) fn profile_members(
        &mut self,
        pass: &ReadPass,
        profile: ProfileFilter,
    ) -> Result<ProfileMembers, StoreError> {
        let named = memories::table.filter(memories::org_id.eq(Id::from(pass.org()))).select(memories::id);
        let conn = self.drained()?;
        let ids: Vec<Id> = match profile.is_default {
            // the complement, as most memories of the default profile have no profile id
            true => named
                .filter(memories::profile_id.is_not_null())
                .filter(memories::profile_id.ne(Some(Id(profile.id))))
                .filter(memories::author_id.eq(Id::from(pass.reader())))
                .load(conn),
            false => named.filter(memories::profile_id.eq(Some(Id(profile.id)))).load(conn),
        }
        .row_context("memories", profile.id)?;
        Ok(ProfileMembers { ids: ids.into_iter().map(|id| id.0).collect(), is_complement: profile.is_default })
    }
}
