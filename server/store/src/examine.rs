//! A look at a database from outside: nothing is locked, migrated or written.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::Sqlite;

use crate::{OpenError, StoreConfig, migrations, postgres, sqlite};

/// Where diesel keeps which migrations ran.
const APPLIED: &str = "SELECT version AS value FROM __diesel_schema_migrations ORDER BY version";

/// What a look at a database found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// What it is, and of which release: `SQLite 3.53.2`, `PostgreSQL 16.14`.
    pub release: String,
    /// The migrations that ran on it, oldest first.
    pub applied: Vec<String>,
    /// Those that the next start runs, oldest first.
    pub pending: Vec<String>,
}

/// Looks at the database that `config` names, also while a server uses it. Blocks.
///
/// # Returns
/// What was found; `None` when the first start has yet to make it.
///
/// # Errors
/// [`OpenError`] when it cannot be reached, or was migrated by a newer server.
pub fn examine(config: &StoreConfig) -> Result<Option<Examined>, OpenError> {
    match config {
        StoreConfig::Sqlite { path, .. } if !path.exists() => Ok(None),
        StoreConfig::Sqlite { path, .. } => {
            let mut conn = sqlite::Conn::establish(&path.to_string_lossy()).map_err(failed)?;
            conn.batch_execute("PRAGMA busy_timeout = 10000; PRAGMA query_only = ON;").map_err(failed)?;
            let release = "SELECT 'SQLite ' || sqlite_version() AS value";
            let table = "SELECT name AS value FROM sqlite_master WHERE name = '__diesel_schema_migrations'";
            let texts = |query: &str| diesel::sql_query(query).load::<TextValue>(&mut conn);
            look(texts, release, table, migrations::known::<Sqlite>(&migrations::SQLITE)?).map(Some)
        }
        StoreConfig::Postgres { url, .. } => {
            let mut conn = postgres::Conn::establish(url).map_err(failed)?;
            let release = "SELECT 'PostgreSQL ' || current_setting('server_version') AS value";
            let table = "SELECT name AS value FROM (SELECT to_regclass('__diesel_schema_migrations')::text AS name) t \
                 WHERE name IS NOT NULL";
            let texts = |query: &str| diesel::sql_query(query).load::<TextValue>(&mut conn);
            look(texts, release, table, migrations::known::<Pg>(&migrations::POSTGRES)?).map(Some)
        }
    }
}

fn look(
    mut texts: impl FnMut(&str) -> QueryResult<Vec<TextValue>>,
    release: &str,
    table: &str,
    known: Vec<String>,
) -> Result<Examined, OpenError> {
    let mut values = |query: &str| -> Result<Vec<String>, OpenError> {
        Ok(texts(query).map_err(failed)?.into_iter().map(|words| words.value).collect())
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
