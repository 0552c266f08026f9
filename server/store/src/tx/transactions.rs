//! Begins and ends transactions through diesel's transaction manager, so that a pool recognizes broken connections.

use std::collections::HashMap;

use diesel::Connection;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use orgmem_hierarchy::OrgId;

use super::{Conn, OrgView, Tx, TxKind, org_rows};
use crate::StoreError;
use crate::cache::OrgRow;
use crate::contract::{ReadTx, SERVER};
use crate::engine::{Core, Lease, Retry};

type Db = <Conn as Connection>::Backend;

/// A statement without parameters. Unlike a statement passed as text, it is prepared once per connection. Preparation
/// costs more than execution.
struct StaticStatement(&'static str);

impl QueryFragment<Db> for StaticStatement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        out.push_sql(self.0);
        Ok(())
    }
}

impl QueryId for StaticStatement {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl RunQueryDsl<Conn> for StaticStatement {}

/// Begins a snapshot. An error marks the connection as broken.
pub(crate) fn begin_read(conn: &mut Conn, statement: &'static str) -> Result<(), StoreError> {
    let begun = StaticStatement(statement).execute(conn);
    if begun.is_err() {
        AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
    }
    Ok(begun.map(drop)?)
}

/// Ends a snapshot. An error marks the connection as broken; it is not used again.
fn end_read(conn: &mut Conn) {
    if let Err(error) = StaticStatement("ROLLBACK").execute(conn) {
        tracing::warn!(%error, "could not end a read; the connection is dropped");
        AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
    }
}

/// Begins a transaction. An error marks the connection as broken.
pub(crate) fn begin(conn: &mut Conn, statement: &str) -> Result<(), StoreError> {
    let begun = AnsiTransactionManager::begin_transaction_sql(conn, statement);
    if begun.is_err() {
        AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
    }
    Ok(begun?)
}

pub(crate) fn begin_savepoint(conn: &mut Conn) -> Result<(), StoreError> {
    Ok(AnsiTransactionManager::begin_transaction(conn)?)
}

/// Whether a failed statement ended the transaction. SQLite ends it when the disk is full or broken, and would execute
/// each later statement outside of a transaction. PostgreSQL ends it after any error, and rejects each later statement.
pub(crate) fn is_lost(conn: &mut Conn) -> bool {
    let (probe, succeeds_in_transaction) = super::PROBE;
    StaticStatement(probe).execute(conn).is_ok() != succeeds_in_transaction
}

/// Commits the transaction, or releases the savepoint.
pub(crate) fn commit(conn: &mut Conn) -> Result<(), StoreError> {
    Ok(AnsiTransactionManager::commit_transaction(conn)?)
}

pub(crate) fn roll_back_savepoint(conn: &mut Conn) -> Result<(), StoreError> {
    Ok(AnsiTransactionManager::rollback_transaction(conn)?)
}

/// Rolls back the transaction with its savepoints. An error marks the connection as broken; it is not used again.
pub(crate) fn roll_back(conn: &mut Conn) {
    let depth = |conn: &mut Conn| {
        AnsiTransactionManager::transaction_manager_status_mut(conn).transaction_depth().ok().flatten()
    };
    while depth(conn).is_some() {
        if let Err(error) = AnsiTransactionManager::rollback_transaction(conn) {
            tracing::warn!(%error, "could not roll back; the connection is dropped");
            AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
        }
    }
}

/// Runs `look` on the open snapshot and ends the read. Returns the reason if the read needs a retry.
///
/// A read without a lease runs on a thread that must not block.
pub(crate) fn read(
    conn: &mut Conn,
    core: &Core,
    lease: Option<Lease<'_>>,
    look: &mut dyn FnMut(&mut dyn ReadTx),
) -> Option<Retry> {
    let mut tx = Tx::new(Some(conn), core, if lease.is_none() { TxKind::Inline } else { TxKind::Read });
    tx.lease = lease.map(|lease| lease.read);
    if let Some(Lease { read, connection }) = lease {
        read.begin(connection);
    }
    look(&mut tx);
    let retry = tx.retry.get();
    // an interrupted statement has failed for no reason of its own
    let cancelled = lease.and_then(|lease| lease.read.end()).map(Retry::from);
    end_read(conn);
    cancelled.or(retry)
}

/// Runs `look` on the caches only. Returns the reason if the read needs a retry.
pub(crate) fn recall(core: &Core, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry> {
    let mut tx = Tx::new(None, core, TxKind::Memory);
    look(&mut tx);
    tx.retry.get()
}

/// Runs `look` on the caches only, at the current rows of `org` and of the server, which has the tokens that are revoked
/// everywhere. All other data requests a retry: a cache entry of an org is used only at a version of its row, and the row
/// of no other org is cached where other servers write.
pub(crate) fn recall_current(
    conn: &mut Conn,
    core: &Core,
    org: OrgId,
    look: &mut dyn FnMut(&mut dyn ReadTx),
) -> Option<Retry> {
    // a transaction distinguishes a broken connection from a failed statement
    let Ok(rows) = org_rows::read(conn, &[SERVER, org]) else { return Some(Retry::WithConnection) };
    let mut rows: HashMap<OrgId, OrgRow> = rows.into_iter().map(|row| (row.org_id.org(), row)).collect();
    let mut tx = Tx::new(None, core, TxKind::Memory);
    for org in [SERVER, org] {
        tx.views.insert(org, OrgView::new(core, org, rows.remove(&org)));
    }
    look(&mut tx);
    tx.retry.get()
}
