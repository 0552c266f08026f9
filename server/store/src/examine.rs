//! Read-only inspection of a database: it locks, migrates and writes nothing.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::Sqlite;

use crate::{OpenError, StoreConfig, migrations, postgres, sqlite};

const APPLIED: &str = "SELECT version AS value FROM __diesel_schema_migrations ORDER BY version";

/// The result of an inspection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Product and release: `SQLite 3.53.2`, `PostgreSQL 16.14`.
    pub release: String,
    /// The applied migrations, oldest first.
    pub applied: Vec<String>,
    /// The migrations that the next start will run, oldest first.
    pub pending: Vec<String>,
}

/// Inspects the database of `config`, even while a server uses it. Blocks.
///
/// # Returns
/// `None` when the database does not exist yet.
///
/// # Errors
/// [`OpenError`] when the database cannot be reached or was migrated by a newer server.
pub fn examine(config: &StoreConfig) -> Result<Option<Examined>, OpenError> {
    match config {
        StoreConfig::Sqlite { path, .. } if !path.exists() => Ok(None),
        StoreConfig::Sqlite { path, .. } => {
            // the last connection that closes writes the WAL into the file, so it needs the store's file system
            let path = std::path::absolute(path).map_err(|source| OpenError::Folder { path: path.clone(), source })?;
            let mut conn = sqlite::Conn::establish(&sqlite::url(&path)?).map_err(failed)?;
            conn.batch_execute("PRAGMA busy_timeout = 10000; PRAGMA query_only = ON;").map_err(failed)?;
            let release = "SELECT 'SQLite ' || sqlite_version() AS value";
            let table = "SELECT name AS value FROM sqlite_master WHERE name = '__diesel_schema_migrations'";
            let texts = |query: &str| diesel::sql_query(query).load::<TextValue>(&mut conn);
            inspect(texts, release, table, migrations::known::<Sqlite>(&migrations::SQLITE)?).map(Some)
        }
        StoreConfig::Postgres { url, .. } => {
            let unreachable = |error: ConnectionError| failed(postgres::one_line(&error.to_string()));
            let mut conn = postgres::Conn::establish(url).map_err(unreachable)?;
            let release = "SELECT 'PostgreSQL ' || current_setting('server_version') AS value";
            let table = "SELECT name AS value FROM (SELECT to_regclass('__diesel_schema_migrations')::text AS name) t \
                 WHERE name IS NOT NULL";
            let texts = |query: &str| diesel::sql_query(query).load::<TextValue>(&mut conn);
            inspect(texts, release, table, migrations::known::<Pg>(&migrations::POSTGRES)?).map(Some)
        }
    }
}

fn inspect(
    mut texts: impl FnMut(&str) -> QueryResult<Vec<TextValue>>,
    release: &str,
    table: &str,
    known: Vec<String>,
) -> Result<Examined, OpenError> {
    let mut values = |query: &str| -> Result<Vec<String>, OpenError> {
        Ok(texts(query).map_err(failed)?.into_iter().map(|row| row.value).collect())
    };
    let release = values(release)?.concat();
    // An empty database has no table of migrations yet.
    let applied = if values(table)?.is_empty() { Vec::new() } else { values(APPLIED)? };
    let pending = migrations::pending(known, &applied)?;
    Ok(Examined { release, applied, pending })
}

#[derive(QueryableByName)]
struct TextValue {
    #[diesel(sql_type = Text)]
    value: String,
}

fn failed(error: impl std::fmt::Display) -> OpenError {
    OpenError::Database(error.to_string())
}
