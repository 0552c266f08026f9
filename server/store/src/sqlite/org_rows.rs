//! Reads of org rows, one by one with a prepared statement. With a single writer the rows need no lock.

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
    let mut row = |org: &OrgId| {
        let found = orgs::table.find(Id::from(*org)).select(OrgRow::as_select()).first(conn).optional();
        found.row_context("orgs", org).transpose()
    };
    orgs.iter().filter_map(&mut row).collect()
}

/// The same, for a write transaction. The lock of the file already excludes other writers.
pub(super) fn lock(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    read(conn, orgs)
}
