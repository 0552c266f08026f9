//! Connections to PostgreSQL: the settings for durability and for several servers, and their verification.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use diesel::connection::{CacheSize, SimpleConnection};
use diesel::prelude::*;
use diesel::r2d2::Pool;
use diesel::sql_types::Text;

use super::tx::rows::{RowConnection, incomplete_copy};
use super::{Conn, Postgres, notices, shard};
use crate::engine::{Core, Engine, Notifier};
use crate::{OpenError, StoreError, migrations};

/// The key of the advisory lock; an arbitrary number that is the same for all orgmem servers.
const MIGRATION_LOCK: i64 = 0x6f72_676d_656d;

const EVERY_CONNECTION: &str = "SET TIME ZONE 'UTC'; SET client_encoding = 'UTF8'; SET statement_timeout = '60s'; \
     SET idle_in_transaction_session_timeout = '60s'; SET application_name = 'orgmem';";

const WRITER: &str = "SET synchronous_commit = on; SET lock_timeout = '20s';";

/// The settings that a pooler makes for each of its sessions: those of [`EVERY_CONNECTION`] and [`WRITER`].
const SESSION: &str = "SET synchronous_commit = on; SET lock_timeout = 20000; SET statement_timeout = 60000; \
     SET idle_in_transaction_session_timeout = 60000; SET timezone = UTC";

/// Connects and migrates the schema. Returns the applied migrations too.
pub(crate) fn open(
    url: &str,
    pooler: Option<&str>,
    readers: NonZeroU32,
    writers: NonZeroU32,
    core: Core,
) -> Result<(Engine<Postgres>, Vec<String>), OpenError> {
    let failed = |error: StoreError| OpenError::Database(error.to_string());
    let url = &with_timeouts(url);
    let mut conn = writer(url).map_err(failed)?;
    check_encoding(&mut conn)?;
    check_durability(&mut conn)?;
    let applied = migrate(&mut conn)?;
    if let Some(source) = incomplete_copy(&mut conn).map_err(failed)? {
        return Err(OpenError::Incomplete(source));
    }
    let readers = Pool::builder()
        .max_size(readers.get())
        .min_idle(Some(1))
        .connection_timeout(Duration::from_secs(5))
        .test_on_check_out(false);
    let postgres = Postgres { url: url.to_owned(), pooler: pooler.map(with_timeouts) };
    let core = Core { notifier: Notifier::shared(), ..core };
    let engine = Engine::start(postgres, core, readers, writers.get()).map_err(failed)?;
    notices::start(url.clone(), engine.shared_core()).map_err(|error| OpenError::Database(error.to_string()))?;
    Ok((engine, applied))
}

/// The address with time-outs: 5 s for a connection, 20 s for an unresponsive peer. Time-outs that the address already
/// has take precedence.
fn with_timeouts(url: &str) -> String {
    let mut url = url.to_owned();
    let is_url = url.starts_with("postgres://") || url.starts_with("postgresql://");
    for (name, value) in [("connect_timeout", 5), ("tcp_user_timeout", 20_000)] {
        if !url.contains(name) {
            let separator = if !is_url {
                ' '
            } else if url.contains('?') {
                '&'
            } else {
                '?'
            };
            url = format!("{url}{separator}{name}={value}");
        }
    }
    url
}

/// Opens a connection for reads.
pub(super) fn reader(url: &str) -> Result<Conn, StoreError> {
    let mut conn = Conn::establish(url).map_err(unavailable)?;
    conn.batch_execute(EVERY_CONNECTION)?;
    Ok(conn)
}

fn unavailable(error: ConnectionError) -> StoreError {
    StoreError::Unavailable(Arc::new(match error {
        ConnectionError::BadConnection(text) => ConnectionError::BadConnection(one_line(&text)),
        other => other,
    }))
}

/// The text of a failed connection in one line: PostgreSQL ends it with a line break, and has one line for each address.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

/// Opens a connection with durable commits.
pub(super) fn writer(url: &str) -> Result<Conn, StoreError> {
    let mut conn = reader(url)?;
    conn.batch_execute(WRITER)?;
    Ok(conn)
}

/// Opens a connection through a pooler that pools by transaction. It can neither prepare statements nor change settings,
/// because the next transaction may have another session; the pooler makes the settings of all its sessions.
pub(super) fn pooled(url: &str) -> Result<Conn, StoreError> {
    let mut conn = Conn::establish(url).map_err(unavailable)?;
    conn.set_prepared_statement_cache_size(CacheSize::Disabled);
    conn.batch_execute("BEGIN")?;
    let checked = check_session(&mut conn);
    conn.batch_execute("ROLLBACK")?;
    checked.map(|()| conn)
}

/// Verifies the settings of a session that a pooler opened.
fn check_session(conn: &mut Conn) -> Result<(), StoreError> {
    let setting =
        |conn: &mut Conn, name| setting(conn, name).map_err(|error| StoreError::unavailable(error.to_string()));
    let is_durable = !matches!(setting(conn, "synchronous_commit")?.as_str(), "off" | "local");
    let mut has_limits = true;
    for name in ["lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"] {
        has_limits &= setting(conn, name)? != "0";
    }
    if is_durable && has_limits {
        return Ok(());
    }
    let reason =
        format!("the sessions of the pooler do not have the settings of orgmem; set `connect_query = '{SESSION}'`");
    Err(StoreError::unavailable(reason))
}

/// Opens a connection for `VACUUM`, without a time-out.
pub(super) fn cleaner(url: &str) -> Result<Conn, StoreError> {
    let mut conn = writer(url)?;
    conn.batch_execute("SET statement_timeout = 0; SET vacuum_cost_delay = 0;")?;
    Ok(conn)
}

/// Long statements and long pauses are permitted.
const ROW_CONNECTION: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;";

/// Opens a connection for whole rows that reads only.
pub(crate) fn row_reader(url: &str) -> Result<RowConnection, OpenError> {
    let failed = |error: StoreError| OpenError::Database(error.to_string());
    let mut conn = reader(&with_timeouts(url)).map_err(failed)?;
    conn.batch_execute(ROW_CONNECTION).map_err(|error| failed(error.into()))?;
    Ok(RowConnection { conn })
}

/// Opens a connection for whole rows that writes. The schema is current.
pub(crate) fn row_writer(url: &str) -> Result<RowConnection, OpenError> {
    let failed = |error: StoreError| OpenError::Database(error.to_string());
    let mut conn = writer(&with_timeouts(url)).map_err(failed)?;
    conn.batch_execute(ROW_CONNECTION).map_err(|error| failed(error.into()))?;
    Ok(RowConnection { conn })
}

/// Runs the migrations. If several servers start at once, one migrates and the others wait for it.
fn migrate(conn: &mut Conn) -> Result<Vec<String>, OpenError> {
    let failed = |error: diesel::result::Error| OpenError::Migration(error.to_string());
    conn.batch_execute(&format!(
        "SET statement_timeout = 0; SET lock_timeout = 0; SELECT pg_advisory_lock({MIGRATION_LOCK})"
    ))
    .map_err(failed)?;
    // the server releases the lock when the connection ends, also after an error
    let applied = migrations::run(conn, migrations::POSTGRES)?;
    let distributed = shard::distribute_new_tables(conn)?;
    if !distributed.is_empty() {
        tracing::info!(tables = distributed.join(", "), "distributed the tables that a migration added, by org");
    }
    Ok(applied)
}

fn check_encoding(conn: &mut Conn) -> Result<(), OpenError> {
    match setting(conn, "server_encoding")?.as_str() {
        "UTF8" => Ok(()),
        other => Err(OpenError::Database(format!("its encoding is `{other}`; make one with `ENCODING 'UTF8'`"))),
    }
}

/// Verifies `synchronous_commit`, and warns about settings of the server without which commits are not durable.
fn check_durability(conn: &mut Conn) -> Result<(), OpenError> {
    match setting(conn, "synchronous_commit")?.as_str() {
        "off" | "local" => return Err(OpenError::Database("it does not let `synchronous_commit` be `on`".into())),
        _ => {}
    }
    for name in ["fsync", "full_page_writes"] {
        if setting(conn, name)? != "on" {
            tracing::warn!(setting = name, "PostgreSQL has a setting off without which a power cut loses writes");
        }
    }
    Ok(())
}

fn setting(conn: &mut Conn, name: &str) -> Result<String, OpenError> {
    #[derive(QueryableByName)]
    struct Setting {
        #[diesel(sql_type = Text)]
        value: String,
    }
    let query = diesel::sql_query("SELECT current_setting($1) AS value").bind::<Text, _>(name);
    let setting = query.get_result::<Setting>(conn);
    Ok(setting.map_err(|error| OpenError::Database(error.to_string()))?.value)
}

#[cfg(test)]
mod tests {
    use super::with_timeouts;

    #[test]
    fn timeouts_are_added_unless_the_address_has_them() {
        let check = |url, expected| assert_eq!(with_timeouts(url), expected);
        check("postgres://u@h/db", "postgres://u@h/db?connect_timeout=5&tcp_user_timeout=20000");
        check("postgres://u@/db?host=/run", "postgres://u@/db?host=/run&connect_timeout=5&tcp_user_timeout=20000");
        check("host=h connect_timeout=1", "host=h connect_timeout=1 tcp_user_timeout=20000");
    }
}
