//! The rows of orgs: looked up at once, and locked in the order of their ids, so that two servers never wait for each
//! other in a circle.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;

use super::Conn;
use crate::StoreError;
use crate::cache::OrgRow;
use crate::columns::Id;
use crate::engine::RowContext;
use crate::schema::orgs;

/// The rows of these orgs, those that are there.
pub(super) fn read(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let ids = orgs.iter().copied().map(Id::from);
    let rows = orgs::table.filter(orgs::org_id.eq_any(ids)).select(OrgRow::as_select()).load(conn);
    rows.row_context("orgs", orgs)
}

/// The same, which nobody else changes until the transaction ends.
pub(super) fn lock(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let ids = orgs.iter().copied().map(Id::from);
    let rows = orgs::table.filter(orgs::org_id.eq_any(ids)).order(orgs::org_id).for_update();
    rows.select(OrgRow::as_select()).load(conn).row_context("orgs", orgs)
}
