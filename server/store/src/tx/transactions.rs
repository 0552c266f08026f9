//! Beginning and ending transactions, through diesel's own account of them, so that a pool sees which connections are
//! broken.

use diesel::Connection;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

use super::Conn;
use super::{Tx, TxKind};
use crate::StoreError;
use crate::contract::ReadTx;
use crate::engine::{Core, Retry};

type Db = <Conn as Connection>::Backend;

/// A statement that takes no values. Unlike one that is handed over as text it is prepared once for each connection,
/// which costs more than carrying it out does.
struct Fixed(&'static str);

impl QueryFragment<Db> for Fixed {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        out.push_sql(self.0);
        Ok(())
    }
}

impl QueryId for Fixed {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl RunQueryDsl<Conn> for Fixed {}

/// Begins a snapshot; where that fails, the connection counts as broken.
pub(crate) fn begin_read(conn: &mut Conn, how: &'static str) -> Result<(), StoreError> {
    let begun = Fixed(how).execute(conn);
    if begun.is_err() {
        AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
    }
    Ok(begun.map(drop)?)
}

/// Ends a snapshot. Where that is not possible the connection counts as broken and is not used again.
fn end_read(conn: &mut Conn) {
    if let Err(error) = Fixed("ROLLBACK").execute(conn) {
        tracing::warn!(%error, "could not end a read; the connection is dropped");
        AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
    }
}

/// Begins a transaction; where that fails, the connection counts as broken.
pub(crate) fn begin(conn: &mut Conn, how: &str) -> Result<(), StoreError> {
    let begun = AnsiTransactionManager::begin_transaction_sql(conn, how);
    if begun.is_err() {
        AnsiTransactionManager::transaction_manager_status_mut(conn).set_in_error();
    }
    Ok(begun?)
}

pub(crate) fn begin_savepoint(conn: &mut Conn) -> Result<(), StoreError> {
    Ok(AnsiTransactionManager::begin_transaction(conn)?)
}

/// Whether the transaction ended with a statement that failed. SQLite ends it when the disk is full or broken, and would carry
/// out by itself each statement that comes after; PostgreSQL ends it whatever it was, and says so with each that comes after.
pub(crate) fn is_lost(conn: &mut Conn) -> bool {
    let (probe, stands) = super::PROBE;
    Fixed(probe).execute(conn).is_ok() != stands
}

/// Commits the transaction, or ends the savepoint.
pub(crate) fn commit(conn: &mut Conn) -> Result<(), StoreError> {
    Ok(AnsiTransactionManager::commit_transaction(conn)?)
}

pub(crate) fn roll_back_savepoint(conn: &mut Conn) -> Result<(), StoreError> {
    Ok(AnsiTransactionManager::rollback_transaction(conn)?)
}

/// Ends the transaction, savepoints and all, without a trace. Where that is not possible the connection counts as
/// broken and is not used again.
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

/// Shows the snapshot that was begun to `look`.
pub(crate) fn read(conn: &mut Conn, core: &Core, inline: bool, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry> {
    let mut tx = Tx::new(Some(conn), core, if inline { TxKind::Inline } else { TxKind::Read });
    look(&mut tx);
    let retry = tx.retry.get();
    end_read(conn);
    retry
}

/// Shows what is kept in memory to `look`; says whether that was not enough.
pub(crate) fn recall(core: &Core, look: &mut dyn FnMut(&mut dyn ReadTx)) -> Option<Retry> {
    let mut tx = Tx::new(None, core, TxKind::Memory);
    look(&mut tx);
    tx.retry.get()
}
