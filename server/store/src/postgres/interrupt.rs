//! Cancels statements of a connection from another one.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer};

use super::{Conn, open};
use crate::StoreError;
use crate::engine::Interrupt;

/// Opens a read connection whose statements can be cancelled.
pub(super) fn reader(url: &str) -> Result<(Conn, Arc<dyn Interrupt>), StoreError> {
    let mut conn = open::reader(url)?;
    let process = diesel::select(diesel::dsl::sql::<Integer>("pg_backend_pid()")).get_result(&mut conn)?;
    Ok((conn, Arc::new(Process { url: url.to_owned(), process })))
}

/// Opens a read connection through a pooler. Its statements are not cancelled: the next transaction of the connection may
/// have another process, and the process may serve another connection. The time-out of statements bounds them.
pub(super) fn pooled_reader(url: &str) -> Result<(Conn, Arc<dyn Interrupt>), StoreError> {
    Ok((open::pooled(url)?, Arc::new(Uncancellable)))
}

struct Uncancellable;

impl Interrupt for Uncancellable {
    fn interrupt(&self) {}

    fn is_instant(&self) -> bool {
        false
    }
}

/// The process of PostgreSQL that serves a connection.
struct Process {
    url: String,
    process: i32,
}

impl Interrupt for Process {
    /// Returns when the process has the signal, so that no later statement is cancelled.
    fn interrupt(&self) {
        let cancel = || -> Result<bool, StoreError> {
            let statement = diesel::sql_query("SELECT pg_cancel_backend($1) AS cancelled");
            let Cancelled { cancelled } =
                statement.bind::<Integer, _>(self.process).get_result(&mut open::reader(&self.url)?)?;
            Ok(cancelled)
        };
        match cancel() {
            Ok(true) => {}
            Ok(false) => tracing::debug!(process = self.process, "the statement to cancel has ended"),
            Err(error) => tracing::warn!(%error, "could not cancel the statement of a caller that is gone"),
        }
    }

    fn is_instant(&self) -> bool {
        false
    }
}

#[derive(QueryableByName)]
struct Cancelled {
    #[diesel(sql_type = Bool)]
    cancelled: bool,
}
