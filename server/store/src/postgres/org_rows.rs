//! Reads of org rows with one statement, and locks in the order of the ids, so that servers never deadlock.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;

use super::Conn;
use crate::StoreError;
use crate::cache::OrgRow;
use crate::columns::Id;
use crate::engine::RowContext;
use crate::schema::orgs;

/// The rows of these orgs, without orgs that do not exist.
pub(super) fn read(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let ids = orgs.iter().copied().map(Id::from);
    let rows = orgs::table.filter(orgs::org_id.eq_any(ids)).select(OrgRow::as_select()).load(conn);
    rows.row_context("orgs", orgs)
}

/// The same, locked until the end of the transaction.
pub(super) fn lock(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let ids = orgs.iter().copied().map(Id::from);
    let rows = orgs::table.filter(orgs::org_id.eq_any(ids)).order(orgs::org_id).for_update();
    rows.select(OrgRow::as_select()).load(conn).row_context("orgs", orgs)
}
