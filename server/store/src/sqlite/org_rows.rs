//! The rows of orgs: looked up one by one, with one prepared statement. There is one writer, so none needs a lock.

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
    let mut row = |org: &OrgId| {
        let found = orgs::table.find(Id::from(*org)).select(OrgRow::as_select()).first(conn).optional();
        found.row_context("orgs", org).transpose()
    };
    orgs.iter().filter_map(&mut row).collect()
}

/// The same, which nobody else changes until the transaction ends.
pub(super) fn lock(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    read(conn, orgs)
}
