//! Reads of org rows with one statement, and locks in the order of the ids, so that servers never deadlock.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use orgmem_hierarchy::OrgId;

use super::{BEGIN_WRITE, Conn};
use crate::StoreError;
use crate::cache::OrgRow;
use crate::columns::Id;
use crate::engine::RowContext;
use crate::schema::orgs;

/// The first key of the advisory locks of ids; an arbitrary number that is the same for all orgmem servers.
const NEW_ORGS: i32 = 0x6f72_6773;

/// The rows of these orgs, without orgs that do not exist.
pub(super) fn read(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let ids = orgs.iter().copied().map(Id::from);
    let rows = orgs::table.filter(orgs::org_id.eq_any(ids)).select(OrgRow::as_select()).load(conn);
    rows.row_context("orgs", orgs)
}

/// The same, locked until the end of the transaction. The ids of orgs that do not exist are locked too, so that servers
/// that create the same org wait for each other.
pub(super) fn lock(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let rows = lock_rows(conn, orgs)?;
    if rows.len() == orgs.len() {
        return Ok(rows);
    }
    let mut absent: Vec<i32> =
        orgs.iter().filter(|org| !rows.iter().any(|row| row.org_id.org() == **org)).map(|org| lock_key(*org)).collect();
    absent.sort_unstable();
    absent.dedup();
    // ids are locked before rows everywhere, so that servers never deadlock: this releases the rows
    conn.batch_execute(&format!("ROLLBACK; {BEGIN_WRITE}"))?;
    for key in absent {
        let lock = diesel::sql_query("SELECT pg_advisory_xact_lock($1, $2)");
        lock.bind::<Integer, _>(NEW_ORGS).bind::<Integer, _>(key).execute(conn)?;
    }
    lock_rows(conn, orgs)
}

fn lock_rows(conn: &mut Conn, orgs: &[OrgId]) -> Result<Vec<OrgRow>, StoreError> {
    let ids = orgs.iter().copied().map(Id::from);
    let rows = orgs::table.filter(orgs::org_id.eq_any(ids)).order(orgs::org_id).for_update();
    rows.select(OrgRow::as_select()).load(conn).row_context("orgs", orgs)
}

/// The second key of the lock of an id. Ids with the same key wait for each other.
fn lock_key(org: OrgId) -> i32 {
    let (high, low) = org.uuid().as_u64_pair();
    // the low bits of both halves: the high bits of one are a time, those of the other are fixed
    ((high ^ low) as u32).cast_signed()
}
